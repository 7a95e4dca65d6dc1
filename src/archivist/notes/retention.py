"""How well an entry is remembered: the probability that it would be, by FSRS, from when it was noted and how it was used since.

FSRS models the memory of a person by strength (days until the probability has fallen to 0.9) and difficulty; each review makes the memory
stronger, the more so the more of it had faded. Here the entry is the card: noting it is the first review, and every use is one.

**What a session adds in which an entry was only present.** It is no review. A review of any grade, once a day, would wash out what uses
tell: with Hard, an entry that was used every week for 90 days would be at 0.916 in 30 days and one that was never used at 0.912. With Good
whenever the probability is below 0.9, the one that was never used would stand at 0.969 and one that was used once at 0.896, for its
reviews fall on better days. So presence builds no strength, but forgetting is counted from the last day on which the entry was present. In
the same example the entry that was never used stands at 0.668 in 30 days, as on its first day, one that was used once at 0.840, one that
was used every month at 0.980, every day at 0.985; and no presence ever makes a difference between entries that shared it.

Days are those of UTC, and a day counts once, with its strongest use. No clock is read and nothing is drawn by chance: the same history
gives the same number everywhere.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import msgspec

from archivist.records.notes import Entry, EntryKind, Use, UseKind

if TYPE_CHECKING:
    from fsrs import Scheduler, State

STEADY: Final[frozenset[EntryKind]] = frozenset({"prohibition", "preference", "identity", "correction"})
"""Kinds that do not fade: they hold until they are contradicted, used or not."""
GOOD, EASY = 3, 4  # as FSRS numbers its grades
GRADES: Final[dict[UseKind, int]] = {"used": GOOD, "opened": GOOD, "restated": EASY}
"""What a use is worth as a review."""
DAILY: Final = 100
"""For so many days after it was noted each day can be a review, later each week: it bounds the work for what is used every day, and is
worth 2,630 days of strength after three years instead of 2,662."""
WEEK: Final = 7
LAST_DAY: Final = datetime(9800, 1, 1, tzinfo=UTC).toordinal()
DIGITS: Final = 6
"""Of a probability; what lies beyond may differ from machine to machine."""


def retention(entry: Entry, uses: Sequence[Use], at: datetime, *, until: datetime | None = None) -> float:
    """The probability, from 0 to 1, that an entry is remembered.

    Args:
        entry: One entry.
        uses: Of it, in any order; what lies behind `until`, or before it was noted, counts for nothing.
        at: A time, also one to come.
        until: No later than `at`, which is meant where it is unset.
    """
    if entry.kind in STEADY:
        return 1.0
    noted = seen = _day(entry.observed_at)
    reviews: tuple[tuple[int, int], ...] = ()
    if uses:
        last = _day(until or at)
        lived = [(day, use.kind) for use in uses if noted <= (day := _day(use.at)) <= last]
        seen = max([noted, *(day for day, _ in lived)])
        reviews = tuple((day - noted, grade) for day, grade in _reviews(noted, lived))
    return _probability(reviews, max(0, _day(at) - seen))


def last_use(entry: Entry, uses: Sequence[Use]) -> datetime:
    """When an entry was last used, more than by its presence; when it was noted where it never was."""
    noted = aware(entry.observed_at)
    return max((aware(use.at) for use in uses if use.kind in GRADES), default=noted) if uses else noted


def aware(time: datetime) -> datetime:
    """A time in UTC; without a zone it is taken as UTC."""
    return time if time.tzinfo is UTC else time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)


def _day(time: datetime) -> int:
    """The day of a time; of one that the package could not count on from, the nearest that it can."""
    return min(aware(time).toordinal(), LAST_DAY)


def _midnight(days: int) -> datetime:
    """The beginning of a day, counted from one on which an entry was noted: which it was makes no difference."""
    return datetime.fromordinal(1 + days).replace(tzinfo=UTC)


def _reviews(noted: int, lived: Iterable[tuple[int, UseKind]]) -> Iterator[tuple[int, int]]:
    """Days, each with the grade of what happened on it, or in its week."""
    days: dict[int, int] = {}
    for day, kind in lived:
        if kind in GRADES:
            days[day] = max(days.get(day, GOOD), GRADES[kind])
    week = -1
    for day in sorted(days):
        age = day - noted
        if age < DAILY or age // WEEK != week:
            week = age // WEEK
            yield day, days[day]


class _Traits(msgspec.Struct, frozen=True):
    """What a history made of a memory, as the package tells it."""

    state: "State"
    stability: float | None
    difficulty: float | None


@lru_cache(maxsize=1_024)
def _memory(reviews: tuple[tuple[int, int], ...]) -> _Traits:
    """What uses make of a memory: days since it was noted, each with its grade."""
    from fsrs import Card, Rating  # noqa: PLC0415 - 30 ms that only a full core needs

    scheduler = _scheduler()
    # with neither an id nor a due time the package would ask the clock, and wait
    begun = _midnight(0)
    card, _ = scheduler.review_card(Card(card_id=0, due=begun), Rating(GOOD), begun)
    for day, grade in reviews:
        card, _ = scheduler.review_card(card, Rating(grade), _midnight(day))
    return _Traits(card.state, card.stability, card.difficulty)


@lru_cache(maxsize=4_096)
def _probability(reviews: tuple[tuple[int, int], ...], days: int) -> float:
    """How well a memory is kept so many days after it was last present; the reviews as for `_memory`."""
    from fsrs import Card  # noqa: PLC0415 - as above

    memory = _memory(reviews)
    known = Card(
        card_id=0,
        state=memory.state,
        stability=memory.stability,
        difficulty=memory.difficulty,
        due=_midnight(days),
        last_review=_midnight(0),
    )
    return round(_scheduler().get_card_retrievability(known, _midnight(days)), DIGITS)


@lru_cache(maxsize=1)
def _scheduler() -> "Scheduler":
    from fsrs import Scheduler  # noqa: PLC0415 - as above

    return Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
