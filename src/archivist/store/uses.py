"""How entries of the notes were used, and the sessions in which they could be.

Functions over a connection. A use is two ids, a time and a kind, never a text.
"""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec

from archivist.records import Message, Scope
from archivist.records.notes import Use
from archivist.store.connection import Connection
from archivist.store.lines import IS_SUMMARY, SHOWN
from archivist.store.rows import COLUMNS, MILLISECOND, Row, clean, instant, message_of, milliseconds
from archivist.store.scopes import Scopes, within
from archivist.store.sessions import read_session, require_session

DAY: Final = timedelta(days=1) // MILLISECOND
LOOKED_THROUGH: Final = "uses_looked_through"
_USES: Final = """
    SELECT at, kind, session FROM uses WHERE entry = ?1 AND kind IN ('used', 'restated', 'opened')
    UNION ALL
    SELECT * FROM (SELECT at, kind, session FROM uses WHERE entry = ?1 AND kind = 'present' ORDER BY at DESC LIMIT 1)
    ORDER BY at, kind, session
"""


class Mark(msgspec.Struct, frozen=True):
    """How far the sessions that ended were looked through; the default is before all of them.

    Attributes:
        ended_at: Milliseconds since 1970.
        key: The store's own, for those that ended at the same moment.
    """

    ended_at: int = -(1 << 62)
    key: int = 0


class Ended(msgspec.Struct, frozen=True):
    """A session that has ended.

    Attributes:
        mark: Give it to `ended_since` to go on behind it.
        conversation: The store's own key.
    """

    id: str
    source: str
    external_id: str | None
    scope: Scope
    started_at: datetime
    ended_at: datetime
    mark: Mark
    conversation: int


def add_uses(db: Connection, uses: Iterable[Use]) -> int:
    """Remember that entries were used, inside a transaction.

    The same use is kept once however often it is told: same entry, kind and session on one UTC day. That an entry was present is kept
    once a day, of whichever session told it first.

    Returns:
        How many are new.
    """
    return sum(_add(db, use) for use in uses)


def uses_of(db: Connection, entry_ids: Collection[str]) -> dict[str, tuple[Use, ...]]:
    """The uses of these entries, by entry, in order of time: all of every kind, but of those by mere presence the newest only.

    Entries that were never used are not in it.
    """
    found: dict[str, tuple[Use, ...]] = {}
    for entry in entry_ids:
        rows: list[Any] = db.execute(_USES, (clean(entry),)).fetchall()
        if rows:
            found[entry] = tuple(Use(entry, instant(at), kind, session) for at, kind, session in rows)
    return found


def count_sessions(db: Connection, scopes: Scopes, since: datetime, *, most: int | None = None) -> int:
    """How many sessions began after a time.

    Each stretch with a prompt of its own is one, so the child of a compaction is. A sub-agent's is none, nor is one that was undone.

    Args:
        db: A connection.
        scopes: Those in which they count.
        since: The time.
        most: Count no further.
    """
    seen, keys = within(scopes)
    limit = -1 if most is None else most
    counted = db.execute(
        f"SELECT count(*) FROM (SELECT 1 FROM sessions AS s WHERE s.started_at > ? AND {seen} AND s.link IS NOT 'subagent'"
        " AND s.undo IS NULL LIMIT ?)",
        (milliseconds(since), *keys, limit),
    ).get
    return int(counted)


def ended_since(db: Connection, scopes: Scopes, mark: Mark = Mark(), *, most: int = 1_000) -> list[Ended]:  # noqa: B008 - frozen
    """Sessions that ended behind a mark, in the order in which they did; their texts are read by `said_in`.

    A session that came into the store after others that ended later is behind no mark of those.

    Args:
        db: A connection.
        scopes: Those in which they were.
        mark: Of the last one that was looked through.
        most: How many at most.
    """
    seen, keys = within(scopes)
    rows: list[Any] = db.execute(
        "SELECT s.key, s.conversation, s.id, s.source, s.external_id, sc.user, sc.chat, sc.project, s.started_at, s.ended_at"
        " FROM sessions AS s JOIN scopes AS sc ON sc.key = s.scope WHERE s.ended_at IS NOT NULL"
        f" AND s.ended_at >= ? AND (s.ended_at, s.key) > (?, ?) AND {seen} AND s.undo IS NULL ORDER BY s.ended_at, s.key LIMIT ?",
        (mark.ended_at, mark.ended_at, mark.key, *keys, most),
    ).fetchall()
    return [
        Ended(
            name,
            source,
            external,
            Scope(user or None, chat or None, project or None),
            instant(begun),
            instant(ended),
            Mark(ended, key),
            conversation,
        )
        for key, conversation, name, source, external, user, chat, project, begun, ended in rows
    ]


def as_if_ended(db: Connection, session_id: str, now: datetime) -> Ended:
    """A session as if it had ended by now, for `said_in`; its mark is behind no other.

    Raises:
        UnknownSession: There is no such session.
    """
    key, session = require_session(db, session_id), read_session(db, session_id)
    mark = Mark(milliseconds(now), key.key)
    return Ended(
        session.id,
        session.source,
        session.external_id,
        session.scope,
        session.started_at,
        now,
        mark,
        key.conversation,
    )


def looked_through(db: Connection) -> Mark | None:
    """How far sessions were looked through for uses; None where that was never done."""
    found = db.execute("SELECT value FROM meta WHERE key = ?", (LOOKED_THROUGH,)).get
    words = str(found).split(":")
    is_mark = len(words) == 2 and all(word.removeprefix("-").isdecimal() for word in words)
    return (
        Mark(*map(int, words)) if is_mark else None
    )  # None too where it is damaged: no session is counted twice


def newest_ended(db: Connection) -> Mark:
    """The mark behind every session that has ended by now."""
    row = db.execute(
        "SELECT ended_at, key FROM sessions WHERE ended_at IS NOT NULL ORDER BY ended_at DESC, key DESC LIMIT 1"
    ).fetchone()
    return Mark(*row) if row is not None else Mark()


def keep_mark(db: Connection, mark: Mark) -> None:
    """Remember how far sessions were looked through, inside a transaction."""
    db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (LOOKED_THROUGH, f"{mark.ended_at}:{mark.key}"))


def said_in(db: Connection, session: Ended) -> Iterator[Message]:
    """What was said in a session and stands, in order, read as it is asked for; what a compaction wrote nobody said."""
    rows = db.execute(
        f"SELECT id, {COLUMNS} FROM messages AS m WHERE conversation = ? AND session = ? AND {SHOWN} AND NOT coalesce({IS_SUMMARY}, 0)"
        " ORDER BY id",
        (session.conversation, session.mark.key),
    )
    for key, *values in rows:
        yield message_of(Row(*values), key=key, session_id=session.id)


def leave_sessions(db: Connection, session_ids: Collection[str]) -> None:
    """Let uses in sessions that go be of no session, inside a transaction."""
    db.executemany("UPDATE uses SET session = NULL WHERE session = ?", [(name,) for name in session_ids])


def _add(db: Connection, use: Use) -> bool:
    entry, session, at = clean(use.entry_id), use.session_id and clean(use.session_id), milliseconds(use.at)
    day = at - at % DAY
    is_there = db.execute(
        "SELECT 1 FROM uses WHERE entry = ?1 AND kind = ?2 AND at BETWEEN ?3 AND ?4 AND (session IS ?5 OR kind = 'present')",
        (entry, use.kind, day, day + DAY - 1, session),
    ).get
    if not is_there:
        db.execute(
            "INSERT INTO uses(entry, at, kind, session) VALUES(?, ?, ?, ?)", (entry, at, use.kind, session)
        )
    return not is_there
