"""When to salvage: once for each state of a database, one process at a time, and not for ever."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from archivist.files import FileNotWritten
from archivist.store.connection import identity_of
from archivist.store.salvage.report import SalvageReport
from archivist.store.salvage.salvaging import Plan, salvage
from archivist.store.salvage.swapping import exchange, exchanging, folders_aside, whole_file
from archivist.store.trouble import StoreDamaged, StoreReadOnly, disk_trouble, naming_trouble

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
        self._tried.add(found)
        with self._turn():
            if identity_of(path) != found:
                return None
            if len(folders_aside(path)) >= MOST_BY_ITSELF:
                raise StoreDamaged(
                    path, f"{error.reason}; salvaged {MOST_BY_ITSELF} times already, look at the disk"
                ) from error
            with self._naming():
                return salvage(self._plan)

    def on_demand(self, *, is_trial: bool) -> SalvageReport:
        """Salvage because somebody asked, whatever was salvaged before.

        Raises:
            StoreDamaged, StoreReadOnly, DiskFull, DiskFailed, StoreBusy, FileLocked: The file is as it was.
        """
        if not os.access(self._plan.path.parent, os.W_OK):
            raise StoreReadOnly(self._plan.path)
        with self._turn(), self._naming():
            return salvage(self._plan, is_trial=is_trial)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """The lock, once what an earlier holder left behind is finished."""
        path = self._plan.path
        with exchanging(path):
            if whole_file(path).exists():
                exchange(path)
            yield

    @contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            with naming_trouble(self._plan.path):
                yield
        except OSError as error:
            raise disk_trouble(self._plan.path, error) from error
        except FileNotWritten as error:
            raise disk_trouble(self._plan.path, error.reason) from error
