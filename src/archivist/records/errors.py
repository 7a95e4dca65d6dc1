"""The root of the error tree.

Every failure that Archivist reports on purpose is one class under `ArchivistError`, defined beside the code that raises it.
The message is built once, by the class, is one line, and ends with what to do next.

    ArchivistError
        config/    CredentialsUnreadable, HomeNotUsable, KeyringNotUsable, SettingsNotChanged, SettingsUnreadable, UnknownProfile
        files/     FileChangedMeanwhile, FileLocked, FileNotCopied, FileNotWritten
        store/     BeingCompacted, ClientIdReused, ContextChanged, DiskFailed, DiskFull, IndexDamaged, MessageNotStorable, NotForkable,
                   NothingToLookFor, NothingToRedo, NothingToRestore, NothingToUndo, NotOurs, OutsideScope, PrintKeyUnreadable, ReviewFull,
                   SchemaTooNew, StoreBusy, StoreClosed, StoreDamaged (NothingToSalvage), StoreLinked, StoreNotOpened, StoreReadOnly,
                   StoreReplaced, TitleNotUsable, TitleTaken, UnknownSession, WriteSpooled
        models/    ModelAddressNotUsable, ModelFailed, ModelKeyNotUsable, NoModelKey, NoModelNamed, PricesNotUpdated, UnknownModelProvider
        notes/     ChangedSince, DelimiterInNote, EmptyNote, EntryChanged, NoSuchEntry, NotAsShown, NotKeptForReview, NotesFull,
                   NotesUnreadable, NothingLeft, OperationFailed, RejectedBefore, SecretInNote, SeveralEntries, StandsInOther,
                   TakenBackAlready, TextNotInEntry, UnknownChange, UnknownEntry
        recall/    AmbiguousSession, UnknownMessage, UnreadableTime
        compress/  NotSendable, UnknownProvider
        curate/    NotEditable, NotWrittenDown, ProposalDecided, ProposalOpen, ProposalOutdated, UnknownProposal
        loop/      ConversationGone
        app/       AgeNotUsable, AllowancesUnreadable, BackupNotMade, ConversationHeld, DayStays, ExportExists, ExportRefused,
                   HeldElsewhere, HostFileNotWritten, HostFileUnusable, NoBackup, NoBlockId, NotStartable, PlaceTaken, RestoreUnfinished,
                   SeveralHomes, StateNotSound, StopCompression, UnknownHost
        transfer/  TransferError: FormatNotRecognised, HistoryNotFound, SourceChanged, SourceUnreadable (SourceBusy), UnknownExportFormat,
                   UnknownFormat
"""


class ArchivistError(Exception):
    """Any failure that Archivist reports on purpose; `str()` of it is one line for a person."""
