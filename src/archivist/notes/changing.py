"""How a change of the notes is made: planned under the lock, made to fit, committed, told."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from archivist.notes.admitting import RejectedBefore
from archivist.notes.asking import Author, Outcome
from archivist.notes.desk import Desk, reader_of
from archivist.notes.drafting import Draft, Plan
from archivist.notes.holding import Holding
from archivist.notes.making_room import Room
from archivist.notes.matching import preview
from archivist.notes.places import place_of, scope_key
from archivist.notes.planning import Planner
from archivist.notes.reading import NotesRead
from archivist.notes.telling import UnknownEntry
from archivist.notes.voices import speaker_of
from archivist.records import OWNER_EVERYWHERE, ArchivistError, Notice, Reader, Scope
from archivist.records.notes import HOME_SCOPE, Entry, EntryOrigin, NoteChange, NoteUsage, Quote, Target

if TYPE_CHECKING:
    from archivist.guard.origins import Context
    from archivist.notes.contradicting import Contradiction
    from archivist.records.proposals import Proposal


class NotesChange(NotesRead):
    """What every change has in common."""

    def _change(
        self,
        action: str,
        author: Author,
        plan: Callable[[Planner], list[Outcome]],
        notices: Sequence[Notice] = (),
    ) -> NoteChange:
        with self._ledger.writing() as holding:
            planner = self._planner(holding, author, reader_of(author.scope))
            outcomes = plan(planner)
            waiting = self._waiting(action, planner, outcomes)
            change = (
                self._done(action, planner, outcomes, notices=notices)
                if waiting is None
                else self._left_as_it_is(planner, outcomes, notices)
            )
        if waiting is not None:  # kept without the lock, as below
            notices = (Notice("waits", waiting.reason), *change.notices)
            return msgspec.structs.replace(change, proposal=self._kept(waiting), notices=notices)
        return self._with_asked(planner, self._with_oddities(author, change))

    def _with_oddities(self, author: Author, change: NoteChange) -> NoteChange:
        """What a person noted, with what they should know of how it reads."""
        if author.origin != "user":
            return change
        from archivist.notes.odd import oddities  # noqa: PLC0415 - the scanner's patterns are for what a person notes

        return msgspec.structs.replace(change, notices=(*change.notices, *oddities(change)))

    def _with_asked(self, planner: Planner, change: NoteChange) -> NoteChange:
        """Ask the owner what a change gave rise to; without the lock, for the store may be busy for a while."""
        if not planner.asked:
            return change
        notices = self._file(planner.asked)
        return msgspec.structs.replace(change, notices=(*change.notices, *notices))

    def _waiting(self, action: str, planner: Planner, outcomes: Sequence[Outcome]) -> "Proposal | None":
        """The write as it waits, where it may not be done at once.

        Raises:
            NotesFull: It could not be done anyway.
        """
        if self._admit is None or not planner.draft.steps:
            return None
        from archivist.notes.waiting import asked_of, resolved, waiting_write  # noqa: PLC0415 - most homes let nothing wait

        found = resolved(planner, outcomes)
        waits = self._admit(asked_of(action, planner.author, found))
        if waits is None:
            return None
        self._made_room(action, planner)
        return waiting_write(found, planner.author, waits, now=self._now(), new_id=self._new_id)

    def _kept(self, waiting: "Proposal") -> str:
        """The id under which a write waits.

        Raises:
            NotKeptForReview, RejectedBefore: It does not wait.
        """
        kept = self._keep(waiting)
        if kept.state == "rejected":
            raise RejectedBefore(kept.id)
        return kept.id

    def _left_as_it_is(
        self, planner: Planner, outcomes: Sequence[Outcome], notices: Sequence[Notice]
    ) -> NoteChange:
        """What a result says of a write that waits."""
        first = next((one for one in outcomes if one.key), None)
        usage = self._usage_at(planner.draft.file(first.key) if first is not None else "", planner.desk)[0]
        found = self._found_on_the_way(planner.desk, before="")
        return NoteChange("", "waits", None, usage, notices=(*notices, *found))

    def _usage_at(self, file: str, desk: Desk) -> tuple[NoteUsage, Target]:
        """How near its budget the core is to which a file belongs; that of the home's MEMORY.md where it is none of the notes'."""
        place = place_of(file)
        level, target = (place.level, place.target) if place is not None else ("", "memory")
        return self.limits.usage(target, desk.core_texts(level, target)), target

    def _found_on_the_way(self, desk: Desk, *, before: str) -> list[Notice]:
        """What a hand did that the reader is to be told of, beside the change that was just made."""
        return [*self._ledger.take_notices(desk.is_own), *self._ledger.untold(desk.is_own, before=before)]

    def _change_one(
        self, action: str, wanted: str, scope: Reader | None, plan: Callable[[Planner, str], list[Outcome]]
    ) -> NoteChange:
        """Change something about one entry, named by its id or by words that it alone has."""
        with self._ledger.writing() as holding:
            planner = self._planner(holding, Author(), scope or OWNER_EVERYWHERE)
            # an id of somebody else's is looked for among one's own like one that nobody has
            is_own = planner.desk.own(wanted) is not None
            key = wanted if is_own else planner.find_anywhere(wanted).id
            if not planner.draft.holds(key):
                raise UnknownEntry(wanted)
            return self._done(action, planner, plan(planner, key))

    def _author(
        self,
        origin: EntryOrigin,
        scope: Scope | None,
        sources: Sequence[Quote],
        session: str | None,
        heard: "Context | None" = None,
    ) -> Author:
        speaker = speaker_of(origin, scope or HOME_SCOPE, sources, self._speakers_of)
        return Author(origin, scope, tuple(sources), session, speaker, heard)

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
        accepts: str | None = None,
        notices: Sequence[Notice] = (),
    ) -> NoteChange:
        """Make room, commit, and say what happened."""
        room, moved = self._made_room(action, planner)
        change_id = ""
        if planner.draft.steps or planner.draft.orders:
            author = planner.author
            keys = scope_key(author.place)
            plan = Plan(action, planner.draft, undoes, author.session, keys, accepts=accepts)
            change_id = self._ledger.commit(plan).id
        return self._told(action, planner, outcomes, moved, change_id, room, notices)

    def _made_room(self, action: str, planner: Planner) -> tuple[Room, list[str]]:
        """Let a draft fit into the budgets; which entries leave the core for that.

        Raises:
            NotesFull: It cannot.
        """
        room = Room(self.limits, self.uses_of, self._sessions_since, self._now())
        # to divide an entry that is there is no newcomer: the file may be over its budget as it was
        cores = (
            []
            if action == "split"
            else [
                place
                for name in list(planner.draft.sheets)
                if (place := place_of(name)) and place.tier == "core"
            ]
        )
        return room, [key for place in cores for key in room.make(planner, place.level, place.target)]

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
        named = [found for one in outcomes if (found := desk.entry(one.key)) is not None]
        trouble = set[Notice]()
        entries = self._as_seen(named, desk.reader, trouble)
        gone = self._named(moved, desk, trouble)
        closed = self._named([key for one in outcomes for key in one.superseded], desk, trouble)
        known = holding.state.entries.get(first.key)
        usage, target = self._usage_at(known.file if known is not None else "", desk)
        against = self._contradicted(outcomes, desk, trouble)
        notes = [
            *notices,
            *(notice for one in outcomes for notice in one.notices),
            *self._found_on_the_way(desk, before=change_id),
            *_moved(gone),
            *(_closed(entry, change_id) for entry in closed),
            *self._propose(planner, against),
            *trouble,
        ]
        return NoteChange(
            id=change_id,
            action=first.action if len(outcomes) == 1 or not change_id else action,
            entry=entries[0] if entries else None,
            usage=usage,
            before=first.before if len(outcomes) == 1 else None,
            lost=tuple(sentence for one in outcomes for sentence in one.lost),
            moved=gone,
            superseded=closed,
            contradicted=tuple(other for _, _, other in against),
            entries=entries,
            notices=(*notes, *room.notices(usage, target)),
        )

    def _contradicted(
        self, outcomes: Sequence[Outcome], desk: Desk, trouble: set[Notice]
    ) -> "list[tuple[Entry, Contradiction, Entry]]":
        """What was noted just now, and what it contradicts that still stands."""
        found: list[tuple[Entry, Contradiction, Entry]] = []
        for outcome in outcomes:
            entry = desk.own(outcome.key) if outcome.contradicted else None
            for one in outcome.contradicted if entry is not None else ():
                other = desk.own(one.id)
                if entry is not None and other is not None and other.status == "active":
                    mine, its = self._as_seen([entry, other], desk.reader, trouble)
                    found.append((mine, one, its))
        return found

    def _propose(
        self, planner: Planner, found: "Sequence[tuple[Entry, Contradiction, Entry]]"
    ) -> list[Notice]:
        """Say what contradicts what, and let its owner be asked."""
        if not found:
            return []
        from archivist.notes.proposing import contradictions_of, told  # noqa: PLC0415 - seldom needed

        asked = [
            proposal
            for entry, one, other in found
            for proposal in contradictions_of(entry, [(one, other)], now=self._now(), new_id=self._new_id)
        ]
        notices = [told(entry, one, other) for entry, one, other in found]
        planner.asked += asked
        return notices

    def _named(self, keys: Sequence[str], desk: Desk, trouble: set[Notice]) -> tuple[Entry, ...]:
        named = [found for key in keys if (found := desk.entry(key)) is not None]
        return self._as_seen(named, desk.reader, trouble)

    def _as_seen(self, entries: Sequence[Entry], reader: Reader, trouble: set[Notice]) -> tuple[Entry, ...]:
        """Entries as the reader of a result sees them; where that cannot be told, a change that is done is no failure for it."""
        try:
            return self._cleared(entries, reader)
        except ArchivistError as error:
            text = f"the words that it rests on are left out here, for it cannot be told who may see them: {error}"
            trouble.add(Notice("sources-left-out", text))
            return tuple(msgspec.structs.replace(entry, sources=()) for entry in entries)


def _moved(gone: Sequence[Entry]) -> list[Notice]:
    names = "; ".join(f"{entry.id} “{entry.text[:60]}”" for entry in gone)
    return [Notice("moved-to-archive", f"to make room these went to the archive: {names}")] if gone else []


def _closed(entry: Entry, change: str) -> Notice:
    text = (
        f"{entry.id} “{preview(entry.text)}” is superseded: what was noted says that it holds no more. It is kept"
        f" (`archivist memory show {entry.id}`); `archivist memory undo {change}` takes both back"
    )
    return Notice("superseded", text)
