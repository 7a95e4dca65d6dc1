"""A request as Anthropic's messages take it: the body that its client sends, made of the request alone.

https://platform.claude.com/docs/en/api/messages
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from archivist.models.anthropic_blocks import messages_of
from archivist.models.cache_marks import Lasting, mark_anthropic
from archivist.models.endpoints import Endpoint
from archivist.models.pieces import encodable, key_of
from archivist.records.compactions import is_compaction, is_sealed
from archivist.records.requests import Request, ToolSpec

_OLDER: Final = ((re.compile(r"claude-3-(opus|sonnet|haiku)"), 4_096), (re.compile(r"claude-3[-.]5"), 8_192))
_MOST: Final = 32_000
"""Tokens of a reply that are asked for where nobody says how many: what the models since Claude 4 all allow."""


def anthropic_body(request: Request, endpoint: Endpoint, *, lasting: Lasting = "5m") -> dict[str, Any]:
    """The body of a request, its cache marked; the same bytes for the same request.

    Args:
        request: What is asked.
        endpoint: Of whom.
        lasting: How long the provider keeps what is marked.
    """
    body: dict[str, Any] = {"model": request.model, "max_tokens": _most(request, endpoint)}
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    if request.system.strip():
        body["system"] = [{"type": "text", "text": request.system}]
    body["messages"] = messages_of(
        request.messages, pictures=endpoint.takes_pictures, signed=endpoint.provider == "anthropic"
    )
    made: dict[str, Any] = encodable(body)
    mark_anthropic(made, lasting)
    return made


def headers_for(body: Mapping[str, Any]) -> dict[str, str]:
    """What must be said beside a body: that it has blocks by which the provider made a conversation shorter."""
    blocks = [block for message in body["messages"] for block in message["content"] if is_compaction(block)]
    if not blocks:
        return {}
    return {"anthropic-beta": f"compact-{'2026-09-04' if any(map(is_sealed, blocks)) else '2026-01-12'}"}


def _most(request: Request, endpoint: Endpoint) -> int:
    if wanted := request.max_tokens or endpoint.max_tokens:
        return wanted
    known = next((most for pattern, most in _OLDER if pattern.search(request.model)), _MOST)
    return max(1, min(known, endpoint.window // 2))


def _tool(tool: ToolSpec) -> dict[str, Any]:
    told = {"description": tool.description} if tool.description else {}
    return {"name": key_of(tool.name), **told, "input_schema": {"type": "object", **tool.schema}}


__all__ = ["anthropic_body", "headers_for"]
