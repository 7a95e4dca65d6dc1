"""Where an agent stands: its session and what is frozen in it, its conversation, who answers, and how much room is left."""

from contextlib import suppress

from msgspec.structs import replace

from archivist.loop.budget import Budget
from archivist.loop.conversation import Conversation
from archivist.loop.events import OnEvent
from archivist.loop.work import Backing, Opened, Room
from archivist.models.responder import Interrupt, Responder
from archivist.records import Notice, Usage
from archivist.store import UnknownSession

ELSEWHERE = Notice(
    "gone-on-elsewhere",
    "the conversation was compressed, brought back or taken back from outside of this turn: it goes on from there",
)


class Position:
    """Where an agent stands.

    Args:
        home: What it works with.
        responder: Who answers.
        budget: What a turn may use.
        on_event: Is told what happens.

    Attributes:
        interrupt: The user's wish that whatever runs should stop.
        conversation_id: Once it has begun; it stays when the session is closed.
        uncounted: What requests used that the database has not taken yet.
    """

    def __init__(self, home: Backing, responder: Responder, budget: Budget, on_event: OnEvent) -> None:
        self.home, self.responder, self.budget, self.on_event = home, responder, budget, on_event
        self.interrupt = Interrupt()
        self.conversation_id: str | None = None
        self.uncounted: list[Usage] = []
        self._opened: Opened | None = None
        self._conversation: Conversation | None = None
        self._left = 0
        self._answered_by = ""

    @property
    def has_begun(self) -> bool:
        """Whether there is a session already."""
        return self._opened is not None

    @property
    def opened(self) -> Opened:
        """The session and what is frozen in it; it begins when this is first asked for."""
        if self._opened is None:
            self._opened = self.home.begin(self.responder)
            self.conversation_id = self._opened.session.conversation_id
        return self._opened

    @property
    def conversation(self) -> Conversation:
        """The conversation, open."""
        if self._conversation is None:
            session = self.opened.session
            self._conversation = Conversation(session, new_id=self.home.new_id, blob=self.home.blob)
        return self._conversation

    def switch(self, responder: Responder) -> None:
        """Let another model answer from now on."""
        self.responder, self._left = responder, 0
        if self._opened is not None:
            self._opened.why = "model-switched"

    def answered(self) -> None:
        """Whoever answers now may be another than before: the cache of that one knows nothing of what was sent so far."""
        before, self._answered_by = self._answered_by, self.responder.name
        if before not in {"", self._answered_by} and self.opened.why == "going-on":
            self.opened.why, self._left = "model-switched", 0

    def make_room(self, *, force: bool = False) -> Room:
        """Compress where it is time to, or at once; looked at only where so much came that it may be."""
        followed = self._follow()
        if self.conversation.grown < self._left and not force:
            return followed
        opened = self.opened
        room = self._moved(self.home.make_room(opened, self.responder, self.interrupt, force=force))
        self.conversation.grown = 0
        is_counted = opened.why == "going-on"  # nothing is of a first request before it is made
        self._left = room.left if is_counted else 0
        return replace(
            room, opened=room.opened or followed.opened, notices=(*followed.notices, *room.notices)
        )

    def compress(self, focus: str = "") -> Room:
        """Make what the model sees shorter now."""
        self._follow()
        made = self.home.make_room(self.opened, self.responder, self.interrupt, focus=focus, force=True)
        return self._moved(made)

    def leave(self, reason: str) -> None:
        """Record that the session has ended, and let others have the conversation."""
        if self._opened is None:
            return
        try:
            with suppress(UnknownSession):  # it was deleted: nothing is left that could end
                self._opened.session.end(reason)
        finally:
            self._opened, self._conversation, self._left = None, None, 0
            self.home.let_go()

    def _follow(self) -> Room:
        """Go on where the conversation does, whoever moved it."""
        opened = self.home.gone_on(self.opened)
        if opened is None:
            return Room()
        self._left = 0
        return self._moved(Room(opened, notices=(ELSEWHERE,)))

    def _moved(self, room: Room) -> Room:
        if room.opened is not None:
            self._opened = room.opened
            self.conversation.move(room.opened.session)
        return room


__all__ = ["Position"]
