"""What one state of a database has that another has not."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from archivist.store.connection import Connection
from archivist.store.erased import Names
from archivist.store.identity import opened_copy
from archivist.store.schema import MIGRATIONS


class Difference(msgspec.Struct, frozen=True):
    """What one state has that another has not.

    Attributes:
        conversations: How many whole conversations.
        messages: How many messages, those of whole conversations included.
        examples: Ids and titles of some conversations with such messages, most recently active first.
    """

    conversations: int
    messages: int
    examples: tuple[tuple[str, str | None], ...] = ()


def difference(path: Path, other: Path, *, away: Names | None = None, most_examples: int = 10) -> Difference:
    """What the database at `path` has that the one at `other` has not.

    Messages are the same when the id of their conversation and their client id are.

    Args:
        path: A database.
        other: Another one.
        away: Sessions that were deleted and do not count, wherever they are.
        most_examples: How many conversations are named.

    Raises:
        StoreNotOpened, StoreDamaged, NotOurs, DiskFailed: One of them cannot be read.
    """
    with _beside(path, other) as db:
        db.execute("CREATE TEMP TABLE away(key INTEGER PRIMARY KEY)")
        db.executemany("INSERT INTO temp.away VALUES(?)", list(_keys_of(db, away or Names(""))))
        db.execute(ONLY_HERE)
        messages = db.execute("SELECT coalesce(sum(messages), 0) FROM temp.only_here").get
        examples = db.execute(EXAMPLES, (most_examples,)).fetchall()
        whole = db.execute(WHOLE_CONVERSATIONS).get
    named = tuple((str(name), None if title is None else str(title)) for name, title in examples)
    return Difference(int(whole), int(messages), named)


def changed_conversations(path: Path, other: Path) -> int:
    """How many conversations both databases have with another title, pin, archive or undo; 0 where their schemas differ.

    Raises:
        StoreNotOpened, StoreDamaged, NotOurs, DiskFailed: One of them cannot be read.
    """
    with _beside(path, other) as db:
        here, there = (db.pragma("user_version", schema=schema) for schema in ("main", "other"))
        return int(db.execute(CHANGED).get) if here == there == len(MIGRATIONS) else 0


@contextmanager
def _beside(path: Path, other: Path) -> Iterator[Connection]:
    with opened_copy(other), opened_copy(path) as db:
        db.execute("PRAGMA query_only = OFF; PRAGMA temp_store = MEMORY").fetchall()
        db.execute("ATTACH ? AS other", (str(other),))  # read-only as the connection is
        yield db


def _keys_of(db: Connection, away: Names) -> Iterator[tuple[int]]:
    for key, name, source, external in db.execute("SELECT key, id, source, external_id FROM main.sessions"):
        if name in away.sessions or (source, external) in away.external:
            yield (key,)


CHANGED: Final = """
    SELECT count(DISTINCT s.conversation) FROM main.sessions AS s JOIN other.sessions AS o ON o.id = s.id
    WHERE s.title IS NOT o.title OR (s.pinned_at IS NULL) <> (o.pinned_at IS NULL)
        OR (s.archived_at IS NULL) <> (o.archived_at IS NULL)
        OR (SELECT count(*) || ' ' || count(redone_at) FROM main.undos AS u WHERE u.session = s.key)
            <> (SELECT count(*) || ' ' || count(redone_at) FROM other.undos AS u WHERE u.session = o.key)
"""
ONLY_HERE: Final = """
    CREATE TEMP TABLE only_here AS
    SELECT m.conversation AS conversation, count(*) AS messages
    FROM main.messages AS m
    JOIN main.sessions AS s ON s.key = m.conversation
    LEFT JOIN other.sessions AS o ON o.id = s.id
    WHERE m.session NOT IN (SELECT key FROM temp.away) AND (o.key IS NULL OR NOT EXISTS (
        SELECT 1 FROM other.messages AS om WHERE om.conversation = o.conversation AND om.client_id = m.client_id))
    GROUP BY m.conversation
"""
WHOLE_CONVERSATIONS: Final = """
    SELECT count(*) FROM main.sessions AS s
    WHERE s.key = s.conversation AND s.key NOT IN (SELECT key FROM temp.away) AND NOT EXISTS (
        SELECT 1 FROM other.sessions AS o WHERE o.id = s.id)
"""
EXAMPLES: Final = """
    SELECT s.id, s.title FROM temp.only_here AS h JOIN main.sessions AS s ON s.key = h.conversation
    ORDER BY s.last_active_at DESC, s.key LIMIT ?
"""
