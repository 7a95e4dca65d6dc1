"""The sessions around one: those that make up its line, and those that began in it."""

from array import array
from collections.abc import Sequence
from typing import Any

import apsw

from archivist.records import Relative
from archivist.store.connection import Connection
from archivist.store.lines import lineage_of, path_of
from archivist.store.rows import instant
from archivist.store.scopes import Scopes, is_seen
from archivist.store.titles import read_titles


def read_line(db: Connection, session: int, scopes: Scopes) -> list[Relative]:
    """The sessions that a session's conversation is read from, in order."""
    keys = [one for stretch in path_of(db, session) for one in stretch.sessions]
    return _relatives(db, keys, scopes)


def read_children(db: Connection, session: int, scopes: Scopes) -> list[Relative]:
    """Sessions that began in a session's line and are not of it: forks, branches, sub-agents, what was taken back."""
    line = lineage_of(db, session)
    rows = db.execute(
        "SELECT key FROM sessions WHERE parent IN (SELECT value FROM carray(?1))"
        " AND key NOT IN (SELECT value FROM carray(?2)) ORDER BY key",
        (apsw.carray(array("q", line)), apsw.carray(array("q", line))),
    )
    return _relatives(db, [key for (key,) in rows], scopes)


def _relatives(db: Connection, keys: Sequence[int], scopes: Scopes) -> list[Relative]:
    if not keys:
        return []
    rows: list[Any] = db.execute(
        "SELECT s.key, s.scope, s.id, s.link, s.started_at, s.undo IS NOT NULL, (SELECT count(*) FROM messages AS m"
        " WHERE m.conversation = s.conversation AND m.session = s.key) FROM carray(?) AS wanted"
        " JOIN sessions AS s ON s.key = wanted.value",
        (apsw.carray(array("q", keys)),),
    ).fetchall()
    titles = read_titles(db, [row[0] for row in rows if is_seen(row[1], scopes)], scopes, derived=False)
    found = {
        key: Relative(
            name, link, titles[key].title if key in titles else None, instant(begun), count, bool(undone)
        )
        for key, scope, name, link, begun, undone, count in rows
        if is_seen(scope, scopes)
    }
    return [found[key] for key in keys if key in found]
