"""The owner's review, put together: what waits in the store, and what the notes do with it."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

from archivist.app.accepting import DailyWrites, Writes, undo_change
from archivist.app.alone import REVIEW_LOCK
from archivist.app.days import Days
from archivist.config import Home
from archivist.curate.appliers import Applied, Applier, Line, Standing
from archivist.curate.review import Review
from archivist.files import FileNotWritten, locked
from archivist.guard import mask
from archivist.notes.notes import Notes
from archivist.notes.places import is_visible
from archivist.notes.planning import checked_text
from archivist.notes.telling import UnknownEntry
from archivist.records import Everything, Notice, Reader
from archivist.records.notes import HOME_SCOPE, Entry
from archivist.records.proposals import Proposal, ProposalState, ProposedOperation, Waiting
from archivist.store import StateStore, Surroundings
from archivist.store.connection import Connection
from archivist.store.proposals import decide, looked, proposal, proposals, saw, seen_whole, waiting
from archivist.store.scopes import Scopes, scopes_where

PATIENCE_SECONDS: Final = 30.0


def open_review(
    home: Home,
    store: StateStore,
    notes: Notes,
    days: Days,
    world: Surroundings,
    reader: Reader,
    clear: Callable[[], tuple[Notice, ...]] = tuple,
) -> Review:
    """What a reader may decide on.

    Args:
        home: Where it is.
        store: What waits.
        notes: What would be changed.
        days: The same.
        world: The time.
        reader: Who decides.
        clear: Clears what was erased from every file, or says what of it could not be yet.
    """
    appliers: dict[str, Applier] = {
        "contradiction": _Contradictions(notes, reader),
        "write": Writes(notes, reader),
        "write daily": DailyWrites(days),
    }
    return Review(_Stored(store, world, reader, clear), appliers, turn=lambda: _turn(home.path / REVIEW_LOCK))


@contextmanager
def _turn(path: Path) -> Iterator[None]:
    """Hold the lock of whoever decides.

    Raises:
        FileLocked, FileNotWritten: Somebody else decides, or nothing can be written here.
    """
    try:
        with locked(path, seconds=PATIENCE_SECONDS):
            yield
    except OSError as error:
        raise FileNotWritten(path, error) from error


class _Stored:
    """Proposals in `state.db`."""

    def __init__(
        self,
        store: StateStore,
        world: Surroundings,
        reader: Reader,
        clear: Callable[[], tuple[Notice, ...]],
    ) -> None:
        self._store, self._world, self._reader, self._clear = store, world, reader, clear

    def all(self, state: ProposalState | None) -> list[Proposal]:
        found = self._store.read(
            lambda db: proposals(db, _seen_by(db, self._reader), now=self._now(), state=state)
        )
        return [one for one in found if _is_for(one, self._reader)]

    def get(self, name: str) -> Proposal | None:
        found = self._store.read(lambda db: proposal(db, name, _seen_by(db, self._reader), now=self._now()))
        return found if found is not None and _is_for(found, self._reader) else None

    def waiting(self) -> Waiting:
        if not is_visible(HOME_SCOPE, self._reader):
            return Waiting()
        now = self._now()
        return self._store.read(lambda db: waiting(db, now, _seen_by(db, self._reader)))

    def looked(self) -> None:
        if is_visible(HOME_SCOPE, self._reader):
            self._store.write(lambda db: looked(db, self._now()))

    def seen(self) -> frozenset[str]:
        return self._store.read(seen_whole)

    def saw(self, names: Collection[str]) -> None:
        self._store.write(lambda db: saw(db, names))

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

    def erase(self, names: Sequence[str]) -> None:
        from archivist.store.deletions import erase_proposals  # noqa: PLC0415 - most reviews erase nothing

        erase_proposals(self._store, names, now=self._now())

    def clear(self) -> tuple[Notice, ...]:
        return self._clear()

    def _now(self) -> datetime:
        return self._world.now()


def _seen_by(db: Connection, reader: Reader) -> Scopes:
    """The scopes of which a reader may see the notes, and so what is proposed of them."""
    if isinstance(reader, Everything):
        return None
    return scopes_where(db, lambda scope: is_visible(scope, reader))


def _is_for(one: Proposal, reader: Reader) -> bool:
    """What waits to be written is decided on by the owner alone, whose notes so ever it is about."""
    return one.kind != "write" or is_visible(HOME_SCOPE, reader)


class _Contradictions:
    """Two entries that cannot both hold: one is closed in favour of the other."""

    def __init__(self, notes: Notes, reader: Reader) -> None:
        self._notes, self._reader = notes, reader

    def standing(self, proposal: Proposal) -> Standing:
        closing = _closing(proposal)
        there = {seen.id: self._entry(seen.id) for seen in proposal.evidence.entries}
        former = there.get(closing.entry)
        if former is None or former.status != "active":
            is_edited = (
                len(proposal.operations) > 1
            )  # then there is something left to be done, on what is not there
            return "changed" if is_edited else "settled"
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
            text, target = mask(seen.text).text, proposal.target
            found.append(Line("-" if goes else " ", seen.id, text, seen.observed_at, target))
            if content:
                found.append(Line("+", seen.id, mask(content).text, target=target))
        return tuple(found)

    def edited(self, proposal: Proposal, text: str) -> tuple[ProposedOperation, ...]:
        closing = _closing(proposal)
        return (closing, ProposedOperation("replace", closing.by or "", content=checked_text(text)))

    def unedited(self, proposal: Proposal) -> tuple[ProposedOperation, ...]:
        return (_closing(proposal),)

    def done_by(self, proposal: Proposal) -> str | None:
        return self._notes.accepted_by(proposal.id)

    def apply(self, proposal: Proposal) -> Applied:
        closing = _closing(proposal)
        by = closing.by or ""
        change = self._notes.supersede(
            closing.entry,
            by,
            words={seen.id: seen.text for seen in proposal.evidence.entries},
            content=_content(proposal, by),
            scope=self._reader,
            accepts=proposal.id,
        )
        return Applied(change.id, change.notices)

    def undo(self, _: Proposal, change: str) -> tuple[Notice, ...]:
        return undo_change(self._notes, change, self._reader)

    def _entry(self, key: str) -> Entry | None:
        try:
            return self._notes.entry(key, scope=self._reader)
        except UnknownEntry:
            return None


def _closing(proposal: Proposal) -> ProposedOperation:
    """What would be closed; nothing where a damaged row does not say it."""
    return next((one for one in proposal.operations if one.action == "close"), ProposedOperation("close"))


def _content(proposal: Proposal, entry: str) -> str | None:
    return next(
        (one.content for one in proposal.operations if one.action == "replace" and one.entry == entry), None
    )


__all__ = ["open_review"]
