"""Opening `state.db`: pragmas, the journal that the file system can carry, and what is wrong with a file that will not open.

Local disks get a write-ahead log. Network, FUSE and 9p file systems get a rollback journal, because a log's shared memory does not
work there; so does any place that refuses the log. What was decided is a notice, never a silence.
"""

import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

import apsw

from archivist.records import Notice
from archivist.store.beginning import is_blank
from archivist.store.trouble import StoreClosed, StoreDamaged, StoreNotOpened

Connection = apsw.Connection
"""What other rooms call a connection, so that they name no driver."""

PAGE_BYTES = (
    4096  # every commit writes some seven pages to the log; pages of 8192 made an append a fifth dearer
)
BUSY_MILLISECONDS = 100  # short: patience lies in the retries, whose pauses are drawn at random
READ_BUSY_MILLISECONDS = 10_000  # a reader waits for nobody but a writer's commit on a rollback journal
LOG_LIMIT_BYTES = 64 << 20
HEADER_BYTES = 100
NO_SHARED_MEMORY: Final = (apsw.SQLITE_IOERR_SHMOPEN, apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_SHMMAP)
"""What SQLite says where a full disk has no room for what the users of a log share."""
COMPANIONS: Final = ("-wal", "-journal", "-shm")
"""What SQLite keeps beside a database; the first two may hold content."""
BLANK: Final = "\\040"
"""As a blank stands in a table of mounts."""
REMOTE_FILE_SYSTEMS = frozenset("nfs nfs4 cifs smb3 smbfs 9p afs ceph glusterfs ncpfs sshfs davfs".split())


class OpenFiles:
    """The databases that connections of this process are open to, by file and not by name.

    The locks of a process on a file end when it closes that file in whatever way, a second name of it included. So nothing that SQLite
    locks may be opened by other means while a connection to it is open.
    """

    def __init__(self) -> None:
        self._open = dict[tuple[int, int], list[weakref.ref[_Known]]]()
        self._guard = threading.RLock()

    def connect(self, name: str, path: Path, flags: int) -> apsw.Connection:
        """A connection that is known until it ends."""
        with self._guard:
            db = _Known(name, flags=flags)
            if (file := identity_of(path)) is not None:
                db.file = file
                self._open[file] = [*self._living(file), weakref.ref(db)]
        return db

    @contextmanager
    def kept_closed(self, path: Path) -> Iterator[bool]:
        """Let nobody in this process connect meanwhile; gives whether nobody is connected to the database there."""
        with self._guard:
            file = identity_of(path)
            yield file is None or not self._living(file)

    def forget(self, db: "_Known") -> None:
        """Know a connection that is closed no more."""
        with self._guard:
            if db.file is not None and not (
                left := [one for one in self._living(db.file) if one() is not db]
            ):
                self._open.pop(db.file, None)
            elif db.file is not None:
                self._open[db.file] = left

    def _living(self, file: tuple[int, int]) -> "list[weakref.ref[_Known]]":
        """The connections to a file that were not given up."""
        return [one for one in self._open.get(file, ()) if one() is not None]


class _Known(apsw.Connection):
    """A connection that is forgotten when it is closed, or given up without.

    Nothing is told of its end: most end with their thread, and what Python runs in a thread that is ending ends the process now and then.
    """

    file: tuple[int, int] | None = None

    def close(self, force: bool = False) -> None:  # noqa: FBT001, FBT002 - as apsw has it
        super().close(force)
        OPEN_FILES.forget(self)


OPEN_FILES: Final = OpenFiles()


def open_writer(path: Path) -> tuple[apsw.Connection, tuple[Notice, ...]]:
    """A connection that may write, with its journal chosen.

    Raises:
        StoreNotOpened, StoreDamaged: See there.
        apsw.Error: SQLite's own, for the caller to wait or to name.
    """
    db = connect_to_write(path)
    try:
        return db, make_ready(db, path)
    except (apsw.NotADBError, apsw.CorruptError) as error:
        db.close()
        raise StoreDamaged(path, str(error)) from error


def connect_to_write(path: Path) -> apsw.Connection:
    """A bare connection that may write and has written nothing; `make_ready` comes next.

    Raises:
        StoreNotOpened: See there.
        apsw.ReadOnlyError: The file is there and cannot be written, although SQLite opens it all the same.
    """
    db = connect(path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
    if db.readonly("main"):
        db.close()
        raise apsw.ReadOnlyError("the file cannot be written")
    return db


def make_ready(db: apsw.Connection, path: Path) -> tuple[Notice, ...]:
    """Choose the journal of a connection that may write, and what else is set on each.

    Raises:
        apsw.Error: SQLite's own.
    """
    if not db.pragma("page_count"):  # for a file that is there, the second would be a write
        db.execute(f"PRAGMA page_size = {PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL")
    db.execute("PRAGMA secure_delete = ON").fetchall()  # what is deleted or rewritten is overwritten
    notices = _choose_journal(db, path)
    db.execute(f"PRAGMA synchronous = FULL; PRAGMA journal_size_limit = {LOG_LIMIT_BYTES}")
    db.execute("PRAGMA foreign_keys = ON")
    return notices


def open_reader(path: Path) -> apsw.Connection:
    """A connection that can only read; it takes no lock that a writer would notice.

    Raises:
        StoreNotOpened, StoreDamaged: See there.
    """
    if path.is_file() and is_blank(path):  # SQLite would take it for new, and remove the log beside it
        raise StoreDamaged(path, "it is empty")
    db = connect(path, apsw.SQLITE_OPEN_READONLY)
    try:
        db.pragma("user_version")
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError) as error:
        db.close()
        if isinstance(error, apsw.IOError) and getattr(error, "extendedresult", 0) not in NO_SHARED_MEMORY:
            raise
        db = _connect_without_log(path)
    db.set_busy_timeout(READ_BUSY_MILLISECONDS)
    db.execute("PRAGMA query_only = ON")
    return db


def is_foreign(path: Path, application_id: int) -> bool:
    """Whether a file is another program's database, told from its header alone, so that not a byte of it changes.

    See "The Database Header" of SQLite's file format. A database of ours that was killed before its log was ever folded in has one page
    and no id yet. The file is read through SQLite: to close it by other means would end the locks that this process has on it.
    """
    try:
        if path.stat().st_size < HEADER_BYTES:
            return False
        with closing(connect_unchanging(path)) as db:
            return bool(db.pragma("application_id") != application_id and db.pragma("page_count") > 1)
    except (OSError, apsw.Error, StoreNotOpened):
        return False


def connect(path: Path, flags: int = apsw.SQLITE_OPEN_READWRITE) -> apsw.Connection:
    """A bare connection: the one way to connect to a database that others may have open.

    Raises:
        StoreNotOpened: There is none that can be opened.
    """
    return _connect(str(path), path, flags)


def connect_unchanging(path: Path) -> apsw.Connection:
    """A connection that takes the file as it stands, without a log and without a lock."""
    address = f"{path.absolute().as_uri()}?immutable=1"
    return _connect(address, path, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)


def _connect_without_log(path: Path) -> apsw.Connection:
    """A connection where nothing can be put beside the database, so that no log of it can be followed.

    Raises:
        StoreNotOpened: It has one, and what stands in it would be missing.
    """
    log = beside(path, "-wal")
    if log.exists() and log.stat().st_size:
        reason = f"{log.name} can be read only where its folder can be written: copy the home to such a place"
        raise StoreNotOpened(path, reason)
    return connect_unchanging(path)


def file_bytes(db: apsw.Connection) -> int:
    """How large the file of a database is with everything in it."""
    return int(db.pragma("page_count")) * int(db.pragma("page_size"))


def beside(path: Path, suffix: str) -> Path:
    """What SQLite keeps of a database under that suffix: beside the file itself, where its name is a link."""
    if path.is_symlink():
        path = path.resolve()
    return path.with_name(path.name + suffix)


def identity_of(path: Path) -> tuple[int, int] | None:
    """Which file a path names now; None for none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class Readers:
    """Reading connections to one file, one a thread.

    A thread's connection ends with the thread. None is carried into a forked child, where SQLite's locks do not hold.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._process = path, os.getpid()
        self._own = threading.local()
        self._open = list[weakref.ref[Connection]]()
        self._guard = threading.Lock()
        self._is_closed = False

    def get(self) -> Connection:
        """This thread's connection.

        Raises:
            StoreClosed: After `close`, or in a forked child.
            StoreNotOpened: The file cannot be opened.
        """
        if self._is_closed or os.getpid() != self._process:
            raise StoreClosed(self._path)
        db: Connection | None = getattr(self._own, "db", None)
        if db is None:
            db = self._own.db = open_reader(self._path)
            with self._guard:
                self._open = [one for one in self._open if one() is not None]
                self._open.append(weakref.ref(db))
        return db

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._guard:
            self._is_closed = True
            for db in filter(None, [one() for one in self._open]):
                with suppress(
                    apsw.ThreadingViolationError
                ):  # its thread is reading, and it ends with that thread
                    db.close()


def _connect(name: str, path: Path, flags: int) -> apsw.Connection:
    try:
        db = OPEN_FILES.connect(name, path, flags)
    except apsw.CantOpenError as error:
        raise StoreNotOpened(path, str(error)) from error
    db.set_busy_timeout(BUSY_MILLISECONDS)
    return db


def _choose_journal(db: apsw.Connection, path: Path) -> tuple[Notice, ...]:
    kind = file_system_of(path)
    if is_remote(kind):
        db.execute("PRAGMA journal_mode = DELETE").fetchall()
        return (
            Notice(
                "rollback-journal", f"{path} lies on {kind}: using a rollback journal, writes wait longer"
            ),
        )
    try:
        mode = db.execute("PRAGMA journal_mode = WAL").get
    except (apsw.BusyError, apsw.LockedError):
        return ()  # another process is opening it at this moment; the mode is a property of the file
    except (apsw.IOError, apsw.ProtocolError, apsw.CantOpenError, apsw.SQLError) as error:
        return _roll_back_instead(db, path, str(error))
    return () if mode == "wal" else _roll_back_instead(db, path, f"the journal mode stays {mode}")


def _roll_back_instead(db: apsw.Connection, path: Path, reason: str) -> tuple[Notice, ...]:
    db.execute("PRAGMA journal_mode = DELETE").fetchall()
    text = f"{path} cannot have a write-ahead log ({reason}): using a rollback journal, writes wait longer"
    return (Notice("rollback-journal", text),)


def is_remote(kind: str) -> bool:
    """Whether a file system of that kind cannot share memory between processes reliably."""
    return kind in REMOTE_FILE_SYSTEMS or kind.startswith("fuse")


def file_system_of(path: Path, mounts: Path = Path("/proc/mounts")) -> str:
    """The kind of file system that a path lies on; empty where the system does not say."""
    try:
        lines = mounts.read_text("utf-8", "replace").splitlines()
    except OSError:
        return ""
    target = f"{path.parent.resolve()}/"
    best, kind = -1, ""
    for fields in (line.split() for line in lines):  # as text: there may be hundreds, and every opening asks
        if len(fields) < 3:
            continue
        point = f"{fields[1].replace(BLANK, ' ').rstrip('/')}/"
        if target.startswith(point) and len(point) >= best:
            best, kind = len(point), fields[2]
    return kind
