"""Sessions in `state.db`: begun, ended, found, followed to the tip of their lineage.

Functions over a connection; those that write are called inside a transaction.
"""

from datetime import datetime
from typing import Any

import apsw
import msgspec

from archivist.records import ArchivistError, Scope, Session, SessionStart, Usage, content_digest, text_digest
from archivist.records.messages import NO_METADATA
from archivist.store.rows import clean, from_json, instant, milliseconds, to_json

MOST_TOKENS = 10**15
"""More than any request can use; a source that says more is wrong, and SQLite's sums must not overflow."""
SESSION_COLUMNS = (
    "s.id, root.id, s.source, sc.user, sc.chat, sc.project, s.started_at, s.last_active_at,"
    " (SELECT count(*) FROM messages AS m WHERE m.conversation = s.conversation AND m.session = s.key),"
    " s.model, s.cwd, s.title, s.external_id, parent.id, s.link, s.ended_at, s.end_reason, s.prompt, s.prompt_digest,"
    " s.metadata, s.title_origin, s.archived_at, s.pinned_at, s.fork_message"
)
SEALED_COLUMNS = (
    "s.id, root.id, s.source, sc.user, sc.chat, sc.project, s.started_at, s.model, s.cwd, s.title, s.title_origin, s.external_id,"
    " parent.id, s.link, s.ended_at, s.end_reason, s.prompt, s.prompt_digest, s.metadata, s.archived_at, s.pinned_at,"
    " s.fork_message, s.undo"
)
"""What a session's content hash is made of; those that it is read with are joined by `SESSION_TABLES`."""
SESSION_TABLES = (
    "sessions AS s JOIN sessions AS root ON root.key = s.conversation JOIN scopes AS sc ON sc.key = s.scope"
    " LEFT JOIN sessions AS parent ON parent.key = s.parent"
)


class UnknownSession(ArchivistError):
    """No session has that id."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"no session {name!r}: `archivist sessions list` shows the ids")


class SessionKey(msgspec.Struct, frozen=True):
    """The store's own keys of a session: quick to look up, never shown."""

    key: int
    conversation: int


def start_session(db: apsw.Connection, start: SessionStart, *, session_id: str, now: datetime) -> SessionKey:
    """Insert a session, and its scope where that is new; its title and prompt are masked already.

    Raises:
        UnknownSession: Its parent is not there.
    """
    parent = None if start.parent_id is None else require_session(db, start.parent_id)
    begun = milliseconds(start.started_at or now)
    key = db.execute(
        "INSERT INTO sessions(id, conversation, parent, link, source, external_id, model, scope, cwd, title, started_at,"
        " last_active_at, ended_at, end_reason, prompt, prompt_digest, metadata, title_origin, archived_at, pinned_at)"
        " VALUES(?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key",
        (
            session_id,
            parent and parent.key,
            start.link,
            start.source,
            start.external_id,
            start.model,
            scope_key(db, start.scope),
            start.cwd,
            start.title,
            begun,
            begun,
            milliseconds(start.ended_at) if start.ended_at else None,
            start.end_reason,
            start.prompt,
            None if start.prompt is None else text_digest(start.prompt),
            to_json(dict(start.metadata)) if start.metadata else None,
            _title_origin(start),
            milliseconds(now) if start.archived else None,
            milliseconds(now) if start.pinned else None,
        ),
    ).get
    conversation = parent.conversation if parent else key
    db.execute("UPDATE sessions SET conversation = ? WHERE key = ?", (conversation, key))
    seal_session(db, key)
    return SessionKey(key, conversation)


def _title_origin(start: SessionStart) -> str | None:
    if start.title is None:
        return None
    return start.title_origin or ("given" if start.external_id is None else "source")


def seal_session(db: apsw.Connection, key: int) -> None:
    """Store the content hash of a session's row; called last by whatever changes one of `SEALED_COLUMNS`."""
    db.execute("UPDATE sessions SET digest = ? WHERE key = ?", (session_digest(db, key), key))


def session_digest(db: apsw.Connection, key: int) -> bytes:
    """The content hash of a session's row as it stands: of everything but when it was last active."""
    row = db.execute(f"SELECT {SEALED_COLUMNS} FROM {SESSION_TABLES} WHERE s.key = ?", (key,)).fetchone()
    return content_digest([None if value is None else str(value) for value in row or ()])


def end_session(db: apsw.Connection, key: int, *, reason: str, now: datetime) -> None:
    """Record the end; the first reason stays."""
    db.execute(
        "UPDATE sessions SET ended_at = ?, end_reason = ? WHERE key = ? AND ended_at IS NULL",
        (milliseconds(now), reason, key),
    )
    seal_session(db, key)


def update_session(db: apsw.Connection, key: int, start: SessionStart) -> None:
    """Take over what a source says anew of a session it named before: title (masked already), model, end."""
    db.execute(
        "UPDATE sessions SET title = coalesce(?, title), model = coalesce(?, model), ended_at = coalesce(?, ended_at),"
        " end_reason = coalesce(?, end_reason) WHERE key = ?",
        (
            start.title,
            start.model,
            milliseconds(start.ended_at) if start.ended_at else None,
            start.end_reason,
            key,
        ),
    )
    seal_session(db, key)


def find_session(db: apsw.Connection, session_id: str) -> SessionKey | None:
    """The keys of a session by our id."""
    row = db.execute("SELECT key, conversation FROM sessions WHERE id = ?", (session_id,)).fetchone()
    return SessionKey(*row) if row else None


def require_session(db: apsw.Connection, session_id: str) -> SessionKey:
    """The keys of a session by our id.

    Raises:
        UnknownSession: There is none.
    """
    found = find_session(db, session_id)
    if found is None:
        raise UnknownSession(session_id)
    return found


def find_external(db: apsw.Connection, source: str, external_id: str) -> tuple[SessionKey, str] | None:
    """The keys and our id of a session by its source's id."""
    row = db.execute(
        "SELECT key, conversation, id FROM sessions WHERE source = ? AND external_id = ?",
        (source, external_id),
    ).fetchone()
    return (SessionKey(row[0], row[1]), row[2]) if row else None


def require_tip(db: apsw.Connection, session_id: str) -> SessionKey:
    """The keys of the session in which the conversation of a session goes on; see `tip_of`.

    Raises:
        UnknownSession: There is no session of that id.
    """
    row = db.execute(
        "SELECT s.key, s.conversation, (SELECT max(c.key) FROM sessions AS c WHERE c.parent = s.key AND c.link = 'compaction'"
        " AND c.scope = s.scope) FROM sessions AS s WHERE s.id = ?",
        (session_id,),
    ).fetchone()
    if row is None:
        raise UnknownSession(session_id)
    key, conversation, child = row
    return SessionKey(key if child is None else tip_of(db, child), conversation)


def tip_of(db: apsw.Connection, key: int) -> int:
    """The newest compaction child of a session, or itself: where the conversation goes on, never into another scope."""
    while True:
        child = db.execute(
            "SELECT key FROM sessions WHERE parent = ? AND link = 'compaction' ORDER BY key DESC LIMIT 1",
            (key,),
        ).get
        if child is None:
            return key
        key = child


def lineage_of(db: apsw.Connection, key: int) -> list[int]:
    """The sessions from the root to this one along compactions, then on to its tip."""
    keys = [tip_of(db, key)]
    while True:
        row = db.execute("SELECT parent, link FROM sessions WHERE key = ?", (keys[0],)).fetchone()
        if row is None or row[0] is None or row[1] != "compaction":
            return keys
        keys.insert(0, row[0])


def read_session(db: apsw.Connection, session_id: str) -> Session:
    """A session by our id.

    Raises:
        UnknownSession: There is none.
    """
    row = db.execute(
        f"SELECT {SESSION_COLUMNS} FROM {SESSION_TABLES} WHERE s.id = ?", (session_id,)
    ).fetchone()
    if row is None:
        raise UnknownSession(session_id)
    return session_of(row)


def session_of(row: tuple[Any, ...]) -> Session:
    """A row of `SESSION_COLUMNS` as a record."""
    (
        session_id, root_id, source, user, chat, project, started, active, count, model, cwd, title, external,
        parent, link, ended, reason, prompt, prompt_digest, metadata, title_origin, archived, pinned, fork_message,
    ) = row  # fmt: skip
    return Session(
        id=session_id,
        conversation_id=root_id,
        source=source,
        scope=Scope(user or None, chat or None, project or None),
        started_at=instant(started),
        last_active_at=instant(active),
        message_count=count,
        model=model,
        cwd=cwd,
        title=title,
        external_id=external,
        parent_id=parent,
        link=link,
        ended_at=instant(ended) if ended is not None else None,
        end_reason=reason,
        prompt=prompt,
        prompt_digest=prompt_digest,
        metadata=from_json(metadata, NO_METADATA),
        title_origin=title_origin,
        archived_at=instant(archived) if archived is not None else None,
        pinned=pinned is not None,
        fork_message=fork_message,
    )


def scope_key(db: apsw.Connection, scope: Scope) -> int:
    """The key of a scope, made where it is new."""
    fields = (scope.user or "", scope.chat or "", scope.project or "")
    db.execute("INSERT OR IGNORE INTO scopes(user, chat, project) VALUES(?, ?, ?)", fields)
    return int(
        db.execute("SELECT key FROM scopes WHERE user = ? AND chat = ? AND project = ?", fields).get,
    )


def add_usage(db: apsw.Connection, key: int, usage: Usage) -> None:
    """Count what a request used; a request told of again replaces what was known of it, so nothing counts twice."""
    counted = (
        usage.requests,
        usage.input,
        usage.output,
        usage.cache_read,
        usage.cache_write,
        usage.reasoning,
    )
    tokens = [min(max(number, 0), MOST_TOKENS) for number in counted]
    db.execute(
        "INSERT OR REPLACE INTO usage VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (key, clean(usage.model), clean(usage.request_id), *tokens, usage.cost_usd),
    )


def read_usage(db: apsw.Connection, key: int) -> list[Usage]:
    """What a session used, added up per model."""
    rows = db.execute(
        "SELECT model, '', sum(requests), sum(input), sum(output), sum(cache_read), sum(cache_write), sum(reasoning),"
        " sum(cost_usd) FROM usage WHERE session = ? GROUP BY model ORDER BY model",
        (key,),
    )
    return [Usage(*row) for row in rows]
