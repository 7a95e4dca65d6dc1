"""A model that tells what a compression leaves out, asked beside the conversation: what that uses is counted all the same."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, Final

from archivist.compress.asking_a_model import DEADLINE_SECONDS
from archivist.loop.replies import with_id
from archivist.models.responder import Interrupt, ModelFailed, Responder
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
        """What it answers to a prompt; of an answer that was cut the lines that are whole.

        Raises:
            ModelFailed: It would not answer, or was stopped.
        """
        most = max_tokens + THOUGHT_TOKENS
        asked = Request(self._responder.model, ({"role": "user", "content": prompt},), max_tokens=most)
        with _ending(self._interrupt) as own:
            reply = self._responder.respond(asked, lambda _: None, own)
        if reply.usage is not None:
            self.usage.append(with_id(reply.usage, self._new_id))
        if reply.stop in {"interrupted", "refusal"}:
            why = "it would not tell it" if reply.stop == "refusal" else "it was stopped while it told it"
            raise ModelFailed(f"{why}: rules tell what happened")
        return reply.text.rpartition("\n")[0] if reply.stop == "length" else reply.text


@contextmanager
def _ending(interrupt: Interrupt) -> Iterator[Interrupt]:
    """An interrupt that is set with another one, and when nobody waits any more."""
    own = Interrupt()
    late = Timer(DEADLINE_SECONDS, own.set)
    late.daemon = True
    late.start()
    forget = interrupt.wakes(own.set)
    try:
        if interrupt.is_set:
            own.set()
        yield own
    finally:
        forget()
        late.cancel()


__all__ = ["Summary"]
