"""The rest of a question once its times are read: the words that go on to the full-text search."""

import re
from collections.abc import Sequence

from archivist.recall.when.periods import Period
from archivist.records.patterns import late_pattern

_AROUND_CHARS = 32
"""How far around a period its prepositions and joining words reach."""

_LEFT_BEFORE = late_pattern(
    r"(?:(?<![\w-])(?:on|in|during|throughout|within|over|since|from|at|of|for|around|by)(?:\s+the)?\s+"
    r"|(?<![\w-])the\s+|[在于於从從自到]\s?)$",
    re.IGNORECASE | re.ASCII,
)
_LEFT_AFTER = late_pattern(r"\s?(?:的时候|的時候|的时间|的那天|那天|期间|期間|左右|的)")


_ONLY_AND = late_pattern(r"\s*(?:,|，|、|和|与|與|,?\s*\b(?:and|or)\b)\s*(?:in|on)?\s*", re.IGNORECASE)


def strip_periods(question: str, periods: Sequence[Period]) -> str:
    """The question without those periods and without the prepositions that led to them.

    Args:
        question: The question that the periods were read from.
        periods: Any of its periods, in any order.
    """
    kept, at = [], 0
    for period in sorted(periods, key=lambda each: each.start):
        before = question[at : max(at, period.start)]
        if at and len(before) < _AROUND_CHARS and _ONLY_AND.fullmatch(before):
            before = ""
        left = _LEFT_BEFORE.search(before[-_AROUND_CHARS:])
        kept.append(before[: len(before) - len(left[0])] if left else before)
        after = _LEFT_AFTER.match(question, period.end)
        at = max(at, after.end() if after else period.end)
    kept.append(question[at:])
    return _tidy(" ".join(kept)) if periods else question


def _tidy(text: str) -> str:
    """Single spaces, none before punctuation or between Chinese characters, and no punctuation in front."""
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r" (?=[?.!,;:，。？！；：、])|(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff，。？！])", "", text)
    return text.strip().lstrip(",;:，、；： ")
