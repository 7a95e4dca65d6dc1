"""What a database can fail with, each as a sentence that says what to do.

SQLite's own errors end here: whoever works on `state.db` does so within `naming_trouble`, so that no caller ever meets an error of the
driver.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import apsw

from archivist.records import ArchivistError
from archivist.store.rows import UNREADABLE

BUSY = (apsw.BusyError, apsw.LockedError)
DAMAGE = (apsw.CorruptError, apsw.NotADBError, apsw.FormatError, apsw.TooBigError)
"""What SQLite says of a file that is no database any more, or of a row whose head states an absurd length."""
CLOSED = (apsw.ConnectionClosedError, apsw.CursorClosedError, apsw.ThreadingViolationError)
"""What a connection raises that another thread has closed, or is closing."""
BESIDE: Final = ("-wal", "-shm", "-journal")
"""How the names of the files end that SQLite keeps beside a database."""
ROOM_BYTES: Final = 64 << 10
"""What a log and the memory that its users share take at least."""
SUSPICIOUS = (*UNREADABLE, AssertionError, apsw.SQLError, apsw.ConstraintError, apsw.MismatchError)
"""What may come of a row that says something else than was ever stored: then the database itself is asked."""
SCHEMA_GONE = ("no such table", "no such column", "no such index", "malformed", "unsupported file format")
"""How SQLite begins to say that what its schema should name is not there: our statements name nothing else."""


class StoreDamaged(ArchivistError):
    """The file is there but is no readable database, or something in it is not what was stored.

    Attributes:
        is_known: Whether a salvage kept the damage before and said so, so that another one would change nothing.
    """

    def __init__(self, path: Path, reason: str, *, is_known: bool = False) -> None:
        self.path, self.reason, self.is_known = path, one_line(reason), is_known
        way = (
            "import its source again or restore a backup from before the damage"
            if is_known
            else "copy it aside, run `archivist salvage`, or restore a backup, or move it away to begin a new one"
        )
        super().__init__(f"{path} is damaged ({self.reason}): {way}")


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
        self.path, way = path, "check that the folder exists and that you may read it"
        if folder := folder_in_place(path):
            reason, way = f"{folder.name} is a folder", f"move {folder} away, then try again"
        super().__init__(f"{path} cannot be opened ({reason}): {way}")


class StoreBusy(ArchivistError):
    """Other programs held the database for longer than was waited."""

    def __init__(self, path: Path, seconds: float) -> None:
        self.path, self.seconds = path, seconds
        waited = f"was busy for {seconds:.1f} s" if seconds else "is held by another program"
        super().__init__(f"{path} {waited}: see which program it is, then try again")


class StoreClosed(ArchivistError):
    """The store was closed, or belongs to the process that this one was forked from."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"{path} is not open in this process: open it again with Archivist.open")


class StoreReplaced(ArchivistError):
    """The file was moved, removed or replaced while it was open: what is written to it would not be found."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(
            f"{path} was moved or replaced while it was open: nothing was written; open it again"
        )


class StoreLinked(ArchivistError):
    """`state.db` is a link: what a salvage puts in its place would not be where the link leads."""

    def __init__(self, path: Path, damage: str = "") -> None:
        self.path = path
        found = f" and damaged ({damage})" if damage else ""
        super().__init__(
            f"{path} is a link{found}, and nothing is salvaged through it: move {path.resolve()} into its place and its log,"
            f" where there is one, to {path.name}-wal, then run `archivist salvage`"
        )


class DiskFull(ArchivistError):
    """There is no room for the change."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"the disk of {path} is full: free some space, then try again")


class DiskFailed(ArchivistError):
    """The disk refused a read or a write."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(f"{path} could not be read or written ({reason}): check the disk, then try again")


def one_line(told: str) -> str:
    """What SQLite says of damage, in a line."""
    return " ".join(told.replace("*** in database main ***", "").split())


def tells_of_damage(error: apsw.SQLError) -> bool:
    """Whether a statement failed because the schema is not what it was."""
    return str(error).startswith(SCHEMA_GONE)


def folder_in_place(path: Path) -> Path | None:
    """The folder that somebody has put where a database or one of the files beside it belongs."""
    places = (path.with_name(path.name + suffix) for suffix in ("", *BESIDE))
    return next((place for place in places if place.is_dir()), None)


def has_no_room(path: Path) -> bool:
    """Whether the disk of a path is so full that not even a log can be begun there, which SQLite calls an I/O error."""
    from shutil import disk_usage  # noqa: PLC0415 - loads every compression there is; rare

    try:
        return disk_usage(path.parent).free < ROOM_BYTES
    except OSError:
        return False


def disk_trouble(path: Path, error: OSError) -> ArchivistError:
    """What the system says of a disk, by our names."""
    if error.errno == errno.ENOSPC:
        return DiskFull(path)
    if error.errno in {errno.EROFS, errno.EACCES, errno.EPERM}:
        return StoreReadOnly(path)
    return DiskFailed(path, error.strerror or str(error))


@contextmanager
def naming_trouble(path: Path, seconds: float = 0.0) -> Iterator[None]:
    """Turn the driver's errors into ours.

    Args:
        path: The database, for the message.
        seconds: How long was waited, should it be busy.

    Raises:
        StoreBusy, StoreClosed, StoreDamaged, StoreNotOpened, StoreReadOnly, DiskFull, DiskFailed: In place of the driver's.
    """
    try:
        yield
    except BUSY as error:
        raise StoreBusy(path, seconds) from error
    except apsw.FullError as error:
        raise DiskFull(path) from error
    except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError, apsw.IOError) as error:
        if folder_in_place(path):
            raise StoreNotOpened(path, str(error)) from error
        if not isinstance(error, apsw.IOError):
            raise StoreReadOnly(path) from error
        raise (DiskFull(path) if has_no_room(path) else DiskFailed(path, str(error))) from error
    except (*DAMAGE, UnicodeDecodeError) as error:  # the latter: a text that is no UTF-8
        raise StoreDamaged(path, str(error)) from error
    except CLOSED as error:
        raise StoreClosed(path) from error
    except apsw.SQLError as error:
        if not tells_of_damage(error):
            raise
        raise StoreDamaged(path, str(error)) from error
