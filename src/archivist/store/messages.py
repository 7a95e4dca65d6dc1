"""Messages in `state.db`: appended once each, read back in order, moved between states.

Functions over a connection; those that write are called inside a transaction. Each transaction that touches messages leaves one row
per run of ids in `changes`, which is all that a derived index needs to catch up.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import apsw
import msgspec

from archivist.records import ArchivistError, Message
from archivist.store.contexts import AS_SENT, IS_BEHIND, IS_SENT, read_as_sent
from archivist.store.lines import lineage_of, path_ids, path_of
from archivist.store.rows import COLUMNS, MessageNotStorable, Row, digest_of, message_of
from archivist.store.scopes import Scopes, is_seen
from archivist.store.sessions import SessionKey

INSERT = (
    f"INSERT INTO messages(id, session, conversation, {COLUMNS}) VALUES(?, ?, ?{', ?' * len(Row.__struct_fields__)})"
    " ON CONFLICT(conversation, client_id) DO NOTHING"
)
LAST_ID = (
    "SELECT max(coalesce((SELECT last_message FROM changes WHERE kind = 'added' ORDER BY seq DESC LIMIT 1), 0),"
    " coalesce((SELECT max(id) FROM messages), 0))"
)
"""The last id ever given, whatever became of its message; cheaper by a page a commit than SQLite's AUTOINCREMENT."""
MESSAGE_COLUMNS = ", ".join(f"m.{name.strip()}" for name in COLUMNS.split(","))


class ClientIdReused(ArchivistError):
    """Two different messages were given the same client id."""

    def __init__(self, client_id: str, message_id: int | None, *, is_elsewhere: bool = False) -> None:
        self.client_id, self.message_id = client_id, message_id
        known = "a message in the spool" if message_id is None else f"message {message_id}"
        how = "on another line of the conversation" if is_elsewhere else "with other content"
        super().__init__(
            f"client id {client_id!r} already names {known} {how}:"
            " use a new id for a new message, the same id only to repeat one"
        )


def insert_messages(db: apsw.Connection, session: SessionKey, rows: Sequence[Row]) -> list[int]:
    """Insert rows at a session's end and return an id for each; a row whose client id is known gets the known id.

    Raises:
        ClientIdReused: A known client id came with other content, or names a message of what this was forked from or the like.
    """
    first = last = int(db.execute(LAST_ID).get)
    ids = []
    for row in rows:
        known = _inserted(db, last + 1, session, row)
        ids.append(last + 1 if known is None else known)
        last += known is None
    if last > first:
        record_changes(db, "added", range(first + 1, last + 1))
        latest = max(row.created_at for row in rows)
        db.execute(
            "UPDATE sessions SET last_active_at = max(last_active_at, ?) WHERE key = ?", (latest, session.key)
        )
    return ids


def _inserted(db: apsw.Connection, key: int, session: SessionKey, row: Row) -> int | None:
    """Insert a row under a new id; where it is known, give the id that it has."""
    try:
        db.execute(INSERT, (key, session.key, session.conversation, *row.values))
    except apsw.ConstraintError as error:
        raise MessageNotStorable(str(error)) from error
    if db.changes():
        return None
    if others := _names_anothers(db, session, row.client_id):
        renamed = msgspec.structs.replace(row, client_id=f"{row.client_id}~{others}")
        return _inserted(db, key, session, msgspec.structs.replace(renamed, digest=digest_of(renamed)))
    return _repeated(db, session, row)


def _names_anothers(db: apsw.Connection, session: SessionKey, client_id: str) -> str | None:
    """The session's own id, where a client id names a message that was said in another scope.

    Whoever says something here does not know that one, so they cannot have meant it: both stay, and nobody is told of the other.
    """
    own_id: str | None = db.execute(
        "SELECT own.id FROM messages AS m JOIN sessions AS home ON home.key = m.session JOIN sessions AS own ON own.key = ?"
        " WHERE m.conversation = ? AND m.client_id = ? AND home.scope <> own.scope",
        (session.key, session.conversation, client_id),
    ).get
    return own_id


def set_states(db: apsw.Connection, states: Iterable[tuple[int, str]]) -> int:
    """Move messages to other states and return how many moved."""
    moved = [key for key, state in sorted(states) if _set_state(db, key, state)]
    record_changes(db, "changed", moved)
    return len(moved)


def record_changes(db: apsw.Connection, kind: str, ids: Sequence[int]) -> None:
    """One row in `changes` for each run of consecutive ids."""
    for first, last in runs(sorted(ids)):
        db.execute(
            "INSERT INTO changes(kind, first_message, last_message) VALUES(?, ?, ?)", (kind, first, last)
        )


def runs(ids: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and last of each run of consecutive numbers in an ascending list."""
    if not ids:
        return
    first = ids[0]
    for number, following in pairwise(ids):
        if following != number + 1:
            yield first, number
            first = following
    yield first, ids[-1]


def read_context(db: apsw.Connection, key: int, scopes: Scopes) -> list[Message]:
    """What a session's model sees now: what its list has of its lineage (`store.contexts`), as it is sent, then its own active messages.

    Beside its own stand those that its file repeats of another session (`store.places`). Only what may be seen of it is given.
    """
    unchanged = "NULL AS text_as_sent, NULL AS parts_as_sent, NULL AS calls_as_sent"
    rows = db.execute(
        f"SELECT 0, c.position, 0, s.scope, s.id, m.id, {AS_SENT}, {MESSAGE_COLUMNS} FROM context AS c"
        " JOIN messages AS m ON m.id = c.message JOIN sessions AS s ON s.key = m.session"
        f" WHERE c.session = :session AND {IS_SENT}"
        " UNION ALL "
        f"SELECT 1, coalesce(p.behind, m.id), coalesce(p.number, 0), s.scope, s.id, m.id, {unchanged}, {MESSAGE_COLUMNS}"
        " FROM messages AS m JOIN sessions AS s ON s.key = m.session LEFT JOIN placed AS p ON p.session = :session AND p.message = m.id"
        " WHERE s.key = :session AND m.conversation = s.conversation AND m.state = 'active' AND NOT coalesce(p.is_left, 0)"
        f" AND {IS_BEHIND} UNION ALL "
        f"SELECT 1, p.behind, p.number, s.scope, s.id, m.id, {unchanged}, {MESSAGE_COLUMNS} FROM placed AS p"
        " JOIN messages AS m ON m.id = p.message JOIN sessions AS s ON s.key = m.session"
        " WHERE p.session = :session AND m.session <> :session"
        " ORDER BY 1, 2, 3",
        {"session": key, "line": apsw.carray(array("q", lineage_of(db, key)))},
    )
    return [
        read_as_sent(message_of(Row(*values), key=message_id, session_id=session_id), (text, parts, calls))
        for _, _, _, scope, session_id, message_id, text, parts, calls, *values in rows
        if is_seen(scope, scopes)
    ]


def read_visible_ids(db: apsw.Connection, key: int) -> list[int]:
    """The ids of what a session's model sees now in its own words, in no particular order; not of what was shortened for it."""
    rows = db.execute(
        "SELECT message FROM context WHERE session = :session AND is_left_out IS NULL AND text_as_sent IS NULL"
        " AND parts_as_sent IS NULL AND calls_as_sent IS NULL UNION SELECT m.id FROM messages AS m"
        " JOIN sessions AS s ON s.key = :session"
        " WHERE m.conversation = s.conversation AND m.session = :session AND m.state = 'active'"
        " AND NOT EXISTS (SELECT 1 FROM placed AS p WHERE p.session = :session AND p.message = m.id AND p.is_left)"
        " UNION SELECT m.id FROM placed AS p JOIN messages AS m ON m.id = p.message"
        " WHERE p.session = :session AND m.session <> :session",
        {"session": key},
    )
    return [key for (key,) in rows]


def read_lineage(db: apsw.Connection, key: int, scopes: Scopes) -> list[Message]:
    """Everything said in a session's lineage that may be seen, of every state, in order; of a fork first what it shares."""
    ids = path_ids(db, key, scopes, hidden=True, summaries=True)
    if not ids:
        return []
    rows = db.execute(
        f"SELECT m.id, s.id, {MESSAGE_COLUMNS} FROM messages AS m JOIN sessions AS s ON s.key = m.session"
        " WHERE m.id IN (SELECT value FROM carray(?))",
        (apsw.carray(array("q", ids)),),
    )
    found = {
        message_id: message_of(Row(*values), key=message_id, session_id=session_id)
        for message_id, session_id, *values in rows
    }
    return [found[message_id] for message_id in ids]


def _repeated(db: apsw.Connection, session: SessionKey, row: Row) -> int:
    known: tuple[Any, ...] = db.execute(
        f"SELECT id, session, {COLUMNS} FROM messages WHERE conversation = ? AND client_id = ?",
        (session.conversation, row.client_id),
    ).fetchall()[0]
    if Row(*known[2:]).said != row.said:
        raise ClientIdReused(row.client_id, known[0])
    if known[1] != session.key and not _is_of_line(db, session.key, known[1]):
        raise ClientIdReused(row.client_id, known[0], is_elsewhere=True)
    return int(known[0])


def _is_of_line(db: apsw.Connection, key: int, session: int) -> bool:
    """Whether a session belongs to another's line, or did until it was taken back."""
    path = path_of(db, key, taken_back=True)
    return any(session in stretch.sessions for stretch in path if stretch.fork is None)


def _set_state(db: apsw.Connection, key: int, state: str) -> bool:
    db.execute("UPDATE messages SET state = ? WHERE id = ? AND state <> ?", (state, key, state))
    return db.changes() > 0
