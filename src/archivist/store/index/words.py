"""How text becomes words, for indexing and for asking alike.

FTS5's own tokenizer and its Porter stemmer have the last word on both sides; this module only
prepares what it is given, so that it finds words where there are no spaces. A stretch of a script written
without spaces becomes its overlapping pairs of characters: any two neighbours are a word, and a longer
stretch is the phrase of its pairs. After the text, set off by a filler that no text can contain, stand the
single characters of such stretches and the parts of identifiers (`getUserName`, `port8443`).

Invariant: what `split_words` returns is, in order, what the index holds before that filler, but for stems.
"""

import re
import threading
from collections.abc import Iterator
from functools import lru_cache
from typing import cast

import apsw

from archivist.records.patterns import late_pattern
from archivist.store.index.folding import UNSEGMENTED, fold

WORDS_VERSION = 1
"""Another number in an index means that its words were made by other rules."""

FILLER = "ª"
"""A letter to FTS5 that no folded text contains: folding makes it an "a"."""

TOKENIZER = "ascii"
"""FTS5's tokenizer below the stemmer. It takes ASCII letters and digits and everything beyond ASCII as parts of
words; that a character beyond ASCII is part of a word was decided by folding. Its like for Unicode would look up
each of them three times in tables: a third of the cost of filing Chinese."""

ENCODED_CHARS = 256
"""Longer stretches of base64, hex and the like are noise."""
ENCODED_KEPT_CHARS = 64

_BLOCK_CHARS = ENCODED_CHARS // 2  # a stretch of ENCODED_CHARS covers one aligned block of half of it
_ENCODED = late_pattern(
    r"(?<![A-Za-z0-9+/=_-])"
    r"(?:[A-Za-z0-9+/=_-]{256,}|(?:[A-Za-z0-9+/]{60,}[ \t]*\r?\n[ \t]*){3,}[A-Za-z0-9+/]+={0,2})"
)
_RUN = late_pattern(f"([{UNSEGMENTED}]+)")

_SHAPES = str.maketrans(
    dict.fromkeys(range(128), " ")
    | dict.fromkeys(range(ord("a"), ord("z") + 1), "a")
    | dict.fromkeys(range(ord("A"), ord("Z") + 1), "A")
    | dict.fromkeys(range(ord("0"), ord("9") + 1), "0")
)
_BORDERS = ("aA", "AAa", "a0", "A0", "0a", "0A")
_PART = late_pattern("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_HEX = late_pattern("[0-9a-f]{6,}|[0-9A-F]{6,}")


def index_text(text: str) -> str:
    """What FTS5 is given for a text."""
    sequence, extras = words_and_extras(text)
    return f"{sequence} {FILLER} {' '.join(extras)}" if extras else sequence


def words_and_extras(text: str) -> tuple[str, list[str]]:
    """The text with its words set apart, and further words under which it is found, fillers among them."""
    sequence, characters, rest = _set_apart(text)
    extras = identifier_parts(rest if rest.isascii() else rest.encode("ascii", "replace").decode("ascii"))
    if not characters:
        return sequence, extras
    singles = dict.fromkeys(characters)
    return sequence, [*singles, FILLER, *extras] if extras else [*singles]


def split_words(text: str) -> list[str]:
    """The words of a text in order, folded but not stemmed, as the index holds them."""
    return _tokenizers().words(_set_apart(text)[0])


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The term under which the index holds a word of `split_words`."""
    return (_tokenizers().stems(word) or [word])[0]


def terms_of(text: str) -> list[str]:
    """All terms under which the index holds a text, in order, those after its words included."""
    return _tokenizers().stems(index_text(text))


def phrase(text: str) -> str:
    """An FTS5 phrase that matches where the text's words stand in a row, "" for a text without words."""
    words = split_words(text)
    return f'"{" ".join(words)}"' if words else ""


def identifier_parts(text: str) -> list[str]:
    """The parts of the identifiers in an ASCII text, a filler between one identifier and the next.

    What changes between letters and digits at every second character is a hash or a key, and has no parts.
    """
    parts: list[str] = []
    for identifier in _identifiers(text):
        found = _parts(identifier)
        if found:
            parts += (FILLER, *found) if parts else found
    return parts


def _identifiers(text: str) -> dict[str, None]:
    """The words that change case, or between letters and digits, within; each once."""
    found: dict[str, None] = {}
    shape = text.translate(_SHAPES)
    for border in _BORDERS:
        at = shape.find(border)
        while at >= 0:
            start, end = shape.rfind(" ", 0, at) + 1, shape.find(" ", at)
            found[text[start : end if end > 0 else None]] = None
            at = shape.find(border, end) if end > 0 else -1
    return found


def _parts(identifier: str) -> list[str]:
    if _HEX.fullmatch(identifier):
        return []
    parts = _PART.findall(identifier)
    return parts if len(identifier) >= 2 * len(parts) else []


def _set_apart(text: str) -> tuple[str, str, str]:
    """The text with its words set apart, its characters written without spaces, and the rest of it."""
    text = _without_encoded(text)
    if text.isascii() or (text := fold(text)).isascii():
        return text, "", text
    pieces = _RUN.split(text)
    if len(pieces) == 1:
        return text, "", text
    rest = " ".join(pieces[::2])
    joined = "".join(pieces[1::2])
    pieces[1::2] = _pairs(pieces[1::2], joined)
    return " ".join(pieces), joined, rest


def _pairs(runs: list[str], joined: str) -> Iterator[str]:
    """The overlapping pairs of characters in each run, with spaces between; a single character as it is.

    All runs are woven at once, and cut apart where they were joined: a third faster than one by one.
    """
    woven = [" "] * (3 * len(joined))
    woven[::3], woven[1:-3:3] = joined, joined[1:]
    pairs = "".join(woven)
    at = 0
    for run in runs:
        end = at + 3 * len(run)
        yield pairs[at : end - 4] if len(run) > 1 else run
        at = end


def _without_encoded(text: str) -> str:
    """The text with long stretches of encoded bytes cut to their beginning."""
    blocks = range(0, len(text) - _BLOCK_CHARS + 1, _BLOCK_CHARS)
    if len(text) < ENCODED_CHARS or not any(" " not in text[at : at + _BLOCK_CHARS] for at in blocks):
        return text
    return _ENCODED.sub(_shortened, text)


def _shortened(found: re.Match[str]) -> str:
    stretch = found[0]
    segments = 1 + sum(stretch.count(mark) for mark in "+/-_")
    is_encoded = len(stretch) > 16 * segments  # paths and slugs have shorter segments
    return stretch[:ENCODED_KEPT_CHARS] if is_encoded else stretch


class _Tokenizers(threading.local):
    """FTS5's tokenizers, a set for each thread: they keep a buffer between calls."""

    def __init__(self) -> None:
        db = apsw.Connection("")
        self._words = db.fts5_tokenizer(TOKENIZER)
        self._stems = db.fts5_tokenizer("porter", [TOKENIZER])

    def words(self, text: str) -> list[str]:
        return self._tokens(self._words, text)

    def stems(self, text: str) -> list[str]:
        return self._tokens(self._stems, text)

    @staticmethod
    def _tokens(tokenizer: apsw.FTS5Tokenizer, text: str) -> list[str]:
        found = tokenizer(
            text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False
        )
        return cast("list[str]", found)


@lru_cache(maxsize=1)
def _tokenizers() -> _Tokenizers:
    return _Tokenizers()
