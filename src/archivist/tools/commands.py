"""What a command of a shell would do, as far as its text says: which programs it runs, whether it only looks, what is dangerous in it.

Nothing of it is a wall; the yes of a person is. It keeps those from being asked who only look, and tells what should be read twice.
"""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Final

from archivist.records.patterns import late_pattern
from archivist.tools.credentials import has_credentials
from archivist.tools.dangers import dangers_of
from archivist.tools.tame import is_tame

_PLAIN: Final = late_pattern(r"[\w./,:=@%+ \t\"'-]+\Z")
"""Nothing that a shell would expand, redirect, join or run beside it."""
_JOINED: Final = late_pattern(r"[;&|<>()`$\n{}\\!#*?\[\]~]")
_LOOKS: Final = frozenset("pwd ls cat head tail wc date whoami uname true".split())
_KNOWN: Final = frozenset(
    "pytest py.test tox nox mypy pyright ruff black isort flake8 pylint tsc eslint prettier biome jest vitest mocha rspec rubocop phpunit"
    " ctest echo printf mkdir touch".split()
)
"""What they do to other files of the workspace is what they did to the first."""
_VERBS: Final = {
    "git": frozenset("add commit status blame".split()),
    "npm": frozenset("test run".split()),
    "pnpm": frozenset("test run".split()),
    "yarn": frozenset("test run".split()),
    "cargo": frozenset("build check test clippy fmt doc".split()),
    "go": frozenset("build test vet fmt".split()),
}
"""Of these the next word says what they do."""
_PATHS: Final = late_pattern(r"[=:]")
_FOLLOWS: Final = late_pattern(r"-[^-]*[fF]|--[fr]")
_GIT: Final = frozenset("status diff log show".split())
_GIT_REFUSED: Final = ("--ou", "--ex", "--te", "--no-in", "--op", "-O")


def group_of(command: str) -> str:
    """What a yes for the session covers: the same program, with the same verb and options, on other files of the workspace.

    Of a program that is not known for what it does, and of what leads out of the workspace, it covers that command alone; of what is
    dangerous nothing.
    """
    if dangers_of(command):
        return ""
    words = words_of(command)
    if words is None or _JOINED.search(command) or not all(map(_stays, words)):
        return command
    named = _named(words)
    if not named or any("=" in word and not word.startswith("-") for word in words):
        return command
    options = sorted({word for word in words if word.startswith("-")})
    return " ".join([*named, *options])


def _named(words: list[str]) -> list[str]:
    """The words that say what a command does; none where nobody knows."""
    program, verb = words[0], words[1:2]
    if program in _KNOWN:
        return [program]
    if not verb or verb[0] not in _VERBS.get(program, ()):
        return []
    script = words[2:3] if verb == ["run"] else verb
    return [] if not script or script[0].startswith("-") else words[:3] if verb == ["run"] else words[:2]


def _stays(word: str) -> bool:
    """Whether a word leads nowhere out of the workspace, nor to keys."""
    return not any(
        part.startswith(("/", "~")) or ".." in part.split("/") or has_credentials(part)
        for part in _PATHS.split(word)
    )


def words_of(command: str) -> list[str] | None:
    """The words of a command; None where it has none, or cannot be read."""
    try:
        return shlex.split(command) or None
    except ValueError:
        return None


def only_looks(command: str, root: Path, may_be_shown: Callable[[str], bool]) -> bool:
    """Whether a command does nothing but show what is in the workspace.

    Args:
        command: Of a shell.
        root: Where it runs.
        may_be_shown: Whether a path leads to something that nobody need be asked about.
    """
    words = words_of(command)
    if words is None or not _PLAIN.match(command):
        return False
    program, given = words[0], words[1:]
    if program == "git":
        return _git_looks(given, root, may_be_shown)
    if program not in _LOOKS or (program in {"date", "true"} and given):
        return False
    if program == "tail" and any(_FOLLOWS.match(word) for word in given):
        return False
    return all(may_be_shown(word) for word in given if not word.startswith("-")) and not _names_files(given)


def _names_files(given: list[str]) -> bool:
    """Whether an option takes a path: `wc --files0-from=F`."""
    return any(word.startswith("-") and ("=" in word or "/" in word) for word in given)


def _git_looks(given: list[str], root: Path, may_be_shown: Callable[[str], bool]) -> bool:
    if not given or given[0] not in _GIT or any(word.startswith(_GIT_REFUSED) for word in given[1:]):
        return False
    paths = [part for word in given[1:] if not word.startswith("-") for part in word.split(":")]
    return all(map(may_be_shown, paths)) and is_tame(root)


__all__ = ["group_of", "only_looks", "words_of"]
