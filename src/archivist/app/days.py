"""Daily notes as `Archivist` gives them out: each level has its own, and a reader sees those that are theirs."""

from collections.abc import Callable
from datetime import date, datetime, tzinfo
from pathlib import Path

import msgspec

from archivist.notes.daily import DailyEntry, DailyNotes
from archivist.notes.places import (
    daily_folder,
    is_visible,
    keep_keys,
    level_for_days,
    levels_in,
    scope_key,
    scope_of,
)
from archivist.records import OWNER_EVERYWHERE, Reader, Scope
from archivist.records.notes import HOME_SCOPE


class DayEntry(msgspec.Struct, frozen=True):
    """What was written down on a day, and whose it is.

    Attributes:
        clock: The time that stands with it, as HH:MM; None where none does.
    """

    day: date
    text: str
    scope: Scope
    clock: str | None = None


class Days:
    """Notes of days.

    Args:
        folder: `memories/`.
        history: Where earlier versions of its files are kept.
        now: The time of day.
        sleep: Waits, for a file that is being saved.
        zone: The owner's.
    """

    def __init__(
        self,
        folder: Path,
        *,
        history: Path,
        now: Callable[[], datetime],
        sleep: Callable[[float], None],
        zone: tzinfo,
    ) -> None:
        self._folder, self._history, self._now, self._sleep, self._zone = folder, history, now, sleep, zone

    def add(self, text: str, *, scope: Scope | None = None) -> DailyEntry:
        """Write something down at the end of today's notes; what stands there already is not written again.

        Args:
            text: What happened.
            scope: Where it is said; the owner's own where unset. What a person tells is theirs, in whatever project they are.

        Raises:
            SecretInNote, EmptyNote, FileNotWritten: Nothing was written.
        """
        where = scope or HOME_SCOPE
        level = level_for_days(where)
        keep_keys(self._folder, {one: key for one, key in scope_key(where).items() if one == level})
        return self._of(level).add(text, self._now().astimezone(self._zone))

    def read(self, day: date | None = None, *, scope: Reader | None = None) -> tuple[DayEntry, ...]:
        """What was written down on a day; today where unset."""
        wanted = day or self._now().astimezone(self._zone).date()
        return tuple(
            DayEntry(wanted, entry.text, whose, entry.clock)
            for whose, notes in self._visible(scope)
            for entry in notes.read(wanted)
        )

    def days(self, *, scope: Reader | None = None) -> tuple[date, ...]:
        """The days that have notes, the latest first."""
        return tuple(sorted({day for _, notes in self._visible(scope) for day in notes.days()}, reverse=True))

    def _visible(self, reader: Reader | None) -> list[tuple[Scope, DailyNotes]]:
        found, asking = [], reader or OWNER_EVERYWHERE
        for level in levels_in(self._folder):
            whose = scope_of(level, self._folder, asking)
            if is_visible(whose, asking):
                found.append((whose, self._of(level)))
        return found

    def _of(self, level: str) -> DailyNotes:
        name = daily_folder(level)
        return DailyNotes(self._folder / name, history=self._history / name, sleep=self._sleep)
