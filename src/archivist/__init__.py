"""Memory that an AI agent's owner can trust: a layered library with a self-learning archivist.

The names below are the public door; each is loaded when it is first used, so that importing the package opens nothing and costs
next to nothing.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.config import HomeNotUsable, SettingsUnreadable, UnknownProfile
    from archivist.files import FileLocked, FileNotWritten
    from archivist.guard import mask
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
        StoreNotOpened,
        StoreReadOnly,
        StoreReplaced,
        UnknownSession,
        WriteSpooled,
    )
    from archivist.transfer import (
        FormatNotRecognised,
        HistoryNotFound,
        SourceBusy,
        SourceChanged,
        SourceUnreadable,
        TransferError,
        UnknownFormat,
    )

__version__ = "0.1.0"
__all__ = [
    "EVERYTHING",
    "AmbiguousSession",
    "Archivist",
    "ArchivistError",
    "ClientIdReused",
    "DiskFailed",
    "DiskFull",
    "FileLocked",
    "FileNotWritten",
    "FormatNotRecognised",
    "HistoryNotFound",
    "HomeNotUsable",
    "Message",
    "MessageNotStorable",
    "NotOurs",
    "Part",
    "Person",
    "SchemaTooNew",
    "Scope",
    "SettingsUnreadable",
    "SourceBusy",
    "SourceChanged",
    "SourceUnreadable",
    "StoreBusy",
    "StoreClosed",
    "StoreDamaged",
    "StoreNotOpened",
    "StoreReadOnly",
    "StoreReplaced",
    "ToolCall",
    "TransferError",
    "UnknownFormat",
    "UnknownMessage",
    "UnknownProfile",
    "UnknownSession",
    "UnreadableTime",
    "Usage",
    "WriteSpooled",
    "mask",
]

_HOMES = {
    "archivist.app": ("Archivist",),
    "archivist.config": ("HomeNotUsable", "SettingsUnreadable", "UnknownProfile"),
    "archivist.files": ("FileLocked", "FileNotWritten"),
    "archivist.guard": ("mask",),
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
        "StoreNotOpened",
        "StoreReadOnly",
        "StoreReplaced",
        "UnknownSession",
        "WriteSpooled",
    ),
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
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the module protocol's own signature
    if name not in _HOME_OF:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module  # noqa: PLC0415 - part of loading late

    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
