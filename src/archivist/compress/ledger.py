"""The kept lines as sections of a summary, and read from them again: what a pass kept, the next one has word for word.

Every line of a section is one entry: its id, with who spoke where that is told, the words, and behind an arrow what it replaced or what was
said of it later.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from archivist.compress.lines import Earlier, Line, Who

PINNED, OWNER, OPEN, DONE, AGENT, TOOLS = (
    "Pinned",
    "What the owner said",
    "Still open",
    "Done",
    "What the agent said",
    "What tools returned",
)
_SECTIONS: Final[tuple[tuple[str, Who], ...]] = (
    (PINNED, "owner"),
    (OWNER, "owner"),
    (OPEN, "owner"),
    (DONE, "owner"),
    (AGENT, "agent"),
    (TOOLS, "tool"),
)
_REPLACED, _BEFORE, _REPORT = " ⟵ formerly ", " ⟵ said before: ", " ⟶ "
_ENTRY: Final = re.compile(r"- (?:\[([ x])\] )?\[([^\]\n]{1,130})\] (.+)")
_QUOTE: Final = re.compile(r"\[([^\]\n]{1,64})\]: (.+)")
_EARLIER: Final = re.compile(f"({_REPLACED}|{_BEFORE})(?=\\[)")


def rendered(lines: Sequence[Line]) -> str:
    """The sections, those that are empty left out."""
    entries: dict[str, list[str]] = {title: [] for title, _ in _SECTIONS}
    for line in lines:
        entries[_section(line)].append(_entry(line))
    return "\n\n".join("\n".join((f"## {title}", *its)) for title, its in entries.items() if its)


def read_lines(text: str) -> list[Line]:
    """The lines of a summary in the order in which they stand, counted from 0."""
    found: list[Line] = []
    whose = dict(_SECTIONS)
    section = ""
    for row in text.split("\n"):
        if row.startswith("## "):
            section = row[3:].strip()
        elif section in whose and (entry := _ENTRY.fullmatch(row)):
            found.append(_line(entry, section, whose[section], len(found)))
    return found


def _section(line: Line) -> str:
    if line.is_pinned:
        return PINNED
    if line.who == "owner" and line.report:
        return DONE if line.is_done else OPEN
    if line.who == "owner" and line.is_asked:
        return OPEN
    return {"owner": OWNER, "agent": AGENT, "tool": TOOLS}[line.who]


def _entry(line: Line) -> str:
    box = {DONE: "[x] ", OPEN: "[ ] "}.get(_section(line), "")
    report = f"{_REPORT}[{line.report[0]}]: {line.report[1]}" if line.report else ""
    earlier = "".join(
        f"{_REPLACED if one.is_replaced else _BEFORE}[{one.key}]: {one.text}" for one in line.earlier
    )
    named = f"{line.key} {line.speaker}" if line.speaker else line.key
    return f"- {box}[{named}] {line.text}{report}{earlier}"


def _line(entry: re.Match[str], section: str, who: Who, order: int) -> Line:
    said, *others = _EARLIER.split(entry[3])
    text, _, told = said.partition(_REPORT)
    report = _QUOTE.fullmatch(told) if told else None
    key, _, speaker = entry[2].partition(" ")
    return Line(
        key,
        who,
        text if report else said,
        order,
        is_pinned=section == PINNED,
        is_asked=section == OPEN,
        is_done=section == DONE,
        earlier=tuple(_earlier(others)),
        report=(report[1], report[2]) if report else None,
        speaker=speaker,
    )


def _earlier(pieces: Sequence[str]) -> Iterator[Earlier]:
    """Of marks and what stands behind each."""
    for mark, quote in zip(pieces[::2], pieces[1::2], strict=True):
        if found := _QUOTE.fullmatch(quote):
            yield Earlier(found[1], found[2], is_replaced=mark == _REPLACED)


__all__ = ["read_lines", "rendered"]
