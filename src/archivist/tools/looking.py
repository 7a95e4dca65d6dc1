"""The search through files, in a process of its own: a pattern that never comes to an end, and a file that fills the memory, harm nobody.

It is given a `Wanted` as JSON and prints a `Line` for each find, in the order of the paths, and at last an `End`.
"""

import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from archivist.tools.credentials import has_credentials

MOST_BYTES: Final = 8 << 20
"""Of a file that is searched."""
MOST_FILES: Final = 200_000
LINE_CHARS: Final = 400
_GIT_SECONDS: Final = 10
_PASSED_OVER: Final = frozenset(
    ".git .hg .svn .jj node_modules __pycache__ .venv venv .tox .nox .mypy_cache .ruff_cache .pytest_cache .hypothesis .cache .idea"
    " .gradle .terraform bower_components .next .nuxt .svelte-kit".split()
)


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
    found = 0
    for path, place in files_below(wanted):
        if wanted.avoid is not None and place.startswith(f"{wanted.avoid}{os.sep}"):
            continue
        lines: Iterator[Line] = iter([Line(path)])
        if pattern is not None:
            text = _text_at(place, path, end, is_asked_for=place == wanted.start)
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


def files_below(wanted: Wanted) -> Iterator[tuple[str, str]]:
    """Files to look into, by their paths below the folder and their places, in the order of the paths."""
    start = Path(wanted.start)
    if not start.is_dir():
        yield start.name, wanted.start
        return
    fits = fitting(wanted.glob)
    for name in (_known_to_git(start) or sorted(_walked(start)))[:MOST_FILES]:
        if fits(name):
            yield name, f"{wanted.start.rstrip(os.sep)}{os.sep}{name}"


def _known_to_git(start: Path) -> list[str]:
    """What git knows of a folder and does not ignore; nothing where there is no git."""
    command = ["git", "-c", "core.fsmonitor=false", "ls-files", "-z", "-co", "--exclude-standard"]
    try:
        done = subprocess.run(  # noqa: S603 - nothing of it is anybody's
            command, cwd=start, capture_output=True, timeout=_GIT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    if done.returncode:
        return []
    names = {os.fsdecode(name) for name in done.stdout.split(b"\x00") if name}
    return sorted(name for name in names if _is_file(start / name))


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _walked(start: Path) -> Iterator[str]:
    """All files below a folder, without those of version control, caches and dependencies; no link is followed."""
    waiting, count = [""], 0
    while waiting:
        inside = waiting.pop()
        try:
            entries = list(os.scandir(start / inside))
        except OSError:
            continue
        for entry in entries:
            name = f"{inside}{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _PASSED_OVER:
                    waiting.append(f"{name}/")
            elif entry.is_file(follow_symlinks=False):
                count += 1
                if count > MOST_FILES:
                    return
                yield name


def fitting(glob: str | None) -> Callable[[str], bool]:
    """Whether a path fits a glob: its name where the glob has no slash, else all of it."""
    if glob is None:
        return lambda _path: True
    glob = glob.removeprefix("./")
    form = re.compile(_as_pattern(glob.lstrip("/")))
    if "/" in glob:
        return lambda path: form.fullmatch(path) is not None
    return lambda path: form.fullmatch(path.rpartition("/")[2]) is not None


def _as_pattern(glob: str) -> str:
    """A glob as a regular expression: `**/`, `*`, `?`, `[…]`, `{a,b}`."""
    made, at, depth = "", 0, 0
    while at < len(glob):
        char = glob[at]
        if glob.startswith("**/", at):
            made, at = f"{made}(?:[^/]+/)*", at + 3
            continue
        if glob.startswith("**", at):
            made, at = f"{made}.*", at + 2
            continue
        close = glob.find("]", at + 2) if char == "[" else -1
        if close > 0:
            inner = glob[at + 1 : close].replace("\\", r"\\").replace("[", r"\[")
            made, at = f"{made}[{'^' + inner[1:] if inner[0] in '!^' else inner}]", close + 1
            continue
        if char == "{" and "}" in glob[at:]:
            made, depth = f"{made}(?:", depth + 1
        elif char == "}" and depth:
            made, depth = f"{made})", depth - 1
        elif char == "," and depth:
            made += "|"
        else:
            made += {"*": "[^/]*", "?": "[^/]"}.get(char) or re.escape(char)
        at += 1
    return f"(?s:{made}{')' * depth})"


def _text_at(place: str, path: str, end: End, *, is_asked_for: bool) -> str | None:
    """The text of a file; None where it is passed over, which is counted."""
    if not is_asked_for and has_credentials(place):
        end.guarded.append(path)
        return None
    try:
        handle = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                return None
            if found.st_size > MOST_BYTES:
                end.huge.append(path)
                return None
            raw = file.read(MOST_BYTES)
    except OSError:
        end.unreadable += 1
        return None
    return _decoded(raw, end)


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
    if wanted.files_only:
        if next(numbers, None) is not None:
            yield Line(path)
        return
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
