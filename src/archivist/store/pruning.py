"""Which conversations are old enough to go.

A function over a connection. A conversation is as old as the last thing that happened in any of its sessions, sub-agents' and forks
included; it is chosen whole or not at all.
"""

from array import array
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import Final

import apsw
import msgspec

from archivist.store.scopes import Scopes, is_seen

_IDLE: Final = (
    "SELECT conversation, max(max(last_active_at, started_at)) AS active FROM sessions {} GROUP BY conversation"
    " HAVING active < :before AND NOT max(pinned_at IS NOT NULL) AND (NOT :archived OR max(archived_at IS NOT NULL))"
)
_ALL_IDLE: Final = _IDLE.format("")
_ONE_IDLE: Final = _IDLE.format("WHERE conversation = :only")  # by the index, however many there are


class Choice(msgspec.Struct, frozen=True):
    """What to prune.

    Attributes:
        before: Last active before this instant, in milliseconds since 1970.
        source: Only conversations whose first session was held in this program.
        title: Only those with a session whose title has this text in it, as it stands; capitals do not matter.
        archived_only: Only those that were archived.
    """

    before: int
    source: str | None = None
    title: str | None = None
    archived_only: bool = False


def prunable(
    db: apsw.Connection,
    choice: Choice,
    scopes: Scopes,
    *,
    waiting: Collection[str] = (),
    only: int | None = None,
) -> list[int]:
    """Keys of the conversations that a choice means, the longest idle first.

    Pinned ones are never among them, nor those of which a part lies outside the scopes or waits in the spool.

    Args:
        db: A connection.
        choice: Which are meant.
        scopes: Whose conversations may go.
        waiting: Ids of sessions with something in the spool.
        only: Look at this conversation alone.
    """
    bound = {"before": choice.before, "archived": choice.archived_only, "only": only}
    query = _ALL_IDLE if only is None else _ONE_IDLE
    idle = [key for key, _ in sorted(db.execute(query, bound), key=lambda row: (row[1], row[0]))]
    meant = {
        conversation
        for conversation, sessions in groupby(_sessions_of(db, idle), lambda one: one.conversation)
        if _is_meant(list(sessions), choice, scopes, waiting)
    }
    return [key for key in idle if key in meant]


class _Session(msgspec.Struct, frozen=True):
    conversation: int
    id: str
    source: str
    title: str | None
    scope: int


def _sessions_of(db: apsw.Connection, conversations: Sequence[int]) -> Iterator[_Session]:
    """The sessions of conversations, those of one together, its first before the others."""
    if not conversations:
        return iter(())
    rows = db.execute(
        "SELECT conversation, id, source, title, scope FROM sessions"
        " WHERE conversation IN (SELECT value FROM carray(?)) ORDER BY conversation, key",
        (apsw.carray(array("q", conversations)),),
    )
    return (_Session(*row) for row in rows)


def _is_meant(sessions: Sequence[_Session], choice: Choice, scopes: Scopes, waiting: Collection[str]) -> bool:
    if choice.source is not None and sessions[0].source != choice.source:
        return False
    if choice.title is not None and not _is_titled([one.title for one in sessions], choice.title):
        return False
    return all(is_seen(one.scope, scopes) and one.id not in waiting for one in sessions)


def _is_titled(titles: list[str | None], wanted: str) -> bool:
    wanted = wanted.casefold()
    return any(wanted in title.casefold() for title in titles if title)
