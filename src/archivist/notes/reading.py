"""The notes of a home, for reading: every method reads again what is on the disk."""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from archivist.notes.desk import Desk, reader_of
from archivist.notes.holding import Holding
from archivist.notes.leaving import Leaving, ranked
from archivist.notes.ledger import Ledger
from archivist.notes.limits import Limits
from archivist.notes.making_room import SessionsSince, UsesOf
from archivist.notes.matching import NoSuchEntry, find_entry
from archivist.notes.places import level_for
from archivist.notes.telling import Blame, LogLine, UnknownEntry, as_of, blame, log_lines
from archivist.notes.twins import Twins
from archivist.notes.voices import SpeakersOf
from archivist.records import OWNER_EVERYWHERE, Everything, Notice, Reader, Scope
from archivist.records.notes import HOME_SCOPE, Entry, NoteUsage, Target, Tier

if TYPE_CHECKING:
    from archivist.notes.proposing import File

Sees = Callable[[Reader, Collection[str]], Collection[str]]


class Recorded(msgspec.Struct, frozen=True):
    """What the journal says.

    Attributes:
        newest: The last change; None before the first.
        entries: All that there are now, core and archive.
        at: By change, those that there were when it was done; in the order of the changes.
    """

    newest: str | None
    entries: tuple[Entry, ...]
    at: dict[str, tuple[Entry, ...]]


class NotesRead:
    """What is noted, and what happened to it.

    Attributes:
        limits: The budgets.
        uses_of: When entries were used, by id.

    Args:
        ledger: Writes changes.
        sessions_since: How many sessions began in an entry's scope since it was noted.
        new_id: Makes ids.
        sees: Which of some sessions a reader may see: of others no words are given out.
        speakers_of: Who said some messages.
        file: Keeps what is proposed to the owner.
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
        speakers_of: SpeakersOf = lambda _ids: {},
        file: "File" = lambda _proposals: (),
    ) -> None:
        self.limits, self._sees, self._speakers_of, self._file = limits, sees, speakers_of, file
        self._ledger, self.uses_of, self._sessions_since, self._new_id = (
            ledger,
            uses_of,
            sessions_since,
            new_id,
        )
        self._now, self._folder = ledger.holding.now, ledger.holding.folder
        self._twins = Twins()

    def entries(
        self,
        target: Target | None = None,
        tier: Tier | str = "core",
        scope: Reader | None = None,
        *,
        superseded: bool = False,
    ) -> tuple[Entry, ...]:
        """What is noted, in the order of the files.

        Args:
            target: Only of this file.
            tier: `core`, `archive` or `all`.
            scope: Who asks; the owner in all projects where unset.
            superseded: Of the archive also what something else took the place of.

        Raises:
            ValueError: There is no such tier.
        """
        if tier not in {"core", "archive", "all"}:
            raise ValueError(f"tier {tier!r} is none of core, archive, all")
        chosen: Tier | None = "core" if tier == "core" else "archive" if tier == "archive" else None
        with self._reading(scope) as (_, desk):
            return self._cleared(desk.entries(target, chosen, closed=superseded), desk.reader)

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

    def newest_change(self) -> str | None:
        """The id of the last change; None before the first."""
        with self._reading(None) as (holding, _):
            changes = holding.state.changes
            return changes[-1].id if changes else None

    def present(self, scope: Reader) -> tuple[str | None, tuple[Entry, ...]]:
        """What stands in the core now, and the newest change that is written down, read at one moment."""
        with self._reading(scope) as (holding, desk):
            return _newest(holding), tuple(desk.entries(tier="core"))

    def recorded(self, changes: Collection[str], scope: Reader) -> Recorded:
        """What the journal says of now and of some of its changes, read at one moment.

        What only a reader saw, and nobody could write down yet, is not in it: the ids of that are not lasting.
        """
        with self._reading(scope) as (holding, desk):
            newest = _newest(holding)
            known = [change.id for change in holding.written if change.id in changes or change.id == newest]
            at = {key: tuple(self._after(key, holding, desk).entries()) for key in known}
        return Recorded(newest, at.get(newest or "", ()), at)

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

    def take_notices(self) -> tuple[Notice, ...]:
        """What was found in the files on the way, told once."""
        return self._ledger.take_notices()

    def _after(self, change: str, holding: Holding, desk: Desk) -> Desk:
        """What there was when a change was done."""
        if holding.state.changes[-1].id == change:
            return desk
        return Desk(holding.state.after(change), self._folder, desk.reader)

    def _cleared(self, entries: Iterable[Entry], reader: Reader) -> tuple[Entry, ...]:
        """Entries without the words of conversations that the reader may not see: a project's are for all in it, what one said is not."""
        entries = tuple(entries)
        named = {quote.session_id for entry in entries for quote in entry.sources if quote.session_id}
        if not named or isinstance(reader, Everything):
            return entries
        hidden = named - set(self._sees(reader, named))
        return tuple(_without(entry, hidden) for entry in entries) if hidden else entries

    @contextmanager
    def _reading(self, scope: Reader | None) -> Iterator[tuple[Holding, Desk]]:
        with self._ledger.reading() as holding:
            yield holding, Desk(holding.state, self._folder, scope or OWNER_EVERYWHERE)


def _named(desk: Desk, wanted: str) -> str:
    """The id of the entry that is meant by it or by words that it alone has; else what was given."""
    if desk.entry(wanted) is not None:
        return wanted
    for tier in ("core", "archive"):
        with suppress(NoSuchEntry):
            return find_entry(list(desk.entries(tier=tier)), wanted).id
    return wanted


def _newest(holding: Holding) -> str | None:
    return holding.written[-1].id if holding.written else None


def _without(entry: Entry, hidden: Collection[str]) -> Entry:
    if not any(quote.session_id in hidden for quote in entry.sources):
        return entry
    kept = tuple(quote for quote in entry.sources if quote.session_id not in hidden)
    return msgspec.structs.replace(entry, sources=kept)
