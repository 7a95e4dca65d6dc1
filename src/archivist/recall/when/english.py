"""The English grammar: its rules, and the words that narrow, bound, join or soften an expression."""

import re
from datetime import timedelta

from archivist.recall.when import clues, dates, english_dates, english_relative
from archivist.recall.when.clues import WEEKDAYS, alternatives
from archivist.recall.when.english_relative import COUNT_OR_ONE, UNIT, amount_of
from archivist.recall.when.english_words import (
    ABOUT,
    AHEAD,
    FLAGS,
    PARTS_OF_DAY,
    PAST,
)
from archivist.recall.when.readings import Bound, Grammar, Narrowed, Reading, at_hour, at_part
from archivist.records.patterns import late_pattern

_PART = rf"(?P<part>{alternatives(PARTS_OF_DAY)})"
_TIME = r"(?P<hour>[0-9]{1,2})(?::(?P<minute>[0-9]{2}))?\s*(?P<half>[ap]\.?m\b\.?|o'clock\b)?"

_HOUR_AFTER = late_pattern(
    rf"(?:,?\s+(?:at|around|about))?,?\s+{_TIME}(?![\w:%]|\.[0-9]|\s*(?:-|–|to\b|until\b)\s*[0-9])", FLAGS
)
_PART_AFTER = late_pattern(rf",?\s+(?:in\s+the\s+|at\s+)?{_PART}\b", FLAGS)
_HOUR_BEFORE = late_pattern(
    rf"(?<![\w:.–-])(?<!to\s)(?<!and\s)(?<![–-]\s)(?:at\s+)?{_TIME}\s+(?:on\s+)?$", FLAGS
)
_PART_BEFORE = late_pattern(rf"\b(?:in\s+)?the\s+{_PART}\s+(?:of|on)\s+(?:the\s+)?$", FLAGS)
_NOON_BEFORE = late_pattern(r"\bat\s+(?P<part>noon|midday|lunch(?:time)?)\s+(?:on\s+)?$", FLAGS)

_MEASURE = late_pattern(
    rf"(?<![\w.-])(?:(?:the\s+)?(?P<day_name>weekend|night|{alternatives(WEEKDAYS)})"
    rf"|(?:the\s+|{COUNT_OR_ONE}\s*){UNIT})\s+$",
    FLAGS,
)
_LEAD = late_pattern(
    r"(?:\b(?:on|in|during|throughout|since|after|before|until|till|from|of|around|by|starting|prior\s+to|up\s+to)\s+"
    r"(?:the\s+)?|[在于从自]\s?)$",
    FLAGS,
)
_DAY_NAME = late_pattern(r"[a-z]+day\b", FLAGS)
_BOUND_BEHIND = late_pattern(r"\s+onwards?\b|\s?(?:之后|以后|以来|之前|以前)", FLAGS)
_BEHIND = late_pattern(r"(?:^|[,;:.?!(]\s*)$")
_NOT_A_NAME = late_pattern(r"(?<!\w)(?:the|an?|every|each|per|any|our|your|my|his|her|their|for)\s+$", FLAGS)
_CLOSED = late_pattern(r"\s*(?:[?.!,;)]|$)")


def _time(match: re.Match[str], reading: Reading) -> Reading | None:
    if not match["minute"] and not match["half"]:
        return None
    hour, half = int(match["hour"]), (match["half"] or "").lower()[:1]
    if half in {"a", "p"}:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    return at_hour(reading, hour, int(match["minute"]) if match["minute"] else None)


def _narrow(text: str, start: int, end: int, reading: Reading) -> Narrowed | None:
    before = text[max(0, start - 40) : start]
    for pattern, part in ((_HOUR_AFTER, False), (_PART_AFTER, True)):
        match = pattern.match(text, end)
        narrowed = match and (
            at_part(reading, PARTS_OF_DAY[match["part"].lower()]) if part else _time(match, reading)
        )
        if match and narrowed:
            return Narrowed(start, match.end(), narrowed)
    for pattern, part in ((_HOUR_BEFORE, False), (_PART_BEFORE, True), (_NOON_BEFORE, True)):
        match = pattern.search(before)
        narrowed = match and (
            at_part(reading, PARTS_OF_DAY[match["part"].lower()]) if part else _time(match, reading)
        )
        if match and narrowed:
            return Narrowed(start - len(before) + match.start(), end, narrowed)
    return None


def _stands(text: str, start: int, end: int) -> bool:
    """Whether a preposition or bound makes it a time, or a weekday ends a clause: what did she say Monday?"""
    before = text[max(0, start - 20) : start]
    if _LEAD.search(before) or _BOUND_BEHIND.match(text, end):
        return True
    weekday = _DAY_NAME.match(text, start) is not None
    return (
        weekday
        and not _NOT_A_NAME.search(before)
        and bool(_CLOSED.match(text, end) or _BEHIND.search(before))
    )


def _measure_before(before: str) -> tuple[int, timedelta] | None:
    match = _MEASURE.search(before)
    if match is None:
        return None
    return match.start(), timedelta(days=7) if match["day_name"] else amount_of(match).longest


def _before(pattern: str) -> re.Pattern[str]:
    return late_pattern(rf"(?<![\w-])(?:{pattern})\s+(?:the\s+)?$", FLAGS)


GRAMMAR = Grammar(
    clue=clues.ENGLISH,
    rules=dates.RULES + english_relative.RULES + english_dates.RULES,
    narrow=_narrow,
    stands=_stands,
    also=late_pattern(r"\s*(?:,|,?\s*\b(?:and|or)\b)\s*(?:in\s+)?", FLAGS),
    range_before=_before("between|from"),
    range_joiner=late_pattern(r"\s*(?:to|and|until|till|through|thru|up\s+to|-|–|—)\s*(?:the\s+)?", FLAGS),
    bare_joiner=late_pattern(r"\s*(?:to|until|through|thru|-|–|—)\s*(?:the\s+)?", FLAGS),
    range_after=late_pattern(r""),
    measure_before=_measure_before,
    measure_after=lambda _text, _end: None,
    bounds_before=(
        (_before(r"(?:ever\s+)?since|starting(?:\s+(?:on|from|in))?"), Bound.SINCE),
        (_before(r"after|later\s+than"), Bound.AFTER),
        (_before(r"before|prior\s+to|earlier\s+than"), Bound.BEFORE),
        (_before(r"until|till|up\s+(?:to|until)"), Bound.UNTIL),
    ),
    bounds_after=(
        (
            late_pattern(r"\s+onwards?\b|\s+(?:to|until|till|up\s+to)\s+(?:now|date|the\s+present)\b", FLAGS),
            Bound.SINCE,
        ),
    ),
    possessive=late_pattern(r"['’](?:s\b|(?=\s))", re.ASCII),
    naming_before=late_pattern(
        r"(?<!\w)(?:the|an?|our|your|my|his|her|their|is|by|for|dated|version|release|v)\s+$", FLAGS
    ),
    sentence_end=".?!;\n",
    past=PAST,
    ahead=AHEAD,
    about=ABOUT,
)
