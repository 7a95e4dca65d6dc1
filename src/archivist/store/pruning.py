"""Which conversations are old enough to go.

A function over a connection. A conversation is as old as the last thing that happened in any of its sessions, sub-agents' and forks
included; it is chosen whole or not at all.
"""

from collections.abc import Collection
from typing import Any, Final

import apsw
import msgspec

from archivist.store.scopes import Scopes, is_seen

_LISTED: Final = (
    "SELECT conversation, max(max(last_active_at, started_at)) AS active FROM sessions"
    " WHERE :only IS NULL OR conversation = :only GROUP BY conversation"
    " HAVING active < :before AND NOT max(pinned_at IS NOT NULL) AND (NOT :archived OR max(archived_at IS NOT NULL))"
)


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
    found = [key for key, _ in sorted(db.execute(_LISTED, bound), key=lambda row: (row[1], row[0]))]
    return [key for key in found if _is_meant(db, key, choice, scopes, waiting)]


def _is_meant(
    db: apsw.Connection, conversation: int, choice: Choice, scopes: Scopes, waiting: Collection[str]
) -> bool:
    rows: list[Any] = db.execute(
        "SELECT id, source, title, scope FROM sessions WHERE conversation = ? ORDER BY key", (conversation,)
    ).fetchall()
    if choice.source is not None and rows[0][1] != choice.source:
        return False
    if choice.title is not None and not _is_titled([row[2] for row in rows], choice.title):
        return False
    return all(is_seen(row[3], scopes) and row[0] not in waiting for row in rows)


def _is_titled(titles: list[str | None], wanted: str) -> bool:
    wanted = wanted.casefold()
    return any(wanted in title.casefold() for title in titles if title)
