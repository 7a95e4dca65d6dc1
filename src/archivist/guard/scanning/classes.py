"""The classes of words, merged from the tables of all languages, and which classes a word has.

Each set of classes that some word has is one character, its sign: a text becomes a string of signs, and a frame an expression over
them. `NONE` is the sign of a word in no class, and marks of punctuation are signs of their own.
"""

from functools import cache
from itertools import count

import msgspec

from archivist.guard.scanning.folding import fold_words
from archivist.guard.scanning.vocabulary import east_asian, english, germanic, other, romance, slavic

NONE = "o"
END, SOFT, LINE, QUOTE = ".", ",", "\n", '"'
RESERVED = frozenset({NONE, END, SOFT, LINE, QUOTE})
"""Signs of no class: the most frequent words, and marks of punctuation. The others are numbered from one on, which keeps them small."""
_MODULES = (english, germanic, romance, slavic, east_asian, other)
_SHORTEST_STEM = 2
_ARABIC_PREFIXES = ("وال", "بال", "فال", "لل", "ال", "و", "ف", "ب", "ل")


Phrases = dict[str, dict[str, list[tuple[tuple[str, ...], str]]]]


class Vocabulary(msgspec.Struct, frozen=True):
    """All words.

    Attributes:
        words: The sign of a word as it stands.
        stems: The sign of what begins so.
        heads: The first letters of all stems.
        phrases: By first and second word, all but the first (a star ends a stem) and the sign, longest first; a second word that
            is a stem stands under "".
        masks: By sign, the bits of its classes.
        bits: By class, its bit.
        unspaced: Words of languages without spaces, longest first.
    """

    words: dict[str, str]
    stems: dict[str, str]
    heads: frozenset[str]
    phrases: Phrases
    masks: dict[str, int]
    bits: dict[str, int]
    unspaced: tuple[str, ...]

    def sign(self, word: str) -> str:
        """The sign of one folded word."""
        found = self.words.get(word)
        if found is not None:
            return found
        if word[:_SHORTEST_STEM] in self.heads:
            for size in range(min(len(word), 24), _SHORTEST_STEM - 1, -1):
                found = self.stems.get(word[:size])
                if found is not None:
                    return found
        if "\u0600" <= word[0] <= "\u06ff":
            for prefix in _ARABIC_PREFIXES:
                if word.startswith(prefix) and (found := self.words.get(word[len(prefix) :])):
                    return found
        return NONE

    def signs_of(self, name: str) -> str:
        """All signs of one class."""
        bit = self.bits[name]
        return "".join(sign for sign, mask in self.masks.items() if mask & bit)


@cache
def vocabulary() -> Vocabulary:
    """The vocabulary, read from its tables when it is first needed."""
    bits: dict[str, int] = {}
    masks: dict[str, int] = {}
    tables = [table for module in _MODULES for name, table in vars(module).items() if name.isupper()]
    listed = [entry for table in tables for entry in table.items()]
    folded = fold_words("\n\0".join(words for _, words in listed))  # at once: few characters make all of them
    for (kind, _), words in zip(listed, folded.split("\0"), strict=True):
        bit = bits.setdefault(kind, 1 << len(bits))
        for word in words.split():
            masks[word] = masks.get(word, 0) | bit
    _inherit(masks, bits)
    return _signed(masks, bits)


def _inherit(masks: dict[str, int], bits: dict[str, int]) -> None:
    """A word that begins with a stem has the stem's classes too, and a phrase those of its first word, unless it is a plain thing."""
    plain = bits["plain"]
    stems = {word[:-1]: mask for word, mask in masks.items() if word.endswith("*") and "_" not in word}
    heads = {stem[:_SHORTEST_STEM] for stem in stems}
    for word, mask in masks.items():
        if mask & plain:
            continue
        if "_" in word:
            masks[word] |= masks.get(word.partition("_")[0], 0)
        elif word[:_SHORTEST_STEM] in heads:
            for size in range(_SHORTEST_STEM, len(word.removesuffix("*")) + 1):
                masks[word] |= stems.get(word[:size], 0)


def _signed(masks: dict[str, int], bits: dict[str, int]) -> Vocabulary:
    """Every word with a sign for its set of classes."""
    free = (chr(number) for number in count(1) if chr(number) not in RESERVED)
    signs = dict(zip(dict.fromkeys(masks.values()), free, strict=False))
    words, stems, told = dict[str, str](), dict[str, str](), list[tuple[list[str], str]]()
    for word, mask in masks.items():
        if "_" in word:
            told.append((word.split("_"), signs[mask]))
        elif word.endswith("*"):
            stems[word[:-1]] = signs[mask]
        else:
            words[word] = signs[mask]
    phrases: Phrases = {}
    for (first, *rest), sign in sorted(told, key=lambda phrase: -len(phrase[0])):
        second = "" if rest[0].endswith("*") else rest[0]
        phrases.setdefault(first, {}).setdefault(second, []).append((tuple(rest), sign))
    unspaced = sorted(
        (word for word in words if word[0] >= "\u0e00" and not "가" <= word[0] <= "힣"), key=len, reverse=True
    )
    return Vocabulary(
        words=words,
        stems=stems,
        heads=frozenset(stem[:_SHORTEST_STEM] for stem in stems),
        phrases=phrases,
        masks={sign: mask for mask, sign in signs.items()},
        bits=bits,
        unspaced=tuple(unspaced),
    )
