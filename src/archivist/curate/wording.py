"""What a stretch of text says, for comparison: what must be there to the letter, other words by their stems, and what turns it round.

Where there are no spaces between words, characters stand for words. What only frames a statement ("the user prefers …") is left out.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

import msgspec

from archivist.curate.frame_words import (
    DIRECTIONS,
    DISLIKES,
    DOUBTS,
    DOUBTS_UNSEGMENTED,
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
    PARTICLES,
    SAME_VERB,
    SELDOM,
    SELDOM_UNSEGMENTED,
    WITHOUT,
)
from archivist.records.patterns import late_pattern
from archivist.store.index.folding import UNSEGMENTED

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
_LEAST_STEM: Final = 3


class Said(msgspec.Struct, frozen=True):
    """What a stretch of text says, for comparison.

    Attributes:
        names: What must be there to the letter.
        words: By its stems, each other word.
        order: Names and words as they follow one another, without those that may stand anywhere.
        runs: Characters of scripts without spaces.
        turns: What in it turns it round: a "not", a "without", an "instead".
        is_directed: Whether things in it are not to be exchanged, as those before and after a "than".
        left_behind: What verbs of it have left at the end of their clauses, as the "ab" of "schalte es ab".
        begins_with: What its verbs, and other words, may begin with or have left there.
        bare: Its words without that.
    """

    names: frozenset[str]
    words: tuple[frozenset[str], ...]
    stems: frozenset[str]
    runs: str
    turns: frozenset[str] = frozenset()
    order: tuple[frozenset[str], ...] = ()
    is_directed: bool = False
    left_behind: frozenset[str] = frozenset()
    begins_with: frozenset[str] = frozenset()
    bare: frozenset[str] = frozenset()

    @property
    def weight(self) -> int:
        """How much there is of it that means something."""
        return len(self.names) + len(self.words) + len(self.runs)


@lru_cache(maxsize=8_192)
def said_in(text: str) -> Said:
    """What a stretch of text says, its frame left out."""
    low = _RATHER.sub(_of_two, unicodedata.normalize("NFKC", text).casefold())
    heard = _Heard(sorted({found[0] for found in _LEFT_BEHIND.finditer(low)}))
    for token in _TOKEN.findall(low):
        heard.take(token)
    return heard.said()


class _Heard:
    """What was heard of a stretch so far, token by token.

    Args:
        left_behind: What verbs of it have left at the end of their clauses.
    """

    def __init__(self, left_behind: Sequence[str]) -> None:
        self._left_behind = left_behind
        self._names, self._turns, self._runs = set[str](), set[str](), ""
        self._words, self._order = list[frozenset[str]](), list[frozenset[str]]()
        self._is_directed = False

    def take(self, token: str) -> None:
        """Hear a token."""
        if token.endswith(("n't", "n’t")) or token.startswith(("n'", "n’")):
            self._turns.add("not")
        word = _uncontracted(token.strip(".,:;!?'\"’-–—").rstrip("/"))
        self._turns.update(filter(None, [_turn_of(word)]))
        self._is_directed |= word in DIRECTIONS
        if _RUN_START.match(word):
            self._runs += _ENDINGS_OF_KANA.sub("", _without(_DROPPED_FROM_RUNS, word))
        elif word.isascii() and _IS_NAME.search(word):
            self._names.add(word)
            self._order.append(frozenset({word}))
        elif word and not _frames(word) and word not in self._left_behind:
            self._take_word(word)

    def _take_word(self, word: str) -> None:
        stems = stems_of(word)
        self._words.append(stems)
        if word not in MOVABLE:
            self._order.append(stems)

    def said(self) -> Said:
        """All of it; what was left behind belongs to each word that it may have been left by."""
        words, left_behind = self._words, frozenset(self._left_behind)
        whole = frozenset(one + stem for word in words for one in left_behind for stem in word)
        parted = [_parted(word) for word in words]
        return Said(
            names=frozenset(self._names),
            words=tuple(words),
            stems=frozenset().union(whole, *words),
            runs=self._runs,
            turns=frozenset(self._turns),
            order=tuple(self._order),
            is_directed=self._is_directed,
            left_behind=left_behind,
            begins_with=left_behind.union(*(begins for begins, _ in parted)),
            bare=frozenset().union(*(bare for _, bare in parted)),
        )


@lru_cache(maxsize=16_384)
def _parted(word: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """What a word may begin with that a verb leaves at the end of its clause, and what it is without that."""
    begins = frozenset(one for one in PARTICLES if any(stem.startswith(one) for stem in word))
    rests = (stem.removeprefix(one) for one in begins for stem in word)
    return begins, frozenset(rest for rest in rests if len(rest) >= _LEAST_STEM) - word


def _of_two(found: "re.Match[str]") -> str:
    return f"{next(filter(None, found.groups()), '')} instead"


def _turn_of(word: str) -> str:
    """How a word turns a statement round; empty where it does not."""
    if _HANGUL.match(word) and any(one in word for one in NEGATIONS_HANGUL):
        return "not"
    return _TURNS.get(word, "") or (_turn_of_run(word) if _RUN_START.match(word) else "")


_TURNS: Final = {
    **dict.fromkeys(NEGATIONS | DISLIKES, "not"),
    **dict.fromkeys(SELDOM, "seldom"),
    **dict.fromkeys(DOUBTS, "maybe"),
    **dict.fromkeys(WITHOUT, "without"),
    **dict.fromkeys(INSTEAD, "instead"),
    "off": "off",
}


def _turn_of_run(run: str) -> str:
    if any(one in run for one in NEGATIONS_UNSEGMENTED) or _PROHIBITS.search(run):
        return "not"
    if any(one in run for one in DOUBTS_UNSEGMENTED) or _MAY_BE.search(run):
        return "maybe"
    return "seldom" if any(one in run for one in SELDOM_UNSEGMENTED) else ""


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


_DROPPED_FROM_RUNS: Final = (*NEGATIONS_UNSEGMENTED, *FRAMES_UNSEGMENTED)
_PROHIBITS: Final = late_pattern(r"(?<!よ)[うくすつぬむるぐぶ]なよ?\Z")
"""The "な" of a Japanese prohibition."""
_MAY_BE: Final = late_pattern(r"(?<![尽儘])可能(?![性])")
_ENDINGS_OF_KANA: Final = late_pattern(r"(?<=[\u4e00-\u9fff\u3005])[\u3041-\u3096]+")
"""How a Japanese verb or adjective ends, politely or plainly."""
_LEFT_BEHIND: Final = late_pattern(
    rf"(?<=\w )(?:{'|'.join(PARTICLES)})(?=[ \t]*(?:[.,;:!?)\n]|\Z)| (?:und|oder|en|of) )"
)


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
    if bare.startswith("و") and len(bare) > _LEAST_STEM + 1:
        found |= stems_of(bare[1:])  # "and"
    if bare.endswith("oes"):
        found.add(bare[:-2])
    if bare.endswith("ies") and len(bare) > 4:
        found.add(f"{bare[:-3]}y")
    found |= set(_other_forms(bare, found))
    return frozenset(found)


def _other_forms(bare: str, stems: Iterable[str]) -> Iterator[str]:
    """What a word is in forms that its endings do not tell: "nimmt" of "nehmen", "abgeschaltet" of "abschalten"."""
    for particle in (one for one in PARTICLES if bare.startswith(one)):
        rest = bare[len(particle) :]
        if rest.startswith(("ge", "zu")) and len(rest) > _LEAST_STEM + 2:
            yield from (f"{particle}{stem}" for stem in stems_of(rest[2:]))
        if rest:
            yield from (f"{particle}{_FORMS[stem]}" for stem in stems_of(rest) if stem in _FORMS)
    yield from (_FORMS[stem] for stem in (bare, *stems) if stem in _FORMS)


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


_FORMS: Final = {_unaccented(one): _unaccented(other) for one, other in SAME_VERB.items()}


def pairs_of(run: str) -> set[str]:
    """The pairs of characters of a run; of a single one, that."""
    return {one + two for one, two in pairwise(run)} or set(run)


def beginning_of(word: frozenset[str]) -> str:
    """What all stems of a word begin with."""
    first, last = min(word), max(word)
    return first[
        : next((at for at, (one, two) in enumerate(zip(first, last, strict=False)) if one != two), len(first))
    ]


def mark_of(word: frozenset[str]) -> str:
    """What a text has somewhere that has a word: a verb may have left its beginning at the end."""
    begins = beginning_of(word)
    particle = next((one for one in PARTICLES if begins.startswith(one)), "")
    return begins.removeprefix(particle)


def levelled(text: str) -> str:
    """A text as its words are compared: in small letters, without accents."""
    return _unaccented(unicodedata.normalize("NFKC", text).casefold())


__all__ = ["Said", "beginning_of", "levelled", "mark_of", "pairs_of", "said_in", "stems_of"]
