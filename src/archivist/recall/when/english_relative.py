"""English expressions that count from today: yesterday, last week, last Tuesday, three days ago, recently."""

import re
from collections.abc import Callable

from msgspec.structs import replace

from archivist.recall.when import days
from archivist.recall.when.amounts import Amount, ago, latest
from archivist.recall.when.clues import WEEKDAYS, alternatives
from archivist.recall.when.days import Days
from archivist.recall.when.english_words import (
    AMBIGUOUS_WEEKDAYS,
    FLAGS,
    LOOSE_COUNTS,
    NUMBERS,
    PART_OF,
    PARTS_OF_DAY,
    UNITS,
    WEEKDAY,
    offset_of,
    rules,
    third_of,
    word,
)
from archivist.recall.when.readings import Clock, Grip, Reading, hours_of, whole
from archivist.records.patterns import late_pattern

_Match = re.Match[str]

_NUMBER = rf"(?:[0-9]{{1,4}}(?:\.[0-9])?|{alternatives(NUMBERS)}(?:[- ]{alternatives(NUMBERS)})?)"
_LOOSE = r"(?P<loose>(?:a\s+)?(?:couple\s+of|couple|few)|several)"
_COUNT = rf"(?:{_LOOSE}|(?P<low>{_NUMBER})(?:\s*(?:or|to|-|–)\s*(?P<high>{_NUMBER}))?)"
COUNT_OR_ONE = rf"(?:{_COUNT}|(?P<half>half\s+an?|half)|an?)"
UNIT = rf"(?P<unit>{alternatives(UNITS)})s?"
_HEDGE = r"(?P<hedge>(?:about|around|roughly|approximately|almost|nearly|some|over|more\s+than)\s+)?"
_CALENDAR_UNIT = r"(?P<unit>week|weekend|month|quarter|year)"

_DAYS_ON = late_pattern(
    r"\s*(?:[?.!,;:)/–-]|$|(?:early|morning|afternoon|evening|night|at|to|and|of|this|last|next|about)\b)",
    FLAGS,
)


def _number(text: str) -> float:
    return (
        float(text) if text[0].isdigit() else sum(NUMBERS[part] for part in re.split(r"[- ]", text.lower()))
    )


def amount_of(match: _Match) -> Amount:
    """The amount of a match of `COUNT_OR_ONE` and `UNIT`."""
    unit = UNITS[word(match, "unit")]
    hedged = bool(word(match, "hedge"))
    low: float
    if word(match, "loose"):
        low, high = LOOSE_COUNTS[word(match, "loose").removeprefix("a ")]
        return Amount(low, high, unit, hedged)
    if word(match, "low"):
        low = _number(match["low"])
        return Amount(low, _number(match["high"]) if match["high"] else low, unit, hedged)
    count = 0.5 if word(match, "half") else 1
    return Amount(count, count, unit, hedged)


def _ago(match: _Match, clock: Clock) -> Reading | None:
    amount = amount_of(match)
    if match["half_more"] or match["half_after"]:
        amount = replace(amount, low=amount.low + 0.5, high=amount.high + 0.5)
    return ago(amount, replace(clock, exact=clock.exact or bool(match["today"])))


def _latest(match: _Match, clock: Clock) -> Reading | None:
    return latest(amount_of(match), clock)


def _present_or_past(offset: int) -> Grip:
    return Grip.PAST if offset < 0 else Grip.OPEN


def _calendar(clock: Clock, unit: str, offset: int) -> Days:
    if unit == "year":
        return days.year(clock.day.year + offset)
    named = {"week": days.week, "weekend": days.weekend, "month": days.month, "quarter": days.quarter}
    return named[unit](clock.day, offset)


def _relative_unit(match: _Match, clock: Clock) -> Reading:
    offset = offset_of(match)
    return whole(_calendar(clock, word(match, "unit"), offset), _present_or_past(offset))


def _unit_before_last(match: _Match, clock: Clock) -> Reading:
    return whole(_calendar(clock, word(match, "unit"), -2))


def _latest_weekend(_: _Match, clock: Clock) -> Reading:
    begun = clock.day.weekday() >= days.SATURDAY
    return whole(days.weekend(clock.day, 0 if begun else -1), Grip.OPEN, floating=True)


def _earlier(match: _Match, clock: Clock) -> Reading:
    unit = word(match, "unit")
    span = whole(_calendar(clock, unit, 0) if unit else days.one_day(clock.day))
    return replace(span, until=min(span.until, clock.end_of_today))


def _part_of_last_month(match: _Match, clock: Clock) -> Reading:
    offset = offset_of(match)
    first = days.month(clock.day, offset).first
    return whole(days.third_of_month(first.year, first.month, third_of(match)), _present_or_past(offset))


def _is_day_name(match: _Match) -> bool:
    """Whether a short name is a day: "on Sun?" and "Sat morning", but not "the light on sun screens"."""
    if word(match, "weekday") not in AMBIGUOUS_WEEKDAYS:
        return True
    return _DAYS_ON.match(match.string, match.end("weekday")) is not None


def _relative_weekday(match: _Match, clock: Clock) -> Reading | None:
    if not _is_day_name(match):
        return None
    weekday, offset = WEEKDAYS[word(match, "weekday")], offset_of(match)
    if offset < 0:
        return whole(days.weekday_before(clock.day, weekday))
    if offset > 0:
        return whole(days.weekday_after(clock.day, weekday), Grip.OPEN)
    return whole(days.weekday_of_week(clock.day, weekday), Grip.OPEN)


def _weekday_of_week(match: _Match, clock: Clock) -> Reading:
    offset = offset_of(match)
    day = days.weekday_of_week(clock.day, WEEKDAYS[word(match, "weekday")], offset)
    return whole(day, _present_or_past(offset))


def _bare_weekday(match: _Match, clock: Clock) -> Reading | None:
    if not _is_day_name(match):
        return None
    day = days.weekday_before(clock.day, WEEKDAYS[word(match, "weekday")])
    return whole(day, Grip.OPEN, floating=True, weak=True)


def _day(offset: int, grip: Grip) -> Callable[[_Match, Clock], Reading]:
    return lambda _, clock: whole(days.one_day(clock.day, offset), grip)


def _part_of_today(match: _Match, clock: Clock) -> Reading:
    return hours_of(clock.day, *PARTS_OF_DAY[word(match, "part") or "night"], Grip.OPEN)


def _part_of_yesterday(match: _Match, clock: Clock) -> Reading:
    return hours_of(days.one_day(clock.day, -1).first, *PARTS_OF_DAY[word(match, "part")])


def _night_before_last(_: _Match, clock: Clock) -> Reading:
    return hours_of(days.one_day(clock.day, -2).first, *PARTS_OF_DAY["night"])


def _loose_past(first: int, last: int) -> Callable[[_Match, Clock], Reading]:
    """From `first` to `last` days ago, and no filter."""
    return lambda _, clock: whole(
        Days(days.one_day(clock.day, -first).first, days.one_day(clock.day, -last).last), Grip.VAGUE
    )


RULES = rules(
    (r"(?:the\s+)?day\s+before\s+yesterday", _day(-2, Grip.PAST)),
    (r"yesterday", _day(-1, Grip.PAST)),
    (r"today", _day(0, Grip.OPEN)),
    (r"tomorrow", _day(1, Grip.OPEN)),
    (r"(?:the\s+)?day\s+after\s+tomorrow", _day(2, Grip.OPEN)),
    (r"tonight|this\s+(?P<part>morning|afternoon|evening)", _part_of_today),
    (r"last\s+(?P<part>night|evening)", _part_of_yesterday),
    (r"(?:the\s+)?night\s+before\s+last(?:\s+night)?", _night_before_last),
    (r"(?:over|at|on)\s+the\s+weekend", _latest_weekend),
    (
        rf"{_HEDGE}{COUNT_OR_ONE}(?P<half_more>\s+and\s+a\s+half)?\s*{UNIT}(?P<half_after>\s+and\s+a\s+half)?\s+(?:ago|back)(?P<today>\s+today)?",
        _ago,
    ),
    (rf"(?:(?:the|these|this)\s+)?(?:last|past|previous)\s+{_COUNT}\s+{UNIT}(?!\s+of\b)", _latest),
    (r"(?:(?:the|this)\s+)?past\s+(?P<unit>hour|day|week|month|year)(?!\s+of\b)", _latest),
    (r"(?:in|over|during|within|for)\s+the\s+last\s+(?P<unit>hour|day|week|month|year)(?!\s+of\b)", _latest),
    (
        rf"(?:the\s+)?(?P<which>last|previous|this|current|next|coming)\s+{_CALENDAR_UNIT}(?!\s+of\b)",
        _relative_unit,
    ),
    (r"(?:this\s+)?(?P<which>past)\s+(?P<unit>weekend|quarter)", _relative_unit),
    (
        rf"(?:the\s+)?{_CALENDAR_UNIT}\s+before\s+last(?:\s+(?:week|weekend|month|quarter|year))?",
        _unit_before_last,
    ),
    (rf"earlier\s+(?:today|this\s+{_CALENDAR_UNIT})", _earlier),
    (rf"{PART_OF}(?P<which>last|this|next)\s+month", _part_of_last_month),
    (rf"(?P<which>last|past|previous|this\s+past|this|next|coming)\s+{WEEKDAY}", _relative_weekday),
    (rf"{WEEKDAY},?\s+(?:of\s+)?(?P<which>last|this|next)\s+week", _weekday_of_week),
    (rf"(?P<which>last|this|next)\s+week(?:'s)?,?\s+(?:on\s+)?{WEEKDAY}", _weekday_of_week),
    (WEEKDAY, _bare_weekday),
    (r"recently|lately|of\s+late", _loose_past(30, 0)),
    (r"(?:the\s+)?other\s+day", _loose_past(14, 1)),
    (r"(?:a\s+while|some\s*time)\s+(?:ago|back)", _loose_past(365, 7)),
    (r"(?:a\s+long\s+time|ages)\s+ago", _loose_past(3650, 90)),
)
