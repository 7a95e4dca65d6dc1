"""Compaction blocks of a provider in messages of chat completions, and what it still reads because of them.

Chat completions have no such blocks. Servers that pass another form on keep them beside the content of the assistant's message that
they came with, and a few programs inside it; all of these are known here, and none is ever changed, moved or taken apart.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from archivist.compress.violations import Form
from archivist.records.compactions import is_compaction, is_sealed, stands_for_more

_BESIDE: Final = ("compaction_blocks", "codex_reasoning_items")
"""Where LiteLLM keeps Anthropic's blocks (in its `provider_specific_fields`), and Hermes OpenAI's items."""

_HOLDERS: Final = frozenset(("provider_specific_fields", *_BESIDE))


def carried_compactions(message: Form) -> list[dict[str, Any]]:
    """The blocks that a message carries beside its content and in it, in order."""
    if _HOLDERS.isdisjoint(message) and not isinstance(message.get("content"), list):
        return []
    return [block for block in _listed(message) if is_compaction(block)]


def window_start(messages: Sequence[Form]) -> int | None:
    """The place of the last message with a block that stands for what was before it; None where there is none."""
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        if message.get("role") == "assistant" and any(map(stands_for_more, carried_compactions(message))):
            return place
    return None


def window_places(messages: Sequence[Form]) -> Sequence[int]:
    """The places of what a provider still reads: what the system says at the beginning, and all from the last block on."""
    start = window_start(messages)
    if not start:
        return range(len(messages))
    opening = next(at for at, one in enumerate(messages) if one.get("role") not in {"system", "developer"})
    return [*range(opening), *range(start, len(messages))]


def in_window(messages: Sequence[Form]) -> Sequence[Form]:
    """The messages that a provider still reads."""
    return [messages[place] for place in window_places(messages)]


def without_replaced(messages: Sequence[Form]) -> Sequence[Form]:
    """The messages without those in whose place a signed block goes: its provider refuses it behind them."""
    start = window_start(messages)
    is_signed = start is not None and any(map(is_sealed, carried_compactions(messages[start])))
    return in_window(messages) if is_signed else messages


def _listed(message: Form) -> Iterator[Any]:
    fields = message.get("provider_specific_fields")
    for holder in (fields, message):
        for name in _BESIDE:
            value = holder.get(name) if isinstance(holder, dict) else None
            if isinstance(value, list):
                yield from value
    content = message.get("content")
    if isinstance(content, list):
        yield from content


__all__ = ["carried_compactions", "in_window", "window_places", "window_start", "without_replaced"]
