"""For how long a provider asks to be left alone: in a header, as seconds or as a date, or in words."""

import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from archivist.models.classes import Signs

_UNITS: Final[Mapping[str, float]] = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
_PART: Final = (
    r"(\d+(?:\.\d+)?) ?(ms|milliseconds?|s|sec(?:ond)?s?|m|min(?:ute)?s?|h|hours?|d|days?)(?![a-z])"
)
_SPAN: Final = re.compile(
    rf"(?:again|retry|resets?|wait|available)\s(?:in|after|for)?\s?(?:about )?((?:{_PART} ?)+)"
)
_MOMENT: Final = re.compile(
    r"(?:again|retry|resets?|access|available)\s(?:at|on|after)\s(\d{4}-\d\d-\d\d[t ]?(?:at )?\d\d:\d\d(?::\d\d(?:\.\d+)?)?)"
)
_RESETS: Final = ("x-ratelimit-reset-requests", "x-ratelimit-reset-tokens")
_SOONEST_EPOCH: Final = 1_000_000_000
"""Seconds since 1970 from which on a number is a moment, and no span."""
LONGEST: Final = 31 * 86_400.0


def asked_seconds(signs: Signs, now: datetime) -> float | None:
    """How many seconds a provider asks to be left alone for; None where it says nothing of it."""
    found = (*_in_headers(signs.headers, now), *_in_words(signs.words, now))
    return next((one for one in found if 0 <= one <= LONGEST), None)


def _in_headers(headers: Mapping[str, str], now: datetime) -> Iterator[float]:
    yield from (value / 1_000 for value in _number(headers.get("retry-after-ms")))
    after = headers.get("retry-after", "")
    yield from _number(after)
    yield from _date(after, now)
    used_up = [name for name in _RESETS if headers.get(name.replace("reset", "remaining")) == "0"]
    yield from sorted((_span(headers.get(name, "")) for name in used_up), reverse=True)
    for value in _number(headers.get("x-ratelimit-reset")):
        moment = value / 1_000 if value > _SOONEST_EPOCH * 1_000 else value
        yield moment - now.timestamp() if moment > _SOONEST_EPOCH else moment


def _in_words(words: str, now: datetime) -> Iterator[float]:
    if found := _SPAN.search(words):
        yield _span(found[1])
    if found := _MOMENT.search(words):
        text = re.sub(r"[t ](at )?", " ", found[1]).strip()
        try:
            yield (datetime.fromisoformat(text).replace(tzinfo=UTC) - now).total_seconds()
        except ValueError:
            return


def _span(text: str) -> float:
    """Seconds of such as "9m38.016s", "5 minutes"."""
    return sum(float(value) * _UNITS[_unit(unit)] for value, unit in re.findall(_PART, text))


def _unit(name: str) -> str:
    return "ms" if name.startswith(("ms", "mill")) else name[0]


def _number(text: str | None) -> Iterator[float]:
    try:
        value = float(text or "")
    except ValueError:
        return
    if math.isfinite(value):
        yield value


def _date(text: str, now: datetime) -> Iterator[float]:
    if "," not in text:
        return
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return
    moment = found if found.tzinfo else found.replace(tzinfo=UTC)
    yield max((moment - now).total_seconds(), 0.0)


__all__ = ["LONGEST", "asked_seconds"]
