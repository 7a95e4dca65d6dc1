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
    DISLIKES,
    ENDINGS,
    ENDINGS_HANGUL,
    FRAMES,
    FRAMES_HANGUL,
    FRAMES_UNSEGMENTED,
    MOVABLE,
    NEGATIONS,
    NEGATIONS_HANGUL,
    NEGATIONS_UNSEGMENTED,
)
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
    rf"[a-z][a-z0-9+.-]*://[^\s<>\"'”’）)]+|[\w.+%-]+@[\w-]+(?:\.[\w-]+)+|[~./\\]*[\w@-]+(?:[/\\][\w.@~*-]+)+/?|--?[a-z][\w-]*"
    rf"|[a-z_]\w*(?:[._-]\w+)+|[#$@]?\d+(?:[.,:/-]\d+)*%?|[\uac00-\ud7a3]+|(?:(?![\uac00-\ud7a3])[{UNSEGMENTED}])+"
    rf"|(?:[^\W_{UNSEGMENTED}]|(?<=\w)[{_SIGNS}])(?:[^\W_{UNSEGMENTED}]|[{_SIGNS}])*(?:['’](?:[^\W\d_]|[{_SIGNS}])+)?",
)
_RUN_START: Final = late_pattern(f"(?![\uac00-\ud7a3])[{UNSEGMENTED}]")
_HANGUL: Final = late_pattern("[\uac00-\ud7a3]")
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
_ASKED_TO_KEEP: Final = late_pattern(
    r"\b(?:can|could|would|will) you\b.{0,40}\b(?:remember|note|save|store|keep|memori[sz]e|add|write|put|forget|remove|delete|change"
    r"|update|use)\b|\b(?:puedes|podrías|peux-tu|pouvez-vous|pourrais-tu|kannst du|können sie|könntest du|pode|puoi|potresti|możesz"
    r"|kun je|можешь|можете)\b|能不能|可以.{0,6}(?:记|改|删)|くれますか|もらえますか|ください|해 ?줄래|해 ?주",
    re.IGNORECASE,
)


class Said(msgspec.Struct, frozen=True):
    """What a stretch of text says, for comparison.

    Attributes:
        names: What must be there to the letter.
        words: By its stems, each other word.
        order: Names and words as they follow one another, without those that may stand anywhere.
        runs: Characters of scripts without spaces.
        is_negated: Whether a "not" is in it.
    """

    names: frozenset[str]
    words: tuple[frozenset[str], ...]
    stems: frozenset[str]
    runs: str
    is_negated: bool
    order: tuple[frozenset[str], ...] = ()

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
    if _is_held(said_in(claim), messages):
        return True
    parts = [said for part in _split(_CLAUSE_ENDS, claim) if (said := said_in(part)).weight]
    if len(parts) < 2 or any(part.weight < 2 for part in parts):
        return False
    return all(_is_held(part, messages) for part in parts)


def _is_held(claim: Said, messages: Sequence[tuple[str, ...]]) -> bool:
    marks = _marks(claim)
    return any(
        _holds(stretch, claim)
        for message in messages
        if all(mark in _levelled(message) for mark in marks)
        for stretch in _stretches(message)
    )


def _marks(claim: Said) -> list[str]:
    """Pieces that a message has somewhere that carries a claim: most messages are looked at no closer."""
    return [*claim.names, *(min(word, key=len) for word in claim.words), *set(claim.runs)]


@lru_cache(maxsize=16_384)
def _levelled(message: tuple[str, ...]) -> str:
    return _unaccented(unicodedata.normalize("NFKC", " ".join(message)).casefold())


class Stretch(msgspec.Struct, frozen=True):
    """A stretch of a message.

    Attributes:
        is_several: Whether it says several things, of which one has nothing to do with another's words.
    """

    said: Said
    is_several: bool


def _holds(whole: Stretch, claim: Said) -> bool:
    stretch = whole.said
    if claim.is_negated != stretch.is_negated or not claim.names <= stretch.names:
        return False
    if not all(not stretch.stems.isdisjoint(word) for word in claim.words):
        return False
    if whole.is_several and not _follow(stretch.order, claim.order):
        return False
    least = _LEAST_PAIRS_OF_SEVERAL if whole.is_several else _LEAST_PAIRS
    return not claim.runs or _has_runs(stretch.runs, claim.runs, least)


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
        sentences = _told_in(paragraph[:_MOST_CHARS])
        for at, sentence in enumerate(sentences):
            clauses = list(_split(_CLAUSE_ENDS, sentence))
            found.append(Stretch(said_in(sentence), len(clauses) > 1))
            found += (Stretch(said_in(clause), is_several=False) for clause in clauses if len(clauses) > 1)
            ends = range(at + 2, min(at + _RUN, len(sentences)) + 1)
            found += (Stretch(said_in(" ".join(sentences[at:end])), is_several=True) for end in ends)
    whole = " ".join(sentence for paragraph in paragraphs for sentence in _told_in(paragraph))
    if len(paragraphs) > 1 and len(whole) <= _WHOLE:
        found.append(Stretch(said_in(whole), is_several=True))
    return tuple(found)


def _told_in(paragraph: str) -> list[str]:
    return [one for one in _split(_SENTENCE_ENDS, paragraph) if not _only_asks(one)]


def _only_asks(sentence: str) -> bool:
    """Whether a sentence asks something, and not to keep it in mind."""
    return sentence.rstrip("\"'”’)").endswith(("?", "？", "؟")) and not _ASKED_TO_KEEP.search(sentence)


def _split(ends: "re.Pattern[str]", text: str) -> Iterator[str]:
    return (part.strip() for part in ends.split(text) if part and part.strip())


@lru_cache(maxsize=8_192)
def said_in(text: str) -> Said:
    """What a stretch of text says, its frame left out."""
    low = unicodedata.normalize("NFKC", text).casefold()
    names, words, runs, order, is_negated = (
        set[str](),
        list[frozenset[str]](),
        "",
        list[frozenset[str]](),
        False,
    )
    for token in _TOKEN.findall(low):
        is_negated |= token.endswith(("n't", "n’t")) or token.startswith(("n'", "n’")) or _turns_round(token)
        word = _uncontracted(token.strip(".,:;!?'\"’-–—").rstrip("/"))
        if _RUN_START.match(word):
            runs += _without(FRAMES_UNSEGMENTED, _without(NEGATIONS_UNSEGMENTED, word))
        elif word.isascii() and _IS_NAME.search(word):
            names.add(word)
            order.append(frozenset({word}))
        elif word and not _frames(word):
            words.append(stems_of(word))
            order += [] if word in MOVABLE else [words[-1]]
    return Said(frozenset(names), tuple(words), frozenset().union(*words), runs, is_negated, tuple(order))


def _turns_round(word: str) -> bool:
    """Whether a word is a "not", or has one in it."""
    if _HANGUL.match(word):
        return any(one in word for one in NEGATIONS_HANGUL)
    if _RUN_START.match(word):
        return any(one in word for one in NEGATIONS_UNSEGMENTED)
    return word in NEGATIONS or word in DISLIKES


def _frames(word: str) -> bool:
    """Whether a word only frames a statement; whether it is turned round is told elsewhere."""
    return (
        word in FRAMES or word in FRAMES_HANGUL or _turns_round(word) or not FRAMES.isdisjoint(stems_of(word))
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


__all__ = ["Said", "carries", "near", "said_in", "stems_of"]
