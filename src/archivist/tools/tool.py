"""What a tool is, whoever offers it: a name, a line for the model, a schema for its arguments, what it may do, and how it is called."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from archivist.tools.context import Context

Result = dict[str, Any]
"""Of a call: values of JSON, of which `success` says whether it did what was asked."""


class Tool(msgspec.Struct, frozen=True):
    """A tool as it is offered.

    Attributes:
        title: For people.
        description: For the model; under 400 characters.
        schema: JSON Schema of the arguments.
        output: JSON Schema of the result.
        is_read_only: It changes nothing.
        is_destructive: It may replace or remove what is there, even if that can be taken back.
        is_idempotent: To call it twice is to call it once.
        call: Does what is asked for; a failure that Archivist reports on purpose is a result too.
    """

    name: str
    title: str
    description: str
    schema: dict[str, Any]
    output: dict[str, Any]
    is_read_only: bool
    is_destructive: bool
    is_idempotent: bool
    call: Callable[[Mapping[str, Any] | str, Context], Result]
