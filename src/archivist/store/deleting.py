"""Deleting conversations from `state.db`, so that nothing of them stays but what they cost.

Functions inside a transaction. What is still to be done outside the database once it is committed (blobs, the search index, the log)
stands in `meta` until it is done, so a kill on the way delays it and loses nothing; see `store.erasing`.

Foreign keys are not enforced meanwhile: for each row that goes, SQLite would look through whole tables that have no index for it.
`verify` checks every reference.
"""

from array import array
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import apsw
import msgspec

from archivist.records import ArchivistError
from archivist.store.blobs import blobs_in
from archivist.store.erased import Erased, ErasedSession, mark_followed
from archivist.store.imported import OWN_EXPORTS, forget_files
from archivist.store.messages import record_changes
from archivist.store.places import let_go_unheld
from archivist.store.scopes import Scopes, is_seen
from archivist.store.sessions import seal_session
from archivist.store.spending import keep_spending
from archivist.store.titles import read_titles

PENDING: Final = "erasing"
"""The key in `meta` under which stands what the index and the log still hold."""
PENDING_BLOB: Final = "erasing blob "
"""The beginning of a key that ends in the name of a blob of which nobody may have need any more."""
TEXTS: Final = (
    "octet_length(m.text) + coalesce(octet_length(m.parts), 0) + coalesce(octet_length(m.tool_calls), 0)"
    " + coalesce(octet_length(m.reasoning), 0) + coalesce(octet_length(m.metadata), 0)"
)


class OutsideScope(ArchivistError):
    """A part of the conversation lies where the reader may not look, and a conversation goes whole or not at all."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"conversation {name!r} was not deleted: a part of it lies in a scope that is not yours; delete it as the owner"
        )


class Outline(msgspec.Struct, frozen=True):
    """A conversation in numbers; `bytes` are those of its messages' texts, `forks` are among its sessions."""

    conversation: int
    id: str
    title: str | None
    sessions: int
    messages: int
    bytes: int
    last_active_at: int
    forks: int = 0


class Pending(msgspec.Struct, frozen=True):
    """What deletions left to do: the index must follow changes up to `seq`; no message below `first` has gone."""

    seq: int
    first: int


def outline(db: apsw.Connection, conversation: int) -> Outline:
    """What a conversation is, in numbers; its title is the one that lists show, and only where its first line has none that of a fork."""
    sessions, active, forks, other, name = db.execute(
        "SELECT count(*), max(max(s.last_active_at, s.started_at)), sum(s.link IS 'fork'),"
        " (SELECT t.title FROM sessions AS t WHERE t.conversation = s.conversation AND t.title IS NOT NULL"
        " ORDER BY t.key DESC LIMIT 1),"
        " coalesce((SELECT r.id FROM sessions AS r WHERE r.key = s.conversation), min(s.id))"
        " FROM sessions AS s WHERE s.conversation = ?",
        (conversation,),
    ).get
    messages, size = db.execute(
        f"SELECT count(*), coalesce(sum({TEXTS}), 0) FROM messages AS m WHERE m.conversation = ?",
        (conversation,),
    ).get
    own = read_titles(db, [conversation], None, derived=False).get(conversation)
    return Outline(conversation, name, own.title if own else other, sessions, messages, size, active, forks)


def is_whole(db: apsw.Connection, conversation: int, scopes: Scopes) -> bool:
    """Whether all of a conversation may be seen."""
    rows = db.execute("SELECT DISTINCT scope FROM sessions WHERE conversation = ?", (conversation,))
    return all(is_seen(scope, scopes) for (scope,) in rows)


def members_of(db: apsw.Connection, conversation: int) -> dict[int, ErasedSession]:
    """The sessions of a conversation by key, as they are named when they are gone."""
    rows = db.execute(
        "SELECT key, source, external_id, id FROM sessions WHERE conversation = ? ORDER BY key",
        (conversation,),
    )
    return {key: ErasedSession(*names) for key, *names in rows}


def delete_sessions(db: apsw.Connection, keys: Collection[int]) -> None:
    """Remove sessions and all that is theirs; what they used stays counted, their blobs are noted."""
    if not keys:
        return
    ids = _message_ids(db, keys)
    _forget_files_of(db, keys)
    _note_blobs(db, ids)
    _part_from_notes(db, keys)
    keep_spending(db, keys)
    _forget_requests(db, keys)
    with _without_foreign_keys(db):
        for statement in (
            "DELETE FROM context WHERE session IN (SELECT value FROM carray(?))",
            "DELETE FROM placed WHERE session IN (SELECT value FROM carray(?))",
            "DELETE FROM undone WHERE undo IN (SELECT key FROM undos WHERE session IN (SELECT value FROM carray(?)))",
            "DELETE FROM undos WHERE session IN (SELECT value FROM carray(?))",
        ):
            db.execute(statement, (apsw.carray(array("q", keys)),))
        _delete_messages(db, ids)
        db.execute(
            "DELETE FROM sessions WHERE key IN (SELECT value FROM carray(?))",
            (apsw.carray(array("q", keys)),),
        )
    record_changes(db, "removed", ids)
    note_pending(db, ids)


def _forget_requests(db: apsw.Connection, keys: Collection[int]) -> None:
    from archivist.store.requests import forget_requests  # noqa: PLC0415 - opening needs none of it

    with _without_foreign_keys(db):
        forget_requests(db, keys)


def _delete_messages(db: apsw.Connection, ids: Collection[int]) -> None:
    if ids:
        for column, table in (("message", "raw_prints"), ("id", "messages")):
            db.execute(
                f"DELETE FROM {table} WHERE {column} IN (SELECT value FROM carray(?))",
                (apsw.carray(array("q", ids)),),
            )


def apply_erased(db: apsw.Connection, erased: Erased) -> int:
    """Delete everything that the file names, inside a transaction, and remember that all of it was followed.

    For whatever puts sessions into a database past `StateStore.receive`: an older copy of it, or what was salvaged.

    Returns:
        How many sessions went.
    """
    from archivist.store.proposals import erase  # noqa: PLC0415 - opening needs none of it

    names = erased.names()
    keys = [
        key
        for key, name, source, external in db.execute("SELECT key, id, source, external_id FROM sessions")
        if name in names.sessions or (source, external) in names.external
    ]
    conversations = _conversations_of(db, keys)
    summaries = _summaries_of(db, conversations, keys)
    delete_sessions(db, keys)
    _delete_summaries(db, summaries)
    part_from_notes(db, names.sessions, names.external)
    if erase(db, names.proposals):
        note_pending(db)
    forget_files(db)  # a line that was removed lets a session back in
    for conversation in conversations:
        _part_from_the_gone(db, conversation)
    mark_followed(db, names.look)
    return len(keys)


def part_from_notes(
    db: apsw.Connection, session_ids: Collection[str], hosts: Collection[tuple[str, str]]
) -> None:
    """Remove the snapshots of sessions that go, their words from proposals, and their ids from the uses of entries, which have no words.

    Args:
        db: A connection.
        session_ids: Our ids.
        hosts: Programs and their ids of sessions: a host's may have a snapshot before it is known here.
    """
    from archivist.store.frozen import thaw  # noqa: PLC0415 - opening needs none of it
    from archivist.store.proposals import leave_quotes  # noqa: PLC0415 - as above
    from archivist.store.uses import leave_sessions  # noqa: PLC0415 - as above

    thaw(db, session_ids=session_ids, hosts=hosts)
    leave_sessions(db, session_ids)
    leave_quotes(db, session_ids)


def read_pending(db: apsw.Connection) -> Pending | None:
    """What deletions left to do; None if nothing. Where the note is damaged, everything."""
    stored: str | bytes | None = db.execute("SELECT value FROM meta WHERE key = ?", (PENDING,)).get
    try:
        return None if stored is None else msgspec.json.decode(stored, type=Pending)
    except (msgspec.DecodeError, TypeError, UnicodeDecodeError):
        return Pending(0, 0)


def pending_blobs(db: apsw.Connection) -> list[str]:
    """Names of blobs of which nobody may have need any more."""
    rows = db.execute("SELECT key FROM meta WHERE key BETWEEN ? AND ?", (PENDING_BLOB, PENDING_BLOB + "g"))
    return [key.removeprefix(PENDING_BLOB) for (key,) in rows]


def forget_blobs(db: apsw.Connection, names: Collection[str]) -> None:
    """These blobs have been seen to."""
    db.executemany("DELETE FROM meta WHERE key = ?", [(PENDING_BLOB + name,) for name in names])


def forget_pending(db: apsw.Connection, done: Pending) -> None:
    """The index and the log hold nothing any more of what went, unless more has gone meanwhile."""
    if read_pending(db) == done:
        db.execute("DELETE FROM meta WHERE key = ?", (PENDING,))


def all_blobs(db: apsw.Connection, after: int = 0) -> set[str]:
    """The blobs to which messages with a higher id than `after` refer."""
    rows = db.execute("SELECT parts FROM messages WHERE parts IS NOT NULL AND id > ?", (after,))
    return {name for (parts,) in rows for name in blobs_in(parts)}


def named_blobs(db: apsw.Connection, wanted: Collection[str], after: int = 0) -> set[str]:
    """Which of these blobs a message with a higher id than `after` refers to."""
    return all_blobs(db, after) & set(wanted)


def _message_ids(db: apsw.Connection, keys: Collection[int]) -> list[int]:
    rows = db.execute(
        "SELECT m.id FROM sessions AS s CROSS JOIN messages AS m ON m.conversation = s.conversation AND m.session = s.key"
        " WHERE s.key IN (SELECT value FROM carray(?)) ORDER BY m.id",
        (apsw.carray(array("q", keys)),),
    )
    return [key for (key,) in rows]


def _forget_files_of(db: apsw.Connection, keys: Collection[int]) -> None:
    """The files of these sessions' sources count as never read, so that the next import tells what stays away."""
    sources = {
        source
        for (source,) in db.execute(
            "SELECT DISTINCT source FROM sessions WHERE key IN (SELECT value FROM carray(?))",
            (apsw.carray(array("q", keys)),),
        )
    }
    forget_files(db, {*sources, OWN_EXPORTS})


def _part_from_notes(db: apsw.Connection, keys: Collection[int]) -> None:
    rows: Any = db.execute(
        "SELECT id, source, external_id FROM sessions WHERE key IN (SELECT value FROM carray(?))",
        (apsw.carray(array("q", keys)),),
    ).fetchall()
    hosts = [(source, external) for _, source, external in rows if external is not None]
    part_from_notes(db, [name for name, *_ in rows], hosts)


def _note_blobs(db: apsw.Connection, ids: Sequence[int]) -> None:
    if not ids:
        return
    rows = db.execute(
        "SELECT m.parts FROM carray(?) AS wanted CROSS JOIN messages AS m ON m.id = wanted.value WHERE m.parts IS NOT NULL",
        (apsw.carray(array("q", ids)),),
    )
    names = {name for (parts,) in rows for name in blobs_in(parts)}
    db.executemany(
        "INSERT OR IGNORE INTO meta VALUES(?, '')", [(PENDING_BLOB + name,) for name in sorted(names)]
    )


def note_pending(db: apsw.Connection, ids: Sequence[int] = ()) -> None:
    """Remember, inside a transaction, that words that went stand in the log and in pages, and those of these messages in the index."""
    earlier = read_pending(db)
    seq = int(db.execute("SELECT coalesce(max(seq), 0) FROM changes").get)
    first = min([*ids[:1], *([earlier.first] if earlier else [])], default=1 << 62)
    noted = msgspec.json.encode(Pending(seq, first)).decode()
    db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (PENDING, noted))


def _conversations_of(db: apsw.Connection, keys: Collection[int]) -> list[int]:
    if not keys:
        return []
    rows = db.execute(
        "SELECT DISTINCT conversation FROM sessions WHERE key IN (SELECT value FROM carray(?))",
        (apsw.carray(array("q", keys)),),
    )
    return [key for (key,) in rows]


def _summaries_of(db: apsw.Connection, conversations: Collection[int], keys: Collection[int]) -> list[int]:
    """The summaries in sessions that stay which have words of sessions that go."""
    if not keys:
        return []
    from archivist.store.lines import IS_SUMMARY  # noqa: PLC0415 - opening needs none of it
    from archivist.store.summaries import told_by  # noqa: PLC0415 - as above

    rows: Any = db.execute(
        f"SELECT m.id FROM messages AS m WHERE m.conversation IN (SELECT value FROM carray(?)) AND {IS_SUMMARY}"
        " AND m.session NOT IN (SELECT value FROM carray(?)) ORDER BY m.id",
        (apsw.carray(array("q", conversations)), apsw.carray(array("q", keys))),
    ).fetchall()
    going = set(_message_ids(db, keys))
    return [summary for (summary,) in rows if not going.isdisjoint(told_by(db, summary))]


def _delete_summaries(db: apsw.Connection, summaries: Sequence[int]) -> None:
    if summaries:
        with _without_foreign_keys(db):
            _delete_messages(db, summaries)
        record_changes(db, "removed", summaries)
        note_pending(db, summaries)


def _part_from_the_gone(db: apsw.Connection, conversation: int) -> None:
    """Let what remains of a conversation stand by itself: without a parent that is gone, under a root that is there."""
    keys = [
        key
        for (key,) in db.execute(
            "SELECT key FROM sessions WHERE conversation = ? ORDER BY key", (conversation,)
        )
    ]
    if not keys:
        return
    db.execute(
        "UPDATE sessions SET parent = NULL, link = NULL, fork_message = NULL WHERE conversation = ?"
        " AND parent NOT IN (SELECT key FROM sessions)",
        (conversation,),
    )
    if conversation not in keys:
        ids = [
            key
            for (key,) in db.execute(
                "SELECT id FROM messages WHERE conversation = ? ORDER BY id", (conversation,)
            )
        ]
        for table in ("sessions", "messages", "undos"):
            db.execute(f"UPDATE {table} SET conversation = ? WHERE conversation = ?", (keys[0], conversation))
        record_changes(db, "changed", ids)
    for table in ("context", "undone", "placed"):
        db.execute(f"DELETE FROM {table} WHERE message NOT IN (SELECT id FROM messages)")
    let_go_unheld(db)
    for key in keys:
        seal_session(db, key)


@contextmanager
def _without_foreign_keys(db: apsw.Connection) -> Iterator[None]:
    """Do without the checks; as a setting of the connection, for the pragma does nothing inside a transaction."""
    before = db.config(apsw.SQLITE_DBCONFIG_ENABLE_FKEY, -1)
    db.config(apsw.SQLITE_DBCONFIG_ENABLE_FKEY, 0)
    try:
        yield
    finally:
        db.config(apsw.SQLITE_DBCONFIG_ENABLE_FKEY, before)
