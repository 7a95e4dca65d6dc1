"""Frozen values that travel between rooms, and the root of the error tree.

Nothing here reads a clock, a file or a database: a record means the same wherever it is read.
"""

from archivist.late import loading_late

TYPE_CHECKING = False  # `typing` takes longer to load than all that a hook may need
if TYPE_CHECKING:
    from archivist.records.digest import content_digest, text_digest
    from archivist.records.errors import ArchivistError
    from archivist.records.hits import Browse, Hit, Page, Passage, Source
    from archivist.records.messages import Message, Part, Role, State, ToolCall
    from archivist.records.notes import (
        Entry,
        NoteChange,
        NoteUsage,
        Quote,
        Snapshot,
        SnapshotReport,
        SnapshotSection,
        Use,
    )
    from archivist.records.notices import Notice
    from archivist.records.retry import Patience
    from archivist.records.scopes import (
        EVERYTHING,
        OWNER,
        OWNER_EVERYWHERE,
        Everything,
        Person,
        Reader,
        Scope,
    )
    from archivist.records.sessions import Link, Redone, Relative, Session, SessionStart, Undone, Usage

__all__ = [
    "EVERYTHING",
    "OWNER",
    "OWNER_EVERYWHERE",
    "ArchivistError",
    "Browse",
    "Entry",
    "Everything",
    "Hit",
    "Link",
    "Message",
    "NoteChange",
    "NoteUsage",
    "Notice",
    "Page",
    "Part",
    "Passage",
    "Patience",
    "Person",
    "Quote",
    "Reader",
    "Redone",
    "Relative",
    "Role",
    "Scope",
    "Session",
    "SessionStart",
    "Snapshot",
    "SnapshotReport",
    "SnapshotSection",
    "Source",
    "State",
    "ToolCall",
    "Undone",
    "Usage",
    "Use",
    "content_digest",
    "text_digest",
]

__getattr__ = loading_late(
    __name__,
    {
        "archivist.records.digest": (
            "content_digest",
            "text_digest",
        ),
        "archivist.records.errors": ("ArchivistError",),
        "archivist.records.notices": ("Notice",),
        "archivist.records.hits": (
            "Browse",
            "Hit",
            "Page",
            "Passage",
            "Source",
        ),
        "archivist.records.messages": (
            "Message",
            "Part",
            "Role",
            "State",
            "ToolCall",
        ),
        "archivist.records.notes": (
            "Entry",
            "NoteChange",
            "NoteUsage",
            "Quote",
            "Snapshot",
            "SnapshotReport",
            "SnapshotSection",
            "Use",
        ),
        "archivist.records.retry": ("Patience",),
        "archivist.records.scopes": (
            "EVERYTHING",
            "OWNER",
            "OWNER_EVERYWHERE",
            "Everything",
            "Person",
            "Reader",
            "Scope",
        ),
        "archivist.records.sessions": (
            "Link",
            "Redone",
            "Relative",
            "Session",
            "SessionStart",
            "Undone",
            "Usage",
        ),
    },
)
