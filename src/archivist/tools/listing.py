"""Which files of a folder are looked into, in which order: what git knows of and does not ignore, else all but caches and dependencies.

No link is followed, also none on the way to a file that git knows of.
"""

import os
import re
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec

MOST_FILES: Final = 200_000
_GIT_SECONDS: Final = 10
_DEEPEST: Final = 8
"""Repositories in one another."""
_PASSED_OVER: Final = frozenset(
    ".git .hg .svn .jj node_modules __pycache__ .venv venv .tox .nox .mypy_cache .ruff_cache .pytest_cache .hypothesis .cache .idea"
    " .gradle .terraform bower_components .next .nuxt .svelte-kit".split()
)


class Listed(msgspec.Struct):
    """The paths below a folder, how many folders could not be listed, and whether there are more files than are looked into."""

    names: list[str] = []
    unreadable: int = 0
    is_short: bool = False


def listed(start: Path) -> Listed:
    """The files below a folder, in the order of their paths."""
    found = Listed()
    names = sorted(set(_below(start, found, 0)))
    found.names, found.is_short = names[:MOST_FILES], len(names) >= MOST_FILES
    return found


def _below(start: Path, found: Listed, depth: int) -> Iterator[str]:
    names = _known_to_git(start) if depth < _DEEPEST else []
    if not names:
        yield from _walked(start, found)
        return
    folders: dict[str, bool] = {"": True}
    for name in names:
        if not _is_real(start, name.rstrip("/").rpartition("/")[0], folders):
            continue
        mode = _mode_of(start / name)
        if stat.S_ISREG(mode):
            yield name
        elif stat.S_ISDIR(mode):  # a repository in this one
            inside = name.rstrip("/")
            yield from (f"{inside}/{one}" for one in _below(start / inside, found, depth + 1))


def _is_real(start: Path, folder: str, known: dict[str, bool]) -> bool:
    """Whether a folder stands where it seems to, without a link on the way."""
    if folder not in known:
        above = folder.rpartition("/")[0]
        known[folder] = _is_real(start, above, known) and stat.S_ISDIR(_mode_of(start / folder))
    return known[folder]


def _mode_of(path: Path) -> int:
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def _known_to_git(start: Path) -> list[str]:
    """What git knows of a folder and does not ignore; nothing where there is no git."""
    command = ["git", "-c", "core.fsmonitor=false", "ls-files", "-z", "-co", "--exclude-standard"]
    try:
        done = subprocess.run(  # noqa: S603 - nothing of it is anybody's
            command, cwd=start, capture_output=True, timeout=_GIT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return [] if done.returncode else [os.fsdecode(name) for name in done.stdout.split(b"\x00") if name]


def _walked(start: Path, found: Listed) -> Iterator[str]:
    """All files below a folder, without those of version control, caches and dependencies."""
    waiting, count = [""], 0
    while waiting:
        inside = waiting.pop()
        try:
            entries = list(os.scandir(start / inside))
        except OSError:
            found.unreadable += 1
            continue
        for entry in entries:
            name = f"{inside}{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _PASSED_OVER:
                    waiting.append(f"{name}/")
            elif entry.is_file(follow_symlinks=False):
                count += 1
                yield name
                if count >= MOST_FILES:
                    return


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
        first = (
            at + 3 if glob[at + 1 : at + 2] in {"!", "^"} else at + 2
        )  # `]` at the beginning is meant itself
        close = glob.find("]", first) if char == "[" else -1
        if close > 0:
            made, at = made + _as_class(glob[at + 1 : close]), close + 1
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


def _as_class(inner: str) -> str:
    """What stands between brackets, each character itself but for ranges."""
    sign, inner = ("^", inner[1:]) if inner[0] in "!^" else ("", inner)
    made = ""
    for at, char in enumerate(inner):
        is_range = char == "-" and 0 < at < len(inner) - 1 and "-" not in {inner[at - 1], inner[at + 1]}
        made += char if is_range else re.escape(char)
    return f"[{sign}{made}]"


__all__ = ["MOST_FILES", "Listed", "fitting", "listed"]
