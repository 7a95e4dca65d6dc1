"""The English vocabulary of time: names of months and days, numbers in words, parts of the day, tense.

The tables come first, then the pieces of pattern built from them that several rules share.
"""

import re
from collections.abc import Callable

from archivist.recall.when import clues
from archivist.recall.when.amounts import Unit
from archivist.recall.when.clues import MONTHS, WEEKDAYS, alternatives
from archivist.recall.when.readings import Clock, Reading, Rule
from archivist.records.patterns import late_pattern

FLAGS = re.IGNORECASE | re.ASCII


def _counted(words: str, first: int) -> dict[str, int]:
    return {each: value for value, each in enumerate(words.split(), start=first)}


AMBIGUOUS_MONTHS = frozenset({"march", "mar", "may", "dec", "sep", "jan", "jun"})
"""Month names that are also ordinary words or names when they stand in small letters."""

AMBIGUOUS_WEEKDAYS = frozenset({"sun", "sat", "wed", "mon", "fri", "thu", "tue"})
"""Short day names which count only where a sentence goes on as after a day."""

_BELOW_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBERS = _counted(_BELOW_TWENTY, 0) | {tens: 10 * value for tens, value in _counted(_TENS, 2).items()}

_BELOW_TENTH = "first second third fourth fifth sixth seventh eighth ninth"
_FROM_TENTH = (
    "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth "
    "twentieth"
)
ORDINALS = (
    _counted(_BELOW_TENTH, 1)
    | _counted(_FROM_TENTH, 10)
    | {f"twenty-{ordinal}": 20 + value for ordinal, value in _counted(_BELOW_TENTH, 1).items()}
    | {"thirtieth": 30, "thirty-first": 31}
)

_SHORT_UNITS = {"min": Unit.MINUTE, "hr": Unit.HOUR}
UNITS = {name: _SHORT_UNITS.get(name) or Unit(name) for name in clues.UNITS}

LOOSE_COUNTS = {"couple": (2, 4), "couple of": (2, 4), "few": (2, 9), "several": (3, 10)}
"""What a loose count covers: a couple is seldom exactly two."""

PARTS_OF_DAY = {
    "early morning": (4, 9), "morning": (4, 12), "noon": (11, 14), "midday": (11, 14), "lunchtime": (11, 14),
    "lunch": (11, 14), "afternoon": (12, 18), "evening": (17, 24), "night": (18, 30),
}  # fmt: skip
"""Hours from midnight; the night runs to six in the morning of the next day."""

PLURALS_OF_NO_THING = frozenset(
    {"is", "was", "has", "does", "this", "as", "us", "its", "his", "yes", "always"}
)
"""Words in s which do not make the number before them a count ("in 2025 was it", against "in 2000 rows")."""

MAY_IS_A_VERB = late_pattern(
    r"\s+(?:i|we|you|he|she|it|they|be|have|not|also|well|the|this|that|need|want|happen|contain|cause)\b",
    FLAGS,
)

PAST = late_pattern(
    r"\b(?:did|didn't|was|wasn't|were|weren't|had|hadn't|been|said|told|went|made|got|came|gave|took|wrote|ran"
    r"|found|chose|spoke|saw|met|bought|sent|left|lost|built|broke|kept|paid|held|thought|brought|began|knew"
    r"|(?!need|feed|speed|seed|embed|deed|exceed|proceed|indeed|shed|sched|planned|supposed|expected|interested|excited"
    r"|required|hundred|biased|newsfeed)[a-z]{2,24}ed)\b",
    FLAGS,
)
AHEAD = late_pattern(
    r"\b(?:will|shall|won't|gonna|going\s+to|upcoming|planned|scheduled|supposed|expected|due|deadlines?"
    r"|expir(?:es?|y|ing)|by\s+when)\b|'ll\b",
    FLAGS,
)
ABOUT = late_pattern(r"\b(?:born|birthdays?|birthdate|birth|anniversar(?:y|ies))\b", FLAGS)

MONTH = rf"(?P<month>{alternatives(MONTHS)})\b(?:\.(?=\s*[0-9]))?"
WEEKDAY = rf"(?P<weekday>{alternatives(WEEKDAYS)})\b"
YEAR = r"(?P<year>(?:19|20|21)[0-9]{2})(?![\w%-]|[.:,]\w)"
WHICH_YEAR = rf"(?:,?\s+(?:of\s+|in\s+)?(?:{YEAR}|(?P<which>last|this|next)\s+year\b))"
PART_OF = r"(?P<third>early|mid|late|(?:the\s+)?(?:beginning|start|middle|end)\s+of)(?:\s+|-)(?:in\s+)?"

_OFFSETS = {"last": -1, "past": -1, "previous": -1, "this past": -1, "next": 1, "coming": 1}
_THIRDS = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}


def word(match: re.Match[str], group: str) -> str:
    """A matched group in small letters with single spaces; empty when it is not there."""
    return " ".join((match.groupdict().get(group) or "").lower().split())


def offset_of(match: re.Match[str]) -> int:
    """-1, 0 or 1 for last, this and next."""
    return _OFFSETS.get(word(match, "which"), 0)


def third_of(match: re.Match[str]) -> int:
    """0, 1 or 2 for early, mid and late."""
    return _THIRDS[word(match, "third").removeprefix("the ").split()[0]]


def rules(*forms: tuple[str, Callable[[re.Match[str], Clock], Reading | None]]) -> tuple[Rule, ...]:
    """Rules whose words stand by themselves, not within a name, a path or an address."""
    return tuple(
        Rule(rf"(?<![\w./\\@#$])(?:{pattern})(?![\w/\\@]|\.\w)", FLAGS, read) for pattern, read in forms
    )
