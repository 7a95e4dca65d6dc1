"""The sessions of one agent's database."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

from archivist.transfer.databases import naming_damage
from archivist.transfer.foreign import ForeignSession
from archivist.transfer.openclaw.database import AgentRows
from archivist.transfer.openclaw.entries import RawEntry
from archivist.transfer.openclaw.envelopes import Opened
from archivist.transfer.openclaw.ledger import Noted
from archivist.transfer.openclaw.lineage import parent_of, parents_first
from archivist.transfer.openclaw.people import rest_of
from archivist.transfer.openclaw.places import Item
from archivist.transfer.openclaw.sessions import (
    Known,
    Told,
    deleted_session,
    empty_session,
    transcript_session,
)
from archivist.transfer.openclaw.sources import peeked_envelopes, session_named
from archivist.transfer.openclaw.transcripts import Source, read_transcript


@dataclass(slots=True)
class Register:
    """What one database notes of its sessions, and what the first entries of those without a key say."""

    noted: list[tuple[Noted, bool]] = field(default_factory=list)
    keyless: list[list[Opened]] = field(default_factory=list)


def register_of(rows: AgentRows) -> Register:
    """What a database notes."""
    register = Register(list(rows.noted()))
    known = {noted.session for noted, _ in register.noted if rest_of(noted.key)[0] != "recovered"}
    for session in rows.sessions():
        if session not in known:
            register.keyless.append(peeked_envelopes(partial(rows.entries, session)))
    return register


@dataclass(frozen=True, slots=True)
class AgentSessions:
    """The sessions of one agent's database, while it is open."""

    item: Item
    rows: AgentRows
    known: Known
    with_deleted: bool

    def sessions(self, names: Sequence[str]) -> Iterator[ForeignSession]:
        """Parents first, then what was put away inside the database."""
        links = {}
        for name in names:
            header = self._header_parent(name)
            links[name] = parent_of(name, header, self.known.ledger, self.item.agent)
        parents = {name: parent.session if parent else None for name, (parent, _) in links.items()}
        is_empty = True
        for name in parents_first(parents):
            parent, link = links[name]
            repeats = parent is not None and link != "subagent"
            with naming_damage(self.item.path):
                inherited = read_transcript(self._source(parent.session)).prints if parent and repeats else {}
                told = Told(
                    self.item.path, self._source(name), name, self.item.agent, "", parent, link, inherited
                )
                session = transcript_session(told, self.known)
            if session.read:
                is_empty = False
                yield session
        for name, reason, row in self.rows.archives():
            is_empty = False
            yield self._archive(name, reason, row)
        if is_empty:
            yield empty_session(self.item.name)

    def _archive(self, name: str, reason: str, row: int) -> ForeignSession:
        source = partial(self._guarded, partial(self.rows.archived, reason, row))
        told = Told(self.item.path, source, name, self.item.agent, reason)
        if reason == "deleted" and not self.with_deleted:
            return deleted_session(told, self.known.external_id(name, self.item.agent))
        return transcript_session(told, self.known)

    def _source(self, name: str) -> Source:
        return partial(self._guarded, partial(self.rows.entries, name))

    def _guarded(self, source: Source) -> Iterator[RawEntry]:
        with naming_damage(self.item.path):
            yield from source()

    def _header_parent(self, name: str) -> str | None:
        return session_named(read_transcript(lambda: islice(self._source(name)(), 1)).parent)
