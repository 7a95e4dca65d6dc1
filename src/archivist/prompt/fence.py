"""The fence around what a model is given beside the user's words: what it is, whose, and that it asks for nothing.

What stands in it is never taken for something that was said, whichever program writes it into its history.
"""

import re

from archivist.records.patterns import late_pattern

OPENING = '<memory-context source="archivist"'
CLOSING = "</memory-context>"

_MARK = late_pattern(r"</?\s*memory-context", re.IGNORECASE)


def fenced(text: str, **labels: str) -> str:
    """A text within a fence that nothing in it can end.

    Args:
        text: What a model is told.
        labels: What stands in the fence's head, in this order.
    """
    told = "".join(f' {name}="{_label(value)}"' for name, value in labels.items())
    return f"{OPENING}{told}>\n{_MARK.sub(_shown, text)}\n{CLOSING}"


def _label(value: str) -> str:
    return re.sub(r"[^\w.:/ @+-]", "_", value)[:200]


def _shown(mark: re.Match[str]) -> str:
    return f"‹{mark.group()[1:]}"


__all__ = ["CLOSING", "OPENING", "fenced"]
