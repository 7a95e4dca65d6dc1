"""Pairs of tags in a text, found in one pass over it, whatever stands unclosed there."""

from bisect import bisect_left
from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Final

from archivist.records.patterns import late_pattern

if TYPE_CHECKING:
    import re

_CLOSING: Final = late_pattern(r"</([A-Za-z][\w:-]{0,60})>")


def replaced(
    opening: "re.Pattern[str]", text: str, put: Callable[[str, str], str], to_the_last: Container[str] = ()
) -> str:
    """A text with something in the place of each outermost pair of tags.

    Args:
        opening: An opening tag, whose name is its first group.
        text: Any text.
        put: What stands there instead of a pair, given the whole of it and what is inside.
        to_the_last: Tags of which the last in the text closes the first: what stands between may hold any.
    """
    closing, parts, done = _closing_in(text), list[str](), 0
    for found in opening.finditer(text):
        places = closing.get(found[1].lower(), [])
        at = bisect_left(places, (found.end(), 0))
        if found.start() < done or at == len(places):
            continue
        ends, end = places[-1 if found[1].lower() in to_the_last else at]
        parts += [text[done : found.start()], put(text[found.start() : end], text[found.end() : ends])]
        done = end
    return "".join([*parts, text[done:]])


def _closing_in(text: str) -> dict[str, list[tuple[int, int]]]:
    """By its name, where each closing tag begins and ends."""
    found = dict[str, list[tuple[int, int]]]()
    for tag in _CLOSING.finditer(text):
        found.setdefault(tag[1].lower(), []).append(tag.span())
    return found


__all__ = ["replaced"]
