"""Sessions in `state.db`: begun, ended, found, followed to the tip of their lineage.

Functions over a connection; those that write are called inside a transaction.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Final, get_args

import apsw
import msgspec
from msgspec.structs import replace

from archivist.records import ArchivistError, Scope, Session, SessionStart, Usage, content_digest, text_digest
from archivist.records.sessions import TitleOrigin
from archivist.store.lines import lineage_of, tip_of
from archivist.store.rows import as_text, clean_id, instant, mapping_from_json, milliseconds, to_json
from archivist.store.scopes import Scopes, is_seen, scope_key
from archivist.store.titles import (
    Titled,
    derive_titles,
    free_title,
    is_numbered,
    read_titles,
    title_key,
    told_title,
    untitled_home,
)

MOST_TOKENS = 10**15
"""More than any request can use; a source that says more is wrong, and SQLite's sums must not overflow."""
ORIGINS: Final[tuple[TitleOrigin, ...]] = get_args(TitleOrigin)
"""Who makes titles, the one that counts most first."""
SESSION_COLUMNS = (
    "s.id, root.id, s.source, sc.user, sc.chat, sc.project, s.started_at, s.last_active_at,"
    " (SELECT count(*) FROM messages AS m WHERE m.conversation = s.conversation AND m.session = s.key),"
    " s.model, s.cwd, s.title, s.external_id, parent.id, s.link, s.ended_at, s.end_reason, s.prompt, s.prompt_digest,"
    " s.metadata, s.title_origin, s.archived_at, s.pinned_at, s.fork_message"
)
POINTED_SCOPES = (
    "parent.scope, (SELECT home.scope FROM messages AS shared JOIN sessions AS home ON home.key = shared.session"
    " WHERE shared.id = s.fork_message)"
)
"""The scopes of what a session's row points at: its parent, and the last message that a fork shares."""
SEALED_COLUMNS = (
    "s.id, root.id, s.source, sc.user, sc.chat, sc.project, s.started_at, s.model, s.cwd, s.title, s.title_origin,"
    " s.source_title, s.external_id, parent.id, s.link, s.ended_at, s.end_reason, s.prompt, s.prompt_digest, s.metadata,"
    " s.archived_at, s.pinned_at, s.fork_message, s.undo"
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
        super().__init__(f"no conversation {name!r}: `archivist sessions list` shows the ids")


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
            None,
            begun,
            begun,
            milliseconds(start.ended_at) if start.ended_at else None,
            start.end_reason,
            start.prompt,
            None if start.prompt is None else text_digest(start.prompt),
            to_json(dict(start.metadata)) if start.metadata else None,
            None,
            milliseconds(now) if start.archived else None,
            milliseconds(now) if start.pinned else None,
        ),
    ).get
    conversation = parent.conversation if parent else key
    db.execute("UPDATE sessions SET conversation = ? WHERE key = ?", (conversation, key))
    if start.title and (title := told_title(start.title)):
        _put_title(db, key, free_title(db, key, title), _title_origin(start))
        _note_source_title(db, key, title, _title_origin(start))
    seal_session(db, key)
    return SessionKey(key, conversation)


def _title_origin(start: SessionStart) -> TitleOrigin:
    return start.title_origin or ("given" if start.external_id is None else "source")


def set_title(db: apsw.Connection, key: int, title: str, origin: TitleOrigin) -> None:
    """Give a session a title, which its line shows."""
    _put_title(db, key, title, origin)
    seal_session(db, key)


def give_prompt(db: apsw.Connection, key: int, prompt: str) -> None:
    """Give a session a system prompt, masked already, where it was begun without one; one that it has is frozen."""
    db.execute(
        "UPDATE sessions SET prompt = ?, prompt_digest = ? WHERE key = ? AND prompt IS NULL",
        (prompt, text_digest(prompt), key),
    )
    seal_session(db, key)


def _put_title(db: apsw.Connection, key: int, title: str, origin: TitleOrigin) -> None:
    db.execute(
        "UPDATE sessions SET title = ?, title_key = ?, title_origin = ? WHERE key = ?",
        (title, title_key(title), origin, key),
    )


def _note_source_title(db: apsw.Connection, key: int, title: str, origin: TitleOrigin) -> bool:
    """Remember what a source calls a session, for when its owner's title is taken away; whether that is new."""
    if origin != "source" or not title:
        return False
    db.execute(
        "UPDATE sessions SET source_title = ?1 WHERE key = ?2 AND source_title IS NOT ?1", (title, key)
    )
    return db.changes() > 0


def clear_titles(db: apsw.Connection, keys: Sequence[int]) -> None:
    """Take the titles of sessions away."""
    for key in keys:
        db.execute(
            "UPDATE sessions SET title = NULL, title_key = NULL, title_origin = NULL WHERE key = ?", (key,)
        )
        seal_session(db, key)


def keep_derived_title(db: apsw.Connection, key: int) -> None:
    """Give a session's line a title made of what was said, where it has none; a sub-agent's needs none."""
    needs_none: bool = db.execute(
        "SELECT title IS NOT NULL OR link IS 'subagent' FROM sessions WHERE key = ?", (key,)
    ).get
    if not needs_none and (home := untitled_home(db, key)) is not None:
        set_title(db, home, free_title(db, home, derive_titles(db, [home])[home]), "derived")


def seal_session(db: apsw.Connection, key: int) -> None:
    """Store the content hash of a session's row; called last by whatever changes one of `SEALED_COLUMNS`."""
    db.execute("UPDATE sessions SET digest = ? WHERE key = ?", (session_digest(db, key), key))


def session_digest(db: apsw.Connection, key: int) -> bytes:
    """The content hash of a session's row as it stands: of everything but when it was last active."""
    row = db.execute(f"SELECT {SEALED_COLUMNS} FROM {SESSION_TABLES} WHERE s.key = ?", (key,)).fetchone()
    return _seal_of(row or ())


def unsealed(db: apsw.Connection) -> Iterator[str]:
    """Ids of sessions whose rows are not what they were sealed as, or that were never sealed.

    One whose scope or conversation is gone is not among them: it cannot be read whole.
    """
    rows = db.execute(f"SELECT s.id, s.digest, {SEALED_COLUMNS} FROM {SESSION_TABLES} ORDER BY s.key")
    for name, stored, *sealed in rows:
        if stored != _seal_of(sealed):
            yield name


def _seal_of(row: Iterable[Any]) -> bytes:
    return content_digest(None if value is None else str(value) for value in row)


def end_session(db: apsw.Connection, key: int, *, reason: str, now: datetime) -> None:
    """Record the end; the first reason stays, unless it went on since. What has no title by now gets a derived one."""
    db.execute(
        "UPDATE sessions SET ended_at = :now, end_reason = :reason WHERE key = :key AND (ended_at IS NULL OR EXISTS (SELECT 1"
        " FROM messages AS m WHERE m.conversation = sessions.conversation AND m.session = sessions.key AND m.created_at > ended_at))",
        {"now": milliseconds(now), "reason": reason, "key": key},
    )
    keep_derived_title(db, key)
    seal_session(db, key)


def update_session(db: apsw.Connection, key: int, start: SessionStart) -> None:
    """Take over what a source says anew of a session it named before: title (masked already), model, end."""
    stored: Any = db.execute(
        "SELECT model, ended_at, end_reason FROM sessions WHERE key = ?", (key,)
    ).fetchone()
    ended = milliseconds(start.ended_at) if start.ended_at else None
    told = tuple(
        new if new is not None else old
        for new, old in zip((start.model, ended, start.end_reason), stored, strict=True)
    )
    if told != stored:
        db.execute("UPDATE sessions SET model = ?, ended_at = ?, end_reason = ? WHERE key = ?", (*told, key))
    is_retitled = _take_title(db, key, start)
    if told != stored or is_retitled:
        seal_session(db, key)
    keep_derived_title(db, key)


def _take_title(db: apsw.Connection, key: int, start: SessionStart) -> bool:
    """Take over the title that a source tells, unless the owner's or one that means as much is there; whether the row changed."""
    title = told_title(start.title or "")
    origin = _title_origin(start)
    row: Any = db.execute("SELECT title, title_origin FROM sessions WHERE key = ?", (key,)).fetchone()
    stored, made_by = row
    is_first = stored is None or ORIGINS.index(made_by or "source") > ORIGINS.index(origin)
    is_renamed = made_by == origin == "source" and not is_numbered(stored, title)
    is_taken = bool(title) and (is_first or is_renamed)
    if is_taken:
        _put_title(db, key, free_title(db, key, title), origin)
    return _note_source_title(db, key, title, origin) or is_taken


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
        "SELECT s.key, s.conversation, s.undo, (SELECT max(c.key) FROM sessions AS c WHERE c.parent = s.key"
        " AND c.link = 'compaction' AND c.scope = s.scope AND c.undo IS NULL) FROM sessions AS s WHERE s.id = ?",
        (session_id,),
    ).fetchone()  # the lines of a whole conversation are read where they are needed: every append asks
    if row is None:
        raise UnknownSession(session_id)
    key, conversation, undo, child = row
    return SessionKey(key if child is None and undo is None else tip_of(db, key), conversation)


def line_ids(db: apsw.Connection, session_id: str) -> frozenset[str]:
    """Our ids of the sessions of a session's line; its own where it is unknown."""
    found = find_session(db, session_id)
    keys = [] if found is None else lineage_of(db, found.key)
    ids = [db.execute("SELECT id FROM sessions WHERE key = ?", (key,)).get for key in keys]
    return frozenset({session_id, *map(str, ids)})


def read_session(db: apsw.Connection, session_id: str, scopes: Scopes = None) -> Session:
    """A session by our id, as who may see these scopes is told of it.

    Raises:
        UnknownSession: There is none that may be seen.
    """
    row = db.execute(
        f"SELECT s.key, s.scope, {POINTED_SCOPES}, {SESSION_COLUMNS} FROM {SESSION_TABLES} WHERE s.id = ?",
        (session_id,),
    ).fetchone()
    if row is None or not is_seen(row[1], scopes):
        raise UnknownSession(session_id)
    key, scope, parent_scope, fork_scope, *values = row
    titled = read_titles(db, [key], frozenset({scope}), derived=False).get(key)
    return with_title(pointing_within(session_of(tuple(values)), parent_scope, fork_scope, scopes), titled)


def pointing_within(
    session: Session, parent_scope: int | None, fork_scope: int | None, scopes: Scopes
) -> Session:
    """A session's record that names no parent and no message outside the scopes, given those of what it points at."""
    return replace(
        session,
        parent_id=session.parent_id if is_seen(parent_scope, scopes) else None,
        fork_message=session.fork_message if is_seen(fork_scope, scopes) else None,
    )


def with_title(session: Session, titled: Titled | None) -> Session:
    """A session's record with the title that its line shows."""
    if titled is None:
        return session
    return replace(session, title=titled.title, title_origin=titled.origin)


def session_of(row: tuple[Any, ...]) -> Session:
    """A row of `SESSION_COLUMNS` as a record; of a damaged one what can be read."""
    (
        session_id, root_id, source, user, chat, project, started, active, count, model, cwd, title, external,
        parent, link, ended, reason, prompt, prompt_digest, metadata, title_origin, archived, pinned, fork_message,
    ) = row  # fmt: skip
    return Session(
        id=as_text(session_id) or "",
        conversation_id=as_text(root_id) or "",
        source=as_text(source) or "",
        scope=Scope(as_text(user) or None, as_text(chat) or None, as_text(project) or None),
        started_at=instant(started),
        last_active_at=instant(active),
        message_count=count,
        model=as_text(model),
        cwd=as_text(cwd),
        title=as_text(title),
        external_id=as_text(external),
        parent_id=as_text(parent),
        link=as_text(link),  # type: ignore[arg-type]  # one of the four, or damaged
        ended_at=instant(ended) if ended is not None else None,
        end_reason=as_text(reason),
        prompt=as_text(prompt),
        prompt_digest=as_text(prompt_digest),
        metadata=mapping_from_json(metadata),
        title_origin=title_origin,
        archived_at=instant(archived) if archived is not None else None,
        pinned=pinned is not None,
        fork_message=fork_message,
    )


def add_usage(db: apsw.Connection, key: int, usage: Iterable[Usage]) -> None:
    """Count what requests used; a request told of again replaces what was known of it, so nothing counts twice."""
    from archivist.store.preparing import mask_model  # noqa: PLC0415 - masking costs readers 20 ms that they do not need

    db.executemany(
        "INSERT OR REPLACE INTO usage VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (key, mask_model(one.model), clean_id(one.request_id), *_tokens(one), one.cost_usd)
            for one in usage
        ],
    )


def _tokens(usage: Usage) -> Iterator[int]:
    counted = (
        usage.requests,
        usage.input,
        usage.output,
        usage.cache_read,
        usage.cache_write,
        usage.reasoning,
    )
    return (min(max(number, 0), MOST_TOKENS) for number in counted)


def read_usage(db: apsw.Connection, *keys: int) -> list[Usage]:
    """What sessions used, added up per model."""
    rows = db.execute(
        "SELECT model, '', sum(requests), sum(input), sum(output), sum(cache_read), sum(cache_write), sum(reasoning),"
        " sum(cost_usd) FROM usage WHERE session IN (SELECT value FROM carray(?)) GROUP BY model ORDER BY model",
        (apsw.carray(array("q", keys)),),
    )
    return [Usage(*row) for row in rows]
