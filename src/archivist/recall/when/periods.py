"""Periods of a question: what was read, where it stands, and whether it may leave other times out.

Nothing in a question can fail or give an inverted period, and a period is hard only when its words and
the tense of its sentence say that something was said or happened then.
"""

from datetime import UTC, datetime, tzinfo

import msgspec

from archivist.recall.when.clues import fold
from archivist.recall.when.phrases import Phrase, find_phrases
from archivist.recall.when.readings import Clock, Grip

READ_CHARS = 2000
"""How much of a question is read: what stands further behind is pasted text, not a question."""

_CUT_CHARS = 16
"""How near to the cut an expression may be half of a longer one."""


class Period(msgspec.Struct, frozen=True):
    """A half-open stretch of time that a question names.

    Several periods of one question are alternatives: what falls into any of them is meant.
    """

    since: datetime
    """Inclusive, in UTC."""
    until: datetime
    """Exclusive, in UTC."""
    words: str
    """The words that were read, verbatim."""
    start: int
    end: int
    hard: bool
    """Whether it names when something was said or happened, so that other times may be left out."""


def read_periods(question: str, *, now: datetime, zone: tzinfo) -> tuple[Period, ...]:
    """The periods that a question names, in the order of its words.

    Days are local days of `zone` and weeks begin on Monday. "last Tuesday" is the most recent one
    strictly before today, 上周三 the Wednesday of the calendar week before this one, a month or date
    without a year the most recent one that has begun. Seasons are those of the northern half of the
    Earth.

    Args:
        question: The words of a person or model; the first 2,000 characters are read.
        now: The moment of the question, aware.
        zone: The owner's time zone.
    """
    try:
        return _read(question, Clock(now.astimezone(zone)))
    except OverflowError:  # at the very edge of the calendar there is no yesterday or no tomorrow
        return ()


def read_sole_period(words: str, clock: Clock) -> Period | None:
    """The period that a text consists of, such as `last Tuesday` given for an option."""
    for lead in ("", "in ", "on "):
        for period in _read(lead + words, clock):
            if period.start <= len(lead) and period.end == len(lead + words):
                return period
    return None


def _read(question: str, clock: Clock) -> tuple[Period, ...]:
    text = fold(question[:READ_CHARS])
    end = len(text) - _CUT_CHARS if len(question) > READ_CHARS else len(text)
    periods = (_period(question, text, phrase, clock) for phrase in find_phrases(text, clock, end=end))
    return tuple(period for period in periods if period.since < period.until)


def _period(question: str, text: str, phrase: Phrase, clock: Clock) -> Period:
    since, until = (_instant(wall, clock) for wall in (phrase.reading.since, phrase.reading.until))
    if until <= since:  # an hour that the change to summer time leaves out
        until = since + (phrase.reading.until - phrase.reading.since)
    hard = since <= clock.instant and _is_hard(text, phrase, over=until <= clock.instant)
    return Period(since, until, question[phrase.start : phrase.end], phrase.start, phrase.end, hard)


def _instant(wall: datetime, clock: Clock) -> datetime:
    return wall.replace(tzinfo=clock.instant.tzinfo).astimezone(UTC)


def _is_hard(text: str, phrase: Phrase, *, over: bool) -> bool:
    grammar, grip = phrase.grammar, phrase.reading.grip
    if grip is Grip.PAST or (grip is Grip.OPEN and over and not phrase.reading.floating):
        return True
    if grip is Grip.VAGUE:
        return False
    sentence = _sentence(text, phrase)
    told = grammar.past.search(sentence) is not None
    if phrase.named or grammar.about.search(sentence):
        return False
    return told or (grip is Grip.DATED and not grammar.ahead.search(sentence))


def _sentence(text: str, phrase: Phrase) -> str:
    """The words around a phrase, up to the punctuation on either side of it and of its neighbour."""
    marks = phrase.grammar.sentence_end
    first = max((text.rfind(mark, 0, phrase.start) for mark in marks), default=-1) + 1
    ends = [found for mark in marks if (found := text.find(mark, phrase.end + 1)) >= 0]
    return text[first : phrase.start] + " " + text[phrase.end : min(ends, default=len(text))]
