"""The order of the texts that were found: BM25 with what words alone do not say.

Pure: texts, statistics and terms in, scores out, the same on every machine. A term counts as a stem and once
more in the form that was asked for, each by its own rarity. To the sum come words that stand beside each
other as in the question, and the share of the question that is there at all. What tools were given and
returned counts less than what people and models said.
"""

from collections.abc import Mapping, Sequence
from math import log
from typing import Final

import msgspec

from archivist.recall.levelling import level
from archivist.recall.matching import Matcher
from archivist.recall.query import Query
from archivist.store.documents import Document

SATURATION: Final = 1.2
"""BM25's k1, as in FTS5."""
LENGTH_SHARE: Final = 0.85
"""BM25's b; 0.75 in FTS5. In conversations the short messages are the telling ones (measured)."""
EXACT_SHARE: Final = 0.3
"""How much of a term's weight only its exact form earns."""
WORK_SHARE: Final = 0.85
OTHER_FORM: Final = 0.7
"""What another form of the word adds to the stem's count beside the one asked for."""
ADJACENT_SHARE: Final = 0.2
ADJACENT_CHARS: Final = 12
"""Between two words of the question; room for one that was left out."""
COVERAGE_SHARE: Final = 0.6
LITERAL_SHARE: Final = 0.5
ROW_FACTOR: Final = 1.5
"""For a text that has a phrase or an identifier whole."""
ALL_FACTOR: Final = 1.5
"""For a text that has all words of a query of two or more."""
TELLING_WEIGHT: Final = 0.5
"""Terms of less weight are no words of the query in this sense."""
NOTED: Final = "noted"
"""The part of a score that is for having been distilled."""
CHARS_PER_WORD: Final = 5.5
"""Of prose; code has longer words, so its length is overrated a little."""


class Statistics(msgspec.Struct, frozen=True):
    """What is known of all texts in which was searched.

    Attributes:
        documents: How many there are.
        average_words: Their mean length.
        found: By number of the term, in how many it stands; one that is not there is counted in the texts at
            hand.
    """

    documents: float
    average_words: float
    found: Mapping[int, float]

    def rarity(self, found: float) -> float:
        """What it says that a text has a term, by how many have it."""
        return rarity(self.documents, found)


class Scored(msgspec.Struct):
    """A document with its score and what that is made of.

    Attributes:
        has: The terms that it has, as bits.
    """

    document: Document
    score: float
    has: int
    parts: dict[str, float] = msgspec.field(default_factory=dict)


def rarity(documents: float, found: float) -> float:
    """The inverse document frequency, as in BM25 but never negative, of what stands in `found` of so many documents."""
    return log(1 + max(0.0, documents - found + 0.5) / (found + 0.5))


def score_documents(
    query: Query, documents: Sequence[Document], known: Mapping[int, int], statistics: Statistics
) -> list[Scored]:
    """Score each document, in the order given.

    Args:
        query: Its terms, in order.
        documents: The texts.
        known: By document, the terms that the index has it under, as bits; what the text itself shows is
            added.
        statistics: Of the whole collection.
    """
    matcher = Matcher(query.terms)
    counts = [_Counts(matcher, document, known.get(document.id, 0)) for document in documents]
    weights = _Weights(query, counts, statistics)
    return [_score(each, weights) for each in counts]


def raise_tiers(query: Query, scored: Sequence[Scored]) -> None:
    """Raise what has a phrase or an identifier whole, and what has all words, whatever stands around the others."""
    rows = telling = 0
    for number, term in enumerate(query.terms):
        if term.kind in {"whole", "phrase", "verbatim"}:
            rows |= 1 << number
        if term.kind != "verbatim" and term.weight >= TELLING_WEIGHT:
            telling |= 1 << number
    for each in scored:
        tier = ROW_FACTOR if each.has & rows else 1.0
        if telling.bit_count() > 1 and each.has & telling == telling:
            tier *= ALL_FACTOR
        if tier > 1.0:
            each.score *= tier
            each.parts["tier"] = tier


def word_count(text: str) -> float:
    """About how many words a text has; a character of an unsegmented script is one."""
    if text.isascii():
        return len(text) / CHARS_PER_WORD
    wide = (len(text.encode("utf-8", "surrogatepass")) - len(text)) / 2
    return max(0.0, len(text) - wide) / CHARS_PER_WORD + wide


class _Counts:
    """How often each term stands in a document, and which stand beside each other."""

    __slots__ = ("beside", "document", "exact", "literal", "stems", "words")

    def __init__(self, matcher: Matcher, document: Document, known: int) -> None:
        self.document = document
        self.stems: dict[int, float] = {}
        self.exact: dict[int, float] = {}
        self.beside: dict[int, float] = {}
        self.literal: dict[int, float] = {}
        self.words = 0.0
        for text, share in ((document.speech, 1.0), (document.work, WORK_SHARE)):
            if text:
                self.words += word_count(text)
                self._count(matcher, level(text), share)
        least = 1.0 if document.speech else WORK_SHARE
        for term in range(known.bit_length()):
            if known >> term & 1 and term not in self.stems:
                self.stems[term] = least

    def _count(self, matcher: Matcher, levelled: str, share: float) -> None:
        stems, exact = self.stems, self.exact
        last_end, last_term = -ADJACENT_CHARS - 1, -2
        for start, end, term, is_exact in sorted(matcher.places(levelled)):
            if is_exact:
                stems[term] = stems.get(term, 0.0) + share
                exact[term] = exact.get(term, 0.0) + share
            else:
                stems[term] = stems.get(term, 0.0) + share * OTHER_FORM
            if term in matcher.rows:
                continue
            if term == last_term + 1 and start - last_end <= ADJACENT_CHARS:
                self.beside[last_term] = max(self.beside.get(last_term, 0.0), share)
            last_end, last_term = end, term
        for term, literal in matcher.literals:
            if term in stems and literal in levelled:
                self.literal[term] = max(self.literal.get(term, 0.0), share)


class _Weights:
    """What each term counts in any form, in its exact form, and in all."""

    __slots__ = ("all", "average_words", "exact", "stems")

    def __init__(self, query: Query, counts: Sequence[_Counts], statistics: Statistics) -> None:
        self.average_words = max(statistics.average_words, 1.0)
        self.stems, self.exact = [], []
        for number, term in enumerate(query.terms):
            with_term = sum(number in each.stems for each in counts)
            found = min(statistics.found.get(number, with_term), statistics.documents)
            with_form = sum(number in each.exact for each in counts)
            exact_found = found * with_form / with_term if with_term else found
            is_idle = term.kind == "verbatim" and not with_term
            self.stems.append(0.0 if is_idle else term.weight * statistics.rarity(found))
            self.exact.append(term.weight * statistics.rarity(exact_found))
        self.all = sum(self.stems)


def _score(counts: _Counts, weights: _Weights) -> Scored:
    norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * counts.words / weights.average_words)
    stems, exact, rise = weights.stems, weights.exact, SATURATION + 1
    by_stem = by_form = covered = adjacent = literal = 0.0
    has = 0
    for term, count in counts.stems.items():
        by_stem += stems[term] * count * rise / (count + norm)
        covered += stems[term]
        has |= 1 << term
    for term, count in counts.exact.items():
        by_form += exact[term] * count * rise / (count + norm)
    for term, share in counts.beside.items():
        adjacent += ADJACENT_SHARE * share * min(stems[term], stems[term + 1])
    for term, share in counts.literal.items():
        literal += LITERAL_SHARE * share * stems[term]
    coverage = covered / weights.all if weights.all else 0.0
    words = (1 - EXACT_SHARE) * by_stem + EXACT_SHARE * by_form
    score = (words + adjacent + literal) * (1 - COVERAGE_SHARE + COVERAGE_SHARE * coverage)
    parts = {"words": words, "beside each other": adjacent, "literal": literal, "coverage": coverage}
    return Scored(counts.document, score, has, parts)
