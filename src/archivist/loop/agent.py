"""The loop: what the user says, the model's reply, its calls and their results, round and round until the model is done.

Whatever happens is stored before the next step, so that a kill at any moment leaves a conversation that goes on. An interrupt ends the
step that runs and then the turn; what had come of it is kept, and every call has a result.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from archivist.loop.budget import Budget, added
from archivist.loop.calling import Calls
from archivist.loop.conversation import Conversation
from archivist.loop.events import Compressed, Event, OnEvent, Said, Thought, Told, Turn, TurnStop
from archivist.loop.work import MISSING, NOT_RECORDED, Backing, Opened, Room, Stored
from archivist.models.responder import Interrupt, ModelFailed, Responder
from archivist.records import ArchivistError, Message, Notice, Part, Usage
from archivist.records.counts import counted
from archivist.records.messages import BACKGROUND
from archivist.records.requests import Piece, Reply, Request, TextPiece
from archivist.store import DiskFailed, DiskFull, StoreBusy

MADE = "made-"
"""How the id of a request begins that its server gave none: what such a one counts is no measure of the window."""
INTERRUPTED = "interrupted"
"""The key in the metadata of a reply that the user stopped, or that broke off."""
ELSEWHERE = Notice(
    "gone-on-elsewhere",
    "the conversation was compressed, brought back or taken back from outside of this turn: it goes on from there",
)
HELD_UP = "the database takes nothing now"


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
        self._left = 0
        self.uncounted: list[Usage] = []

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
        self.responder, self._left = responder, 0
        if self._opened is not None:
            self._opened.why = "model-switched"

    def compress(self, focus: str = "") -> Room:
        """Make what the model sees shorter now."""
        self._interrupt.clear()
        self._follow()
        return self._moved(
            self._home.make_room(self._open(), self.responder, self._interrupt, focus=focus, force=True)
        )

    def turn(self, text: str, *, parts: Sequence[Part] = ()) -> Turn:
        """Say something, and let the agent work until it is done.

        Args:
            text: What the user says.
            parts: Pictures and files beside it.

        Raises:
            ArchivistError: The session could not be begun, or something could be stored nowhere: what the user said, before anybody is
                asked, or what came of it, of which what was stored before stays.
        """
        self._interrupt.clear()
        self._open()
        return _Turn(self, self._home, self._interrupt).run(text, parts)

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
        """Compress where it is time to; looked at only where so much came that it may be."""
        followed = self._follow()
        if self.conversation.grown < self._left:
            return followed
        opened = self._open()
        room = self._moved(self._home.make_room(opened, self.responder, self._interrupt))
        self.conversation.grown = 0
        self._left = (
            room.left if opened.why == "going-on" else 0
        )  # nothing was counted of the first request yet
        return replace(
            room, opened=room.opened or followed.opened, notices=(*followed.notices, *room.notices)
        )

    def _follow(self) -> Room:
        """Go on where the conversation does, whoever moved it."""
        opened = self._home.gone_on(self._open())
        if opened is None:
            return Room()
        self._left = 0
        return self._moved(Room(opened, notices=(ELSEWHERE,)))

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

    def __init__(self, agent: Agent, home: Backing, interrupt: Interrupt) -> None:
        self._agent, self._home, self._interrupt = agent, home, interrupt
        self._before_usd = home.spent(agent.session)
        self._requests, self._usage = 0, Usage(agent.responder.model, requests=0)
        self._calls: Calls | None = None
        self._notices: list[Notice] = []
        self._text = ""

    def run(self, text: str, parts: Sequence[Part]) -> Turn:
        """Store what the user says, then ask and call until nothing is left to do."""
        self._welcome()
        self._make_room()  # first, so that what is told beside the words is news to the session that hears them
        self._say(text, parts)
        try:
            while True:
                self._make_room()
                if reason := self._spent():
                    return self._ended("budget", reason)
                if self._agent.interrupted:
                    return self._ended("interrupted")
                request = self._request()
                reply = self._ask(request)
                self._keep(reply)
                self._see(request, reply)
                if not reply.tool_calls:
                    return self._ended("end" if reply.stop == "calls" else reply.stop)
                self._caller().make(reply.tool_calls, self._interrupt, self._agent.on_event)
                if self._interrupt.is_set:
                    return self._ended("interrupted")
        except ModelFailed as error:
            if error.partial is not None:
                self._keep(self._named(replace(error.partial, tool_calls=())), broken=True)
            return self._ended("failed", str(error))

    def _caller(self) -> Calls:
        """Who makes the calls, in the session in which the conversation goes on: what it heard decides what may be noted."""
        if self._calls is None:
            session = self._agent.session
            outputs = self._home.outputs(session)
            context = self._home.tool_context(session, outputs, self._interrupt)
            self._calls = Calls(self._home, context, outputs, self._add)
        return self._calls

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
            agent = self._agent
            return self._home.tail(agent.session, text, agent.conversation.messages(), agent.responder)
        except ArchivistError as error:
            self._tell(
                Notice("nothing-beside", f"nothing that is remembered stands beside your words: {error}")
            )
            return ""

    def _spent(self) -> str:
        """Why no more requests may be made, those of a summary among them; empty where they may."""
        return self._agent.budget.spent(self._requests, self._usage, self._before_usd)

    def _make_room(self) -> None:
        if self._spent():
            return
        room = self._agent.make_room()
        for notice in room.notices:
            self._tell(notice)
        for usage in room.usage:
            self._usage = added(self._usage, usage)
        if room.opened is not None:
            self._calls = None
            if room.before:
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
        if agent.conversation.is_held_up:
            self._tell(Notice(NOT_RECORDED, f"{MISSING}: {HELD_UP}"))
            return
        masked = opened.why == "resumed" and agent.conversation.holds_secrets
        if notice := self._home.asked(opened, agent.responder, request, reply, masked=masked):
            self._tell(notice)
        else:
            opened.why = "going-on"

    def _named(self, reply: Reply) -> Reply:
        """A reply whose usage has an id."""
        return reply if reply.usage is None else replace(reply, usage=with_id(reply.usage, self._home.new_id))

    def _keep(self, reply: Reply, *, broken: bool = False) -> None:
        """Store a reply, and then what it used."""
        self._text = reply.text or self._text
        if reply.text or reply.tool_calls:
            self._add(_message_of(reply, broken=broken))
        if reply.usage is not None:
            self._usage = added(self._usage, reply.usage)
            self._agent.uncounted.append(reply.usage)
            self._count()

    def _count(self) -> None:
        """Count what requests used; where a message had to wait for the database, whoever waited does not wait again."""
        conversation, waiting = self._agent.conversation, self._agent.uncounted
        while waiting and not conversation.is_held_up:
            try:
                conversation.session.add_usage(waiting[0])
            except (StoreBusy, DiskFull, DiskFailed):
                conversation.is_held_up = True
                return
            except ArchivistError as error:
                self._tell(Notice("usage-not-counted", f"what a request used is not counted: {error}"))
            del waiting[0]

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
        if waiting := self._agent.uncounted:
            requests = counted(len(waiting), "request")
            self._tell(Notice("usage-not-counted", f"what {requests} used is not counted yet: {HELD_UP}"))
        return Turn(self._text, stop, self._requests, self._usage, error, tuple(self._notices))


def with_id(usage: Usage, new_id: Callable[[], str]) -> Usage:
    """What a request used, under an id of its own where its server gave none: requests of one name count once."""
    return usage if usage.request_id else replace(usage, request_id=f"{MADE}{new_id()}")


def _message_of(reply: Reply, *, broken: bool) -> Message:
    """A reply as it is stored."""
    stopped = {INTERRUPTED: True} if broken or reply.stop == "interrupted" else {}
    request_id = reply.usage.request_id if reply.usage else ""
    named = {"request_id": request_id} if request_id and not request_id.startswith(MADE) else {}
    message = Message.assistant(reply.text, tool_calls=reply.tool_calls, reasoning=reply.reasoning)
    return replace(message, metadata={**named, **stopped})


def _nobody(_event: Event) -> None:
    """Nobody looks on."""


__all__ = ["INTERRUPTED", "Agent", "with_id"]
