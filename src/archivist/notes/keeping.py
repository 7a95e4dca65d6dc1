"""What is done with an entry whose words stay: pinned, shared, sent to the archive and brought back."""

from collections.abc import Collection, Mapping

import msgspec

from archivist.notes.asking import Author, Outcome
from archivist.notes.changing import NotesChange
from archivist.notes.desk import Desk
from archivist.notes.holding import Holding
from archivist.notes.journal import BRING_BACK
from archivist.notes.leaving import promotable
from archivist.notes.making_room import NotesFull
from archivist.notes.places import place_of
from archivist.notes.planning import Planner, checked_text
from archivist.records import EVERYTHING, OWNER_EVERYWHERE, ArchivistError, Notice, Reader
from archivist.records.notes import Entry, NoteChange


class EntryChanged(ArchivistError):
    """An entry is not what it was when something was decided about it; nothing was changed."""

    def __init__(self, entry: str) -> None:
        self.entry = entry
        super().__init__(
            f"{entry} says something else by now, or is gone, and nothing was changed: look at it (`archivist memory show {entry}`)"
        )


class NotesKeep(NotesChange):
    """Where entries stand, and for whom."""

    def pin(self, entry_id: str, pinned: bool = True, *, scope: Reader | None = None) -> NoteChange:  # noqa: FBT001, FBT002 - a public name
        """Keep an entry in the core whatever happens, or no more; an archived one comes back.

        Raises:
            UnknownEntry: There is none.
        """

        def plan(planner: Planner, key: str) -> list[Outcome]:
            outcome = planner.promote(key) if pinned else Outcome("pin", key)
            planner.draft.mark(key, pinned=pinned)
            if planner.draft.steps:
                return [msgspec.structs.replace(outcome, action="pin" if pinned else "unpin", notices=())]
            notice = (
                Notice("pinned-already", f"{key} is pinned already")
                if pinned
                else Notice("not-pinned", f"{key} is not pinned")
            )
            return [msgspec.structs.replace(outcome, action="unchanged", notices=(notice,))]

        return self._change_one("pin" if pinned else "unpin", entry_id, scope, plan)

    def share(self, entry_id: str, shared: bool = True, *, scope: Reader | None = None) -> NoteChange:  # noqa: FBT001, FBT002 - a public name
        """Show an entry of the home to other readers too, or no more; one of a project, user or chat stays with them.

        Raises:
            UnknownEntry: There is none.
        """

        def plan(planner: Planner, key: str) -> list[Outcome]:
            place = place_of(planner.draft.file(key))
            if shared and place is not None and place.level:
                return [Outcome("unchanged", key, notices=(_only_of_the_home(key, place.level),))]
            planner.draft.mark(key, shared=shared)
            action = ("share" if shared else "unshare") if planner.draft.steps else "unchanged"
            return [Outcome(action, key)]

        return self._change_one("share" if shared else "unshare", entry_id, scope, plan)

    def promote(self, entry_id: str, *, scope: Reader | None = None) -> NoteChange:
        """Bring an archived entry back into the core.

        Raises:
            UnknownEntry, NotesFull: Nothing was changed.
        """
        return self._change_one("promote", entry_id, scope, lambda planner, key: [planner.promote(key)])

    def bring_back(self, entry_ids: Collection[str]) -> tuple[Entry, ...]:
        """Bring those of some archived entries back into the core that came back by use, as far as room can be made for them.

        What somebody sent to the archive stays there until it is promoted or noted again.

        Args:
            entry_ids: Entries that were used just now.
        """
        with self._ledger.writing() as holding:
            desk = Desk(holding.state, self._folder, EVERYTHING)
            used = [
                entry
                for key in entry_ids
                if (entry := desk.entry(key)) is not None and entry.status == "active"
            ]
            archived = [entry for entry in used if entry.tier == "archive" and not _was_sent(holding, entry)]
            return tuple(entry for entry in archived if self._brought_back(holding, desk, entry))

    def _brought_back(self, holding: Holding, desk: Desk, entry: Entry) -> bool:
        known = holding.state.entries[entry.id]
        place = place_of(known.file)
        assert place is not None
        core = desk.core(place.level, place.target)
        wanted = promotable(
            [entry],
            core,
            self.uses_of([one.id for one in (entry, *core)]),
            now=self._now(),
            sessions_since=self._sessions_since(core),
            archived_at={entry.id: known.placed_at},
            limit=self.limits.of(place.target),
        )
        if not wanted:
            return False
        planner = self._planner(holding, Author(), EVERYTHING)
        try:
            self._done(BRING_BACK, planner, [planner.promote(entry.id)])
        except NotesFull:
            return False
        return True

    def supersede(
        self,
        entry_id: str,
        by: str,
        *,
        words: Mapping[str, str],
        content: str | None = None,
        scope: Reader | None = None,
        accepts: str | None = None,
    ) -> NoteChange:
        """Let an entry hold no more, and another take its place; that one may get other words at the same time.

        Args:
            entry_id: What holds no more.
            by: What takes its place.
            words: What both said when this was decided, by id.
            content: The new words of the one that stays.
            scope: Who decides; the owner in all projects where unset.
            accepts: The proposal that is accepted with it.

        Raises:
            EntryChanged: One of them says something else by now, or is gone; nothing was changed.
        """
        with self._ledger.writing() as holding:
            planner = self._planner(holding, Author(), scope or OWNER_EVERYWHERE)
            for key in (entry_id, by):
                own = planner.desk.own(key)
                if own is None or own.status != "active" or own.text != words.get(key):
                    raise EntryChanged(key)
            if content is not None:
                planner.revise(by, checked_text(content))
            planner.close(entry_id, by=by)
            outcomes = [Outcome("supersede", by, superseded=(entry_id,))]
            return self._done("supersede", planner, outcomes, accepts=accepts)

    def demote(self, entry_id: str, *, scope: Reader | None = None) -> NoteChange:
        """Send an entry to the archive, where recall finds it.

        Raises:
            UnknownEntry: There is none.
        """
        return self._change_one("demote", entry_id, scope, lambda planner, key: [planner.demote(key)])


def _only_of_the_home(key: str, level: str) -> Notice:
    return Notice(
        "not-of-the-home", f"{key} stands in {level}: only entries of the home's own files can be shared"
    )


def _was_sent(holding: Holding, entry: Entry) -> bool:
    """Whether somebody asked for an entry to leave the core, who may not want it back."""
    moves = (
        change.action
        for change in reversed(holding.state.changes)
        if any(step.op == "move" and step.entry == entry.id for step in change.steps)
    )
    return next(moves, "") == "demote"
