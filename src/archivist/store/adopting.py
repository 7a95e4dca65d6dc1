"""What an export of Archivist's own brings back beside the rows: when a session was put away, what its model saw, what was undone.

An export only adds to a home. What is here already may have changed since it was written, so it stays as it is: states, titles,
usage, what a model sees. Functions over a connection, called inside a transaction.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final

import apsw
import msgspec
from msgspec.structs import replace

from archivist.records import Message, Part, SessionStart, ToolCall, Usage
from archivist.store import messages, places, sessions
from archivist.store.contexts import Entry, has_bytes_of, messages_of, put_list
from archivist.store.rows import COLUMNS, Row, milliseconds
from archivist.store.sessions import SessionKey
from archivist.store.titles import title_key

MISSING_BYTES: Final = "[missing: the bytes were not in the export]"


class AdoptedSent(msgspec.Struct, frozen=True):
    """A message's client id, and the text, parts and calls that were sent in the place of its own, where others were."""

    client_id: str
    text: str | None = None
    parts: tuple[Part, ...] | None = None
    calls: tuple[ToolCall, ...] | None = None


class AdoptedUndo(msgspec.Struct, frozen=True):
    """An undo: in which session, when, what it moved (client id, state before, state now), which sessions it ended."""

    session_id: str
    made_at: datetime
    redone_at: datetime | None = None
    messages: tuple[tuple[str, str, str], ...] = ()
    sessions: tuple[str, ...] = ()


class Adopted(msgspec.Struct, frozen=True):
    """What an export says of a session beside its beginning, its messages and its usage.

    Attributes:
        archived_at: When its owner put it away.
        pinned_at: When its owner pinned it.
        fork_message: Of a fork, the client id of the last message that it shares with its parent.
        context: What its model was given of its lineage, in order.
        left_out: What its summary stands for, in order: client ids.
        cited: What numbers in the words of its summary mean: client ids, each with its number.
        undos: What was undone in its conversation; told with the last session of it.
        is_whole: Whether the messages are told with everything; Markdown leaves out reasoning and bytes.
        parent: How the session that it came from began.
    """

    archived_at: datetime | None = None
    pinned_at: datetime | None = None
    fork_message: str | None = None
    context: tuple[AdoptedSent, ...] = ()
    left_out: tuple[str, ...] = ()
    cited: tuple[tuple[str, int], ...] = ()
    undos: tuple[AdoptedUndo, ...] = ()
    is_whole: bool = True
    parent: SessionStart | None = None


class Known(msgspec.Struct, frozen=True):
    """A message that is here, as far as a second telling of it is compared."""

    id: int
    said: tuple[str | None, ...]


class SortedOut(msgspec.Struct, frozen=True):
    """A batch of an export: the rows that are new, how many are here already, the client ids of those refused, why the first was."""

    new: list[Row]
    known: int
    refused: tuple[str, ...]
    problem: str


def why_refused(session_id: str) -> str:
    """What to say of a session whose id another one has here."""
    return (
        f"session {session_id!r} is another one here, begun elsewhere, at another time or for somebody else (its scope differs):"
        " nothing of it was taken in;"
        " import it into a home of its own (--profile)"
    )


def is_anothers(db: apsw.Connection, session_id: str, start: SessionStart) -> bool:
    """Whether a session that is here was begun elsewhere, at another time or in another scope: it only has the same id.

    Words of one scope must never come into another, so a session that is known by its source's id is compared by that too.
    """
    source, started_at, *scope = db.execute(
        "SELECT s.source, s.started_at, sc.user, sc.chat, sc.project FROM sessions AS s LEFT JOIN scopes AS sc ON sc.key = s.scope"
        " WHERE s.id = ?",
        (session_id,),
    ).get
    if scope != [start.scope.user or "", start.scope.chat or "", start.scope.project or ""]:
        return True
    begun = None if start.started_at is None else milliseconds(start.started_at)
    return session_id == start.own_id and (source != start.source or begun not in {None, started_at})


def settle_new(db: apsw.Connection, session: SessionKey, start: SessionStart, adopted: Adopted) -> None:
    """Complete a session that was made a moment ago; its title is kept to the letter."""
    fork = _message(db, session, adopted.fork_message) if adopted.fork_message else None
    title, origin = start.title, (start.title_origin or "source") if start.title else None
    db.execute(
        "UPDATE sessions SET title = ?, title_key = ?, title_origin = ?, archived_at = ?, pinned_at = ?, fork_message = ?"
        " WHERE key = ?",
        (
            title,
            None if title is None else title_key(title),
            origin,
            _stored(adopted.archived_at),
            _stored(adopted.pinned_at),
            fork,
            session.key,
        ),
    )
    sessions.seal_session(db, session.key)


def settle(db: apsw.Connection, session: SessionKey, adopted: Adopted, usage: Sequence[Usage]) -> None:
    """Bring back what is not here yet, once all messages of the session are."""
    _add_usage(db, session, usage)
    _add_context(db, session, adopted)
    for undo in adopted.undos:
        _add_undo(db, session.conversation, undo)


def naming_missing(told: Sequence[Message], is_here: Callable[[str], bool]) -> list[Message]:
    """The messages, whose parts say that their bytes are missing where an export names bytes that are neither in it nor here."""
    return [_naming_missing(one, is_here) for one in told]


def _naming_missing(message: Message, is_here: Callable[[str], bool]) -> Message:
    parts = tuple(
        replace(part, blob="", text=part.text or MISSING_BYTES)
        if part.blob and part.data is None and not is_here(part.blob)
        else part
        for part in message.parts
    )
    return message if parts == tuple(message.parts) else replace(message, parts=parts, digest=None)


def altered_ids(rows: Sequence[Row], told: Sequence[Message]) -> frozenset[str]:
    """Client ids of the rows whose hash is not the one that they were told with."""
    pairs = zip(rows, told, strict=True)
    return frozenset(row.client_id for row, one in pairs if one.digest not in {None, row.digest.hex()})


def sort_out(db: apsw.Connection, conversation: int, rows: Sequence[Row], *, is_whole: bool) -> SortedOut:
    """Which rows of a batch are new, and which have a client id under which other words are here."""
    new: dict[str, Row] = {}
    refused: list[str] = []
    problem, known = "", 0
    for row in rows:
        there = _there(db, conversation, row.client_id) or _waiting(new.get(row.client_id))
        if there is None:
            new[row.client_id] = row
        elif _is_same(there.said, row.said, is_whole=is_whole):
            known += 1
        else:
            refused.append(row.client_id)
            problem = problem or str(messages.ClientIdReused(row.client_id, there.id or None))
    return SortedOut(list(new.values()), known, tuple(refused), problem)


def _there(db: apsw.Connection, conversation: int, client_id: str) -> "Known | None":
    found: Any = db.execute(
        f"SELECT id, {COLUMNS} FROM messages WHERE conversation = ? AND client_id = ?",
        (conversation, client_id),
    ).fetchone()
    return Known(found[0], Row(*found[1:]).said) if found else None


def _waiting(row: Row | None) -> "Known | None":
    return Known(0, row.said) if row else None


def _is_same(there: Sequence[str | None], told: Sequence[str | None], *, is_whole: bool) -> bool:
    """Role and words are compared at least; the rest only where it was told."""
    return there == told if is_whole else there[:2] == told[:2]


def _stored(time: datetime | None) -> int | None:
    return None if time is None else milliseconds(time)


def _message(db: apsw.Connection, session: SessionKey, client_id: str) -> int | None:
    found: int | None = db.execute(
        "SELECT id FROM messages WHERE conversation = ? AND client_id = ?", (session.conversation, client_id)
    ).get
    return found


def _add_usage(db: apsw.Connection, session: SessionKey, usage: Sequence[Usage]) -> None:
    for one in usage:
        there = db.execute(
            "SELECT 1 FROM usage WHERE session = ? AND model = ? AND request_id = ?",
            (session.key, one.model, one.request_id),
        ).get
        if not there:
            sessions.add_usage(db, session.key, [one])


def _add_context(db: apsw.Connection, session: SessionKey, adopted: Adopted) -> None:
    """A session gets its context at its birth and keeps it: one that has any has it whole."""
    has_one = "SELECT EXISTS (SELECT 1 FROM context WHERE session = ?1 UNION ALL SELECT 1 FROM placed WHERE session = ?1)"
    if not (adopted.context or adopted.left_out) or db.execute(has_one, (session.key,)).get:
        return
    entries = [entry for sent in adopted.context if (entry := _entry(db, session, sent)) is not None]
    if _repeats_another(db, session):
        places.hold_first(db, session, messages_of(entries))
        return
    without = (_message(db, session, client_id) for client_id in adopted.left_out)
    named = ((_message(db, session, client_id), number) for client_id, number in adopted.cited)
    cited = {one: number for one, number in named if one is not None}
    put_list(db, session.key, entries, [one for one in without if one is not None], cited)


def _entry(db: apsw.Connection, session: SessionKey, sent: AdoptedSent) -> Entry | None:
    """A message as it is sent, without secrets; parts that name bytes of others are not taken for it."""
    from archivist.store.preparing import prepare_sent  # noqa: PLC0415 - masking costs readers 50 ms that they do not need

    message = _message(db, session, sent.client_id)
    if message is None:
        return None
    made = prepare_sent(sent.text, sent.parts, sent.calls)
    has_parts = made.parts is not None and has_bytes_of(db, message, made.parts)
    return Entry(message, made.text, made.parts if has_parts else None, made.calls)


def _repeats_another(db: apsw.Connection, session: SessionKey) -> bool:
    """Whether what a session has of others is what its program's file repeats."""
    query = "SELECT external_id IS NOT NULL AND link IS 'fork' AND fork_message IS NULL FROM sessions WHERE key = ?"
    return bool(db.execute(query, (session.key,)).get)


def _add_undo(db: apsw.Connection, conversation: int, undo: AdoptedUndo) -> None:
    """Record an undo that is not known here, if what it took back is here as it left it; what is active here stays so."""
    session = sessions.find_session(db, undo.session_id)
    made_at = milliseconds(undo.made_at)
    if session is None or session.conversation != conversation or _has_undo(db, session, made_at):
        return
    moved = [
        (message, before, now)
        for name, before, now in undo.messages
        if (message := _message(db, session, name)) is not None
    ]
    if undo.redone_at is None and any(_state(db, message) != now for message, _, now in moved):
        return
    key = db.execute(
        "INSERT INTO undos(conversation, session, made_at, redone_at) VALUES(?, ?, ?, ?) RETURNING key",
        (conversation, session.key, made_at, _stored(undo.redone_at)),
    ).get
    db.executemany(
        "INSERT OR IGNORE INTO undone VALUES(?, ?, ?)",
        [(key, message, before) for message, before, _ in moved],
    )
    if undo.redone_at is None:
        _end_sessions(db, conversation, key, undo.sessions)


def _has_undo(db: apsw.Connection, session: SessionKey, made_at: int) -> bool:
    query = "SELECT 1 FROM undos WHERE conversation = ? AND session = ? AND made_at = ?"
    return bool(db.execute(query, (session.conversation, session.key, made_at)).get)


def _state(db: apsw.Connection, message: int) -> Any:  # noqa: ANN401 - what the driver gives
    return db.execute("SELECT state FROM messages WHERE id = ?", (message,)).get


def _end_sessions(db: apsw.Connection, conversation: int, undo: int, names: Sequence[str]) -> None:
    for name in names:
        ended = sessions.find_session(db, name)
        if ended is not None and ended.conversation == conversation:
            db.execute("UPDATE sessions SET undo = ? WHERE key = ? AND undo IS NULL", (undo, ended.key))
            sessions.seal_session(db, ended.key)
