"""What a provider is sent of a stored context: valid whatever the rows are, each time the same.

What stands for a result that was never kept has no row, so that it is made here, each time anew.
"""

from collections.abc import Callable, Sequence
from typing import Any

from archivist.compress.checking import check_messages
from archivist.compress.compactions import without_replaced
from archivist.compress.repairing import repair
from archivist.compress.stored_form import forms_of, with_bytes, without_own
from archivist.compress.violations import Violation
from archivist.records import ArchivistError, Message
from archivist.records.requests import AFTER


class NotSendable(ArchivistError):
    """No provider would take a context."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        self.violations = tuple(violations)
        super().__init__(
            f"no provider would take this context: {violations[0]}; append what the user says next"
        )


def sendable(
    messages: Sequence[Message],
    prompt: str | None = None,
    *,
    blobs: Callable[[str], bytes | None] | None = None,
    in_flight: bool = True,
    placed: bool = False,
) -> list[dict[str, Any]]:
    """Messages in the form of OpenAI's chat completions, as they would be sent; without those in whose place a signed compaction goes.

    Args:
        messages: A context, in order, as a model is sent it.
        prompt: The system prompt, which goes before them.
        blobs: Gives the bytes of a picture, a sound or a file by their hash; where unset they are only referred to.
        in_flight: Whether the calls of the last message may still wait for results.
        placed: Whether thoughts say where in their message they came, as `models/` wants it, and no provider.

    Raises:
        NotSendable: Nobody could repair them: no message is a user's.
    """
    forms = [*without_replaced(repair(forms_of(messages, prompt), in_flight=in_flight))]
    if blobs is not None:
        forms = with_bytes(forms, blobs)
    ready = without_own(forms) if placed else [_without_places(form) for form in without_own(forms)]
    if violations := check_messages(ready, in_flight=in_flight):
        raise NotSendable(violations)
    return ready


def _without_places(form: dict[str, Any]) -> dict[str, Any]:
    thoughts = form.get("thinking_blocks")
    if not thoughts:
        return form
    bare = [{name: value for name, value in block.items() if name != AFTER} for block in thoughts]
    return {**form, "thinking_blocks": bare}


__all__ = ["NotSendable", "sendable"]
