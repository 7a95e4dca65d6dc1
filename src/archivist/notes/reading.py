"""The notes of a home, for reading: every method reads again what is on the disk."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from archivist.notes.desk import Desk, reader_of
from archivist.notes.fitting import SessionsSince, UsesOf
from archivist.notes.holding import Holding
from archivist.notes.ledger import Ledger
from archivist.notes.limits import Limits
from archivist.notes.places import level_for
from archivist.notes.room import Leaving, ranked
from archivist.notes.telling import Blame, LogLine, UnknownEntry, as_of, blame, log_lines
from archivist.notes.twins import Twins
from archivist.records import OWNER, Notice, Person, Reader, Scope
from archivist.records.notes import HOME_SCOPE, Entry, NoteUsage, Target, Tier

OWNER_EVERYWHERE: Final = Person(OWNER.user or "")


class NotesRead:
    """What is noted, and what happened to it.

    Attributes:
        limits: The budgets.
        uses_of: When entries were used, by id.

    Args:
        ledger: Writes changes.
        sessions_since: How many sessions began in an entry's scope since it was noted.
        new_id: Makes ids.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        limits: Limits,
        uses_of: UsesOf,
        sessions_since: SessionsSince,
        new_id: Callable[[], str],
    ) -> None:
        self.limits = limits
        self._ledger, self.uses_of, self._sessions_since, self._new_id = (
            ledger,
            uses_of,
            sessions_since,
            new_id,
        )
        self._now, self._folder = ledger.holding.now, ledger.holding.folder
        self._twins = Twins()

    def entries(
        self, target: Target | None = None, tier: Tier | str = "core", scope: Reader | None = None
    ) -> tuple[Entry, ...]:
        """What is noted, in the order of the files.

        Args:
            target: Only of this file.
            tier: `core`, `archive` or `all`.
            scope: Who asks; the owner in all projects where unset.

        Raises:
            ValueError: There is no such tier.
        """
        if tier not in {"core", "archive", "all"}:
            raise ValueError(f"tier {tier!r} is none of core, archive, all")
        chosen: Tier | None = "core" if tier == "core" else "archive" if tier == "archive" else None
        with self._reading(scope) as (_, desk):
            return tuple(desk.entries(target, chosen))

    def entry(self, entry_id: str, *, scope: Reader | None = None) -> Entry:
        """One entry, wherever it stands or stood.

        Raises:
            UnknownEntry: There is none.
        """
        with self._reading(scope) as (_, desk):
            found = desk.entry(entry_id)
            if found is None:
                raise UnknownEntry(entry_id)
            return found

    def usage(self, target: Target, scope: Scope | None = None) -> NoteUsage:
        """How near its budget a file is."""
        with self._reading(reader_of(scope)) as (_, desk):
            core = desk.core(level_for(target, scope or HOME_SCOPE), target)
            return self.limits.usage(target, (entry.text for entry in core))

    def log(self, entry_id: str | None = None, *, scope: Reader | None = None) -> tuple[LogLine, ...]:
        """What happened to the notes, the latest first.

        Args:
            entry_id: Only to this entry.
            scope: Who asks; the owner in all projects where unset.
        """
        with self._reading(scope) as (holding, desk):
            return tuple(log_lines(holding.state, desk, entry=entry_id))

    def blame(self, entry_id: str, *, scope: Reader | None = None) -> Blame:
        """Since when an entry says what it says, and from which words of which conversation.

        Raises:
            UnknownEntry: There is none.
        """
        with self._reading(scope) as (holding, desk):
            return blame(holding.state, desk, entry_id)

    def as_of(self, at: datetime, *, scope: Reader | None = None) -> tuple[Entry, ...]:
        """The entries that there were at a time, as they were."""
        with self._reading(scope) as (holding, desk):
            return tuple(as_of(holding.state, self._folder, desk, at))

    def newest_change(self) -> str | None:
        """The id of the last change; None before the first."""
        with self._reading(None) as (holding, _):
            changes = holding.state.changes
            return changes[-1].id if changes else None

    def after(self, change_id: str | None, *, scope: Reader | None = None) -> tuple[Entry, ...]:
        """Every entry that there was when a change was done, core and archive; none before the first change.

        Args:
            change_id: Of the change.
            scope: Who asks; the owner in all projects where unset.
        """
        with self._reading(scope) as (holding, desk):
            there = Desk(holding.state.after(change_id), self._folder, desk.reader)
            return tuple(there.entries())

    def fading(self, target: Target | None = None, *, scope: Reader | None = None) -> tuple[Leaving, ...]:
        """Which core entries would leave next, and why, the first of them first.

        Args:
            target: Only of this file.
            scope: Who asks; the owner in all projects where unset.
        """
        with self._reading(scope) as (_, desk):
            core = list(desk.entries(target, "core"))
        keys = [entry.id for entry in core]
        return ranked(core, self.uses_of(keys), now=self._now(), sessions_since=self._sessions_since(core))

    def take_notices(self) -> tuple[Notice, ...]:
        """What was found in the files on the way, told once."""
        return self._ledger.take_notices()

    @contextmanager
    def _reading(self, scope: Reader | None) -> Iterator[tuple[Holding, Desk]]:
        with self._ledger.reading() as holding:
            yield holding, Desk(holding.state, self._folder, scope or OWNER_EVERYWHERE)
