"""A result as a model is told it."""

import json
from collections.abc import Mapping
from typing import Any

import msgspec


def told(result: Mapping[str, Any]) -> str:
    """A result as text: one line of JSON, and behind it the text that it has, to the letter, where it has one.

    Half a character, as in the name of a file that is no text, is told as a question mark: nobody could be sent it.
    """
    text = result.get("text")
    if isinstance(text, str) and not text.isascii():
        text = text.encode("utf-8", "replace").decode()
    rest = {name: value for name, value in result.items() if name != "text"}
    if not isinstance(text, str):
        return _json(result)
    return text if rest == {"success": True} or not rest else f"{_json(rest)}\n{text}"


def _json(value: Mapping[str, Any]) -> str:
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:  # half of a character, such as a model may write into a name
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
        return text.encode("utf-8", "replace").decode()


__all__ = ["told"]
