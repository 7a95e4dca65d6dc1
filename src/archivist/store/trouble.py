"""What a database can fail with, each as a sentence that says what to do.

SQLite's own errors end here: whoever works on `state.db` does so within `naming_trouble`, so that no caller ever meets an error of the
driver.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from archivist.records import ArchivistError

BUSY = (apsw.BusyError, apsw.LockedError)
DAMAGE = (apsw.CorruptError, apsw.NotADBError, apsw.FormatError, apsw.TooBigError)
"""What SQLite says of a file that is no database any more, or of a row whose head states an absurd length."""
SCHEMA_GONE = ("no such table", "no such column", "no such index", "malformed", "unsupported file format")
"""How SQLite begins to say that what its schema should name is not there: our statements name nothing else."""


class StoreDamaged(ArchivistError):
    """The file is there but is no readable database."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(
            f"{path} is damaged ({reason}): copy it aside, run `archivist salvage`, or restore a backup, or move it away to"
            " begin a new one"
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


class StoreBusy(ArchivistError):
    """Other programs held the database for longer than was waited."""

    def __init__(self, path: Path, seconds: float) -> None:
        self.path, self.seconds = path, seconds
        super().__init__(f"{path} was busy for {seconds:.1f} s: see which program holds it, then try again")


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


def tells_of_damage(error: apsw.SQLError) -> bool:
    """Whether a statement failed because the schema is not what it was."""
    return str(error).startswith(SCHEMA_GONE)


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
        StoreBusy, StoreClosed, StoreDamaged, StoreReadOnly, DiskFull, DiskFailed: In place of the driver's.
    """
    try:
        yield
    except BUSY as error:
        raise StoreBusy(path, seconds) from error
    except apsw.FullError as error:
        raise DiskFull(path) from error
    except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError) as error:
        raise StoreReadOnly(path) from error
    except apsw.IOError as error:
        raise DiskFailed(path, str(error)) from error
    except (*DAMAGE, UnicodeDecodeError) as error:  # the latter: a text that is no UTF-8
        raise StoreDamaged(path, str(error)) from error
    except apsw.SQLError as error:
        if not tells_of_damage(error):
            raise
        raise StoreDamaged(path, str(error)) from error
    except (apsw.ConnectionClosedError, apsw.CursorClosedError, apsw.ThreadingViolationError) as error:
        raise StoreClosed(path) from error
