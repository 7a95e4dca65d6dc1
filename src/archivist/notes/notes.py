"""The notes of a home: what its owner and their agents have distilled, in text files that anybody may edit.

What changes anything returns when it is on the disk.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec

from archivist.notes.desk import Desk, reader_of
from archivist.notes.document import blocks_of
from archivist.notes.drafting import Draft
from archivist.notes.fitting import NotesFull, Room
from archivist.notes.holding import Holding
from archivist.notes.ledger import Plan
from archivist.notes.operating import operate, righted
from archivist.notes.operations import read_operation
from archivist.notes.places import core_file, level_for, place_of, scope_key
from archivist.notes.planning import Author, Outcome, Planner
from archivist.notes.reading import OWNER_EVERYWHERE, NotesRead
from archivist.notes.room import promotable
from archivist.notes.statements import BroughtIn, Statement
from archivist.notes.telling import UnknownChange, UnknownEntry
from archivist.notes.undoing import undo
from archivist.records import EVERYTHING, Notice, Reader, Scope
from archivist.records.notes import HOME_SCOPE, Entry, EntryKind, EntryOrigin, NoteChange, Quote, Target


class Notes(NotesRead):
    """Entries of MEMORY.md and USER.md; safe to use from many threads, beside other processes and editors."""

    # ---- changing ----

    def add(
        self,
        target: Target,
        content: str,
        *,
        scope: Scope | None = None,
        origin: EntryOrigin = "user",
        kind: EntryKind | None = None,
        sources: Sequence[Quote] = (),
        session: str | None = None,
    ) -> NoteChange:
        """Note something; what is noted already is named instead, and brought back where it had left the core.

        Args:
            target: `memory`: the environment, conventions, lessons; `user`: who the person is and what they prefer.
            content: One statement.
            scope: Where it is said: the owner's own where unset. It decides to whose notes it goes.
            origin: Who says it. What an agent puts into the wrong file is put into the right one, with a notice.
            kind: What it is; told by its form where unset.
            sources: The words that it rests on.
            session: In which session.

        Raises:
            EmptyNote, DelimiterInNote, SecretInNote, NotesFull: Nothing was changed.
            ArchivistError: Any other failure; nothing was changed.
        """
        author = Author(origin, scope or HOME_SCOPE, tuple(sources), session)
        right, notices = righted(target, content, author)
        level = level_for(right, author.scope)
        return self._change(
            "add", author, lambda planner: [planner.add(level, right, content, kind=kind)], notices
        )

    def replace(
        self,
        target: Target,
        old_text: str,
        content: str,
        *,
        scope: Scope | None = None,
        origin: EntryOrigin = "user",
    ) -> NoteChange:
        """Give a whole entry other words; the result has the old ones and says which sentences went.

        Args:
            target: Where it stands.
            old_text: A stretch that only this entry has, or its id.
            content: All of its new words.
            scope: As in `add`.
            origin: Who asks.

        Raises:
            NoSuchEntry, SeveralEntries: With candidates; nothing was changed.
            ArchivistError: Nothing was changed.
        """
        return self._change(
            "replace",
            Author(origin, scope or HOME_SCOPE),
            lambda planner: [planner.replace(target, old_text, content)],
        )

    def edit(
        self,
        target: Target,
        old_text: str,
        content: str,
        *,
        scope: Scope | None = None,
        origin: EntryOrigin = "user",
    ) -> NoteChange:
        """Give a stretch of an entry other words; the rest of it stays.

        Raises:
            NoSuchEntry, SeveralEntries, TextNotInEntry: Nothing was changed.
            ArchivistError: Nothing was changed.
        """
        return self._change(
            "edit",
            Author(origin, scope or HOME_SCOPE),
            lambda planner: [planner.edit(target, old_text, content)],
        )

    def remove(
        self, target: Target, old_text: str, *, scope: Scope | None = None, origin: EntryOrigin = "user"
    ) -> NoteChange:
        """Take an entry out of its file; `undo` brings it back.

        Raises:
            NoSuchEntry, SeveralEntries: With candidates; nothing was changed.
            ArchivistError: Nothing was changed.
        """
        return self._change(
            "remove", Author(origin, scope or HOME_SCOPE), lambda planner: [planner.remove(target, old_text)]
        )

    def apply(
        self,
        target: Target,
        operations: Sequence[Mapping[str, Any]],
        *,
        scope: Scope | None = None,
        origin: EntryOrigin = "user",
        session: str | None = None,
    ) -> NoteChange:
        """Do several things at once, all or none; only the end has to fit into the budget.

        Args:
            target: Where each of them stands that does not say so itself.
            operations: Each with `action` (add, replace, edit, remove), `content`, `old_text`, and `target` if it is another.
            scope: As in `add`.
            origin: Who asks.
            session: In which session.

        Raises:
            OperationFailed: One of them cannot be done; nothing was changed.
            ArchivistError: Nothing was changed.
        """
        read = [read_operation(number, one, target) for number, one in enumerate(operations, 1)]
        author = Author(origin, scope or HOME_SCOPE, session=session)

        def plan(planner: Planner) -> list[Outcome]:
            return [operate(planner, number, one) for number, one in enumerate(read, 1)]

        return self._change("batch", author, plan)

    def pin(self, entry_id: str, pinned: bool = True, *, scope: Reader | None = None) -> NoteChange:  # noqa: FBT001, FBT002
        """Keep an entry in the core whatever happens, or no more; an archived one comes back.

        Raises:
            UnknownEntry: There is none.
        """

        def plan(planner: Planner) -> list[Outcome]:
            outcome = planner.promote(entry_id) if pinned else Outcome("pin", entry_id)
            planner.draft.mark(entry_id, pinned=pinned)
            action = ("pin" if pinned else "unpin") if planner.draft.steps else "unchanged"
            return [msgspec.structs.replace(outcome, action=action, notices=())]

        return self._change_one("pin" if pinned else "unpin", entry_id, scope, plan)

    def share(self, entry_id: str, shared: bool = True, *, scope: Reader | None = None) -> NoteChange:  # noqa: FBT001, FBT002
        """Show an entry of the owner's to other readers too, or no more.

        Raises:
            UnknownEntry: There is none.
        """

        def plan(planner: Planner) -> list[Outcome]:
            planner.draft.mark(entry_id, shared=shared)
            action = ("share" if shared else "unshare") if planner.draft.steps else "unchanged"
            return [Outcome(action, entry_id)]

        return self._change_one("share" if shared else "unshare", entry_id, scope, plan)

    def promote(self, entry_id: str, *, scope: Reader | None = None) -> NoteChange:
        """Bring an archived entry back into the core.

        Raises:
            UnknownEntry, NotesFull: Nothing was changed.
        """
        return self._change_one("promote", entry_id, scope, lambda planner: [planner.promote(entry_id)])

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
            self._done("bring-back", planner, [planner.promote(entry.id)])
        except NotesFull:
            return False
        return True

    def demote(self, entry_id: str, *, scope: Reader | None = None) -> NoteChange:
        """Send an entry to the archive, where recall finds it.

        Raises:
            UnknownEntry: There is none.
        """
        return self._change_one("demote", entry_id, scope, lambda planner: [planner.demote(entry_id)])

    def split(self, target: Target, *, scope: Scope | None = None) -> NoteChange:
        """Make an entry of each bullet and paragraph of a file that is plain Markdown.

        Raises:
            ArchivistError: Nothing was changed.
        """
        level = level_for(target, scope or HOME_SCOPE)

        def plan(planner: Planner) -> list[Outcome]:
            return _split(planner, core_file(level, target))

        return self._change("split", Author("hand", scope or HOME_SCOPE), plan)

    def undo(self, change_id: str, force: bool = False, *, scope: Reader | None = None) -> NoteChange:  # noqa: FBT001, FBT002
        """Take a change back, whole.

        Args:
            change_id: As `log` names it; a change by hand has one too.
            force: Also where its entries were changed again since.
            scope: Who asks; the owner in all projects where unset.

        Raises:
            UnknownChange, ChangedSince, NothingLeft, NotesFull: Nothing was changed.
        """
        with self._ledger.writing() as holding:
            change = holding.state.change(change_id)
            planner = self._planner(holding, Author(), scope or OWNER_EVERYWHERE)
            places = [place_of(step.file) for step in change.steps] if change is not None else []
            if change is None or not all(place and planner.desk.is_own(place.level) for place in places):
                raise UnknownChange(change_id)
            undo(holding.state, planner, change, force=force, former=self._ledger.versions.find)
            keys = dict.fromkeys(step.entry for step in planner.draft.steps)
            return self._done("undo", planner, [Outcome("undo", key) for key in keys], undoes=change.id)

    def bring_in(self, statements: Sequence[Statement]) -> BroughtIn:
        """Take over what another program had noted, as one change; what the core has no room for goes to the archive.

        Nothing that is here is moved, doubled or brought back that was removed, edited or undone.

        Raises:
            ArchivistError: Nothing was changed.
        """
        from archivist.notes.bringing_in import bring_in  # noqa: PLC0415 - for imports alone

        return bring_in(
            self._ledger, statements, limits=self.limits, twin_of=self._twins.of, new_id=self._new_id
        )

    # ---- how a change is made ----

    def _change(
        self,
        action: str,
        author: Author,
        plan: Callable[[Planner], list[Outcome]],
        notices: Sequence[Notice] = (),
    ) -> NoteChange:
        with self._ledger.writing() as holding:
            planner = self._planner(holding, author, reader_of(author.scope))
            return self._done(action, planner, plan(planner), notices=notices)

    def _change_one(
        self, action: str, key: str, scope: Reader | None, plan: Callable[[Planner], list[Outcome]]
    ) -> NoteChange:
        with self._ledger.writing() as holding:
            planner = self._planner(holding, Author(), scope or OWNER_EVERYWHERE)
            entry = planner.desk.entry(key)
            if entry is None or not planner.draft.holds(key):
                raise UnknownEntry(key)
            return self._done(action, planner, plan(planner))

    def _planner(self, holding: Holding, author: Author, reader: Reader) -> Planner:
        state = holding.state
        return Planner(
            Draft(state, holding.document),
            Desk(state, self._folder, reader),
            author,
            twin_of=lambda level, target, text: self._twins.of(state, level, target, text),
            now=self._now(),
            new_id=self._new_id,
        )

    def _done(
        self,
        action: str,
        planner: Planner,
        outcomes: Sequence[Outcome],
        *,
        undoes: str | None = None,
        notices: Sequence[Notice] = (),
    ) -> NoteChange:
        """Make room, commit, and say what happened."""
        room = Room(self.limits, self.uses_of, self._sessions_since, self._now())
        cores = [
            place for name in list(planner.draft.sheets) if (place := place_of(name)) and place.tier == "core"
        ]
        moved = [key for place in cores for key in room.make(planner, place.level, place.target)]
        changed, change_id = planner.draft.steps, ""
        if changed:
            author = planner.author
            plan = Plan(action, planner.draft, undoes, author.session, scope_key(author.scope))
            change_id = self._ledger.commit(plan).id
        return self._told(action, planner, outcomes, moved, change_id, room, notices)

    def _told(
        self,
        action: str,
        planner: Planner,
        outcomes: Sequence[Outcome],
        moved: Sequence[str],
        change_id: str,
        room: Room,
        notices: Sequence[Notice],
    ) -> NoteChange:
        holding = self._ledger.holding
        desk = Desk(holding.state, self._folder, planner.desk.reader)
        first = outcomes[0] if outcomes else Outcome("unchanged", "")
        entries = tuple(found for one in outcomes if (found := desk.entry(one.key)) is not None)
        gone = tuple(found for key in moved if (found := desk.entry(key)) is not None)
        place = (
            place_of(holding.state.entries[first.key].file) if first.key in holding.state.entries else None
        )
        level, target = (place.level, place.target) if place is not None else ("", "memory")
        usage = self.limits.usage(target, (entry.text for entry in desk.core(level, target)))
        told = [
            *notices,
            *(notice for one in outcomes for notice in one.notices),
            *self._ledger.take_notices(),
        ]
        if gone:
            names = "; ".join(f"{entry.id} “{entry.text[:60]}”" for entry in gone)
            told.append(Notice("moved-to-archive", f"to make room these went to the archive: {names}"))
        return NoteChange(
            id=change_id,
            action=first.action if len(outcomes) < 2 or not change_id else action,
            entry=entries[0] if entries else None,
            usage=usage,
            before=first.before if len(outcomes) == 1 else None,
            lost=tuple(sentence for one in outcomes for sentence in one.lost),
            moved=gone,
            entries=entries,
            notices=(*told, *room.notices(usage, target)),
        )


def _was_sent(holding: Holding, entry: Entry) -> bool:
    """Whether somebody asked for an entry to leave the core, who may not want it back."""
    moves = (
        change.action
        for change in reversed(holding.state.changes)
        if any(step.op == "move" and step.entry == entry.id for step in change.steps)
    )
    return next(moves, "") == "demote"


def _split(planner: Planner, name: str) -> list[Outcome]:
    outcomes = []
    place = place_of(name)
    assert place is not None
    for key in list(planner.draft.sheet(name).order):
        blocks = blocks_of(planner.draft.text(key))
        if len(blocks) < 2:
            continue
        planner.draft.revise(key, blocks[0])
        outcomes.append(Outcome("split", key))
        after = key
        for block in blocks[1:]:
            after = planner.put_behind(after, name, block)
            outcomes.append(Outcome("split", after))
    return outcomes
