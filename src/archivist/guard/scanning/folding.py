"""A text as the frames read it: without accents, capitals, look-alike forms, and what cannot be seen.

`Folded` keeps the way back, so that a place in the folded text is a place in the original.
"""

from bisect import bisect_right
from functools import lru_cache
from unicodedata import category, normalize

import msgspec

from archivist.records.patterns import late_pattern

_KEPT_MARKS = late_pattern("[\u0900-\u109f\u1780-\u17ff\u3099\u309a]")
"""Marks that are letters of their script: vowels of Indic and South-East Asian ones, sounds of kana."""
_WHOLE = late_pattern("[\u3040-\u30ff\uac00-\ud7a3]")
"""What would fall apart when its marks are taken off: kana and Hangul."""
_ALIKE = str.maketrans("أإآٱىیکۀۂئؤھہة", "ااااييكههيوههه")
_FEW = 10
"""Characters up to which it is quicker to replace one after another."""
_SPECIAL = {
    "ı": "i", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ə": "e",
    "ё": "е", "ґ": "г", "ـ": "", "’": "'", "‘": "'", "ʼ": "'", "´": "'", "‚": ",", "“": '"', "”": '"', "„": '"',
    "«": '"', "»": '"', "「": '"', "」": '"', "『": '"', "』": '"', "。": ".", "،": ",", "؛": ";", "؟": "?", "।": ".",
    "、": ",", "《": '"', "》": '"', "‹": '"', "›": '"', "：": ":", "–": "-", "—": ",", "ﷲ": "الله",
    "\u0e33": "\u0e4d\u0e32", "\u0eb3": "\u0ecd\u0eb2",
}  # fmt: skip
_INVISIBLE = frozenset(
    map(
        chr,
        (
            *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0),
            *range(0x180B, 0x1810),
            *range(0x200B, 0x2010),
            *range(0x202A, 0x202F),
            *range(0x2060, 0x2070),
            *range(0xFE00, 0xFE10),
            *range(0xE0000, 0xE1000),
        ),
    )
)


class Folded(msgspec.Struct, frozen=True):
    """The folded text; `shifts` say how far it is behind the original, each from the place in `places` on."""

    text: str
    places: tuple[int, ...] = ()
    shifts: tuple[int, ...] = ()

    def original(self, place: int) -> int:
        """Where in the original a place of the folded text stands."""
        at = bisect_right(self.places, place) - 1
        return place + self.shifts[at] if at >= 0 else place


def fold(text: str) -> Folded:
    """The folded text, with the way back."""
    if text.isascii():
        return Folded(text.lower())
    low = text.replace("İ", "i").lower()
    forms = {character: form for character in set(low) if (form := fold_character(character)) != character}
    plain = _translated(low, forms)
    uneven = {character: form for character, form in forms.items() if len(form) != 1}
    return Folded(plain, *_way_back(low, uneven)) if uneven else Folded(plain)


def _translated(low: str, forms: dict[str, str]) -> str:
    if len(forms) > _FEW or not forms.keys().isdisjoint("".join(forms.values())):
        return low.translate({ord(character): forms.get(character, character) for character in set(low)})
    for character, form in forms.items():
        low = low.replace(character, form)
    return low


def fold_words(text: str) -> str:
    """The folded text of what nobody asks the way back of."""
    low = text.replace("İ", "i").lower()
    return low.translate({ord(character): fold_character(character) for character in set(low)})


@lru_cache(4096)
def fold_character(character: str) -> str:
    """What one lower-case character is read as: nothing, itself, or a few others."""
    if character < "\x80" or "\u4e00" <= character <= "\u9fff" or "\uac00" <= character <= "\ud7a3":
        return character  # ASCII, Chinese and Korean are read as they are
    if character in _SPECIAL:
        return _SPECIAL[character]
    if character in _INVISIBLE:
        return ""
    if _KEPT_MARKS.match(character) or "\ud800" <= character <= "\udfff":
        return character
    plain = normalize("NFKC", character).lower()
    if not _WHOLE.match(plain):
        plain = "".join(c for c in normalize("NFKD", plain) if category(c) != "Mn" or _KEPT_MARKS.match(c))
    return "".join(_SPECIAL.get(c, c) for c in plain).translate(_ALIKE)


def _way_back(low: str, uneven: dict[str, str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """From which places of the folded text on it is how far behind."""
    places: list[int] = []
    shifts: list[int] = []
    shift = 0
    for at in _places_of(low, frozenset(uneven)):
        size = len(uneven[low[at]])
        begins = at - shift
        shift += 1 - size
        for step in range(1, size) if size else (0,):
            places.append(begins + step)
            shifts.append(at - begins - step if size else shift)
    return tuple(places), tuple(shifts)


def _places_of(text: str, characters: frozenset[str]) -> list[int]:
    return [at for at, character in enumerate(text) if character in characters]
