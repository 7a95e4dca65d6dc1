"""Who answers a request: a model behind a provider, or rules that quote."""

import threading
from collections.abc import Callable
from typing import Protocol

from archivist.models.classes import Signs
from archivist.models.kinds import Kind
from archivist.records import ArchivistError
from archivist.records.requests import Piece, Reply, Request

OnPiece = Callable[[Piece], None]


class ModelFailed(ArchivistError):
    """A model did not answer, or not to the end.

    Attributes:
        partial: What had come of the reply by then; None where nothing had.
        status: Of HTTP, where the provider answered at all.
        kind: The class of the failure, by which it is decided what is done about it.
        signs: What it was classed by.
    """

    def __init__(
        self,
        reason: str,
        *,
        partial: Reply | None = None,
        status: int | None = None,
        kind: Kind = "unknown",
        signs: Signs | None = None,
    ) -> None:
        self.partial, self.status, self.kind, self.signs = partial, status, kind, signs or Signs()
        super().__init__(reason)


class Interrupt:
    """The user's wish that whatever runs now should stop; safe to set from a signal handler and from another thread."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._wakers: list[Callable[[], None]] = []

    @property
    def is_set(self) -> bool:
        """Whether it was asked for, and not yet taken back by `clear`."""
        return self._event.is_set()

    def set(self) -> None:
        """Ask for it, and wake who waits."""
        self._event.set()
        for wake in tuple(self._wakers):
            wake()

    def clear(self) -> None:
        """Begin anew."""
        self._event.clear()

    def wakes(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call a function when it is asked for, until the function that this gives is called."""
        self._wakers.append(wake)
        return lambda: self._wakers.remove(wake)


class Responder(Protocol):
    """Who answers requests, one at a time."""

    @property
    def name(self) -> str:
        """As a person knows it, such as "anthropic/claude-sonnet-5"."""

    @property
    def model(self) -> str:
        """For `Request.model`."""

    @property
    def window(self) -> int:
        """Tokens that a request and its reply may have together."""

    @property
    def is_model(self) -> bool:
        """Whether a model answers, which can be asked to tell what happened."""

    @property
    def takes_pictures(self) -> bool:
        """Whether a request may have pictures."""

    def respond(self, request: Request, on_piece: OnPiece, interrupt: Interrupt) -> Reply:
        """Ask, tell each piece as it comes, and give the whole reply; of an interrupted one what had come, with that `stop`.

        Raises:
            ModelFailed: It did not answer to the end.
        """


__all__ = ["Interrupt", "ModelFailed", "OnPiece", "Responder"]
