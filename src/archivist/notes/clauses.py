"""Patterns of many alternatives, of which only those are tried, and compiled, of which a text has a telling word.

A statement is told by one of some hundred forms in ten languages. To try them all at every letter takes half a millisecond, to compile
them a tenth of a second. Which pairs of signs a text has is known at once, and with that nearly all of the words that it has not.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from operator import add
from typing import Final

Telltales = Sequence[tuple[str, ...] | None]
"""For each alternative: words of which one stands in whatever it matches; None where nothing must stand there."""

_Word = tuple[str, int, int]
"""A word, the number of its pattern, and of the alternative in that."""

_FREQUENT: Final = " etaoinsrhldcumfpgwybvkxjqz"
"""The most frequent sign first; what is not among them is rarer still."""


class Clauses:
    """A pattern.

    Args:
        source: Its alternatives, joined by `|`.
        telltales: Of each.
    """

    def __init__(self, source: str, telltales: Telltales) -> None:
        self.source, self.telltales = source, telltales
        self._compiled: dict[int, re.Pattern[str]] = {}

    def match_in(self, text: str) -> bool:
        """Whether one of the alternatives matches anywhere in a text."""
        return next(self._alone.matching(text), None) is not None

    def matches(self, number: int, text: str) -> bool:
        """Whether the alternative of that number matches anywhere in a text."""
        pattern = self._compiled.get(number)
        if pattern is None:
            pattern = self._compiled[number] = re.compile(self._alternatives[number])
        return pattern.search(text) is not None

    @cached_property
    def _alone(self) -> "Together":
        return Together([self])

    @cached_property
    def _alternatives(self) -> list[str]:
        return list(alternatives(self.source))


class Together:
    """Several patterns that are looked for in the same text: for their words it is gone through once."""

    def __init__(self, patterns: Sequence[Clauses]) -> None:
        self._patterns = patterns

    def matching(self, text: str) -> Iterator[int]:
        """The numbers of the patterns that match anywhere in a text, in order."""
        told = self._told_by(text)
        for number, pattern in enumerate(self._patterns):
            if any(pattern.matches(one, text) for one in (*told.get(number, ()), *self._always[number])):
                yield number

    def _told_by(self, text: str) -> dict[int, dict[int, None]]:
        """By pattern, the alternatives of which a telling word stands in a text."""
        told: dict[int, dict[int, None]] = {}
        pairs = self._by_pair.keys() & set(map(add, text, text[1:]))
        for words in (self._short, *map(self._by_pair.__getitem__, pairs)):
            for word, number, alternative in words:
                if word in text:
                    told.setdefault(number, {})[alternative] = None
        return told

    @cached_property
    def _by_pair(self) -> dict[str, list[_Word]]:
        """The words by their rarest two signs."""
        found: dict[str, list[_Word]] = {}
        for one in self._words():
            pairs = [one[0][at : at + 2] for at in range(len(one[0]) - 1)]
            if pairs:
                found.setdefault(max(pairs, key=_rarity), []).append(one)
        return found

    @cached_property
    def _short(self) -> list[_Word]:
        """The words of one sign."""
        return [one for one in self._words() if len(one[0]) == 1]

    @cached_property
    def _always(self) -> list[list[int]]:
        """Of each pattern, the alternatives of which no word must stand there."""
        return [[at for at, words in enumerate(one.telltales) if words is None] for one in self._patterns]

    def _words(self) -> Iterator[_Word]:
        for number, pattern in enumerate(self._patterns):
            for alternative, words in enumerate(pattern.telltales):
                yield from ((word, number, alternative) for word in words or ())


def alternatives(source: str) -> Iterator[str]:
    """The alternatives of a pattern: what stands between the `|` that stand in no group and no class."""
    begin = depth = 0
    for found in re.finditer(_SYNTAX, source, re.DOTALL):
        sign = found[0]
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and not depth:
            yield source[begin : found.start()]
            begin = found.end()
    yield source[begin:]


_SYNTAX: Final = r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]"
"""What is escaped, a class, or a sign that divides; the first two are passed over whole."""


@cache
def _rarity(signs: str) -> int:
    return sum(_FREQUENT.find(sign) % (len(_FREQUENT) + 1) for sign in signs)
