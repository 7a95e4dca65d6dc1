"""The notes of a home: what its owner and their agents have distilled, in text files that anybody may edit.

What changes anything returns when it is on the disk. What may not be changed without the owner is kept for their review in its place,
and the result says so: its action is `waits`, and nothing was changed.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, get_args

import msgspec

from archivist.notes.accepting import NotesAccept
from archivist.notes.admitting import RejectedBefore
from archivist.notes.asking import Author, Outcome
from archivist.notes.batches import operate, righted
from archivist.notes.document import blocks_of
from archivist.notes.operations import read_operation
from archivist.notes.passing_over import REJECTED, WAITS
from archivist.notes.places import core_file, level_for, place_of
from archivist.notes.planning import Planner
from archivist.notes.statements import BroughtIn, Statement
from archivist.notes.telling import UnknownChange
from archivist.notes.undoing import undo
from archivist.records import OWNER_EVERYWHERE, Notice, Reader, Scope
from archivist.records.notes import HOME_SCOPE, EntryKind, EntryOrigin, NoteChange, Quote, Target

if TYPE_CHECKING:
    from archivist.guard.origins import Context
    from archivist.notes.bringing_in import Planned
    from archivist.records.proposals import Proposal

_TARGETS: Final = get_args(Target)
_ORIGINS: Final = get_args(EntryOrigin)
_KINDS: Final = get_args(EntryKind)


class Notes(NotesAccept):
    """Entries of MEMORY.md and USER.md; safe to use from many threads, beside other processes and editors."""

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
        heard: "Context | None" = None,
    ) -> NoteChange:
        """Note something; what is noted already is named instead, and brought back where it had left the core.

        What says plainly that it corrects an entry of the same speaker closes that one: see docs/notes.md.

        Args:
            target: `memory`: the environment, conventions, lessons; `user`: who the person is and what they prefer.
            content: One statement.
            scope: Where it is said: the owner's own where unset. It decides to whose notes it goes.
            origin: Who says it. What an agent puts into the wrong file is put into the right one, with a notice.
            kind: What it is; told by its form where unset.
            sources: The words that it rests on.
            session: In which session.
            heard: The conversation in which it is asked for, where it is no session of ours; see docs/trust.md.

        Raises:
            EmptyNote, DelimiterInNote, SecretInNote, NotesFull: Nothing was changed.
            NotKeptForReview, RejectedBefore: It may not be done at once, and does not wait either; nothing was changed.
            ArchivistError: Any other failure; nothing was changed.
        """
        _check(target, origin, kind)
        author = self._author(origin, scope, sources, session, heard)
        right, notices = righted(target, content, author)
        level = level_for(right, author.place)
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
        session: str | None = None,
        heard: "Context | None" = None,
    ) -> NoteChange:
        """Give a whole entry other words; the result has the old ones and says which sentences went.

        Args:
            target: Where it stands.
            old_text: A stretch that only this entry has, or its id.
            content: All of its new words.
            scope: As in `add`.
            origin: Who asks.
            session: In which session.
            heard: The conversation in which it is asked for, where it is no session of ours; see docs/trust.md.

        Raises:
            NoSuchEntry, SeveralEntries: With candidates; nothing was changed.
            ArchivistError: Nothing was changed.
        """
        _check(target, origin)
        return self._change(
            "replace",
            Author(origin, scope, session=session, heard=heard),
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
        session: str | None = None,
        heard: "Context | None" = None,
    ) -> NoteChange:
        """Give a stretch of an entry other words; the rest of it stays.

        Raises:
            NoSuchEntry, SeveralEntries, TextNotInEntry: Nothing was changed.
            ArchivistError: Nothing was changed.
        """
        _check(target, origin)
        return self._change(
            "edit",
            Author(origin, scope, session=session, heard=heard),
            lambda planner: [planner.edit(target, old_text, content)],
        )

    def remove(
        self,
        target: Target,
        old_text: str,
        *,
        scope: Scope | None = None,
        origin: EntryOrigin = "user",
        session: str | None = None,
        heard: "Context | None" = None,
    ) -> NoteChange:
        """Take an entry out of its file; `undo` brings it back.

        Raises:
            NoSuchEntry, SeveralEntries: With candidates; nothing was changed.
            ArchivistError: Nothing was changed.
        """
        _check(target, origin)
        return self._change(
            "remove",
            Author(origin, scope, session=session, heard=heard),
            lambda planner: [planner.remove(target, old_text)],
        )

    def apply(
        self,
        target: Target,
        operations: Sequence[Mapping[str, Any]],
        *,
        scope: Scope | None = None,
        origin: EntryOrigin = "user",
        session: str | None = None,
        heard: "Context | None" = None,
    ) -> NoteChange:
        """Do several things at once, all or none; only the end has to fit into the budget.

        Args:
            target: Where each of them stands that does not say so itself.
            operations: Each with `action` (add, replace, edit, remove), `content`, `old_text`, and `target` if it is another.
            scope: As in `add`.
            origin: Who asks.
            session: In which session.
            heard: The conversation in which it is asked for, where it is no session of ours; see docs/trust.md.

        Raises:
            OperationFailed: One of them cannot be done; nothing was changed.
            ArchivistError: Nothing was changed.
        """
        _check(target, origin)
        read = [read_operation(number, one, target) for number, one in enumerate(operations, 1)]
        author = self._author(origin, scope, (), session, heard)

        def plan(planner: Planner) -> list[Outcome]:
            return [operate(planner, number, one) for number, one in enumerate(read, 1)]

        return self._change("batch", author, plan)

    def split(self, target: Target, entry_id: str | None = None, *, scope: Scope | None = None) -> NoteChange:
        """Make an entry of each bullet and paragraph of a file that is plain Markdown, or of one entry.

        Args:
            target: The file.
            entry_id: Only this entry; needed where the file is divided into entries already.
            scope: As in `add`.

        Raises:
            NoSuchEntry, SeveralEntries: Nothing was changed.
            ArchivistError: Nothing was changed.
        """
        level = level_for(target, scope or HOME_SCOPE)

        def plan(planner: Planner) -> list[Outcome]:
            if entry_id is not None:
                return _split(planner, [planner.find(target, entry_id).id])
            keys = planner.draft.sheet(core_file(level, target)).order
            if len(keys) < 2:
                return _split(planner, list(keys))
            notice = Notice(
                "divided-already", "this file is divided into entries already: name the one to split"
            )
            return [Outcome("unchanged", "", notices=(notice,))]

        return self._change("split", Author("hand", scope), plan)

    def undo(self, change_id: str, force: bool = False, *, scope: Reader | None = None) -> NoteChange:  # noqa: FBT001, FBT002 - a public name
        """Take a change back, whole.

        Args:
            change_id: As `log` names it; a change by hand has one too.
            force: Also where its entries were changed again since.
            scope: Who asks; the owner in all projects where unset.

        Raises:
            UnknownChange, ChangedSince, TakenBackAlready, NothingLeft, NotesFull: Nothing was changed.
        """
        with self._ledger.writing() as holding:
            change = holding.state.change(change_id)
            planner = self._planner(holding, Author(), scope or OWNER_EVERYWHERE)
            files = (
                {name for step in change.steps for name in (step.file, step.source) if name}
                if change
                else set()
            )
            places = [place_of(name) for name in files]
            if change is None or not all(place and planner.desk.is_own(place.level) for place in places):
                raise UnknownChange(change_id)
            undo(holding.state, planner, change, force=force, former=self._ledger.versions.find)
            keys = dict.fromkeys(step.entry for step in planner.draft.steps)
            return self._done("undo", planner, [Outcome("undo", key) for key in keys], undoes=change.id)

    def bring_in(self, statements: Sequence[Statement]) -> BroughtIn:
        """Take over what another program had noted, as one change; what the core has no room for goes to the archive.

        Nothing that is here is moved, doubled or brought back that was removed, edited or undone. What has to wait for the owner waits
        as one.

        Raises:
            NotKeptForReview: It has to wait and cannot; nothing was changed.
            ArchivistError: Nothing was changed.
        """
        from archivist.notes.bringing_in import commit  # noqa: PLC0415 - for imports alone

        with self._ledger.writing() as holding:
            plan = self._import(holding, statements)
            waiting = self._import_waits(plan)
            if waiting is None:
                change = commit(self._ledger, plan) if plan.draft.steps else ""
                return msgspec.structs.replace(plan.told, change=change)
        try:
            return _left_waiting(plan.told, WAITS, self._kept(waiting))
        except RejectedBefore:
            return _left_waiting(plan.told, REJECTED, None)

    def _import_waits(self, plan: "Planned") -> "Proposal | None":
        """The entries that statements would become, as they wait; what only the history keeps of others waits for nothing."""
        if self._admit is None or not plan.resolved.operations:
            return None
        from archivist.notes.waiting import asked_of, waiting_write  # noqa: PLC0415 - as above

        author = Author("import")
        waits = self._admit(asked_of("import", author, plan.resolved))
        if waits is None:
            return None
        return waiting_write(
            plan.resolved, author, waits, now=self._now(), new_id=self._new_id, statements=plan.taken
        )


def _left_waiting(told: BroughtIn, reason: str, proposal: str | None) -> BroughtIn:
    """What is told of statements that became no entries yet."""
    skipped = {**told.skipped, reason: told.core + told.archived}
    return msgspec.structs.replace(told, core=0, archived=0, skipped=skipped, proposal=proposal)


def _check(target: str, origin: str = "user", kind: str | None = None) -> None:
    """Refuse what the journal could not be read back with.

    Raises:
        ValueError: There is no such target, origin or kind.
    """
    for name, value, known in (
        ("target", target, _TARGETS),
        ("origin", origin, _ORIGINS),
        ("kind", kind or "fact", _KINDS),
    ):
        if value not in known:
            raise ValueError(f"{name} {value!r} is none of {', '.join(known)}")


def _split(planner: Planner, keys: Sequence[str]) -> list[Outcome]:
    outcomes = []
    for key in keys:
        blocks = blocks_of(planner.draft.words(key))
        if len(blocks) < 2:
            continue
        planner.revise(key, blocks[0])
        outcomes.append(Outcome("split", key))
        after = key
        for block in blocks[1:]:
            after = planner.put_behind(after, block)
            outcomes.append(Outcome("split", after))
    return outcomes
