"""A request made and its answer heard, whichever provider's client makes it."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import Final, Protocol

import msgspec
from msgspec.structs import replace

from archivist.models.endpoints import Endpoint
from archivist.models.failing import broken_off, cause_of, explained, is_failure
from archivist.models.listening import Heard, Line, listen
from archivist.models.pieces import key_of
from archivist.models.responder import Interrupt, OnPiece
from archivist.records import Usage
from archivist.records.requests import Piece, Reply, ToolSpec

MOST_TOLD: Final = 4_000_000
"""Characters and events of a reply: more than any model says before it is done."""
Cost = Callable[[str, Usage], float]
"""What so much of a model costs, in dollars."""


class Stream(Protocol):
    """A reply as far as it has come."""

    @property
    def is_whole(self) -> bool:
        """Whether it came to its end."""

    def take(self, event: object) -> Iterator[Piece]:
        """One more event."""

    def reply(self, *, stopped: bool = False) -> Reply:
        """What has come."""


class Asked(msgspec.Struct, frozen=True):
    """A request that is about to be made.

    Attributes:
        ask: Makes it.
        line: Its client's.
        endpoint: Where.
        patience: Seconds without an event after which it is given up.
    """

    ask: Callable[[], Heard]
    line: Line
    endpoint: Endpoint
    patience: float


def hear(asked: Asked, stream: Stream, on_piece: OnPiece, interrupt: Interrupt) -> Reply:
    """Ask, and tell each piece as it comes.

    Raises:
        ModelFailed: The reply did not come to its end, and nobody stopped it.
    """
    with closing(_pieces(asked, stream, interrupt)) as pieces:
        for piece in pieces:
            on_piece(piece)
    if stream.is_whole:
        return stream.reply()
    if interrupt.is_set:
        return stream.reply(stopped=True)
    raise broken_off(asked.endpoint, _partial(stream))


def _pieces(asked: Asked, stream: Stream, interrupt: Interrupt) -> Generator[Piece, None, None]:
    """What can be shown; what fails here is the provider's, and never of whom it is shown to."""
    has_begun, length = False, 0
    try:
        with closing(listen(asked.ask, asked.line, interrupt, asked.patience)) as events:
            for number, event in enumerate(events):
                has_begun = True
                for piece in stream.take(event):
                    length += len(piece.text)
                    yield piece
                if number + length > MOST_TOLD:
                    raise _Endless  # noqa: TRY301 - it is told as what the server did
    except _Endless:
        raise broken_off(asked.endpoint, _partial(stream), "it would not end", has_begun=True) from None
    except Exception as error:
        if not is_failure(error):
            raise
        if not interrupt.is_set and not stream.is_whole:
            told = explained(error, asked.endpoint, _partial(stream), has_begun=has_begun)
            raise told from cause_of(error, asked.endpoint)


class _Endless(Exception):
    """More came than any model says."""


def _partial(stream: Stream) -> Reply | None:
    """What had come of a reply that broke off; None where nothing had."""
    reply = stream.reply(stopped=True)
    return replace(reply, stop="end") if reply.text or reply.usage is not None else None


def priced(reply: Reply, model: str, cost: Cost | None) -> Reply:
    """A reply with what it cost, where its provider did not say."""
    if reply.usage is None or reply.usage.cost_usd or cost is None:
        return reply
    return replace(reply, usage=replace(reply.usage, cost_usd=cost(model, reply.usage)))


def with_names(reply: Reply, tools: Sequence[ToolSpec]) -> Reply:
    """A reply whose calls name the tools as they are known here: a provider may have been told other characters."""
    own = {told: tool.name for tool in tools if (told := key_of(tool.name)) != tool.name}
    if not own:
        return reply
    calls = tuple(replace(call, name=own.get(call.name, call.name)) for call in reply.tool_calls)
    return replace(reply, tool_calls=calls)


__all__ = ["Asked", "Cost", "Stream", "hear", "priced", "with_names"]
