"""Whose words a file repeats when no other file says them any more: a program clears its old transcripts away, and forks of them stay."""

from collections.abc import Mapping, Sequence
from typing import Final

import apsw

from archivist.records import SessionStart
from archivist.store.raw_prints import Prints, recognise
from archivist.store.receiving import find_known
from archivist.store.rows import clean_id, milliseconds
from archivist.store.state import StateStore

_FIRST: Final = 5
"""Messages at the beginning of a file of which one is looked for."""


def find_home(
    store: StateStore, start: SessionStart, told: Sequence[str], prints: Mapping[str, Prints]
) -> str | None:
    """The session that a file repeats, by the source's id; None where none is found, or where the file's own is here already.

    Args:
        store: The store.
        start: How the file's session begins.
        told: Client ids of its messages, in order.
        prints: How they look; see `store.raw_prints`.
    """

    def ask(db: apsw.Connection) -> str | None:
        is_here = origin_of(db, start) is not None
        return None if is_here else home_of(db, start, told, prints)

    return store.read(ask)


def is_away(store: StateStore, source: str, external_id: str) -> bool:
    """Whether a session was deleted here and stays away."""
    return store.erased.names().has(SessionStart(source, external_id=clean_id(external_id)))


def is_known(store: StateStore, source: str, external_id: str) -> bool:
    """Whether a session is here, or was deleted here: what it said first stays its own."""
    start = SessionStart(source, external_id=clean_id(external_id))
    is_here = store.read(lambda db: find_known(db, start)) is not None
    return is_here or is_away(store, source, external_id)


def origin_of(db: apsw.Connection, start: SessionStart) -> str | None:
    """The session that one is a fork of, by the source's id: empty where it is none, None where it is not here."""
    query = (
        "SELECT coalesce(parent.external_id, '') FROM sessions AS s LEFT JOIN sessions AS parent ON parent.key = s.parent"
        " AND s.link = 'fork' WHERE s.source = ? AND s.external_id = ?"
    )
    found: str | None = db.execute(query, (start.source, clean_id(start.external_id or ""))).get
    return found


def home_of(
    db: apsw.Connection, start: SessionStart, told: Sequence[str], prints: Mapping[str, Prints]
) -> str | None:
    """The session of the last of these messages that is here, looked for in conversations that were held when the first was said.

    A copied line keeps its time and its id, so a file that repeats another begins when that one did, or later where the other's first
    lines are gone. How messages look is compared too, for other programs number the lines of every file alike.
    """
    for conversation in _held_at_the_beginning(db, start, told):
        known = recognise(db, conversation, told, prints).known
        last = next((known[name] for name in reversed(told) if name in known and known[name].print), None)
        if last is not None:
            found: str | None = db.execute(
                "SELECT external_id FROM sessions WHERE key = ?", (last.session,)
            ).get
            return found
    return None


def _held_at_the_beginning(db: apsw.Connection, start: SessionStart, told: Sequence[str]) -> list[int]:
    """The conversations that have one of the first messages under its id, the one that began then before others."""
    if start.started_at is None:
        return []
    marks = ", ".join("?" * len(told[:_FIRST]))
    begun = milliseconds(start.started_at)
    rows = db.execute(
        "SELECT s.conversation FROM sessions AS s WHERE s.source = ? AND s.started_at <= ? AND s.last_active_at >= ?"
        f" AND EXISTS (SELECT 1 FROM messages AS m WHERE m.conversation = s.conversation AND m.client_id IN ({marks}))"
        " GROUP BY s.conversation ORDER BY max(s.started_at) DESC, s.conversation",
        (start.source, begun, begun, *map(clean_id, told[:_FIRST])),
    )
    return [conversation for (conversation,) in rows]
