"""What happens while a turn runs, for whoever shows it."""

from collections.abc import Callable
from typing import Literal

import msgspec

from archivist.records import Notice, ToolCall, Usage

TurnStop = Literal["end", "interrupted", "budget", "length", "refusal", "failed"]
"""Why a turn ended: the model was done, the user stopped it, its requests or its money were used up, the reply's room was, the provider
would not go on, the model did not answer."""


class Said(msgspec.Struct, frozen=True):
    """Some more of the reply's text, as it streams."""

    text: str


class Thought(msgspec.Struct, frozen=True):
    """Some more of what the model thinks, as it streams."""

    text: str


class Called(msgspec.Struct, frozen=True):
    """A call is about to be made; the message that makes it is stored."""

    call: ToolCall


class Returned(msgspec.Struct, frozen=True):
    """A call has its result, as the model is told it; it is stored."""

    call: ToolCall
    text: str
    seconds: float
    is_failure: bool = False


class Compressed(msgspec.Struct, frozen=True):
    """What the model sees became shorter, from so many tokens to so many; the conversation goes on in another session."""

    before: int
    after: int
    session_id: str


class Told(msgspec.Struct, frozen=True):
    """Something that a person should know."""

    notice: Notice


Event = Said | Thought | Called | Returned | Compressed | Told
OnEvent = Callable[[Event], None]


class Turn(msgspec.Struct, frozen=True):
    """What came of a turn.

    Attributes:
        text: The reply; what had come of it where it was stopped.
        stop: See `TurnStop`.
        requests: How many were made.
        usage: Of all of them.
        error: In one line, where it failed.
    """

    text: str
    stop: TurnStop
    requests: int
    usage: Usage
    error: str = ""
    notices: tuple[Notice, ...] = ()


__all__ = [
    "Called",
    "Compressed",
    "Event",
    "OnEvent",
    "Returned",
    "Said",
    "Thought",
    "Told",
    "Turn",
    "TurnStop",
]
