"""A call in a line: which tool, with what, how long it took and how it ended."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from archivist.loop.events import Returned
from archivist.records import ToolCall
from archivist.records.display import plain
from archivist.surfaces.cli.chat.widths import within

_FIRST: Final = ("command", "path", "query", "pattern", "content", "old_text", "name", "text")
"""Arguments that tell most, in this order."""
_LEADS: Final = ("action",)
_LONGEST, _LONGEST_ERROR = 400, 160


def called_line(call: ToolCall, columns: int) -> str:
    """What is called with what."""
    arguments = _object(call.arguments)
    told = [str(arguments[name]) for name in _LEADS if isinstance(arguments.get(name), str)]
    first = next((name for name in _FIRST if isinstance(arguments.get(name), str)), None)
    told += [arguments[first]] if first else []
    words = " ".join(plain(" ".join(told) if arguments else call.arguments)[:_LONGEST].split())
    name = " ".join(plain(call.name).split())
    return within(f"{name}: {words}" if words else name, columns)


def returned_words(event: Returned) -> str:
    """How long it took and how it ended."""
    result = _object(event.text.partition("\n")[0])
    words = [f"{event.seconds:.1f} s"]
    code = result.get("exit_code", result.get("exit"))
    if isinstance(code, int):
        words.append(f"exit {code}")
    if event.is_failure:
        reason = result.get("error")
        words.append(f"failed: {_short(reason)}" if isinstance(reason, str) else "failed")
    return ", ".join(words)


def _short(text: str) -> str:
    return within(" ".join(plain(text[:_LONGEST]).split()), _LONGEST_ERROR)


def _object(text: str) -> Mapping[str, Any]:
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return {}
    return value if isinstance(value, dict) else {}


__all__ = ["called_line", "returned_words"]
