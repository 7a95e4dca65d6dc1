"""What a language's rules give back: a stretch of local wall-clock time and how firmly it was named.

Rules are data: a pattern and a small function from its match and the clock to a `Reading`, or None when
the words turn out not to name a time. Readings are naive local times, so that a day is a day whatever
the clocks do on it; the zone is applied once, at the end. A date outside the calendar is no reading.
"""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from functools import cache

import msgspec
from msgspec.structs import replace

from archivist.recall.when.days import FIRST_YEAR, LAST_YEAR, Days

DAY = timedelta(days=1)


class Grip(Enum):
    """How firmly an expression says when something was said or happened."""

    PAST = "names the past by itself: yesterday, three days ago, since Monday"
    DATED = "a calendar date, which may also be what is talked about: in March, 2026-03-20"
    OPEN = "past or still to come, decided by the tense of the sentence: today, this week, on Monday"
    VAGUE = "too loose to leave anything out: recently, a few weeks ago"


class Clock(msgspec.Struct, frozen=True):
    """The moment of the question in the owner's zone; `exact` asks for anchors without their surroundings."""

    instant: datetime
    exact: bool = False

    @property
    def day(self) -> date:
        """The local day."""
        return self.instant.date()

    @property
    def end_of_today(self) -> datetime:
        """The local midnight that ends today, where everything up to now ends."""
        return midnight(self.day + DAY)

    def wall(self, *, minutes: float = 0) -> datetime:
        """The local wall time `minutes` of real time after the question."""
        moved = self.instant.astimezone(UTC) + timedelta(minutes=minutes)
        return moved.astimezone(self.instant.tzinfo).replace(tzinfo=None)

    def on(self, day: date) -> "Clock":
        """The same clock on another day, for an expression that is read by a neighbour's date."""
        return replace(self, instant=datetime.combine(day, time(12), self.instant.tzinfo))


class Reading(msgspec.Struct, frozen=True):
    """Half-open local wall time `[since, until)`."""

    since: datetime
    until: datetime
    grip: Grip = Grip.PAST
    floating: bool = False
    """The nearest past one was chosen, since no year or week was given."""
    weak: bool = False
    """The words count only after a preposition or as an end of a range."""


class Rule(msgspec.Struct, frozen=True):
    """One form of time expression; its pattern is compiled when a text first needs it, not on import."""

    source: str
    flags: re.RegexFlag
    read: Callable[[re.Match[str], Clock], Reading | None]

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return _compiled(self.source, self.flags)


class Bound(Enum):
    """What a word such as "since" makes of the time beside it."""

    SINCE = "from its beginning until now"
    AFTER = "from its end until now"
    BEFORE = "everything up to its beginning"
    UNTIL = "everything up to its end"


class Narrowed(msgspec.Struct, frozen=True):
    """A reading narrowed to a time of day by words beside it, and the widened stretch of text."""

    start: int
    end: int
    reading: Reading


class Grammar(msgspec.Struct, frozen=True):
    """The rules of one language and the words around an expression that change its meaning.

    Patterns named `..._before` are matched against the text that ends where the expression starts (so
    they end in `$`), the others at its end.
    """

    clue: re.Pattern[str]
    """What every expression of the language holds some of, so that other texts are passed over at once."""
    rules: tuple[Rule, ...]
    narrow: Callable[[str, int, int, Reading], Narrowed | None]
    stands: Callable[[str, int, int], bool]
    """Whether a weak expression counts at this place."""
    also: re.Pattern[str]
    """What between two expressions gives the second the first one's standing: "in March and April"."""
    range_before: re.Pattern[str]
    range_joiner: re.Pattern[str]
    bare_joiner: re.Pattern[str]
    range_after: re.Pattern[str]
    measure_before: Callable[[str], tuple[int, timedelta] | None]
    """Where "two weeks" of "two weeks before" starts in the text that ends there, and how long it is."""
    measure_after: Callable[[str, int], tuple[int, Bound, timedelta] | None]
    """The same for a measure behind the expression (3月5日前三天): its end, its direction, its length."""
    bounds_before: tuple[tuple[re.Pattern[str], Bound], ...]
    bounds_after: tuple[tuple[re.Pattern[str], Bound], ...]
    possessive: re.Pattern[str]
    naming_before: re.Pattern[str]
    """Words which make a date part of a thing's name ("the 2026-03-20 release")."""
    sentence_end: str
    past: re.Pattern[str]
    ahead: re.Pattern[str]
    about: re.Pattern[str]


@cache
def _compiled(source: str, flags: re.RegexFlag) -> re.Pattern[str]:
    return re.compile(source, flags)


def midnight(day: date) -> datetime:
    """The wall time at which a day begins."""
    return datetime.combine(day, time.min)


def whole(days: Days, grip: Grip = Grip.PAST, *, floating: bool = False, weak: bool = False) -> Reading:
    """A reading of whole days."""
    return Reading(midnight(days.first), midnight(days.last + DAY), grip, floating=floating, weak=weak)


def whole_between(days: Days, low: int, high: int, grip: Grip = Grip.PAST) -> Reading:
    """Whole days, widened by `low` days before and `high` days after."""
    return whole(Days(days.first - low * DAY, days.last + high * DAY), grip)


def hours_of(day: date, first: float, last: float, grip: Grip = Grip.PAST) -> Reading:
    """Hours of a day on the wall clock; more than 24 runs into the next day."""
    return Reading(midnight(day) + timedelta(hours=first), midnight(day) + timedelta(hours=last), grip)


def at_part(reading: Reading, hours: tuple[int, int]) -> Reading | None:
    """A single day narrowed to a part of it; None when it is not a single whole day."""
    if reading.until - reading.since != DAY:
        return None
    moved = hours_of(reading.since.date(), *hours)
    return replace(reading, since=moved.since, until=moved.until)


def at_hour(reading: Reading, hour: int, minute: int | None) -> Reading | None:
    """A day, or a part of one, narrowed to an hour: that hour, or half an hour around a time with minutes."""
    if reading.until - reading.since > DAY or hour > 24 or (minute or 0) > 59:
        return None
    time_of_day = midnight(reading.since.date()) + timedelta(hours=hour, minutes=minute or 0)
    if time_of_day < reading.since and time_of_day + DAY < reading.until:
        time_of_day += DAY
    since = time_of_day if minute is None else time_of_day - timedelta(minutes=30)
    return replace(reading, since=since, until=since + timedelta(hours=1))


def bounded(reading: Reading, bound: Bound, clock: Clock, *, loose: bool) -> Reading | None:
    """What is since, after, before or until a reading; None when nothing past is left of it.

    Args:
        reading: The time beside the word.
        bound: The word's meaning.
        clock: The moment of the question.
        loose: The bound is an event within that time ("after yesterday's outage"); all of it is kept.
    """
    beginning = datetime.combine(date(FIRST_YEAR, 1, 1), time.min)
    if bound in {Bound.SINCE, Bound.AFTER}:
        since = reading.since if loose or bound is Bound.SINCE else reading.until
        until = max(clock.end_of_today, reading.until) if bound is Bound.SINCE else clock.end_of_today
    else:
        since = beginning
        until = reading.until if loose or bound is Bound.UNTIL else reading.since
    grip = Grip.PAST if reading.grip is Grip.OPEN else reading.grip
    if until > max(clock.end_of_today, reading.since):
        grip = Grip.VAGUE  # "until Friday" looks ahead
    return Reading(since, until, grip) if since < until else None


def measured(reading: Reading, bound: Bound, length: timedelta) -> Reading:
    """A measured time before or after a reading, with the reading itself, on which it was often told."""
    if bound is Bound.AFTER:
        return replace(reading, until=reading.until + length)
    return replace(reading, since=reading.since - length)


def read_rule(rule: Rule, match: re.Match[str], clock: Clock) -> Reading | None:
    """What a rule makes of its match, or None also for a time outside the calendar."""
    try:
        reading = rule.read(match, clock)
    except (OverflowError, ValueError):
        return None
    if reading is None:
        return None
    return reading if reading.since.year >= FIRST_YEAR and reading.until.year <= LAST_YEAR + 1 else None
