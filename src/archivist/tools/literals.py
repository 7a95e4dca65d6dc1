"""A word that every text has in which a pattern fits: what does not have it need not be looked through."""

from collections.abc import Iterator
from typing import Final

_SPECIAL: Final = ".^$()+*?{\n\r"
_REPEATS: Final = ("*", "?", "{")
_SINGLE: Final = "bBdDsSwWAZntrfva"
"""Letters that stand with a backslash for something by themselves."""


def literal_in(pattern: str) -> bytes:
    """The longest run of plain characters that a pattern asks for, whatever else it asks for; empty where none is sure.

    Args:
        pattern: Of Python's `re`.
    """
    if not pattern.isascii() or "|" in pattern or "(?" in pattern:
        return b""
    return max(_runs(pattern), key=len).encode()


def _runs(pattern: str) -> Iterator[str]:
    """Runs of plain characters outside groups, as far as they can be told; what may be missing ends one."""
    run, at, depth = "", 0, 0
    while at < len(pattern):
        char, at = pattern[at], at + 1
        plain = char not in _SPECIAL
        if char in "[{" or (char == "\\" and _is_of_several(pattern[at : at + 1])):
            break
        if char == "\\":
            char, at = pattern[at : at + 1], at + 1
            plain = not char.isalnum() and char not in "\n\r"
        elif not plain:
            depth += (char == "(") - (char == ")")
        if plain and not depth and not pattern.startswith(_REPEATS, at):
            run += char
        else:
            yield run
            run = ""
    yield run


def _is_of_several(escaped: str) -> bool:
    """Whether a character behind a backslash takes those behind it along, as the codes of characters do."""
    return escaped.isalnum() and escaped not in _SINGLE


__all__ = ["literal_in"]
