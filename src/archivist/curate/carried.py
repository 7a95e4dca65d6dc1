"""Whether a person's own words carry what is to be noted: claim by claim, every word that says something, and each "not".

A claim is carried by a sentence of theirs, or by a short run of sentences of one message, that has all of its words that mean something:
names, numbers, paths and addresses to the letter, other words in any of their endings. What only frames a statement ("the user prefers …")
may be there or not. Where there are no spaces between words, characters and pairs of them stand for words.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

import msgspec

from archivist.curate.frame_words import (
    DIRECTIONS,
    DISLIKES,
    ENDINGS,
    ENDINGS_HANGUL,
    FRAMES,
    FRAMES_HANGUL,
    FRAMES_UNSEGMENTED,
    INSTEAD,
    MOVABLE,
    NEGATIONS,
    NEGATIONS_HANGUL,
    NEGATIONS_UNSEGMENTED,
    WITHOUT,
)
from archivist.curate.stances import conditions_in, has_condition, is_own_claim
from archivist.records.patterns import late_pattern
from archivist.store.index.folding import UNSEGMENTED

_SENTENCE_ENDS: Final = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；!?])|[\n\r]+|(?<=[؟।॥])\s*")
_CLAUSE_ENDS: Final = re.compile(
    r"[,،，、:：]\s*|\s[-–—]\s|\s*[()（）]\s*|\b(?:and|but|while|y|e|et|mais|und|aber|i|a|ale|en|maar|и|а|но|ve|ama|dan|tapi|và"
    r"|nhưng)\s|(?<=\S)(?:并且|而且|以及|但是|但|和|そして|また|が、|그리고|하지만)"
)
_SIGNS: Final = (
    "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0955-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd"
    "\u0a3c-\u0a51\u0abc-\u0acd\u0b3c-\u0b57\u0bbe-\u0bcd\u0c3e-\u0c56\u0cbc-\u0cd6\u0d3b-\u0d4d\u200c"
)
"""Signs that belong to the letter before them."""
_TOKEN: Final = late_pattern(
    rf"[a-z][a-z0-9+.-]*://[^\s<>\"'”’）)]+|[\w.+%-]{{1,64}}@[\w-]{{1,63}}(?:\.[\w-]+)+"
    rf"|[~./\\]{{0,16}}[\w@-]{{1,64}}(?:[/\\][\w.@~*-]+)+/?|--?[a-z][\w-]*"
    rf"|[a-z_]\w*(?:[._-]\w+)+|[#$@]?\d+(?:[.,:/-]\d+)*%?|[\uac00-\ud7a3]+|(?:(?![\uac00-\ud7a3])[{UNSEGMENTED}])+"
    rf"|(?:[^\W_{UNSEGMENTED}]|(?<=\w)[{_SIGNS}])(?:[^\W_{UNSEGMENTED}]|[{_SIGNS}])*(?:['’](?:[^\W\d_]|[{_SIGNS}])+)?",
)
_RUN_START: Final = late_pattern(f"(?![\uac00-\ud7a3])[{UNSEGMENTED}]")
_HANGUL: Final = late_pattern("[\uac00-\ud7a3]")
_RATHER: Final = re.compile(
    r"\brather( .{1,80}?)? than\b|\bplutôt( .{1,80}?)? que\b|\b(?:lieber|eher)( .{1,80}?)? als\b|\bliever( .{1,80}?)? dan\b"
    r"|\bpiuttosto( .{1,80}?)? che\b|\b(?<=prefer )(.{1,80}?) to\b"
)
"""Of two things the one that is wanted, where the words for that stand around it."""
_IS_NAME: Final = re.compile(r"[\d_./\\@:#$%-]")
_MOST_CHARS: Final = 20_000
_WHOLE: Final = 400
"""Characters of a message that says one thing."""
_LEAST_STEM: Final = 3
_RUN: Final = 3
"""Sentences in a row that carry a claim together."""
_LEAST_PAIRS: Final = 0.6
"""Of the pairs of characters of a claim that a sentence must have; all of its characters it must have anyway."""
_LEAST_PAIRS_OF_SEVERAL: Final = 0.9
"""The same where it says several things."""
_OF_A_CONDITION: Final = 0.5
"""Of what says when a sentence holds, what a claim must have that names no condition."""


class Said(msgspec.Struct, frozen=True):
    """What a stretch of text says, for comparison.

    Attributes:
        names: What must be there to the letter.
        words: By its stems, each other word.
        order: Names and words as they follow one another, without those that may stand anywhere.
        runs: Characters of scripts without spaces.
        turns: What in it turns it round: a "not", a "without", an "instead".
        is_directed: Whether things in it are not to be exchanged, as those before and after a "than".
    """

    names: frozenset[str]
    words: tuple[frozenset[str], ...]
    stems: frozenset[str]
    runs: str
    turns: frozenset[str] = frozenset()
    order: tuple[frozenset[str], ...] = ()
    is_directed: bool = False

    @property
    def weight(self) -> int:
        """How much there is of it that means something."""
        return len(self.names) + len(self.words) + len(self.runs)


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
    if _is_held(said_in(claim), messages, is_conditional=is_conditional):
        return True
    parts = [said for part in _split(_CLAUSE_ENDS, claim) if (said := said_in(part)).weight]
    if len(parts) < 2 or any(part.weight < 2 for part in parts):
        return False
    return all(_is_held(part, messages, is_conditional=is_conditional) for part in parts)


def _is_held(claim: Said, messages: Sequence[tuple[str, ...]], *, is_conditional: bool) -> bool:
    marks = _marks(claim)
    return any(
        _holds(stretch, claim) and (is_conditional or _keeps_conditions(stretch, claim))
        for message in messages
        if all(mark in _levelled(message) for mark in marks)
        for stretch in _stretches(message)
    )


def _marks(claim: Said) -> list[str]:
    """Pieces that a message has somewhere that carries a claim: most messages are looked at no closer."""
    return [*claim.names, *map(beginning_of, claim.words), *set(claim.runs)]


def beginning_of(word: frozenset[str]) -> str:
    """What all stems of a word begin with."""
    first, last = min(word), max(word)
    return first[
        : next((at for at, (one, two) in enumerate(zip(first, last, strict=False)) if one != two), len(first))
    ]


def _levelled(message: tuple[str, ...]) -> str:
    is_short = sum(map(len, message)) <= _LONGEST_REMEMBERED
    return _remembered_level(message) if is_short else _level_of(message)


def _level_of(message: tuple[str, ...]) -> str:
    return _unaccented(unicodedata.normalize("NFKC", " ".join(message)).casefold())


_LONGEST_REMEMBERED: Final = 4_000
_remembered_level: Final = lru_cache(maxsize=16_384)(_level_of)


class Stretch(msgspec.Struct, frozen=True):
    """A stretch of a message.

    Attributes:
        is_several: Whether it says several things, of which one has nothing to do with another's words.
        conditions: When it holds.
    """

    said: Said
    is_several: bool
    conditions: tuple[Said, ...] = ()


def _holds(whole: Stretch, claim: Said) -> bool:
    stretch = whole.said
    if claim.turns != stretch.turns or not claim.names <= stretch.names:
        return False
    if not all(not stretch.stems.isdisjoint(word) for word in claim.words):
        return False
    is_ordered = whole.is_several or claim.is_directed or stretch.is_directed
    if is_ordered and not _follow(stretch.order, claim.order):
        return False
    least = _LEAST_PAIRS_OF_SEVERAL if whole.is_several else _LEAST_PAIRS
    return not claim.runs or _has_runs(stretch.runs, claim.runs, least)


def _keeps_conditions(whole: Stretch, claim: Said) -> bool:
    """Whether a claim that names no condition still says when it holds, and more than that."""
    return all(
        _common_weight(condition, claim) >= max(1, _OF_A_CONDITION * condition.weight)
        and _common_weight(claim, condition) < claim.weight
        for condition in whole.conditions
    )


def _common_weight(of: Said, there: Said) -> int:
    """How much of what a stretch says stands in another."""
    words = sum(not there.stems.isdisjoint(word) for word in of.words)
    return len(of.names & there.names) + words + sum(one in there.runs for one in of.runs)


def _follow(there: Sequence[frozenset[str]], claimed: Sequence[frozenset[str]]) -> bool:
    """Whether words stand in a stretch in the order in which they are claimed."""
    rest = iter(there)
    return all(any(not word.isdisjoint(one) for one in rest) for word in claimed)


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
            found.append(_stretch(sentence, (sentence,), is_several=len(clauses) > 1))
            found += (_stretch(clause, (sentence,)) for clause in clauses if len(clauses) > 1)
            ends = range(at + 2, min(at + _RUN, len(sentences)) + 1)
            found += _runs([sentences[at:end] for end in ends])
    sentences = [sentence for paragraph in paragraphs for sentence in _told_in(paragraph)]
    if len(paragraphs) > 1 and sum(map(len, sentences)) <= _WHOLE:
        found += _runs([sentences])
    return tuple(found)


def _runs(found: Iterable[Sequence[str]]) -> Iterator[Stretch]:
    """Sentences together, where none is turned round that another is not: of which it would be said is not to be told."""
    for sentences in found:
        if len({said_in(sentence).turns for sentence in sentences}) == 1:
            yield _stretch(" ".join(sentences), sentences, is_several=True)


def _stretch(text: str, sentences: Iterable[str], *, is_several: bool = False) -> Stretch:
    conditions = (said_in(one) for sentence in sentences for one in conditions_in(sentence))
    return Stretch(said_in(text), is_several, tuple(conditions))


def _told_in(paragraph: str) -> list[str]:
    """The sentences of a paragraph that a person says as theirs."""
    return [one for one in sentences_in(paragraph) if is_own_claim(one)]


def sentences_in(paragraph: str) -> list[str]:
    """The sentences of a paragraph."""
    return list(_split(_SENTENCE_ENDS, paragraph[:_MOST_CHARS]))


def _split(ends: "re.Pattern[str]", text: str) -> Iterator[str]:
    return (part.strip() for part in ends.split(text) if part and part.strip())


@lru_cache(maxsize=8_192)
def said_in(text: str) -> Said:
    """What a stretch of text says, its frame left out."""
    low = _RATHER.sub(_of_two, unicodedata.normalize("NFKC", text).casefold())
    names, words, runs = set[str](), list[frozenset[str]](), ""
    order, turns, is_directed = list[frozenset[str]](), set[str](), False
    for token in _TOKEN.findall(low):
        if token.endswith(("n't", "n’t")) or token.startswith(("n'", "n’")):
            turns.add("not")
        word = _uncontracted(token.strip(".,:;!?'\"’-–—").rstrip("/"))
        turns.update(filter(None, [_turn_of(word)]))
        is_directed |= word in DIRECTIONS
        if _RUN_START.match(word):
            runs += _without(FRAMES_UNSEGMENTED, _without(NEGATIONS_UNSEGMENTED, word))
        elif word.isascii() and _IS_NAME.search(word):
            names.add(word)
            order.append(frozenset({word}))
        elif word and not _frames(word):
            words.append(stems_of(word))
            order += [] if word in MOVABLE else [words[-1]]
    return Said(
        frozenset(names),
        tuple(words),
        frozenset().union(*words),
        runs,
        frozenset(turns),
        tuple(order),
        is_directed,
    )


def _of_two(found: "re.Match[str]") -> str:
    return f"{next(filter(None, found.groups()), '')} instead"


def _turn_of(word: str) -> str:
    """How a word turns a statement round; empty where it does not."""
    if word in INSTEAD:
        return "instead"
    if word in WITHOUT:
        return "without"
    pieces = (
        NEGATIONS_HANGUL if _HANGUL.match(word) else NEGATIONS_UNSEGMENTED if _RUN_START.match(word) else ()
    )
    return "not" if word in NEGATIONS or word in DISLIKES or any(one in word for one in pieces) else ""


def _frames(word: str) -> bool:
    """Whether a word only frames a statement; whether it is turned round is told elsewhere."""
    return (
        word in FRAMES
        or word in FRAMES_HANGUL
        or bool(_turn_of(word))
        or any(len(stem) > _LEAST_STEM and stem in FRAMES for stem in stems_of(word))
    )


def _uncontracted(word: str) -> str:
    """The word in what an apostrophe joins: behind l', j' or qu', before 's."""
    first, mark, second = word.replace("’", "'").partition("'")
    if not mark or not first.isalpha():
        return word
    if first.endswith("n") and second == "t":
        return _FULL.get(first, first[:-1])
    return second if first in _ELIDED else first


_ELIDED: Final = frozenset("l d j m t s c n qu un dell all nell sull dall quell".split())
_FULL: Final = {"can": "can", "won": "will", "shan": "shall"}


def _without(pieces: Sequence[str], run: str) -> str:
    for piece in pieces:
        if piece in run:
            run = run.replace(piece, "")
    return run


@lru_cache(maxsize=16_384)
def stems_of(word: str) -> frozenset[str]:
    """A word without each ending that it may have."""
    bare = _unaccented(word)
    found = {bare}
    is_hangul = bool(_HANGUL.match(bare))
    for ending in ENDINGS_HANGUL if is_hangul else _bare_endings():
        if bare.endswith(ending) and len(bare) - len(ending) >= (1 if is_hangul else _LEAST_STEM):
            stem = bare[: -len(ending)]
            found.add(stem)
            if len(stem) > _LEAST_STEM and stem[-1] == stem[-2]:
                found.add(stem[:-1])
    if bare[0] in "أايتنن" and len(bare) > _LEAST_STEM:
        found.add(bare[1:])  # of Arabic verbs
    if bare.endswith("oes"):
        found.add(bare[:-2])
    if bare.endswith("ies") and len(bare) > 4:
        found.add(f"{bare[:-3]}y")
    return frozenset(found)


@lru_cache(maxsize=1)
def _bare_endings() -> frozenset[str]:
    return frozenset(map(_unaccented, ENDINGS))


def _unaccented(word: str) -> str:
    """A Latin, Greek or Cyrillic word without its accents; signs that make up a letter of another script stay."""
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFD", word)
    return unicodedata.normalize(
        "NFC", "".join(letter for letter in parts if not "\u0300" <= letter <= "\u036f")
    )


__all__ = ["Said", "beginning_of", "carries", "near", "said_in", "sentences_in", "stems_of"]
