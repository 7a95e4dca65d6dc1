"""Messages by when they were said: what a question lists that names a time and no words.

Like everything that reads for somebody, it takes the scopes that the reader may see and gives nothing outside them.
"""

from collections.abc import Collection

from archivist.store.connection import Connection
from archivist.store.conversations import SHOWN
from archivist.store.lines import IS_SUMMARY
from archivist.store.scopes import Scopes, within


def list_messages(
    db: Connection,
    *,
    scopes: Scopes,
    conversation: int | None,
    roles: Collection[str],
    sources: Collection[str],
    since: int | None,
    until: int | None,
    hidden: bool,
    limit: int,
    offset: int = 0,
) -> list[int]:
    """Ids of messages, the last said first.

    Empty collections ask for nothing; `since` (inclusive) and `until` (exclusive) are milliseconds, None for open;
    `hidden` also gives what stands on paths that were left, never what was undone; `offset` are passed over.
    """
    seen, keys = within(scopes)
    bounds = {
        "m.conversation = ?": conversation,
        "m.created_at >= ?": since,
        "m.created_at < ?": until,
    }
    given = {condition: value for condition, value in bounds.items() if value is not None}
    conditions = [
        "m.text <> ''",
        seen,
        "m.state <> 'undone'" if hidden else SHOWN,
        f"NOT coalesce({IS_SUMMARY}, 0)",
        *(_one_of(column, wanted) for column, wanted in (("m.role", roles), ("s.source", sources)) if wanted),
        *given,
    ]
    rows = db.execute(
        "SELECT m.id FROM messages AS m JOIN sessions AS s ON s.key = m.session"
        f" WHERE {' AND '.join(conditions)} ORDER BY m.created_at DESC, m.id DESC LIMIT ? OFFSET ?",
        (*keys, *sorted(roles), *sorted(sources), *given.values(), limit, offset),
    )
    return [key for (key,) in rows]


def _one_of(column: str, wanted: Collection[str]) -> str:
    return f"{column} IN ({', '.join('?' * len(wanted))})"
