"""Adding to a JSON file that belongs to somebody else, and taking it out again: every other byte stays as it is.

What is put in is the last of its list or object, so that taking it out gives the bytes back that were there before.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec

_BLANK: Final = re.compile(r"[ \t\r\n]*")
_DECODER: Final = json.JSONDecoder()
MARK: Final = "\ufeff"
INDENT: Final = "  "


class _Item(msgspec.Struct, frozen=True):
    """A member of an object, or an element of a list (which has no name), from its first character to behind its last."""

    name: str | None
    start: int
    at: int
    end: int


def parsed(text: str) -> Any:  # noqa: ANN401 - JSON
    """The value of a text.

    Raises:
        ValueError: It is no JSON.
    """
    return json.loads(text.removeprefix(MARK))


def with_item(text: str, path: Sequence[str], value: object) -> str:
    """The text with a value behind the others of the list at a path, which is made where it is missing.

    Args:
        text: A JSON object.
        path: The names that lead to the list.
        value: What is put in.

    Raises:
        ValueError: Something else is in a place on the way there.
    """
    return _added(text, path, value, is_list=True)


def with_member(text: str, path: Sequence[str], value: object) -> str:
    """The text with a value under the last name of a path; what has that name already is exchanged."""
    *above, name = path
    inside = _find(text, above)
    if inside is not None:
        for item in _items(text, inside):
            if item.name == name:
                if _DECODER.raw_decode(text, item.at)[0] == value:
                    return text
                return text[: item.at] + _written(text, value, len(path)) + text[item.end :]
    return _added(text, path, value, is_list=False)


def without(text: str, path: Sequence[str], is_meant: Callable[[Any], bool]) -> str:
    """The text without what is meant in the list or object at a path; what is empty for it goes too.

    Args:
        text: A JSON object.
        path: The names that lead there.
        is_meant: Looks at an element, or at a member's name.
    """
    found = _find(text, path)
    if found is None:
        return text
    while (hit := _first(text, found, is_meant)) is not None:
        text = _cut(text, found, hit)
    if path and not any(_items(text, found)):
        return without(text, path[:-1], lambda name: name == path[-1])
    return text


def _first(text: str, at: int, is_meant: Callable[[Any], bool]) -> int | None:
    for number, item in enumerate(_items(text, at)):
        told = item.name if item.name is not None else _DECODER.raw_decode(text, item.at)[0]
        if is_meant(told):
            return number
    return None


def _cut(text: str, at: int, number: int) -> str:
    """The text without one item of the list or object that begins there, with the comma that it needs no more."""
    items = list(_items(text, at))
    if len(items) == 1:
        end = _skip(text, items[0].end)
        return text[: at + 1] + text[end:]
    if number == 0:
        return text[: items[0].start] + text[items[1].start :]
    return text[: items[number - 1].end] + text[items[number].end :]


def _added(text: str, path: Sequence[str], value: object, *, is_list: bool) -> str:
    """The text with a value put in at a path, with all that is missing on the way there."""
    known = len(path)
    while (at := _find(text, path[:known])) is None:
        known -= 1
    missing = list(path[known:])
    kind = "list" if is_list and not missing else "object"
    if text[at] != {"list": "[", "object": "{"}[kind]:
        raise ValueError(f"{'.'.join(path[:known]) or 'all of it'} is no {kind}")
    if is_list:
        value = [value] if missing else value
    name = missing.pop(0) if missing else None
    for one in reversed(missing):
        value = {one: value}
    label = "" if name is None else f"{json.dumps(name, ensure_ascii=False)}: "
    return _put_in(text, at, label + _written(text, value, known + 1), known)


def _put_in(text: str, at: int, told: str, depth: int) -> str:
    newline, indent = _style(text)
    items = list(_items(text, at))
    inner = newline + indent * (depth + 1)
    if items:
        last = items[-1].end
        return f"{text[:last]},{inner}{told}{text[last:]}"
    end = _skip(text, at + 1)
    return f"{text[: at + 1]}{inner}{told}{newline}{indent * depth}{text[end:]}"


def _written(text: str, value: object, depth: int) -> str:
    """A value as it stands at a depth of the text."""
    newline, indent = _style(text)
    lines = json.dumps(value, indent=indent, ensure_ascii=False).split("\n")
    return (newline + indent * depth).join(lines)


def _style(text: str) -> tuple[str, str]:
    """The line ends and the indentation of a text, as its outermost object has them."""
    found = re.match(r"\ufeff?[ \t\r\n]*\{(\r?\n)([ \t]+)\"", text)
    return (found[1], found[2]) if found else ("\r\n" if "\r\n" in text else "\n", INDENT)


def _find(text: str, path: Sequence[str]) -> int | None:
    """Where the list or object at a path begins; None where there is none.

    Raises:
        ValueError: Something else is in its place.
    """
    at = _skip(text, len(MARK) if text.startswith(MARK) else 0)
    for number, name in enumerate(path):
        here = [item for item in _items(text, at) if item.name == name]
        if not here:
            return None
        at = here[-1].at
        if text[at] not in "{[":
            raise ValueError(f"{'.'.join(path[: number + 1])} is neither a list nor an object")
    return at


def _items(text: str, at: int) -> Iterator[_Item]:
    """What a list or object holds."""
    is_object, at = text[at] == "{", _skip(text, at + 1)
    while text[at] not in "}]":
        start, name = at, None
        if is_object:
            name, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        _, end = _DECODER.raw_decode(text, at)
        yield _Item(name, start, at, end)
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    assert found
    return found.end()


__all__ = ["parsed", "with_item", "with_member", "without"]
