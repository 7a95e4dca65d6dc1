"""Conversations in a list: the last active first, and of each what stands for it.

Functions over a reading connection; what may not be seen neither dates a conversation nor is counted.
"""

from datetime import datetime
from typing import Any

import msgspec

from archivist.records import Message, Session
from archivist.records.hits import Shelf
from archivist.store.connection import Connection
from archivist.store.conversations import opening_messages, read_messages, read_records
from archivist.store.lines import count_shown
from archivist.store.relatives import main_lines
from archivist.store.rows import instant
from archivist.store.scopes import Scopes, within


class Recent(msgspec.Struct, frozen=True):
    """A conversation in a list, made of what may be seen of it alone.

    Attributes:
        session: Its newest session along its compactions; of a sub-agent only where there is no other.
        opening: The first that was said; None where nothing was.
        forks: How many forks it has.
        active: When the last thing happened in any session of it.
        shown: How many messages reading the session shows.
    """

    session: Session
    opening: Message | None
    forks: int
    active: datetime
    shown: int


class Counted(msgspec.Struct, frozen=True):
    """How many conversations a list has in all, and how many of its source were put away, listed or not."""

    total: int
    archived: int


def recent_conversations(
    db: Connection, *, scopes: Scopes, source: str | None, limit: int, offset: int, shelf: Shelf = "all"
) -> tuple[list[Recent], Counted]:
    """Conversations of which anything may be seen, the last active first, and how many there are.

    Args:
        db: A reading connection.
        scopes: Whose sessions are counted, dated and shown.
        source: Only those whose first session was held in this program.
        limit: How many at most.
        offset: How many to pass over.
        shelf: Only those that were not put away, or only those that were.
    """
    seen, keys = within(scopes)
    on_shelf = {"listed": "s.archived_at IS NULL", "archived": "s.archived_at IS NOT NULL", "all": "1"}[shelf]
    listed = (
        "FROM (SELECT s.conversation, max(s.last_active_at) AS active, min(s.key) AS first,"
        f" sum(s.link IS 'fork' AND s.undo IS NULL) AS forks FROM sessions AS s WHERE {seen} GROUP BY s.conversation) AS c"
        " JOIN sessions AS s ON s.key = c.first WHERE ? IN ('', s.source)"
    )
    values = (*keys, source or "")
    counts: Any = db.execute(
        f"SELECT count(*) FILTER (WHERE {on_shelf}), count(s.archived_at) {listed}", values
    ).fetchone()
    rows: list[Any] = db.execute(
        f"SELECT c.conversation, c.forks, c.active {listed} AND {on_shelf}"
        " ORDER BY c.active DESC, c.conversation DESC LIMIT ? OFFSET ?",
        (*values, limit, offset),
    ).fetchall()
    facts: dict[int, tuple[int, int]] = {
        conversation: (forks, active) for conversation, forks, active in rows
    }
    return _recent(db, facts, scopes), Counted(*counts)


def _recent(db: Connection, facts: dict[int, tuple[int, int]], scopes: Scopes) -> list[Recent]:
    """Conversations as they are listed, given how often each was forked and when it was active."""
    members = main_lines(db, list(facts), scopes)
    sessions = {each[-1]: each[0] for each in members.values()}
    openings = opening_messages(db, sessions.values(), scopes)
    said = {message.id: message for message in read_messages(db, list(openings.values()), scopes)}
    shown = count_shown(db, sessions, scopes)
    records = read_records(db, sessions, scopes)
    return [
        Recent(
            records[each[-1]],
            said.get(openings.get(each[0])),
            forks,
            instant(active),
            shown[each[-1]],
        )
        for conversation, each in members.items()
        for forks, active in (facts[conversation],)
        if each[-1] in records
    ]
