"""Whether a text may name a time: a quick look that never says no where a grammar would read one.

The vocabulary that it shares with the grammars stands here, so that a question without any of it loads none of them.
"""

import re
from collections.abc import Iterable

from archivist.records.patterns import late_pattern


def alternatives(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first."""
    return "(?:" + "|".join(sorted(map(re.escape, words), key=len, reverse=True)) + ")"


def _names(*names: str) -> dict[str, int]:
    return {form: index for index, forms in enumerate(names) for form in forms.split()}


MONTHS = {
    name: index + 1
    for name, index in _names(
        "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
        "september sept sep", "october oct", "november nov", "december dec",
    ).items()
}  # fmt: skip
WEEKDAYS = _names(
    "monday mon", "tuesday tues tue", "wednesday wed", "thursday thurs thur thu", "friday fri",
    "saturday sat", "sunday sun",
)  # fmt: skip
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
UNITS = ("minute", "min", "hour", "hr", "day", "week", "month", "quarter", "year")

ENGLISH = late_pattern(
    rf"(?<![a-z]){alternatives({*MONTHS, *WEEKDAYS, *SEASONS})}(?![a-z])"
    rf"|(?:{alternatives(UNITS)}s?|weekend|tomorrow|tonight|night|morning|afternoon|evening)(?![a-z])"
    r"|recently|lately|of\s+late|(?:while|time|ages)\s+(?:ago|back)"
    r"|(?:19|20|21)[0-9]{2}|[0-9](?:st|nd|rd|th)|Q[1-4]",
    re.IGNORECASE | re.ASCII,
)
"""What every English expression, and every date in figures, holds some of."""

CHINESE = late_pattern("[年月日天周星礼号季时钟最近前昨今明晚早久期阵段]")
"""What every Chinese expression holds some of, in the form of `fold`."""

_FOLDED = str.maketrans(
    "０１２３４５６７８９：－～／．　",
    "0123456789:-~/. ",
) | str.maketrans(
    "週個後時點號這過來從內間鐘鍾頭兩幾禮裡夜剛將為說討論決記錄準備計劃預氣邊曆歲",
    "周个后时点号这过来从内间钟钟头两几礼里夜刚将为说讨论决记录准备计划预气边历岁",
)


def fold(text: str) -> str:
    """The text with full-width figures and traditional time words in their usual forms, each in its place."""
    return text if text.isascii() else text.translate(_FOLDED)


def may_name_time(text: str) -> bool:
    """Whether any grammar may find a time in a text."""
    folded = fold(text)
    return bool(ENGLISH.search(folded) or (not folded.isascii() and CHINESE.search(folded)))
