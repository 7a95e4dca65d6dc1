"""What conversations used of the notes: looked through after they have ended, and what that brings back from the archive."""

from collections.abc import Iterable
from typing import Final

from archivist.notes.notes import Notes
from archivist.notes.using import Said, uses_in
from archivist.records.notes import Entry, Use
from archivist.store import StateStore, Surroundings
from archivist.store.connection import Connection
from archivist.store.uses import (
    Ended,
    add_uses,
    ended_since,
    keep_mark,
    looked_through,
    newest_ended,
    said_in,
)

MOST_SESSIONS: Final = 50
"""Looked through at once: a session that begins waits for it."""


def take_in_uses(store: StateStore, notes: Notes, world: Surroundings) -> tuple[Entry, ...]:
    """Look through the sessions that have ended since the last time, for uses of the entries that their prompts carried.

    The first time nothing is looked through: what was said before there were notes used none.

    Returns:
        The entries that came back from the archive.
    """
    mark = store.read(looked_through)
    if mark is None:
        newest = store.read(newest_ended)
        store.write(lambda db: keep_mark(db, newest))
        return ()
    ended = store.read(lambda db: ended_since(db, None, mark, most=MOST_SESSIONS))
    if not ended:
        return ()
    uses = [use for session in ended for use in _uses_of(store, notes, session, world)]
    return record_uses(store, notes, uses, until=ended[-1])


def record_uses(
    store: StateStore, notes: Notes, uses: Iterable[Use], *, until: Ended | None = None
) -> tuple[Entry, ...]:
    """Remember that entries were used; what is back in the core for it.

    Args:
        uses: Of entries.
        until: The session up to which all were looked through.
    """
    uses = list(uses)

    def keep(db: Connection) -> None:
        add_uses(db, uses)
        if until is not None:
            keep_mark(db, until.mark)

    store.write(keep)
    return notes.bring_back({use.entry_id for use in uses if use.kind != "present"})


def _uses_of(store: StateStore, notes: Notes, session: Ended, world: Surroundings) -> list[Use]:
    entries = notes.entries(scope=session.scope)
    if not entries:
        return []
    now = world.now()
    return uses_in(
        entries, store.read(lambda db: [Said.of(message, now) for message in said_in(db, session)])
    )
