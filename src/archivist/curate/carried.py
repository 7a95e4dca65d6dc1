"""Whether a person's own words carry what is to be noted: claim by claim, every word that says something, and each "not".

A claim is carried by a sentence of theirs, or by a short run of sentences of one message, that has all of its words that mean something:
names, numbers, paths and addresses to the letter, other words in any of their endings. What only frames a statement ("the user prefers …")
may be there or not. Where there are no spaces between words, characters and pairs of them stand for words.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import pairwise
from typing import Final

import msgspec

from archivist.curate.others import begins_with_a_place, others_in
from archivist.curate.stances import conditions_in, has_condition, is_own_claim
from archivist.curate.wording import Said, levelled, mark_of, said_in

_SENTENCE_ENDS: Final = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；!?])|[\n\r]+|(?<=[؟।॥])\s*")
_CLAUSE_ENDS: Final = re.compile(
    r"[,،，、:：]\s*|\s[-–—]\s|\s*[()（）]\s*|\b(?:and|but|while|y|e|et|mais|und|aber|i|a|ale|en|maar|и|а|но|ve|ama|dan|tapi|và"
    r"|nhưng)\s|(?<=\S)(?:并且|而且|以及|但是|但|和|そして|また|が、|그리고|하지만)"
)
_MOST_CHARS: Final = 20_000
_WHOLE: Final = 400
"""Characters of a message that says one thing."""
_RUN: Final = 3
"""Sentences in a row that carry a claim together."""
_LEAST_PAIRS: Final = 0.6
"""Of the pairs of characters of a claim that a sentence must have; all of its characters it must have anyway."""
_LEAST_PAIRS_OF_SEVERAL: Final = 0.9
"""The same where it says several things."""
_OF_A_CONDITION: Final = 0.5
"""Of what says when a sentence holds, what a claim must have that names no condition."""
Turns = tuple[frozenset[str], frozenset[str]]


def carries(own: Iterable[Sequence[str]], text: str) -> bool:
    """Whether what a person said carries all that a text claims.

    Args:
        own: Their messages, each in paragraphs.
        text: What is to be noted.
    """
    claims = [claim for claim in _split(_SENTENCE_ENDS, text) if said_in(claim).weight]
    messages = [tuple(message) for message in own]
    return bool(claims) and all(_is_carried(claim, messages) for claim in claims)


def near(claims: Iterable[str], lost: Iterable[str] = ()) -> Callable[[str], bool]:
    """Tells whether a text may carry one of some claims, or a part of one, or ask for something lost to go: most texts do neither.

    Args:
        claims: What is to be noted.
        lost: What is to go.
    """
    sentences = [one for claim in claims for one in _split(_SENTENCE_ENDS, claim)]
    parts = [part for one in sentences for part in {one, *_split(_CLAUSE_ENDS, one)}]
    wanted = [marks for part in parts if (marks := _marks(said_in(part)))]
    named = [mark for text in lost for mark in _marks(said_in(text))]

    def may(text: str) -> bool:
        there = _levelled((text,))
        return any(all(mark in there for mark in marks) for marks in wanted) or any(
            mark in there for mark in named
        )

    return may


def _is_carried(claim: str, messages: Sequence[tuple[str, ...]]) -> bool:
    is_conditional = has_condition(claim)
    if _is_held(said_in(claim), messages, is_conditional=is_conditional, turns=_turns_in(claim)):
        return True
    parts = [(said, part) for part in _split(_CLAUSE_ENDS, claim) if (said := said_in(part)).weight]
    if len(parts) < 2 or any(said.weight < 2 for said, _ in parts):
        return False
    return all(
        _is_held(said, messages, is_conditional=is_conditional, turns=_turns_in(part)) for said, part in parts
    )


def _is_held(
    claim: Said, messages: Sequence[tuple[str, ...]], *, is_conditional: bool, turns: Turns | None
) -> bool:
    marks = _marks(claim)
    return any(
        _holds(stretch, claim)
        and _keeps_conditions(stretch, claim, is_conditional=is_conditional)
        and (turns is None or stretch.turns is None or turns == stretch.turns)
        for message in messages
        if all(mark in _levelled(message) for mark in marks)
        for stretch in _stretches(message)
    )


def _marks(claim: Said) -> list[str]:
    """Pieces that a message has somewhere that carries a claim: most messages are looked at no closer."""
    return [*claim.names, *map(mark_of, claim.words), *set(claim.runs)]


def _levelled(message: tuple[str, ...]) -> str:
    is_short = sum(map(len, message)) <= _LONGEST_REMEMBERED
    return _remembered_level(message) if is_short else _level_of(message)


def _level_of(message: tuple[str, ...]) -> str:
    return levelled(" ".join(message))


_LONGEST_REMEMBERED: Final = 4_000
_remembered_level: Final = lru_cache(maxsize=16_384)(_level_of)


class Stretch(msgspec.Struct, frozen=True):
    """A stretch of a message.

    Attributes:
        is_several: Whether it says several things, of which one has nothing to do with another's words.
        conditions: When it holds.
        others: Whom or what it is about, where that is not who says it, and not everything.
        turns: What turns round what holds, and what turns round when it does, where it says so.
    """

    said: Said
    is_several: bool
    conditions: tuple[Said, ...] = ()
    others: tuple[Said, ...] = ()
    turns: Turns | None = None


def _holds(whole: Stretch, claim: Said) -> bool:
    stretch = whole.said
    if claim.turns != stretch.turns or not claim.names <= stretch.names:
        return False
    stems = stretch.stems | stretch.bare if claim.left_behind else stretch.stems
    if not all(not stems.isdisjoint(word) for word in claim.words):
        return False
    if not (claim.left_behind <= stretch.begins_with and stretch.left_behind <= claim.begins_with):
        return False
    is_ordered = whole.is_several or claim.is_directed or stretch.is_directed
    if is_ordered and not (_follow(stretch.order, claim.order) or _follow_but_the_verb(stretch, claim)):
        return False
    if not all(_names(one, claim) for one in whole.others):
        return False
    least = _LEAST_PAIRS_OF_SEVERAL if whole.is_several else _LEAST_PAIRS
    return not claim.runs or _has_runs(stretch.runs, claim.runs, least)


def _names(other: Said, claim: Said) -> bool:
    """Whether a claim says whom, or what, a sentence is about."""
    is_named = not other.names.isdisjoint(claim.names) or any(
        not claim.stems.isdisjoint(word) for word in other.words
    )
    return (is_named or not (other.words or other.names)) and set(other.runs) <= set(claim.runs)


def _keeps_conditions(whole: Stretch, claim: Said, *, is_conditional: bool) -> bool:
    """Whether a claim says when it holds; one that names no condition must say more than that."""
    return all(
        _common_weight(condition, claim) >= max(not is_conditional, _OF_A_CONDITION * condition.weight)
        and (is_conditional or _common_weight(claim, condition) < claim.weight)
        for condition in whole.conditions
    )


def _turns_in(text: str) -> Turns | None:
    """What turns round what holds, and when; None where it holds always."""
    conditions = conditions_in(text)
    if not conditions:
        return None
    rest = reduce(lambda left, one: left.replace(one, " "), conditions, text.lower())
    return said_in(rest).turns, frozenset[str]().union(*(said_in(one).turns for one in conditions))


def _common_weight(of: Said, there: Said) -> int:
    """How much of what a stretch says stands in another."""
    words = sum(not there.stems.isdisjoint(word) for word in of.words)
    return len(of.names & there.names) + words + sum(one in there.runs for one in of.runs)


def _follow(there: Sequence[frozenset[str]], claimed: Sequence[frozenset[str]]) -> bool:
    """Whether words stand in a stretch in the order in which they are claimed."""
    rest = iter(there)
    return all(any(not word.isdisjoint(one) for one in rest) for word in claimed)


def _follow_but_the_verb(there: Said, claimed: Said) -> bool:
    """The same where a German or Dutch verb stands first in one, and last in the other."""
    if len(claimed.order) < 2 or not there.order:
        return False
    if not (there.left_behind or claimed.left_behind):
        last, first = claimed.order[-1], there.order[0]
        is_moved = max(last, key=len).endswith("en") and not max(first, key=len).endswith("en")
        return is_moved and not last.isdisjoint(first) and _follow(there.order, claimed.order[:-1])
    return _follow(there.order, claimed.order[1:]) or _follow(there.order, claimed.order[:-1])


def _has_runs(there: str, claimed: str, least: float) -> bool:
    if not set(claimed) <= set(there):
        return False
    pairs = [one + two for one, two in pairwise(claimed)]
    return not pairs or sum(pair in there for pair in pairs) >= least * len(pairs)


@lru_cache(maxsize=4_096)
def _stretches(paragraphs: tuple[str, ...]) -> tuple[Stretch, ...]:
    """The stretches of a message that may carry a claim: clauses, sentences, short runs of them, a short message whole."""
    found = list[Stretch]()
    for paragraph in paragraphs:
        sentences = _told_in(paragraph)
        for at, sentence in enumerate(sentences):
            clauses = list(_split(_CLAUSE_ENDS, sentence))
            found += (
                _stretch(one, (sentence,), is_several=len(clauses) > 1)
                for one in (sentence, *_turned_about(sentence))
            )
            found += (_stretch(clause, (sentence,)) for clause in clauses if len(clauses) > 1)
            ends = range(at + 2, min(at + _RUN, len(sentences)) + 1)
            found += _runs([sentences[at:end] for end in ends])
    sentences = [sentence for paragraph in paragraphs for sentence in _told_in(paragraph)]
    if len(paragraphs) > 1 and sum(map(len, sentences)) <= _WHOLE:
        found += _runs([sentences])
    return tuple(found)


def _turned_about(sentence: str) -> Iterator[str]:
    """A sentence with what it says of when or where it holds at its end, where that stands at its beginning."""
    head, comma, rest = sentence.partition(",")
    begins = next(iter(conditions_in(head)), "")
    if comma and ((begins and head.lower().startswith(begins)) or begins_with_a_place(f"{head},")):
        yield f"{rest} {head}"


def _runs(found: Iterable[Sequence[str]]) -> Iterator[Stretch]:
    """Sentences together, where none is turned round that another is not: of which it would be said is not to be told."""
    for sentences in found:
        if len({said_in(sentence).turns for sentence in sentences}) == 1:
            yield _stretch(" ".join(sentences), sentences, is_several=True)


def _stretch(text: str, sentences: Iterable[str], *, is_several: bool = False) -> Stretch:
    conditions = (said_in(one) for sentence in sentences for one in conditions_in(sentence))
    others = map(said_in, others_in(text))
    return Stretch(said_in(text), is_several, tuple(conditions), tuple(others), _turns_in(text))


def _told_in(paragraph: str) -> list[str]:
    """The sentences of a paragraph that a person says as theirs."""
    return [one for one in sentences_in(paragraph) if is_own_claim(one)]


def sentences_in(paragraph: str) -> list[str]:
    """The sentences of a paragraph."""
    return list(_split(_SENTENCE_ENDS, paragraph[:_MOST_CHARS]))


def _split(ends: "re.Pattern[str]", text: str) -> Iterator[str]:
    return (part.strip() for part in ends.split(text) if part and part.strip())


__all__ = ["carries", "near", "sentences_in"]
