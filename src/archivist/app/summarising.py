"""A model that tells what a compression leaves out, asked beside the conversation: what that uses is counted all the same."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from archivist.loop.replies import with_id
from archivist.models.responder import Interrupt, Responder
from archivist.records.requests import Request

if TYPE_CHECKING:
    from archivist.records import Usage

THOUGHT_TOKENS: Final = 8_000
"""Beside those of a summary, for models that count what they think among what they say."""


class Summary:
    """A model that tells what happened; it is left as soon as the user wants whatever runs to stop.

    Attributes:
        usage: Of its requests.
    """

    def __init__(self, responder: Responder, interrupt: Interrupt, new_id: Callable[[], str]) -> None:
        self._responder, self._interrupt, self._new_id = responder, interrupt, new_id
        self.usage: list[Usage] = []

    def ask(self, prompt: str, max_tokens: int) -> str:
        """What it answers to a prompt."""
        most = max_tokens + THOUGHT_TOKENS
        asked = Request(self._responder.model, ({"role": "user", "content": prompt},), max_tokens=most)
        reply = self._responder.respond(asked, lambda _: None, self._interrupt)
        if reply.usage is not None:
            self.usage.append(with_id(reply.usage, self._new_id))
        return reply.text


__all__ = ["Summary"]
