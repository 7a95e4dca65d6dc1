"""The notes of a home, for reading, with their history: every method reads again what is on the disk."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from archivist.notes.admitting import Admit, Keep, kept_nowhere
from archivist.notes.desk import Desk, reader_of
from archivist.notes.leaving import Leaving, ranked
from archivist.notes.ledger import Ledger
from archivist.notes.limits import Limits
from archivist.notes.making_room import SessionsSince, UsesOf
from archivist.notes.matching import NoSuchEntry, find_entry
from archivist.notes.places import level_for
from archivist.notes.showing import Allowed, NotesShow, Sees
from archivist.notes.telling import Blame, LogLine, UnknownEntry, as_of, blame, log_lines
from archivist.notes.twins import Twins
from archivist.notes.voices import SpeakersOf
from archivist.records import Reader, Scope
from archivist.records.notes import HOME_SCOPE, Entry, NoteUsage, Target

if TYPE_CHECKING:
    from archivist.notes.proposing import File


class NotesRead(NotesShow):
    """What is noted, and what happened to it.

    Args:
        ledger: Writes changes.
        limits: The budgets.
        uses_of: When entries were used, by id.
        sessions_since: How many sessions began in an entry's scope since it was noted.
        new_id: Makes ids.
        sees: Which of some sessions a reader may see: of others no words are given out.
        allowed: The ids of the blocks that models are shown whatever is found in them.
        speakers_of: Who said some messages.
        file: Keeps what is proposed to the owner.
        admit: Says of a write whether it waits for the owner; all are done at once where unset.
        keep: Keeps a write that waits.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        limits: Limits,
        uses_of: UsesOf,
        sessions_since: SessionsSince,
        new_id: Callable[[], str],
        sees: Sees = lambda _reader, names: names,
        allowed: Allowed = frozenset,
        speakers_of: SpeakersOf = lambda _ids: {},
        file: "File" = lambda _proposals: (),
        admit: Admit | None = None,
        keep: Keep = kept_nowhere,
    ) -> None:
        super().__init__(ledger, limits=limits, uses_of=uses_of, sees=sees, allowed=allowed)
        self._sessions_since, self._new_id = sessions_since, new_id
        self._speakers_of, self._file = speakers_of, file
        self._admit, self._keep = admit, keep
        self._twins = Twins()

    def entry(self, entry_id: str, *, scope: Reader | None = None) -> Entry:
        """One entry, wherever it stands or stood.

        Raises:
            UnknownEntry: There is none.
        """
        with self._reading(scope) as (_, desk):
            found = desk.entry(entry_id)
            if found is None:
                raise UnknownEntry(entry_id)
            return self._cleared([found], desk.reader)[0]

    def usage(self, target: Target, scope: Scope | None = None) -> NoteUsage:
        """How near its budget a file is."""
        with self._reading(reader_of(scope)) as (_, desk):
            return self.limits.usage(target, desk.core_texts(level_for(target, scope or HOME_SCOPE), target))

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

        Args:
            entry_id: Its id, or words that it alone has.
            scope: Who asks; the owner in all projects where unset.

        Raises:
            UnknownEntry: There is none.
            SeveralEntries: Several have these words.
        """
        with self._reading(scope) as (holding, desk):
            found = blame(holding.state, desk, _named(desk, entry_id))
            (entry,) = self._cleared([found.entry], desk.reader)
            return msgspec.structs.replace(found, entry=entry, sources=entry.sources)

    def as_of(self, at: datetime, *, scope: Reader | None = None) -> tuple[Entry, ...]:
        """The entries that there were at a time, as they were."""
        with self._reading(scope) as (holding, desk):
            return self._cleared(as_of(holding.state, self._folder, desk, at), desk.reader)

    def fading(self, target: Target | None = None, *, scope: Reader | None = None) -> tuple[Leaving, ...]:
        """Which core entries would leave next, and why, the first of them first.

        Args:
            target: Only of this file.
            scope: Who asks; the owner in all projects where unset.
        """
        with self._reading(scope) as (_, desk):
            core = self._cleared(desk.entries(target, "core"), desk.reader)
        keys = [entry.id for entry in core]
        return ranked(core, self.uses_of(keys), now=self._now(), sessions_since=self._sessions_since(core))


def _named(desk: Desk, wanted: str) -> str:
    """The id of the entry that is meant by it or by words that it alone has; else what was given."""
    if desk.entry(wanted) is not None:
        return wanted
    for tier in ("core", "archive"):
        with suppress(NoSuchEntry):
            return find_entry(list(desk.entries(tier=tier)), wanted).id
    return wanted
