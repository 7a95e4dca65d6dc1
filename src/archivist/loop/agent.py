"""The loop: what the user says, the model's reply, its calls and their results, round and round until the model is done.

Whatever happens is stored before the next step, so that a kill at any moment leaves a conversation that goes on. An interrupt ends the
step that runs and then the turn; what had come of it is kept, and every call has a result.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from archivist.loop.budget import Budget, added
from archivist.loop.calling import Calls
from archivist.loop.conversation import Conversation
from archivist.loop.events import Compressed, Event, OnEvent, Said, Thought, Told, Turn, TurnStop
from archivist.loop.work import Backing, Opened, Room, Stored
from archivist.models.responder import Interrupt, ModelFailed, Responder
from archivist.records import ArchivistError, Message, Notice, Part, Usage
from archivist.records.messages import BACKGROUND
from archivist.records.requests import Piece, Reply, Request, TextPiece

MADE = "made-"
"""How the id of a request begins that its server gave none: what such a one counts is no measure of the window."""
INTERRUPTED = "interrupted"
"""The key in the metadata of a reply that the user stopped, or that broke off."""


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
        self.responder, self.budget = responder, budget
        self.on_event: OnEvent = on_event or _nobody
        self._home = home
        self._interrupt = Interrupt()
        self._opened: Opened | None = None
        self._conversation: Conversation | None = None
        self._conversation_id: str | None = None

    # ---- what surfaces ask of it ----

    @property
    def session(self) -> Stored:
        """The session in which the conversation goes on now; it begins when this is first asked for."""
        return self._open().session

    @property
    def conversation_id(self) -> str:
        """What a person continues it by."""
        return self._conversation_id or self.session.conversation_id

    @property
    def has_begun(self) -> bool:
        """Whether there is a session already."""
        return self._opened is not None

    @property
    def opened(self) -> Opened:
        """The session and what is frozen in it."""
        return self._open()

    @property
    def interrupted(self) -> bool:
        """Whether the user wants whatever runs to stop."""
        return self._interrupt.is_set

    def interrupt(self) -> None:
        """Stop the turn that runs, as soon as can be; from a signal handler or another thread."""
        self._interrupt.set()

    def switch(self, responder: Responder) -> None:
        """Let another model answer from now on: its cache knows nothing of what was sent so far."""
        self.responder = responder
        if self._opened is not None:
            self._opened.why = "model-switched"

    def compress(self, focus: str = "") -> Room:
        """Make what the model sees shorter now."""
        return self._moved(self._home.make_room(self._open(), self.responder, focus=focus, force=True))

    def turn(self, text: str, *, parts: Sequence[Part] = ()) -> Turn:
        """Say something, and let the agent work until it is done.

        Args:
            text: What the user says.
            parts: Pictures and files beside it.

        Raises:
            ArchivistError: What was said could not be stored anywhere; nobody was asked.
        """
        self._interrupt.clear()
        running = _Turn(self, self._home, self._open(), self._interrupt)
        return running.run(text, parts)

    def close(self, reason: str = "ended") -> None:
        """Record that the session has ended; another turn resumes it."""
        if self._opened is not None:
            try:
                self._opened.session.end(reason)
            finally:
                self._opened = self._conversation = None
                self._home.let_go()

    # ---- what a turn asks of it ----

    @property
    def conversation(self) -> Conversation:
        """The conversation, open."""
        if self._conversation is None:
            self._conversation = Conversation(
                self._open().session, new_id=self._home.new_id, blob=self._home.blob
            )
        return self._conversation

    def make_room(self) -> Room:
        """Compress where it is time to."""
        return self._moved(self._home.make_room(self._open(), self.responder))

    def _open(self) -> Opened:
        if self._opened is None:
            self._opened = self._home.begin(self.responder)
            self._conversation_id = self._opened.session.conversation_id
        return self._opened

    def _moved(self, room: Room) -> Room:
        if room.opened is not None:
            self._opened = room.opened
            self.conversation.move(room.opened.session)
        return room


class _Turn:
    """One turn: what it has used and met so far."""

    def __init__(self, agent: Agent, home: Backing, opened: Opened, interrupt: Interrupt) -> None:
        self._agent, self._home, self._interrupt = agent, home, interrupt
        self._before_usd = sum(usage.cost_usd for usage in opened.session.usage())
        self._requests, self._usage = 0, Usage(agent.responder.model, requests=0)
        self._notices: list[Notice] = []
        self._text = ""

    def run(self, text: str, parts: Sequence[Part]) -> Turn:
        """Store what the user says, then ask and call until nothing is left to do."""
        self._welcome()
        self._make_room()  # first, so that what is told beside the words is news to the session that hears them
        self._say(text, parts)
        outputs = self._home.outputs(self._agent.session)
        calls = Calls(
            self._home,
            self._home.tool_context(self._agent.session, outputs, self._interrupt),
            outputs,
            self._add,
        )
        try:
            while True:
                if reason := self._agent.budget.spent(self._requests, self._usage, self._before_usd):
                    return self._ended("budget", reason)
                self._make_room()
                request = self._request()
                reply = self._ask(request)
                self._keep(reply)
                self._see(request, reply)
                if not reply.tool_calls:
                    return self._ended("end" if reply.stop == "calls" else reply.stop)
                calls.make(reply.tool_calls, self._interrupt, self._agent.on_event)
                if self._interrupt.is_set:
                    return self._ended("interrupted")
        except ModelFailed as error:
            if error.partial is not None:
                self._keep(self._named(replace(error.partial, tool_calls=())), broken=True)
            return self._ended("failed", str(error))

    def _welcome(self) -> None:
        opened = self._agent.opened
        notices, opened.notices = opened.notices, ()
        for notice in notices:
            self._tell(notice)

    def _say(self, text: str, parts: Sequence[Part]) -> None:
        tail = self._tail(text)
        said = (Part("text", text), *parts) if parts or tail else ()
        background = (Part(BACKGROUND, tail),) if tail else ()
        self._add(Message.user(text, parts=(*said, *background)))

    def _tail(self, text: str) -> str:
        try:
            return self._home.tail(self._agent.session, text)
        except ArchivistError as error:
            self._tell(
                Notice("nothing-beside", f"nothing that is remembered stands beside your words: {error}")
            )
            return ""

    def _make_room(self) -> None:
        room = self._agent.make_room()
        for notice in room.notices:
            self._tell(notice)
        if room.opened is not None:
            self._show(Compressed(room.before, room.after, room.opened.session.id))

    def _request(self) -> Request:
        agent, opened = self._agent, self._agent.opened
        return Request(
            agent.responder.model,
            agent.conversation.forms(pictures=agent.responder.takes_pictures),
            opened.prompt,
            opened.tools,
            conversation=opened.session.conversation_id,
        )

    def _ask(self, request: Request) -> Reply:
        self._requests += 1
        return self._named(self._agent.responder.respond(request, self._piece, self._interrupt))

    def _see(self, request: Request, reply: Reply) -> None:
        """Remember what a request shared with the one before; behind the reply, which nothing may delay."""
        agent, opened = self._agent, self._agent.opened
        masked = opened.why == "resumed" and agent.conversation.holds_secrets
        if notice := self._home.asked(opened, agent.responder, request, reply, masked=masked):
            self._tell(notice)
        opened.why = "going-on"

    def _named(self, reply: Reply) -> Reply:
        """A reply whose usage has an id, made where its server gave none: requests of one name count once."""
        if reply.usage is None or reply.usage.request_id:
            return reply
        return replace(reply, usage=replace(reply.usage, request_id=f"{MADE}{self._home.new_id()}"))

    def _keep(self, reply: Reply, *, broken: bool = False) -> None:
        """Store a reply, and what it used."""
        self._text = reply.text or self._text
        if reply.usage is not None:
            self._count(reply.usage)
        if not reply.text and not reply.tool_calls:
            return
        stopped = {INTERRUPTED: True} if broken or reply.stop == "interrupted" else {}
        request_id = reply.usage.request_id if reply.usage else ""
        named = {"request_id": request_id} if request_id and not request_id.startswith(MADE) else {}
        message = Message.assistant(reply.text, tool_calls=reply.tool_calls, reasoning=reply.reasoning)
        self._add(replace(message, metadata={**named, **stopped}))

    def _count(self, usage: Usage) -> None:
        self._usage = added(self._usage, usage)
        try:
            self._agent.session.add_usage(usage)
        except ArchivistError as error:
            self._tell(Notice("usage-not-counted", f"what a request used is not counted: {error}"))

    def _add(self, message: Message) -> None:
        waits = self._agent.conversation.add(message)
        if waits is not None:
            self._tell(Notice("write-spooled", waits))

    def _piece(self, piece: Piece) -> None:
        self._show(Said(piece.text) if isinstance(piece, TextPiece) else Thought(piece.text))

    def _tell(self, notice: Notice) -> None:
        if notice not in self._notices:
            self._notices.append(notice)
            self._show(Told(notice))

    def _show(self, event: Event) -> None:
        self._agent.on_event(event)

    def _ended(self, stop: TurnStop, error: str = "") -> Turn:
        return Turn(self._text, stop, self._requests, self._usage, error, tuple(self._notices))


def _nobody(_event: Event) -> None:
    """Nobody looks on."""


__all__ = ["INTERRUPTED", "Agent"]
