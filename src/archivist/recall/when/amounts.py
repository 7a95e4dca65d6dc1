"""Counted time: "three weeks ago" and "the last three weeks", for exact and for loose counts.

An amount "ago" is read as it is rounded in speech: the day it leads to, with half a unit on either side,
so "two weeks ago" is a week around that day and "two days ago" one day. "The last N" runs from the local
midnight N units back to the end of today. A loose count ("a few") widens the stretch and never leaves
anything out.
"""

from datetime import date, timedelta
from enum import Enum

import msgspec

from archivist.recall.when.days import Days, add_months
from archivist.recall.when.readings import Clock, Grip, Reading, midnight, whole, whole_between

MINUTES_A_DAY = 24 * 60
MONTH_DAYS = 30


class Unit(Enum):
    """A unit of counted time."""

    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


_MONTHS = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.YEAR: 12}
_MINUTES = {Unit.MINUTE: 1, Unit.HOUR: 60, Unit.DAY: MINUTES_A_DAY}
_LONGEST_DAYS = {Unit.DAY: 1, Unit.WEEK: 7, Unit.MONTH: 31, Unit.QUARTER: 92, Unit.YEAR: 366}
_SLACK_DAYS = {Unit.DAY: 0, Unit.WEEK: 3, Unit.MONTH: 15, Unit.QUARTER: 45, Unit.YEAR: 183}


class Amount(msgspec.Struct, frozen=True):
    """Between `low` and `high` units; halves are allowed, and equal ends are an exact count."""

    low: float
    high: float
    unit: Unit
    hedged: bool = False
    """Said with "about" or "around"."""

    @property
    def loose(self) -> bool:
        """Whether the count leaves more than rounding open."""
        return self.hedged or self.low != self.high

    @property
    def longest(self) -> timedelta:
        """The most time it can mean."""
        if self.within_a_day:
            return timedelta(minutes=self.high * _MINUTES[self.unit])
        return timedelta(days=self.high * _LONGEST_DAYS[self.unit])

    @property
    def within_a_day(self) -> bool:
        """Whether it is counted in hours or minutes, which are real time and not calendar days."""
        return self.unit in {Unit.MINUTE, Unit.HOUR} or (self.unit is Unit.DAY and self.high < 1)


def days_back(today: date, count: float, unit: Unit) -> date:
    """The day `count` units before `today`, at the last day of a shorter month."""
    if unit in _MONTHS:
        whole_months, part = divmod(count * _MONTHS[unit], 1)
        return add_months(today, -int(whole_months)) - timedelta(days=round(part * MONTH_DAYS))
    return today - timedelta(days=int(count * (7 if unit is Unit.WEEK else 1)))


def ago(amount: Amount, clock: Clock) -> Reading | None:
    """The time around `amount` before now."""
    if amount.high <= 0:
        return None
    grip = Grip.VAGUE if amount.loose else Grip.PAST
    if amount.within_a_day:
        return _minutes_ago(amount, clock, grip)
    if amount.high > amount.low:
        last = days_back(clock.day, amount.low, amount.unit)
        return whole(Days(days_back(clock.day, amount.high, amount.unit), last), grip)
    anchor = days_back(clock.day, amount.high, amount.unit)
    slack = 0 if clock.exact else _slack_days(amount)
    return whole_between(Days(anchor, anchor), slack, slack, grip)


def latest(amount: Amount, clock: Clock) -> Reading | None:
    """The last `amount` up to now; whole days reach to the end of today."""
    if amount.high <= 0:
        return None
    grip = Grip.VAGUE if amount.loose else Grip.PAST
    if amount.within_a_day:
        minutes = amount.high * _MINUTES[amount.unit]
        return Reading(clock.wall(minutes=-minutes), clock.wall(minutes=1), grip)
    return Reading(midnight(days_back(clock.day, amount.high, amount.unit)), clock.end_of_today, grip)


def _slack_days(amount: Amount) -> int:
    slack = _SLACK_DAYS[amount.unit]
    if amount.high % 1:
        slack //= 3
    return max(2 * slack, round(amount.high / 4)) if amount.hedged else slack


def _minutes_ago(amount: Amount, clock: Clock, grip: Grip) -> Reading:
    high, low = (count * _MINUTES[amount.unit] for count in (amount.high, amount.low))
    if clock.exact:
        return Reading(clock.wall(minutes=-high), clock.wall(minutes=1 - high), grip)
    slack = high / 4 if amount.unit is Unit.DAY else min(30, high / 2)
    slack *= 2 if amount.hedged else 1
    return Reading(clock.wall(minutes=-high - slack), clock.wall(minutes=min(1, slack - low)), grip)
