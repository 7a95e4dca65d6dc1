"""Putting a prepared copy in the place of `state.db`, whole or not at all.

With a write-ahead log the content is exchanged, not the file: SQLite takes the write lock, writes all pages to the log and commits.
Every process that has the database open goes on with it and sees the old content or the new. Renaming another file into the place would
not be safe: whoever opens the path between the removal of the old log and the renaming makes a new log for the old file, which the new
file would then take for its own.

Where that cannot be (a rollback journal, a file that is damaged, empty or gone) the old files are moved aside and the new one is renamed
into the place, under the write lock where there still is one. A writer that waited for it finds that the path names another file.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import apsw

from archivist.files import sync_folder
from archivist.records import Patience
from archivist.store.connection import Connection, open_reader, open_writer
from archivist.store.copying import identify, identity_in, shrink_log
from archivist.store.deleting import apply_erased
from archivist.store.erased import Erased
from archivist.store.migrating import migrate
from archivist.store.surroundings import Surroundings
from archivist.store.trouble import (
    BUSY,
    DiskFailed,
    StoreDamaged,
    StoreNotOpened,
    StoreReadOnly,
    naming_trouble,
)

COMPANIONS = ("-wal", "-journal", "-shm")
"""What SQLite keeps beside a database; the first two may hold content."""

SetAside = Callable[[Connection], None]
"""Copies the old content away while nobody can write it; is given a connection that reads it."""


def prepare_copy(path: Path, *, program: str, store_id: str, erased: Path) -> int:
    """Bring a copy to this program's schema, give it a new store id, and delete from it what was deleted elsewhere.

    Args:
        path: The copy.
        program: This program's version.
        store_id: The new id; the lineage stays.
        erased: What must stay away; there may be no such file.

    Returns:
        How many sessions were deleted from it.

    Raises:
        SchemaTooNew, NotOurs, DiskFull, DiskFailed, StoreDamaged: It cannot be.
    """
    with naming_trouble(path), closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as db:
        db.execute("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL").fetchall()
        migrate(db, path, program=program, store_id=store_id)
        with db:
            renew_store_id(db, store_id)
            gone = apply_erased(db, Erased(erased))
    return gone


def renew_store_id(db: Connection, store_id: str) -> None:
    """Give a database a new store id, so that what was derived from other content is not believed; its lineage stays."""
    lineage = identity_in(db).lineage
    db.execute("INSERT OR REPLACE INTO meta VALUES('lineage', ?), ('store_id', ?)", (lineage, store_id))


def can_exchange_content(path: Path) -> bool:
    """Whether the database there can be written to through its log; if not, only its files can be replaced.

    Raises:
        NotOurs: Another program's database stands there: it is left alone.
        StoreReadOnly: Nothing can be written there.
    """
    if not path.is_file() or not path.stat().st_size:
        return False
    try:
        identify(path)  # before anything is opened that could write
        with naming_trouble(path):
            db, _ = open_writer(path)
            with closing(db):
                return bool(db.pragma("journal_mode") == "wal")
    except (StoreDamaged, DiskFailed, StoreNotOpened):
        return False


def exchange_content(
    path: Path, content: Path, *, set_aside: SetAside, world: Surroundings, patience: Patience
) -> None:
    """Give the database at `path` the content of another one, in one transaction.

    Args:
        path: `state.db`; other processes may have it open.
        content: Prepared, and used by nobody else.
        set_aside: Called once nobody can write any more; if it raises, nothing is changed.
        world: Clock and chance, for waiting.
        patience: How long to wait for other writers.

    Raises:
        StoreBusy, DiskFull, DiskFailed, StoreReadOnly, StoreDamaged: The old content stays.
    """
    with naming_trouble(path, patience.seconds), ExitStack() as opened:
        live, _ = open_writer(path)
        opened.callback(live.close)
        _fit(content, int(live.pragma("page_size")))
        source = opened.enter_context(closing(open_reader(content)))
        old = opened.enter_context(closing(open_reader(path)))
        backup = live.backup("main", source, "main")
        opened.callback(backup.finish)
        _insist(lambda: backup.step(0), world, patience)  # takes the write lock; copies nothing
        set_aside(old)
        backup.step(-1)
    shrink_log(path)


@contextmanager
def writing_stopped(path: Path, *, world: Surroundings, patience: Patience) -> Iterator[Connection | None]:
    """Hold the write lock of a database while its files are moved; gives a connection that reads it, or None where it cannot be used.

    Raises:
        StoreBusy: Others kept the lock for longer than the patience.
    """
    with ExitStack() as opened:
        db = None
        if path.is_file() and path.stat().st_size:
            db = _lock(path, opened, world, patience)
        yield db


def _lock(path: Path, opened: ExitStack, world: Surroundings, patience: Patience) -> Connection | None:
    try:
        with naming_trouble(path, patience.seconds):
            db, _ = open_writer(path)
            opened.callback(db.close)
            _insist(lambda: db.execute("BEGIN IMMEDIATE"), world, patience)
            return db
    except (StoreDamaged, DiskFailed, StoreNotOpened, StoreReadOnly):
        return None


def replace_files(path: Path, content: Path, aside: Path) -> None:
    """Move a database and what belongs to it into a folder, and put the content in its place; can be done again after a kill.

    Args:
        path: `state.db`, of which there may be none.
        content: Prepared, and used by nobody else; no longer there once all is done.
        aside: A folder on the same disk.
    """
    if not content.exists():
        return
    for suffix in (*COMPANIONS, ""):  # the database last: a log without it is never opened
        source = path.with_name(path.name + suffix)
        if source.exists():
            source.replace(_free_name(aside / source.name))
    sync_folder(aside)
    sync_folder(path.parent)
    content.replace(path)
    sync_folder(path.parent)


def _free_name(path: Path) -> Path:
    """A name that nothing has: what was moved before a kill is not written over by what came after it."""
    number, name = 1, path
    while name.exists():
        number += 1
        name = path.with_name(f"{path.name}-{number}")
    return name


def _fit(content: Path, page_bytes: int) -> None:
    """Pages go into a log only in the size that its database has."""
    with closing(apsw.Connection(str(content), flags=apsw.SQLITE_OPEN_READWRITE)) as db:
        if db.pragma("page_size") != page_bytes:
            db.execute(f"PRAGMA page_size = {page_bytes}; VACUUM").fetchall()


def _insist(step: Callable[[], object], world: Surroundings, patience: Patience) -> None:
    for pause in patience.pauses(world.monotonic, world.draw):
        try:
            step()
        except BUSY:
            world.sleep(pause)
        else:
            return
    step()
