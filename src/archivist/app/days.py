"""Daily notes as `Archivist` gives them out: each level has its own, and a reader sees those that are theirs.

What may not be noted without the owner waits for them here as everywhere.
"""

from collections.abc import Callable
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archivist.notes.asking import Author
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
from archivist.records import OWNER_EVERYWHERE, Notice, Reader, Scope
from archivist.records.notes import HOME_SCOPE, EntryOrigin

if TYPE_CHECKING:
    from archivist.app.gate import Gate
    from archivist.guard.origins import Context


class DayEntry(msgspec.Struct, frozen=True):
    """What was written down on a day, and whose it is.

    Attributes:
        clock: The time that stands with it, as HH:MM; None where none does.
        place: Where it stands: `daily/2026-03-20.md#2`.
    """

    day: date
    text: str
    scope: Scope
    clock: str | None = None
    place: str = ""


class Days:
    """Notes of days.

    Args:
        folder: `memories/`.
        history: Where earlier versions of its files are kept.
        now: The time of day.
        sleep: Waits, for a file that is being saved.
        zone: The owner's.
        gate: What lets a write wait, and keeps it.
    """

    def __init__(
        self,
        folder: Path,
        *,
        history: Path,
        now: Callable[[], datetime],
        sleep: Callable[[float], None],
        zone: tzinfo,
        gate: "Gate | None" = None,
    ) -> None:
        self._folder, self._history, self._now, self._sleep, self._zone = folder, history, now, sleep, zone
        self._gate = gate

    def add(
        self,
        text: str,
        *,
        scope: Scope | None = None,
        origin: EntryOrigin = "user",
        session: str | None = None,
        heard: "Context | None" = None,
    ) -> DailyEntry:
        """Write something down at the end of today's notes; what stands there already is not written again.

        Args:
            text: What happened.
            scope: Where it is said; the owner's own where unset. What a person tells is theirs, in whatever project they are.
            origin: Who says it.
            session: In which session.
            heard: The conversation in which it is said, where it is no session of ours; see docs/trust.md.

        Raises:
            SecretInNote, EmptyNote, FileNotWritten: Nothing was written.
            NotKeptForReview, RejectedBefore: It may not be written at once, and does not wait either.
        """
        where, at = scope or HOME_SCOPE, self._now().astimezone(self._zone)
        if self._gate is not None:
            entry = self._of(level_for_days(where)).fresh(text, at)
            author = Author(origin, scope, session=session, heard=heard)
            waits = self._gate.passed(entry.text, author, self._whose(where), at) if entry.added else None
            if waits is not None:
                name, reason = waits
                notices = (Notice("waits", reason), *entry.notices)
                return msgspec.structs.replace(entry, added=False, proposal=name, notices=notices)
        return self.write(text, at, where)

    def write(self, text: str, at: datetime, where: Scope) -> DailyEntry:
        """Write something down at the end of a day's notes, whoever says it.

        Raises:
            SecretInNote, EmptyNote, FileNotWritten: Nothing was written.
        """
        level = level_for_days(where)
        keep_keys(self._folder, {one: key for one, key in scope_key(where).items() if one == level})
        return self._of(level).add(text, at.astimezone(self._zone))

    def fresh(self, text: str, at: datetime, where: Scope) -> DailyEntry:
        """What `write` would add now; nothing is written."""
        return self._of(level_for_days(where)).fresh(text, at.astimezone(self._zone))

    def has(self, text: str, at: datetime, where: Scope) -> bool:
        """Whether this was written down at this minute."""
        moment = at.astimezone(self._zone)
        there = self._of(level_for_days(where)).read(moment.date())
        return any((one.text, one.clock) == (text, f"{moment:%H:%M}") for one in there)

    def holds(self, text: str, day: date, where: Scope) -> bool:
        """Whether this stands in a day's notes, at whatever time: what is the time in one zone is another in the next."""
        return any(one.text == text for one in self._of(level_for_days(where)).read(day))

    def day_of(self, at: datetime) -> date:
        """The day for which something is written down that is said then."""
        return at.astimezone(self._zone).date()

    def file(self, day: date, where: Scope) -> Path:
        """In which what is written down for a day stands."""
        return self._of(level_for_days(where)).folder / f"{day.isoformat()}.md"

    def read(self, day: date | None = None, *, scope: Reader | None = None) -> tuple[DayEntry, ...]:
        """What was written down on a day; today where unset."""
        wanted = day or self._now().astimezone(self._zone).date()
        return tuple(
            DayEntry(wanted, entry.text, whose, entry.clock, f"{folder}/{entry.place}")
            for folder, whose in self._visible(scope)
            for entry in self._in(folder).read(wanted)
        )

    def days(self, *, scope: Reader | None = None) -> tuple[date, ...]:
        """The days that have notes, the latest first."""
        return tuple(
            sorted(
                {day for folder, _ in self._visible(scope) for day in self._in(folder).days()}, reverse=True
            )
        )

    def _visible(self, reader: Reader | None) -> list[tuple[str, Scope]]:
        """The folders that a reader sees, and whose each is."""
        found, asking = [], reader or OWNER_EVERYWHERE
        for level in levels_in(self._folder):
            whose = scope_of(level, self._folder, asking)
            if is_visible(whose, asking):
                found.append((daily_folder(level), whose))
        return found

    def _whose(self, where: Scope) -> Scope:
        """Whose the notes are to which something goes that is said somewhere."""
        return scope_of(level_for_days(where), self._folder, where)

    def _of(self, level: str) -> DailyNotes:
        return self._in(daily_folder(level))

    def _in(self, name: str) -> DailyNotes:
        return DailyNotes(self._folder / name, history=self._history / name, sleep=self._sleep)
