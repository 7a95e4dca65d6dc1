"""One moment from an option such as `--since` or `--until`.

A bare day is its beginning as a start and its end as an end, so that `--until 2025-08-31` keeps what was
said on that day. Longer units behave alike, and a time of day is taken as it stands.
"""

import re
from datetime import UTC, date, datetime, timedelta, tzinfo

from archivist.recall.when import days
from archivist.recall.when.days import FIRST_YEAR, LAST_YEAR, Days
from archivist.recall.when.periods import read_sole_period
from archivist.recall.when.readings import Clock, midnight
from archivist.records.errors import ArchivistError
from archivist.records.patterns import late_pattern

_YEAR_OR_MONTH = late_pattern(r"([0-9]{4})(?:-([0-9]{2}))?")
_SHORT_AMOUNT = late_pattern(r"([0-9]{1,4})\s?([hdw])", re.IGNORECASE)
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


class UnreadableTime(ArchivistError):
    """A text given for a moment is none of the forms that are understood."""

    def __init__(self, text: str) -> None:
        self.text = text
        shown = text if len(text) <= 60 else text[:57] + "..."
        super().__init__(
            f"{shown!r} is no time that can be read; write a date (2026-03-20), a date and time "
            "(2026-03-20T15:04), a month (2026-03), a year (2026), an age (7d), or words such as "
            "'yesterday', 'last Tuesday' or '三天前'"
        )


def parse_instant(text: str, *, zone: tzinfo, end: bool = False, now: datetime | None = None) -> datetime:
    """The moment that a text names, in UTC.

    Args:
        text: An ISO 8601 date or date and time, a month, a year, `now`, an age such as `7d`, or any
            expression that a question may use. A time without an offset is local.
        zone: The owner's time zone.
        end: Whether the moment ends a stretch: then a day, month or other stretch counts to its end, which
            is the exclusive midnight that follows it.
        now: The moment that relative expressions count from; the clock's when left out.

    Raises:
        UnreadableTime: When the text is none of these forms, or a date that no calendar has.
    """
    given = " ".join(text.split())
    try:
        clock = Clock((now or datetime.now(zone)).astimezone(zone), exact=True)
        found = _written(given, zone, end=end) or _spoken(given, clock, end=end)
    except (ValueError, OverflowError):
        raise UnreadableTime(text) from None
    if found is None or not FIRST_YEAR <= found.year <= LAST_YEAR + 1:
        raise UnreadableTime(text)
    return found


def _written(text: str, zone: tzinfo, *, end: bool) -> datetime | None:
    """A year, a month, or an ISO 8601 date or date and time."""
    parts = _YEAR_OR_MONTH.fullmatch(text)
    if parts:
        year, month = int(parts[1]), parts[2]
        return _edge(days.months(year, int(month)) if month else days.year(year), zone, end=end)
    if not text[:4].isdigit() or "-" not in text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return _with_time(text, zone)
    return _edge(days.one_day(day), zone, end=end)


def _with_time(text: str, zone: tzinfo) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)


def _edge(span: Days, zone: tzinfo, *, end: bool) -> datetime:
    wall = midnight(span.last + timedelta(days=1)) if end else midnight(span.first)
    return wall.replace(tzinfo=zone).astimezone(UTC)


def _spoken(text: str, clock: Clock, *, end: bool) -> datetime | None:
    """The clock itself, an age, or an expression of a question."""
    if text.lower() in {"now", "现在"}:
        return clock.instant.astimezone(UTC)
    age = _SHORT_AMOUNT.fullmatch(text)
    if age:
        text = f"{age[1]} {_UNITS[age[2].lower()]} ago"
    period = read_sole_period(text, clock)
    if period is None:
        return None
    return period.until if end else period.since
