"""What of a rendered request must stand still: tools, prompt, blocks of messages, each in one form of JSON.

Marks are left out.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from archivist.models.anthropic_form import anthropic_body
from archivist.models.endpoints import Endpoint
from archivist.models.openai_form import openai_body
from archivist.records.requests import Request

_MARKS: Final = frozenset(("cache_control", "prompt_cache_breakpoint"))


def standing_in(request: Request, endpoint: Endpoint) -> tuple[str, ...]:
    """What is sent of a request, in the order in which it is cached; within an epoch one is a beginning of the next."""
    if endpoint.wire == "anthropic":
        listed = _of_anthropic(anthropic_body(request, endpoint))
    else:
        listed = _of_openai(openai_body(request, endpoint))
    return tuple(json.dumps(_unmarked(one), ensure_ascii=False, separators=(",", ":")) for one in listed)


def _of_anthropic(body: Mapping[str, Any]) -> Iterator[Any]:
    yield from body.get("tools", ())
    yield from body.get("system", ())
    for message in body["messages"]:
        yield from ([message["role"], block] for block in message["content"])


def _of_openai(body: Mapping[str, Any]) -> Iterator[Any]:
    yield from body.get("tools", ())
    yield from body["messages"]


def _unmarked(value: Any) -> Any:
    """Without marks; what a tool's schema or a call's arguments have under such a name stays, it is no block's own."""
    if not isinstance(value, dict | list):
        return value
    if isinstance(value, list):
        return [_unmarked(one) for one in value]
    own = {name: one for name, one in value.items() if name not in _MARKS}
    return {name: _unmarked(one) if name == "content" else one for name, one in own.items()}
