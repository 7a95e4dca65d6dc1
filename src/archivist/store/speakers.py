"""Who said some messages. Functions over a connection."""

from collections.abc import Collection
from typing import Any

from archivist.store.connection import Connection


def speakers_of(db: Connection, message_ids: Collection[int]) -> dict[int, str | None]:
    """Who said each of some messages: the session's user, in a group the one whom its host names; None for what no person said.

    Messages that are not here are not in it.
    """
    query = (
        "SELECT m.role, sc.user, m.speaker FROM messages AS m JOIN sessions AS s ON s.key = m.session"
        " JOIN scopes AS sc ON sc.key = s.scope WHERE m.id = ?"
    )
    found: dict[int, str | None] = {}
    for key in message_ids:
        row: Any = db.execute(query, (key,)).fetchone()
        if row is not None:
            role, user, speaker = row
            found[key] = (user or speaker or None) if role == "user" else None
    return found
