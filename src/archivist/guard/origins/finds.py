"""What Archivist's own tools found: each find holds the words of whoever said them where they were said."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from archivist.guard.origins.prints import TextOrigin

Recalled = Callable[[int], TextOrigin | None]
"""Whose words a message of any conversation holds, by its id; None where it is trusted."""

_FOREIGN: Final = frozenset({"web", "document", "tool", "agent", "member", "provider", "unknown"})


_LISTS: Final = ("hits", "results", "messages")
_TOLD: Final = frozenset({*_LISTS, "sessions", "success", "error", "count"})
"""What an answer of ours has, whatever was asked."""
_DEEPEST: Final = 3
"""How often an answer may be wrapped by what brought it."""


def finds_in(text: str) -> list[Mapping[str, Any]] | None:
    """The finds of a result; None where it is none of ours, or was not kept."""
    told = _unwrapped(_decoded(text), _DEEPEST)
    if told is None or _TOLD.isdisjoint(told):
        return None
    found = list[Mapping[str, Any]]()
    for key in _LISTS:
        value = told.get(key)
        found += [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    for one in list(found):
        beside = one.get("messages")
        found += [inner for inner in beside if isinstance(inner, dict)] if isinstance(beside, list) else []
    return found


def _decoded(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def _unwrapped(told: object, left: int) -> dict[str, Any] | None:
    """An answer without the content blocks in which a protocol or a host brings it."""
    blocks = told.get("content") if isinstance(told, dict) else told
    if isinstance(blocks, list) and left:
        texts = [one.get("text") for one in blocks if isinstance(one, dict)]
        return _unwrapped(_decoded("".join(one for one in texts if isinstance(one, str))), left - 1)
    return told if isinstance(told, dict) else None


def origin_of_find(find: Mapping[str, Any], recalled: Recalled | None) -> TextOrigin | None:
    """Whose words a find holds; what stands in the notes is the owner's, who let it stand there."""
    if find.get("kind") in {"note", "daily"}:
        return None
    origin, role, key = find.get("origin"), find.get("role"), find.get("message_id", find.get("id"))
    if origin in _FOREIGN:
        return origin  # type: ignore[no-any-return]  # looked up among them
    if role not in {"tool", "assistant", "user"}:
        return "unknown"
    if recalled is None:
        return "tool" if role == "tool" else None
    return recalled(key) if isinstance(key, int) else "unknown"


__all__ = ["Recalled", "finds_in", "origin_of_find"]
