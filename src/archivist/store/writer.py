"""The one way to change `state.db`: whole transactions, made with patience.

`BEGIN IMMEDIATE` takes the write lock at once or not at all, so no transaction is lost half-way to another writer. While others
hold it, this one waits in random pauses up to its patience; so it does at the commit, which on a rollback journal waits for readers.
When `write` returns, the change is on disk, in the file that the path names.
"""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import apsw

from archivist.records import Patience
from archivist.store.connection import identity_of
from archivist.store.trouble import BUSY, StoreBusy, StoreClosed, StoreReplaced, naming_trouble

T = TypeVar("T")


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
        self._turn, self._process, self._file = threading.RLock(), os.getpid(), identity_of(path)

    def write(self, change: Callable[[apsw.Connection], T], undo: Callable[[], None] | None = None) -> T:
        """Run the change in one transaction and return its result once it is on disk.

        Args:
            change: Runs SQL on the connection it is given; an exception of its own undoes everything.
            undo: Called where nothing comes of the transaction, before anybody else can write: takes back what the change did outside.

        Raises:
            StoreBusy, StoreClosed, StoreReplaced, DiskFull, DiskFailed, StoreReadOnly, StoreDamaged: Nothing was changed.
        """
        if os.getpid() != self._process:
            raise StoreClosed(self._path)
        began = self._monotonic()
        if not self._turn.acquire(timeout=self._patience.seconds):
            raise StoreBusy(self._path, self._monotonic() - began)
        try:
            with naming_trouble(self._path):
                return self._write(change, undo)
        except StoreBusy as error:
            raise StoreBusy(self._path, self._monotonic() - began) from error
        finally:
            self._turn.release()

    def close(self) -> None:
        """Close the connection; what was written stays written."""
        with self._turn:
            self._db.close()

    def _write(self, change: Callable[[apsw.Connection], T], undo: Callable[[], None] | None) -> T:
        self._run("BEGIN IMMEDIATE")
        try:
            result = self._change(change)
            self._run("COMMIT")
        except BaseException:
            if undo is not None:
                undo()
            raise
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        return result

    def _change(self, change: Callable[[apsw.Connection], T]) -> T:
        # asked under the lock: whoever puts another file in this one's place holds it too, so the answer stays true
        if identity_of(self._path) != self._file:
            raise StoreReplaced(self._path)
        return change(self._db)

    def _run(self, statement: str) -> None:
        """Run a statement that others can hold up, again and again while the patience lasts."""
        try:
            self._db.execute(statement)
        except BUSY:
            self._insist(statement)

    def _insist(self, statement: str) -> None:
        for pause in self._patience.pauses(self._monotonic, self._draw):
            self._sleep(pause)
            try:
                self._db.execute(statement)
            except BUSY:
                continue
            return
        self._db.execute(statement)
