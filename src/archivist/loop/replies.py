"""A reply as it is stored, and what it used."""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from archivist.records import Message, Usage
from archivist.records.requests import Reply

MADE: Final = "made-"
"""How the id of a request begins that its server gave none: what such a one counts is no measure of the window."""
INTERRUPTED: Final = "interrupted"
"""The key in the metadata of a reply that the user stopped, or that broke off."""


def with_id(usage: Usage, new_id: Callable[[], str]) -> Usage:
    """What a request used, under an id of its own where its server gave none: requests of one name count once."""
    return usage if usage.request_id else replace(usage, request_id=f"{MADE}{new_id()}")


def message_of(reply: Reply, *, broken: bool = False) -> Message:
    """A reply as it is stored.

    Args:
        reply: The reply.
        broken: Whether it did not come to its end.
    """
    stopped = {INTERRUPTED: True} if broken or reply.stop == "interrupted" else {}
    request_id = reply.usage.request_id if reply.usage else ""
    named = {"request_id": request_id} if request_id and not request_id.startswith(MADE) else {}
    message = Message.assistant(reply.text, tool_calls=reply.tool_calls, reasoning=reply.reasoning)
    return replace(message, metadata={**named, **stopped})


__all__ = ["INTERRUPTED", "MADE", "message_of", "with_id"]
