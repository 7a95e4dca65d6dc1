"""The loop: what the user says, the model's reply, its calls and their results, round and round until the model is done.

Whatever happens is stored before the next step, so that a kill at any moment leaves a conversation that goes on. An interrupt ends the
step that runs and then the turn; what had come of it is kept, and every call has a result.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from archivist.loop.budget import Used, added
from archivist.loop.calling import Calls, told_apart
from archivist.loop.events import Compressed, Event, Said, Thought, Told, Turn, TurnStop
from archivist.loop.mending import mended
from archivist.loop.nudges import EMPTY, GRACE, beside
from archivist.loop.position import Position
from archivist.loop.replies import message_of, with_id
from archivist.loop.work import MISSING, NOT_RECORDED, Room
from archivist.models.responder import ModelFailed
from archivist.records import ArchivistError, Message, Notice, Part, Usage
from archivist.records.counts import counted
from archivist.records.messages import BACKGROUND
from archivist.records.requests import Piece, Reply, Request, TextPiece
from archivist.store import DiskFailed, DiskFull, StoreBusy

HELD_UP = "the database takes nothing now"
TOO_LONG = frozenset(("too-long", "too-large"))
"""The classes of failures that a shorter conversation mends."""


class Turning:
    """One turn: what it has used and met so far.

    Args:
        position: Where the agent stands.
    """

    def __init__(self, position: Position) -> None:
        self._position, self._home, self._interrupt = position, position.home, position.interrupt
        self._before_usd = sum(usage.cost_usd for usage in position.home.used(position.opened.session))
        self._began, self._last_usd = position.home.monotonic(), 0.0
        self._requests, self._usage = 0, Usage(position.responder.model, requests=0)
        self._calls: Calls | None = None
        self._notices: list[Notice] = []
        self._text, self._is_nudged = "", False

    def run(self, text: str, parts: Sequence[Part]) -> Turn:
        """Store what the user says, then ask and call until nothing is left to do."""
        self._welcome()
        self._make_room()  # first, so that what is told beside the words is news to the session that hears them
        self._say(text, parts)
        try:
            while True:
                self._make_room()
                if self._interrupt.is_set:
                    return self._ended("interrupted")
                if reason := self._low():
                    return self._out_of(reason)
                reply = self._asked()
                if reply.tool_calls:
                    self._caller().make(reply.tool_calls, self._interrupt, self._position.on_event)
                elif not self._nudges(reply):
                    return self._ended("end" if reply.stop == "calls" else reply.stop)
        except ModelFailed as error:
            if error.partial is not None:
                self._keep(self._named(replace(error.partial, tool_calls=())), broken=True)
            return self._ended("failed", str(error))

    # ---- what is said ----

    def _welcome(self) -> None:
        opened = self._position.opened
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
            position = self._position
            seen = position.conversation.messages()
            return self._home.tail(position.opened.session, text, seen, position.responder)
        except ArchivistError as error:
            self._tell(
                Notice("nothing-beside", f"nothing that is remembered stands beside your words: {error}")
            )
            return ""

    # ---- what is asked ----

    def _asked(self, *, last: bool = False) -> Reply:
        """A reply, stored with what it used; of the last one of a turn what it says alone."""
        request, reply = self._answered()
        names = [tool.name for tool in request.tools]
        calls = told_apart(tuple(mended(call, names) for call in reply.tool_calls))
        reply = replace(reply, tool_calls=calls)
        self._keep(replace(reply, tool_calls=()) if last else reply)
        self._see(request, reply)
        return reply

    def _answered(self) -> tuple[Request, Reply]:
        """A request and what came of it; one that is too long for whoever answers is made shorter, once."""
        request = self._request()
        try:
            return request, self._ask(request)
        except ModelFailed as error:
            if error.kind not in TOO_LONG or not self._shorten():
                raise
        request = self._request()
        return request, self._ask(request)

    def _ask(self, request: Request) -> Reply:
        self._requests += 1
        return self._named(self._position.responder.respond(request, self._piece, self._interrupt))

    def _shorten(self) -> bool:
        """Make the conversation shorter, whatever was counted of it; whether it is now."""
        name = self._position.responder.name
        self._tell(Notice("too-long", f"the conversation is too long for {name}: it is made shorter"))
        return self._made_room(self._position.make_room(force=True))

    def _request(self) -> Request:
        position, opened = self._position, self._position.opened
        return Request(
            position.responder.model,
            position.conversation.forms(pictures=position.responder.takes_pictures),
            opened.prompt,
            opened.tools,
            conversation=opened.session.conversation_id,
        )

    def _nudges(self, reply: Reply) -> bool:
        """Whether a model that said nothing is asked once more."""
        if reply.text or reply.stop not in {"end", "calls"}:
            return False
        if self._is_nudged:
            self._tell(
                Notice("said-nothing", "the model said nothing, twice: say it otherwise, or ask another")
            )
            return False
        self._is_nudged = True
        self._add(beside(EMPTY))
        return True

    def _out_of(self, reason: str) -> Turn:
        """The end of a turn that has one request left at most: in that the model says how far it came; what it calls in it is not done."""
        if not (self._position.responder.is_model and self._position.budget.has_one_left(self._used)):
            return self._ended("budget", reason)
        self._add(beside(GRACE.format(reason=reason.partition(":")[0])))
        self._asked(last=True)
        return self._ended("budget", reason)

    def _low(self) -> str:
        """Why the turn should come to its end; rules have nothing to say of how far they came, and use all that they may."""
        budget = self._position.budget
        return (budget.low if self._position.responder.is_model else budget.spent)(self._used)

    def _make_room(self) -> None:
        if self._position.budget.spent(self._used):
            return
        self._made_room(self._position.make_room())

    def _made_room(self, room: Room) -> bool:
        """Tell what came of a look at the window; whether the conversation is shorter now."""
        for notice in room.notices:
            self._tell(notice)
        for usage in room.usage:
            self._usage = added(self._usage, usage)
        if room.opened is not None:
            self._calls = None
            if room.before:
                self._show(Compressed(room.before, room.after, room.opened.session.id))
        return room.opened is not None

    @property
    def _used(self) -> Used:
        """What the turn has used, requests for summaries among it."""
        usd = self._usage.cost_usd
        seconds = self._home.monotonic() - self._began
        return Used(self._requests, usd, self._before_usd + usd, self._last_usd, seconds)

    def _caller(self) -> Calls:
        """Who makes the calls, in the session in which the conversation goes on: what it heard decides what may be noted."""
        if self._calls is None:
            session = self._position.opened.session
            outputs = self._home.outputs(session)
            context = self._home.tool_context(session, outputs, self._interrupt)
            self._calls = Calls(self._home, context, outputs, self._add)
        return self._calls

    # ---- what is kept ----

    def _keep(self, reply: Reply, *, broken: bool = False) -> None:
        """Store a reply, and then what it used."""
        self._text = reply.text or self._text
        if reply.text or reply.tool_calls:
            self._add(message_of(reply, broken=broken))
        for usage in (*reply.in_vain, *((reply.usage,) if reply.usage else ())):
            self._usage, self._last_usd = added(self._usage, usage), usage.cost_usd
            self._position.uncounted.append(usage)
        self._count()

    def _count(self) -> None:
        """Count what requests used; where a message had to wait for the database, whoever waited does not wait again."""
        conversation, waiting = self._position.conversation, self._position.uncounted
        while waiting and not conversation.is_held_up:
            try:
                conversation.session.add_usage(waiting[0])
            except (StoreBusy, DiskFull, DiskFailed):
                conversation.is_held_up = True
                return
            except ArchivistError as error:
                self._tell(Notice("usage-not-counted", f"what a request used is not counted: {error}"))
            del waiting[0]

    def _see(self, request: Request, reply: Reply) -> None:
        """Remember what a request shared with the one before; behind the reply, which nothing may delay."""
        position, opened = self._position, self._position.opened
        position.answered()
        if position.conversation.is_held_up:
            self._tell(Notice(NOT_RECORDED, f"{MISSING}: {HELD_UP}"))
            return
        masked = opened.why == "resumed" and position.conversation.holds_secrets
        if notice := self._home.asked(opened, position.responder, request, reply, masked=masked):
            self._tell(notice)
        else:
            opened.why = "going-on"

    def _named(self, reply: Reply) -> Reply:
        """A reply of which each usage has an id."""
        new_id = self._home.new_id
        usage = None if reply.usage is None else with_id(reply.usage, new_id)
        return replace(reply, usage=usage, in_vain=tuple(with_id(one, new_id) for one in reply.in_vain))

    def _add(self, message: Message) -> None:
        waits = self._position.conversation.add(message)
        if waits is not None:
            self._tell(Notice("write-spooled", waits))

    # ---- what is shown ----

    def _piece(self, piece: Piece) -> None:
        self._show(Said(piece.text) if isinstance(piece, TextPiece) else Thought(piece.text))

    def _tell(self, notice: Notice) -> None:
        if notice not in self._notices:
            self._notices.append(notice)
            self._show(Told(notice))

    def _show(self, event: Event) -> None:
        self._position.on_event(event)

    def _ended(self, stop: TurnStop, error: str = "") -> Turn:
        if waiting := self._position.uncounted:
            requests = counted(len(waiting), "request")
            self._tell(Notice("usage-not-counted", f"what {requests} used is not counted yet: {HELD_UP}"))
        return Turn(self._text, stop, self._requests, self._usage, error, tuple(self._notices))


__all__ = ["Turning"]
