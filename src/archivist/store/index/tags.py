"""Terms by which messages are filtered inside the full-text index: who, from where, whose, and when.

Both sides are made here: `tags_of` what a message is filed under, the other functions the parts of a match
expression. A tag begins with a letter that no word of a text can contain and ends in a digit, which no
stemmer removes. Days are UTC; a range of them is a cover that may reach beyond the range by less than a day
at each end, so whoever needs the instant compares it afterwards.
"""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import lru_cache

from archivist.store.documents import Document
from archivist.store.index.words import FILLER

HIDDEN_STATES = frozenset({"undone", "branch"})

_DAY_MS = 86_400_000
_FIRST_YEAR, _LAST_YEAR = 1990, 2069  # years beyond share these, so that an open range is some tens of terms
_FIRST_DAY, _LAST_DAY = date(_FIRST_YEAR, 1, 1), date(_LAST_YEAR, 12, 31)
_EPOCH = date(1970, 1, 1).toordinal()
_HIDDEN = f"{FILLER}h0"


def tags_of(document: Document) -> str:
    """What a message is filed under, as the text of the column `tags`."""
    tags = (
        _name("r", document.role),
        _name("p", document.source),
        f"{FILLER}s{document.scope}",
        f"{FILLER}c{document.conversation}",
        _day_tags(_day_number(document.created_at)),
    )
    filed = " ".join(tags)
    return f"{filed} {_HIDDEN}" if document.is_summary or document.state in HIDDEN_STATES else filed


def filed_as(tags: str) -> str:
    """Messages that are filed under just the tags that `tags_of` returned."""
    match = f"tags : ({' AND '.join(map(_quoted, tags.split(' ')))})"
    return match if tags.endswith(_HIDDEN) else visible(match)


def roles(names: Iterable[str]) -> str:
    """Messages of these roles."""
    return _any(_name("r", name) for name in names)


def sources(names: Iterable[str]) -> str:
    """Messages that came from these programs."""
    return _any(_name("p", name) for name in names)


def scopes(keys: Iterable[int]) -> str:
    """Messages of the scopes with these keys."""
    return _any(f"{FILLER}s{key}" for key in keys)


def conversations(keys: Iterable[int]) -> str:
    """Messages of the conversations with these keys."""
    return _any(f"{FILLER}c{key}" for key in keys)


def conversation(key: int) -> str:
    """Messages of one conversation."""
    return conversations((key,))


def days(since_ms: int | None, until_ms: int | None) -> str:
    """Messages of the days from one instant to another, both included; open where None, "" if both are."""
    if since_ms is None and until_ms is None:
        return ""
    first = _FIRST_DAY if since_ms is None else _clamped(_day_number(since_ms))
    last = _LAST_DAY if until_ms is None else _clamped(_day_number(until_ms))
    return _any(_cover(first, last))


def visible(match: str) -> str:
    """What matches an expression and is not hidden."""
    return f"({match}) NOT tags : {_quoted(_HIDDEN)}"


def hidden() -> str:
    """Messages that were undone, are on a branch that was left, or were written for a model alone."""
    return _any((_HIDDEN,))


def all_of(*parts: str) -> str:
    """Several parts of a match expression that must all hold; empty ones ask for nothing."""
    return " AND ".join(f"({part})" for part in parts if part)


def _any(tags: Iterable[str]) -> str:
    """One of the tags; without any, a tag that nothing is filed under: an empty choice admits nothing."""
    return f"tags : ({' OR '.join(map(_quoted, tags)) or _quoted(f'{FILLER}none0')})"


def _quoted(tag: str) -> str:
    return f'"{tag}"'


@lru_cache(maxsize=1024)
def _name(kind: str, name: str) -> str:
    """A name of any characters as a term; the digit at its end keeps the stemmer off."""
    return f"{FILLER}{kind}{name.encode('utf-8', 'surrogatepass').hex()}0"


def _day_number(instant_ms: int) -> int:
    return _EPOCH + instant_ms // _DAY_MS


def _clamped(day_number: int) -> date:
    return date.fromordinal(min(max(day_number, _FIRST_DAY.toordinal()), _LAST_DAY.toordinal()))


@lru_cache(maxsize=1024)
def _day_tags(day_number: int) -> str:
    day = _clamped(day_number)
    return f"{_year_tag(day.year)} {_month_tag(day)} {_day_tag(day)}"


def _year_tag(year: int) -> str:
    return f"{FILLER}y{year}"


def _month_tag(day: date) -> str:
    return f"{FILLER}m{day.year}{day.month:02}"


def _day_tag(day: date) -> str:
    return f"{FILLER}d{day.year}{day.month:02}{day.day:02}"


def _cover(first: date, last: date) -> Iterator[str]:
    """The fewest years, months and days that make up a range of days."""
    day = first
    while day <= last:
        year_end, month_end = date(day.year, 12, 31), _month_end(day)
        if day.day == 1 and day.month == 1 and year_end <= last:
            yield _year_tag(day.year)
            day = year_end
        elif day.day == 1 and month_end <= last:
            yield _month_tag(day)
            day = month_end
        else:
            yield _day_tag(day)
        day += timedelta(days=1)


def _month_end(day: date) -> date:
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
