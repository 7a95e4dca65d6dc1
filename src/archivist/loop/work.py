"""What an agent works with: the conversation that it stands in, and what the home does for it. `app/` puts it together."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, Protocol

import msgspec

from archivist.loop.outputs import Outputs
from archivist.models.responder import Interrupt, Responder
from archivist.records import ArchivistError, Message, Notice, Session, Usage
from archivist.records.requests import Reply, Request, ToolSpec
from archivist.tools.context import Context

NOT_RECORDED: Final = "request-not-recorded"
MISSING: Final = "a request is missing from what `archivist cache` shows"
"""What a notice says of a request of which nothing could be kept, and its code."""
Why = Literal["began", "resumed", "compacted", "model-switched", "going-on"]
"""Why the next request may begin otherwise than the one before."""


class ConversationGone(ArchivistError):
    """A conversation in which an agent speaks is there no more."""

    def __init__(self, conversation_id: str) -> None:
        self.conversation_id = conversation_id
        super().__init__(
            f"{conversation_id} was deleted while it was open: begin another conversation, in a terminal with /new"
        )


class Stored(Protocol):
    """A stored session, open for appending, as `archivist.app.handle.SessionHandle` is."""

    id: str
    conversation_id: str

    def append(self, message: Message) -> int:
        """Store one message and return its id."""

    def as_stored(self, message: Message) -> Message:
        """A message as it is read once it is stored."""

    def messages(self, which: Literal["context", "all"] = "context") -> list[Message]:
        """What a model sees, or all that was said."""

    def add_usage(self, usage: Usage) -> None:
        """Count the tokens of a request."""

    def end(self, reason: str = "ended") -> None:
        """Record that it has ended."""

    def record(self) -> Session:
        """What is stored of it."""


class Opened(msgspec.Struct):
    """A session in which an agent works, with what is frozen in it.

    Attributes:
        prompt: As it is sent, to the letter.
        tools: As they are sent.
        why: Why its next request may begin otherwise than the one before.
        idle: Seconds since its newest message, of one that was resumed.
        notices: What a person should know of how it began.
    """

    session: Stored
    prompt: str
    tools: tuple[ToolSpec, ...]
    why: Why = "began"
    idle: float = 0.0
    notices: tuple[Notice, ...] = ()


class Room(msgspec.Struct, frozen=True):
    """What came of a look at the window.

    Attributes:
        opened: The session in which the conversation goes on, where it was compressed.
        before: Tokens before that.
        after: Tokens after it.
        left: Tokens that may come before it is worth another look.
        usage: Of the requests that were made for it; they are counted already.
        notices: What a person should know.
    """

    opened: Opened | None = None
    before: int = 0
    after: int = 0
    left: int = 0
    usage: tuple[Usage, ...] = ()
    notices: tuple[Notice, ...] = ()


class Backing(Protocol):
    """What a home does for an agent."""

    def begin(self, responder: Responder) -> Opened:
        """Begin a session, or take up the one that was asked for; nobody else has it until `let_go`."""

    def let_go(self) -> None:
        """Let others have the conversation."""

    def gone_on(self, opened: Opened) -> Opened | None:
        """Where a conversation goes on since somebody else compressed it, brought something back or took it back; None for here."""

    def used(self, session: Stored) -> list[Usage]:
        """What all sessions of a conversation have used so far, per model."""

    def tail(self, session: Stored, text: str, seen: Sequence[Message], responder: Responder) -> str:
        """What belongs beside the user's next words: news of the notes, what was recalled; empty where nothing does.

        Args:
            session: In which they are said.
            text: They.
            seen: What its model sees now.
            responder: Who answers: rules recall by themselves.
        """

    def make_room(
        self,
        opened: Opened,
        responder: Responder,
        interrupt: Interrupt,
        *,
        focus: str = "",
        force: bool = False,
    ) -> Room:
        """Compress the conversation where it is time to, or at once; nothing is written where the user stops it."""

    def outputs(self, session: Stored) -> Outputs:
        """Where tools keep what is too long to be told whole."""

    def tool_context(self, session: Stored, outputs: Outputs, interrupt: Interrupt) -> Context:
        """What the calls of a turn are given."""

    def call(self, name: str, arguments: str, context: Context) -> Mapping[str, Any]:
        """Call a tool of those that the home has; whatever it is given, a result says what came of it."""

    def asked(
        self, opened: Opened, responder: Responder, request: Request, reply: Reply, *, masked: bool
    ) -> Notice | None:
        """Remember what a request had in common with the one before; why it could not be.

        Args:
            masked: Whether something was sent masked that was said in its own words, in a session that was resumed.
        """

    def blob(self, name: str) -> bytes | None:
        """The bytes of a blob."""

    def new_id(self) -> str:
        """An id that nobody has."""

    def monotonic(self) -> float:
        """Seconds."""


__all__ = ["Backing", "ConversationGone", "Opened", "Room", "Stored", "Why"]
