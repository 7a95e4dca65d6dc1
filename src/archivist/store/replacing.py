"""Putting another file in the place of `state.db`, so that a kill at any instant leaves the one or the other.

For what cannot be exchanged through the log (see `store.exchanging`): a rollback journal, a file that is damaged, empty or gone. The
new file is whole and synced before anything moves, under a name of its own beside the old one. While that name is there the exchange is
under way: whoever opens the database finishes it first, under the lock that everyone holds who replaces the database in whatever way.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

import apsw

from archivist.config.home import ASIDE
from archivist.files import FileNotWritten, free_name, locked, make_folder, move_durably, sync_folder
from archivist.records import ArchivistError
from archivist.store.beginning import is_blank
from archivist.store.connection import COMPANIONS, connect, connect_unchanging, identity_of
from archivist.store.identity import identity_in, opened_copy
from archivist.store.trouble import (
    BUSY,
    StoreBusy,
    StoreDamaged,
    StoreNotOpened,
    disk_trouble,
    naming_trouble,
)

WAITING: Final = "-replacing"
LOCK: Final = ".replacing.lock"
LOCK_SECONDS: Final = 900.0
"""Salvaging a gigabyte takes a few minutes; others wait for it."""
RECORD: Final = "set_aside"
"""The key in `meta` under which a database names the folder of the files that it replaces."""
DAMAGED: Final = "-damaged-"
"""What the names of the folders have in common into which salvages move files."""

Identity = tuple[int, int]
"""Which file it is, as `identity_of` tells it."""


@contextmanager
def replacing(path: Path) -> Iterator[None]:
    """Hold the lock of whoever replaces the database; what an earlier holder left behind is finished first.

    Raises:
        FileLocked: Another process held it for a quarter of an hour.
        OSError: It cannot be held here.
    """
    with ExitStack() as held:
        try:
            held.enter_context(locked(path.with_name(path.name + LOCK), seconds=LOCK_SECONDS))
        except FileNotWritten as error:  # whoever opens the database names it
            raise error.reason from error
        if is_being_replaced(path):
            exchange(path)
        yield


def is_being_replaced(path: Path) -> bool:
    """Whether another file is on its way into the place of this one, or was when its process was killed."""
    return waiting_file(path).exists()


def finish_replacement(path: Path) -> Path | None:
    """Finish what was begun, or wait for whoever is at it.

    Returns:
        Where the database was set aside that should have taken the place, because it cannot be read; None where it could.

    Raises:
        FileLocked, StoreDamaged, StoreReadOnly, DiskFull, DiskFailed: It stays to be finished.
    """
    waiting = waiting_file(path)
    file = identity_of(waiting)
    try:
        with replacing(path):
            kept = (path.parent / ASIDE).glob(f"{waiting.name}*")
            return next((place for place in kept if identity_of(place) == file), None)
    except OSError as error:
        raise disk_trouble(path, error) from error


@contextmanager
def writers_held(path: Path, seconds: float) -> Iterator[None]:
    """Keep others from writing to a database, where SQLite can still open it.

    Raises:
        StoreBusy: Another one writes and does not end.
    """
    try:
        db = None if is_blank(path) else connect(path)  # SQLite would remove the log of a blank one
    except StoreNotOpened:  # what cannot be opened is not written to
        db = None
    if db is None:
        yield
        return
    try:
        db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)  # its log is to be set aside as it is
        db.set_busy_timeout(int(seconds * 1000))
        try:
            db.execute("BEGIN IMMEDIATE")
        except BUSY as error:
            raise StoreBusy(path, seconds) from error
        except apsw.Error:
            pass  # as above
        yield
    finally:
        db.close()


def replace_file(path: Path, content: Path, aside: Path) -> None:
    """Put a database in the place of another; only while `replacing`.

    Args:
        path: `state.db`, of which there may be none.
        content: Whole, on the same disk, used by nobody else; it is gone afterwards.
        aside: The folder below that of `path` into which the old files are moved, untouched.

    Raises:
        apsw.Error, OSError: Nothing has moved, or the next opening goes on with it.
    """
    _record(content, aside.relative_to(path.parent).as_posix())
    move_durably(content, waiting_file(path))
    exchange(path)


def continues(path: Path, file: Identity | None, first_id: str | None) -> bool:
    """Whether the database there goes on with a history: by its first id, or as what a salvage made that could not read it.

    Args:
        path: `state.db`, which is another file now.
        file: The one in which the history was.
        first_id: None where that did not say which history it held.
    """
    try:
        with opened_copy(path) as db:
            if first_id in {None, identity_in(db).first_id}:
                return True
            aside = str(db.execute("SELECT value FROM meta WHERE key = ?", (RECORD,)).get or "")
        return DAMAGED in aside and any(identity_of(kept) == file for kept in (path.parent / aside).iterdir())
    except (ArchivistError, OSError):
        return False


def exchange(path: Path) -> None:
    """Let the database that waits take its place, or go on with that; only while `replacing`. One that is damaged is set aside."""
    waiting = waiting_file(path)
    try:
        aside = _aside_of(path)
    except StoreDamaged:  # what was there before is all that there is
        place = free_name(path.parent / ASIDE / waiting.name)
        make_folder(place.parent)
        move_durably(waiting, place)
        return
    make_folder(aside)
    if identity_of(path) != identity_of(waiting):
        for suffix in COMPANIONS:
            _move(path.with_name(path.name + suffix), aside)
        _keep(path, aside)
        sync_folder(aside)
        _take_place(waiting, path)
    # of somebody who opened the old file at this very moment, and will find it replaced
    for suffix in COMPANIONS:
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    sync_folder(path.parent)
    waiting.unlink(missing_ok=True)
    sync_folder(path.parent)


def waiting_file(path: Path) -> Path:
    """Where a database waits that is whole and is about to take the place of the other."""
    return path.with_name(path.name + WAITING)


def _record(content: Path, aside: str) -> None:
    db = connect(content)
    try:
        # a journal that a kill leaves would be taken for that of the next file of this name
        db.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF").fetchall()
        db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (RECORD, aside))
    finally:
        db.close()
    with content.open("rb") as file:
        os.fsync(file.fileno())


def _aside_of(path: Path) -> Path:
    """The folder that a waiting database names for the files which it replaces."""
    waiting = waiting_file(path)
    with naming_trouble(waiting), closing(connect_unchanging(waiting)) as db:
        name: str | None = db.execute("SELECT value FROM meta WHERE key = ?", (RECORD,)).get
    if name is None:
        raise StoreDamaged(waiting, "it does not say where the old file goes")
    return path.parent / name


def _move(file: Path, aside: Path) -> None:
    if file.exists():
        file.replace(free_name(aside / file.name))


def _keep(path: Path, aside: Path) -> None:
    """A second name for the old file, so that its own is never without a file."""
    if not path.exists() or any(identity_of(kept) == identity_of(path) for kept in aside.iterdir()):
        return
    place = free_name(aside / path.name)
    try:
        os.link(path, place)
    except OSError:  # a file system without second names
        path.replace(place)


def _take_place(waiting: Path, path: Path) -> None:
    """Put the new database under the name of the old one; its waiting name stays until all is done."""
    twin = waiting.with_name(f"{waiting.name}-too")
    twin.unlink(missing_ok=True)
    try:
        os.link(waiting, twin)
    except OSError:
        waiting.replace(path)
    else:
        twin.replace(path)
