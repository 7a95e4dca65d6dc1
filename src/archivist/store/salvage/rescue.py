"""When to salvage: once for each state of a database, one process at a time, and not for ever."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

from archivist.config.home import ASIDE, MEDIA, RESTORING
from archivist.files import FileNotWritten
from archivist.records import ArchivistError
from archivist.store.blobs import Blobs
from archivist.store.connection import identity_of, open_reader
from archivist.store.replacing import DAMAGED, replacing
from archivist.store.salvage.log import read_log
from archivist.store.salvage.mending import STAND_IN
from archivist.store.salvage.report import SalvageReport
from archivist.store.salvage.salvaging import Plan, salvage
from archivist.store.trouble import StoreDamaged, StoreReadOnly, disk_trouble, naming_trouble
from archivist.store.verifying import Verification, verify

MOST_BY_ITSELF: Final = 3
"""So many damaged files are set aside without being asked; a disk that damages more needs a person."""

Identity = tuple[int, int] | None


class Rescue:
    """Salvages one home's database when it is found damaged."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._tried: set[Identity] = set()

    def may_try(self, found: Identity) -> bool:
        """Whether a damaged file can be replaced: once, and where the disk lets one write."""
        path = self._plan.path
        return found not in self._tried and os.access(path.parent, os.W_OK) and os.access(path, os.W_OK)

    def after(self, error: StoreDamaged, found: Identity) -> SalvageReport | None:
        """Salvage because damage was met.

        Args:
            error: What was met.
            found: The file in which it was met.

        Returns:
            What was done; None where another process did it meanwhile.

        Raises:
            StoreDamaged: Nothing more can be done by itself.
            DiskFull, StoreBusy, FileLocked: It could not be done now; the file is as it was.
        """
        path = self._plan.path
        if error.is_known:
            raise error  # another salvage would change nothing
        self._tried.add(found)
        with self._turn():
            if identity_of(path) != found:
                return None
            if self._set_aside() >= MOST_BY_ITSELF:
                raise StoreDamaged(
                    path, f"{error.reason}; salvaged {MOST_BY_ITSELF} times already, look at the disk"
                ) from error
            with self._naming():
                return salvage(self._plan)

    def on_demand(self, *, is_trial: bool) -> SalvageReport:
        """Salvage because somebody asked, whatever was salvaged before; a sound database is left as it is.

        Raises:
            StoreDamaged, StoreReadOnly, DiskFull, DiskFailed, StoreBusy, FileLocked: The file is as it was.
        """
        if not os.access(self._plan.path.parent, os.W_OK):
            raise StoreReadOnly(self._plan.path)
        with self._turn(), self._naming():
            found = self._sound()
            if found is None or self._could_get_back(found):
                return salvage(self._plan, is_trial=is_trial)
        return SalvageReport(
            messages_from_file=found.messages,
            messages_damaged=len(found.known_damage.messages),
            messages_lost=found.known_losses,
            sessions=found.sessions,
            is_trial=is_trial,
            is_needless=True,
            known_damage=found.known_damage,
        )

    def _sound(self) -> Verification | None:
        """What is in the database, where nothing is wrong with it or its log."""
        path = self._plan.path
        log = path.with_name(f"{path.name}-wal")
        if log.exists() and read_log(log).is_cut:
            return None
        try:
            with naming_trouble(path), closing(open_reader(path)) as db:
                found = verify(db, Blobs(path.with_name(MEDIA)))
        except ArchivistError:
            return None
        return found if found.is_database_clean else None

    def _could_get_back(self, found: Verification) -> bool:
        """Whether a backup has by now what an earlier salvage said was lost, or right what it kept damaged, or whose it is."""
        if not found.known_losses and not found.known_damage and not self._has_stand_ins():
            return False
        trial = salvage(self._plan, is_trial=True)
        return bool(trial.messages_from_backup or trial.sessions_from_backup)

    def _has_stand_ins(self) -> bool:
        with closing(open_reader(self._plan.path)) as db:
            return bool(
                db.execute("SELECT EXISTS (SELECT 1 FROM sessions WHERE source = ?)", (STAND_IN,)).get
            )

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """The lock; not while a restore that was killed waits to be finished, which must find what it put in place.

        Raises:
            StoreDamaged: One does.
        """
        path = self._plan.path
        with replacing(path):
            if (path.parent / ASIDE / RESTORING).exists():
                raise StoreDamaged(path, "a restore was killed, and opening the home anew finishes it first")
            yield

    def _set_aside(self) -> int:
        """How many damaged files were replaced before."""
        path = self._plan.path
        return sum(1 for _ in (path.parent / ASIDE).glob(f"{path.name}{DAMAGED}*"))

    @contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            with naming_trouble(self._plan.path):
                yield
        except OSError as error:
            raise disk_trouble(self._plan.path, error) from error
        except FileNotWritten as error:
            raise disk_trouble(self._plan.path, error.reason) from error
