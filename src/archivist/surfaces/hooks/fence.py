"""The fence around what a model is given beside the user's words: what it is, whose, and that it asks for nothing."""

import re

from archivist.records.patterns import late_pattern

OPENING = '<memory-context source="archivist"'
CLOSING = "</memory-context>"
MOST_UNITS = 9_500
"""What is given at once, in units of UTF-16: of more than 10,000 Claude Code shows its model the beginning alone, and names a file."""
LONGEST_TAIL = 64 << 20
"""Bytes of a transcript that are looked through for the newest snapshot."""

_MARK = late_pattern(r"</?\s*memory-context", re.IGNORECASE)
_SNAPSHOT = late_pattern(
    r'<memory-context source=\\"archivist\\" session=\\"([^"\\<>]{1,200})\\" snapshot=\\"([0-9a-f]{16})\\">'
)


def fenced(text: str, **labels: str) -> str:
    """A text within a fence that nothing in it can end.

    Args:
        text: What a model is told.
        labels: What stands in the fence's head, in this order.
    """
    told = "".join(f' {name}="{_label(value)}"' for name, value in labels.items())
    return f"{OPENING}{told}>\n{_MARK.sub(_shown, text)}\n{CLOSING}"


def fitting(text: str, delimiter: str, rest: str) -> str:
    """As much of a text as a model may be given at once, cut between two parts, with a line about the rest where there is one.

    Args:
        text: What it is told.
        delimiter: Stands between two parts.
        rest: The line.
    """
    if units_of(text) <= MOST_UNITS:
        return text
    room, kept = MOST_UNITS - units_of(rest) - len(delimiter), list[str]()
    for part in text.split(delimiter):
        room -= units_of(part) + len(delimiter)
        if room < 0:
            break
        kept.append(part)
    return delimiter.join([*kept, rest])


def units_of(text: str) -> int:
    """How long a text is where characters are counted in units of UTF-16."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def newest_snapshot(transcript: str) -> tuple[str, str] | None:
    """The session and the hash of the last snapshot that a transcript carries, as the first characters of it; None where it has none."""
    found = None
    for found in _SNAPSHOT.finditer(transcript):  # noqa: B007 - the last one is meant
        pass
    return None if found is None else (found[1], found[2])


def _label(value: str) -> str:
    return re.sub(r"[^\w.:/ @+-]", "_", value)[:200]


def _shown(mark: re.Match[str]) -> str:
    return f"‹{mark.group()[1:]}"
