"""A request's text as a question: the times that it names, and the words that remain.

What falls into a time that a question names comes first, but what else has its words is not lost: "in March"
may be when something was said or when it happened. A question of which nothing else remains asks for all of
that time, and so does one that is nothing but a time which elsewhere would be too loose to go by ("today",
"November").
"""

from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from archivist.recall.filters import Span
from archivist.recall.grammar import read_operators
from archivist.recall.query import ASIDE_SHARE, READ_CHARS, Query, read_query
from archivist.recall.request import SearchRequest
from archivist.recall.stopwords import (
    ASKING_FOR_ALL,
    CHINESE_ASKING,
    CHINESE_ASKING_FOR_ALL,
    CHINESE_GRAMMAR,
    ENGLISH,
)
from archivist.recall.when.clues import may_name_time
from archivist.records.patterns import late_pattern
from archivist.store.rows import milliseconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archivist.recall.when.periods import Period

_WORD: Final = late_pattern(r"[^\W_]+")
_WHOLE_RANGE: Final = frozenset({"", "*"})
_AROUND: Final = " \t\r\n.,:;!?。，？！"
MOST_KEYWORDS: Final = 5
_PREPOSITIONS: Final = frozenset({"", "on", "in", "during", "from", "of"})
_SENTENCE_ENDS: Final = ("?", "？", ".", "。", "!", "！")
LONGEST_SOLE: Final = 40
"""Characters of a text that may be nothing but a time."""


class Question(msgspec.Struct, frozen=True):
    """What is asked.

    Attributes:
        query: The words that are sought; without terms when all of the time is asked for, or all but what is left out.
        spans: The times that are asked for; empty for all.
        times: The words that named them; empty where the caller set the bounds, which are never left.
    """

    query: Query
    spans: tuple[Span, ...] = ()
    times: tuple[str, ...] = ()


def read_question(request: SearchRequest) -> Question:
    """Read the text of a request; never fails."""
    if request.since is not None or request.until is not None:
        span = tuple(
            None if bound is None else milliseconds(bound) for bound in (request.since, request.until)
        )
        return Question(_query(request.text, listing=True), (span,))  # type: ignore[arg-type]  # two bounds in, two out
    asked = request.text[:READ_CHARS]
    if not may_name_time(asked):
        return Question(_query(request.text, listing=False))
    from archivist.recall.when import read_periods, strip_periods  # noqa: PLC0415 - both grammars: see `clues`

    begun = [
        period
        for period in read_periods(asked, now=request.now, zone=request.zone)
        if period.since <= request.now
    ]
    if begun and (query := _query(strip_periods(asked, begun), listing=True)).is_empty:
        return _of_times(query, begun)
    if periods := [period for period in begun if period.hard or _stands_apart(asked, period)]:
        return _of_times(
            _with_times(request.text, _query(strip_periods(asked, periods), listing=True)), periods
        )
    if (sole := _sole_period(request)) is not None:
        return _of_times(Query(), (sole,))
    return Question(_query(request.text, listing=False))


def _stands_apart(text: str, period: "Period") -> bool:
    """Whether a few words and a time beside them are all there is: "wombat this week", 本周 袋熊.

    In a sentence the same time may belong to what is talked of ("the Monday meeting", 周三的评审会), and sentences have more words or
    an end mark.
    """
    if len(text.split()) > MOST_KEYWORDS or text.rstrip().endswith(_SENTENCE_ENDS):
        return False
    before, after = text[: period.start].rstrip(), text[period.end :]
    is_last, is_first = not after.strip(), before.lower() in _PREPOSITIONS
    return (is_last and text[: period.start] != before) or (is_first and after[:1].isspace())


def _of_times(query: Query, periods: "Sequence[Period]") -> Question:
    spans = tuple((milliseconds(period.since), milliseconds(period.until)) for period in periods)
    return Question(query, spans, tuple(period.words for period in periods))


def _sole_period(request: SearchRequest) -> "Period | None":
    """The time that a text names which is nothing else: "November" is no time beside other words, but one alone.

    A number alone is a number, and a name that is also a word is one only with a capital.
    """
    words = request.text.strip(_AROUND)
    if len(words) > LONGEST_SOLE or words.isdigit():
        return None
    from archivist.recall.when.english_words import (  # noqa: PLC0415 - see above
        AMBIGUOUS_MONTHS,
        AMBIGUOUS_WEEKDAYS,
    )
    from archivist.recall.when.periods import read_sole_period  # noqa: PLC0415 - see above
    from archivist.recall.when.readings import Clock  # noqa: PLC0415 - see above

    if words in AMBIGUOUS_MONTHS | AMBIGUOUS_WEEKDAYS:
        return None
    period = read_sole_period(words, Clock(request.now.astimezone(request.zone)))
    return None if period is None or period.since > request.now else replace(period, words=words)


def _with_times(text: str, rest: Query) -> Query:
    """The whole text as a query in which the words of time count little: they may also stand in the message that is meant."""
    query = read_query(text)
    asked = {term.match for term in rest.terms}
    terms = (
        term if term.match in asked else replace(term, weight=term.weight * ASIDE_SHARE)
        for term in query.terms
    )
    return replace(
        query,
        terms=tuple(terms),
        times=frozenset(term.match for term in query.terms if term.match not in asked),
    )


def _query(text: str, *, listing: bool) -> Query:
    """The words, or nothing to seek when they only ask for all, or for all but what is left out."""
    if text.strip() in _WHOLE_RANGE:
        return Query()
    sought = " ".join(atom.text for atom in read_operators(text[:READ_CHARS]).atoms)
    if listing and _asks_for_all(sought):
        return read_query(text).listing()
    return read_query(text)


def _asks_for_all(text: str) -> bool:
    """Whether no word is left that says what is asked about."""
    for word in _WORD.findall(text.lower()):
        rest = CHINESE_ASKING_FOR_ALL.sub("", CHINESE_ASKING.sub("", word))
        if word not in ENGLISH and word not in ASKING_FOR_ALL and not CHINESE_GRAMMAR.issuperset(rest):
            return False
    return True
