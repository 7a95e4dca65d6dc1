"""What Archivist's own tools found: each find holds the words of whoever said them where they were said."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from archivist.guard.origins.prints import TextOrigin

Recalled = Callable[[int], TextOrigin | None]
"""Whose words a message of any conversation holds, by its id; None where it is trusted."""

_FOREIGN: Final = frozenset({"web", "document", "tool", "agent", "member", "provider", "unknown"})


def finds_in(text: str) -> list[Mapping[str, Any]] | None:
    """The finds of a result; None where it is none of ours, or was not kept."""
    try:
        told = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    if not isinstance(told, dict):
        return None
    found = list[Mapping[str, Any]]()
    for key in ("hits", "results", "messages"):
        value = told.get(key)
        found += [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    for one in list(found):
        beside = one.get("messages")
        found += [inner for inner in beside if isinstance(inner, dict)] if isinstance(beside, list) else []
    return found


def origin_of_find(find: Mapping[str, Any], recalled: Recalled | None) -> TextOrigin | None:
    """Whose words a find holds; what stands in the notes is the owner's, who let it stand there."""
    if find.get("kind") in {"note", "daily"}:
        return None
    origin, role, key = find.get("origin"), find.get("role"), find.get("message_id", find.get("id"))
    if origin in _FOREIGN:
        return origin  # type: ignore[no-any-return]  # looked up among them
    if recalled is not None and isinstance(key, int) and role in {"tool", "assistant", "user"}:
        return recalled(key)
    return "tool" if role == "tool" else None


__all__ = ["Recalled", "finds_in", "origin_of_find"]
