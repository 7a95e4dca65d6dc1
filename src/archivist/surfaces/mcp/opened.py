"""The home that a server serves: opened when it is first asked for, again as long as it cannot be, anew when another is in its place."""

import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from archivist.config import read_settings
from archivist.records import Person, Reader, Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from archivist.app import Archivist

T = TypeVar("T")


class Place(msgspec.Struct, frozen=True):
    """What is served to whom.

    Attributes:
        home: The home's folder; found as everywhere where unset.
        profile: A home of its own below it.
        host: The program that is served, as the settings name it.
        scope: Where its user works.
        host_session: The program's own id of the session that it holds, where it tells one.
    """

    home: str | None
    profile: str | None
    host: str
    scope: Scope
    host_session: str | None = None


class _Lent:
    """A home that is open, how many use it, and whether another has taken its place."""

    def __init__(self, archivist: "Archivist", file: tuple[int, int] | None) -> None:
        self.archivist, self.file = archivist, file
        self.users, self.is_former = 0, False


class LateHome:
    """A home that need not be there when the server starts."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._current: _Lent | None = None
        self._untold: list[str] = []
        self._turn = threading.Lock()

    def asked(self, work: "Callable[[Archivist, Reader], T]") -> T:
        """Do something with the home, as whoever is served reads it.

        Raises:
            ArchivistError: It cannot be opened, or what was asked failed.
        """
        with self._lent() as archivist:
            return work(archivist, self._reader(archivist))

    def session(self, archivist: "Archivist") -> str | None:
        """The session that is held, where anything of it is stored and it was not ended: a server may outlast one."""
        if self.place.host_session is None:
            return None
        handle = archivist.sessions.of_host(self.place.host, self.place.host_session)
        if handle is None:
            return None
        held = handle.record()
        is_over = held.ended_at is not None and held.ended_at >= held.last_active_at
        return None if is_over or held.scope != self.place.scope else handle.id

    def take_notices(self) -> list[str]:
        """What was found when it was opened and is not told yet."""
        with self._turn:
            told, self._untold = self._untold, []
        return told

    def close(self) -> None:
        """Close it, if it was opened: at once, or when the last who uses it is done."""
        with self._turn:
            former = self._given_up()
        if former is not None:
            former.close()

    @contextmanager
    def _lent(self) -> "Iterator[Archivist]":
        """The home, open for as long as the block runs, though another may be in its place meanwhile."""
        with self._turn:
            lent = self._opened()
            lent.users += 1
        try:
            yield lent.archivist
        finally:
            with self._turn:
                lent.users -= 1
                is_last = lent.is_former and not lent.users
            if is_last:
                lent.archivist.close()

    def _opened(self) -> "_Lent":
        from archivist.app import Archivist  # noqa: PLC0415 - the first answer does not wait for it

        current = self._current
        if current is not None and _file_of(current.archivist.home.state_file) != current.file:
            former = self._given_up()
            if former is not None:
                former.close()
            place = current.archivist.home.path
            self._untold.append(f"{place} was replaced meanwhile: what is there now is used")
        if self._current is None:
            archivist = Archivist.open(self.place.home, self.place.profile)
            self._current = _Lent(archivist, _file_of(archivist.home.state_file))
            self._untold += [notice.text for notice in archivist.notices]
        return self._current

    def _given_up(self) -> "Archivist | None":
        """Lend what is open to nobody else; it is given where nobody uses it."""
        former, self._current = self._current, None
        if former is None:
            return None
        former.is_former = True
        return None if former.users else former.archivist

    def is_trusted(self, archivist: "Archivist") -> bool:
        """Whether the owner trusts what is noted through whoever is served, by the settings as they are now."""
        return read_settings(archivist.home.config_file).host(self.place.host).trusted

    def _reader(self, archivist: "Archivist") -> Reader:
        """Who reads, by the settings as they are now."""
        host = read_settings(archivist.home.config_file).host(self.place.host)
        return Person(self.place.scope.user or "") if host.read == "owner" else self.place.scope


def _file_of(path: Path) -> tuple[int, int] | None:
    """Which file has this name; None where none has."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
