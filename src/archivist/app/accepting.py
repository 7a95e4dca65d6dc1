"""What the notes do with writes that waited: how they would look, whether they still fit, and that they are done as they were shown."""

from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Final

import msgspec

from archivist.app.days import Days
from archivist.curate.appliers import Applied, Line, Standing
from archivist.curate.refusals import NotEditable
from archivist.guard import mask
from archivist.notes.notes import Notes
from archivist.notes.planning import checked_text
from archivist.notes.telling import UnknownChange
from archivist.notes.undoing import NothingLeft, TakenBackAlready
from archivist.records import ArchivistError, Notice, Reader, Scope
from archivist.records.notes import HOME_SCOPE, Entry
from archivist.records.proposals import Proposal, ProposedOperation

DAY: Final = "daily/"
"""Before the day, what stands for a change of daily notes, which have no journal."""


class DayStays(ArchivistError):
    """What was written down for a day stands there still: daily notes only grow, and only a hand takes something out."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"daily notes only grow: take it out of {path} with an editor, then try again")


class Writes:
    """Writes of notes that waited.

    Args:
        notes: Where they are done.
        reader: Who decides.
    """

    def __init__(self, notes: Notes, reader: Reader) -> None:
        self._notes, self._reader = notes, reader

    def standing(self, proposal: Proposal) -> Standing:
        """Whether it would come to what was shown."""
        return self._notes.weigh(proposal).fits

    def lines(self, proposal: Proposal) -> tuple[Line, ...]:
        """The entries that it would touch, and the words that they would have."""
        now = self._notes.weigh(proposal) if proposal.state in {"open", "expired"} else None
        settled, leaving = (now.settled, now.leaving) if now is not None else ((), ())
        seen = {one.id: one for one in proposal.evidence.entries}
        found: list[Line] = []
        for one in proposal.operations:
            is_left = one not in settled
            former = seen.get(one.entry)
            if former is not None and one.action != "add":
                found.append(
                    Line(
                        "-" if is_left else " ",
                        one.entry,
                        former.text,
                        former.observed_at,
                        one.target,
                        one.scope,
                    )
                )
            if one.content is not None:
                text = mask(one.content).text
                found.append(Line("+" if is_left else " ", one.entry, text, None, one.target, one.scope))
        found += [_moving(one) for one in leaving]
        return tuple(found)

    def edited(self, proposal: Proposal, text: str) -> tuple[ProposedOperation, ...]:
        """The one text that it would note, with other words."""
        return _edited(proposal, checked_text(text))

    def unedited(self, proposal: Proposal) -> tuple[ProposedOperation, ...]:
        """What was asked for at first."""
        return _unedited(proposal)

    def done_by(self, proposal: Proposal) -> str | None:
        """What the journal says of it."""
        return self._notes.accepted_by(proposal.id)

    def apply(self, proposal: Proposal) -> Applied:
        """Do it; the notes refuse what is not as it was shown."""
        change = self._notes.carry_out(proposal)
        return Applied(change.id, change.notices)

    def undo(self, _: Proposal, change: str) -> tuple[Notice, ...]:
        """Take it back."""
        return undo_change(self._notes, change, self._reader)


class DailyWrites:
    """What would be written down for a day, that on which it was asked for.

    Args:
        days: Where it is.
    """

    def __init__(self, days: Days) -> None:
        self._days = days

    def standing(self, proposal: Proposal) -> Standing:
        """Whether the day has nothing of it yet, or all."""
        asked = _unedited(proposal)[0].content or ""
        entry = self._days.fresh(asked, proposal.made_at, _place(proposal))
        if not entry.added:
            return "settled"
        return "changed" if entry.repeated else "as-shown"

    def lines(self, proposal: Proposal) -> tuple[Line, ...]:
        """The one entry, with the time that would stand with it."""
        text = mask(_words(proposal)).text
        is_there = proposal.state in {"open", "expired"} and self.standing(proposal) == "settled"
        return (Line(" " if is_there else "+", "", text, proposal.made_at, "daily", _scope_told(proposal)),)

    def edited(self, proposal: Proposal, text: str) -> tuple[ProposedOperation, ...]:
        """The entry with other words, as they would stand in the file."""
        return _edited(proposal, self._days.fresh(text, proposal.made_at, _place(proposal)).text)

    def unedited(self, proposal: Proposal) -> tuple[ProposedOperation, ...]:
        """What was asked for at first."""
        return _unedited(proposal)

    def done_by(self, proposal: Proposal) -> str | None:
        """Its day, where it stands there as it would have been written: daily notes have no journal."""
        is_there = self._days.has(_words(proposal), proposal.made_at, _place(proposal))
        return self._day(proposal) if is_there else None

    def apply(self, proposal: Proposal) -> Applied:
        """Write it down."""
        entry = self._days.write(_words(proposal), proposal.made_at, _place(proposal))
        return Applied(self._day(proposal), entry.notices)

    def undo(self, proposal: Proposal, change: str) -> tuple[Notice, ...]:
        """Let it wait again where a hand has taken it out.

        Raises:
            DayStays: It stands there.
        """
        day = date.fromisoformat(change.removeprefix(DAY))
        if self._days.holds(_words(proposal), day, _place(proposal)):
            raise DayStays(self._days.file(day, _place(proposal)))
        return ()

    def _day(self, proposal: Proposal) -> str:
        return f"{DAY}{self._days.day_of(proposal.made_at).isoformat()}"


def undo_change(notes: Notes, change: str, reader: Reader) -> tuple[Notice, ...]:
    """Take a change back, unless that is done already: by another way, or by a decision that was killed before it was written down.

    Returns:
        That nothing is known of it, as where the notes were put back as they were before, or their journal is gone.
    """
    try:
        with suppress(TakenBackAlready, NothingLeft):
            notes.undo(change, scope=reader)
    except UnknownChange:
        text = f"the journal knows nothing of {change}, and nothing was taken back: see what stands there (`archivist memory show`)"
        return (Notice("not-in-the-journal", text),)
    return ()


def _moving(entry: Entry) -> Line:
    """An entry that would leave the core to make room."""
    scope = None if entry.scope == HOME_SCOPE else entry.scope
    return Line(">", entry.id, mask(entry.text).text, entry.observed_at, entry.target, scope)


def _edited(proposal: Proposal, text: str) -> tuple[ProposedOperation, ...]:
    """The one text that would be noted, with other words.

    Raises:
        NotEditable: There is not one.
    """
    worded = proposal.worded
    if worded is None:
        raise NotEditable(proposal.id)
    return tuple(
        msgspec.structs.replace(one, content=text, proposed=one.content) if one is worded else one
        for one in proposal.operations
    )


def _unedited(proposal: Proposal) -> tuple[ProposedOperation, ...]:
    return tuple(
        one if one.proposed is None else msgspec.structs.replace(one, content=one.proposed, proposed=None)
        for one in proposal.operations
    )


def _scope_told(proposal: Proposal) -> Scope | None:
    return None if proposal.scope == HOME_SCOPE else proposal.scope


def _words(proposal: Proposal) -> str:
    return proposal.operations[0].content or ""


def _place(proposal: Proposal) -> Scope:
    asker = proposal.evidence.asker
    return (asker.scope if asker is not None else None) or HOME_SCOPE


__all__ = ["DailyWrites", "DayStays", "Writes", "undo_change"]
