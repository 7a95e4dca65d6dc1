"""What waited for the owner is done when they accept it: in the name of whoever asked for it, as it was shown."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from archivist.notes.asking import Author
from archivist.notes.desk import Desk, reader_of
from archivist.notes.holding import Holding
from archivist.notes.keeping import NotesKeep
from archivist.notes.making_room import NotesFull
from archivist.notes.planning import Planner
from archivist.notes.undoing import taken_back
from archivist.records import EVERYTHING, OWNER
from archivist.records.notes import Entry, NoteChange
from archivist.records.proposals import Asker, Proposal
from archivist.records.statements import Statement

if TYPE_CHECKING:
    from archivist.notes.bringing_in import Planned
    from archivist.notes.replaying import Replayed


class NotesAccept(NotesKeep):
    """Writes that waited."""

    def weigh(self, write: Proposal) -> "Replayed":
        """What a write that waits would come to now; nothing is changed."""
        if write.evidence.statements:
            with self._reading(None) as (holding, _):
                return _replayed_import(
                    write, self._import(holding, write.evidence.statements, brings_back=True)
                )
        from archivist.notes.replaying import replayed  # noqa: PLC0415 - only the owner's review needs it

        author = self._author_of(write)
        with self._reading(None) as (holding, _):
            planner = self._planner_for(holding, author)
            found = replayed(planner, write)
            if found.fits != "as-shown":
                return found
            return msgspec.structs.replace(found, leaving=self._would_leave(planner))

    def carry_out(self, write: Proposal) -> NoteChange:
        """Do what waited, without asking whether it may be done: the owner has said so.

        Raises:
            NotAsShown: What it is about has changed since; nothing was changed.
            ArchivistError: It cannot be done; nothing was changed.
        """
        from archivist.notes.replaying import NotAsShown, replayed  # noqa: PLC0415 - as above

        if write.evidence.statements:
            return self._carry_out_import(write)
        author = self._author_of(write)
        with self._ledger.writing() as holding:
            planner = self._planner_for(holding, author)
            found = replayed(planner, write)
            if found.fits != "as-shown":
                raise NotAsShown(write.id)
            asked = [one for one in write.operations if one.action != "close"]
            action = asked[0].action if len(asked) == 1 else "batch"
            change = self._done(action, planner, found.outcomes, accepts=write.id)
        return self._with_asked(planner, self._with_oddities(author, change))

    def _carry_out_import(self, write: Proposal) -> NoteChange:
        from archivist.notes.bringing_in import commit  # noqa: PLC0415 - as above
        from archivist.notes.replaying import NotAsShown  # noqa: PLC0415 - as above

        with self._ledger.writing() as holding:
            plan = self._import(holding, write.evidence.statements, brings_back=True)
            if _replayed_import(write, plan).fits != "as-shown":
                raise NotAsShown(write.id)
            change = commit(self._ledger, plan, accepts=write.id)
            desk = Desk(self._ledger.holding.state, self._folder, EVERYTHING)
            usage = self.limits.usage("memory", desk.core_texts("", "memory"))
        return NoteChange(change, "import", None, usage)

    def _import(
        self, holding: Holding, statements: Sequence[Statement], *, brings_back: bool = False
    ) -> "Planned":
        from archivist.notes.bringing_in import planned  # noqa: PLC0415 - for imports alone

        return planned(
            holding,
            statements,
            limits=self.limits,
            twin_of=self._twins.of,
            new_id=self._new_id,
            brings_back=brings_back,
        )

    def _would_leave(self, planner: Planner) -> tuple[Entry, ...]:
        """The entries that would leave the core to make room; none where there is no room to be made, which is said when it is done."""
        try:
            _, moved = self._made_room("add", planner)
        except NotesFull:
            return ()
        return tuple(own for key in moved if (own := planner.desk.own(key)) is not None)

    def accepted_by(self, proposal_id: str) -> str | None:
        """The change with which a proposal was accepted, as long as it is not taken back; None where there is none."""
        with self._reading(None) as (holding, _):
            changes = holding.state.changes
            found = [change.id for change in changes if change.accepts == proposal_id]
            undone = taken_back(changes) if found else {}
        return next((change for change in reversed(found) if change not in undone), None)

    def _author_of(self, write: Proposal) -> Author:
        """In whose name a write is done: theirs who asked for it, but the owner's where they have chosen the words."""
        asker = write.evidence.asker or Asker("user")
        if any(one.proposed is not None for one in write.operations):
            return Author("user", asker.scope, asker.sources, asker.session, OWNER.user)
        return self._author(asker.origin, asker.scope, asker.sources, asker.session)

    def _planner_for(self, holding: Holding, author: Author) -> Planner:
        return self._planner(holding, author, reader_of(author.scope))


def _replayed_import(write: Proposal, plan: "Planned") -> "Replayed":
    """Whether what would be brought in now is what was shown, or the rest of it."""
    from archivist.notes.replaying import Replayed  # noqa: PLC0415 - as above

    left = plan.resolved.operations
    if not left:
        return Replayed("settled", settled=write.operations)
    if not set(left) <= set(write.operations):
        return Replayed("changed")
    return Replayed("as-shown", settled=tuple(one for one in write.operations if one not in left))
