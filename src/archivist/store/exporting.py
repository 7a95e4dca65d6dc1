"""Conversations read whole, as a stream, out of one moment of the database.

What is told carries no number of the store's own: messages are named by client id and sessions by id, so that the same
conversations give the same stream in every home. The numbers by which the words of summaries name messages are told with them, and stay
what they were. Nothing outside the reader's scopes is told, counted or pointed at: what hangs on a
session that may not be seen is told as a conversation of its own.
"""

from array import array
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import apsw
import msgspec

from archivist.records import Reader, Scope, Usage
from archivist.store.blobs import Blobs, blobs_in
from archivist.store.citations import cited_in
from archivist.store.connection import open_reader
from archivist.store.contexts import AS_SENT, LEFT_OUT
from archivist.store.deleting import named_blobs
from archivist.store.lines import IS_SUMMARY
from archivist.store.messages import MESSAGE_COLUMNS
from archivist.store.rows import Row
from archivist.store.scopes import Scopes, visible_scopes, within
from archivist.store.suspicion import naming_damage
from archivist.store.trouble import naming_trouble

PIECE_BYTES: Final = 3 * 1024 * 1024
"""Bytes of a blob that are told at once; divisible by three, so that base64 of the pieces joins."""
SESSION_COLUMNS: Final = (
    "s.id, parent.id, s.link, s.parent, s.fork_message, s.source, s.external_id, sc.user, sc.chat, sc.project, s.model, s.cwd,"
    " s.title, s.title_origin, s.started_at, s.ended_at, s.end_reason, s.archived_at, s.pinned_at, s.prompt, s.metadata"
)


class StoredSession(msgspec.Struct, frozen=True, kw_only=True):
    """The row of a session; times in milliseconds since 1970, metadata as JSON text.

    Attributes:
        conversation: The id of the first session of its conversation that may be seen.
        fork_message: The client id of the last message that a fork shares with its parent.
    """

    id: str
    conversation: str
    parent: str | None
    link: str | None
    fork_message: str | None
    source: str
    external_id: str | None
    scope: Scope
    model: str | None
    cwd: str | None
    title: str | None
    title_origin: str | None
    started_at: int
    ended_at: int | None
    end_reason: str | None
    archived_at: int | None
    pinned_at: int | None
    prompt: str | None
    metadata: str | None


class StoredBlob(msgspec.Struct, frozen=True):
    """A piece of a blob's bytes."""

    sha256: str
    data: bytes


class StoredMessage(msgspec.Struct, frozen=True):
    """The row of a message, and the id of the session that it was said in."""

    session: str
    row: Row


class StoredSent(msgspec.Struct, frozen=True):
    """A message as a session's model was given it: its client id, and text, parts and calls (as JSON) where others were sent."""

    client_id: str
    text_as_sent: str | None = None
    parts_as_sent: str | None = None
    calls_as_sent: str | None = None


class StoredContext(msgspec.Struct, frozen=True):
    """What a session's model was given of its lineage, in order, and what its summary stands for.

    Attributes:
        left_out: Client ids.
        cited: What numbers in the words of the summary mean: client ids, each with its number.
    """

    session: str
    messages: tuple[StoredSent, ...]
    left_out: tuple[str, ...] = ()
    cited: tuple[tuple[str, int], ...] = ()


class StoredUsage(msgspec.Struct, frozen=True):
    """What a request of a session used."""

    session: str
    usage: Usage


class StoredUndo(msgspec.Struct, frozen=True):
    """An undo: when it was made and itself taken back, what it moved (client id, state before, state now), the sessions it ended."""

    session: str
    made_at: int
    redone_at: int | None
    messages: tuple[tuple[str, str, str], ...]
    sessions: tuple[str, ...]


Stored = StoredSession | StoredBlob | StoredMessage | StoredContext | StoredUsage | StoredUndo


class Wanted(msgspec.Struct, frozen=True):
    """Which conversations; what is unset asks for nothing.

    Attributes:
        conversations: Keys of conversations; None for all.
        source: Begun in this program.
        since: Still active at this time or later, in milliseconds since 1970.
        until: Begun before this time.
        archived: Also those that were put away.
    """

    conversations: frozenset[int] | None = None
    source: str | None = None
    since: int | None = None
    until: int | None = None
    archived: bool = True


class _Member(msgspec.Struct, frozen=True):
    """A session of a conversation, as far as choosing and ordering need it."""

    key: int
    conversation: int
    id: str
    source: str
    started_at: int
    last_active_at: int
    archived_at: int | None


@contextmanager
def snapshot(path: Path, blobs: Blobs, reader: Reader) -> Iterator["Snapshot"]:
    """One moment of the database, held while the block runs; writers go on beside it.

    Raises:
        StoreNotOpened, StoreDamaged, DiskFailed: See there.
    """
    with naming_damage(path), closing(open_reader(path)) as db:
        db.execute("BEGIN")
        yield Snapshot(path, db, blobs, visible_scopes(db, reader))


class Snapshot:
    """One moment of the database for one reader."""

    def __init__(self, path: Path, db: apsw.Connection, blobs: Blobs, scopes: Scopes) -> None:
        self._path, self._db, self._blobs, self._scopes = path, db, blobs, scopes
        self._unread: set[str] = set()

    def missing_blobs(self) -> int:
        """How many blobs were named whose bytes are not there, and still should be: not those that were deleted meanwhile."""
        gone = {name for name in self._unread if self._blobs.find(name) is None}
        if not gone:
            return 0
        with naming_trouble(self._path), closing(open_reader(self._path)) as db:
            return len(named_blobs(db, gone))

    def conversations(self, wanted: Wanted) -> list[list[int]]:
        """The keys of the sessions of each conversation, parents first; the conversation that began first comes first."""
        found = [members for members in self._families(wanted) if _is_wanted(members, wanted)]
        found.sort(key=lambda members: (members[0].started_at, members[0].id))
        return [[member.key for member in members] for members in found]

    def read(self, keys: Sequence[int]) -> Iterator[Stored]:
        """A conversation: each session with its messages and what belongs to it, at last what was undone.

        Args:
            keys: As `conversations` gives them.
        """
        conversation = self._db.execute("SELECT conversation FROM sessions WHERE key = ?", (keys[0],)).get
        messages = self._messages_by_session(conversation, keys)
        ids: dict[int, str] = {}
        told_blobs: set[str] = set()
        for key in keys:
            session = self._session(key, ids, ids.get(keys[0]))
            ids[key] = session.id
            yield session
            yield from self._messages(session.id, messages[key], told_blobs)
            yield from self._context(key, ids)
            yield from self._usage(key, session.id)
        yield from self._undos(conversation, ids)

    def _families(self, wanted: Wanted) -> Iterator[list[_Member]]:
        """The sessions that may be seen, each with those that hang on it, as far as these may be seen too."""
        seen, values = within(self._scopes)
        rows = self._db.execute(
            "SELECT s.parent, s.key, s.conversation, s.id, s.source, s.started_at, s.last_active_at, s.archived_at"
            f" FROM sessions AS s WHERE {seen} ORDER BY s.key",
            values,
        )
        roots: dict[int, int] = {}
        families: dict[int, list[_Member]] = {}
        for parent, key, conversation, *facts in rows:
            if wanted.conversations is not None and conversation not in wanted.conversations:
                continue
            roots[key] = roots.get(parent, key)
            families.setdefault(roots[key], []).append(_Member(key, conversation, *facts))
        yield from families.values()

    def _messages_by_session(self, conversation: int, keys: Collection[int]) -> dict[int, "array[int]"]:
        """Ids of messages as they are read: eight bytes a message, so that each is read once however many sessions there are."""
        ids = {key: array("q") for key in keys}
        for session, message in self._db.execute(
            "SELECT m.session, m.id FROM messages AS m LEFT JOIN placed AS p ON p.session = m.session AND p.message = m.id"
            " WHERE m.conversation = ? ORDER BY coalesce(p.behind, m.id), coalesce(p.number, 0)",
            (conversation,),
        ):
            if session in ids:
                ids[session].append(message)
        return ids

    def _session(self, key: int, ids: dict[int, str], conversation: str | None) -> StoredSession:
        row: Any = self._db.execute(
            f"SELECT {SESSION_COLUMNS} FROM sessions AS s JOIN scopes AS sc ON sc.key = s.scope"
            " LEFT JOIN sessions AS parent ON parent.key = s.parent WHERE s.key = ?",
            (key,),
        ).fetchone()
        session_id, parent, link, parent_key, fork, source, external_id, user, chat, project, *facts = row
        model, cwd, title, origin, started, ended, reason, archived, pinned, prompt, metadata = facts
        is_child = parent_key in ids
        return StoredSession(
            id=session_id,
            conversation=conversation or session_id,
            parent=parent if is_child else None,
            link=link if is_child else None,
            fork_message=self._client_id(fork, ids) if fork is not None else None,
            source=source,
            external_id=external_id,
            scope=Scope(user or None, chat or None, project or None),
            model=model,
            cwd=cwd,
            title=title,
            title_origin=origin,
            started_at=started,
            ended_at=ended,
            end_reason=reason,
            archived_at=archived,
            pinned_at=pinned,
            prompt=prompt,
            metadata=metadata,
        )

    def _client_id(self, message: int, ids: Collection[int]) -> str | None:
        row: Any = self._db.execute(
            "SELECT session, client_id FROM messages WHERE id = ?", (message,)
        ).fetchone()
        return row[1] if row and row[0] in ids else None

    def _messages(
        self, session: str, ids: "array[int]", told: set[str]
    ) -> Iterator[StoredBlob | StoredMessage]:
        if not ids:
            return
        rows = self._db.execute(
            f"SELECT coalesce(p.is_left, 0), {MESSAGE_COLUMNS} FROM carray(?) AS wanted CROSS JOIN messages AS m ON m.id = wanted.value"
            " LEFT JOIN placed AS p ON p.session = m.session AND p.message = m.id",
            (apsw.carray(ids),),
        )
        for is_left, *values in rows:
            row = Row(*values)
            if is_left:  # what holds it tells so itself
                row = msgspec.structs.replace(row, state="branch")
            if row.parts is not None:
                yield from self._blobs_of(row.parts, told)
            yield StoredMessage(session, row)

    def _blobs_of(self, parts: str, told: set[str]) -> Iterator[StoredBlob]:
        for name in dict.fromkeys(blobs_in(parts)):
            if name in told:
                continue
            told.add(name)
            content = self._blobs.read(name)
            if content is None:
                self._unread.add(name)
                continue
            for start in range(0, max(len(content), 1), PIECE_BYTES):
                yield StoredBlob(name, content[start : start + PIECE_BYTES])

    def _context(self, key: int, ids: dict[int, str]) -> Iterator[StoredContext]:
        rows: list[Any] = self._db.execute(
            f"SELECT m.session, m.client_id, {AS_SENT}, 0, c.position, 0 FROM context AS c JOIN messages AS m ON m.id = c.message"
            " WHERE c.session = :session AND c.is_left_out IS NULL"
            " UNION ALL SELECT m.session, m.client_id, NULL, NULL, NULL, 1, p.behind, p.number FROM placed AS p"
            " JOIN messages AS m ON m.id = p.message WHERE p.session = :session AND m.session <> :session ORDER BY 6, 7, 8",
            {"session": key},
        ).fetchall()
        seen = tuple(StoredSent(*row[1:5]) for row in rows if row[0] in ids)
        left_out = self._left_out(key, ids)
        if seen or left_out:
            yield StoredContext(ids[key], seen, left_out, self._cited(key, ids))

    def _left_out(self, key: int, ids: Collection[int]) -> tuple[str, ...]:
        rows: list[Any] = self._db.execute(
            "SELECT m.session, m.client_id FROM context AS c JOIN messages AS m ON m.id = c.message"
            f" WHERE c.session = ? AND c.is_left_out = {LEFT_OUT} ORDER BY c.position",
            (key,),
        ).fetchall()
        return tuple(client_id for session, client_id in rows if session in ids)

    def _cited(self, key: int, ids: Collection[int]) -> tuple[tuple[str, int], ...]:
        rows: list[Any] = self._db.execute(
            "SELECT m.id, m.text FROM context AS c JOIN messages AS m ON m.id = c.message"
            f" WHERE c.session = ?1 AND m.session = ?1 AND {IS_SUMMARY}",
            (key,),
        ).fetchall()
        named = {
            number: one for summary, text in rows for number, one in cited_in(self._db, summary, text).items()
        }
        found = ((self._client_id(one, ids), number) for number, one in named.items())
        return tuple((client_id, number) for client_id, number in found if client_id is not None)

    def _usage(self, key: int, session: str) -> Iterator[StoredUsage]:
        rows = self._db.execute(
            "SELECT model, request_id, requests, input, output, cache_read, cache_write, reasoning, cost_usd FROM usage"
            " WHERE session = ? ORDER BY model, request_id",
            (key,),
        )
        for row in rows:
            yield StoredUsage(session, Usage(*row))

    def _undos(self, conversation: int, ids: dict[int, str]) -> Iterator[StoredUndo]:
        undos: list[Any] = self._db.execute(
            "SELECT key, session, made_at, redone_at FROM undos WHERE conversation = ? ORDER BY made_at, key",
            (conversation,),
        ).fetchall()
        for undo, session, made_at, redone_at in undos:
            if session in ids:
                moved, ended = self._undone(undo, list(ids)), self._ended_by(undo, ids)
                yield StoredUndo(ids[session], made_at, redone_at, moved, ended)

    def _undone(self, undo: int, keys: list[int]) -> tuple[tuple[str, str, str], ...]:
        rows: list[Any] = self._db.execute(
            "SELECT m.session, m.id, m.client_id, u.state, m.state FROM undone AS u JOIN messages AS m ON m.id = u.message"
            " WHERE u.undo = ?",
            (undo,),
        ).fetchall()
        places = {key: place for place, key in enumerate(keys)}
        seen = sorted((places[session], *facts) for session, *facts in rows if session in places)
        return tuple((client_id, before, now) for _, _, client_id, before, now in seen)

    def _ended_by(self, undo: int, ids: dict[int, str]) -> tuple[str, ...]:
        marks: list[Any] = [
            self._db.execute("SELECT undo FROM sessions WHERE key = ?", (key,)).get for key in ids
        ]
        return tuple(session for session, mark in zip(ids.values(), marks, strict=True) if mark == undo)


def _is_wanted(members: Sequence[_Member], wanted: Wanted) -> bool:
    first = members[0]
    if wanted.source is not None and first.source != wanted.source:
        return False
    if first.archived_at is not None and not wanted.archived:
        return False
    if wanted.since is not None and max(member.last_active_at for member in members) < wanted.since:
        return False
    return wanted.until is None or min(member.started_at for member in members) < wanted.until
