"""Memory that an AI agent's owner can trust: a layered library with a self-learning archivist.

The names below are the public door; each is loaded when it is first used, so that importing the package opens nothing and costs
next to nothing.
"""

from archivist.late import loading_late

TYPE_CHECKING = False  # typing takes as long to load as an interpreter does
if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.app.accepting import DayStays
    from archivist.app.allowing import AllowancesUnreadable, NoBlockId
    from archivist.app.around import StopCompression
    from archivist.app.backing_up import BackupNotMade, StateNotSound
    from archivist.app.backups import SeveralHomes
    from archivist.app.exporting import ExportExists, ExportRefused
    from archivist.app.holding import ConversationHeld
    from archivist.app.hosts.changes import HostFileNotWritten, HostFileUnusable
    from archivist.app.hosts.starting import NotStartable
    from archivist.app.ingesting import UnknownHost
    from archivist.app.manifests import NoBackup
    from archivist.app.obstacles import PlaceTaken
    from archivist.app.removing import AgeNotUsable
    from archivist.app.standing import HeldElsewhere
    from archivist.app.swapping import RestoreUnfinished
    from archivist.compress.checking import UnknownProvider, check_messages
    from archivist.compress.compressing import compress
    from archivist.compress.sending import NotSendable
    from archivist.config import HomeNotUsable, SettingsUnreadable, UnknownProfile
    from archivist.config.changing import SettingsNotChanged
    from archivist.config.credentials import CredentialsUnreadable
    from archivist.config.ring import KeyringNotUsable
    from archivist.curate.refusals import (
        NotEditable,
        NotWrittenDown,
        ProposalDecided,
        ProposalOpen,
        ProposalOutdated,
        UnknownProposal,
    )
    from archivist.files import FileChangedMeanwhile, FileLocked, FileNotCopied, FileNotWritten
    from archivist.guard import mask
    from archivist.guard.scanning import scan
    from archivist.loop.work import ConversationGone
    from archivist.models.choosing import (
        ModelAddressNotUsable,
        NoModelKey,
        NoModelNamed,
        UnknownModelProvider,
    )
    from archivist.models.keys import ModelKeyNotUsable
    from archivist.models.prices import PricesNotUpdated
    from archivist.models.responder import ModelFailed
    from archivist.notes.admitting import NotKeptForReview, RejectedBefore
    from archivist.notes.folders import NotesUnreadable
    from archivist.notes.keeping import EntryChanged
    from archivist.notes.making_room import NotesFull
    from archivist.notes.matching import NoSuchEntry, SeveralEntries
    from archivist.notes.operations import OperationFailed
    from archivist.notes.planning import DelimiterInNote, EmptyNote, StandsInOther
    from archivist.notes.replaying import NotAsShown
    from archivist.notes.secrets import SecretInNote
    from archivist.notes.stretching import TextNotInEntry
    from archivist.notes.telling import UnknownChange, UnknownEntry
    from archivist.notes.undoing import ChangedSince, NothingLeft, TakenBackAlready
    from archivist.recall.reading import AmbiguousSession, UnknownMessage
    from archivist.recall.when import UnreadableTime
    from archivist.records import EVERYTHING, ArchivistError, Message, Part, Person, Scope, ToolCall, Usage
    from archivist.store import (
        ClientIdReused,
        DiskFailed,
        DiskFull,
        MessageNotStorable,
        NotOurs,
        SchemaTooNew,
        StoreBusy,
        StoreClosed,
        StoreDamaged,
        StoreLinked,
        StoreNotOpened,
        StoreReadOnly,
        StoreReplaced,
        UnknownSession,
        WriteSpooled,
    )
    from archivist.store.absence import NothingToLookFor
    from archivist.store.compacting import ContextChanged
    from archivist.store.deleting import OutsideScope
    from archivist.store.forking import NotForkable
    from archivist.store.index.reader import IndexDamaged
    from archivist.store.leasing import BeingCompacted
    from archivist.store.print_key import PrintKeyUnreadable
    from archivist.store.proposals import ReviewFull
    from archivist.store.restoring import NothingToRestore
    from archivist.store.salvage.salvaging import NothingToSalvage
    from archivist.store.titles import TitleNotUsable, TitleTaken
    from archivist.store.undoing import NothingToRedo, NothingToUndo
    from archivist.transfer import (
        FormatNotRecognised,
        HistoryNotFound,
        SourceBusy,
        SourceChanged,
        SourceUnreadable,
        TransferError,
        UnknownFormat,
    )
    from archivist.transfer.archivist import UnknownExportFormat

__version__ = "0.1.0"
__all__ = [
    "EVERYTHING",
    "AgeNotUsable",
    "AllowancesUnreadable",
    "AmbiguousSession",
    "Archivist",
    "ArchivistError",
    "BackupNotMade",
    "BeingCompacted",
    "ChangedSince",
    "ClientIdReused",
    "ContextChanged",
    "ConversationGone",
    "ConversationHeld",
    "CredentialsUnreadable",
    "DayStays",
    "DelimiterInNote",
    "DiskFailed",
    "DiskFull",
    "EmptyNote",
    "EntryChanged",
    "ExportExists",
    "ExportRefused",
    "FileChangedMeanwhile",
    "FileLocked",
    "FileNotCopied",
    "FileNotWritten",
    "FormatNotRecognised",
    "HeldElsewhere",
    "HistoryNotFound",
    "HomeNotUsable",
    "HostFileNotWritten",
    "HostFileUnusable",
    "IndexDamaged",
    "KeyringNotUsable",
    "Message",
    "MessageNotStorable",
    "ModelAddressNotUsable",
    "ModelFailed",
    "ModelKeyNotUsable",
    "NoBackup",
    "NoBlockId",
    "NoModelKey",
    "NoModelNamed",
    "NoSuchEntry",
    "NotAsShown",
    "NotEditable",
    "NotForkable",
    "NotKeptForReview",
    "NotOurs",
    "NotSendable",
    "NotStartable",
    "NotWrittenDown",
    "NotesFull",
    "NotesUnreadable",
    "NothingLeft",
    "NothingToLookFor",
    "NothingToRedo",
    "NothingToRestore",
    "NothingToSalvage",
    "NothingToUndo",
    "OperationFailed",
    "OutsideScope",
    "Part",
    "Person",
    "PlaceTaken",
    "PricesNotUpdated",
    "PrintKeyUnreadable",
    "ProposalDecided",
    "ProposalOpen",
    "ProposalOutdated",
    "RejectedBefore",
    "RestoreUnfinished",
    "ReviewFull",
    "SchemaTooNew",
    "Scope",
    "SecretInNote",
    "SettingsNotChanged",
    "SettingsUnreadable",
    "SeveralEntries",
    "SeveralHomes",
    "SourceBusy",
    "SourceChanged",
    "SourceUnreadable",
    "StandsInOther",
    "StateNotSound",
    "StopCompression",
    "StoreBusy",
    "StoreClosed",
    "StoreDamaged",
    "StoreLinked",
    "StoreNotOpened",
    "StoreReadOnly",
    "StoreReplaced",
    "TakenBackAlready",
    "TextNotInEntry",
    "TitleNotUsable",
    "TitleTaken",
    "ToolCall",
    "TransferError",
    "UnknownChange",
    "UnknownEntry",
    "UnknownExportFormat",
    "UnknownFormat",
    "UnknownHost",
    "UnknownMessage",
    "UnknownModelProvider",
    "UnknownProfile",
    "UnknownProposal",
    "UnknownProvider",
    "UnknownSession",
    "UnreadableTime",
    "Usage",
    "WriteSpooled",
    "check_messages",
    "compress",
    "mask",
    "scan",
]

_HOMES = {
    "archivist.app": ("Archivist",),
    "archivist.app.allowing": ("AllowancesUnreadable", "NoBlockId"),
    "archivist.app.around": ("StopCompression",),
    "archivist.app.standing": ("HeldElsewhere",),
    "archivist.app.backing_up": ("BackupNotMade", "StateNotSound"),
    "archivist.app.backups": ("SeveralHomes",),
    "archivist.app.accepting": ("DayStays",),
    "archivist.app.holding": ("ConversationHeld",),
    "archivist.app.hosts.changes": ("HostFileNotWritten", "HostFileUnusable"),
    "archivist.app.hosts.starting": ("NotStartable",),
    "archivist.app.ingesting": ("UnknownHost",),
    "archivist.app.manifests": ("NoBackup",),
    "archivist.app.obstacles": ("PlaceTaken",),
    "archivist.app.swapping": ("RestoreUnfinished",),
    "archivist.app.removing": ("AgeNotUsable",),
    "archivist.store.absence": ("NothingToLookFor",),
    "archivist.store.compacting": ("ContextChanged",),
    "archivist.store.leasing": ("BeingCompacted",),
    "archivist.store.restoring": ("NothingToRestore",),
    "archivist.store.deleting": ("OutsideScope",),
    "archivist.app.exporting": ("ExportExists", "ExportRefused"),
    "archivist.compress.checking": ("UnknownProvider", "check_messages"),
    "archivist.compress.sending": ("NotSendable",),
    "archivist.compress": ("compress",),
    "archivist.config": ("HomeNotUsable", "SettingsUnreadable", "UnknownProfile"),
    "archivist.config.credentials": ("CredentialsUnreadable",),
    "archivist.config.ring": ("KeyringNotUsable",),
    "archivist.config.changing": ("SettingsNotChanged",),
    "archivist.curate.refusals": (
        "NotEditable",
        "NotWrittenDown",
        "ProposalDecided",
        "ProposalOpen",
        "ProposalOutdated",
        "UnknownProposal",
    ),
    "archivist.files": ("FileChangedMeanwhile", "FileLocked", "FileNotCopied", "FileNotWritten"),
    "archivist.guard": ("mask",),
    "archivist.notes.replaying": ("NotAsShown",),
    "archivist.loop.work": ("ConversationGone",),
    "archivist.models.choosing": (
        "ModelAddressNotUsable",
        "NoModelKey",
        "NoModelNamed",
        "UnknownModelProvider",
    ),
    "archivist.models.keys": ("ModelKeyNotUsable",),
    "archivist.models.prices": ("PricesNotUpdated",),
    "archivist.models.responder": ("ModelFailed",),
    "archivist.notes.admitting": ("NotKeptForReview", "RejectedBefore"),
    "archivist.guard.scanning": ("scan",),
    "archivist.notes.planning": ("DelimiterInNote", "EmptyNote", "StandsInOther"),
    "archivist.notes.stretching": ("TextNotInEntry",),
    "archivist.notes.keeping": ("EntryChanged",),
    "archivist.notes.making_room": ("NotesFull",),
    "archivist.notes.telling": (
        "UnknownChange",
        "UnknownEntry",
    ),
    "archivist.notes.undoing": (
        "ChangedSince",
        "NothingLeft",
        "TakenBackAlready",
    ),
    "archivist.notes.operations": ("OperationFailed",),
    "archivist.notes.folders": ("NotesUnreadable",),
    "archivist.notes.matching": ("NoSuchEntry", "SeveralEntries"),
    "archivist.notes.secrets": ("SecretInNote",),
    "archivist.recall.reading": ("AmbiguousSession", "UnknownMessage"),
    "archivist.recall.when": ("UnreadableTime",),
    "archivist.records": (
        "ArchivistError",
        "EVERYTHING",
        "Message",
        "Part",
        "Person",
        "Scope",
        "ToolCall",
        "Usage",
    ),
    "archivist.store": (
        "ClientIdReused",
        "DiskFailed",
        "DiskFull",
        "MessageNotStorable",
        "NotOurs",
        "SchemaTooNew",
        "StoreBusy",
        "StoreClosed",
        "StoreDamaged",
        "StoreLinked",
        "StoreNotOpened",
        "StoreReadOnly",
        "StoreReplaced",
        "UnknownSession",
        "WriteSpooled",
    ),
    "archivist.transfer.archivist": ("UnknownExportFormat",),
    "archivist.store.forking": ("NotForkable",),
    "archivist.store.index.reader": ("IndexDamaged",),
    "archivist.store.print_key": ("PrintKeyUnreadable",),
    "archivist.store.proposals": ("ReviewFull",),
    "archivist.store.titles": ("TitleNotUsable", "TitleTaken"),
    "archivist.store.salvage.salvaging": ("NothingToSalvage",),
    "archivist.store.undoing": ("NothingToRedo", "NothingToUndo"),
    "archivist.transfer": (
        "FormatNotRecognised",
        "HistoryNotFound",
        "SourceBusy",
        "SourceChanged",
        "SourceUnreadable",
        "TransferError",
        "UnknownFormat",
    ),
}
__getattr__ = loading_late(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
