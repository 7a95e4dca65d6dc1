"""What recall asks of `state.db` beside the texts: whose a message is, where it belongs, what was said when.

Functions over a reading connection. Whoever asks passes the keys of the scopes that the reader may see, None
standing for all; no function shows a row, a title or a session outside them, or counts one, whatever lineage
it shares with what may be seen. The id of a conversation is only a name that its sessions have in common.
"""

from array import array
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final, get_args

import apsw
import msgspec
from msgspec.structs import replace

from archivist.records import Message, Session, State
from archivist.store.connection import Connection
from archivist.store.frozen import given_anew_at
from archivist.store.index.tags import HIDDEN_STATES
from archivist.store.keeping import read_marks
from archivist.store.lines import IS_SUMMARY, path_ids, tip_of
from archivist.store.messages import MESSAGE_COLUMNS, read_visible_ids
from archivist.store.relatives import main_lines
from archivist.store.rows import Row, clean, clean_id, from_json, instant, message_of
from archivist.store.scopes import Scopes, is_seen, within
from archivist.store.sessions import (
    POINTED_SCOPES,
    SESSION_COLUMNS,
    SESSION_TABLES,
    pointing_within,
    session_of,
    with_title,
)
from archivist.store.titles import find_titled, find_untitled, read_titles

TITLES_READ: Final = 50_000
"""Sessions whose titles are compared, the newest first."""

SHOWN_STATES: Final = sorted(set(get_args(State)) - HIDDEN_STATES)
SHOWN: Final = "m.state IN ({})".format(", ".join(f"'{state}'" for state in SHOWN_STATES))


class Card(msgspec.Struct, frozen=True):
    """What a hit shows of its session; the key is the store's own."""

    key: int
    id: str
    conversation_id: str
    source: str
    title: str | None
    link: str | None
    is_unattended: bool = False


class Label(msgspec.Struct, frozen=True):
    """What a hit shows of its message beside the text."""

    speaker: str | None
    tool_name: str | None
    source_ids: tuple[str, ...]


def find_sessions(db: Connection, name: str, scopes: Scopes, *, derived: bool = True) -> list[int]:
    """Keys of the sessions that a name means: an id, a source's own id, a title, or the beginning of an id.

    The first of these that means any session decides; of several with one external id the newest comes first. A root's
    id means, where it may not be seen, its conversation's newest that may; a root that begins so stands for all of it. Titles
    that are not stored yet come last, where `derived` asks for them.
    """
    for condition in ("s.id = :name", "s.external_id = :name"):
        if found := _named_so(db, condition, clean_id(name), scopes):
            return list(found)
    name = clean(name)
    conversation = db.execute("SELECT key FROM sessions WHERE id = ? AND key = conversation", (name,)).get
    if conversation is not None and (members := main_lines(db, [conversation], scopes)):
        return members[conversation][-1:]
    if titled := find_titled(db, name, scopes):
        return titled
    beginning = _named_so(db, "substr(s.id, 1, length(:name)) = :name", name, scopes)
    begun = [key for key, root in beginning.items() if key == root or root not in beginning]
    return begun or (find_untitled(db, name, scopes) if derived else [])


def _named_so(db: Connection, condition: str, name: str, scopes: Scopes) -> dict[int, int]:
    """Sessions that may be seen, the newest first, each with its conversation."""
    rows = db.execute(
        f"SELECT s.key, s.conversation, s.scope FROM sessions AS s WHERE {condition} AND :name <> '' ORDER BY s.key DESC",
        {"name": name},
    )
    return {key: conversation for key, conversation, scope in rows if is_seen(scope, scopes)}


def names_session(db: Connection, name: str, session: int) -> bool:
    """Whether a name is a session's own id or its source's, whole."""
    return clean_id(name) in db.execute("SELECT id, external_id FROM sessions WHERE key = ?", (session,)).get


def list_sources(db: Connection, scopes: Scopes) -> list[str]:
    """The programs in which sessions that may be seen were held, in alphabetical order."""
    seen, keys = within(scopes)
    rows = db.execute(f"SELECT DISTINCT s.source FROM sessions AS s WHERE {seen} ORDER BY s.source", keys)
    return [source for (source,) in rows]


def read_sessions(db: Connection, keys: Collection[int], scopes: Scopes) -> list[Session]:
    """The records of sessions by key, in the order of the keys; a parent that may not be seen is not named."""
    found = read_records(db, keys, scopes)
    return [found[key] for key in keys if key in found]


def read_records(db: Connection, keys: Collection[int], scopes: Scopes) -> dict[int, Session]:
    """The records of sessions by key, with the title that their line shows and the marks of their conversation."""
    if not keys:
        return {}
    rows: list[Any] = db.execute(
        f"SELECT s.key, s.scope, {POINTED_SCOPES}, {SESSION_COLUMNS} FROM {SESSION_TABLES}"
        " WHERE s.key IN (SELECT value FROM carray(?))",
        (apsw.carray(array("q", keys)),),
    ).fetchall()
    seen = [key for key, scope, *_ in rows if is_seen(scope, scopes)]
    titles, marks = read_titles(db, seen, scopes), read_marks(db, seen, scopes)
    found = {}
    for key, scope, parent_scope, fork_scope, *values in rows:
        if is_seen(scope, scopes):
            session = with_title(session_of(tuple(values)), titles.get(key))
            found[key] = replace(
                pointing_within(session, parent_scope, fork_scope, scopes),
                archived_at=_instant(marks[key].archived_at),
                pinned=marks[key].pinned_at is not None,
            )
    return found


def _instant(stored: int | None) -> datetime | None:
    return None if stored is None else instant(stored)


def conversation_of(db: Connection, session: int) -> int:
    """The key of a session's conversation."""
    return int(db.execute("SELECT conversation FROM sessions WHERE key = ?", (session,)).get)


def read_cards(
    db: Connection, sessions: Collection[int], scopes: Scopes, *, titled: bool = False
) -> dict[int, Card]:
    """The cards of sessions by key.

    Args:
        db: A reading connection.
        sessions: Any sessions.
        scopes: Whose sessions may be seen.
        titled: With the title of the line, else that of its conversation where it may be seen; it costs more than all the rest.
    """
    if not sessions:
        return {}
    seen, keys = within(scopes)
    rows: list[Any] = db.execute(
        "SELECT s.key, s.id, root.id, s.source, s.conversation, s.link, s.metadata ->> '$.unattended' FROM carray(?) AS wanted"
        " JOIN sessions AS s ON s.key = wanted.value"
        f" JOIN sessions AS root ON root.key = s.conversation WHERE {seen}",
        (apsw.carray(array("q", sessions)), *keys),
    ).fetchall()
    wanted = {key for row in rows for key in (row[0], row[4])} if titled else ()
    titles = read_titles(db, wanted, scopes, derived=False)
    return {
        key: Card(key, name, root, source, shown.title if shown else None, link, unattended is not None)
        for key, name, root, source, conversation, link, unattended in rows
        for shown in (titles.get(key) or titles.get(conversation),)
    }


def read_labels(db: Connection, ids: Collection[int], scopes: Scopes) -> dict[int, Label]:
    """The labels of messages by id."""
    if not ids:
        return {}
    rows = db.execute(
        "SELECT m.id, s.scope, m.speaker, m.tool_name, m.metadata FROM carray(?) AS wanted"
        " JOIN messages AS m ON m.id = wanted.value JOIN sessions AS s ON s.key = m.session",
        (apsw.carray(array("q", ids)),),
    )
    return {
        key: Label(speaker, tool, _source_ids(metadata))
        for key, scope, speaker, tool, metadata in rows
        if is_seen(scope, scopes)
    }


def seen_by_model(db: Connection, session_id: str, scopes: Scopes) -> frozenset[int]:
    """Messages that the model of a session, or of the tip of its lineage, has before it now.

    A host's session stays the same when the host compacts it: of what was said before its model has only a summary.
    Empty for a session that is unknown or may not be seen.
    """
    row: Any = db.execute(
        "SELECT key, scope, source, external_id FROM sessions WHERE id = ?", (clean_id(session_id),)
    ).fetchone()
    if row is None or not is_seen(row[1], scopes):
        return frozenset()
    tip = tip_of(db, row[0])
    asking = (
        {tip} if row[3] is None else {tip, row[0]}
    )  # a host goes on with its own, whatever came out of it
    seen = {message for session in asking for message in read_visible_ids(db, session)}
    since = None if row[3] is None else given_anew_at(db, row[2], row[3])
    return frozenset(seen) if since is None else _said_since(db, seen, since)


def _said_since(db: Connection, ids: Collection[int], since: int) -> frozenset[int]:
    rows = db.execute(
        "SELECT m.id FROM carray(?) AS wanted JOIN messages AS m ON m.id = wanted.value WHERE m.created_at >= ?",
        (apsw.carray(array("q", ids)), since),
    )
    return frozenset(key for (key,) in rows)


def newest_id(db: Connection) -> int:
    """The id of the newest message of all, 0 where there is none: where reading begins, for nobody's eyes."""
    return db.execute("SELECT max(id) FROM messages").get or 0


def has_messages(db: Connection, scopes: Scopes) -> bool:
    """Whether any message may be seen."""
    if scopes is None:
        return bool(db.execute("SELECT EXISTS (SELECT 1 FROM messages)").get)
    seen, keys = within(scopes)
    return bool(
        db.execute(
            "SELECT EXISTS (SELECT 1 FROM sessions AS s CROSS JOIN messages AS m"
            f" WHERE m.conversation = s.conversation AND m.session = s.key AND {seen})",
            keys,
        ).get
    )


def is_any_visible(db: Connection, ids: Collection[int], scopes: Scopes) -> bool:
    """Whether any of these messages may be seen."""
    if not ids or scopes is None:
        return bool(ids)
    seen, keys = within(scopes)
    return bool(
        db.execute(
            "SELECT EXISTS (SELECT 1 FROM carray(?) AS wanted CROSS JOIN messages AS m ON m.id = wanted.value"
            f" JOIN sessions AS s ON s.key = m.session WHERE {seen})",
            (apsw.carray(array("q", ids)), *keys),
        ).get
    )


def session_titles(db: Connection, wanted: str, scopes: Scopes) -> list[tuple[int, str]]:
    """Sessions whose title may hold the wanted text, the newest first: keys and titles.

    SQLite knows capitals and small letters of ASCII only: a title with others is left to the caller to compare.

    Args:
        db: A reading connection.
        wanted: In small letters, without accents.
        scopes: Whose titles may be seen.
    """
    seen, keys = within(scopes)
    rows = db.execute(
        f"SELECT key, title FROM (SELECT s.key, s.title FROM sessions AS s WHERE {seen} ORDER BY s.key DESC LIMIT ?)"
        " WHERE title IS NOT NULL AND (instr(lower(title), ?) > 0 OR length(title) < length(CAST(title AS BLOB)))",
        (*keys, TITLES_READ, clean(wanted)),
    )
    return list(rows)


def opening_messages(db: Connection, sessions: Collection[int], scopes: Scopes) -> dict[int, int]:
    """By session, the id of the first thing that its user said, else of its first message."""
    if not sessions:
        return {}
    seen, keys = within(scopes)
    own = (
        f"FROM messages AS m WHERE m.conversation = s.conversation AND m.session = s.key AND {SHOWN} AND m.text <> ''"
        f" AND NOT coalesce({IS_SUMMARY}, 0)"
    )
    rows = db.execute(
        f"SELECT s.key, coalesce((SELECT min(m.id) {own} AND m.role = 'user'), (SELECT min(m.id) {own}))"
        f" FROM carray(?) AS wanted JOIN sessions AS s ON s.key = wanted.value WHERE {seen}",
        (apsw.carray(array("q", sessions)), *keys),
    )
    return {session: message for session, message in rows if message is not None}


def lineage_ids(db: Connection, session: int, scopes: Scopes, *, hidden: bool = False) -> list[int]:
    """Ids of what was said in a session's lineage and may be seen, in order; of a fork first what it shares.

    A compaction's summary is for its model alone: people read what it stands for.

    Args:
        db: A reading connection.
        session: Any session of the lineage.
        scopes: Whose rows may be seen; a lineage may run through several scopes.
        hidden: Also what stands on paths that were left, what was undone, and summaries.
    """
    return path_ids(db, session, scopes, hidden=hidden, summaries=hidden)


def place_of(db: Connection, message: int, scopes: Scopes) -> tuple[int, int] | None:
    """A message's session and conversation, by key; None if no such message may be seen."""
    row = db.execute(
        "SELECT s.key, s.conversation, s.scope FROM messages AS m JOIN sessions AS s ON s.key = m.session WHERE m.id = ?",
        (message,),
    ).fetchone()
    return (row[0], row[1]) if row is not None and is_seen(row[2], scopes) else None


def read_messages(db: Connection, ids: Sequence[int], scopes: Scopes) -> list[Message]:
    """Messages by id, in the order of the ids."""
    if not ids:
        return []
    rows = db.execute(
        f"SELECT s.scope, s.id, m.id, {MESSAGE_COLUMNS} FROM carray(?) AS wanted JOIN messages AS m ON m.id = wanted.value"
        " JOIN sessions AS s ON s.key = m.session",
        (apsw.carray(array("q", ids)),),
    )
    found = {
        key: message_of(Row(*values), key=key, session_id=session, prove=True)
        for scope, session, key, *values in rows
        if is_seen(scope, scopes)
    }
    return [found[key] for key in ids if key in found]


def _source_ids(metadata: str | None) -> tuple[str, ...]:
    """The source's own ids of a message."""
    known: Any = from_json(metadata, {}).get("source_ids", ())
    return tuple(map(str, known)) if isinstance(known, list | tuple) else (str(known),)
