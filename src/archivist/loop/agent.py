"""An agent, as whoever has one meets it: it is said something, and works until it is done."""

from collections.abc import Sequence

from archivist.loop.budget import Budget
from archivist.loop.events import Event, OnEvent, Turn
from archivist.loop.position import Position
from archivist.loop.turning import Turning
from archivist.loop.work import Backing, ConversationGone, Opened, Room, Stored
from archivist.models.responder import Responder
from archivist.records import Part, Usage
from archivist.store import UnknownSession


class Agent:
    """An agent in one conversation. A session begins with its first turn, and with it what is frozen for its prompt.

    Args:
        home: What it works with.
        responder: Who answers.
        budget: What a turn may use.
        on_event: Is told what happens, in the thread in which the turn runs.
    """

    def __init__(
        self, home: Backing, responder: Responder, *, budget: Budget, on_event: OnEvent | None = None
    ) -> None:
        self._position = Position(home, responder, budget, on_event or _nobody)

    @property
    def responder(self) -> Responder:
        """Who answers."""
        return self._position.responder

    @property
    def on_event(self) -> OnEvent:
        """Who is told what happens; it may be changed between turns."""
        return self._position.on_event

    @on_event.setter
    def on_event(self, on_event: OnEvent) -> None:
        self._position.on_event = on_event

    @property
    def session(self) -> Stored:
        """The session in which the conversation goes on now; it begins when this is first asked for."""
        return self._position.opened.session

    @property
    def conversation_id(self) -> str:
        """What a person continues it by."""
        return self._position.conversation_id or self.session.conversation_id

    @property
    def has_begun(self) -> bool:
        """Whether there is a session already."""
        return self._position.has_begun

    @property
    def opened(self) -> Opened:
        """The session and what is frozen in it."""
        return self._position.opened

    @property
    def used(self) -> list[Usage]:
        """What the conversation has used so far, per model, whichever of its sessions did."""
        return self._position.home.used(self.session)

    @property
    def interrupted(self) -> bool:
        """Whether the user wants whatever runs to stop."""
        return self._position.interrupt.is_set

    def interrupt(self) -> None:
        """Stop the turn that runs, as soon as can be; from a signal handler or another thread."""
        self._position.interrupt.set()

    def switch(self, responder: Responder) -> None:
        """Let another model answer from now on: its cache knows nothing of what was sent so far."""
        self._position.switch(responder)

    def compress(self, focus: str = "") -> Room:
        """Make what the model sees shorter now."""
        self._position.interrupt.clear()
        return self._position.compress(focus)

    def turn(self, text: str, *, parts: Sequence[Part] = ()) -> Turn:
        """Say something, and let the agent work until it is done.

        Args:
            text: What the user says.
            parts: Pictures and files beside it.

        Raises:
            ArchivistError: The session could not be begun, or something could be stored nowhere: what the user said, before anybody is
                asked, or what came of it, of which what was stored before stays.
            ConversationGone: It was deleted meanwhile, or a backup was restored that knows nothing of it.
        """
        self._position.interrupt.clear()
        _ = self._position.opened
        try:
            return Turning(self._position).run(text, parts)
        except UnknownSession as error:
            raise ConversationGone(self.conversation_id) from error

    def close(self, reason: str = "ended") -> None:
        """Record that the session has ended; another turn resumes it."""
        self._position.leave(reason)


def _nobody(_event: Event) -> None:
    """Nobody looks on."""


__all__ = ["Agent"]
