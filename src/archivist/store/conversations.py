"""What recall asks of `state.db` beside the texts: whose a message is, where it belongs, what was said when.

Functions over a reading connection. Whoever asks passes the keys of the scopes that the reader may see, None
standing for all; no function shows a row, a title or a session outside them, or counts one, whatever lineage
it shares with what may be seen. The id of a conversation is only a name that its sessions have in common.
"""

from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, get_args

import apsw
import msgspec

from archivist.records import Message, Session, State
from archivist.records.hits import Shelf
from archivist.store.connection import Connection
from archivist.store.index.tags import HIDDEN_STATES
from archivist.store.keeping import read_marks
from archivist.store.lines import path_ids, tip_of
from archivist.store.messages import MESSAGE_COLUMNS, read_visible_ids
from archivist.store.rows import Row, clean, from_json, instant, message_of
from archivist.store.scopes import Scopes, is_seen, within
from archivist.store.sessions import SESSION_COLUMNS, SESSION_TABLES, session_of, with_title
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


class Label(msgspec.Struct, frozen=True):
    """What a hit shows of its message beside the text."""

    speaker: str | None
    tool_name: str | None
    source_ids: tuple[str, ...]


class Recent(msgspec.Struct, frozen=True):
    """A conversation in a list, made of what may be seen of it alone.

    Attributes:
        session: Its newest session along its compactions; of a sub-agent only where there is no other.
        opening: The first that was said; None where nothing was.
        forks: How many forks it has.
    """

    session: Session
    opening: Message | None
    forks: int = 0


class Counted(msgspec.Struct, frozen=True):
    """How many conversations a list has in all, and how many of its source were put away, listed or not."""

    total: int
    archived: int


def find_sessions(db: Connection, name: str, scopes: Scopes) -> list[int]:
    """Keys of the sessions that a name means: an id, a source's own id, a title, or the beginning of an id.

    The first of these that means any session decides; of several with one external id the newest comes first. A root's
    id means, where it may not be seen, its conversation's newest that may; a root that begins so stands for all of it. Titles
    that are not stored yet come last.
    """
    name = clean(name)
    for condition in ("s.id = :name", "s.external_id = :name"):
        if found := _named_so(db, condition, name, scopes):
            return list(found)
    conversation = db.execute("SELECT key FROM sessions WHERE id = ? AND key = conversation", (name,)).get
    if conversation is not None and (members := _members(db, [conversation], scopes)):
        return members[conversation][-1:]
    if titled := find_titled(db, name, scopes):
        return titled
    beginning = _named_so(db, "substr(s.id, 1, length(:name)) = :name", name, scopes)
    begun = [key for key, root in beginning.items() if key == root or root not in beginning]
    return begun or find_untitled(db, name, scopes)


def _named_so(db: Connection, condition: str, name: str, scopes: Scopes) -> dict[int, int]:
    """Sessions that may be seen, the newest first, each with its conversation."""
    rows = db.execute(
        f"SELECT s.key, s.conversation, s.scope FROM sessions AS s WHERE {condition} AND :name <> '' ORDER BY s.key DESC",
        {"name": name},
    )
    return {key: conversation for key, conversation, scope in rows if is_seen(scope, scopes)}


def names_session(db: Connection, name: str, session: int) -> bool:
    """Whether a name is a session's own id or its source's, whole."""
    return clean(name) in db.execute("SELECT id, external_id FROM sessions WHERE key = ?", (session,)).get


def list_sources(db: Connection, scopes: Scopes) -> list[str]:
    """The programs in which sessions that may be seen were held, in alphabetical order."""
    seen, keys = within(scopes)
    rows = db.execute(f"SELECT DISTINCT s.source FROM sessions AS s WHERE {seen} ORDER BY s.source", keys)
    return [source for (source,) in rows]


def read_sessions(db: Connection, keys: Collection[int], scopes: Scopes) -> list[Session]:
    """The records of sessions by key, in the order of the keys; a parent that may not be seen is not named."""
    found = _records(db, keys, scopes)
    return [found[key] for key in keys if key in found]


def _records(db: Connection, keys: Collection[int], scopes: Scopes) -> dict[int, Session]:
    """Records by key, with the title that their line shows and the marks of their conversation."""
    if not keys:
        return {}
    rows: list[Any] = db.execute(
        f"SELECT s.key, s.scope, parent.scope, {SESSION_COLUMNS} FROM {SESSION_TABLES}"
        " WHERE s.key IN (SELECT value FROM carray(?))",
        (apsw.carray(array("q", keys)),),
    ).fetchall()
    seen = [key for key, scope, *_ in rows if is_seen(scope, scopes)]
    titles, marks = read_titles(db, seen, scopes), read_marks(db, seen, scopes)
    found = {}
    for key, scope, parent_scope, *values in rows:
        if is_seen(scope, scopes):
            session = with_title(session_of(tuple(values)), titles.get(key))
            found[key] = replace(
                session,
                parent_id=session.parent_id if is_seen(parent_scope, scopes) else None,
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
        "SELECT s.key, s.id, root.id, s.source, s.conversation, s.link FROM carray(?) AS wanted"
        " JOIN sessions AS s ON s.key = wanted.value"
        f" JOIN sessions AS root ON root.key = s.conversation WHERE {seen}",
        (apsw.carray(array("q", sessions)), *keys),
    ).fetchall()
    wanted = {key for row in rows for key in (row[0], row[4])} if titled else ()
    titles = read_titles(db, wanted, scopes, derived=False)
    return {
        key: Card(key, name, root, source, shown.title if shown else None, link)
        for key, name, root, source, conversation, link in rows
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

    Empty for a session that is unknown or may not be seen.
    """
    row = db.execute("SELECT key, scope FROM sessions WHERE id = ?", (clean(session_id),)).fetchone()
    if row is None or not is_seen(row[1], scopes):
        return frozenset()
    keys = {row[0], tip_of(db, row[0])}
    return frozenset(key for session in keys for key in read_visible_ids(db, session))


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
    rows = db.execute(
        "SELECT key, title, scope FROM (SELECT key, title, scope FROM sessions ORDER BY key DESC LIMIT ?)"
        " WHERE title IS NOT NULL AND (instr(lower(title), ?) > 0 OR length(title) < length(CAST(title AS BLOB)))",
        (TITLES_READ, clean(wanted)),
    )
    return [(key, title) for key, title, scope in rows if is_seen(scope, scopes)]


def opening_messages(db: Connection, sessions: Collection[int], scopes: Scopes) -> dict[int, int]:
    """By session, the id of the first thing that its user said, else of its first message."""
    if not sessions:
        return {}
    seen, keys = within(scopes)
    own = f"FROM messages AS m WHERE m.conversation = s.conversation AND m.session = s.key AND {SHOWN} AND m.text <> ''"
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


def recent_conversations(
    db: Connection, *, scopes: Scopes, source: str | None, limit: int, offset: int, shelf: Shelf = "all"
) -> tuple[list[Recent], Counted]:
    """Conversations of which anything may be seen, the last active first, and how many there are.

    Args:
        db: A reading connection.
        scopes: Whose sessions are counted, dated and shown.
        source: Only those whose first session was held in this program.
        limit: How many at most.
        offset: How many to pass over.
        shelf: Only those that were not put away, or only those that were.
    """
    seen, keys = within(scopes)
    on_shelf = {"listed": "s.archived_at IS NULL", "archived": "s.archived_at IS NOT NULL", "all": "1"}[shelf]
    listed = (
        "FROM (SELECT s.conversation, max(s.last_active_at) AS active, min(s.key) AS first,"
        f" sum(s.link IS 'fork' AND s.undo IS NULL) AS forks FROM sessions AS s WHERE {seen} GROUP BY s.conversation) AS c"
        " JOIN sessions AS s ON s.key = c.first WHERE ? IN ('', s.source)"
    )
    values = (*keys, source or "")
    counts: Any = db.execute(
        f"SELECT count(*) FILTER (WHERE {on_shelf}), count(s.archived_at) {listed}", values
    ).fetchone()
    rows: list[Any] = db.execute(
        f"SELECT c.conversation, c.forks {listed} AND {on_shelf}"
        " ORDER BY c.active DESC, c.conversation DESC LIMIT ? OFFSET ?",
        (*values, limit, offset),
    ).fetchall()
    forks: dict[int, int] = dict(rows)
    members = _members(db, list(forks), scopes)
    sessions = {each[-1]: each[0] for each in members.values()}
    openings = opening_messages(db, sessions.values(), scopes)
    said = {message.id: message for message in read_messages(db, list(openings.values()), scopes)}
    records = _records(db, sessions, scopes)
    return [
        Recent(records[each[-1]], said.get(openings.get(each[0])), forks[conversation])
        for conversation, each in members.items()
        if each[-1] in records
    ], Counted(*counts)


def _members(db: Connection, conversations: Sequence[int], scopes: Scopes) -> dict[int, list[int]]:
    """By conversation, its sessions that may be seen, in order: those along the compactions of its root.

    Where none of those may be, the others, those of sub-agents only where there is nothing else.
    """
    if not conversations:
        return {}
    rows = db.execute(
        "SELECT s.conversation, s.key, s.parent, s.link, s.scope, s.undo IS NULL, s.scope = parent.scope FROM sessions AS s"
        " LEFT JOIN sessions AS parent ON parent.key = s.parent"
        " WHERE s.conversation IN (SELECT value FROM carray(?)) ORDER BY 7, s.key",
        (apsw.carray(array("q", conversations)),),
    )
    seen: dict[int, dict[int, str | None]] = {key: {} for key in conversations}
    continued: dict[int, int] = {}
    for conversation, key, parent, link, scope, stands, _ in rows:
        if link == "compaction" and parent is not None and stands:
            continued[parent] = key  # the newest one stays, of its parent's scope if there is one
        if is_seen(scope, scopes):
            seen[conversation][key] = link
    return {
        conversation: _chosen(links, _chain(conversation, continued))
        for conversation, links in seen.items()
        if links
    }


def _chosen(links: Mapping[int, str | None], chain: Sequence[int]) -> list[int]:
    """Of sessions, given with how each came from its parent, the ones in the chain, else all but sub-agents', else all."""
    own = sorted(key for key, link in links.items() if link != "subagent")
    return [key for key in chain if key in links] or own or sorted(links)


def _chain(root: int, continued: Mapping[int, int]) -> list[int]:
    """A root and the sessions that continue it."""
    keys = [root]
    while (child := continued.get(keys[-1])) is not None:
        keys.append(child)
    return keys


def _source_ids(metadata: str | None) -> tuple[str, ...]:
    """The source's own ids of a message."""
    known: Any = from_json(metadata, {}).get("source_ids", ())
    return tuple(map(str, known)) if isinstance(known, list | tuple) else (str(known),)
