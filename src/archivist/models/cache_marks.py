"""Where a request is marked, so that what stands before is kept for the next one: for providers that keep only what is marked.

A mark changes no byte of what it marks. There are four at most: behind the tools, behind the prompt, where the request before ended, and
at the end. The third is found again however much came since: a provider looks back twenty blocks from a mark, and a turn may have had
thirty results.

https://platform.claude.com/docs/en/build-with-claude/prompt-caching
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal

from archivist.records.tokens import estimate_tokens

Lasting = Literal["5m", "1h"]
"""How long what is marked is kept from its last use."""

_LEAST: Final = (
    (re.compile(r"opus-4[-.][5-8]|haiku-4[-.]5"), 4_096),
    (re.compile(r"fable-5|sonnet-4[-.]6|claude-3-haiku|3[-.]5-haiku"), 2_048),
)
"""Tokens under which a model's provider keeps nothing; of those that are not named it is the least of all."""
_ANY: Final = 1_024
_OF_A_PICTURE: Final = 1_500
"""Tokens, about: its bytes say nothing of them."""
_MARKABLE_NOT: Final = frozenset(("thinking", "redacted_thinking"))


def least_kept(model: str) -> int:
    """How many tokens must stand before a mark for it to be of use."""
    return next((least for pattern, least in _LEAST if pattern.search(model)), _ANY)


def mark(lasting: Lasting) -> dict[str, str]:
    """The mark itself."""
    return {"type": "ephemeral"} if lasting == "5m" else {"type": "ephemeral", "ttl": lasting}


def mark_anthropic(body: dict[str, Any], lasting: Lasting = "5m") -> None:
    """Mark a body in Anthropic's form.

    Args:
        body: Its blocks are new values of the one who made it, whose keys may be added to.
        lasting: How long it is kept.
    """
    tools, system, messages = body.get("tools", []), body.get("system", []), body["messages"]
    blocks = [*tools, *system, *(block for message in messages for block in message["content"])]
    heads = {len(tools), len(tools) + len(system), _before(messages, len(tools) + len(system)), len(blocks)}
    ends = sorted(end for end in heads if end and blocks[end - 1].get("type") not in _MARKABLE_NOT)
    for end in enough(blocks, ends, least_kept(body["model"])):
        blocks[end - 1]["cache_control"] = mark(lasting)


def enough(blocks: Sequence[Any], ends: Iterable[int], least: int) -> list[int]:
    """Those of the places before which so many tokens stand."""
    sizes, found, known = 0, 0, []
    for end in ends:
        while found < end and sizes < least:
            sizes += _size(blocks[found])
            found += 1
        if sizes >= least:
            known.append(end)
    return known


def _before(messages: Sequence[dict[str, Any]], first: int) -> int:
    """How many blocks the request before had: those before the assistant's last message."""
    counts = [len(message["content"]) for message in messages]
    places = [at for at, message in enumerate(messages) if message["role"] == "assistant"]
    return first + sum(counts[: places[-1]]) if places else 0


def _size(value: object) -> int:
    """Tokens of a block, about."""
    if isinstance(value, str):
        return estimate_tokens(value)
    if isinstance(value, dict):
        if value.get("type") in {"image", "image_url", "document"}:
            return _OF_A_PICTURE
        return sum(_size(key) + _size(one) for key, one in value.items())
    return sum(map(_size, value)) if isinstance(value, list | tuple) else 1


__all__ = ["Lasting", "enough", "least_kept", "mark", "mark_anthropic"]
