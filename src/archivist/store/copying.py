"""Copies of `state.db`, made while others write.

A copy is one moment of the database in one file that needs no log beside it. It is made by SQLite's own backup within one read
transaction, so that no writer waits for it and it never begins again. How a copy takes the place of the database is told in
`store.exchanging` and `store.replacing`.
"""

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw

from archivist.files import sync_folder
from archivist.store.connection import Connection, connect
from archivist.store.trouble import StoreNotOpened, naming_trouble

PAGES_A_STEP = 1024
"""4 MB, then a sync: were all of it synced at the end, the appends of that moment would wait for it (75 ms in place of 10)."""
LOCKING_PAGES_A_STEP = 64
"""On a rollback journal a reader stops commits: what is held goes in pieces of a quarter of a megabyte."""
MOST_BEGINNINGS = 3
"""Where the copy had to begin again that often because others wrote, they wait for the last one."""

OnPages = Callable[[int, int], None]
"""Takes pages copied and pages in all."""


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
    copy = connect(target)
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
        with closing(connect(path)) as db:
            db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    except (apsw.Error, StoreNotOpened):
        return  # somebody is at it, or may not write: the next append does it
