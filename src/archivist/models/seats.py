"""The endpoints that may answer, one behind the other, and how each of them fares."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Protocol

import msgspec

from archivist.models.actions import COOLEST, Mark, cooling_seconds
from archivist.models.kinds import Kind
from archivist.models.repairs import repaired
from archivist.models.responder import Responder
from archivist.records.requests import Request


class Key(Protocol):
    """A key of an endpoint."""

    @property
    def name(self) -> str:
        """As people are told it."""

    @property
    def secret(self) -> str:
        """Its text."""


class Keys(Protocol):
    """The keys of an endpoint, as `archivist.models.pool.Pool` keeps them."""

    def take(self, now: datetime) -> Key | None:
        """The key to be used now; None where each of them rests."""

    def worked(self, key: Key) -> None:
        """A key was answered."""

    def failed(self, key: Key, what: Mark, until: datetime | None = None) -> None:
        """A key was not answered."""

    def free_at(self) -> datetime | None:
        """When a key can be taken again, where now none can."""


class Place(msgspec.Struct, frozen=True, eq=False):
    """An endpoint that may answer.

    Attributes:
        name: As a person knows it.
        keys: Of it.
        open: Gives who answers there with a key of this text.
    """

    name: str
    keys: Keys
    open: Callable[[str], Responder]


class Seat:
    """An endpoint, and what is known of how it fares."""

    def __init__(self, place: Place) -> None:
        self.name, self.keys = place.name, place.keys
        self._open, self._opened = place.open, dict[str, Responder]()
        self._failures, self._until = 0, None
        self._refused: list[Kind] = []

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

    def leave(self, now: datetime, told: float) -> None:
        """Not to be asked for a while, about as long as it says at least."""
        self._failures += 1
        seconds = cooling_seconds(self._failures)
        self._until = now + timedelta(seconds=max(seconds, min(told, COOLEST)))

    def worked(self) -> None:
        """It answered."""
        self._failures, self._until = 0, None

    # ---- what it refuses of requests ----

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


__all__ = ["Key", "Keys", "Place", "Seat"]
