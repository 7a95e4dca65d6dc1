"""Frozen values that travel between rooms, and the root of the error tree.

Nothing here reads a clock, a file or a database: a record means the same wherever it is read.
"""

from archivist.records.digest import content_digest, text_digest
from archivist.records.errors import ArchivistError
from archivist.records.hits import Browse, Hit, Notice, Page, Passage, Source
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
from archivist.records.retry import Patience
from archivist.records.scopes import EVERYTHING, OWNER, OWNER_EVERYWHERE, Everything, Person, Reader, Scope
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
