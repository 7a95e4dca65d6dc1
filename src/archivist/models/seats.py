"""The endpoints that may answer, one behind the other, and how each of them fares."""

from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec

from archivist.models.actions import COOLEST, cooling_seconds
from archivist.models.kinds import Kind
from archivist.models.pool import Pool
from archivist.models.repairs import repaired
from archivist.models.responder import Responder
from archivist.records.requests import Request


class Place(msgspec.Struct, frozen=True, eq=False):
    """An endpoint that may answer.

    Attributes:
        name: As a person knows it.
        keys: Of it.
        open: Gives who answers there with a key of this text.
    """

    name: str
    keys: Pool
    open: Callable[[str], Responder]


class Seat:
    """An endpoint, and what is known of how it fares."""

    def __init__(self, place: Place) -> None:
        self.name, self.keys = place.name, place.keys
        self._open, self._opened = place.open, dict[str, Responder]()
        self._failures, self._until = 0, None
        self._refused: list[Kind] = []
        self._told_window: int | None = None

    _until: datetime | None

    def responder(self, secret: str = "") -> Responder:
        """Who answers there with a key; without one it only says what it is."""
        if secret not in self._opened:
            self._opened[secret] = self._open(secret)
        return self._opened[secret]

    def close(self) -> None:
        """Let all connections go."""
        for responder in self._opened.values():
            getattr(responder, "close", _nothing)()

    # ---- rest ----

    def rests(self, now: datetime) -> bool:
        """Whether it is not asked now, because it failed a while ago."""
        return self._until is not None and now < self._until

    def until(self, now: datetime) -> str:
        """Until when it is not asked, for people; nothing where it may be."""
        return f"{self._until.astimezone():%H:%M}" if self._until is not None and now < self._until else ""

    def leave(self, now: datetime, told: float) -> None:
        """Not to be asked for a while, about as long as it says at least."""
        self._failures += 1
        seconds = cooling_seconds(self._failures)
        self._until = now + timedelta(seconds=max(seconds, min(told, COOLEST)))

    def worked(self) -> None:
        """It answered."""
        self._failures, self._until = 0, None

    # ---- what it says of itself when it refuses ----

    @property
    def window(self) -> int:
        """Tokens that a request and its reply may have together, by what is known of it and by what it said."""
        known = self.responder().window
        return known if self._told_window is None else min(known, self._told_window)

    def learn_window(self, tokens: int | None) -> bool:
        """Remember what it said that it has room for; whether that is less than was known."""
        if tokens is None or tokens >= self.window:
            return False
        self._told_window = tokens
        return True

    def fitted(self, request: Request) -> Request:
        """A request as it goes to this endpoint, without what it has refused before."""
        made = msgspec.structs.replace(request, model=self.responder().model)
        for kind in self._refused:
            made = repaired(made, kind) or made
        return made

    def refuses(self, kind: Kind, request: Request) -> bool:
        """Remember what it refuses; whether that helps: it is new, and the request has some of it."""
        if kind in self._refused or repaired(self.fitted(request), kind) is None:
            return False
        self._refused.append(kind)
        return True


def _nothing() -> None:
    """There is nothing to be closed."""


__all__ = ["Place", "Seat"]
