"""Opening `state.db`: pragmas, the journal that the file system can carry, and what is wrong with a file that will not open.

Local disks get a write-ahead log. Network, FUSE and 9p file systems get a rollback journal, because a log's shared memory does not
work there; so does any place that refuses the log. What was decided is a notice, never a silence.
"""

from pathlib import Path

import apsw

from archivist.records import ArchivistError, Notice

PAGE_BYTES = 4096  # measured: a tenth smaller and a quarter faster to fill than 4096 at 400-byte messages
BUSY_MILLISECONDS = 100  # short: patience lies in the retries, whose pauses are drawn at random
LOG_LIMIT_BYTES = 64 << 20
REMOTE_FILE_SYSTEMS = frozenset("nfs nfs4 cifs smb3 smbfs 9p afs ceph glusterfs ncpfs sshfs davfs".split())


class StoreDamaged(ArchivistError):
    """The file is there but is no readable database."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(
            f"{path} is damaged ({reason}): copy it aside, then restore a backup or move it away to begin a new one"
        )


class StoreReadOnly(ArchivistError):
    """Nothing can be written there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(
            f"{path} cannot be written: make the file and its folder writable, or set ARCHIVIST_HOME"
        )


class StoreNotOpened(ArchivistError):
    """The operating system would not open the file."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(
            f"{path} cannot be opened ({reason}): check that the folder exists and that you may read it"
        )


def open_writer(path: Path) -> tuple[apsw.Connection, tuple[Notice, ...]]:
    """A connection that may write, with its journal chosen.

    Raises:
        StoreNotOpened, StoreDamaged, StoreReadOnly: See there.
    """
    db = _connect(path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
    try:
        db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        notices = _choose_journal(db, path)
        db.execute(
            f"PRAGMA wal_autocheckpoint = 4000; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = {LOG_LIMIT_BYTES}"
        )
        db.execute("PRAGMA foreign_keys = ON")
    except (apsw.NotADBError, apsw.CorruptError) as error:
        db.close()
        raise StoreDamaged(path, str(error)) from error
    return db, notices


def open_reader(path: Path) -> apsw.Connection:
    """A connection that can only read; it takes no lock that a writer would notice.

    Raises:
        StoreNotOpened, StoreDamaged: See there.
    """
    db = _connect(path, apsw.SQLITE_OPEN_READONLY)
    db.execute("PRAGMA query_only = ON")
    return db


def _connect(path: Path, flags: int) -> apsw.Connection:
    try:
        db = apsw.Connection(str(path), flags=flags)
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
    target = path.parent.resolve()
    best, kind = -1, ""
    for fields in (line.split() for line in lines):
        if len(fields) < 3:
            continue
        point = Path(fields[1].replace("\\040", " "))
        if target.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), fields[2]
    return kind
