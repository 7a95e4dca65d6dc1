"""What a tool is, whoever offers it: a name, a line for the model, a schema for its arguments, and what it may do."""

from typing import Any

import msgspec


class Tool(msgspec.Struct, frozen=True):
    """A tool as it is offered.

    Attributes:
        description: For the model; under 400 characters.
        schema: JSON Schema of the arguments.
        is_read_only: It changes nothing.
        is_destructive: What it changes cannot be taken back.
        is_idempotent: To call it twice is to call it once.
    """

    name: str
    description: str
    schema: dict[str, Any]
    is_read_only: bool
    is_destructive: bool
    is_idempotent: bool
