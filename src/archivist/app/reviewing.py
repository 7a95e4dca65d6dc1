"""The owner's review, put together: what waits in the store, and what the notes do with it."""

from datetime import datetime

from archivist.curate.review import Line, Review, Standing
from archivist.notes.notes import Notes
from archivist.notes.places import is_visible
from archivist.notes.telling import UnknownEntry
from archivist.records import Everything, Reader
from archivist.records.notes import Entry
from archivist.records.proposals import Proposal, ProposalState, ProposedOperation
from archivist.store import StateStore, Surroundings
from archivist.store.connection import Connection
from archivist.store.proposals import decide, proposal, proposals
from archivist.store.scopes import Scopes, scopes_where


def open_review(store: StateStore, notes: Notes, world: Surroundings, reader: Reader) -> Review:
    """What a reader may decide on."""
    return Review(_Stored(store, world, reader), {"contradiction": _Contradictions(notes, reader)})


class _Stored:
    """Proposals in `state.db`."""

    def __init__(self, store: StateStore, world: Surroundings, reader: Reader) -> None:
        self._store, self._world, self._reader = store, world, reader

    def all(self, state: ProposalState | None) -> list[Proposal]:
        return self._store.read(
            lambda db: proposals(db, _seen_by(db, self._reader), now=self._now(), state=state)
        )

    def get(self, name: str) -> Proposal | None:
        return self._store.read(lambda db: proposal(db, name, _seen_by(db, self._reader), now=self._now()))

    def decide(
        self,
        before: Proposal,
        state: ProposalState,
        change: str | None,
        operations: tuple[ProposedOperation, ...] | None,
    ) -> bool:
        return self._store.write(
            lambda db: decide(db, before, state, now=self._now(), change=change, operations=operations)
        )

    def _now(self) -> datetime:
        return self._world.now()


def _seen_by(db: Connection, reader: Reader) -> Scopes:
    """The scopes of which a reader may see the notes, and so what is proposed of them."""
    if isinstance(reader, Everything):
        return None
    return scopes_where(db, lambda scope: is_visible(scope, reader))


class _Contradictions:
    """Two entries that cannot both hold: one is closed in favour of the other."""

    def __init__(self, notes: Notes, reader: Reader) -> None:
        self._notes, self._reader = notes, reader

    def standing(self, proposal: Proposal) -> Standing:
        closing = _closing(proposal)
        there = {seen.id: self._entry(seen.id) for seen in proposal.evidence.entries}
        former = there.get(closing.entry)
        if former is None or former.status != "active":
            return "settled"
        words = {seen.id: seen.text for seen in proposal.evidence.entries}
        is_same = all(
            one is not None and one.status == "active" and one.text == words[key]
            for key, one in there.items()
        )
        return "as-shown" if is_same else "changed"

    def lines(self, proposal: Proposal) -> tuple[Line, ...]:
        closing = _closing(proposal)
        found = []
        for seen in proposal.evidence.entries:
            content = _content(proposal, seen.id)
            goes = seen.id == closing.entry or content is not None
            found.append(Line("-" if goes else " ", seen.id, seen.text, seen.observed_at))
            if content:
                found.append(Line("+", seen.id, content))
        return tuple(found)

    def edited(self, proposal: Proposal, text: str) -> tuple[ProposedOperation, ...]:
        closing = _closing(proposal)
        return (closing, ProposedOperation("replace", closing.by or "", content=text))

    def unedited(self, proposal: Proposal) -> tuple[ProposedOperation, ...]:
        return (_closing(proposal),)

    def apply(self, proposal: Proposal) -> str:
        closing = _closing(proposal)
        by = closing.by or ""
        words = {seen.id: seen.text for seen in proposal.evidence.entries}
        content = _content(proposal, by)
        return self._notes.supersede(closing.entry, by, words=words, content=content, scope=self._reader).id

    def undo(self, change: str) -> None:
        self._notes.undo(change, scope=self._reader)

    def _entry(self, key: str) -> Entry | None:
        try:
            return self._notes.entry(key, scope=self._reader)
        except UnknownEntry:
            return None


def _closing(proposal: Proposal) -> ProposedOperation:
    return next(one for one in proposal.operations if one.action == "close")


def _content(proposal: Proposal, entry: str) -> str | None:
    return next(
        (one.content for one in proposal.operations if one.action == "replace" and one.entry == entry), None
    )


__all__ = ["open_review"]
