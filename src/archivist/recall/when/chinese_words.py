"""The Chinese vocabulary of time: numerals, units, weekdays, years, parts of the day, tense.

Chinese has no spaces, so each piece carries the characters that would make it a part of another word: in
上周日报 the 日 belongs to a daily report and not to Sunday, and 前端 is not "before".
"""

import re
from collections.abc import Callable

from archivist.recall.when.amounts import Unit
from archivist.recall.when.readings import Clock, Reading, Rule
from archivist.records.patterns import late_pattern

DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_DIGIT = "[一二两三四五六七八九]"
_NUMERALS = late_pattern(rf"(?:({_DIGIT}?)百)?零?(?:({_DIGIT}?)十)?({_DIGIT}|(?<!.)[零〇])?")
NUMERAL = "零〇一二两三四五六七八九十百"
NUMBER = rf"(?:[0-9]{{1,4}}|[{NUMERAL}]{{1,6}})"
NO_NUMBER_BEFORE = rf"(?<![0-9.{NUMERAL}千万半第每隔整数单双月])"

UNITS = {
    "分钟": Unit.MINUTE, "个小时": Unit.HOUR, "小时": Unit.HOUR, "个钟头": Unit.HOUR, "钟头": Unit.HOUR,
    "天": Unit.DAY, "日": Unit.DAY, "个星期": Unit.WEEK, "星期": Unit.WEEK, "个礼拜": Unit.WEEK,
    "礼拜": Unit.WEEK, "个周": Unit.WEEK, "周": Unit.WEEK, "个月": Unit.MONTH, "个季度": Unit.QUARTER,
    "季度": Unit.QUARTER, "年": Unit.YEAR,
}  # fmt: skip
UNIT = "(?P<unit>" + "|".join(sorted(UNITS, key=len, reverse=True)) + ")"

LOOSE_COUNTS = {"几": (2, 9), "好几": (3, 9), "数": (2, 9), "若干": (2, 9)}
"""What a loose count covers; 几 stays under ten."""

WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
WEEKDAY = (
    rf"(?P<weekday>一(?![共起直些样定般旦切致律并度]|下(?!午))|二(?![手维期进])|四(?![川处季])|[三五六]"
    r"|日(?![本元志期常报程历语文系用均子活记])|天(?![气津空使然真才文台]|下(?!午)))"
    rf"(?![{NUMERAL}](?![{NUMERAL}]{{0,2}}点))"
    r"(?![个次天点周条位人件份项篇轮场版小月年块元楼层门章台组级号])"
)
WEEK_NAME = "(?:周|个?星期|个?礼拜)"

RELATIVE_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "本年": 0, "明年": 1, "后年": 2}
YEAR = (
    r"(?:(?P<year>(?:19|20|21)[0-9]{2})\s?年|(?P<short>[0-9]{2})年(?=[0-9]{1,2}月)"
    r"|(?P<written>[一二][零〇一二三四五六七八九]{3})年"
    r"|(?P<relative>大前年|(?<![以之目])前年|(?<![过失除])去年|(?<!如)今年|本年|(?<![说证表声])明年|后年)(?![轻龄纪代级]))"
)
MONTH = rf"{NO_NUMBER_BEFORE}(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月(?:份(?!额))?"
DAY = (
    r"(?P<day>[12][0-9]|3[01]|0?[1-9]|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])\s?[日号]"
    r"(?![本线楼位])"
)
NOT_A_MONTH = r"(?![亮球饼光薪租票嫂季天经历]|革命|怀胎|[一两二三几多0-9]\s?次)"

THIRDS = {"上旬": 0, "初": 0, "中旬": 1, "中": 1, "下旬": 2, "底": 2, "末": 2}
SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}

PARTS_OF_DAY = {
    "凌晨": (0, 6), "清晨": (4, 9), "清早": (4, 9), "早晨": (4, 12), "早上": (4, 12), "上午": (6, 12),
    "中午": (11, 14), "下午": (12, 18), "午后": (12, 18), "傍晚": (16, 20), "晚上": (17, 30),
    "夜里": (18, 30), "夜晚": (18, 30), "半夜": (22, 30), "深夜": (22, 30), "晚间": (17, 24),
    "早": (4, 12), "晨": (4, 12), "晚": (17, 30), "夜": (18, 30),
}  # fmt: skip
"""Hours from midnight; an evening or a night runs to six in the morning of the next day."""

PAST = late_pattern(
    r"(?<![为除])了(?![解])|(?<![通超不])过(?![去来程于期])|刚|说的|聊的|定的|讨论|提到|决定|当时|来着|曾|记录|聊天|说"
)
AHEAD = late_pattern(r"将(?!军)|打算|即将|截止|到期|预计|要做|安排|会有")
ABOUT = late_pattern(r"生日|出生|诞辰|纪念日")


def number(text: str) -> int:
    """A number in figures or in Chinese numerals up to 999: 12, 十二, 二十一, 两百.

    Raises:
        ValueError: When the characters are no number.
    """
    if text.isdigit() and text.isascii():
        return int(text)
    parts = _NUMERALS.fullmatch(text)
    if parts is None:
        raise ValueError(text)
    hundreds, tens, ones = parts.groups()
    return 100 * _digit(hundreds) + 10 * _digit(tens) + DIGITS.get(ones, 0)


def _digit(before: str | None) -> int:
    """The digit before 百 or 十: none when the character is not there, one when it stands alone."""
    return 0 if before is None else DIGITS.get(before, 1)


def count(text: str) -> tuple[int, int]:
    """The least and the most that a count means: 三 is (3, 3), 两三 (2, 3), 十几 (11, 19), 几 (2, 9)."""
    if text in LOOSE_COUNTS:
        return LOOSE_COUNTS[text]
    if text.endswith(("几", "多")):
        tens = number(text[:-1])
        return tens + 1, tens + 9
    digits = [DIGITS[char] for char in text if char in DIGITS]
    if len(digits) == len(text) == 2 and digits[1] - digits[0] == 1:
        return digits[0], digits[1]
    return number(text), number(text)


def part(match: re.Match[str], group: str) -> str:
    """A matched group, empty when it is not there."""
    return match.groupdict().get(group) or ""


def rules(*forms: tuple[str, Callable[[re.Match[str], Clock], Reading | None]]) -> tuple[Rule, ...]:
    """Rules from their patterns."""
    return tuple(Rule(pattern, re.ASCII, read) for pattern, read in forms)
