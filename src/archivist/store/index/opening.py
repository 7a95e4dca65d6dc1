"""The file `index.db`: which one it is, how it is opened, replaced, and who may write to it.

Whatever changes the file or puts another in its place happens under a lease: a lock file that the system
frees when its holder dies. A new index is made beside the old one and renamed into its place, so a file under this
path always has tables. Readers take no lease: a reader trusts a connection only while the path still names
the file that it opened, since the file, its log and its shared memory must be of one kind.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import apsw
import msgspec

from archivist.files import FileLocked, FileNotWritten, locked
from archivist.store.connection import file_system_of, is_remote
from archivist.store.index.pages import LOG_PAGES, PAGE_BYTES, close_proven, open_proven
from archivist.store.index.tables import create_tables

CACHE_KIB = 16_384
LOG_LIMIT_BYTES = 4 << 20  # what the log shrinks to once its pages have moved
BUSY_MILLISECONDS = 250
_COMPANIONS = ("-wal", "-shm", "-journal")

Identity = tuple[int, int]
"""Device and inode: another pair under the same path is another file."""


class Opened(msgspec.Struct, frozen=True):
    """A connection and the file that it was opened on, if it was opened on one."""

    db: apsw.Connection
    path: Path
    identity: Identity | None

    @property
    def is_current(self) -> bool:
        """Whether the path still names that file."""
        return identity_of(self.path) == self.identity


def identity_of(path: Path) -> Identity | None:
    """The file under a path; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def open_existing(path: Path) -> Opened | None:
    """The index as it is; None if there is no file. Where it cannot be written, it can be read.

    Raises:
        apsw.Error: When it cannot be opened, or is no database.
    """
    identity = identity_of(path)
    if identity is None:
        return None
    if not path.is_file():
        raise apsw.NotADBError("it is not a file")
    try:
        db = _connect(path, apsw.SQLITE_OPEN_READWRITE)
    except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.FullError, apsw.IOError):
        db = _connect_reading(path)
    opened = Opened(db, path, identity)
    if opened.is_current:
        return opened
    close_proven(opened.db)
    return open_existing(path)


def begin_again(path: Path, store_id: str) -> None:
    """Put an empty index in the place of whatever is there; only under the lease.

    Raises:
        OSError, apsw.Error: When the folder cannot be written.
    """
    fresh = path.with_name(f"{path.name}-new")
    for leftover in (fresh, path):
        _remove(leftover)
    fresh.touch(mode=0o600)  # SQLite's own mode would follow the umask
    db = _connect(fresh, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
    try:
        create_tables(db, store_id)
    finally:
        db.close()
    fresh.replace(path)


@contextmanager
def leased(path: Path, patience_seconds: float = 0.0) -> Iterator[bool]:
    """Hold the lease on an index if it is free or becomes free in time; the value says whether it is held."""
    with ExitStack() as held:
        try:
            held.enter_context(locked(path.with_name(f"{path.name}.lock"), seconds=patience_seconds))
        except (FileLocked, FileNotWritten):
            yield False
            return
        yield True


def _connect(path: Path, flags: int) -> apsw.Connection:
    db = open_proven(str(path), flags)
    try:
        db.set_busy_timeout(BUSY_MILLISECONDS)
        db.execute(f"PRAGMA page_size = {PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA mmap_size = 0")
        db.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        journal = "DELETE" if is_remote(file_system_of(path)) else "WAL"
        db.execute(f"PRAGMA journal_mode = {journal}").fetchall()
        db.execute(f"PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = {LOG_LIMIT_BYTES}")
        db.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}").fetchall()
    except apsw.Error:
        db.close()
        raise
    return db


def _connect_reading(path: Path) -> apsw.Connection:
    """A connection that only reads; without a log where there is none, since none could be put beside it."""
    log = path.with_name(f"{path.name}-wal")
    is_still = not (log.exists() and log.stat().st_size)
    name = f"{path.absolute().as_uri()}?immutable=1" if is_still else str(path)
    db = open_proven(name, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    db.set_busy_timeout(BUSY_MILLISECONDS)
    return db


def _remove(path: Path) -> None:
    """Remove a database, its log and its shared memory; what is not a file is moved aside instead."""
    if path.is_dir() and not path.is_symlink():
        from shutil import move  # noqa: PLC0415 - loads every compression there is; rare

        move(path, _free_name(path))
    for name in (path, *(path.with_name(path.name + suffix) for suffix in _COMPANIONS)):
        with suppress(FileNotFoundError):
            name.unlink()


def _free_name(path: Path) -> Path:
    number = 1
    while (name := path.with_name(f"{path.name}-aside-{number}")).exists():
        number += 1
    return name
