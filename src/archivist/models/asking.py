"""A request made and its answer heard, whichever provider's client makes it."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import Protocol

from msgspec.structs import replace

from archivist.models.endpoints import Endpoint
from archivist.models.failing import broken_off, explained, is_failure
from archivist.models.listening import Heard, Line, listen
from archivist.models.responder import Interrupt, OnPiece
from archivist.records import Usage
from archivist.records.requests import Piece, Reply

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


def hear(
    ask: Callable[[], Heard],
    stream: Stream,
    line: Line,
    endpoint: Endpoint,
    on_piece: OnPiece,
    interrupt: Interrupt,
) -> Reply:
    """Ask, and tell each piece as it comes.

    Raises:
        ModelFailed: The reply did not come to its end, and nobody stopped it.
    """
    with closing(_pieces(ask, stream, line, endpoint, interrupt)) as pieces:
        for piece in pieces:  # what a listener raises is its own, and no failure of the model
            on_piece(piece)
    if stream.is_whole:
        return stream.reply()
    if interrupt.is_set:
        return stream.reply(stopped=True)
    raise broken_off(endpoint, _partial(stream))


def _pieces(
    ask: Callable[[], Heard], stream: Stream, line: Line, endpoint: Endpoint, interrupt: Interrupt
) -> Generator[Piece, None, None]:
    has_begun = False
    try:
        with closing(listen(ask, line, interrupt)) as events:
            for event in events:
                has_begun = True
                yield from stream.take(event)
    except Exception as error:
        if not is_failure(error):
            raise
        if not interrupt.is_set:
            raise explained(error, endpoint, _partial(stream), has_begun=has_begun) from error


def _partial(stream: Stream) -> Reply | None:
    """What had come of a reply that broke off; None where nothing had."""
    reply = stream.reply(stopped=True)
    return replace(reply, stop="end") if reply.text or reply.usage is not None else None


def priced(reply: Reply, model: str, cost: Cost | None) -> Reply:
    """A reply with what it cost, where its provider did not say."""
    if reply.usage is None or reply.usage.cost_usd or cost is None:
        return reply
    return replace(reply, usage=replace(reply.usage, cost_usd=cost(model, reply.usage)))


__all__ = ["Cost", "Stream", "hear", "priced"]
