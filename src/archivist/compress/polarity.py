"""What a text affirms and what it denies, clause by clause: "set it up, but do not touch the ledger" does one and the other."""

from collections.abc import Collection
from functools import cached_property
from itertools import chain
from typing import Final

from archivist.compress.weighing import negations_in, telling_words
from archivist.records.patterns import late_pattern

_BORDERS: Final = late_pattern(
    r"\n+|[.!?;:,](?:\s+|$)|[。！？；：，、]|\s[–—-]\s|\b(?:but|and|aber|sondern|und|mais|et|pero|sino|mas|но|а)\b|但|而"
)
_FORBIDS: Final = late_pattern(
    r"(?i)\b(?:forbid\w*|forbade|prohibit\w*|refus\w*|off[ -]limits|hands off|verboten"
    r"|untersagt|interdit\w*|prohibid\w*|proibid\w*)\b|拒绝|严禁|запре\w+"
)
_LEAST_WORDS: Final = 2
_LEAST_SAME: Final = 0.75
"""Of the telling words of what is told, so many has a clause that says the same."""


class Clauses:
    """The clauses of some texts: of each its telling words, and how often it denies."""

    def __init__(self, texts: Collection[str]) -> None:
        self._texts = texts

    def turn_round(self, words: frozenset[str], denials: int) -> bool:
        """Whether a clause of another text says the same as some here with too few denials or one too many, and as none does."""
        found = {self.all[at][1] for at in self._near(words) if _is_same(self.all[at][0], words)}
        return bool(found) and not any(denials >= its and bool(denials) == bool(its) for its in found)

    @cached_property
    def all(self) -> list[tuple[frozenset[str], int]]:
        """Those of more than a word."""
        clauses = (clause for text in self._texts for clause in _BORDERS.split(text) if clause)
        found = ((frozenset(map(str.casefold, telling_words(one))), _denials_in(one)) for one in clauses)
        return [(words, denials) for words, denials in found if len(words) >= _LEAST_WORDS]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for at, (words, _) in enumerate(self.all):
            for word in words:
                places.setdefault(word, []).append(at)
        return places

    def _near(self, words: frozenset[str]) -> set[int]:
        """The clauses that may say the same: half of the words are in common, so one of the rarer half and one more is."""
        rare = sorted((self._places.get(word, []) for word in words), key=len)[: len(words) // 2 + 1]
        return set(chain.from_iterable(rare))


def _is_same(own: frozenset[str], words: frozenset[str]) -> bool:
    both = len(own & words)
    return both >= _LEAST_SAME * max(len(words), len(own)) or (both == len(own) and 2 * both >= len(words))


def _denials_in(text: str) -> int:
    """How often a text denies or forbids something: "never … without asking" does twice."""
    return negations_in(text) + sum(1 for _ in _FORBIDS.finditer(text))


__all__ = ["Clauses"]
