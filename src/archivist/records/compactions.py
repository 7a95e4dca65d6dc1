"""Blocks by which a provider itself made a conversation shorter, and which it wants back to the letter.

Anthropic's hold a summary, and since `compact-2026-09-04` a signature over it; OpenAI's hold what only OpenAI can read. What stands
before such a block the provider does not read any more.

https://platform.claude.com/docs/en/build-with-claude/compaction
https://developers.openai.com/api/docs/guides/compaction
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

COMPACTIONS: Final = frozenset({"compaction", "compaction_summary", "context_compaction"})
"""Types of such blocks; the second and third are names that Codex gives OpenAI's."""


def is_compaction(block: object) -> bool:
    """Whether something is a block of this kind, also one that came to nothing."""
    kind = block.get("type") if isinstance(block, Mapping) else None
    return isinstance(kind, str) and kind in COMPACTIONS


def stands_for_more(block: object) -> bool:
    """Whether a block stands for what was before it; one that failed holds nothing, and its provider passes over it."""
    if not isinstance(block, Mapping) or not is_compaction(block):
        return False
    held = block["content"] if "content" in block else block.get("encrypted_content")
    return isinstance(held, str) and bool(held)


def is_sealed(block: Mapping[str, Any]) -> bool:
    """Whether its provider signed what it says: such a block goes first of all, in the place of what it stands for."""
    return bool(block.get("signature"))


def compactions_in(reasoning: str | None) -> list[dict[str, Any]]:
    """The blocks in what a message keeps for its provider (`Message.reasoning`), in order."""
    if not reasoning or "compaction" not in reasoning:
        return []
    try:
        told = msgspec.json.decode(reasoning)
    except (msgspec.DecodeError, RecursionError):
        return []
    lists = told.values() if isinstance(told, dict) else (told,)
    return [one for held in lists if isinstance(held, list) for one in held if is_compaction(one)]


def without_thoughts(reasoning: str | None) -> str | None:
    """What a message still keeps for its provider when its calls are cut: thoughts were signed for them, such blocks were not."""
    kept = compactions_in(reasoning)
    return msgspec.json.encode(kept).decode() if kept else None


__all__ = [
    "COMPACTIONS",
    "compactions_in",
    "is_compaction",
    "is_sealed",
    "stands_for_more",
    "without_thoughts",
]
