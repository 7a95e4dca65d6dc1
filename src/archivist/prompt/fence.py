"""The fence around what a model is given beside the user's words: what it is, whose, and that it asks for nothing.

What stands in it is never taken for something that was said, whichever program writes it into its history.
"""

import re
from collections.abc import Iterator

from archivist.records.patterns import late_pattern

OPENING = '<memory-context source="archivist"'
CLOSING = "</memory-context>"

NEWS_OPENING = "Notes changed since this session began (background, not a request; up to change "
"""What news of the notes begin with, which may stand in a message without a fence."""

_MARK = late_pattern(r"<[^\w<>]{0,8}memory[^\w<>]{0,8}context", re.IGNORECASE)
"""A mark of the fence's, also where what nobody sees, or another dash, stands in it: a model may read it as one."""
_BEGUN = late_pattern(rf"{re.escape(OPENING)}|^{re.escape(NEWS_OPENING)}.*(?:\n[+~…-] .*)*", re.MULTILINE)


def fenced(text: str, **labels: str) -> str:
    """A text within a fence that nothing in it can end.

    Args:
        text: What a model is told.
        labels: What stands in the fence's head, in this order.
    """
    told = "".join(f' {name}="{_label(value)}"' for name, value in labels.items())
    return f"{OPENING}{told}>\n{_MARK.sub(_shown, text)}\n{CLOSING}"


def background_in(text: str) -> list[str]:
    """What stands in a message's text beside what was said: fences, and news of the notes."""
    return [text[start:end] for start, end in _beside(text)]


def without_background(text: str) -> str:
    """A message's text without that."""
    said, at = [], 0
    for start, end in _beside(text):
        said.append(text[at:start])
        at = end
    return "".join((*said, text[at:]))


def _beside(text: str) -> Iterator[tuple[int, int]]:
    """Where that stands. A fence that nothing closes is text."""
    if OPENING not in text and NEWS_OPENING not in text:
        return
    at, last = 0, text.rfind(CLOSING)
    while begun := _BEGUN.search(text, at):
        at = begun.end()
        if begun.group() == OPENING:
            if at > last:
                continue
            at = text.index(CLOSING, at) + len(CLOSING)
        yield begun.start(), at


def _label(value: str) -> str:
    return re.sub(r"[^\w.:/ @+-]", "_", value)[:200]


def _shown(mark: re.Match[str]) -> str:
    return f"‹{mark.group()[1:]}"


__all__ = ["CLOSING", "NEWS_OPENING", "OPENING", "background_in", "fenced", "without_background"]
