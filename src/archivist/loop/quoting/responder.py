"""The responder that needs no model: the same loop runs with it, stores what it says and calls, and shows it."""

from collections.abc import Iterator, Sequence
from itertools import count

import msgspec

from archivist.loop.quoting.answering import Asking, answer
from archivist.loop.quoting.reading import Heard, heard_in
from archivist.loop.quoting.telling import SENTENCES, said_no_model
from archivist.models.responder import Interrupt, OnPiece
from archivist.records import ToolCall
from archivist.records.requests import Reply, Request, TextPiece

WINDOW = 1_000_000
"""Tokens; only the newest of them are looked at."""


class Quoting:
    """Answers with quotes. What it answers hangs on the request alone: the same request, the same bytes."""

    name = "none"
    model = "quotes"
    window = WINDOW
    is_model = False
    takes_pictures = False

    def respond(self, request: Request, on_piece: OnPiece, interrupt: Interrupt) -> Reply:
        """Call a tool for what the user wants, or tell what it gave."""
        heard = heard_in(request)
        step = answer(heard)
        if isinstance(step, str):
            return self._said(_with_notice(step, heard), on_piece, interrupt)
        if interrupt.is_set:
            return Reply(stop="interrupted", model=self.model)
        return Reply(tool_calls=tuple(_calls(step, heard)), stop="calls", model=self.model)

    def _said(self, text: str, on_piece: OnPiece, interrupt: Interrupt) -> Reply:
        """A text, told line by line; as far as it had come where the user stops it."""
        told = ""
        for line in text.splitlines(keepends=True):
            if interrupt.is_set:
                return Reply(told, stop="interrupted", model=self.model)
            on_piece(TextPiece(line))
            told += line
        return Reply(told, model=self.model)


def _with_notice(text: str, heard: Heard) -> str:
    """An answer, and once in a session that there is no model."""
    return text if said_no_model(heard.before) else f"{text}\n\n{SENTENCES[heard.language].no_model}"


def _calls(step: Sequence[Asking], heard: Heard) -> Iterator[ToolCall]:
    """The calls, under ids that none in the conversation has."""
    names = (f"quotes-{number}" for number in count(heard.number))
    free = (name for name in names if name not in heard.used)
    for asking, key in zip(step, free, strict=False):
        yield ToolCall(key, asking.tool, msgspec.json.encode(asking.arguments).decode())


__all__ = ["Quoting"]
