"""Statements that cannot both hold: the same but for a value, a "not", or a word for its opposite.

Neither is closed for it: who says which of them holds is their owner. What is found here is shown with both dates.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, Literal

import msgspec

from archivist.notes.anew import said_anew
from archivist.notes.correcting import correction_in
from archivist.notes.frame_words import OPPOSITES
from archivist.notes.frames import Terms, bare, is_same, terms
from archivist.notes.single_valued import differ_in_a_value, slots
from archivist.records.notes import Entry

MOST_FOUND: Final = 5
_MOST_TERMS: Final = 40
_LONGEST: Final = 400
"""Characters of a text that is one statement."""
_HEAD, _TAIL = 60, 30
"""Characters in which the first and the last word of a statement stand."""
_STEM: Final = 4
_MOST_LONGER: Final = 60
"""Characters by which two statements differ in length that are the same but for one stretch."""
_NEGATIONS: Final = frozenset(
    "not never nicht nie niemals kein keine keinen keinem keiner pas jamais nunca jamás non mai não не никогда 不 没 別".split()
)
_WITH_A_NEGATION: Final = frozenset("do ne 有".split())
_NOT_NAMED: Final = _NEGATIONS | _WITH_A_NEGATION | {"user", "user's"}

Why = Literal["corrected", "value", "negation", "opposite"]
SAID: Final[dict[Why, str]] = {
    "corrected": "contradicts another entry, and one of them corrects the other",
    "value": "says another value than another entry",
    "negation": "says the opposite of another entry",
    "opposite": "says the opposite of another entry",
}


class Contradiction(msgspec.Struct, frozen=True):
    """An entry that says otherwise."""

    id: str
    why: Why


class Pair(msgspec.Struct, frozen=True):
    """Two entries that contradict each other, the one that was noted first before the other."""

    first: Entry
    second: Entry
    why: Why


def contradiction(one: str, other: str) -> Why | None:
    """Why two texts cannot both hold; None where they can, as far as their words tell."""
    found = _contradiction(_statement(one), _statement(other))
    if found is not None:
        return found
    if _is_corrected(one, other) or _is_corrected(other, one):
        return "corrected"
    return "value" if _says_another_value(one, other) else None


def contradicted_by(text: str, present: Iterable[tuple[str, str]]) -> tuple[Contradiction, ...]:
    """The entries that cannot hold if a text does.

    Args:
        text: What is to be noted.
        present: The entries beside it, by id and words.
    """
    statement, correction = _statement(text), correction_in(text)
    if not statement and correction is None:
        return ()
    glances = [_Glance(one, text) for one in (statement, *_anew(text))]
    found = list[Contradiction]()
    for key, words in present:
        is_near = any(glance.may_be(words) for glance in glances)
        why = _contradiction(statement, _statement(words)) if is_near else None
        if why is None and correction is not None and correction.corrects(words):
            why = "corrected"
        if why is None and is_near and _is_corrected(text, words):
            why = "corrected"
        if why is None and is_near and _says_another_value(text, words):
            why = "value"
        if why is not None:
            found.append(Contradiction(key, why))
            if len(found) >= MOST_FOUND:
                break
    return tuple(found)


def standing(entries: Sequence[Entry]) -> Iterator[Pair]:
    """Of some entries those that were found to contradict each other, and still do by their words."""
    there = {entry.id: entry for entry in entries if entry.status == "active"}
    for entry in there.values():
        for key in entry.contradicts:
            other = there.get(key)
            why = contradiction(entry.text, other.text) if other is not None else None
            if other is not None and why is not None:
                first, second = sorted((other, entry), key=lambda one: (one.observed_at, one.id))
                yield Pair(first, second, why)


@lru_cache(maxsize=4_096)
def _statement(text: str) -> Terms:
    """The words of a text that is one statement; nothing for any other."""
    if len(text) > _LONGEST:
        return ()
    said = terms(text)
    if len(said) > _MOST_TERMS or not {".", "?"}.isdisjoint(said):
        return ()
    return bare(said)


def _is_corrected(text: str, by: str) -> bool:
    correction = correction_in(by)
    return correction is not None and correction.corrects(text)


def _says_another_value(one: str, other: str) -> bool:
    """Whether two texts, of which one corrects something at least, say another value by what they say themselves: "at Kern, not Birk"."""
    mine, its = _anew(one), _anew(other)
    if not mine and not its:
        return False
    pairs = product(mine or (_statement(one),), its or (_statement(other),))
    return any(a and b and differ_in_a_value(a, b) for a, b in pairs)


@lru_cache(maxsize=4_096)
def _anew(text: str) -> tuple[Terms, ...]:
    return tuple(map(bare, said_anew(text))) if len(text) <= _LONGEST else ()


def _contradiction(one: Terms, other: Terms) -> Why | None:
    if not one or not other:
        return None
    parts = slots(one, other)
    if parts is not None and frozenset(map(_joined, parts[1:3])) in OPPOSITES:
        return "opposite"
    mine, its = _affirmed(one), _affirmed(other)
    if (mine is None) != (its is None):
        return "negation" if is_same(mine or one, its or other) else None
    return "value" if differ_in_a_value(one, other) else None


def _affirmed(said: Terms) -> Terms | None:
    """A statement without its "not"; None where it has none, or more than one."""
    places = [at for at, word in enumerate(said) if word.lower() in _NEGATIONS]
    if len(places) != 1:
        return None
    (at,) = places
    kept = [word for place, word in enumerate(said) if place != at and not _goes_with(said, place, at)]
    return tuple(kept)


def _goes_with(said: Terms, place: int, negation: int) -> bool:
    """Whether a word belongs to the "not": "do not use", "ne … pas", 没有, 不使用."""
    word = said[place].lower()
    if word == "使" and place == negation + 1:
        return True
    return word in _WITH_A_NEGATION and abs(place - negation) <= (3 if word == "ne" else 1)


def _joined(words: Terms) -> str:
    text = " ".join(words) if all(map(str.isascii, words)) else "".join(words)
    return text.lower()


class _Glance:
    """Passes over what cannot contradict a statement: what does differs from it in one stretch, and so begins or ends as it does."""

    def __init__(self, statement: Terms, text: str) -> None:
        low = text.casefold()
        named = [
            word
            for word in map(str.casefold, statement)
            if word not in _NOT_NAMED
            and word[:_STEM] in low  # a word that is read as another does not stand there
        ]
        self._length, self._first, self._last = len(text), "", ""
        if named:
            is_by_characters = len(named[0]) == 1 and not named[0].isascii()
            self._first = "".join(named[:2]) if is_by_characters else named[0][:_STEM]
            self._last = named[-1][:_STEM]
        self._stems = {word[:_STEM] for word in named if len(word) > 1}

    def may_be(self, text: str) -> bool:
        """Whether a text may contradict it."""
        if not self._first or abs(len(text) - self._length) > _MOST_LONGER:
            return False
        if self._first not in text[:_HEAD].casefold() and self._last not in text[-_TAIL:].casefold():
            return False
        low = text.casefold()
        return sum(stem not in low for stem in self._stems) <= (len(self._stems) + 1) // 2


__all__ = ["SAID", "Contradiction", "Pair", "Why", "contradicted_by", "contradiction", "standing"]
