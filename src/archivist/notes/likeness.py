"""How like two entries are: written otherwise, worded otherwise, or saying the same.

`normal` takes away what nobody means: case, width, white space, marks around it. `similarity` measures how much of two texts is shared,
by words and by runs of characters, the longer ones counting more; from `SAME_ENTRY` on it is one entry in other words. `Likenesses`
finds, among many, the one that says the same.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

import msgspec

from archivist.notes.saying import saying
from archivist.records.patterns import late_pattern
from archivist.store.index.folding import UNSEGMENTED

SAME_ENTRY: Final = 0.6
"""At least so similar, and in the same place, is a new wording of the same entry."""

_RAISED: Final = {
    ord(raised): f"^{unicodedata.normalize('NFKC', raised)}" for raised in "⁰¹²³⁴⁵⁶⁷⁸⁹"
}  # 10² is not 102
_AROUND: Final = " \"'“”‘’«»„‚「」『』`*_.。,，;；、!！…"
_AT_THE_END: Final = _AROUND + ":："
_BEFORE: Final = " \"'“”‘’«»„‚「」『』`*_,，;；、!！•·"
_BULLETS: Final = ("- ", "+ ", "• ", "– ", "— ")
_TOKEN: Final = late_pattern(f"[{UNSEGMENTED}]+|[^\\W_]+|[^\\w\\s]")
_ASCII_TOKEN: Final = late_pattern("[a-z0-9]+|[^a-z0-9_ ]")
_UNSEGMENTED_START: Final = late_pattern(f"[{UNSEGMENTED}]")
_MOST_WEIGHT: Final = 6
_REMEMBERED: Final = 512
_MOST_CHARS_IN_RUNS: Final = 2_000
"""The words of longer texts say enough."""


def normal(text: str) -> str:
    """What a text has in common with those that are the same but for case, width, white space and marks around it."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_RAISED))
    text = " ".join(text.lower().split())
    while text.startswith(_BULLETS):
        text = text[2:]
    return text.lstrip(_BEFORE).rstrip(_AT_THE_END) or text


class Profile(msgspec.Struct, frozen=True):
    """What a text is made of, to compare it with many.

    Attributes:
        normal: As `normal` gives it.
        words: Its words, and where there are no spaces its characters and pairs of them.
        weight: Of all of them together.
    """

    normal: str
    words: frozenset[str]
    weight: int


def profile(text: str) -> Profile:
    """What a text is made of."""
    levelled = normal(text)
    words = frozenset(pieces_of(levelled))
    return Profile(levelled, words, sum(map(_weight, words)))


def similarity(one: str, other: str) -> float:
    """How much of two texts is shared, from 0 to 1; 1 if they are the same but for what `normal` takes away."""
    return 1.0 if one == other else likeness(profile(one), profile(other))


def likeness(one: Profile, other: Profile, at_least: float = 0.0) -> float:
    """The similarity of two texts; 0 where it is seen early that it is below a bound."""
    if one.normal == other.normal:
        return 1.0
    if not (one.weight and other.weight):
        return 0.0
    if _dice(min(one.weight, other.weight), one.weight, other.weight) + 1 < 2 * at_least:
        return 0.0
    words = _dice(sum(map(_weight, one.words & other.words)), one.weight, other.weight)
    if words + 1 < 2 * at_least:
        return 0.0
    if max(len(one.normal), len(other.normal)) > _MOST_CHARS_IN_RUNS:
        return min(0.999, words)
    mine, its = _runs(one.normal), _runs(other.normal)
    return min(0.999, (words + _dice(len(mine & its), len(mine), len(its))) / 2)


def share(said: str, text: str) -> float:
    """How much of one text stands in another, from 0 to 1, by runs of three characters; both as `normal` gives them."""
    runs = _runs(said[:_MOST_CHARS_IN_RUNS])
    return len(runs & _runs.__wrapped__(text)) / len(runs) if runs else 0.0


def pieces_of(levelled: str) -> Iterable[str]:
    """The words of a text that `normal` gave; where there are no spaces, its characters and pairs of them."""
    if levelled.isascii():
        return _ASCII_TOKEN.findall(levelled)
    return _foreign_pieces(levelled)


class Likenesses:
    """Entries by what they say, to find the one that says a text already.

    A text is looked up, not compared with each: both cost the same however many entries there are.
    """

    def __init__(self) -> None:
        self._saying: dict[str, str] = {}
        self._entries: dict[str, dict[str, None]] = {}

    def __len__(self) -> int:
        return len(self._saying)

    def put(self, entry_id: str, text: str) -> None:
        """Know an entry, or its new text."""
        self.remove(entry_id)
        said = self._saying[entry_id] = saying(text)
        self._entries.setdefault(said, {})[entry_id] = None

    def remove(self, entry_id: str) -> None:
        """Forget an entry, whether it was known or not."""
        said = self._saying.pop(entry_id, None)
        if said is not None:
            same = self._entries[said]
            del same[entry_id]
            if not same:
                del self._entries[said]

    def nearest(self, text: str) -> str | None:
        """The id of an entry that says the same, the one that was put first; None where none does.

        Never one that differs in a number, a date, a negation, a name, a path, or in who does what.
        """
        return next(iter(self._entries.get(saying(text), ())), None)


def _foreign_pieces(levelled: str) -> Iterator[str]:
    for token in _TOKEN.findall(levelled):
        if token.isascii() or not _UNSEGMENTED_START.match(token):
            yield token
        else:
            yield from token
            yield from map("".join, pairwise(token))


@lru_cache(maxsize=_REMEMBERED)
def _runs(levelled: str) -> frozenset[str]:
    """The runs of three characters, the borders of the text counted as one."""
    padded = f" {levelled} "
    return frozenset(map("".join, zip(padded, padded[1:], padded[2:], strict=False)))


def _dice(shared: int, one: int, other: int) -> float:
    return 2 * shared / (one + other)


def _weight(word: str) -> int:
    return min(len(word), _MOST_WEIGHT)


__all__ = [
    "SAME_ENTRY",
    "Likenesses",
    "Profile",
    "likeness",
    "normal",
    "pieces_of",
    "profile",
    "share",
    "similarity",
]
