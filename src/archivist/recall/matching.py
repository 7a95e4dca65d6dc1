"""Where the terms of a query stand in a text.

The words of a text are compared by their stems, so that a word counts here exactly if the index counts it;
what was decided of a word is remembered for the next text. Texts that the index knows under further words,
such as the parts of camelCase names, are the index's to find; here they have no place.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from archivist.recall.query import Either, Every, Need, Query
from archivist.recall.terms import Term
from archivist.records.patterns import late_pattern
from archivist.store.index.folding import UNSEGMENTED
from archivist.store.index.words import split_words, stem

MEMORY_WORDS: Final = 50_000
"""Words of one query's texts of which is remembered what they are."""
_BETWEEN: Final = r"[\W_]+"
_LETTERS: Final = r"[^\W_]*"
_REST: Final = late_pattern(f"[^\\W_{UNSEGMENTED}]*")
_UNSEGMENTED_START: Final = late_pattern(f"[{UNSEGMENTED}]")
_ASCII_REST: Final = late_pattern("[a-z0-9]*")

Place = tuple[int, int, int, bool]
"""Where one term stands: start, end, number of the term, and whether in the form that was asked for."""


class Matcher:
    """The terms of one query, ready to be found in many texts.

    Attributes:
        literals: By number, the terms whose marks matter too ("$9", "c++"), with them.
        rows: The terms that are several words in a row, which overlap with those words.
    """

    def __init__(self, terms: Sequence[Term]) -> None:
        self.terms = terms
        self.literals = [(number, term.literal) for number, term in enumerate(terms) if term.literal]
        numbered = list(enumerate(terms))
        self._words = {
            n: (term.text, stem(term.text))
            for n, term in numbered
            if term.kind == "word" and term.text.isalnum()
        }
        self._prefixes = {n: term.text for n, term in numbered if term.kind == "prefix"}
        self._pieces = [
            (n, term.text)
            for n, term in numbered
            if term.kind == "piece" or (term.kind == "word" and not term.text.isalnum())
        ]
        self._rows = [
            (n, *_row(term)) for n, term in numbered if term.kind in {"whole", "phrase", "verbatim"}
        ]
        self.rows = frozenset(number for number, _, _ in self._rows)
        starts = {_beginning(word, stemmed) for word, stemmed in self._words.values()}
        starts.update(self._prefixes.values())
        # what begins like a longer start is found by the shorter one
        self._starts = [
            start
            for start in sorted(starts)
            if not any(start != other and start.startswith(other) for other in starts)
        ]
        self._known: dict[str, tuple[tuple[int, bool], ...]] = {}

    def places(self, levelled: str) -> list[Place]:
        """All places of all terms, in no particular order.

        Args:
            levelled: The text as `level` gives it.
        """
        found: list[Place] = []
        rest = _ASCII_REST if levelled.isascii() else _REST
        for start in self._starts:
            at = levelled.find(start)
            while at >= 0:
                end = rest.match(levelled, at + len(start)).end()  # type: ignore[union-attr]  # an empty rest matches
                if not at or not _is_joined(levelled[at - 1], levelled[at]):
                    word = levelled[at:end]
                    terms = self._known.get(word)
                    for number, exact in self._terms_of(word) if terms is None else terms:
                        found.append((at, end, number, exact))
                at = levelled.find(start, end)
        for number, piece in self._pieces:
            at = levelled.find(piece)
            while at >= 0:
                found.append((at, at + len(piece), number, True))
                at = levelled.find(piece, at + len(piece))
        for number, pattern, stems in self._rows:
            found.extend(_row_places(levelled, number, pattern, stems))
        return found

    def inner_rows(self, levelled: str) -> list[int]:
        """The rows that stand anywhere in a text, also within a longer stretch of a script without spaces."""
        return [
            number
            for number, pattern, stems in self._rows
            if _UNSEGMENTED_START.match(self.terms[number].text)
            and next(iter(_row_places(levelled, number, pattern, stems, within=True)), None) is not None
        ]

    def _terms_of(self, word: str) -> tuple[tuple[int, bool], ...]:
        """The terms that a word is a form of."""
        stemmed = stem(word)
        same = [(number, word == asked) for number, (asked, root) in self._words.items() if root == stemmed]
        longer = [
            (number, word == start) for number, start in self._prefixes.items() if word.startswith(start)
        ]
        found = (*same, *longer)
        if len(self._known) < MEMORY_WORDS:
            self._known[word] = found
        return found


def _beginning(word: str, stemmed: str) -> str:
    """What every form of a word begins with: the stem, where it is not spelled otherwise at its end."""
    same = 0
    for mine, its in zip(word, stemmed, strict=False):
        if mine != its:
            break
        same += 1
    return word[:same] or word


def _is_joined(before: str, first: str) -> bool:
    """Whether a word goes on from the character before it; a border between scripts is a border of words."""
    return before.isalnum() and before.isascii() == first.isascii()


def needles(term: Term) -> tuple[str, ...]:
    """Stretches that every text with a term has in it, levelled, though not every text with them has the term."""
    if term.kind in {"whole", "phrase", "verbatim"}:
        return tuple(
            _beginning(word, stem(word)) if word.isascii() else word
            for word in _joined_pairs(split_words(term.text))
        )
    is_word = term.kind == "word" and term.text.isalnum()
    return (_beginning(term.text, stem(term.text)) if is_word else term.text,)


def _row(term: Term) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """A pattern for words in a row, and the stems that they must have."""
    words = _joined_pairs(split_words(term.text))
    parts = [
        re.escape(word) if not word.isascii() else re.escape(_beginning(word, stem(word))) + _LETTERS
        for word in words
    ]
    pattern = parts[0]
    for before, word, part in zip(words, words[1:], parts[1:], strict=False):
        pattern += (_BETWEEN if before.isascii() and word.isascii() else r"[\W_]*") + part
    return re.compile(pattern), tuple(stem(word) for word in words if word.isascii())


def _joined_pairs(words: Iterable[str]) -> list[str]:
    """The words with overlapping pairs of one run put together again."""
    joined: list[str] = []
    pair = ""
    for word in words:
        if (
            pair
            and len(word) == len(pair) == 2
            and not word.isascii()
            and not pair.isascii()
            and word[0] == pair[1]
        ):
            joined[-1] += word[1]
        else:
            joined.append(word)
        pair = word
    return joined


def _row_places(
    levelled: str, number: int, pattern: re.Pattern[str], stems: tuple[str, ...], *, within: bool = False
) -> Iterable[Place]:
    for match in pattern.finditer(levelled):
        start = match.start()
        if not within and start and _is_joined(levelled[start - 1], levelled[start]):
            continue
        if not stems or tuple(map(stem, re.findall("[a-z0-9]+", match[0]))) == stems:
            yield start, match.end(), number, True


def needed_beside(query: Query) -> tuple[Term, ...]:
    """What is needed and is no term of its own: a row of Chinese under an operator, whose pairs are the terms."""
    known = {term.match for term in query.terms}
    return tuple(term for term in _leaves(query.need) if term.match not in known)


def _leaves(need: Need | None) -> Iterator[Term]:
    if isinstance(need, Every | Either):
        for part in need.parts:
            yield from _leaves(part)
    elif need is not None:
        yield need


def is_met(need: Need, has: frozenset[str]) -> bool:
    """Whether a text meets what is needed, given the expressions (`Term.match`) of the terms that it has."""
    if isinstance(need, Every):
        return all(is_met(part, has) for part in need.parts)
    if isinstance(need, Either):
        return any(is_met(part, has) for part in need.parts)
    return need.match in has
