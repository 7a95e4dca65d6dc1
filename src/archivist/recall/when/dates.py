"""Dates written in figures, which need no language: 2026-03-20, 20.03.2026, 03/04/2026, 2026-03-20T15:04.

A date must stand alone: one inside a file name, a ticket, a version, a path or a longer number is a name
and stays one. `a/b/year` is read by whichever order gives a date; where both do, the month comes first,
as it comes before the day in ISO 8601 (03/04/2026 is 4 March). Dotted dates are day first, or year first
with two-digit parts, since 2026.3.4 is how many programs write a version.
"""

import re
from datetime import date, datetime, timedelta

from archivist.recall.when.days import date_or_none, one_day
from archivist.recall.when.readings import Clock, Grip, Reading, Rule, whole

_ALONE_BEFORE = r"(?<![\w./:@#$€£¥+-])"
_ALONE_AFTER = r"(?![\w/@%-]|\.\w|[:,][0-9])"


def _dated(day: date | None) -> Reading | None:
    return None if day is None else whole(one_day(day), Grip.DATED)


def _iso(match: re.Match[str], _: Clock) -> Reading | None:
    month, day = match["m"] or match["m2"], match["d"] or match["d2"]
    return _dated(date_or_none(int(match["y"]), int(month), int(day)))


def _day_first(match: re.Match[str], _: Clock) -> Reading | None:
    return _dated(date_or_none(int(match["y"]), int(match["m"]), int(match["d"])))


def _either_order(match: re.Match[str], _: Clock) -> Reading | None:
    year, first, second = int(match["y"]), int(match["a"]), int(match["b"])
    return _dated(date_or_none(year, first, second) or date_or_none(year, second, first))


def _iso_time(match: re.Match[str], clock: Clock) -> Reading | None:
    moment = datetime.fromisoformat(match[0].upper().replace(" ", "T"))
    if moment.tzinfo is not None:
        moment = moment.astimezone(clock.instant.tzinfo).replace(tzinfo=None)
    half_hour = timedelta(minutes=30)
    return Reading(moment - half_hour, moment + half_hour, Grip.DATED)


RULES = (
    Rule(
        _ALONE_BEFORE + r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?"
        r"(?:Z|z|[+-][0-9]{2}:?[0-9]{2})?" + _ALONE_AFTER,
        re.ASCII,
        _iso_time,
    ),
    Rule(
        _ALONE_BEFORE + r"(?P<y>[0-9]{4})(?:(?P<mark>[-/])(?P<m>[0-9]{1,2})(?P=mark)(?P<d>[0-9]{1,2})"
        r"|\.(?P<m2>[0-9]{2})\.(?P<d2>[0-9]{2}))" + _ALONE_AFTER,
        re.ASCII,
        _iso,
    ),
    Rule(
        _ALONE_BEFORE
        + r"(?P<d>[0-9]{1,2})\.[ ]?(?P<m>[0-9]{1,2})\.[ ]?(?P<y>(?:19|20|21)[0-9]{2})"
        + _ALONE_AFTER,
        re.ASCII,
        _day_first,
    ),
    Rule(
        _ALONE_BEFORE
        + r"(?P<a>[0-9]{1,2})(?P<mark>[/-])(?P<b>[0-9]{1,2})(?P=mark)(?P<y>(?:19|20|21)[0-9]{2})"
        + _ALONE_AFTER,
        re.ASCII,
        _either_order,
    ),
)
