"""Where transcripts stand: each in a file, or all of an agent's in its database; either way they are read alike."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from uuid import UUID

from archivist.transfer import compressed
from archivist.transfer.databases import index_column, naming_damage, opened_copy
from archivist.transfer.foreign import SourceUnreadable
from archivist.transfer.gateways import Sender
from archivist.transfer.json_lines import lines_in
from archivist.transfer.openclaw.database import AgentRows
from archivist.transfer.openclaw.entries import RawEntry
from archivist.transfer.openclaw.ledger import Noted
from archivist.transfer.openclaw.people import is_told_by_envelopes
from archivist.transfer.openclaw.places import Item, read_header
from archivist.transfer.openclaw.transcripts import Source, header_parent, senders_in

UUID_LENGTH = 36
TOPIC = "-topic-"
"""Stands in the name of a transcript between a session and the part of a chat that it is for; the first line names the session alone."""


@dataclass(frozen=True, slots=True)
class Told:
    """A transcript, found.

    Attributes:
        path: What it is read from.
        source: Gives its entries.
        session: Its session's id.
        state: "reset", "cold" or "deleted" where it was put away.
        made_from: The session that its first line names as the one before it.
    """

    path: Path
    source: Source
    session: str
    agent: str
    state: str = ""
    made_from: str | None = None


@dataclass(slots=True)
class Register:
    """What one database notes of its sessions.

    Attributes:
        noted: Its notes, each with whether its session is the one that its key stands for now.
        made_from: Every session, with the one that its first line names.
        senders: Who wrote in those of which that is asked.
    """

    noted: list[tuple[Noted, bool]] = field(default_factory=list)
    made_from: dict[str, str | None] = field(default_factory=dict)
    senders: dict[str, set[Sender]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Database:
    """An agent's database, opened."""

    item: Item
    rows: AgentRows

    def transcripts(self) -> list[Told]:
        """The sessions, then what was put away; without what its owner has deleted."""
        found = [self._told(name, partial(self.rows.entries, name)) for name in self.rows.sessions()]
        return found + [
            self._told(name, partial(self.rows.archived, reason, row), reason)
            for name, reason, row in self.rows.archives()
            if reason != "deleted"
        ]

    @property
    def deleted(self) -> int:
        """How many of what was put away its owner has deleted."""
        return sum(reason == "deleted" for _, reason, _ in self.rows.archives())

    def register(self) -> Register:
        """What is noted in it."""
        register = Register(list(self.rows.noted()))
        notes = {noted.session: noted for noted, _ in register.noted}
        for told in self.transcripts():
            register.made_from.setdefault(told.session, session_named(header_parent(told.source)))
            if is_told_by_envelopes(notes.get(told.session)):
                register.senders.setdefault(told.session, set()).update(senders_in(told.source))
        return register

    def _told(self, name: str, source: Source, state: str = "") -> Told:
        return Told(self.item.path, partial(_guarded, self.item.path, source), name, self.item.agent, state)


@contextmanager
def opened_database(item: Item) -> Iterator[Database]:
    """A copy of an agent's database, gone afterwards; what goes wrong with it inside is named as its damage.

    Raises:
        SourceUnreadable: It is none, or damaged.
    """
    with opened_copy(item.path) as db, naming_damage(item.path):
        rows = AgentRows(db, item.agent)
        if rows.missing:
            advice = "give the path of an agent's openclaw-agent.sqlite"
            raise SourceUnreadable(item.path, f"it has no {rows.missing[0]}", advice)
        index_column(db, "transcript_events", "session_id")
        yield Database(item, rows)


def file_told(item: Item, end: int | None = None) -> Told:
    """The transcript in a file, or in its first `end` bytes."""
    header = read_header(item.path)
    own = header.id if header is not None and header.type == "session" else None
    session = _named(item.stem, own)
    made_from = session_named(header.parent_session if header is not None else None)
    return Told(item.path, partial(_read_file, item.path, end), session, item.agent, item.state, made_from)


def _named(stem: str, own: str | None) -> str:
    """The session of a file; a copy that somebody made has another name, but begins as its original does."""
    if own is None or (is_unique(stem) and not is_unique(own)):
        return stem
    is_topic = stem.startswith(f"{own}{TOPIC}")
    return stem if is_topic else own


def is_unique(session: str) -> bool:
    """Whether a session's id names it wherever it stands, as a UUID does and what begins with one."""
    try:
        UUID(session[:UUID_LENGTH])
    except ValueError:
        return False
    return True


def session_named(path: str | None) -> str | None:
    """The session's id in the path of a transcript, which may begin with a time; the path may be another machine's."""
    if not path:
        return None
    stem = path.replace("\\", "/").rpartition("/")[2].partition(".jsonl")[0]
    end = stem[-UUID_LENGTH:]
    return end if is_unique(end) and not is_unique(stem) else stem


def _guarded(path: Path, source: Source) -> Iterator[RawEntry]:
    with naming_damage(path):
        yield from source()


def _read_file(path: Path, end: int | None) -> Iterator[RawEntry]:
    try:
        with compressed.opened(path) as file:
            lines = lines_in(file) if end is None or path.suffix == ".zst" else lines_in(file, end)
            for line in lines:
                yield RawEntry(line.raw, line.flaw)
    except OSError as error:
        raise SourceUnreadable(path, str(error)) from error
