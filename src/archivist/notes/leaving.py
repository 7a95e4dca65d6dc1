"""Who leaves a full core, and who comes back to it.

What will be remembered least in thirty days leaves first; of equals, what was used last the longest ago. Not what is remembered least
today: something that was noted yesterday is fresh today and would fade soonest.

Who may not leave:

- what is pinned;
- a newcomer, until seven days have passed and three sessions have begun in its scope since it was noted: before that nothing can be
  known of its use;
- a prohibition. It works by being read, and whoever obeys it says nothing, so that its use is never seen. A core so full of
  prohibitions that nothing fits beside them is the owner's to sort out: they are told, and nothing is moved;
- a preference, an identity, a correction, which do not fade: only where everything else that may leave is not enough, and only to make
  room for another of these or for what the owner asked to remember. What an agent thinks worth noting never pushes them out.

Pure functions of values: no clock, no files, no chance. Where two entries are equal in everything, the id decides.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, Literal

import msgspec

from archivist.notes.document import joined_length
from archivist.notes.retention import GRADES, STEADY, aware, last_use, retention
from archivist.records.counts import counted
from archivist.records.notes import Entry, EntryOrigin, Use

GRACE: Final = timedelta(days=7)
GRACE_SESSIONS: Final = 3
AHEAD: Final = timedelta(days=30)
ASKED: Final[frozenset[EntryOrigin]] = frozenset({"user", "hand"})
"""Whose entries the owner wanted remembered."""

Protection = Literal["pinned", "new", "prohibition", "steady"]
"""Why an entry may not leave."""

Uses = Mapping[str, Sequence[Use]]
"""Of entries, by id; one that was never used need not be in it."""
_FREE, _STEADY, _PROTECTED = range(3)


class Leaving(msgspec.Struct, frozen=True):
    """How an entry of the core stands when there is no more room.

    Attributes:
        retention: The probability that it is remembered now.
        ahead: The same in thirty days, by which it is judged.
        reason: What it is judged by, in a few words.
        protected: Why it may not leave; None where it may.
    """

    entry: Entry
    retention: float
    ahead: float
    reason: str
    protected: str | None = None


def ranked(
    core: Iterable[Entry],
    uses: Uses,
    *,
    now: datetime,
    sessions_since: Mapping[str, int],
    newcomers: Sequence[Entry] = (),
) -> tuple[Leaving, ...]:
    """The entries of one file of the core, the first to leave first; behind those that may leave, those that may not.

    Args:
        core: Its entries.
        uses: Of them.
        now: The time.
        sessions_since: By id, how many sessions began in an entry's scope since it was noted; of one that is not in it, none.
        newcomers: What needs the room; without it, as for what an agent notes.
    """
    return tuple(one.told() for one in _in_order(core, uses, now, sessions_since, newcomers))


def leaving(
    core: Iterable[Entry],
    uses: Uses,
    *,
    now: datetime,
    sessions_since: Mapping[str, int],
    newcomers: Sequence[Entry],
    limit: int,
) -> tuple[Entry, ...] | None:
    """Which entries leave one file of the core so that newcomers fit; none of them needlessly.

    Args:
        core: Its entries without the newcomers.
        uses: Of them.
        now: The time.
        sessions_since: As for `ranked`.
        newcomers: What comes, or was changed just now: it stays.
        limit: Characters that the file may have, delimiters included.

    Returns:
        The first to leave first; empty where all fit; None where those that may leave are not enough.
    """
    staying = list(core)
    order = _in_order(staying, uses, now, sessions_since, newcomers, only_free=True)
    over = joined_length(entry.text for entry in (*staying, *newcomers)) - limit
    gone: list[Entry] = []
    for entry in (standing.entry for standing in order):
        if over <= 0:
            break
        gone.append(entry)
        over -= _room(entry)
    if over > 0:
        return None
    for entry in reversed(
        gone[:-1]
    ):  # who was remembered better stays after all, if the others' going is enough
        if over + _room(entry) <= 0:
            over += _room(entry)
            gone.remove(entry)
    return tuple(gone)


def promotable(
    archived: Iterable[Entry],
    core: Iterable[Entry],
    uses: Uses,
    *,
    now: datetime,
    sessions_since: Mapping[str, int],
    archived_at: Mapping[str, datetime],
    limit: int,
) -> tuple[Entry, ...]:
    """Which archived entries came back by use, the best remembered first.

    One did if it was used since it left, and there is room for it, or something that may leave will be remembered less than it.

    Args:
        archived: Entries that left the file.
        core: The entries that stand in it.
        uses: Of all of them.
        now: The time.
        sessions_since: As for `ranked`, of the core.
        archived_at: By id, when an entry left; one that is not in it has not come back.
        limit: Characters that the file may have.
    """
    here = list(core)
    leavers = _in_order(here, uses, now, sessions_since, (), only_free=True)
    weakest = min((one.ahead for one in leavers), default=1.0)
    back = [
        _standing(entry, used, now, GRACE_SESSIONS)
        for entry in archived
        for used in [uses.get(entry.id, ())]
        if entry.id in archived_at and _is_used_since(used, archived_at[entry.id])
    ]
    back.sort(key=lambda one: (-one.ahead, one.entry.id))
    free = limit - joined_length(entry.text for entry in here)
    return tuple(one.entry for one in back if one.ahead > weakest or _room(one.entry) <= free)


class _Standing(msgspec.Struct, frozen=True):
    """How an entry stands, before anybody asks for it in words."""

    entry: Entry
    uses: Sequence[Use]
    ahead: float
    now: datetime
    sessions: int
    protected: Protection | None

    def told(self) -> Leaving:
        at = retention(self.entry, self.uses, self.now)
        why = None if self.protected is None else _why(self.protected, self.entry, self.sessions)
        return Leaving(self.entry, at, self.ahead, _reason(self.entry, self.uses), why)


def _in_order(
    core: Iterable[Entry],
    uses: Uses,
    now: datetime,
    sessions_since: Mapping[str, int],
    newcomers: Sequence[Entry],
    *,
    only_free: bool = False,
) -> list[_Standing]:
    """The first to leave first; where only those are asked for that may leave, the others are not judged."""
    opens = bool(newcomers) and all(map(_opens_the_steady, newcomers))
    standings = []
    for entry in core:
        sessions = sessions_since.get(entry.id, 0)
        protected = _protected(entry, now, sessions, opens=opens)
        if protected is None or not only_free:
            standings.append(_standing(entry, uses.get(entry.id, ()), now, sessions, protected))
    return sorted(standings, key=_order)


def _order(standing: _Standing) -> tuple[int, bool, float, datetime, str]:
    entry = standing.entry
    group = _PROTECTED if standing.protected else _STEADY if entry.kind in STEADY else _FREE
    return group, entry.pinned, standing.ahead, last_use(entry, standing.uses), entry.id


def later(now: datetime) -> datetime:
    """The time by which entries are judged."""
    return min(now, datetime.max.replace(tzinfo=now.tzinfo) - AHEAD) + AHEAD


def _room(entry: Entry) -> int:
    """Characters that a file is shorter without an entry, as long as another stays."""
    return joined_length((entry.text, ""))


def _standing(
    entry: Entry, uses: Sequence[Use], now: datetime, sessions: int, protected: Protection | None = None
) -> _Standing:
    return _Standing(entry, uses, retention(entry, uses, later(now), until=now), now, sessions, protected)


def _reason(entry: Entry, uses: Sequence[Use]) -> str:
    times = sum(use.kind in GRADES for use in uses)
    if entry.kind in STEADY:
        return f"does not fade: {entry.kind}"
    if not times:
        return f"never used since it was noted on {_date(entry.observed_at)}"
    return f"used {times} time{'s' if times > 1 else ''}, last on {_date(last_use(entry, uses))}"


def _protected(entry: Entry, now: datetime, sessions: int, *, opens: bool) -> Protection | None:
    if entry.pinned:
        return "pinned"
    if aware(now) - aware(entry.observed_at) < GRACE or sessions < GRACE_SESSIONS:
        return "new"
    if entry.kind == "prohibition":
        return "prohibition"
    return "steady" if entry.kind in STEADY and not opens else None


def _why(protected: Protection, entry: Entry, sessions: int) -> str:
    if protected == "new":
        more = GRACE_SESSIONS - sessions
        others = f", and for {counted(more, 'session')} more" if more > 0 else ""
        return f"stays: new, for {GRACE.days} days from {_date(entry.observed_at)}{others}"
    if protected == "steady":
        return f"leaves only for its like, or for what its owner asked to remember: {entry.kind}"
    return f"stays: {protected}"


def _opens_the_steady(newcomer: Entry) -> bool:
    return newcomer.kind in STEADY or newcomer.origin in ASKED


def _is_used_since(uses: Iterable[Use], left_at: datetime) -> bool:
    return any(use.kind in GRADES and aware(use.at) > aware(left_at) for use in uses)


def _date(time: datetime) -> str:
    return aware(time).date().isoformat()
