"""Patterns of many alternatives, of which only those are tried, and compiled, of which a text has a telling word.

A statement is told by one of some hundred forms in ten languages. To try them all at every letter takes half a millisecond, to compile
them a tenth of a second. Which pairs of signs a text has is known at once, and with that nearly all of the words that it has not.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import add
from typing import Final

Telltales = Sequence[tuple[str, ...] | None]
"""For each alternative: words of which one stands in whatever it matches; None where nothing must stand there."""

_FREQUENT: Final = " etaoinsrhldcumfpgwybvkxjqz"
"""The most frequent sign first; what is not among them is rarer still."""


class Line:
    """A text to look into."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pairs = set(map(add, text, text[1:]))


class Clauses:
    """A pattern.

    Args:
        source: Its alternatives, joined by `|`.
        telltales: Of each.
    """

    def __init__(self, source: str, telltales: Telltales) -> None:
        self.source, self._telltales = source, telltales
        self._compiled: dict[int, re.Pattern[str]] = {}

    def match_in(self, line: Line) -> bool:
        """Whether one of the alternatives matches anywhere in a text."""
        tried = set[int]()
        for words in (self._short, *map(self._by_pair.get, self._by_pair.keys() & line.pairs)):
            for word, number in words or ():
                if number not in tried and word in line.text:
                    tried.add(number)
                    if self._matches(number, line.text):
                        return True
        return any(self._matches(number, line.text) for number in self._always)

    @cached_property
    def _by_pair(self) -> dict[str, list[tuple[str, int]]]:
        """The words by their rarest two signs, each with the number of its alternative."""
        found: dict[str, list[tuple[str, int]]] = {}
        for word, number in self._words():
            if len(word) > 1:
                pairs = (word[at : at + 2] for at in range(len(word) - 1))
                found.setdefault(max(pairs, key=_rarity), []).append((word, number))
        return found

    @cached_property
    def _short(self) -> list[tuple[str, int]]:
        """The words of one sign."""
        return [(word, number) for word, number in self._words() if len(word) == 1]

    def _words(self) -> Iterator[tuple[str, int]]:
        for number, words in enumerate(self._telltales):
            yield from ((word, number) for word in words or ())

    @cached_property
    def _always(self) -> list[int]:
        return [number for number, words in enumerate(self._telltales) if words is None]

    @cached_property
    def _alternatives(self) -> list[str]:
        return list(alternatives(self.source))

    def _matches(self, number: int, text: str) -> bool:
        pattern = self._compiled.get(number)
        if pattern is None:
            pattern = self._compiled[number] = re.compile(self._alternatives[number])
        return pattern.search(text) is not None


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


def _rarity(signs: str) -> int:
    return sum(_FREQUENT.find(sign) % (len(_FREQUENT) + 1) for sign in signs)
