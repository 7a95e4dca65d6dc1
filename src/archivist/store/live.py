"""A database that is open: its writer, its readers, and what becomes of them when the file is damaged or replaced.

Damage that is met at any moment is salvaged once, and what was asked is done again in what came of it. A file that another process
has put in the place of this one is noticed by the path, and followed where it holds the same history.
"""

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from archivist.records import Notice, Patience
from archivist.store.connection import Connection, Readers, identity_of
from archivist.store.opening import Refusal, open_file
from archivist.store.replacing import continues
from archivist.store.spool import Spool
from archivist.store.surroundings import Surroundings
from archivist.store.suspicion import naming_damage
from archivist.store.trouble import (
    DiskFull,
    StoreClosed,
    StoreDamaged,
    StoreLinked,
    StoreReadOnly,
    StoreReplaced,
    disk_trouble,
)

if TYPE_CHECKING:
    from archivist.store.salvage.report import SalvageReport
    from archivist.store.salvage.rescue import Rescue
    from archivist.store.salvage.salvaging import Backups
    from archivist.store.writer import Writer

T = TypeVar("T")
Identity = tuple[int, int]


class Setting(msgspec.Struct, frozen=True):
    """What a database is opened with.

    Attributes:
        path: `state.db`.
        program: This program's version.
        world: Clock, ids and chance.
        patience: How long to wait for other writers.
        spool: Where messages may wait.
        backups: Gives verified copies, newest first, should the file be damaged.
    """

    path: Path
    program: str
    world: Surroundings
    patience: Patience
    spool: Spool
    backups: "Backups"


class LiveFile:
    """One open database; safe to use from many threads."""

    def __init__(self, setting: Setting, when_open: Callable[[], tuple[Notice, ...]]) -> None:
        """Nothing is opened yet.

        Args:
            setting: What to open it with.
            when_open: Done each time that it was opened for writing, and tells what it found.
        """
        self._setting, self._when_open = setting, when_open
        self.path = setting.path
        self.notices: tuple[Notice, ...] = ()
        self._untold: tuple[Notice, ...] = ()
        self._telling = threading.Lock()
        self._readers = Readers(setting.path)
        self._writer: Writer | None = None
        self._file: Identity | None = None
        self._first_id: str | None = None
        self._refusal: Refusal = StoreReadOnly
        self._rescuer: Rescue | None = None
        self._report: SalvageReport | None = None
        self._turn = threading.RLock()
        self._is_closed = False

    def open(self) -> None:
        """Open it, and salvage it where that shows it to be damaged.

        Raises:
            StoreDamaged, StoreNotOpened, StoreReadOnly, SchemaTooNew, NotOurs, StoreBusy, DiskFull: See there.
        """
        with self._turn:
            file = identity_of(self.path)
            try:
                self._open()
            except StoreDamaged as error:
                self._salvage(error, file or identity_of(self.path))
            self.take_notices()

    def close(self) -> None:
        """Close every connection."""
        self._is_closed = True
        self._readers.close()
        if self._writer:
            self._writer.close()
        self._file = None

    def reader(self) -> Connection:
        """This thread's own reading connection.

        Raises:
            StoreClosed, StoreNotOpened: See there.
            StoreReplaced: Another history is in its place.
        """
        file = self._file
        if self._has_been_replaced() and not self._follow(file):
            raise StoreReplaced(self.path)
        return self._readers.get()

    def write(self, change: Callable[[Connection], T], undo: Callable[[], None] | None = None) -> T:
        """Run a change in one transaction; see `Writer.write`."""

        def run() -> T:
            writer = self._writer
            if writer is None:
                writer = self._writer_after_all()
            with naming_damage(self.path):
                return writer.write(change, undo)

        return self._trying(run)

    def trying(self, work: Callable[[], T]) -> T:
        """Do what reads, with the driver's errors named."""

        def run() -> T:
            with naming_damage(self.path):
                return work()

        return self._trying(run)

    def take_notices(self) -> tuple[Notice, ...]:
        """What was found since it was opened and told to nobody yet."""
        with self._telling:
            taken, self._untold = self._untold, ()
        return taken

    def salvage(self, *, is_trial: bool) -> "SalvageReport":
        """Salvage because somebody asked; where it was salvaged since it was opened and is sound now, tells that report.

        Raises:
            StoreDamaged, StoreLinked, StoreReadOnly, StoreBusy, DiskFull, DiskFailed, FileLocked: The database is as it was.
        """
        with self._turn:
            if self.path.is_symlink():
                raise StoreLinked(self.path)
            if is_trial:
                report = self._rescue().on_demand(is_trial=True)
            else:
                self._let_go()
                try:
                    report = self._rescue().on_demand(is_trial=False)
                finally:
                    self._open()
            return self._report if self._report and report.is_needless else report

    def _trying(self, run: Callable[[], T]) -> T:
        file = self._file
        try:
            return run()
        except StoreDamaged as error:
            if self._is_closed:
                raise
            self._salvage(error, file)
        except (StoreReplaced, StoreClosed):
            if self._is_closed or not self._follow(file):
                raise
        return run()

    def _writer_after_all(self) -> "Writer":
        """The writer that another thread has just opened, or that the disk has room for by now.

        Raises:
            StoreReadOnly, DiskFull, StoreClosed: There is none.
        """
        with self._turn:
            if self._writer is None and self._refusal is DiskFull and not self._is_closed:
                self._let_go()
                self._open()
            if self._is_closed:
                raise StoreClosed(self.path)
            if self._writer is None:
                raise self._refusal(self.path)
            return self._writer

    def _open(self) -> None:
        setting = self._setting
        opened = open_file(self.path, program=setting.program, world=setting.world, patience=setting.patience)
        self._writer, self._file, self._first_id = opened.writer, identity_of(self.path), opened.first_id
        self._refusal = opened.refusal
        self._tell(notice for notice in opened.notices if notice not in self.notices)
        if self._writer is not None:
            self._tell(self._when_open())

    def _tell(self, told: Iterable[Notice]) -> None:
        notices = tuple(told)
        with self._telling:
            self.notices += notices
            self._untold += notices

    def _salvage(self, error: StoreDamaged, file: Identity | None) -> None:
        """Put what can still be read in the place of a damaged file, or find that somebody did, and go on with that.

        Raises:
            StoreDamaged, StoreLinked: Nothing more can be done by itself.
        """
        with self._turn:
            if self._file not in {None, file}:
                return  # another thread has
            rescue = self._rescue()
            if not rescue.may_try(file):
                raise error
            if self.path.is_symlink():
                raise StoreLinked(self.path, error.reason) from error
            self._let_go()
            try:
                report = rescue.after(error, file)
            except OSError as refused:
                self._open_anyhow()
                raise disk_trouble(self.path, refused) from refused
            except Exception:
                self._open_anyhow()
                raise
            self._open()
            self._report = report
            self._tell(report.notices if report else ())

    def _open_anyhow(self) -> None:
        """After a salvage that came to nothing: what could be used before can be used again."""
        try:
            self._open()
        except StoreDamaged:
            self._file = None

    def _follow(self, file: Identity | None) -> bool:
        """Open what another process has put in the place of a file, if it holds the same history; whether it is open now."""
        with self._turn:
            if not self._has_been_replaced():
                return file != self._file  # another thread has
            if not continues(self.path, self._file, self._first_id):
                return False
            self._let_go()
            self._open()
            text = f"{self.path} was replaced while it was open, by a restore or a salvage: what is there now is used"
            self._tell((Notice("state-replaced", text),))
            return True

    def _has_been_replaced(self) -> bool:
        if self._file is None:
            return False
        found = identity_of(self.path)
        return found is not None and found != self._file

    def _let_go(self) -> None:
        """Close what is open of a file that is about to be replaced; readers of other threads end by themselves."""
        if self._writer is not None:
            self._writer.close()
        self._writer, self._file, self._readers = None, None, Readers(self.path)

    def _rescue(self) -> "Rescue":
        if self._rescuer is None:
            from archivist.store.salvage.rescue import Rescue  # noqa: PLC0415 - damage is rare
            from archivist.store.salvage.salvaging import Plan  # noqa: PLC0415 - as above

            setting = self._setting
            self._rescuer = Rescue(
                Plan(
                    setting.path,
                    setting.spool,
                    setting.backups,
                    setting.program,
                    setting.world.new_id,
                    setting.world.now,
                )
            )
        return self._rescuer
