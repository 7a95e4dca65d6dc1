"""Whether a shell command does nothing but ask Archivist's own command line, whose answers quote what is kept here already."""

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

PROGRAM: Final = "archivist"
QUOTING: Final = frozenset({"daily", "memory", "recall", "review", "sessions", "snapshot"})
"""Commands that are given, or print, words of the owner's memory."""
FILTERS: Final = frozenset({"cut", "grep", "head", "jq", "less", "rg", "sort", "tail", "uniq", "wc"})
"""Programs that print nothing but what they are given."""
WITH_VALUES: Final = frozenset({"--home", "--profile"})
OPERATORS: Final = frozenset("();<>|&")
ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*=")
MERGED: Final = re.compile(r"\s2>&1\b")
LONGEST: Final = 20_000
"""Characters of a command that are looked at; what is longer writes a file."""


def asks_only_archivist(command: str) -> bool:
    """Whether all that a command prints is Archivist's answer, perhaps shortened by filters."""
    if PROGRAM not in command or len(command) > LONGEST or "\n" in command.strip():
        return False
    first, *rest = _programs(MERGED.sub("", command)) or [()]
    return _is_quoting(first) and all(one and _named(one[0]) in FILTERS for one in rest)


def _programs(command: str) -> list[Sequence[str]]:
    """The programs of a pipeline, each with its arguments; nothing where it is more than a pipeline."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    found: list[list[str]] = [[]]
    try:
        for word in lexer:
            if word == "|":
                found.append([])
            elif word and OPERATORS.issuperset(word):
                return []
            else:
                found[-1].append(word)
    except ValueError:  # a quotation that is not closed
        return []
    return [*found]


def _is_quoting(words: Sequence[str]) -> bool:
    left = iter(words)
    program = next((word for word in left if not ASSIGNMENT.match(word)), "")
    return _named(program) == PROGRAM and _command(left) in QUOTING


def _command(words: Iterator[str]) -> str:
    """The command behind the options that stand before it."""
    for word in words:
        if word in WITH_VALUES:
            next(words, None)
        elif not word.startswith("-"):
            return word
    return ""


def _named(program: str) -> str:
    return PurePosixPath(program).name


__all__ = ["asks_only_archivist"]
