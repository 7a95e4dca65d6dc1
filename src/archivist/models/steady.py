"""A model that goes on answering: endpoints stand behind one another, each with its keys, and what can be done about a failure is done.

A wait, another key and another endpoint are told as notices while the request runs. A reply of which text was shown is never asked for
again: what had come is given to whoever asked.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from archivist.models.attempts import SWITCHED, Attempts, World
from archivist.models.pausing import pause
from archivist.models.pool import Note, take_no_note
from archivist.models.responder import Interrupt, OnPiece, Responder
from archivist.models.seats import Place, Seat
from archivist.records import Notice
from archivist.records.requests import Reply, Request


class Steady:
    """Who answers, for as long as anybody does: the first of several endpoints, another one while that one cannot.

    Its name, window and senses are those of the endpoint that is asked now.

    Args:
        places: The endpoints, the first first.
        tell: Is told what a person should know.
        now: The time.
        draw: A number between two, by chance.
        wait: Waits so many seconds, and ends at once when the user wants to stop.
        note: Takes down what failed.
    """

    is_model = True

    def __init__(
        self,
        places: Sequence[Place],
        *,
        tell: Callable[[Notice], None],
        now: Callable[[], datetime],
        draw: Callable[[float, float], float],
        wait: Callable[[float, Interrupt], None] = pause,
        note: Note = take_no_note,
    ) -> None:
        self._seats = tuple(Seat(place) for place in places)
        self._world = World(now, draw, wait, tell, note)
        self._at = 0

    @property
    def name(self) -> str:
        """Of the endpoint that is asked now."""
        return self._seats[self._at].name

    @property
    def model(self) -> str:
        """For requests."""
        return self._who.model

    @property
    def window(self) -> int:
        """Tokens that a request and its reply may have together."""
        return self._seats[self._at].window

    @property
    def takes_pictures(self) -> bool:
        """Whether it reads pictures."""
        return self._who.takes_pictures

    @property
    def _who(self) -> Responder:
        return self._seats[self._at].responder()

    def respond(self, request: Request, on_piece: OnPiece, interrupt: Interrupt) -> Reply:
        """Ask until somebody answers; what is done on the way is told.

        Raises:
            ModelFailed: Nobody did, or a reply broke off of which something was shown.
        """
        self._return()
        attempts = Attempts(
            self._seats, self._at, request, on_piece=on_piece, interrupt=interrupt, world=self._world
        )
        try:
            return attempts.reply()
        finally:
            self._at = attempts.at

    def standing_by(self) -> tuple[tuple[str, str], ...]:
        """The other endpoints in order, each with until when it is left alone; nothing where it may be asked."""
        now = self._world.now()
        others = (seat for seat in self._seats if seat.name != self.name)
        return tuple((seat.name, seat.until(now)) for seat in others)

    def close(self) -> None:
        """Let all connections go."""
        for seat in self._seats:
            seat.close()

    def _return(self) -> None:
        """Ask the first again that has rested long enough."""
        now, before = self._world.now(), self._at
        ready = (at for at, seat in enumerate(self._seats[:before]) if not seat.rests(now))
        self._at = next(ready, before)
        if self._at != before:
            self._world.tell(Notice(SWITCHED, f"{self.name} is asked again"))


__all__ = ["Steady"]
