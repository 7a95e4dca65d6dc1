"""What stands in the notes, for who only looks: prompts and the hooks of hosts, which wait for nothing that they do not use."""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

from archivist.notes.desk import Desk
from archivist.notes.holding import Holding
from archivist.notes.ledger import Ledger
from archivist.notes.limits import Limits
from archivist.records import OWNER_EVERYWHERE, Everything, Notice, Reader
from archivist.records.notes import Entry, Target, Tier

if TYPE_CHECKING:
    from archivist.notes.making_room import UsesOf

Sees = Callable[[Reader, Collection[str]], Collection[str]]


Allowed = Callable[[], Collection[str]]
"""Gives the ids of the blocks that the owner has allowed at this moment."""


class Recorded(msgspec.Struct, frozen=True):
    """What the journal says.

    Attributes:
        newest: The last change; None before the first.
        entries: All that there are now, core and archive.
        at: By change, those that there were when it was done; in the order of the changes.
        touched: By change, the entries that it is about.
        by: By change, the session in which it was asked for, where it was in one.
    """

    newest: str | None
    entries: tuple[Entry, ...]
    at: dict[str, tuple[Entry, ...]]
    touched: dict[str, frozenset[str]] = {}
    by: dict[str, str | None] = {}


class NotesShow:
    """What is noted now, or was after a change.

    Attributes:
        limits: The budgets.
        uses_of: When entries were used, by id.
        allowed: The ids of the blocks that models are shown whatever is found in them.

    Args:
        ledger: Writes down what a hand did.
        sees: Which of some sessions a reader may see: of others no words are given out.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        limits: Limits,
        uses_of: "UsesOf",
        sees: Sees = lambda _reader, names: names,
        allowed: Allowed = frozenset,
    ) -> None:
        self.limits, self.uses_of, self.allowed = limits, uses_of, allowed
        self._ledger, self._sees = ledger, sees
        self._now, self._folder = ledger.holding.now, ledger.holding.folder

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
            known = [change for change in holding.written if change.id in changes or change.id == newest]
            at = {change.id: tuple(self._after(change.id, holding, desk).entries()) for change in known}
        touched = {change.id: frozenset(step.entry for step in change.steps) for change in known}
        by = {change.id: change.session for change in known}
        return Recorded(newest, at.get(newest or "", ()), at, touched, by)

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


def _newest(holding: Holding) -> str | None:
    return holding.written[-1].id if holding.written else None


def _without(entry: Entry, hidden: Collection[str]) -> Entry:
    if not any(quote.session_id in hidden for quote in entry.sources):
        return entry
    kept = tuple(quote for quote in entry.sources if quote.session_id not in hidden)
    return msgspec.structs.replace(entry, sources=kept)
