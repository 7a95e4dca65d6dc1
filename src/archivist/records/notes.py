"""What was distilled: entries of MEMORY.md and USER.md, and what a change of them did.

An entry is one statement. Its words stand in a text file that its owner may edit; its identity, its origin and its history stand in
the journal beside it. These are `msgspec.Struct`: a command that reads no notes must not pay for them.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec

from archivist.records.notices import Notice
from archivist.records.scopes import HOME_SCOPE, Scope

Target = Literal["memory", "user"]
"""`memory`: the environment, conventions, lessons; `user`: who the person is and what they prefer."""

Tier = Literal["core", "archive"]
"""`core`: in the two files that every prompt carries; `archive`: what left them, found by recall."""

EntryStatus = Literal["active", "superseded", "retracted"]
EntryKind = Literal["fact", "preference", "prohibition", "correction", "decision", "identity", "event"]
EntryOrigin = Literal["user", "agent", "distilled", "hand", "import", "provider", "tool", "web", "document"]
"""Who put it there, or whose words were put there: `user`: the owner, or whoever spoke; `hand`: somebody with an editor; `tool`, `web`,
`document`: a program that takes over what a tool, a page or a document says."""

UseKind = Literal["used", "restated", "present", "opened"]
"""How an entry was used: a turn's words or calls rest on it; the user said it again; a session in its scope ended without a
correction of it; an archived one was opened or cited after a recall."""


class Quote(msgspec.Struct, frozen=True, gc=False):
    """The words that an entry rests on.

    Attributes:
        text: Verbatim.
        message_id: The message that has them; None where they stand in none.
        session_id: The session of that message.
        place: Where they stood, if that was a file of another program: `FORMAT:FILE#PLACE`.
    """

    text: str
    message_id: int | None = None
    session_id: str | None = None
    place: str | None = None


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One entry as it is now, or was.

    Attributes:
        id: For ever, whatever its text becomes.
        text: Without the white space around it, its lines ended by a line feed.
        scope: At most one field is set; none where it is the owner's, in every project.
        observed_at: When it was first noted.
        changed_at: When its text became what it is.
        valid_from: Since when it holds; None where nobody said.
        valid_to: Until when it held; None while it does.
        supersedes: The entry whose place it took.
        superseded_by: The entry that took its place.
        contradicts: Entries that were there when it was noted and that say otherwise; nobody has said which of them hold.
        pinned: Never leaves the core by itself.
        shared: Of the owner's: shown to other readers too.
    """

    id: str
    target: Target
    text: str
    observed_at: datetime
    changed_at: datetime
    scope: Scope = HOME_SCOPE
    tier: Tier = "core"
    status: EntryStatus = "active"
    kind: EntryKind = "fact"
    origin: EntryOrigin = "user"
    sources: tuple[Quote, ...] = ()
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    supersedes: str | None = None
    pinned: bool = False
    shared: bool = False
    superseded_by: str | None = None
    contradicts: tuple[str, ...] = ()


class Use(msgspec.Struct, frozen=True):
    """An entry was used.

    Attributes:
        session_id: In which session; None outside any.
    """

    entry_id: str
    at: datetime
    kind: UseKind
    session_id: str | None = None


class NoteUsage(msgspec.Struct, frozen=True):
    """How near the budget a file is.

    Attributes:
        chars: Code points of the entries joined as in the file, delimiters included.
        limit: The budget, in code points.
        tokens: Estimated.
        entries: How many there are.
    """

    chars: int
    limit: int
    tokens: int
    entries: int

    @property
    def percent(self) -> int:
        """Cut to a whole number; above 100 where there is more than the budget allows."""
        return self.chars * 100 // self.limit if self.limit else 100

    def __str__(self) -> str:
        return f"{self.percent}% — {self.chars:,}/{self.limit:,} chars"


class NoteChange(msgspec.Struct, frozen=True):
    """What a change of the notes did.

    Attributes:
        id: Of the change, for `undo`.
        action: add, replace, edit, remove, pin, …; `unchanged` where there was nothing to do; `waits` where nothing was done and the owner
            decides.
        entry: The entry as it is after the change; the one that is there already, where there was nothing to do.
        usage: Of the file that the entry stands in.
        before: The text that it had.
        lost: The sentences of that text that went.
        moved: Entries that left the core to make room.
        superseded: Entries that hold no more, since what was noted says that it corrects them.
        contradicted: Entries that say otherwise than what was noted; both stay.
        entries: Every entry that a batch changed, in the order of its operations.
        proposal: Of what waits: the id by which the owner accepts or rejects it.
    """

    id: str
    action: str
    entry: Entry | None
    usage: NoteUsage
    before: str | None = None
    lost: tuple[str, ...] = ()
    moved: tuple[Entry, ...] = ()
    superseded: tuple[Entry, ...] = ()
    contradicted: tuple[Entry, ...] = ()
    entries: tuple[Entry, ...] = ()
    notices: tuple[Notice, ...] = ()
    proposal: str | None = None


class Snapshot(msgspec.Struct, frozen=True):
    """What the prompt of a session carries of the notes.

    Attributes:
        text: Rendered, for the prompt; empty where nothing is noted.
        sha256: Of the text in UTF-8, in hex.
        report: What got in, what did not, and why.
    """

    text: str
    sha256: str
    report: "SnapshotReport"


class SnapshotSection(msgspec.Struct, frozen=True):
    """One block of a snapshot.

    Attributes:
        entries: The ids that got in, in their order.
        left_out: The ids that did not, each with the reason.
        contradictions: Pairs of ids that got in and cannot both hold: the block says so, with dates.
        withheld: Of those that got in, the ids of the blocks that were left out of them, because they try to steer a model.
    """

    target: Target
    scope: Scope
    usage: NoteUsage
    entries: tuple[str, ...]
    left_out: Mapping[str, str] = msgspec.field(default_factory=dict)
    contradictions: tuple[tuple[str, str], ...] = ()
    withheld: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class SnapshotReport(msgspec.Struct, frozen=True):
    """How a snapshot came about.

    Attributes:
        tokens: Estimated, of all of it.
        last_change: The newest change of the notes that it shows.
    """

    sections: tuple[SnapshotSection, ...] = ()
    tokens: int = 0
    last_change: str | None = None
    notices: tuple[Notice, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found


__all__ = [
    "HOME_SCOPE",
    "Entry",
    "EntryKind",
    "EntryOrigin",
    "EntryStatus",
    "NoteChange",
    "NoteUsage",
    "Quote",
    "Snapshot",
    "SnapshotReport",
    "SnapshotSection",
    "Target",
    "Tier",
    "Use",
    "UseKind",
]
