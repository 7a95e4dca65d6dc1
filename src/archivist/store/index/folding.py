"""Characters outside ASCII, in the one form under which they are indexed and asked for.

Compatibility forms, case and accents are folded away (ＡＢＣ is abc, é is e, ß is ss, ı is i), and so are
the vowel points of Arabic and Hebrew and the digits of other scripts. Emoji and symbols come out between
spaces, each a word of its own, and a stretch of a script other than Latin is set off from what it was glued
to. What is neither letter, number, mark nor symbol becomes a space. ASCII is never touched.
"""

import re
import unicodedata
from functools import lru_cache

from archivist.records.patterns import late_pattern

UNSEGMENTED = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"  # kana
    "\u31f0-\u31ff\U0001b000-\U0001b16f"
    "\u3105-\u312f\u31a0-\u31bf\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0002f7ff\U0002fa20-\U0003ffff"  # Han
    "\uac00-\ud7a3"  # Hangul
    "\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ece\u0edc-\u0edf"  # Thai, Lao
    "\u0f40-\u0f84\u0f86-\u0fbc"  # Tibetan
    "\u1000-\u103f\u1050-\u108f\u109a-\u109d\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa76"  # Myanmar
    "\u1780-\u17d3\u17d7\u17dc\u17dd"  # Khmer
    "\u1980-\u19c9\u1a20-\u1a7c\uaa80-\uaadd\ua000-\ua48c\ua980-\ua9c0"  # Tai Lue, Tham, Viet; Yi; Javanese
)
"""Ranges, for a character class, of the scripts that are written without spaces between words.

Hangul is among them because its words take endings. Compatibility forms and single jamo are not: folding
turns them into these.
"""

_FOREIGN = late_pattern(f"[^\x00-\x7f{UNSEGMENTED}]+")
_UNSEGMENTED_START = late_pattern(f"[{UNSEGMENTED}]")
_VOICING = late_pattern("[\u3099\u309a]")
_DROPPED = late_pattern(
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"  # accents
    "|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]"  # Hebrew points
    "|[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]"  # Arabic
    "|[\u093c\u09bc\u0a3c]"  # nuktas, which are often left out
    "|[\u00ad\u034f\u061c\u180b-\u180f\u200d-\u200f\u202a-\u202e\u2060-\u206f]"  # invisible
    "|[\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
    "|(?<=[\u0900-\u0dff])\u200c"
)
_ENCLOSED = late_pattern("([\u2460-\u24ff\u2776-\u2793\U0001f100-\U0001f1e5])|[\u2120\u2122\ue000]")  # ①, ™
_WORDLESS = late_pattern(
    "[\u2044\u2500-\u259f\u2800-\u28ff\ufff0-\uffff\U0001fffe\U0001ffff]"
)  # boxes, bars, braille
_PICTURE = late_pattern("[\u2776-\u2793\U0001f000-\U0001fbff]")  # also pictures that Python does not know yet
_SHORT_I = "\ue000"  # stands for й, a letter of its own, while accents are taken off
_SPELLINGS = {"ı": "i", "ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe"}
_KEYBOARDS = {
    "\u06a9": "\u0643",
    "\u06cc": "\u064a",
    "\u0649": "\u064a",
    "\u0629": "\u0647",
}  # Persian, Arabic
_WORD_CATEGORIES = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "No", "Cn"})
_SYMBOL_CATEGORIES = frozenset({"So", "Sc", "Sm"})
_GLUED = late_pattern("(?<=[0-9a-z])(?=[^\x00-\u036f])|(?<=[^\x00-\u036f])(?=[0-9a-z])")
_OTHER_SCRIPT = "\u0370"
"""Letters from here on, once folded, are not Latin."""
_CACHED_LENGTH = 32
_LONG_WORD = late_pattern(r"(\S{256})")  # FTS5 cuts a word at 32 KiB, perhaps within a character


def fold(text: str) -> str:
    """The text with every stretch of characters outside ASCII folded; lone surrogates become spaces."""
    if _VOICING.search(text):
        text = unicodedata.normalize("NFC", text)
    return _FOREIGN.sub(_folded_match, text)


def _folded_match(found: re.Match[str]) -> str:
    run = found[0]
    if len(run) <= _CACHED_LENGTH:
        return _fold_cached(run)
    return _LONG_WORD.sub(r"\1 ", _fold_run(run))


def _fold_run(run: str) -> str:
    """A stretch without ASCII and without scripts that need no folding."""
    run = unicodedata.normalize("NFC", _ENCLOSED.sub(r" \1 ", run))
    run = run.replace("й", _SHORT_I).replace("Й", _SHORT_I)
    run = unicodedata.normalize("NFKD", run).casefold()
    run = unicodedata.normalize("NFKC", _DROPPED.sub("", run)).translate(_CHARACTERS)
    run = _GLUED.sub(" ", run)
    before = " " if _is_other_script(run[:1]) else ""
    after = " " if _is_other_script(run[-1:]) else ""
    return f"{before}{run}{after}"


def _is_other_script(character: str) -> bool:
    return character >= _OTHER_SCRIPT and not _UNSEGMENTED_START.match(character)


def _folded_character(character: str) -> str:
    """What a character, case and accents folded away, is in the index."""
    if character.isascii():
        return character
    category = unicodedata.category(character)
    if _WORDLESS.match(character) or category not in _WORD_CATEGORIES | _SYMBOL_CATEGORIES:
        return " "
    if category in _SYMBOL_CATEGORIES or _PICTURE.match(character):
        return f" {character} "
    digit = unicodedata.decimal(character, None)
    return character if digit is None else str(digit)


class _Characters(dict[int, str]):
    """Each character met so far and what it becomes; there are too many to list, and few are met."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _folded_character(chr(code))
        return folded


_CHARACTERS = _Characters(
    {ord(letter): folded for letter, folded in (_SPELLINGS | _KEYBOARDS | {_SHORT_I: "й"}).items()}
)
_fold_cached = lru_cache(maxsize=8192)(_fold_run)
