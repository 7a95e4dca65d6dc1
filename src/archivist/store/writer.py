"""The one way to change `state.db`: whole transactions, made with patience.

`BEGIN IMMEDIATE` takes the write lock at once or not at all, so no transaction is lost half-way to another writer. While others
hold it, this one waits in random pauses up to its patience. When `write` returns, the change is on disk.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import apsw

from archivist.records import ArchivistError, Patience
from archivist.store.connection import StoreDamaged, StoreReadOnly

T = TypeVar("T")
BUSY = (apsw.BusyError, apsw.LockedError)


class StoreBusy(ArchivistError):
    """Other writers held the database for longer than the patience."""

    def __init__(self, path: Path, seconds: float) -> None:
        self.path, self.seconds = path, seconds
        super().__init__(f"{path} was busy for {seconds:g} s: see which program holds it, then try again")


class DiskFull(ArchivistError):
    """There is no room for the change."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"the disk of {path} is full: free some space, then try again")


class DiskFailed(ArchivistError):
    """The disk refused a read or a write."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(f"{path} could not be written ({reason}): check the disk, then try again")


class Writer:
    """The writing connection of one process; safe to use from many threads."""

    def __init__(
        self,
        db: apsw.Connection,
        path: Path,
        *,
        patience: Patience,
        monotonic: Callable[[], float],
        sleep: Callable[[float], None],
        draw: Callable[[float, float], float],
    ) -> None:
        self._db, self._path, self._patience = db, path, patience
        self._monotonic, self._sleep, self._draw = monotonic, sleep, draw
        self._turn = threading.RLock()

    def write(self, change: Callable[[apsw.Connection], T]) -> T:
        """Run the change in one transaction and return its result once it is on disk.

        Args:
            change: Runs SQL on the connection it is given; an exception of its own undoes everything.

        Raises:
            StoreBusy, DiskFull, DiskFailed, StoreReadOnly, StoreDamaged: Nothing was changed.
        """
        if not self._turn.acquire(timeout=self._patience.seconds):
            raise StoreBusy(self._path, self._patience.seconds)
        try:
            return self._write(change)
        except BUSY as error:
            raise StoreBusy(self._path, self._patience.seconds) from error
        except apsw.FullError as error:
            raise DiskFull(self._path) from error
        except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError) as error:
            raise StoreReadOnly(self._path) from error
        except apsw.IOError as error:
            raise DiskFailed(self._path, str(error)) from error
        except (apsw.CorruptError, apsw.NotADBError) as error:
            raise StoreDamaged(self._path, str(error)) from error
        finally:
            self._turn.release()

    def close(self) -> None:
        """Close the connection; what was written stays written."""
        with self._turn:
            self._db.close()

    def _write(self, change: Callable[[apsw.Connection], T]) -> T:
        self._begin()
        try:
            result = change(self._db)
            self._db.execute("COMMIT")
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        return result

    def _begin(self) -> None:
        for pause in self._patience.pauses(self._monotonic, self._draw):
            try:
                self._db.execute("BEGIN IMMEDIATE")
            except BUSY:
                self._sleep(pause)
            else:
                return
        self._db.execute("BEGIN IMMEDIATE")
