"""The home that a server serves, opened when it is first asked for, and asked again as long as it cannot be opened."""

import threading
from typing import TYPE_CHECKING, TypeVar

import msgspec

from archivist.config import read_settings
from archivist.records import Person, Reader, Scope
from archivist.store import StoreClosed, StoreReplaced

if TYPE_CHECKING:
    from collections.abc import Callable

    from archivist.app import Archivist

T = TypeVar("T")


class Place(msgspec.Struct, frozen=True):
    """What is served to whom.

    Attributes:
        home: The home's folder; found as everywhere where unset.
        profile: A home of its own below it.
        host: The program that is served, as the settings name it.
        scope: Where its user works.
    """

    home: str | None
    profile: str | None
    host: str
    scope: Scope


class LateHome:
    """A home that need not be there when the server starts."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._archivist: Archivist | None = None
        self._turn = threading.Lock()

    def asked(self, work: "Callable[[Archivist, Reader], T]") -> T:
        """Do something with the home, as whoever is served reads it.

        Raises:
            ArchivistError: It cannot be opened, or what was asked failed.
        """
        archivist = self._opened()
        try:
            return work(archivist, self._reader(archivist))
        except (StoreClosed, StoreReplaced):
            self._let_go(archivist)
            raise

    def close(self) -> None:
        """Close it, if it was opened."""
        with self._turn:
            archivist, self._archivist = self._archivist, None
        if archivist is not None:
            archivist.close()

    def _opened(self) -> "Archivist":
        from archivist.app import Archivist  # noqa: PLC0415 - the first answer does not wait for it

        with self._turn:
            if self._archivist is None:
                self._archivist = Archivist.open(self.place.home, self.place.profile)
            return self._archivist

    def _let_go(self, archivist: "Archivist") -> None:
        """Open it anew for the next call: another history is in its place."""
        with self._turn:
            if self._archivist is archivist:
                self._archivist = None
        archivist.close()

    def _reader(self, archivist: "Archivist") -> Reader:
        """Who reads, by the settings as they are now."""
        host = read_settings(archivist.home.config_file).host(self.place.host)
        return Person(self.place.scope.user or "") if host.read == "owner" else self.place.scope
