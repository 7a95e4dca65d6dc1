"""What a model is asked, and what it answers, whichever provider it lives at.

A request is built once, of records; `models/` renders it for a provider.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from archivist.records.messages import ToolCall
from archivist.records.sessions import Usage

Stop = Literal["end", "calls", "length", "refusal", "interrupted"]
"""Why a reply ended: it was done, tools are called, its room was used up, the provider would not go on, the user stopped it."""

AFTER: Final = "after"
"""Under this key a stored block of thinking says behind how many characters and calls of its message it came, where it did not come
first. It is for `models/`, which puts the block there: no provider takes it."""


class ToolSpec(msgspec.Struct, frozen=True):
    """A tool as a model is told of it; `schema` is JSON Schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]


class Request(msgspec.Struct, frozen=True):
    """One request.

    Attributes:
        model: Its name at the endpoint.
        tools: In the order in which they are offered.
        system: The prompt; empty for none.
        messages: In the form of OpenAI's chat completions, without the prompt, valid as `compress.sending` makes them.
        max_tokens: The most that the reply may have; the endpoint's own where unset.
        conversation: The same for all requests of a conversation: those that share a beginning are led to the same cache by it.
    """

    model: str
    messages: tuple[Mapping[str, Any], ...]
    system: str = ""
    tools: tuple[ToolSpec, ...] = ()
    max_tokens: int | None = None
    conversation: str = ""


class Reply(msgspec.Struct, frozen=True):
    """What a model answered.

    Attributes:
        reasoning: What its provider wants back to the letter, as in `Message.reasoning`.
        usage: Of the request; its `request_id` is the provider's, and its cost what the prices say.
        model: As the provider names the one that answered.
        in_vain: What requests before it used that brought nothing, such as an empty reply in whose place another model was asked.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    reasoning: str | None = None
    stop: Stop = "end"
    usage: Usage | None = None
    model: str = ""
    in_vain: tuple[Usage, ...] = ()


class TextPiece(msgspec.Struct, frozen=True):
    """Some more of a reply's text."""

    text: str


class ThoughtPiece(msgspec.Struct, frozen=True):
    """Some more of what a model thinks, for people to see."""

    text: str


Piece = TextPiece | ThoughtPiece

__all__ = ["AFTER", "Piece", "Reply", "Request", "Stop", "TextPiece", "ThoughtPiece", "ToolSpec"]
