"""Whoever answers, by a script: the port that a program of one's own may stand behind, too."""

from collections.abc import Callable, Sequence

from archivist.models.responder import ModelFailed
from archivist.records import ToolCall, Usage
from archivist.records.requests import Reply, Request, TextPiece


class Scripted:
    """Answers one after the other, the last one again and again; `requests` is what it was asked."""

    name, model, window, takes_pictures, is_model = "tests/scripted", "scripted", 200_000, True, True

    def __init__(self, *replies: Reply | ModelFailed | Callable[[Request], Reply]) -> None:
        self.replies: Sequence[Reply | ModelFailed | Callable[[Request], Reply]] = replies
        self.requests: list[Request] = []

    def respond(self, request, on_piece, interrupt):
        self.requests.append(request)
        reply = self.replies[min(len(self.requests), len(self.replies)) - 1]
        if isinstance(reply, ModelFailed):
            raise reply
        if callable(reply):
            reply = reply(request)
        if reply.text:
            on_piece(TextPiece(reply.text))
        return reply

    @property
    def last(self) -> Request:
        return self.requests[-1]


def says(text: str, **more) -> Reply:
    return Reply(text, usage=Usage("scripted", input=100, output=10), **more)


def calls(*made: tuple[str, str], text: str = "") -> Reply:
    """A reply that calls tools: names and arguments as JSON."""
    ids = (ToolCall(f"call-{abs(hash(one))}-{place}", *one) for place, one in enumerate(made))
    return Reply(text, tuple(ids), stop="calls", usage=Usage("scripted", input=100, output=10))
