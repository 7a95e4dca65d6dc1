"""What conversations used of the notes: looked through after they have ended, and what that brings back from the archive."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from archivist.records import EVERYTHING, Scope
from archivist.records.notes import Entry, Use
from archivist.store import StateStore, Surroundings
from archivist.store.connection import Connection
from archivist.store.uses import (
    Ended,
    Mark,
    add_uses,
    as_if_ended,
    ended_since,
    keep_mark,
    looked_through,
    newest_ended,
    said_in,
)

if TYPE_CHECKING:
    from archivist.notes.showing import NotesShow
    from archivist.notes.using import Watched

BringBack = Callable[[Collection[str]], tuple[Entry, ...]]
"""Brings entries back from the archive."""

MOST_SESSIONS: Final = 50
"""Counted at once."""


def take_in_uses(
    store: StateStore,
    notes: "NotesShow",
    world: Surroundings,
    bring_back: BringBack,
    *,
    seconds: float | None = None,
) -> tuple[Entry, ...]:
    """Look through the sessions that have ended since the last time, for uses of the entries that their prompts carried.

    The first time nothing is looked through: what was said before there were notes used none.

    Args:
        world: The time.
        bring_back: For those that were used while they were in the archive.
        seconds: At most, but for one session at least, so that it goes on at every beginning; until all were looked through where
            unset. What is left waits for the next time.

    Returns:
        The entries that came back from the archive.
    """
    looking, back = _Looking(store, notes, world, seconds), list[Entry]()
    mark = store.read(looked_through)
    if mark is None:
        newest = store.read(newest_ended)
        store.write(lambda db: keep_mark(db, newest))
        return ()
    while ended := store.read(partial(_ended_behind, mark)):
        done, uses = looking.through(ended)
        came = record_uses(store, notes, uses, bring_back, until=done)
        back, mark = [*back, *came], done.mark
        if looking.is_late():
            break
        if came:
            looking.forget()
    return tuple(back)


def take_in_uses_of(
    store: StateStore, notes: "NotesShow", world: Surroundings, bring_back: BringBack, session_id: str
) -> tuple[Entry, ...]:
    """Look through a session that goes on, such as before a compaction of it; when it has ended nothing is counted twice.

    Returns:
        The entries that came back from the archive.
    """
    now = world.now()
    session = store.read(lambda db: as_if_ended(db, session_id, now))
    _, uses = _Looking(store, notes, world, None).through([session])
    return record_uses(store, notes, uses, bring_back)


def is_behind(store: StateStore) -> bool:
    """Whether a session has ended that nobody looked through yet."""
    mark = store.read(looked_through)
    return mark is None or bool(store.read(partial(_ended_behind, mark)))


def record_uses(
    store: StateStore,
    notes: "NotesShow",
    uses: Iterable[Use],
    bring_back: BringBack,
    *,
    until: Ended | None = None,
) -> tuple[Entry, ...]:
    """Remember that entries were used; what is back in the core for it.

    Args:
        uses: Of entries.
        bring_back: For those that were used while they were in the archive.
        until: The session up to which all were looked through.
    """
    uses = list(uses)

    def keep(db: Connection) -> None:
        add_uses(db, uses)
        if until is not None:
            keep_mark(db, until.mark)

    if uses or until is not None:
        store.write(keep)
    used = {use.entry_id for use in uses if use.kind != "present"}
    archived = used and used & {entry.id for entry in notes.entries(tier="archive", scope=EVERYTHING)}
    return bring_back(archived) if archived else ()  # which waits for who is writing


class _Looking:
    """Looks through sessions for a while; the notes of a scope are read once."""

    def __init__(
        self, store: StateStore, notes: "NotesShow", world: Surroundings, seconds: float | None
    ) -> None:
        self._store, self._notes, self._now = store, notes, world.now()
        self._monotonic = world.monotonic
        self._watched: dict[Scope, Watched | None] = {}
        self._until = None if seconds is None else world.monotonic() + seconds

    def is_late(self) -> bool:
        """Whether the time is over."""
        return self._until is not None and self._monotonic() >= self._until

    def forget(self) -> None:
        """Read the notes again."""
        self._watched.clear()

    def through(self, ended: Sequence[Ended]) -> tuple[Ended, list[Use]]:
        """The last session for which there was time, and what was used in all up to it."""
        uses, done = list[Use](), ended[0]
        for session in ended:
            uses += self._uses_of(session)
            done = session
            if self.is_late():
                break
        return done, uses

    def _uses_of(self, session: Ended) -> list[Use]:
        from archivist.notes.using import Said, Watched  # noqa: PLC0415 - no session has ended since, most times

        if session.scope not in self._watched:
            entries = self._notes.entries(scope=session.scope)
            self._watched[session.scope] = Watched(entries) if entries else None
        watched = self._watched[session.scope]
        if watched is None:
            return []
        said = self._store.read(lambda db: [Said.of(one, self._now) for one in said_in(db, session)])
        return watched.uses_in(said)


def _ended_behind(mark: Mark, db: Connection) -> list[Ended]:
    return ended_since(db, None, mark, most=MOST_SESSIONS)
