"""What recall asks of `state.db` beside the texts: whose a message is, where it belongs, what was said when.

Functions over a reading connection. Whoever asks passes the keys of the scopes that the reader may see, None
standing for all; no function shows a row outside them.
"""

from array import array
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import apsw
import msgspec

from archivist.records import EVERYTHING, Message, Reader, Scope, Session
from archivist.store.messages import MESSAGE_COLUMNS, read_visible_ids
from archivist.store.rows import Row, clean, from_json, message_of
from archivist.store.sessions import (
    SESSION_COLUMNS,
    SESSION_TABLES,
    find_session,
    lineage_of,
    session_of,
    tip_of,
)

Scopes = frozenset[int] | None
"""Keys of the scopes that a reader may see; None for all that there are."""

TITLES_READ = 50_000
"""Sessions whose titles are compared, the newest first."""


class Card(msgspec.Struct, frozen=True):
    """What a hit shows of its session; the keys are the store's own."""

    key: int
    id: str
    conversation: int
    conversation_id: str
    source: str
    title: str | None
    link: str | None


class Label(msgspec.Struct, frozen=True):
    """What a hit shows of its message beside the text."""

    speaker: str | None
    tool_name: str | None
    source_ids: tuple[str, ...]


def visible_scopes(db: apsw.Connection, reader: Reader) -> Scopes:
    """The scopes that a reader may see."""
    if reader is EVERYTHING:
        return None
    rows: list[Any] = db.execute("SELECT key, user, chat, project FROM scopes").fetchall()
    seen = frozenset(
        key
        for key, user, chat, project in rows
        if Scope(user or None, chat or None, project or None).is_visible_to(reader)
    )
    return None if len(seen) == len(rows) else seen


def find_sessions(db: apsw.Connection, name: str, scopes: Scopes) -> list[int]:
    """Keys of the sessions that a name means: an id, a source's own id, or the beginning of an id.

    The first of these that means any session decides; of several with one external id the newest comes first.
    """
    name = clean(name)
    for condition in ("s.id = :name", "s.external_id = :name", "substr(s.id, 1, length(:name)) = :name"):
        rows = db.execute(
            f"SELECT s.key, s.scope FROM sessions AS s WHERE {condition} AND :name <> '' ORDER BY s.key DESC",
            {"name": name},
        )
        if found := [key for key, scope in rows if _is_seen(scope, scopes)]:
            return found
    return []


def read_sessions(db: apsw.Connection, keys: Iterable[int]) -> list[Session]:
    """The records of sessions by key, in the order of the keys."""
    found = []
    for key in keys:
        row = db.execute(f"SELECT {SESSION_COLUMNS} FROM {SESSION_TABLES} WHERE s.key = ?", (key,)).fetchone()
        if row is not None:
            found.append(session_of(row))
    return found


def conversation_of(db: apsw.Connection, session: int) -> int:
    """The key of a session's conversation."""
    return int(db.execute("SELECT conversation FROM sessions WHERE key = ?", (session,)).get)


def read_cards(db: apsw.Connection, sessions: Collection[int]) -> dict[int, Card]:
    """The cards of sessions by key; the title is that of the session or else of its conversation."""
    if not sessions:
        return {}
    rows = db.execute(
        "SELECT s.key, s.id, root.key, root.id, s.source, coalesce(s.title, root.title), s.link FROM carray(?) AS wanted"
        " JOIN sessions AS s ON s.key = wanted.value JOIN sessions AS root ON root.key = s.conversation",
        (apsw.carray(array("q", sessions)),),
    )
    return {row[0]: Card(*row) for row in rows}


def read_labels(db: apsw.Connection, ids: Collection[int]) -> dict[int, Label]:
    """The labels of messages by id."""
    if not ids:
        return {}
    rows = db.execute(
        "SELECT m.id, m.speaker, m.tool_name, m.metadata FROM carray(?) AS wanted JOIN messages AS m ON m.id = wanted.value",
        (apsw.carray(array("q", ids)),),
    )
    return {key: Label(speaker, tool, _source_ids(metadata)) for key, speaker, tool, metadata in rows}


def seen_by_model(db: apsw.Connection, session_id: str) -> frozenset[int]:
    """Messages that the model of a session, or of the tip of its lineage, has before it now; empty for an unknown session."""
    found = find_session(db, clean(session_id))
    if found is None:
        return frozenset()
    keys = {found.key, tip_of(db, found.key)}
    return frozenset(key for session in keys for key in read_visible_ids(db, session))


def newest_id(db: apsw.Connection) -> int:
    """The id of the newest message, 0 where there is none."""
    return db.execute("SELECT max(id) FROM messages").get or 0


def list_messages(
    db: apsw.Connection,
    *,
    scopes: Scopes,
    conversation: int | None,
    roles: Collection[str],
    sources: Collection[str],
    since: int | None,
    until: int | None,
    states: Collection[str],
    limit: int,
) -> list[int]:
    """Ids of messages, the last said first.

    Empty collections ask for nothing; `since` (inclusive) and `until` (exclusive) are milliseconds, None for open.
    """
    conditions, values = ["m.text <> ''"], []
    for column, wanted in (
        ("m.role", roles),
        ("s.source", sources),
        ("m.state", states),
        ("s.scope", scopes),
    ):
        if wanted or (column == "s.scope" and wanted is not None):
            conditions.append(f"{column} IN ({', '.join('?' * len(wanted))})")
            values += sorted(wanted)
    for condition, value in (
        ("m.conversation = ?", conversation),
        ("m.created_at >= ?", since),
        ("m.created_at < ?", until),
    ):
        if value is not None:
            conditions.append(condition)
            values.append(value)
    rows = db.execute(
        "SELECT m.id FROM messages AS m JOIN sessions AS s ON s.key = m.session"
        f" WHERE {' AND '.join(conditions)} ORDER BY m.created_at DESC, m.id DESC LIMIT ?",
        (*values, limit),
    )
    return [key for (key,) in rows]


def count_messages(db: apsw.Connection, scopes: Scopes) -> int:
    """Whether any message may be seen: 0 or 1."""
    if scopes is None:
        return int(db.execute("SELECT count(*) FROM (SELECT 1 FROM messages LIMIT 1)").get)
    marks = ", ".join("?" * len(scopes))
    return int(
        db.execute(
            "SELECT count(*) FROM (SELECT 1 FROM sessions AS s JOIN messages AS m ON m.conversation = s.conversation"
            f" WHERE s.scope IN ({marks}) LIMIT 1)",
            tuple(sorted(scopes)),
        ).get
    )


def titled_sessions(db: apsw.Connection, wanted: str, scopes: Scopes) -> list[tuple[int, str]]:
    """Sessions whose title holds the wanted text, given in lower case, the newest first: keys and titles."""
    rows = db.execute(
        "SELECT key, title, scope FROM (SELECT key, title, scope FROM sessions ORDER BY key DESC LIMIT ?)"
        " WHERE title IS NOT NULL AND instr(lower(title), ?) > 0",
        (TITLES_READ, clean(wanted)),
    )
    return [(key, title) for key, title, scope in rows if _is_seen(scope, scopes)]


def opening_messages(db: apsw.Connection, sessions: Iterable[int]) -> dict[int, int]:
    """By session, the id of the first thing that its user said, else of its first message."""
    found = {}
    for session in sessions:
        key = db.execute(
            "SELECT m.id FROM messages AS m WHERE m.conversation = (SELECT conversation FROM sessions WHERE key = :session)"
            " AND m.session = :session AND m.state IN ('active', 'compacted') AND m.text <> ''"
            " ORDER BY m.role <> 'user', m.id LIMIT 1",
            {"session": session},
        ).get
        if key is not None:
            found[session] = key
    return found


def lineage_ids(db: apsw.Connection, session: int, states: Collection[str]) -> list[int]:
    """Ids of everything said in a session's lineage, in order."""
    wanted = ", ".join("?" * len(states))
    return [
        key
        for member in lineage_of(db, session)
        for (key,) in db.execute(
            "SELECT m.id FROM messages AS m WHERE m.conversation = (SELECT conversation FROM sessions WHERE key = ?)"
            f" AND m.session = ? AND m.state IN ({wanted}) ORDER BY m.id",
            (member, member, *states),
        )
    ]


def session_of_message(db: apsw.Connection, message: int) -> tuple[int, int, int] | None:
    """A message's session, conversation and scope, by key; None if there is no such message."""
    row: tuple[int, int, int] | None = db.execute(
        "SELECT s.key, s.conversation, s.scope FROM messages AS m JOIN sessions AS s ON s.key = m.session WHERE m.id = ?",
        (message,),
    ).fetchone()
    return row


def read_messages(db: apsw.Connection, ids: Sequence[int]) -> list[Message]:
    """Messages by id, in the order of the ids."""
    if not ids:
        return []
    rows = db.execute(
        f"SELECT s.id, m.id, {MESSAGE_COLUMNS} FROM carray(?) AS wanted JOIN messages AS m ON m.id = wanted.value"
        " JOIN sessions AS s ON s.key = m.session",
        (apsw.carray(array("q", ids)),),
    )
    found = {key: message_of(Row(*values), key=key, session_id=session) for session, key, *values in rows}
    return [found[key] for key in ids if key in found]


def recent_conversations(
    db: apsw.Connection, *, scopes: Scopes, source: str | None, limit: int, offset: int
) -> tuple[list[Session], int]:
    """Conversations at the tip of their lineage, the last active first, and how many there are."""
    conditions = ["s.key = s.conversation"]
    values: list[str | int] = []
    if source is not None:
        conditions.append("s.source = ?")
        values.append(source)
    if scopes is not None:
        conditions.append(f"s.scope IN ({', '.join('?' * len(scopes))})")
        values.extend(sorted(scopes))
    where = " AND ".join(conditions)
    total = db.execute(f"SELECT count(*) FROM sessions AS s WHERE {where}", tuple(values)).get
    rows = db.execute(
        "SELECT s.key, (SELECT max(t.last_active_at) FROM sessions AS t WHERE t.conversation = s.key) AS active"
        f" FROM sessions AS s WHERE {where} ORDER BY active DESC, s.key DESC LIMIT ? OFFSET ?",
        (*values, limit, offset),
    )
    roots: list[Any] = rows.fetchall()
    return read_sessions(db, [tip_of(db, key) for key, _ in roots]), int(total)


def _is_seen(scope: int, scopes: Scopes) -> bool:
    return scopes is None or scope in scopes


def _source_ids(metadata: str | None) -> tuple[str, ...]:
    """The source's own ids of a message."""
    known: Any = from_json(metadata, {}).get("source_ids", ())
    return tuple(map(str, known)) if isinstance(known, list | tuple) else (str(known),)
