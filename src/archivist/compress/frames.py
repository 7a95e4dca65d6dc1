"""Whether a later line says an earlier one again with another value: the same words around one stretch in which they differ.

What two lines differ in may be what they are about: "the review of the van is on Monday", "… of the fence is on Monday". So a value is a
number, or a name or a day, which a capital tells. That it replaces the other is told by words of the later line's own ("small change: …",
"… she took over"), by a "no" in front, by saying that something is so by now.
"""

from collections.abc import Sequence
from typing import Final, Literal

from archivist.compress.weighing import is_coded, is_short
from archivist.records.patterns import late_pattern

Kind = Literal["number", "name", "characters", "word"]
Found = Literal["otherwise", "beside", ""]
"""Whether a line says otherwise, says something that stands beside, or has no such frame."""

_LEAST_WORDS: Final = 3
"""So many telling words in a row are a frame; of a script without spaces, pairs of characters."""
_LEAST_BEFORE_A_NUMBER: Final = 2
_VALUE_WORDS, _VALUE_PAIRS = 2, 4
"""Beside its frame an earlier line has no more than a value."""
_CAPITAL: Final = late_pattern(r"(?<=[\w,;:)] )[A-Z\u00c0-\u00de\u0410-\u042f][^\W\d_]+")
"""A word with a capital that begins no sentence."""


def said_again(one: str, mine: Sequence[str], later: str, its: Sequence[str], *, is_aware: bool) -> Found:
    """What a later line is to an earlier one.

    Args:
        one: The earlier line.
        mine: Its telling words, in order.
        later: The later line.
        its: Likewise.
        is_aware: Whether the later line says by itself that something was otherwise.
    """
    first, second, length = _longest_run(mine, its)
    telling = sum(not is_short(word) for word in mine[first : first + length])
    if telling < _LEAST_BEFORE_A_NUMBER:
        return ""
    values = _values(mine, its, first, second, length)
    if values is None:
        return ""
    kind, other = _kind(values[0], one), _kind(values[1], later)
    most = _VALUE_PAIRS if kind == "characters" else _VALUE_WORDS
    if kind != other or len(mine) > length + most or (kind != "number" and telling < _LEAST_WORDS):
        return ""
    is_aware = is_aware or len(its) > length + most
    if kind == "word":
        return "beside" if is_aware else ""
    return "otherwise" if is_aware else "beside"


def _longest_run(mine: Sequence[str], its: Sequence[str]) -> tuple[int, int, int]:
    """Where the longest stretch that both have begins in each, and how many words it has."""
    places: dict[str, int] = {word: at for at, word in enumerate(its)}
    best = (0, 0, 0)
    for first, word in enumerate(mine):
        second = places.get(word)
        if second is None or (first and second and mine[first - 1] == its[second - 1]):
            continue
        length = 1
        while mine[first + length : first + length + 1] == its[second + length : second + length + 1] != ():
            length += 1
        best = max(best, (first, second, length), key=lambda run: run[2])
    return best


def _values(
    mine: Sequence[str], its: Sequence[str], first: int, second: int, length: int
) -> tuple[str, str] | None:
    """The words right behind the frame, or else those right before it, where both have one."""
    behind, its_behind = first + length, second + length
    if behind < len(mine) and its_behind < len(its):
        return mine[behind], its[its_behind]
    if first and second:
        return mine[first - 1], its[second - 1]
    return None


def _kind(word: str, text: str) -> Kind:
    if is_coded(word) or word.isdigit():
        return "number"
    if not word.isascii() and len(word) == 2 and not word.isupper() and ord(word[0]) > 0x2FFF:
        return "characters"
    names = {found.casefold() for found in _CAPITAL.findall(text)}
    is_first = text.casefold().startswith(word)
    return "name" if word in names or is_first else "word"


__all__ = ["Found", "said_again"]
