"""What a search returns: hits, pages of them, and notices about what could not be done.

The text of a hit is a verbatim part of what is stored; where it was cut it ends in a marker with the id under which the rest is read.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

import msgspec

from archivist.records.messages import Message, Role, State
from archivist.records.notices import Notice
from archivist.records.sessions import Relative, Session

Shelf = Literal["listed", "archived", "all"]
"""Which conversations are listed: those that were not put away, those that were, both."""


class Source(msgspec.Struct, frozen=True):
    """Where a text can be opened.

    Attributes:
        name: The program: "claude-code", "hermes", "cli", …; "notes" for what was distilled and for daily notes.
        ids: The source's own ids of the message (several where the source wrote it in several lines); the id of an entry,
            and `file:PATH` of what it was brought in from; of a daily note its place in the file, counted from 1.
        conversation_id: The conversation in Archivist; None for a note.
        message_id: The message in Archivist, for `sessions.read(around=…)`; None for a note.
        file: Of a note, relative to `memories/`.
    """

    name: str
    ids: tuple[str, ...]
    conversation_id: str | None = None
    message_id: int | None = None
    file: str | None = None

    def __str__(self) -> str:
        if self.file is not None:
            return f"{self.name}:{self.file}#{self.ids[0]}"
        return f"{self.name}:{self.conversation_id}#{self.message_id}"


class Hit(msgspec.Struct, frozen=True):
    """One find.

    Attributes:
        kind: "message" for a row of a conversation, "note" for an entry of MEMORY.md, USER.md or their archive, "daily" for what
            stands in the notes of a day.
        text: The stretch that answers, with marks where it was cut.
        session_id: None for a note, as are the conversation, the message and the role.
        date: When it was said, or first noted.
        score: Higher is better; comparable within one page only.
        why: Short reasons, such as "all words", "exact: CI-88213", "title".
        others: How many further hits of the same conversation were folded away.
        tier: Of a note: `core`, or `archive` for what left it.
        target: Of a note: which of the two files it is of.
        entry_kind: Of a note: a fact, a preference, a decision, …
        origin: Of a note, who put it there; of a message, whose words it has that are not its person's, its model's or this machine's:
            `web`, `document`, `tool`, `agent`, `member`.
    """

    kind: str
    text: str
    source: Source
    session_id: str | None
    conversation_id: str | None
    message_id: int | None
    role: Role | None
    date: datetime
    score: float
    why: tuple[str, ...] = ()
    title: str | None = None
    speaker: str | None = None
    tool_name: str | None = None
    state: State = "active"
    others: int = 0
    explain: Mapping[str, float] | None = None
    tier: str | None = None
    target: str | None = None
    entry_kind: str | None = None
    origin: str | None = None


class Page(msgspec.Struct, frozen=True):
    """Hits, best first, and what to know about them."""

    hits: tuple[Hit, ...] = ()
    notices: tuple[Notice, ...] = ()


class Passage(msgspec.Struct, frozen=True):
    """Messages of one conversation in order, and how many stand before and after them.

    Attributes:
        messages: Their texts may be cut, with a marker that says how to read on.
        before: Messages of the conversation before the first one shown.
        after: Messages of the conversation after the last one shown.
        line: The sessions that make it up, from the first to the last; of a fork also those that it shares messages with.
        children: Forks, branches, sub-agents and sessions taken back that began in it.
        left_out: Messages of the whole conversation that are not of what is read: taken back, on paths that were left, summaries
            for a model, and those of forks and sub-agents.
    """

    session: Session
    messages: tuple[Message, ...]
    before: int = 0
    after: int = 0
    notices: tuple[Notice, ...] = ()
    line: tuple[Relative, ...] = ()
    children: tuple[Relative, ...] = ()
    left_out: int = 0


class Browse(msgspec.Struct, frozen=True):
    """Conversations, most recently active first.

    Attributes:
        total: How many there are, shown or not.
        previews: By session, how its conversation began.
        archived: How many more there are that were put away and are left out.
        forks: By session, how many forks its conversation has, where it has any.
        active: By session, when the last thing happened in any session of its conversation: what they are sorted by.
        counts: By session, how many messages reading it shows.
    """

    sessions: tuple[Session, ...] = ()
    total: int = 0
    notices: tuple[Notice, ...] = ()
    previews: Mapping[str, str] = msgspec.field(default_factory=dict)
    archived: int = 0
    forks: Mapping[str, int] = msgspec.field(default_factory=dict)
    active: Mapping[str, datetime] = msgspec.field(default_factory=dict)
    counts: Mapping[str, int] = msgspec.field(default_factory=dict)
