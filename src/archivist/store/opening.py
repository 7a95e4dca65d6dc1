"""Opening `state.db` for whoever writes, and for whoever can only read; noticing at once what is wrong with it.

What is looked at takes less than a millisecond: whether the first and the last rows can be read, and whether SQLite has read the log to
its end. Only `verify` reads everything.
"""

import errno
import threading
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import apsw
import msgspec

from archivist.files import make_folder
from archivist.records import Notice, Patience
from archivist.store.connection import Connection, is_foreign, open_reader, open_writer
from archivist.store.migrating import (
    APPLICATION_ID,
    NotOurs,
    SchemaTooNew,
    check_version,
    migrate,
    schema_version,
)
from archivist.store.schema import MIGRATIONS
from archivist.store.surroundings import Surroundings
from archivist.store.trouble import (
    DiskFull,
    StoreBusy,
    StoreDamaged,
    StoreNotOpened,
    StoreReadOnly,
    naming_trouble,
)
from archivist.store.writer import Writer

PROBES: Final = tuple(
    f"SELECT {columns} FROM {table} ORDER BY {key} {direction} LIMIT 1"
    for table, key, columns in (
        ("messages", "id", "id, session, role"),
        ("sessions", "key", "key, id, scope"),
        ("changes", "seq", "seq, kind, last_message"),
        ("scopes", "key", "key, user"),
    )
    for direction in ("ASC", "DESC")
)


class Opened(msgspec.Struct, frozen=True):
    """What was opened; without a writer it can only be read."""

    writer: Writer | None
    notices: tuple[Notice, ...]


class OpenFiles:
    """Which databases this process has open: closing a file of theirs by hand would end SQLite's locks on it."""

    def __init__(self) -> None:
        self._counts: Counter[Path] = Counter()
        self._guard = threading.Lock()

    def add(self, path: Path) -> None:
        """One more has it open."""
        with self._guard:
            self._counts[path.absolute()] += 1

    def remove(self, path: Path) -> None:
        """One fewer has."""
        with self._guard:
            self._counts[path.absolute()] -= 1

    def has(self, path: Path) -> bool:
        """Whether anyone has."""
        return self._counts[path.absolute()] > 0


OPEN_FILES: Final = OpenFiles()


def open_file(path: Path, *, program: str, world: Surroundings, patience: Patience) -> Opened:
    """Open a database, and make or migrate its tables.

    Raises:
        StoreDamaged: It is damaged in a way that shows at once.
        StoreNotOpened, StoreReadOnly, SchemaTooNew, NotOurs, StoreBusy, DiskFull: See there.
    """
    if is_being_exchanged(path):
        from archivist.store.salvage.swapping import finish_exchange  # noqa: PLC0415 - salvage is rare

        finish_exchange(path)
    if is_foreign(path, APPLICATION_ID):
        raise _foreign(path)
    notices = (*_notice_empty_file(path, world), *_notice_missing_log(path))
    try:
        make_folder(path.parent)
        path.touch(mode=0o600)  # SQLite's own mode would follow the umask; its log takes the file's
        opened = _open_patiently(path, program, world, patience)
    except (StoreReadOnly, StoreNotOpened, OSError) as error:
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            raise DiskFull(path) from error
        opened = Opened(None, _open_for_reading(path, error))
    if is_being_exchanged(path):  # since the first look: this connection is to the old file
        if opened.writer:
            opened.writer.close()
        return open_file(path, program=program, world=world, patience=patience)
    return Opened(opened.writer, notices + opened.notices)


def was_salvaged(path: Path) -> bool:
    """Whether the database there was made by a salvage."""
    try:
        with naming_trouble(path):
            db = open_reader(path)
            try:
                return bool(db.execute("SELECT 1 FROM meta WHERE key = 'salvaged'").get)
            finally:
                db.close()
    except (StoreDamaged, StoreNotOpened, StoreBusy, StoreReadOnly):
        return False


def probe(db: Connection, path: Path) -> None:
    """Look at the first and the last rows.

    Raises:
        StoreDamaged: One of them cannot be read.
    """
    if not db.execute("SELECT value FROM meta WHERE key = 'store_id'").get:
        raise StoreDamaged(path, "the id of the store is gone")
    for query in PROBES:
        db.execute(query).fetchall()


def is_being_exchanged(path: Path) -> bool:
    """Whether a salvage is putting another file in the place of this one, or was killed while it did."""
    return path.with_name(f"{path.name}-salvaged").exists()


def _foreign(path: Path) -> NotOurs | StoreDamaged:
    """What to say of a database whose head names another program: that may itself be the damage."""
    from archivist.store.salvage.recognising import has_our_tables  # noqa: PLC0415 - as above

    return StoreDamaged(path, "its head names another program") if has_our_tables(path) else NotOurs(path)


def _open_patiently(path: Path, program: str, world: Surroundings, patience: Patience) -> Opened:
    for pause in patience.pauses(world.monotonic, world.draw):
        try:
            return _open_for_writing(path, program, world, patience)
        except StoreBusy:
            world.sleep(pause)
    return _open_for_writing(path, program, world, patience)


def _open_for_writing(path: Path, program: str, world: Surroundings, patience: Patience) -> Opened:
    with naming_trouble(path), ExitStack() as undo:
        db, notices = open_writer(path)
        undo.callback(db.close)
        try:
            notices += _check_log(db, path)
            migrate(db, path, program=program, store_id=world.new_id())
            probe(db, path)
        except (SchemaTooNew, NotOurs) as error:
            raise _misread(db, path, error, program) from error
        except apsw.SQLError as error:
            raise StoreDamaged(path, str(error)) from error
        undo.pop_all()
    writer = Writer(
        db, path, patience=patience, monotonic=world.monotonic, sleep=world.sleep, draw=world.draw
    )
    return Opened(writer, notices)


def _misread(db: Connection, path: Path, error: SchemaTooNew | NotOurs, program: str) -> Exception:
    """A version that contradicts the tables is damage: they are to the letter as this program makes them."""
    from archivist.store.verifying import altered  # noqa: PLC0415 - rare

    if altered(db):
        return error
    written_by: str | None = db.execute("SELECT value FROM meta WHERE key = 'program'").get
    if written_by is None or _parts(written_by) > _parts(program):
        return error
    return StoreDamaged(path, "its head and its tables contradict each other")


def _parts(version: str) -> tuple[int, ...]:
    """A version's numbers, to compare."""
    return tuple(int(part) for part in version.split(".") if part.isdecimal())


def _open_for_reading(path: Path, error: Exception) -> tuple[Notice, ...]:
    """Where nothing can be written, what is there can still be found, even in a damaged file."""
    if not path.is_file():
        raise StoreReadOnly(path) from error
    with naming_trouble(path):
        db = open_reader(path)
        try:
            check_version(db, path)
            if schema_version(db) < len(MIGRATIONS):
                raise StoreReadOnly(path) from error
            return (Notice("read-only", str(StoreReadOnly(path))), *_notice_damage(db, path))
        finally:
            db.close()


def _notice_damage(db: Connection, path: Path) -> tuple[Notice, ...]:
    try:
        with naming_trouble(path):
            probe(db, path)
    except StoreDamaged as error:
        text = f"{path} is damaged ({error.reason}) and cannot be salvaged where nothing can be written: copy it elsewhere first"
        return (Notice("damaged", text),)
    return ()


def _check_log(db: Connection, path: Path) -> tuple[Notice, ...]:
    """Whether SQLite has read the log to its end; what it passes over, its next write would destroy.

    Raises:
        StoreDamaged: Committed changes stand behind a broken one.
    """
    log = path.with_name(f"{path.name}-wal")
    if not log.exists() or not log.stat().st_size:
        return ()
    from archivist.store.salvage.log import is_read_to_its_end, read_log  # noqa: PLC0415 - a log is left only by a kill

    db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)  # whatever happens here, the log stays
    db.execute("SELECT count(*) FROM sqlite_schema").fetchall()  # has the log read
    frames: Any = db.execute("PRAGMA wal_checkpoint(NOOP)").fetchall()
    found = None
    if not is_read_to_its_end(log, frames[0][1]):
        db.execute("BEGIN IMMEDIATE")  # nobody is writing to it meanwhile
        try:
            found = read_log(log)
        finally:
            db.execute("ROLLBACK")
    if found and found.is_cut:
        raise StoreDamaged(path, "its log is damaged in the middle")
    db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    text = f"the last change in {log} is incomplete: a program was killed while writing it, or the disk has damaged it"
    return (Notice("log-unfinished", text),) if found and found.is_torn else ()


def _notice_missing_log(path: Path) -> tuple[Notice, ...]:
    """A log that its shared memory tells of and that is not there, or not whole: what stood in it is gone."""
    shared = path.with_name(f"{path.name}-shm")
    if not shared.exists() or OPEN_FILES.has(path):
        return ()
    from archivist.store.salvage.log import frames_of_log, pages_not_folded_in  # noqa: PLC0415 - left only by a kill

    log = path.with_name(f"{path.name}-wal")
    needed = pages_not_folded_in(shared)
    missing = needed - frames_of_log(log)
    if missing <= 0 or pages_not_folded_in(shared) != needed:  # else somebody is at work on it
        return ()
    text = (
        f"{missing:,} page(s) of the log {log} are missing: it was removed or cut, and the last messages may be gone;"
        " if a backup has them, restore it"
    )
    return (Notice("log-missing", text),)


def _notice_empty_file(path: Path, world: Surroundings) -> tuple[Notice, ...]:
    """A file of no bytes is what a full disk leaves: it must not stop anyone, nor may SQLite throw away a log beside it."""
    if not path.is_file() or path.stat().st_size:
        return ()
    log = path.with_name(f"{path.name}-wal")
    kept = ""
    if log.is_file() and log.stat().st_size:
        aside = log.with_name(f"{log.name}-aside-{world.nanoseconds()}")
        log.replace(aside)
        kept = f"; its log was kept as {aside}"
    text = f"{path} was empty (0 bytes) and was begun anew{kept}: if it had history, restore a backup"
    return (Notice("empty-state", text),)
