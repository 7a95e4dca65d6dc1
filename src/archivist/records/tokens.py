"""How many tokens a model will read in a text: an estimate without any vocabulary.

Vocabularies take megabytes, half a second to load, and are published for few models. What they agree on is enough for a budget: a word
of Latin letters is one token, a long one two, three digits are one, a mark that leads a short word is part of it. What they do not agree
on, how much a Chinese character costs above all, is a factor of the family. Measured against real tokenizers in `benchmarks/tokens.py`;
the figures stand in docs/tokens.md.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from archivist.records.patterns import late_pattern

_PIECES = late_pattern(
    r"""
      [ ]?[A-Z]?[a-z]{1,11}(?![a-z])                              # a word and the space before it
    | (?<![ ])[!-/:-@\[-`{-~][A-Za-z][a-z]{0,5}(?![a-z])          # a mark that leads a short word: .path, _id
    | [ ]?[A-Z]?[a-z]{1,5}                                        # a piece of a long word
    | [ ]?[A-Z]{1,3}(?![a-z])
    | [0-9]{1,3}
    | [-=_*\#~.]{4,16}[\r\n]{0,16}                                      # a rule
    | [ ]?[!-/:-@\[-`{-~]{1,3}[\r\n]{0,16}                              # marks in a row take the end of their line along
    | [\r\n]{1,16}
    | [ \t]{1,64}(?![^\x00-\x7f])
    | [\x00-\x08\x0b\x0c\x0e-\x1f\x7f]
    | [^\x00-\x7f]+                                               # passed over at once, and not counted
    """,
    re.VERBOSE,
)
"""One match is about one token. What is not ASCII is counted by its script instead."""


class _Weights(NamedTuple):
    """Tokens for each character of a script, beyond what the pieces count; `pieces` is for each of those."""

    han: float
    kana: float
    hangul: float
    letters: float  # Greek, Cyrillic
    scripts: float  # from Hebrew and Arabic to Thai and Khmer
    accented: float
    symbols: float
    pieces: float = 1.0
    digits: float = 0.0


_UNKNOWN: Final = _Weights(1.05, 0.88, 1.05, 0.45, 0.85, 2.0, 1.1, 1.04)
"""Above most, so that a budget is kept: what is unknown may be an old vocabulary."""

_WEIGHTS: Final = {
    "openai": _Weights(0.76, 0.64, 0.71, 0.31, 0.38, 0.9, 1.1, 1.02),
    "claude": _Weights(1.02, 0.91, 1.32, 0.57, 1.12, 2.6, 1.6, 1.10),
    "qwen": _Weights(0.61, 0.58, 0.78, 0.35, 0.45, 1.7, 1.1, 1.01, 0.57),
    "deepseek": _Weights(0.56, 0.60, 0.85, 0.33, 0.47, 1.8, 1.2, 1.05),
    "gemini": _Weights(0.63, 0.45, 0.83, 0.31, 0.44, 1.0, 1.1, 1.10, 0.6),
    "llama": _Weights(0.81, 0.61, 0.76, 0.35, 0.46, 1.7, 1.1, 1.03),
}
_DRAWN = late_pattern("[─━═]{4,}")
_DRAWN_WEIGHT: Final = 0.15
"""Of a character in a line that is drawn: vocabularies hold long runs of them as one token."""
_WIDE_MARKS = "。、「」《》"
"""Of the block of the kana, but a token each."""

_LONGEST_REMEMBERED: Final = 2_000


def _classes() -> bytes:
    """For the upper byte of a UTF-16 unit, the script."""
    table = bytearray(b"s" * 256)
    for first, last, script in (
        (0x00, 0x02, b"a"),
        (0x03, 0x04, b"l"),
        (0x05, 0x1F, b"i"),
        (0x30, 0x31, b"k"),
        (0x34, 0x9F, b"h"),
        (0xAC, 0xD7, b"g"),
        (0xF9, 0xFA, b"h"),
    ):
        table[first : last + 1] = script * (last + 1 - first)
    return bytes(table)


_CLASSES: Final = _classes()


class _Beyond(NamedTuple):
    """Characters of a text that are not ASCII, by script."""

    han: int
    kana: int
    hangul: int
    letters: int
    scripts: int
    accented: int
    symbols: int
    drawn: int
    marks: int


_Counts = tuple[int, int, _Beyond | None]
"""Pieces of a text, digits, and what is not ASCII."""


def estimate_tokens(text: str, family: str | None = None) -> int:
    """About how many tokens the text is.

    Args:
        text: Any.
        family: Whose vocabulary: openai (from GPT-4o on), claude, qwen, deepseek, gemini, llama. None or another: unknown, where
            the estimate is rather too high.
    """
    return _weighed(_counts(text), family) if text else 0


def estimate_tokens_of_lines(lines: Sequence[str], family: str | None = None) -> int:
    """The same of lines one below another, each counted once by a process as long as it is remembered.

    Args:
        lines: Texts that are not empty, and neither begin nor end with a line end.
        family: As for `estimate_tokens`.
    """
    if not lines:
        return 0
    counts = [_counts_of_line(f"{line}\n") for line in lines[:-1]]
    counts.append(_counts_of_line(lines[-1]))
    beyond = [one[2] for one in counts if one[2] is not None]
    summed = _Beyond(*map(sum, zip(*beyond, strict=True))) if beyond else None
    return _weighed((sum([one[0] for one in counts]), sum([one[1] for one in counts]), summed), family)


def _counts_of_line(line: str) -> _Counts:
    return _remembered(line) if len(line) <= _LONGEST_REMEMBERED else _counts(line)


def _counts(text: str) -> _Counts:
    found = _PIECES.findall(text)
    pieces, digits = len(found), sum(map(text.count, "0123456789"))
    if text.isascii():
        return pieces, digits, None
    return pieces - sum(map("\x80".__le__, found)), digits, _beyond_ascii(text)


def _beyond_ascii(text: str) -> _Beyond:
    units = text.encode("utf-16-le", "surrogatepass")[1::2].translate(_CLASSES)
    marks = sum(map(text.count, _WIDE_MARKS))
    drawn = sum(map(len, _DRAWN.findall(text))) if "─" in text or "═" in text or "━" in text else 0
    return _Beyond(
        han=units.count(b"h"),
        kana=units.count(b"k") - marks,
        hangul=units.count(b"g"),
        letters=units.count(b"l"),
        scripts=units.count(b"i"),
        accented=units.count(b"a") - len(text.encode("ascii", "ignore")),
        symbols=units.count(b"s") - drawn,
        drawn=drawn,
        marks=marks,
    )


_remembered = lru_cache(maxsize=1_024)(_counts)


def _weighed(counts: _Counts, family: str | None) -> int:
    weights, (pieces, digits, beyond) = _WEIGHTS.get(family or "", _UNKNOWN), counts
    tokens = weights.pieces * pieces + weights.digits * digits
    if beyond is not None:
        tokens += (
            weights.han * beyond.han
            + weights.kana * beyond.kana
            + weights.hangul * beyond.hangul
            + weights.letters * beyond.letters
            + weights.scripts * beyond.scripts
            + weights.accented * beyond.accented
            + weights.symbols * beyond.symbols
            + _DRAWN_WEIGHT * beyond.drawn
            + beyond.marks
        )
    return max(1, round(tokens))


__all__ = ["estimate_tokens", "estimate_tokens_of_lines"]
