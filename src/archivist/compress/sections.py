"""What a model tells of a conversation, by sections: read from its answer, and written into the summary.

A model may mark a section with a heading or a label, and leave some out; what it says before any of them is the state.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

Sections = Mapping[str, tuple[str, ...]]
"""By section, its lines."""

TITLES: Final = ("Goal", "Constraints", "Decisions", "State", "Files", "Errors", "Open asks")
_FIRST: Final = "State"
HEADING: Final = "## Account"
_SAME: Final = {title.casefold(): title for title in TITLES} | {
    "decisions and reasons": "Decisions",
    "key decisions": "Decisions",
    "current state": "State",
    "relevant files": "Files",
    "open": "Open asks",
    "open requests": "Open asks",
    "constraints and preferences": "Constraints",
}
_HEAD: Final = re.compile(
    r"\s*+(?:#{1,6}\s++|\*\*)?([A-Za-z][A-Za-z &]{2,30}?)\s*+(?:\*\*)?\s*+:?\s*+(?:\*\*)?\s*+"
)
_STRANGE: Final = re.compile(
    r"\s*(?:#{1,6}\s.{1,80}$|\*\*[^*\n]{1,60}\*\*\s*:?\s*$|</?[A-Za-z_-]{1,40}>\s*$|```)"
)
"""A heading of no section, or marks around an answer."""
_FENCE: Final = re.compile(r"\A```\w*\n|\n?```\s*\Z")
_BULLET: Final = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?")


def read_told(text: str) -> dict[str, tuple[str, ...]]:
    """The sections of an answer, or of a summary that has them."""
    found: dict[str, list[str]] = {}
    title = _FIRST
    for row in _rows(text):
        heading = _HEAD.fullmatch(row)
        named = _SAME.get(" ".join(heading[1].casefold().replace("&", "and").split())) if heading else None
        line = _BULLET.sub("", row).strip()
        if named:
            title = named
            found.setdefault(title, [])
        elif _STRANGE.match(row):
            title = _FIRST
        elif any(map(str.isalnum, line)):
            found.setdefault(title, []).append(line)
    return {title: tuple(dict.fromkeys(lines)) for title, lines in found.items() if lines}


def _rows(text: str) -> Iterator[str]:
    """The rows of an answer; of one in JSON its fields as headings, with what they hold below."""
    bare = _FENCE.sub("", text.strip())
    try:
        value = json.loads(bare) if bare.startswith("{") else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        yield from text.splitlines()
        return
    for title, lines in value.items():
        yield f"### {title.replace('_', ' ')}"
        yield from (str(line) for line in (lines if isinstance(lines, list) else [lines]))


def written(told: Sections) -> str:
    """The sections as a part of a summary; empty where there is nothing."""
    rows = [row for title in TITLES for row in _section(title, told.get(title, ()))]
    return "\n".join((HEADING, *rows)) if rows else ""


def _section(title: str, lines: tuple[str, ...]) -> Iterator[str]:
    if lines:
        yield f"### {title}"
        yield from (f"- {line}" for line in lines)


def updated(before: Sections, after: Sections) -> dict[str, tuple[str, ...]]:
    """What is told now; a section that was told before and is missing now stays as it was."""
    return {
        title: after.get(title) or before.get(title, ())
        for title in TITLES
        if title in after or title in before
    }


__all__ = ["HEADING", "TITLES", "Sections", "read_told", "updated", "written"]
