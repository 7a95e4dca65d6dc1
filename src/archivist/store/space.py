"""Giving the free pages of `state.db` back to the disk, in steps so short that nobody who writes meanwhile waits long."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final, Protocol, TypeVar

from archivist.store.connection import Connection, file_bytes, open_writer
from archivist.store.erasing import fold_log
from archivist.store.surroundings import Waiting
from archivist.store.trouble import BUSY, StoreBusy, naming_trouble

T = TypeVar("T")

STEP_SECONDS: Final = 0.01
"""What one step may hold the write lock; the number of pages follows from how long the last one took."""
FIRST_PAGES, FEWEST_PAGES, MOST_PAGES = 64, 8, 4096
STEPPED: Final = 2
"""SQLite's number for `auto_vacuum = INCREMENTAL`."""


class Writes(Protocol):
    """Runs a change in one transaction, as `StateStore.write` does."""

    def __call__(self, change: Callable[[Connection], T]) -> T:
        """The change's result."""
        ...


def free_pages(db: Connection) -> int:
    """Pages of the file that hold nothing."""
    return int(db.execute("PRAGMA freelist_count").get)


def can_give_back(db: Connection) -> bool:
    """Whether the database is of the kind that can be made smaller step by step: every one that was made by this version is."""
    return int(db.pragma("auto_vacuum")) == STEPPED


def give_back(
    path: Path,
    write: Writes,
    *,
    is_late: Callable[[], bool],
    monotonic: Callable[[], float],
    sleep: Callable[[float], None],
) -> bool:
    """Make the file smaller until nothing in it is free, or it is late; whether nothing is left.

    After each step others have the lock for as long as the step took. The file itself shrinks when the log is folded into it.
    """
    pages, steps = FIRST_PAGES, 0
    while True:
        began = monotonic()
        freed, left = write(lambda db, pages=pages: _step(db, pages))  # type: ignore[misc]  # a default of a lambda has no type
        took = monotonic() - began
        steps += bool(freed)
        if not freed or not left or is_late():
            break
        pages = min(max(int(pages * STEP_SECONDS / max(took, 1e-4)), FEWEST_PAGES), 2 * pages, MOST_PAGES)
        sleep(max(took, 1e-3))
    if steps:
        _fold(path)
    return not left


def _fold(path: Path) -> None:
    with naming_trouble(path):
        db, _ = open_writer(path)
        with closing(db):
            fold_log(db)


def _step(db: Connection, pages: int) -> tuple[int, int]:
    """How many pages were given back, and how many more could be."""
    before = free_pages(db) if can_give_back(db) else 0
    if not before:
        return 0, 0
    db.execute(f"PRAGMA incremental_vacuum({pages})").fetchall()
    left = free_pages(db)
    return before - left, left


def rewrite(path: Path, waiting: Waiting) -> int:
    """Write a database anew, without free pages and of the kind that can be made smaller step by step; how many bytes that saved.

    Who reads meanwhile is not held up; who writes waits, some seconds for each GB. It needs as much free disk as the file is large.

    Raises:
        StoreBusy: Somebody wrote all the while; nothing was changed.
        DiskFull, DiskFailed: Nothing was changed.
    """
    with naming_trouble(path, waiting.seconds):
        db, _ = open_writer(path)
        with closing(db):
            before = file_bytes(db)
            db.execute("PRAGMA auto_vacuum = INCREMENTAL")
            if not waiting.until(lambda: _vacuum(db)):
                raise StoreBusy(path, waiting.seconds)
            waiting.until(lambda: fold_log(db))
            return before - file_bytes(db)


def _vacuum(db: Connection) -> bool:
    try:
        db.execute("VACUUM")
    except BUSY:
        return False
    return True
