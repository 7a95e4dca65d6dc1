"""A request's text as a question: the times that it names, and the words that remain.

What falls into a time that a question names comes first, but what else has its words is not lost: "in March"
may be when something was said or when it happened. A question of which nothing else remains asks for all of
that time.
"""

from typing import Final

import msgspec
from msgspec.structs import replace

from archivist.recall.filters import Span
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

_WORD: Final = late_pattern(r"[^\W_]+")
_WHOLE_RANGE: Final = frozenset({"", "*"})


class Question(msgspec.Struct, frozen=True):
    """What is asked.

    Attributes:
        query: The words that are sought; empty when all of the time is asked for.
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

    periods = [period for period in read_periods(asked, now=request.now, zone=request.zone) if period.hard]
    if not periods:
        return Question(_query(request.text, listing=False))
    spans = tuple((milliseconds(period.since), milliseconds(period.until)) for period in periods)
    times = tuple(period.words for period in periods)
    rest = strip_periods(asked, periods)
    query = _query(rest, listing=True)
    return Question(query if query.is_empty else _with_times(request.text, query), spans, times)


def _with_times(text: str, rest: Query) -> Query:
    """The whole text as a query in which the words of time count little: they may also stand in the message that is meant."""
    query = read_query(text)
    asked = {term.match for term in rest.terms}
    terms = (
        term if term.match in asked else replace(term, weight=term.weight * ASIDE_SHARE)
        for term in query.terms
    )
    return replace(query, terms=tuple(terms))


def _query(text: str, *, listing: bool) -> Query:
    """The words, or nothing to seek when they only ask for all."""
    if text.strip() in _WHOLE_RANGE or (listing and _asks_for_all(text)):
        return Query()
    return read_query(text)


def _asks_for_all(text: str) -> bool:
    """Whether no word is left that says what is asked about."""
    for word in _WORD.findall(text.lower()):
        rest = CHINESE_ASKING_FOR_ALL.sub("", CHINESE_ASKING.sub("", word))
        if word not in ENGLISH and word not in ASKING_FOR_ALL and not CHINESE_GRAMMAR.issuperset(rest):
            return False
    return True
