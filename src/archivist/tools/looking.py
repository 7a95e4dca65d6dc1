"""The search through files, in a process of its own: a pattern that never comes to an end, and a file that fills the memory, harm nobody.

It is given a `Wanted` as JSON and prints a `Line` for each find, in the order of the paths, and at last an `End`.
"""

import codecs
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Final

import msgspec

from archivist.tools.credentials import has_credentials
from archivist.tools.listing import fitting, listed
from archivist.tools.literals import literal_in

MOST_BYTES: Final = 8 << 20
"""Of a file that is searched."""
LINE_CHARS: Final = 400
_CHUNK: Final = 65_536
_WIDE: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
"""How files begin in which a character of ASCII is more than a byte."""


class Wanted(msgspec.Struct):
    """What is looked for.

    Attributes:
        start: A folder or a file.
        pattern: Of Python's `re`; None to list files alone.
        glob: Of the names or the places below the folder.
        files_only: Only in which files it is.
        context: Lines around each find.
        most: Finds, after which it ends.
        avoid: A folder that is not looked into.
    """

    start: str
    pattern: str | None = None
    glob: str | None = None
    files_only: bool = False
    context: int = 0
    most: int = 1_000
    avoid: str | None = None


class Line(msgspec.Struct, tag="line", omit_defaults=True):
    """A line that was found, or one beside it; without a number, a file.

    Attributes:
        path: Below the folder.
        more: Characters of the line that were cut.
    """

    path: str
    number: int = 0
    text: str = ""
    more: int = 0
    is_beside: bool = False


class End(msgspec.Struct, tag="end", omit_defaults=True):
    """How it ended, and which files were passed over."""

    error: str = ""
    is_cut: bool = False
    searched: int = 0
    binary: int = 0
    huge: list[str] = []
    guarded: list[str] = []
    unreadable: int = 0
    is_short: bool = False


def main() -> None:
    """Do what is asked for on the input."""
    wanted = msgspec.json.decode(sys.stdin.buffer.read(), type=Wanted)
    for one in looked(wanted):
        sys.stdout.buffer.write(msgspec.json.encode(one) + b"\n")
        sys.stdout.buffer.flush()


def looked(wanted: Wanted) -> Iterator[Line | End]:
    """What is found, and the end of it."""
    end = End()
    try:
        pattern = None if wanted.pattern is None else re.compile(wanted.pattern, re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as error:
        end.error = (
            f"pattern is no regular expression ({error}): put a backslash before what is meant to the letter"
        )
        yield end
        return
    try:
        fitting(wanted.glob)
    except re.error as error:
        end.error = f"glob is none ({error}): give one such as *.py or src/**/*.{{ts,tsx}}"
        yield end
        return
    if os.path.realpath(wanted.start) != wanted.start:
        end.error = "something else stands there now: look again"
        yield end
        return
    yield from _all_found(wanted, pattern, end)


def _all_found(wanted: Wanted, pattern: re.Pattern[str] | None, end: End) -> Iterator[Line | End]:
    found, literal = 0, b"" if pattern is None else literal_in(pattern.pattern)
    for name, place in files_below(wanted, end):
        path = os.fsencode(name).decode("utf-8", "replace")
        if wanted.avoid is not None and place.startswith(f"{wanted.avoid}{os.sep}"):
            continue
        lines: Iterator[Line] = iter([Line(path)])
        if pattern is not None:
            text = _text_at(place, path, end, literal, is_asked_for=place == wanted.start)
            if text is None:
                continue
            lines = _found_in(text, path, pattern, wanted)
        for line in lines:
            found += not line.is_beside
            if found > wanted.most:
                end.is_cut = True
                yield end
                return
            yield line
    yield end


def files_below(wanted: Wanted, end: End) -> Iterator[tuple[str, str]]:
    """Files to look into, by their paths below the folder and their places, in the order of the paths."""
    start = Path(wanted.start)
    if not start.is_dir():
        yield start.name, wanted.start
        return
    fits = fitting(wanted.glob)
    found = listed(start)
    end.unreadable += found.unreadable
    end.is_short = found.is_short
    for name in found.names:
        if fits(name):
            yield name, f"{wanted.start.rstrip(os.sep)}{os.sep}{name}"


def _text_at(place: str, path: str, end: End, literal: bytes, *, is_asked_for: bool) -> str | None:
    """The text of a file that may have a literal; None where it is passed over, which is counted."""
    if not is_asked_for and has_credentials(place):
        end.guarded.append(path)
        return None
    try:
        handle = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        try:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                return None
            if found.st_size > MOST_BYTES:
                end.huge.append(path)
                return None
            raw = _read(handle, found.st_size)
        finally:
            os.close(handle)
    except OSError:
        end.unreadable += 1
        return None
    if literal and literal not in raw and not raw.startswith(_WIDE):
        end.searched += 1
        return None
    return _decoded(raw, end)


def _read(handle: int, size: int) -> bytes:
    raw = os.read(handle, size + 1)
    while len(raw) <= MOST_BYTES and (more := os.read(handle, _CHUNK)):
        raw += more
    return raw


def _decoded(raw: bytes, end: End) -> str | None:
    from archivist.tools.decoding import NoText, decoded  # noqa: PLC0415 - most files are plain UTF-8

    try:
        text = decoded(raw).text
    except NoText:
        end.binary += 1
        return None
    end.searched += 1
    return text


def _found_in(text: str, path: str, pattern: re.Pattern[str], wanted: Wanted) -> Iterator[Line]:
    """The lines of a file in which the pattern begins to fit, and those around them."""
    numbers = _numbers(text, pattern)
    first = next(numbers, None)
    if first is None:
        return
    if wanted.files_only:
        yield Line(path)
        return
    numbers = chain([first], numbers)
    lines = text.split("\n")
    hits = list(islice(numbers, wanted.most + 1)) if wanted.context else numbers
    for number, is_hit in _with_context(hits, wanted.context, len(lines)):
        line = lines[number - 1].removesuffix("\r")
        yield Line(path, number, line[:LINE_CHARS], max(0, len(line) - LINE_CHARS), is_beside=not is_hit)


def _numbers(text: str, pattern: re.Pattern[str]) -> Iterator[int]:
    at, number, counted = 0, 1, 0
    while (found := pattern.search(text, at)) is not None:
        begin = found.start()
        number += text.count("\n", counted, begin)
        counted = begin
        if begin == len(text) and (not text or text.endswith("\n")):
            return  # behind the last line
        yield number
        end = text.find("\n", begin)
        if end < 0:
            return
        at = end + 1


def _with_context(hits: Iterable[int], around: int, last: int) -> Iterator[tuple[int, bool]]:
    """Numbers of lines, and whether each is a hit."""
    if not around:
        yield from ((number, True) for number in hits)
        return
    among = set(hits)
    near = {
        beside for hit in among for beside in range(hit - around, hit + around + 1) if 1 <= beside <= last
    }
    yield from ((number, number in among) for number in sorted(near))


if __name__ == "__main__":
    main()
