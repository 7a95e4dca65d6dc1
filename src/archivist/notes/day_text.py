"""The text of a day as other programs write it: what they derived from elsewhere is passed over, and headings tell times.

A program that condenses notes at night puts what it made between marks of its own, such as `<!-- openclaw:dreaming:light:start -->`.
That says again, in other words, what stands elsewhere, and nobody has noted it.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from datetime import date
from typing import Final

from archivist.notes.blocks import blocks_of

_DREAM: Final = re.compile(r"<!--[ \t]*(?:[\w-]{1,40}:)?dreaming:([\w-]{1,40}):(start|end)[ \t]*-->")
_HEADING: Final = re.compile(r"( {0,3}#{1,6}[ \t]+)(.*?)(?:[ \t]+#+)?[ \t]*")
_FENCE: Final = re.compile(r"[ \t]*(?:```|~~~)")
_CLOCK: Final = re.compile(
    r"(\d{1,2}):([0-5]\d)(?::[0-5]\d)?(?:[ \t]?([ap])\.?m\b\.?)?(?!\w)(?!:\d)", re.IGNORECASE
)
_BEFORE: Final = " \t*_`[(~–—-"
_AFTER: Final = " \t*_`])~–—-:.,|"
_ZONE: Final = re.compile(r"\b(?:utc|gmt|z)\b", re.IGNORECASE)
_TOKEN: Final = re.compile("\ue0f0(\\d+)\ue0f1")
"""Stands for a time in a heading while the text is taken apart."""
_ALONE: Final = re.compile(
    "(?: / \ue0f0\\d+\ue0f1(?=:? |:\n|:\\Z|\\Z)|\\A\ue0f0\\d+\ue0f1(?: / |:?\\s|:?\\Z))"
)
"""A heading that is nothing but a time, with what joins it to others."""


def clock_of(text: str) -> str | None:
    """The time with which a text begins, as HH:MM; None where none does."""
    found = _CLOCK.match(text)
    if found is None:
        return None
    hour, half = int(found[1]), (found[3] or "").lower()
    if half and not 1 <= hour <= 12:
        return None
    hour = hour % 12 + 12 * (half == "p") if half else hour
    return f"{hour:02d}:{found[2]}" if hour < 24 else None


def without_dreams(lines: list[str], is_own: Callable[[str], object]) -> list[str]:
    """Lines without what a program derived, and without a heading that is about nothing else.

    Args:
        lines: Of a whole text.
        is_own: Whether a line begins an entry of ours: marks that are not closed reach no further, nor beyond a heading.
    """
    marks = _marks_in(lines)
    kept: list[str] = []
    at = 0
    while at < len(lines):
        mark = _DREAM.match(lines[at])
        if mark is None:
            kept.append(lines[at])
        elif mark[2] == "start":
            at = _end_of_dream(lines, at, marks[mark[1]], is_own)
            after = at + 1
            while after < len(lines) and not lines[after].strip():
                after += 1
            _drop_heading(kept, lines[after] if after < len(lines) else None)
        at += 1
    return kept


def _marks_in(lines: list[str]) -> dict[str, list[tuple[int, str]]]:
    """By name, where marks stand and which they are."""
    found: dict[str, list[tuple[int, str]]] = {}
    for at, line in enumerate(lines):
        if mark := _DREAM.match(line):
            found.setdefault(mark[1], []).append((at, mark[2]))
    return found


def _end_of_dream(
    lines: list[str], start: int, marks: list[tuple[int, str]], is_own: Callable[[str], object]
) -> int:
    """The last line of what is derived; of what is not closed, the one before the next of anybody."""
    next_mark = bisect_right(marks, (start, "start"))
    until, kind = marks[next_mark] if next_mark < len(marks) else (len(lines), "")
    if kind == "end":
        return until
    at = start + 1
    while at < until and not _HEADING.fullmatch(lines[at]) and not is_own(lines[at]):
        at += 1
    return at - 1


def _drop_heading(kept: list[str], after: str | None) -> None:
    """Take away the heading above what was derived, where its section ends with that."""
    if after is not None and not _HEADING.fullmatch(after):
        return
    while kept and not kept[-1].strip():
        kept.pop()
    if kept and _HEADING.fullmatch(kept[-1]):
        kept.pop()


def timed_blocks(lines: list[str], day: date) -> Iterator[tuple[str, str | None]]:
    """The statements of Markdown, each with its time: that with which it begins, else that of the heading above it."""
    if any(
        "\ue0f0" in line for line in lines
    ):  # then a token of ours could not be told from what stands there
        yield from ((block, clock_of(block)) for block in blocks_of("\n".join(lines)))
        return
    times: list[tuple[str, str]] = []
    for block in blocks_of("\n".join(_with_tokens(lines, day, times))):
        tokens = _TOKEN.findall(block.partition("\n")[0])
        bare = block
        while _ALONE.search(bare.partition("\n")[0]):
            bare = _ALONE.sub("", bare, count=1)
        words = _TOKEN.sub(lambda token: times[int(token[1])][1], bare)
        if words.strip():
            yield words, clock_of(words) or (times[int(tokens[-1])][0] if tokens else None)


def open_time(lines: list[str], day: date) -> list[str]:
    """The last heading, where it is nothing but a time, for what comes after an entry in between stands below it too."""
    last = next((line for line in reversed(lines) if _HEADING.fullmatch(line)), None)
    return [last] if last is not None and _time_in(last, day) and not _words_in(last, day) else []


def _with_tokens(lines: list[str], day: date, times: list[tuple[str, str]]) -> Iterator[str]:
    """Lines with a token in each heading that tells a time; times take up which, and what the token takes the place of."""
    in_fence = False
    for line in lines:
        in_fence ^= _FENCE.match(line) is not None
        heading, clock = _HEADING.fullmatch(line), _time_in(line, day)
        if in_fence or heading is None or clock is None:
            yield line
            continue
        is_alone = not _words_in(line, day)
        token = f"\ue0f0{len(times)}\ue0f1"
        times.append((clock, heading[2] if is_alone else ""))
        yield f"{heading[1]}{token}" if is_alone else f"{heading[1]}{token}{heading[2]}"


def _title(line: str, day: date) -> str:
    heading = _HEADING.fullmatch(line)
    title = heading[2].lstrip(_BEFORE) if heading else ""
    return title.removeprefix(day.isoformat()).lstrip(f"{_BEFORE}T,:")


def _time_in(line: str, day: date) -> str | None:
    return clock_of(_title(line, day))


def _words_in(line: str, day: date) -> str:
    """What a heading says besides its time."""
    return _ZONE.sub("", _CLOCK.sub("", _title(line, day), count=1)).strip(_AFTER)
