"""Copies of `state.db`: made while others write, compared with one another, put in the place of what they are copies of.

A copy is one moment of the database in one file that needs no log beside it. It is made by SQLite's own backup within one read
transaction, so that no writer waits for it and it never begins again. How a
copy takes the place of the database is told in `store.exchanging`.

A *lineage* is the first store id that a history had. Restoring gives a database a new store id, so that what was derived from the
other content is not believed; the lineage stays.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw
import msgspec

from archivist.files import sync_folder
from archivist.store.blobs import Blobs
from archivist.store.connection import Connection, open_reader
from archivist.store.migrating import APPLICATION_ID, NotOurs, check_version, schema_version
from archivist.store.schema import MIGRATIONS
from archivist.store.trouble import StoreDamaged, StoreNotOpened, naming_trouble
from archivist.store.verifying import MOST_PROBLEMS, verify

PAGES_A_STEP = 1024
"""4 MB, then a sync: were all of it synced at the end, the appends of that moment would wait for it (75 ms in place of 10)."""
LOCKING_PAGES_A_STEP = 64
"""On a rollback journal a reader stops commits: what is held goes in pieces of a quarter of a megabyte."""
MOST_BEGINNINGS = 3
"""Where the copy had to begin again that often because others wrote, they wait for the last one."""

OnPages = Callable[[int, int], None]
"""Takes pages copied and pages in all."""


class Identity(msgspec.Struct, frozen=True):
    """Which history a database holds.

    Attributes:
        store_id: Random, renewed by a restore.
        lineage: The first store id that this history had.
        schema: How many migrations it has seen.
        program: The version that last changed the schema.
    """

    store_id: str
    lineage: str
    schema: int
    program: str


class Difference(msgspec.Struct, frozen=True):
    """What one state has that another has not.

    Attributes:
        conversations: How many whole conversations.
        messages: How many messages, those of whole conversations included.
        examples: Ids and titles of some conversations with such messages, most recently active first.
    """

    conversations: int
    messages: int
    examples: tuple[tuple[str, str | None], ...] = ()


# ---- copying ----


def copy_database(source: Connection, target: Path, *, on_pages: OnPages | None = None) -> None:
    """Copy a database into a new file, synced, readable by its owner alone.

    Args:
        source: A connection that reads, outside any transaction. A writer never waits for it.
        target: Must not be there yet.
        on_pages: Called after every step.

    Raises:
        DiskFull, DiskFailed, StoreReadOnly, StoreBusy, StoreDamaged: The target is left half-written.
        OSError: It could not be made or synced.
    """
    handle = os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with naming_trouble(target), closing(_unsynced(target)) as copy:
            _copy(source, copy, lambda: os.fsync(handle), on_pages)
            copy.execute(
                "PRAGMA journal_mode = DELETE"
            ).fetchall()  # so that it opens without a log beside it
        os.fsync(handle)
    finally:
        os.close(handle)
    sync_folder(target.parent)


def _unsynced(target: Path) -> Connection:
    copy = apsw.Connection(str(target), flags=apsw.SQLITE_OPEN_READWRITE)
    copy.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF").fetchall()
    return copy


def _copy(source: Connection, copy: Connection, sync: Callable[[], None], on_pages: OnPages | None) -> None:
    if source.pragma("journal_mode") != "wal":
        _copy_steps(source, copy, LOCKING_PAGES_A_STEP, sync, on_pages)
        return
    source.execute("BEGIN")
    try:
        source.execute("SELECT count(*) FROM sqlite_schema").fetchall()  # takes the snapshot
        _copy_steps(source, copy, PAGES_A_STEP, sync, on_pages)
    finally:
        source.execute("ROLLBACK")


def _copy_steps(
    source: Connection, copy: Connection, pages: int, sync: Callable[[], None], on_pages: OnPages | None
) -> None:
    with copy.backup("main", source, "main") as backup:
        beginnings, done = 1, 0
        while not backup.done:
            backup.step(pages if beginnings <= MOST_BEGINNINGS else -1)
            sync()
            beginnings += backup.page_count - backup.remaining <= done
            done = backup.page_count - backup.remaining
            if on_pages:
                on_pages(done, backup.page_count)


def shrink_log(path: Path) -> None:
    """Fold what was written during a copy into the file, without making anyone wait.

    A copy's snapshot keeps the log from being folded. Were it left to the next append, that append would take as long as all of it.
    """
    try:
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as db:
            db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    except apsw.Error:
        return  # somebody is at it, or may not write: the next append does it


# ---- what a copy is ----


@contextmanager
def opened_copy(path: Path) -> Iterator[Connection]:
    """A connection that reads a database and leaves no byte changed.

    Raises:
        StoreNotOpened, StoreDamaged, NotOurs: It is none of ours, or cannot be read.
    """
    if not path.is_file():
        raise StoreNotOpened(path, "it is not there")
    try:
        with naming_trouble(path), closing(open_reader(path)) as db:
            if db.pragma("application_id") != APPLICATION_ID:
                raise NotOurs(path)
            yield db
    except apsw.SQLError as error:  # tables or columns that are not there
        raise StoreDamaged(path, str(error)) from error


def identify(path: Path) -> Identity:
    """Which history a database holds.

    Raises:
        StoreNotOpened, StoreDamaged, NotOurs, DiskFailed: It is none of ours, or cannot be read.
    """
    with opened_copy(path) as db:
        return identity_in(db)


def identity_in(db: Connection) -> Identity:
    """Which history the database of a connection holds.

    Raises:
        StoreDamaged: It does not say.
    """
    meta = {str(key): str(value) for key, value in db.execute("SELECT key, value FROM meta")}
    if not {"store_id", "program"} <= meta.keys():
        raise StoreDamaged(Path(db.filename), "it does not say which history it holds")
    store_id = meta["store_id"]
    return Identity(store_id, meta.get("lineage", store_id), schema_version(db), meta["program"])


def problems_of_copy(
    path: Path, media: Path, *, on_progress: Callable[[int], None] | None = None
) -> list[str]:
    """Everything that is wrong with a copy: its structure, its rows' hashes, its references, the blobs that it names.

    An older schema is only checked for its structure; its rows are proven once it is migrated.

    Raises:
        SchemaTooNew: A later program wrote it.
        StoreNotOpened, NotOurs, DiskFailed: It cannot be looked at.
    """
    try:
        with opened_copy(path) as db:
            check_version(db, path)
            if schema_version(db) == len(MIGRATIONS):
                return list(verify(db, Blobs(media), on_progress=on_progress).problems)
            found = [str(row[0]) for row in db.execute(f"PRAGMA integrity_check({MOST_PROBLEMS})")]
            return [] if found == ["ok"] else found
    except StoreDamaged as error:
        return [str(error)]


def counts_of(db: Connection) -> dict[str, int]:
    """How many conversations, sessions and messages a database holds."""
    queries = {
        "conversations": "SELECT count(DISTINCT conversation) FROM sessions",
        "sessions": "SELECT count(*) FROM sessions",
        "messages": "SELECT count(*) FROM messages",
    }
    return {name: int(db.execute(query).get) for name, query in queries.items()}


def bytes_of(db: Connection) -> int:
    """How large the file of a database is with everything in it."""
    return int(db.pragma("page_count")) * int(db.pragma("page_size"))


def has_session(db: Connection, session_id: str) -> bool:
    """Whether a database has a session of that id."""
    return db.execute("SELECT 1 FROM sessions WHERE id = ?", (session_id,)).get is not None


def blobs_named_in(db: Connection) -> set[str]:
    """The blobs that the rows of a database name."""
    rows = db.execute("SELECT parts FROM messages WHERE parts IS NOT NULL")
    return {str(part["blob"]) for (parts,) in rows for part in msgspec.json.decode(parts) if part.get("blob")}


def difference(path: Path, other: Path, *, most_examples: int = 10) -> Difference:
    """What the database at `path` has that the one at `other` has not.

    Messages are the same when the id of their conversation and their client id are.

    Raises:
        StoreNotOpened, StoreDamaged, NotOurs, DiskFailed: One of them cannot be read.
    """
    with opened_copy(other), opened_copy(path) as db:
        db.execute("PRAGMA query_only = OFF; PRAGMA temp_store = MEMORY").fetchall()
        db.execute("ATTACH ? AS other", (str(other),))  # read-only as the connection is
        db.execute(ONLY_HERE)
        messages = db.execute("SELECT coalesce(sum(messages), 0) FROM temp.only_here").get
        examples = db.execute(EXAMPLES, (most_examples,)).fetchall()
        whole = db.execute(WHOLE_CONVERSATIONS).get
    named = tuple((str(name), None if title is None else str(title)) for name, title in examples)
    return Difference(int(whole), int(messages), named)


ONLY_HERE = """
    CREATE TEMP TABLE only_here AS
    SELECT m.conversation AS conversation, count(*) AS messages
    FROM main.messages AS m
    JOIN main.sessions AS s ON s.key = m.conversation
    LEFT JOIN other.sessions AS o ON o.id = s.id
    WHERE o.key IS NULL OR NOT EXISTS (
        SELECT 1 FROM other.messages AS om WHERE om.conversation = o.conversation AND om.client_id = m.client_id)
    GROUP BY m.conversation
"""
WHOLE_CONVERSATIONS = """
    SELECT count(*) FROM main.sessions AS s
    WHERE s.key = s.conversation AND NOT EXISTS (SELECT 1 FROM other.sessions AS o WHERE o.id = s.id)
"""
EXAMPLES = """
    SELECT s.id, s.title FROM temp.only_here AS h JOIN main.sessions AS s ON s.key = h.conversation
    ORDER BY s.last_active_at DESC, s.key LIMIT ?
"""
