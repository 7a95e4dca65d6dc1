"""English calendar expressions: months, dates, quarters, seasons and years.

A bare month or year is weak: "April" may be a person and "2025" a number until a preposition or a range
says otherwise. "May", "march" and other words in small letters must show by their neighbours that they
are months.
"""

import re

from archivist.recall.when import days
from archivist.recall.when.clues import MONTHS, SEASONS, alternatives
from archivist.recall.when.days import Days
from archivist.recall.when.english_words import (
    AMBIGUOUS_MONTHS,
    FLAGS,
    MAY_IS_A_VERB,
    MONTH,
    ORDINALS,
    PART_OF,
    PLURALS_OF_NO_THING,
    WEEKDAY,
    WHICH_YEAR,
    YEAR,
    offset_of,
    rules,
    third_of,
    word,
)
from archivist.recall.when.readings import Clock, Grip, Reading, whole
from archivist.records.patterns import late_pattern

_Match = re.Match[str]

_NTH = ("first", "second", "third", "fourth", "last")
_FIGURES = r"[0-3]?[0-9]"
_DAY = (
    rf"(?:(?P<day>{_FIGURES})(?P<suffix>st|nd|rd|th)?|(?P<ordinal>{alternatives(ORDINALS)}))\b"
    r"(?!:[0-9]|-?\s?(?:party|person)\b)"
)
_END_DAY = rf"(?:the\s+)?(?P<to>{_FIGURES})(?:st|nd|rd|th)?\b(?!:[0-9])"
_DAY_BEFORE = rf"(?:{WEEKDAY},?\s+)?(?P<week>(?:the\s+)?week\s+of\s+)?"
_YEAR_AFTER = rf"(?:,?\s+{YEAR}|\s+(?:of\s+)?(?P<which>last|this)\s+year\b)"
_TO = r"\s*(?:to|until|till|through|-|–|—)\s*"

_WITHIN = late_pattern(r"\b(?:in|during|throughout|of)\s+$", FLAGS)
_ON = late_pattern(r"\b(?:on|since|before|after|until|till|from|between|of|to)\s+(?:the\s+)?$", FLAGS)
_PLURAL = late_pattern(r"\s+([a-z]+s|[kmgt]i?b|px|percent)\b", FLAGS)
_DAY_NUMBER = late_pattern(r"(?<![\w.])[0-3]?[0-9](?:st|nd|rd|th)?\s+(?:of\s+)?$", FLAGS)
_ENDS = late_pattern(r"\s*(?:[?.!,;:)]|$)")


def _before(match: _Match, pattern: re.Pattern[str]) -> bool:
    return pattern.search(match.string[max(0, match.start() - 20) : match.start()]) is not None


def _counts_things(match: _Match) -> bool:
    """Whether a plural follows, so that the number before it is a count ("in 2000 rows")."""
    follows = _PLURAL.match(match.string, match.end())
    return follows is not None and follows[1].lower() not in PLURALS_OF_NO_THING


def _is_month_word(match: _Match) -> bool:
    """Whether "may" in small letters is the month."""
    if match["month"] != "may" or _before(match, _WITHIN):
        return True
    if word(match, "which") == "this" and not word(match, "year"):
        return _ENDS.match(match.string, match.end()) is not None
    return MAY_IS_A_VERB.match(match.string, match.end()) is None


def _is_date(match: _Match) -> bool:
    """Whether a month beside a number is one: "on may 3", but not "march 3 miles" or "the 3rd may fail"."""
    if any(word(match, given) for given in ("year", "which", "weekday", "week", "of", "range")):
        return True
    if match["month"].islower() and match["month"] in AMBIGUOUS_MONTHS:
        month_first = match.start("month") < max(match.start("day"), match.start("ordinal"))
        return _before(match, _ON) or (month_first and bool(match["suffix"]))
    return bool(match.string[: match.start()].strip()) or not _counts_things(match)


def _month_and_year(match: _Match, clock: Clock) -> tuple[int, int, bool]:
    """Year, month, and whether the year had to be chosen."""
    month = MONTHS[word(match, "month")]
    if word(match, "year"):
        return int(match["year"]), month, False
    if word(match, "which"):
        return clock.day.year + offset_of(match), month, False
    return days.latest_year_of_month(clock.day, month), month, True


def _month(match: _Match, clock: Clock) -> Reading | None:
    if not _is_month_word(match) or _before(match, _DAY_NUMBER):
        return None  # "31 April" is no day, and not April either
    year, month, floating = _month_and_year(match, clock)
    return whole(days.months(year, month), Grip.DATED, floating=floating, weak=floating)


def _relative_month(match: _Match, clock: Clock) -> Reading | None:
    if not _is_month_word(match):
        return None
    month, today, offset = MONTHS[word(match, "month")], clock.day, offset_of(match)
    not_this_year = offset * (month - today.month) <= 0
    year = today.year + (offset if not_this_year else 0)
    return whole(days.months(year, month), Grip.PAST if offset < 0 else Grip.DATED)


def _part_of_month(match: _Match, clock: Clock) -> Reading | None:
    if not _is_month_word(match):
        return None
    year, month, floating = _month_and_year(match, clock)
    return whole(days.third_of_month(year, month, third_of(match)), Grip.DATED, floating=floating)


def _week_of_month(match: _Match, clock: Clock) -> Reading:
    year, month, floating = _month_and_year(match, clock)
    span = days.months(year, month)
    nth = _NTH.index(word(match, "nth"))
    monday = span.last.day - 6 if nth == 4 else 1 + 7 * nth
    first, last = span.first.replace(day=monday), span.first.replace(day=monday + 6)
    through = min(days.week(last).last, span.last)  # weeks are counted by sevens and by calendar weeks
    return whole(Days(first, through), Grip.DATED, floating=floating)


def _date(match: _Match, clock: Clock) -> Reading | None:
    if not _is_date(match):
        return None
    day = ORDINALS[word(match, "ordinal")] if match["ordinal"] else int(match["day"])
    year, month, floating = _month_and_year(match, clock)
    found = days.latest_date(clock.day, month, day) if floating else days.date_or_none(year, month, day)
    if found is None:
        return None
    return whole(days.week(found) if match["week"] else days.one_day(found), Grip.DATED, floating=floating)


def _day_of_month(match: _Match, clock: Clock) -> Reading | None:
    found = days.latest_day_of_month(clock.day, int(match["day"]))
    return whole(days.one_day(found), Grip.DATED, floating=True) if found else None


def _days_of_month(match: _Match, clock: Clock) -> Reading | None:
    if (match["and"] and word(match, "range") != "between") or not _is_date(match) or _counts_things(match):
        return None
    year, month, floating = _month_and_year(match, clock)
    to = int(match["to"])
    last = days.latest_date(clock.day, month, to) if floating else days.date_or_none(year, month, to)
    first = days.date_or_none(last.year, month, int(match["day"] or 0)) if last else None
    if first is None or last is None or first > last:
        return None
    return whole(Days(first, last), Grip.DATED, floating=floating)


def _year(match: _Match, clock: Clock) -> Reading | None:
    number = int(match["year"])
    if not 1970 <= number <= clock.day.year + 10 or _counts_things(match):
        return None
    return whole(days.year(number), Grip.DATED, weak=True)


def _part_of_year(match: _Match, clock: Clock) -> Reading:
    number = int(match["year"]) if match["year"] else clock.day.year + offset_of(match)
    return whole(days.third_of_year(number, third_of(match)), Grip.DATED)


def _season(match: _Match, _: Clock) -> Reading | None:
    if _counts_things(match):
        return None
    return whole(days.season(int(match["year"]), SEASONS[word(match, "season")]), Grip.DATED)


def _relative_season(match: _Match, clock: Clock) -> Reading:
    first_month, offset, year = SEASONS[word(match, "season")], offset_of(match), clock.day.year
    while offset < 0 and days.season(year, first_month).last >= clock.day:
        year -= 1
    if offset > 0 and days.season(year, first_month).first <= clock.day:
        year += 1
    return whole(days.season(year, first_month), Grip.PAST if offset < 0 else Grip.OPEN)


def _quarter(match: _Match, clock: Clock) -> Reading:
    first_month = 3 * int(match["quarter"]) - 2
    floating = not (word(match, "year") or word(match, "which"))
    year = int(match["year"]) if word(match, "year") else clock.day.year + offset_of(match)
    if floating:
        year = days.latest_year_of_month(clock.day, first_month)
    return whole(days.months(year, first_month, 3), Grip.DATED, floating=floating, weak=floating)


_AND = r"(?P<and>\s+and\s+)"
_RANGE_BEFORE = r"(?P<range>between\s+|from\s+)?(?:the\s+)?"

RULES = rules(
    (
        rf"{_RANGE_BEFORE}{_DAY}(?:{_TO}|{_AND}){_END_DAY}\s+(?P<of>of\s+)?{MONTH}{_YEAR_AFTER}?",
        _days_of_month,
    ),
    (rf"{_RANGE_BEFORE}{MONTH}\s+(?:the\s+)?{_DAY}(?:{_TO}|{_AND}){_END_DAY}{_YEAR_AFTER}?", _days_of_month),
    (rf"{_DAY_BEFORE}(?:the\s+)?{_DAY}\s+(?P<of>of\s+)?{MONTH}{_YEAR_AFTER}?", _date),
    (rf"{_DAY_BEFORE}{MONTH}\s+(?:the\s+)?{_DAY}{_YEAR_AFTER}?", _date),
    (rf"on\s+the\s+(?P<day>{_FIGURES})(?:st|nd|rd|th)(?=\s*(?:[?.!,;)]|$))", _day_of_month),
    (rf"{PART_OF}{MONTH}{WHICH_YEAR}?", _part_of_month),
    (rf"(?:the\s+)?(?P<nth>{alternatives(_NTH)})\s+week\s+(?:of|in)\s+{MONTH}{WHICH_YEAR}?", _week_of_month),
    (rf"(?P<which>last|past|this\s+past|this|next|coming)\s+{MONTH}", _relative_month),
    (rf"(?P<which>last|this|next)\s+year(?:'s)?,?\s+(?:in\s+)?{MONTH}", _month),
    (rf"{MONTH}{WHICH_YEAR}?", _month),
    (rf"{PART_OF}(?:{YEAR}|(?P<which>last|this|next)\s+year)", _part_of_year),
    (rf"(?P<season>{alternatives(SEASONS)})(?:\s+of)?\s+{YEAR}", _season),
    (rf"(?P<which>last|past|this\s+past|this|next)\s+(?P<season>{alternatives(SEASONS)})", _relative_season),
    (rf"Q(?P<quarter>[1-4]){WHICH_YEAR}?", _quarter),
    (r"(?P<year>20[0-9]{2})[- ]?Q(?P<quarter>[1-4])", _quarter),
    (YEAR, _year),
)
