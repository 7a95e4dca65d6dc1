"""Lines of a conversation: sessions that continue one another by compactions, and what each shares with what it was forked from.

A root, a fork and a sub-agent begin a line; a compaction's child goes on with it. What an undo took back is of no line until a redo:
it hangs where it was and can still be read.
"""

from array import array
from collections.abc import Sequence
from typing import Final

import apsw
import msgspec

from archivist.store.scopes import Scopes, is_seen

SHOWN: Final = "m.state IN ('active', 'compacted')"
SUMMARY: Final = "summary"
"""The key in a message's metadata, true for what a compaction wrote to stand for others: for the model, not for people."""
IS_SUMMARY: Final = (
    "m.role <> 'tool' AND EXISTS (SELECT 1 FROM sessions AS begun WHERE begun.key = m.session AND begun.link = 'compaction') AND"
    " instr(m.metadata, '\"summary\":true') > 0 AND json_extract(m.metadata, '$.summary') = 1"
)


class Stretch(msgspec.Struct, frozen=True):
    """A part of what is read as one conversation.

    Attributes:
        sessions: One that stands, and those that were taken back and hang on it.
        until: The last message of it that belongs here; None for all.
        fork: The session that shares it with its parent by being forked from it; None for a line's own.
    """

    sessions: tuple[int, ...]
    until: int | None = None
    fork: int | None = None


def tip_of(db: apsw.Connection, key: int) -> int:
    """The newest compaction child of a session, or itself: where the conversation goes on, never into another scope."""
    key = standing(db, key)
    while True:
        child = db.execute(
            "SELECT max(c.key) FROM sessions AS s JOIN sessions AS c ON c.parent = s.key AND c.link = 'compaction'"
            " AND c.scope = s.scope AND c.undo IS NULL WHERE s.key = ?",
            (key,),
        ).get
        if child is None:
            return key
        key = child


def standing(db: apsw.Connection, key: int) -> int:
    """A session, or what it continued if an undo took it back."""
    while True:
        parent = db.execute(
            "SELECT parent FROM sessions WHERE key = ? AND undo IS NOT NULL AND parent IS NOT NULL", (key,)
        ).get
        if parent is None:
            return key
        key = parent


def lineage_of(db: apsw.Connection, key: int) -> list[int]:
    """The sessions of a session's line, from its first to its last, whatever their scopes."""
    line = ancestry(db, standing(db, key))
    while True:
        child = db.execute(
            "SELECT c.key FROM sessions AS s JOIN sessions AS c ON c.parent = s.key AND c.link = 'compaction'"
            " AND c.undo IS NULL WHERE s.key = ? ORDER BY c.scope = s.scope DESC, c.key DESC LIMIT 1",
            (line[-1],),
        ).get
        if child is None:
            return line
        line.append(child)


def ancestry(db: apsw.Connection, key: int) -> list[int]:
    """The first session of a session's line, and those that lead from it to this one."""
    keys = [key]
    while True:
        parent = db.execute(
            "SELECT parent FROM sessions WHERE key = ? AND link = 'compaction'", (keys[-1],)
        ).get
        if parent is None:
            return keys[::-1]
        keys.append(parent)


def path_of(db: apsw.Connection, key: int, *, taken_back: bool = False) -> list[Stretch]:
    """What is read as a session's conversation: what its line shares with those that it was forked from, then the line.

    Args:
        db: A connection.
        key: Any session of the line.
        taken_back: Also the sessions that an undo took back, beside the one that they continued.
    """
    line = lineage_of(db, key)
    path = [Stretch((one, *(_taken_back(db, one) if taken_back else ()))) for one in line]
    first = line[0]
    while (shared := _fork_point(db, first)) is not None:
        parent, message = shared
        line = ancestry(db, parent)
        path[:0] = [Stretch((one,), message if one == parent else None, first) for one in line]
        first = line[0]
    return path


def path_ids(
    db: apsw.Connection, key: int, scopes: Scopes, *, hidden: bool = False, summaries: bool = False
) -> list[int]:
    """Ids of what is read as a session's conversation and may be seen, in order.

    Args:
        db: A connection.
        key: Any session of the line.
        scopes: Whose rows may be seen; a line may run through several scopes.
        hidden: Also what stands on paths that were left, and what was taken back.
        summaries: Also what a compaction wrote to stand for others.
    """
    path = path_of(db, key, taken_back=hidden)
    rows = _rows_by_session(db, [one for stretch in path for one in stretch.sessions], scopes)
    found: list[int] = []
    for stretch in path:
        kept = _kept_for(db, stretch.fork) if stretch.fork is not None and not hidden else frozenset()
        found += [
            message
            for message, is_shown, is_summary in sorted(row for one in stretch.sessions for row in rows[one])
            if (stretch.until is None or message <= stretch.until)
            and (hidden or is_shown or message in kept)
            and (summaries or not is_summary)
        ]
    return found


def _rows_by_session(
    db: apsw.Connection, sessions: Sequence[int], scopes: Scopes
) -> dict[int, list[tuple[int, bool, bool]]]:
    """By session, its messages: the id, whether it is shown, whether it is a summary."""
    found: dict[int, list[tuple[int, bool, bool]]] = {one: [] for one in sessions}
    rows = db.execute(
        f"SELECT m.session, s.scope, m.id, {SHOWN}, coalesce({IS_SUMMARY}, 0) FROM messages AS m"
        " JOIN sessions AS s ON s.key = m.session"
        " WHERE m.conversation = (SELECT conversation FROM sessions WHERE key = ?)"
        " AND m.session IN (SELECT value FROM carray(?)) ORDER BY m.id",
        (sessions[0], apsw.carray(array("q", sessions))),
    )
    for session, scope, message, is_shown, is_summary in rows:
        if is_seen(scope, scopes):
            found[session].append((message, bool(is_shown), bool(is_summary)))
    return found


def _kept_for(db: apsw.Connection, fork: int) -> frozenset[int]:
    """Messages that a fork shares whatever became of them since in what it was forked from."""
    rows = db.execute(
        "SELECT message FROM context WHERE session = :fork UNION SELECT u.message FROM sessions AS f"
        " JOIN undos AS o ON o.conversation = f.conversation AND o.made_at >= f.started_at"
        " JOIN undone AS u ON u.undo = o.key WHERE f.key = :fork",
        {"fork": fork},
    )
    return frozenset(message for (message,) in rows)


def _fork_point(db: apsw.Connection, key: int) -> tuple[int, int] | None:
    """Of a fork, the session that it was forked from and the last message that both share."""
    row = db.execute(
        "SELECT parent, fork_message FROM sessions WHERE key = ? AND link = 'fork'"
        " AND parent IS NOT NULL AND fork_message IS NOT NULL",
        (key,),
    ).fetchone()
    return (row[0], row[1]) if row else None


def _taken_back(db: apsw.Connection, key: int) -> list[int]:
    """Sessions that continued this one until they were taken back, and those that continued them."""
    rows = db.execute(
        "WITH RECURSIVE gone(key) AS (SELECT key FROM sessions WHERE parent = ? AND link = 'compaction' AND undo IS NOT NULL"
        " UNION SELECT s.key FROM gone JOIN sessions AS s ON s.parent = gone.key WHERE s.link = 'compaction')"
        " SELECT key FROM gone",
        (key,),
    )
    return [one for (one,) in rows]
