"""Calendar arithmetic on plain days: weeks, months, quarters, seasons and the days nearest before another.

Nothing here knows a clock or a zone. A stretch of days names its first and its last day, both included,
so month ends and leap years are settled once; weeks begin on Monday (ISO 8601).
"""

import calendar
from datetime import date, timedelta
from typing import NamedTuple

FIRST_YEAR = 1900
"""Earliest year that is read as a date, and where an open beginning starts."""

LAST_YEAR = 2199
"""Latest year that is read as a date."""


SATURDAY = 5
"""Monday is 0, as in `date.weekday`."""


class Days(NamedTuple):
    """Consecutive days, both ends included."""

    first: date
    last: date


def one_day(day: date, offset: int = 0) -> Days:
    """The single day `offset` days after `day`."""
    moved = day + timedelta(days=offset)
    return Days(moved, moved)


def date_or_none(year: int, month: int, day: int) -> date | None:
    """The date, or None when there is no such day or the year is outside what is read."""
    if not (FIRST_YEAR <= year <= LAST_YEAR and 1 <= month <= 12):
        return None
    return date(year, month, day) if 1 <= day <= calendar.monthrange(year, month)[1] else None


def add_months(day: date, months: int) -> date:
    """The same day `months` later, or the last day of a shorter month (31 March - 1 is 28 February)."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def months(year: int, month: int, count: int = 1) -> Days:
    """`count` whole months from the first day of `month` on."""
    first = date(year, month, 1)
    return Days(first, add_months(first, count) - timedelta(days=1))


def month(day: date, offset: int = 0) -> Days:
    """The calendar month of `day`, `offset` months on."""
    moved = add_months(day.replace(day=1), offset)
    return months(moved.year, moved.month)


def year(number: int) -> Days:
    """A calendar year."""
    return months(number, 1, 12)


def week(day: date, offset: int = 0) -> Days:
    """The calendar week of `day`, Monday to Sunday, `offset` weeks on."""
    monday = day - timedelta(days=day.weekday()) + timedelta(weeks=offset)
    return Days(monday, monday + timedelta(days=6))


def weekend(day: date, offset: int = 0) -> Days:
    """Saturday and Sunday of the calendar week of `day`, `offset` weeks on."""
    sunday = week(day, offset).last
    return Days(sunday - timedelta(days=1), sunday)


def weekday_of_week(day: date, weekday: int, offset: int = 0) -> Days:
    """One weekday (Monday is 0) of the calendar week of `day`, `offset` weeks on."""
    return one_day(week(day, offset).first, weekday)


def weekday_before(day: date, weekday: int) -> Days:
    """The most recent such weekday strictly before `day`."""
    return one_day(day, -((day.weekday() - weekday - 1) % 7 + 1))


def weekday_after(day: date, weekday: int) -> Days:
    """The first such weekday strictly after `day`."""
    return one_day(day, (weekday - day.weekday() - 1) % 7 + 1)


def quarter(day: date, offset: int = 0) -> Days:
    """The calendar quarter of `day`, `offset` quarters on."""
    moved = add_months(day.replace(day=1), 3 * offset)
    return months(moved.year, (moved.month - 1) // 3 * 3 + 1, 3)


def season(number: int, first_month: int) -> Days:
    """The three months of a season from `first_month` of that year on; winter runs into the next year."""
    return months(number, first_month, 3)


def latest_year_of_month(today: date, wanted: int) -> int:
    """The year of the most recent such month that has begun by `today`."""
    return today.year if wanted <= today.month else today.year - 1


def latest_date(today: date, wanted_month: int, wanted_day: int) -> date | None:
    """The most recent such date up to and including `today`; 29 February goes back to a leap year."""
    for back in range(9):
        found = date_or_none(today.year - back, wanted_month, wanted_day)
        if found is not None and found <= today:
            return found
    return None


def latest_day_of_month(today: date, wanted: int) -> date | None:
    """The most recent day of that number up to and including `today`, in whichever month has one."""
    for back in range(3):
        first = add_months(today.replace(day=1), -back)
        found = date_or_none(first.year, first.month, wanted)
        if found is not None and found <= today:
            return found
    return None


def third_of_month(number: int, wanted: int, third: int) -> Days:
    """Days 1-10, 11-20 or 21 to the end: early, mid and late, and the three xún of the Chinese month."""
    whole = months(number, wanted)
    first = whole.first.replace(day=1 + 10 * third)
    return Days(first, whole.last if third == 2 else first.replace(day=10 + 10 * third))


def third_of_year(number: int, third: int) -> Days:
    """January-April, May-August or September-December."""
    return months(number, 1 + 4 * third, 4)
