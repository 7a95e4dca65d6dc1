"""Opening `state.db` for whoever writes, and for whoever can only read; noticing at once what is wrong with it.

What is looked at takes less than a millisecond: whether the first and the last rows can be read, and whether SQLite has read the log to
its end. Only `verify` reads everything.
"""

import errno
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import apsw
import msgspec

from archivist.files import make_folder
from archivist.records import Notice, Patience
from archivist.records.counts import counted
from archivist.store.beginning import how_it_was_lost, is_blank, mark, set_log_aside
from archivist.store.connection import (
    OPEN_FILES,
    Connection,
    beside,
    connect_to_write,
    is_foreign,
    make_ready,
    open_reader,
)
from archivist.store.identity import FIRST_ID_QUERY
from archivist.store.migrating import (
    APPLICATION_ID,
    NotOurs,
    SchemaTooNew,
    check_version,
    migrate,
    schema_version,
)
from archivist.store.replacing import finish_replacement, is_being_replaced, replacing
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


Refusal = type[StoreReadOnly] | type[DiskFull]
"""Why a database can only be read."""


class Opened(msgspec.Struct, frozen=True):
    """What was opened; without a writer it can only be read, without a first id it does not say which history it holds."""

    writer: Writer | None
    notices: tuple[Notice, ...]
    first_id: str | None = None
    refusal: Refusal = StoreReadOnly


def open_file(path: Path, *, program: str, world: Surroundings, patience: Patience) -> Opened:
    """Open a database, and make or migrate its tables.

    Raises:
        StoreDamaged: It is damaged in a way that shows at once.
        StoreNotOpened, StoreReadOnly, SchemaTooNew, NotOurs, StoreBusy, DiskFull: See there.
    """
    broken = finish_replacement(path) if is_being_replaced(path) else None
    if is_foreign(path, APPLICATION_ID):
        raise _foreign(path)
    try:
        opened = _begin(path, program, world, patience) if is_blank(path) else None
        if opened is None:
            notices = _notice_missing_log(path)
            opened = _open_patiently(path, program, world, patience)
            opened = msgspec.structs.replace(opened, notices=notices + opened.notices)
    except (StoreReadOnly, StoreNotOpened, DiskFull, OSError) as error:
        is_full = isinstance(error, DiskFull) or (isinstance(error, OSError) and error.errno == errno.ENOSPC)
        opened = _open_for_reading(path, error, DiskFull if is_full else StoreReadOnly)
    if is_being_replaced(path):  # since the first look: this connection is to the old file
        if opened.writer:
            opened.writer.close()
        return open_file(path, program=program, world=world, patience=patience)
    if broken:
        text = f"a database that was to take the place of {path} cannot be read: it is kept as {broken}, and {path.name} stays"
        opened = msgspec.structs.replace(
            opened, notices=(Notice("replacement-damaged", text), *opened.notices)
        )
    return opened


def probe(db: Connection, path: Path) -> str:
    """Look at the first and the last rows, and tell the first id of its history.

    Raises:
        StoreDamaged: One of them cannot be read.
    """
    if not db.execute("SELECT value FROM meta WHERE key = 'store_id'").get:
        raise StoreDamaged(path, "the id of the store is gone")
    for query in PROBES:
        db.execute(query).fetchall()
    return str(db.execute(FIRST_ID_QUERY).get)


def _foreign(path: Path) -> NotOurs | StoreDamaged:
    """What to say of a database whose head names another program: that may itself be the damage."""
    from archivist.store.salvage.recognising import has_our_tables  # noqa: PLC0415 - rare

    return StoreDamaged(path, "its head names another program") if has_our_tables(path) else NotOurs(path)


def _begin(path: Path, program: str, world: Surroundings, patience: Patience) -> Opened | None:
    """Make a database where there is none, one process at a time; None where another process just did."""
    make_folder(path.parent)
    with replacing(path):
        if not is_blank(path):
            return None
        lost = how_it_was_lost(path)
        path.touch(mode=0o600)  # SQLite's own mode would follow the umask; its log takes the file's
        if lost:
            from archivist.store.salvage.recognising import insist_on_log  # noqa: PLC0415 - rare

            insist_on_log(path, lost)
        notices = (set_log_aside(path, lost, world),) if lost else ()
        opened = _open_patiently(path, program, world, patience, lost)
    return msgspec.structs.replace(opened, notices=notices + opened.notices)


def _open_patiently(
    path: Path, program: str, world: Surroundings, patience: Patience, lost: str = ""
) -> Opened:
    for pause in patience.pauses(world.monotonic, world.draw):
        try:
            return _open_for_writing(path, program, world, patience, lost)
        except StoreBusy:
            world.sleep(pause)
    return _open_for_writing(path, program, world, patience, lost)


def _open_for_writing(path: Path, program: str, world: Surroundings, patience: Patience, lost: str) -> Opened:
    with naming_trouble(path), ExitStack() as undo:
        db = connect_to_write(path)
        undo.callback(db.close)
        try:
            check_version(db, path)  # before anything is written
            notices = make_ready(db, path) + _check_log(db, path)
            note = (lambda db: mark(db, lost, world)) if lost else None
            migrate(db, path, program=program, store_id=world.new_id(), beginning=note)
            first_id = probe(db, path)
        except (SchemaTooNew, NotOurs) as error:
            raise _misread(db, path, error, program) from error
        except apsw.SQLError as error:
            raise StoreDamaged(path, str(error)) from error
        undo.pop_all()
    writer = Writer(
        db, path, patience=patience, monotonic=world.monotonic, sleep=world.sleep, draw=world.draw
    )
    return Opened(writer, notices, first_id)


def _misread(db: Connection, path: Path, error: SchemaTooNew | NotOurs, program: str) -> Exception:
    """A version that contradicts the tables is damage: they are to the letter as this program makes them, and no more."""
    from archivist.store.verifying import added, altered  # noqa: PLC0415 - rare

    if altered(db) or added(db):
        return error
    written_by: str | None = db.execute("SELECT value FROM meta WHERE key = 'program'").get
    if written_by is None or _parts(written_by) > _parts(program):
        return error
    return StoreDamaged(path, "its head and its tables contradict each other")


def _parts(version: str) -> tuple[int, ...]:
    """A version's numbers, to compare."""
    return tuple(int(part) for part in version.split(".") if part.isdecimal())


def _open_for_reading(path: Path, error: Exception, refusal: Refusal) -> Opened:
    """Where nothing can be written, what is there can still be found, even in a damaged file."""
    if is_blank(path):
        raise refusal(path) from error
    with naming_trouble(path):
        db = open_reader(path)
        try:
            check_version(db, path)
            if schema_version(db) < len(MIGRATIONS):
                raise refusal(path) from error
            first_id, notices = _look_at_damage(db, path)
            code = "disk-full" if refusal is DiskFull else "read-only"
            return Opened(
                None, (Notice(code, f"{refusal(path)}; it can be read"), *notices), first_id, refusal
            )
        finally:
            db.close()


def _look_at_damage(db: Connection, path: Path) -> tuple[str | None, tuple[Notice, ...]]:
    try:
        with naming_trouble(path):
            return probe(db, path), ()
    except StoreDamaged as error:
        text = f"{path} is damaged ({error.reason}) and cannot be salvaged where nothing can be written: copy it elsewhere first"
        return None, (Notice("damaged", text),)


def _check_log(db: Connection, path: Path) -> tuple[Notice, ...]:
    """Whether SQLite has read the log to its end; what it passes over, its next write would destroy.

    Raises:
        StoreDamaged: Committed changes stand behind a broken one.
    """
    log = beside(path, "-wal")
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
    shared = beside(path, "-shm")
    if not shared.exists():
        return ()
    with OPEN_FILES.kept_closed(path) as is_closed:
        return _compare_log(path, shared) if is_closed else ()


def _compare_log(path: Path, shared: Path) -> tuple[Notice, ...]:
    from archivist.store.salvage.log import frames_of_log, pages_not_folded_in  # noqa: PLC0415 - left only by a kill

    log = beside(path, "-wal")
    needed = pages_not_folded_in(shared)
    missing = needed - frames_of_log(log)
    if missing <= 0 or pages_not_folded_in(shared) != needed:  # else somebody is at work on it
        return ()
    text = (
        f"{counted(missing, 'page is', 'pages are')} missing from the log {log}: it was removed or cut, and the last messages may be gone;"
        " if a backup has them, restore it"
    )
    return (Notice("log-missing", text),)
