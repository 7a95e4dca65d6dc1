"""Which words of a question tell what it is about, and which finds have one of them.

"Why did we not use kubernetes?" is about kubernetes. A note that has only its "use" answers nothing, however short it is; and where nothing
at all has the telling word, that is the answer.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

import msgspec

from archivist.recall.packing import NOTES
from archivist.recall.query import Query
from archivist.recall.ranking import Scored, Statistics
from archivist.recall.stopwords import CHINESE_GRAMMAR, CHINESE_LIGHT, LIGHT
from archivist.recall.terms import GRAMMAR_PAIR_WEIGHT, Term
from archivist.store.index.words import stem

LIGHT_SHARE: Final = 0.25
"""What a word that carries little counts beside the others, when it is weighed how much of a question a text has."""
COMMON_SHARE: Final = 0.3
"""A word of less than this share of the rarest one's weight says little by itself."""
COMMON_FROM: Final = 50
"""Texts; among fewer no word is known to be common."""
MAJORITY: Final = 0.5
ONLY_HERE: Final = (
    "These words stand only in what this session shows already; nothing else that is stored has them."
)
MOST_NAMED: Final = 5
"""Words that a notice names."""


class Telling(msgspec.Struct, frozen=True):
    """The terms of a query by what they tell, each group as bits.

    Attributes:
        telling: What the question is about.
        common: Those of them that stand in so many texts that one alone says little.
        weights: By term, what it counts when texts are compared by what of the question they have.
    """

    telling: int
    common: int
    weights: tuple[float, ...]

    def fit(self, bits: int) -> float:
        """What of the question a text with these terms has, as a weight."""
        return sum(weight for number, weight in enumerate(self.weights) if bits >> number & 1)

    def kept(self, scored: Sequence[Scored]) -> list[Scored]:
        """The finds without those that have nothing but words that say little, where the question has others.

        A message stays where its session has a telling word: an answer often has few words of the question before it.
        """
        sessions = {
            each.document.session
            for each in scored
            if each.has & self.telling and each.document.conversation != NOTES
        }
        total = self.fit(-1)
        return [each for each in scored if self._says(each, sessions, total)]

    def _says(self, each: Scored, sessions: set[int], total: float) -> bool:
        """Whether a find says anything about what was asked."""
        if each.document.conversation != NOTES:
            if each.has & self.telling or each.document.session in sessions:
                return True
        elif each.has & self.telling & ~self.common or (each.has & self.common).bit_count() > 1:
            return True
        return self.fit(each.has) > MAJORITY * total


def read_telling(query: Query, statistics: Statistics) -> Telling:
    """Weigh the terms of a query by where they stand.

    Args:
        query: The query.
        statistics: Of all texts in which was searched.
    """
    telling = telling_terms(query)
    weights = [
        0.0 if term.kind == "verbatim" else term.weight * statistics.rarity(statistics.found.get(number, 1.0))
        for number, term in enumerate(query.terms)
    ]
    rarest, common = max(weights, default=0.0), 0
    for number, term in enumerate(query.terms):
        if not telling >> number & 1:
            weights[number] *= LIGHT_SHARE
        elif statistics.documents >= COMMON_FROM and weights[number] < COMMON_SHARE * rarest * term.weight:
            common |= 1 << number
    return Telling(telling, common, tuple(weights))


def telling_terms(query: Query) -> int:
    """The terms, as bits, that say what is asked about, and not when; all of them where each says little."""
    sought = [
        number
        for number, term in enumerate(query.terms)
        if term.kind != "verbatim" and term.match not in query.times
    ]
    telling = [number for number in sought if not _is_light(query.terms[number])]
    return sum(1 << number for number in telling or sought)


def named(query: Query, unknown: int) -> list[str]:
    """The words, as they were asked, of terms that stand nowhere.

    Of an identifier or a phrase that is named its words are not named too.

    Args:
        query: The query.
        unknown: The terms, as bits.
    """
    terms, missing = query.terms, unknown and unknown & telling_terms(query)
    if not missing:
        return []
    longer = [term.text for n, term in enumerate(terms) if missing >> n & 1 and _is_one_name(term)]
    words: list[str] = []
    for stretch in _stretches(terms):
        if terms[stretch[0]].kind == "piece":
            words += _unknown_parts(query, stretch, unknown, missing)
        elif missing >> stretch[0] & 1 and _is_one_name(term := terms[stretch[0]]):
            is_part = any(term.text != other and term.text in other for other in longer)
            words += [] if is_part else [term.literal or term.text]
    return list(dict.fromkeys(words))


def has_more(query: Query, unknown: int) -> bool:
    """Whether the query also has words that are not unknown."""
    sought = (1 << number for number, term in enumerate(query.terms) if term.kind != "verbatim")
    return any(not unknown & bit for bit in sought)


def told(words: Sequence[str]) -> str:
    """Words in quotation marks, the last of many counted."""
    more = len(words) - MOST_NAMED
    listed = ", ".join(f"“{word}”" for word in words[:MOST_NAMED])
    return f"{listed} and {more} more" if more > 0 else listed


def _is_light(term: Term) -> bool:
    """Whether a term carries little of any question."""
    if term.kind == "piece":
        return term.weight <= GRAMMAR_PAIR_WEIGHT or CHINESE_GRAMMAR.union(CHINESE_LIGHT).issuperset(
            term.text
        )
    return term.kind == "word" and (term.text in LIGHT or stem(term.text) in _light_stems())


@cache
def _light_stems() -> frozenset[str]:
    return frozenset(map(stem, LIGHT))


def _stretches(terms: Sequence[Term]) -> list[list[int]]:
    """The terms, as numbers, those pairs together that overlap each with the one before; without the whole query as a phrase."""
    numbers = [number for number, term in enumerate(terms) if term.kind != "verbatim"]
    found: list[list[int]] = [[number] for number in numbers[:1]]
    for before, number in pairwise(numbers):
        one, other = terms[before], terms[number]
        if one.kind == other.kind == "piece" and len(one.text) > 1 and one.text[1:] == other.text[:-1]:
            found[-1].append(number)
        else:
            found.append([number])
    return found


def _is_one_name(term: Term) -> bool:
    """Whether a term is named as one: not where words in a script without spaces stand against others, which was nobody's word."""
    return term.kind != "piece" and (term.kind != "whole" or term.text.isascii())


def _unknown_parts(query: Query, stretch: Sequence[int], unknown: int, missing: int) -> list[str]:
    """Of a stretch of a script without spaces what stands in no pair that is known: a pair across two words is known nowhere."""
    terms = [query.terms[number] for number in stretch]
    characters = list(terms[0].text + "".join(term.text[-1] for term in terms[1:]))
    for place, number in enumerate(stretch):
        if not unknown >> number & 1:
            characters[place : place + len(terms[place].text)] = " " * len(terms[place].text)
    for place in range(_light_before(terms)):
        characters[place] = " "
    for place in range(_light_before(terms[::-1])):
        characters[-1 - place] = " "
    told = [query.terms[number].text for number in stretch if missing >> number & 1]
    parts = "".join(" " if each in CHINESE_GRAMMAR else each for each in characters).split()
    return [part for part in parts if any(piece in part for piece in told)]


def _light_before(terms: Sequence[Term]) -> int:
    """How many characters of words that carry little come before the first other word; most such words have two."""
    pairs = next((place for place, term in enumerate(terms) if not _is_light(term)), 0)
    return pairs + pairs % 2


__all__ = ["Telling", "has_more", "named", "read_telling", "telling_terms", "told"]
