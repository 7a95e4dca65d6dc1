"""What the notes do with writes that waited: how they would look, whether they still fit, and that they are done as they were shown."""

from contextlib import suppress

import msgspec

from archivist.curate.review import Applied, Line, NotEditable, Standing
from archivist.guard import mask
from archivist.notes.notes import Notes
from archivist.notes.undoing import NothingLeft, TakenBackAlready
from archivist.records import Reader
from archivist.records.proposals import Proposal, ProposedOperation

_WORDED = frozenset({"add", "replace", "edit"})


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
        settled = self._notes.weigh(proposal).settled if proposal.state in {"open", "expired"} else ()
        seen = {one.id: one for one in proposal.evidence.entries}
        found: list[Line] = []
        for one in proposal.operations:
            is_left = one not in settled
            former = seen.get(one.entry)
            if former is not None and one.action != "add":
                found.append(
                    Line("-" if is_left else " ", one.entry, former.text, former.observed_at, one.target)
                )
            if one.content is not None:
                text = mask(one.content).text
                found.append(Line("+" if is_left else " ", one.entry, text, target=one.target))
        return tuple(found)

    def edited(self, proposal: Proposal, text: str) -> tuple[ProposedOperation, ...]:
        """The one text that it would note, with other words."""
        worded = [one for one in proposal.operations if one.action in _WORDED]
        others = [one for one in proposal.operations if one.action == "remove"]
        if len(worded) != 1 or others:
            raise NotEditable(proposal.id)
        return tuple(
            msgspec.structs.replace(one, content=text, proposed=one.content) if one is worded[0] else one
            for one in proposal.operations
        )

    def unedited(self, proposal: Proposal) -> tuple[ProposedOperation, ...]:
        """What was asked for at first."""
        return tuple(
            one if one.proposed is None else msgspec.structs.replace(one, content=one.proposed, proposed=None)
            for one in proposal.operations
        )

    def done_by(self, proposal: Proposal) -> str | None:
        """What the journal says of it."""
        return self._notes.accepted_by(proposal.id)

    def apply(self, proposal: Proposal) -> Applied:
        """Do it; the notes refuse what is not as it was shown."""
        change = self._notes.carry_out(proposal)
        return Applied(change.id, change.notices)

    def undo(self, _: Proposal, change: str) -> None:
        """Take it back."""
        undo_change(self._notes, change, self._reader)


def undo_change(notes: Notes, change: str, reader: Reader) -> None:
    """Take a change back, unless that is done already: by another way, or by a decision that was killed before it was written down."""
    with suppress(TakenBackAlready, NothingLeft):
        notes.undo(change, scope=reader)


__all__ = ["Writes", "undo_change"]
