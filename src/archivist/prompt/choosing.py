"""Which entries a prompt carries when there are more than their budget holds.

What never fades comes first, then what is remembered best; of equals, what stands first. One entry that alone is longer than a budget
gets what the others leave, so that a single long text does not push all the rest out.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from archivist.notes.document import DELIMITER
from archivist.prompt.wording import cut

_RESERVE: Final = len(f"{DELIMITER}… 99,999 more entries are in the files; recall finds them")


class Candidate(msgspec.Struct, frozen=True):
    """An entry that could be shown.

    Attributes:
        level: The number of its level.
        lasting: Does not fade: pinned, or of a kind that holds until it is contradicted.
        retention: How well it is remembered, from 0 to 1.
    """

    id: str
    level: int
    text: str
    retention: float
    lasting: bool = False
    pinned: bool = False


class Choice(msgspec.Struct, frozen=True):
    """What is shown.

    Attributes:
        texts: By id, whole or cut.
        cut: The ids of those that are cut.
    """

    texts: dict[str, str]
    cut: tuple[str, ...] = ()


def choose(candidates: Sequence[Candidate], budgets: Sequence[int], together: int) -> Choice:
    """The candidates that fit.

    Args:
        candidates: In the order in which they will stand.
        budgets: Of each level, in characters; entries are counted joined, with the delimiters between them.
        together: Of all levels at once.
    """
    rooms = _Rooms(budgets, together)
    if all(rooms.take(one.level, one.text) for one in candidates):
        return Choice({one.id: one.text for one in candidates})
    losing = _losing(candidates, budgets, together)
    rooms = _Rooms(
        [budget - _RESERVE * (number in losing) for number, budget in enumerate(budgets)],
        together - _RESERVE * len(losing),
    )
    return _best(_ranked(candidates, budgets), rooms)


def _losing(candidates: Sequence[Candidate], budgets: Sequence[int], together: int) -> set[int]:
    """The levels that may not be shown whole: they need room to say so."""
    sizes: dict[int, int] = {}
    for one in candidates:
        sizes[one.level] = sizes.get(one.level, -len(DELIMITER)) + len(DELIMITER) + len(one.text)
    if sum(min(size, budgets[level]) for level, size in sizes.items()) > together:
        return set(sizes)
    return {level for level, size in sizes.items() if size > budgets[level]}


def _ranked(candidates: Sequence[Candidate], budgets: Sequence[int]) -> list[Candidate]:
    def rank(one: Candidate) -> tuple[bool, bool, float]:
        is_too_long = len(one.text) > budgets[one.level] and not one.pinned
        return is_too_long, not one.lasting, -one.retention

    return sorted(candidates, key=rank)


def _best(ranked: Iterable[Candidate], rooms: "_Rooms") -> Choice:
    texts: dict[str, str] = {}
    shortened: dict[int, str] = {}
    for one in ranked:
        if rooms.take(one.level, one.text):
            texts[one.id] = one.text
        elif one.level not in shortened:
            anywhere = len(one.text) > rooms.budgets[one.level]
            piece = cut(one.text, rooms.left(one.level), one.id, anywhere=anywhere)
            if piece is not None and rooms.take(one.level, piece):
                texts[one.id], shortened[one.level] = piece, one.id
    return Choice(texts, tuple(shortened.values()))


class _Rooms:
    """How much room is left, in each level and in all of them."""

    def __init__(self, budgets: Sequence[int], together: int) -> None:
        self.budgets = budgets
        self._used = [0] * len(budgets)
        self._together = together

    def left(self, level: int) -> int:
        """How long one more entry may be."""
        between = len(DELIMITER) if self._used[level] else 0
        return min(self.budgets[level] - self._used[level], self._together) - between

    def take(self, level: int, text: str) -> bool:
        """Put a text in, if there is room for it."""
        if len(text) > self.left(level):
            return False
        size = len(text) + (len(DELIMITER) if self._used[level] else 0)
        self._used[level] += size
        self._together -= size
        return True


__all__ = ["Candidate", "Choice", "choose"]
