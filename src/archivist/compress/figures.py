"""Numbers, identifiers and names as a source has them: whole, with their unit, however their digits are grouped."""

from collections.abc import Iterable, Iterator
from typing import Final

from archivist.recall.stopwords import ENGLISH
from archivist.records.patterns import late_pattern

_GROUPED: Final = late_pattern(r"(?<=\d)[,_'’\u2009\u202f](?=\d{3}(?!\d))")
_UNIT: Final = (
    r"\s?([a-zµ]{1,3}|[%€$£°]|(?:milli)?seconds?|minutes?|hours?|days?|weeks?|months?|years?"
    r"|percent|euros?|dollars?|pounds?)(?![a-z])"
)
_NO_UNIT: Final = ENGLISH - set("dms")
"""Short words behind a number that measure nothing; what is left of "I'd", "I'm" and "it's" stands for days, metres and seconds."""
_JOINED: Final = late_pattern(r"(\d+(?:[.,]\d+)*)[a-zµ]{1,3}")
_BEHIND: Final = late_pattern(_UNIT)
_JOINED_BEHIND: Final = late_pattern(r"(?<=\d)(?:[a-zµ]{1,3}|%)(?![a-z0-9_])")
_MEASURED: Final = late_pattern(rf"(?<![\w.,])(\d+(?:[.,]\d+)*){_UNIT}")


def settled(text: str) -> str:
    """A text as texts are compared: in small letters, with digits that are not grouped."""
    return _GROUPED.sub("", text.casefold())


def are_said(said: str, facts: Iterable[str], source: str) -> bool:
    """Whether a source has some facts, and its numbers the units that a line gives them.

    Args:
        said: The line, `settled`.
        facts: Its numbers, identifiers and names.
        source: A text, `settled`.
    """
    return all(_is_said(_number_of(one.casefold().strip(".:-/,")), source) for one in facts) and all(
        _has_unit(number, unit, source) for number, unit in _MEASURED.findall(said) if unit not in _NO_UNIT
    )


def _number_of(fact: str) -> str:
    """Of a number that is written in one with its unit the number alone."""
    joined = _JOINED.fullmatch(fact)
    return joined[1] if joined else fact


def _is_said(fact: str, source: str) -> bool:
    """Whether a fact stands in a text by itself, rather than as a part of another."""
    return not fact or next(_ends(fact, source), None) is not None


def _has_unit(number: str, unit: str, source: str) -> bool:
    """Whether a source gives a number that unit, or none at all."""
    found = {match[1] for end in _ends(number, source) if (match := _BEHIND.match(source, end))} - _NO_UNIT
    units = {one.rstrip("s") or one for one in found}
    return not units or (unit.rstrip("s") or unit) in units


def _ends(fact: str, source: str) -> Iterator[int]:
    """Where a fact ends that stands in a text by itself; of a number more is of it than its digits."""
    at = source.find(fact) if fact else -1
    while at >= 0:
        end = at + len(fact)
        before, behind = source[max(0, at - 2) : at], source[end : end + 2]
        is_part = _is_of_a_word(before[-1:]) or (
            _is_of_a_word(behind[:1]) and not _JOINED_BEHIND.match(source, end)
        )
        if not is_part and not (fact.isdigit() and (_is_decimal(before[::-1]) or _is_decimal(behind))):
            yield end
        at = source.find(fact, end)


def _is_of_a_word(char: str) -> bool:
    return char == "_" or (char.isascii() and char.isalnum())


def _is_decimal(chars: str) -> bool:
    """Whether a point and a digit go on from a number."""
    return chars[:1] in {".", ","} and chars[1:].isdigit()


__all__ = ["are_said", "settled"]
