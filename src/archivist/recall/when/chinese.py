"""Chinese time expressions, simplified and traditional: the rules and the words around them."""

import re
from collections.abc import Callable
from datetime import timedelta

from msgspec.structs import replace

from archivist.recall.when import clues, days
from archivist.recall.when.amounts import Amount, Unit, ago, latest
from archivist.recall.when.chinese_words import (
    ABOUT,
    AHEAD,
    DAY,
    LOOSE_COUNTS,
    MONTH,
    NO_NUMBER_BEFORE,
    NOT_A_MONTH,
    NUMBER,
    NUMERAL,
    PARTS_OF_DAY,
    PAST,
    RELATIVE_YEARS,
    SEASONS,
    THIRDS,
    UNIT,
    UNITS,
    WEEK_NAME,
    WEEKDAY,
    WEEKDAYS,
    YEAR,
    count,
    number,
    part,
    rules,
)
from archivist.recall.when.days import Days
from archivist.recall.when.readings import (
    Bound,
    Clock,
    Grammar,
    Grip,
    Narrowed,
    Reading,
    at_hour,
    at_part,
    hours_of,
    whole,
)
from archivist.records.patterns import late_pattern

_Match = re.Match[str]

_LOOSE = "|".join(sorted(LOOSE_COUNTS, key=len, reverse=True))
_COUNT = rf"(?P<count>{_LOOSE}|{NUMBER}[几多]?)\s?"
_AMOUNT = rf"(?:{_COUNT}{UNIT}(?P<more>半)?|(?P<half>半)\s?{UNIT.replace('unit', 'half_unit')})"
_WHICH_WEEK = (
    r"(?P<which>上上|大上|(?<![早晚马以之加网路手身向])上|这一|(?<![基版样])本|这|下下|(?<![以之如])下)"
)
_OFFSETS = {"上上": -2, "大上": -2, "上": -1, "这一": 0, "本": 0, "这": 0, "下": 1, "下下": 2}
_WHICH_MONTH = (
    r"(?:(?P<which>上上|(?<![早晚马以之加])上|这一|这|下下|(?<![以之])下)个(?:月(?!薪|亮|球|饼))"
    r"|(?P<short_which>(?<![早晚马以之加路])上|本|(?<![以之])下)月(?![亮球饼薪光]))"
)
_PART_OF_YEAR = (
    r"的?(?P<season>[春夏秋冬])[天季]?|(?P<half_year>[上下])半年|第?(?P<quarter>[1-4一二三四])季度?"
    r"|年?(?P<third>初|中(?![心文国间])|底(?!层)|末)"
)
_DAY_NAME = r"(?:\s?[(（]?(?:周|星期|礼拜)[一二三四五六日天](?:[)）]|(?=[\s上下晚早])))?"
_THIRD = r"(?P<third>上旬|中旬|下旬|初|中(?![心文国间])|底(?!层)|末)"


def _grip(offset: int) -> Grip:
    return Grip.PAST if offset < 0 else Grip.OPEN


def _amount(match: _Match) -> Amount:
    if part(match, "half"):
        return Amount(0.5, 0.5, UNITS[match["half_unit"]])
    low, high = count(match["count"])
    half = 0.5 if match["more"] else 0
    return Amount(low + half, high + half, UNITS[match["unit"]])


def _half_of_two(match: _Match, clock: Clock) -> Reading | None:
    """两个半月前: the half stands before the unit."""
    unit = UNITS.get(match["unit"], Unit.MONTH)
    return ago(Amount(number(match["count"]) + 0.5, number(match["count"]) + 0.5, unit), clock)


def _ago(match: _Match, clock: Clock) -> Reading | None:
    return ago(_amount(match), clock)


def _ago_today(match: _Match, clock: Clock) -> Reading | None:
    """一年前的今天: the very day."""
    return ago(_amount(match), replace(clock, exact=True))


def _today_of_year(match: _Match, clock: Clock) -> Reading | None:
    year = _year_number(match, clock)
    found = days.date_or_none(year, clock.day.month, clock.day.day) if year else None
    return None if found is None else whole(days.one_day(found), _year_grip(match))


def _half_of_year(match: _Match, clock: Clock) -> Reading:
    return whole(_part_of_year(match, clock.day.year), Grip.OPEN)


def _latest(grip: Grip | None = None) -> Callable[[_Match, Clock], Reading | None]:
    def read(match: _Match, clock: Clock) -> Reading | None:
        reading = latest(_amount(match), clock)
        return replace(reading, grip=grip) if reading and grip and reading.grip is Grip.PAST else reading

    return read


def _day(offset: int) -> Callable[[_Match, Clock], Reading]:
    return lambda _, clock: whole(days.one_day(clock.day, offset), _grip(offset))


def _day_part(match: _Match, clock: Clock) -> Reading:
    offset = {"昨": -1, "前": -2, "今": 0, "明": 1}[match["which"]]
    day = days.one_day(clock.day, offset).first
    return hours_of(day, *PARTS_OF_DAY[match["part"]], _grip(offset))


def _week(match: _Match, clock: Clock) -> Reading:
    offset = _OFFSETS[match["which"]]
    if part(match, "weekday"):
        day = days.weekday_of_week(clock.day, WEEKDAYS[match["weekday"]], offset)
        return whole(day, _grip(offset))
    span = days.weekend(clock.day, offset) if part(match, "weekend") else days.week(clock.day, offset)
    return whole(span, _grip(offset))


def _bare_weekday(match: _Match, clock: Clock) -> Reading:
    return whole(days.weekday_before(clock.day, WEEKDAYS[match["weekday"]]), Grip.OPEN, floating=True)


def _relative_month(match: _Match, clock: Clock) -> Reading | None:
    offset = _OFFSETS[match["which"] or match["short_which"]]
    span = days.month(clock.day, offset)
    if part(match, "third"):
        third = days.third_of_month(span.first.year, span.first.month, THIRDS[match["third"]])
        return whole(third, _grip(offset))
    if part(match, "day"):
        day = days.date_or_none(span.first.year, span.first.month, number(match["day"]))
        return None if day is None else whole(days.one_day(day), _grip(offset))
    return whole(span, _grip(offset))


def _year_number(match: _Match, clock: Clock) -> int | None:
    """The year that is named, or None when none is."""
    if part(match, "year"):
        return int(match["year"])
    if part(match, "short"):
        return 2000 + int(match["short"])
    if part(match, "written"):
        return int("".join(str(number(digit)) for digit in match["written"]))
    return clock.day.year + RELATIVE_YEARS[match["relative"]] if part(match, "relative") else None


def _year_grip(match: _Match) -> Grip:
    relative = part(match, "relative")
    return _grip(RELATIVE_YEARS[relative]) if relative else Grip.DATED


def _month(match: _Match, clock: Clock) -> Reading | None:
    month, year = number(match["month"]), _year_number(match, clock)
    floating = year is None
    if part(match, "day"):
        day = number(match["day"])
        given = days.date_or_none(year, month, day) if year else days.latest_date(clock.day, month, day)
        span = None if given is None else days.one_day(given)
    else:
        chosen = year or days.latest_year_of_month(clock.day, month)
        third = part(match, "third")
        span = days.third_of_month(chosen, month, THIRDS[third]) if third else days.months(chosen, month)
    return None if span is None else whole(span, _year_grip(match), floating=floating)


def _days_of_month(match: _Match, clock: Clock) -> Reading | None:
    month, year, last_day = number(match["month"]), _year_number(match, clock), number(match["to"])
    last = (
        days.latest_date(clock.day, month, last_day)
        if year is None
        else days.date_or_none(year, month, last_day)
    )
    first = days.date_or_none(last.year, month, number(match["from"])) if last else None
    if first is None or last is None or first > last:
        return None
    return whole(Days(first, last), _year_grip(match), floating=year is None)


def _year(match: _Match, clock: Clock) -> Reading | None:
    year = _year_number(match, clock)
    if year is None:
        return None
    return whole(_part_of_year(match, year), _year_grip(match))


def _part_of_year(match: _Match, year: int) -> Days:
    if part(match, "season"):
        return days.season(year, SEASONS[match["season"]])
    if part(match, "half_year"):
        return days.months(year, 1 if match["half_year"] == "上" else 7, 6)
    if part(match, "quarter"):
        return days.months(year, 3 * number(match["quarter"]) - 2, 3)
    if part(match, "third"):
        return days.third_of_year(year, THIRDS[match["third"]])
    return days.year(year)


def _quarter(match: _Match, clock: Clock) -> Reading:
    offset = _OFFSETS[match["which"]]
    return whole(days.quarter(clock.day, offset), _grip(offset))


def _beginning(match: _Match, clock: Clock) -> Reading:
    today = clock.day
    span = (
        days.third_of_year(today.year, 0)
        if match["of"] == "年"
        else days.third_of_month(today.year, today.month, 0)
    )
    return whole(span, Grip.OPEN)


def _loose_past(first: int, last: int) -> Callable[[_Match, Clock], Reading]:
    """From `first` to `last` days ago, and no filter."""
    return lambda _, clock: whole(
        Days(days.one_day(clock.day, -first).first, days.one_day(clock.day, -last).last), Grip.VAGUE
    )


_NOT_BEFORE = r"(?![后端面台线])"
_RULES = rules(
    (r"大前[天日]", _day(-3)),
    (rf"(?<![以之目提大{NUMERAL}0-9])前[天日](?![气线])", _day(-2)),
    (r"昨[天日]", _day(-1)),
    (r"(?<![如当])今[天日](?!头条)", _day(0)),
    (r"(?<![说证表声])明[天日]", _day(1)),
    (rf"(?<![以之先大{NUMERAL}0-9])后天(?![性])", _day(2)),
    (
        r"(?P<which>昨|(?<![以之目])前|今|(?<![说证表声])明)(?P<part>凌晨|早上|早|晨|晚上|晚|夜里|夜)(?![报餐饭会])",
        _day_part,
    ),
    (rf"{NO_NUMBER_BEFORE}{_AMOUNT}(?:之前|以前|前){_NOT_BEFORE}", _ago),
    (
        rf"{NO_NUMBER_BEFORE}(?P<count>{NUMBER})个半(?P<unit>小时|钟头|星期|礼拜|月)(?:之前|以前|前){_NOT_BEFORE}",
        _half_of_two,
    ),
    (rf"(?:最近|过去|(?<![附靠接亲最])近|过往)的?这?{_AMOUNT}(?:之内|以内|以来|内)?", _latest()),
    (rf"(?<![0-9.{NUMERAL}第每]){_AMOUNT}以来", _latest()),
    (rf"(?<![0-9.{NUMERAL}第每]){_AMOUNT}(?:之内|以内|内)(?![容存部])", _latest(Grip.OPEN)),
    (rf"这{_AMOUNT}", _latest(Grip.OPEN)),
    (rf"{_WHICH_WEEK}{WEEK_NAME}{WEEKDAY}", _week),
    (rf"{_WHICH_WEEK}{WEEK_NAME}(?P<weekend>末)?", _week),
    (rf"(?<![0-9{NUMERAL}个每隔双单半整几多全四上下这本])(?:周|星期|礼拜){WEEKDAY}", _bare_weekday),
    (rf"{_WHICH_MONTH}(?:的?{_THIRD}|的?{DAY})?", _relative_month),
    (
        rf"(?:从|自)?(?:{YEAR}的?)?{MONTH}\s?(?P<from>{NUMBER})[日号]?\s?[到至~—–-]\s?(?P<to>{NUMBER})[日号]",
        _days_of_month,
    ),
    (
        rf"(?:{YEAR}的?\s?)?{MONTH}{NOT_A_MONTH}(?:\s?{DAY}{_DAY_NAME}|的?{_THIRD}|(?!\s?[0-9十]{{1,3}}[日号]))",
        _month,
    ),
    (rf"{YEAR}(?:{_PART_OF_YEAR})?", _year),
    (rf"{YEAR}的?今[天日]", _today_of_year),
    (rf"{NO_NUMBER_BEFORE}{_AMOUNT}(?:之前|以前|前)的?今[天日]", _ago_today),
    (r"(?<!年)(?P<half_year>[上下])半年", _half_of_year),
    (r"(?P<which>上|这|本|下)个?季度", _quarter),
    (rf"(?<![0-9{NUMERAL}今去前明后个上下本这])(?P<of>[年月])初(?![一二三四五六七八九十])", _beginning),
    (r"最近|近来|近期|近日|这阵子|这段时间", _loose_past(30, 0)),
    (r"(?<![以之目])前(?:几|些|两|三|两三)[天日]", _loose_past(10, 1)),
    (rf"(?<![以之目提从先{NUMERAL}0-9])前{_AMOUNT}(?!前)", _latest(Grip.VAGUE)),
    (r"(?<![以之目])前(?:一?阵子?|段时间|些时候|些日子)|不久(?:之|以)?前", _loose_past(120, 2)),
    (r"(?:很久|好久|许久)(?:之|以)?前", _loose_past(3650, 60)),
)

_PART = "(?P<part>" + "|".join(sorted(PARTS_OF_DAY, key=len, reverse=True)) + ")"
_PART_AFTER = late_pattern(rf"的?\s?{_PART}(?![报餐饭安])(?!(?<=晚)[了点到]|(?<=早)[就已先期些])", re.ASCII)
_HOUR_AFTER = late_pattern(
    rf"的?\s?(?P<hour>[0-9]{{1,2}}|[{NUMERAL}]{{1,3}})(?:\s?[点时](?!间|候|代)"
    rf"(?:(?P<minute>[0-5][0-9]|[{NUMERAL}]{{2,3}})分?|(?P<half>半)|钟|整)?"
    rf"|:(?P<colon>[0-5][0-9]))(?!半?\s?[到至~–-]\s?[0-9{NUMERAL}])",
    re.ASCII,
)

_MEASURE_AFTER = late_pattern(rf"的?(?P<direction>[前后])的?{_AMOUNT}", re.ASCII)


def _narrow(text: str, start: int, end: int, reading: Reading) -> Narrowed | None:
    for pattern, narrow in ((_PART_AFTER, _to_part), (_HOUR_AFTER, _to_hour)):
        match = pattern.match(text, end)
        narrowed = narrow(match, reading) if match else None
        if match and narrowed:
            return Narrowed(start, match.end(), narrowed)
    return None


def _to_part(match: _Match, reading: Reading) -> Reading | None:
    return at_part(reading, PARTS_OF_DAY[match["part"]])


def _to_hour(match: _Match, reading: Reading) -> Reading | None:
    try:
        hour = number(match["hour"])
        written = match["minute"] or match["colon"]
        minute = 30 if match["half"] else number(written) if written else None
    except ValueError:
        return None
    if reading.since.hour >= 12 and 1 <= hour < 12 and not (hour < 6 and reading.since.hour >= 17):
        hour += 12
    return at_hour(reading, hour, minute)


def _measure_after(text: str, end: int) -> tuple[int, Bound, timedelta] | None:
    match = _MEASURE_AFTER.match(text, end)
    if match is None:
        return None
    try:
        length = _amount(match).longest
    except ValueError:
        return None
    return match.end(), Bound.BEFORE if match["direction"] == "前" else Bound.AFTER, length


def _after(pattern: str) -> re.Pattern[str]:
    return late_pattern(rf"\s?(?:{pattern})", re.ASCII)


GRAMMAR = Grammar(
    clue=clues.CHINESE,
    rules=_RULES,
    narrow=_narrow,
    stands=lambda _text, _start, _end: True,
    also=late_pattern(r"(?!)"),
    range_before=late_pattern(r"(?:从|自|由|在)\s?$"),
    range_joiner=late_pattern(r"\s?(?:到|至|~|-|—|–|和|与)\s?"),
    bare_joiner=late_pattern(r"\s?(?:到|至|~|-|—|–)\s?"),
    range_after=late_pattern(r"(?:之间|期间|为止|这段时间)?"),
    measure_before=lambda _before: None,
    measure_after=_measure_after,
    bounds_before=(
        (late_pattern(r"(?:自从|自)\s?$"), Bound.SINCE),
        (late_pattern(r"(?:截至|截止到?|直到)\s?$"), Bound.UNTIL),
    ),
    bounds_after=(
        (
            _after(r"以来|至今|到现在|到今天|到目前(?:为止)?|起(?![床来草诉名初因点步义码飞])|开始"),
            Bound.SINCE,
        ),
        (_after(r"之后|以后|后(?![端面台来续果悔勤备门])"), Bound.AFTER),
        (_after(r"之前|以前|前(?![后端面台天年期往辈锋提任置缀言景几些两])"), Bound.BEFORE),
        (_after(r"为止"), Bound.UNTIL),
    ),
    possessive=late_pattern(r"(?!)"),
    naming_before=late_pattern(r"(?:是|为|版本)\s?$"),
    sentence_end="。？！；，\n?!;",
    past=PAST,
    ahead=AHEAD,
    about=ABOUT,
)
