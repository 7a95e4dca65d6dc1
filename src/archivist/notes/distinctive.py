"""What is distinctive in a text: identifiers and paths, numbers, words that few texts have.

Terms are case-folded. Of what is written without spaces, two characters are a term, of katakana a whole word.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from archivist.notes.commonplace import COMMON, COMMON_PAIRS, GRAMMAR
from archivist.records.patterns import late_pattern
from archivist.store.index.folding import UNSEGMENTED

LEAST_LETTERS, LEAST_DIGITS = 4, 3
"""A plain word, or a number, of fewer is no term."""
_TOKEN: Final = late_pattern(r"\d+(?::\d+)+|[\w./\\~@#%+-]*[\w%+#]")
_RUN: Final = late_pattern(f"[{UNSEGMENTED}]+")
_KATAKANA: Final = late_pattern("[\u30a1-\u30fa\u30fc]+")
_HIRAGANA: Final = late_pattern("[\u3041-\u309f]+")
_HANGUL: Final = late_pattern("[\uac00-\ud7a3]+")
_NUMBER: Final = late_pattern(r"v?\d+(?:[.,:/-]\d+)*(?:%|st|nd|rd|th|ms|[smhdkx]|[kmg]b|px)?")
_NAMED: Final = late_pattern(
    r"(?:[~.]{0,2}/)?[\w.@-]+(?:[/\\][\w.@-]+)+[/\\]?|[~.]{0,2}/[\w.-]+"  # a path
    r"|[\w-]+\.(?:[a-z]{2,4}|h|c)|[\w.+-]+@[\w-]+\.[\w.]+"  # a file, a host, an address
    r"|\w+_\w+|_\w+|--?[a-z][\w-]+|\w+::\w+|[a-z]+\w*[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z][A-Z0-9]{2,}"
    r"|(?=\S*\d)(?=\S*[A-Za-z])[\w.-]{3,}"
)
_QUOTED: Final = late_pattern(r"`([^`\s]{2,})`")


class Terms(msgspec.Struct, frozen=True):
    """The terms of a text.

    Attributes:
        names: Identifiers and paths: one of them is enough to know a text again.
        ends: How those of the paths end that have several parts.
        words: Numbers and rare words.
        pairs: Of what is written without spaces, by term where it begins in the text.
    """

    names: frozenset[str]
    ends: frozenset[str]
    words: frozenset[str]
    pairs: dict[str, int]

    @property
    def count(self) -> int:
        """How many there are, pairs that overlap counted once."""
        return len(self.names) + len(self.words) + apart(self.pairs.values())

    @property
    def all(self) -> Iterator[str]:
        """Every one of them, the ends of paths too."""
        yield from self.names
        yield from self.ends
        yield from self.words
        yield from self.pairs

    def names_in(self, other: "Terms") -> frozenset[str]:
        """The names that another text has too; of a path its last two parts are enough, of a file without a folder its name."""
        ends = frozenset(end for end in self.ends if "/" in end)
        return (self.names & (other.names | other.ends)) | (ends & other.names)


def terms_of(text: str) -> Terms:
    """The distinctive terms of a text."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    names = {quoted.casefold() for quoted in _QUOTED.findall(text) if quoted.casefold() not in COMMON}
    words = set[str]()
    for token in _tokens(text):
        folded = token.casefold()
        if _NUMBER.fullmatch(token):
            words |= {folded} if len(token) >= LEAST_DIGITS else set()
        elif folded in COMMON:
            continue
        elif _NAMED.fullmatch(token):
            names.add(_name(folded))
        elif len(folded) >= LEAST_LETTERS and folded not in names:
            words |= {_stem(folded)} - COMMON
    ends = frozenset(end for name in names for end in _ends(name))
    return Terms(
        frozenset(names), ends, frozenset(words - names), {} if text.isascii() else dict(_pairs(text))
    )


def apart(places: Iterable[int]) -> int:
    """How many of these places of pairs do not overlap."""
    count, free = 0, -1
    for place in sorted(places):
        if place >= free:
            count, free = count + 1, place + 2
    return count


def _tokens(text: str) -> Iterator[str]:
    for found in _TOKEN.findall(_RUN.sub(" ", text)):
        token = found.rstrip(".+-")
        if token:
            yield token


def _name(token: str) -> str:
    """A path by its parts alone; anything else as it is."""
    parts = [part for part in token.replace("\\", "/").split("/") if part not in {"", ".", "..", "~"}]
    return "/".join(parts) or token


def _ends(path: str) -> Iterator[str]:
    parts = path.split("/")
    for start in range(1, len(parts) - 1):
        yield "/".join(parts[start:])
    if len(parts) > 1 and "." in parts[-1]:
        yield parts[-1]


def _stem(word: str) -> str:
    """A plain word without the ending of a plural."""
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > LEAST_LETTERS else word


def _pairs(text: str) -> Iterator[tuple[str, int]]:
    for run in _RUN.finditer(text):
        start = run.start()
        for word in _KATAKANA.finditer(run[0]):
            if len(word[0]) > 2 and word[0] not in COMMON_PAIRS:
                yield word[0], start + word.start()
        rest = _KATAKANA.sub(lambda found: " " * len(found[0]), run[0])
        rest = _HIRAGANA.sub(lambda found: " " * len(found[0]), rest)
        is_hangul = bool(_HANGUL.match(run[0]))
        ends = 1 if is_hangul else len(rest) - 1
        for at in range(ends):
            pair = rest[at : at + 2]
            if len(pair) == 2 and " " not in pair and not GRAMMAR & set(pair) and pair not in COMMON_PAIRS:
                yield pair, start + at
