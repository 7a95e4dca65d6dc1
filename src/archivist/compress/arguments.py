"""Arguments of a call cut to fewer characters, and still the JSON of an object with the same keys."""

import json
from typing import Any, Final

from archivist.compress.repairing import readable

WHOLE_CHARS: Final = 500
"""Arguments of so many characters stay whole."""
_STRING_CHARS, _ITEMS, _DEPTH = 160, 4, 4


def cut_arguments(arguments: str, key: str) -> str:
    """Arguments with their long strings and lists cut, with marks that say how much is missing and where it is read.

    Args:
        arguments: JSON text; what is no object becomes one.
        key: Under which the original is read back.
    """
    if len(arguments) <= WHOLE_CHARS:
        return arguments
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        return readable(cut_text(arguments, key))
    cut = json.dumps(_cut(value, key, 0), ensure_ascii=False)
    return cut if len(cut) < len(arguments) else arguments


def _cut(value: Any, key: str, depth: int) -> Any:  # noqa: ANN401 - whatever JSON holds
    if isinstance(value, str):
        return cut_text(value, key)
    if isinstance(value, dict):
        if depth >= _DEPTH and value:
            return _missing(len(value), "fields", key)
        return {name: _cut(one, key, depth + 1) for name, one in value.items()}
    if isinstance(value, list):
        kept = [_cut(one, key, depth + 1) for one in value[:_ITEMS]]
        return [*kept, _missing(len(value) - _ITEMS, "items", key)] if len(value) > _ITEMS else kept
    return value


def cut_text(text: str, key: str) -> str:
    """A text cut, with a mark that says how much is missing and where it is read."""
    if len(text) <= _STRING_CHARS + 40:
        return text
    return f"{text[:_STRING_CHARS]} {_missing(len(text) - _STRING_CHARS, 'characters', key)}"


def _missing(count: int, what: str, key: str) -> str:
    return f"[… {count:,} {what} more in {key}]"


__all__ = ["WHOLE_CHARS", "cut_arguments", "cut_text"]
