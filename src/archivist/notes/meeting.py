"""What happens to a text that an entry says already: the entry is named, brought back, and closes again what it corrects."""

from datetime import datetime
from typing import Protocol

import msgspec

from archivist.notes.asking import Outcome
from archivist.notes.closing import Changing, close_what_is_corrected
from archivist.notes.contradicting import contradicted_by
from archivist.notes.drafting import Draft
from archivist.notes.places import Place, place_of
from archivist.records import Notice


class Meeting(Changing, Protocol):
    """A change in the making, as far as it meets entries that are there."""

    draft: Draft
    now: datetime

    def promote(self, key: str) -> Outcome:
        """Bring an archived entry back into the core."""

    def preview(self, key: str) -> str:
        """The beginning of what an entry says, in quotes."""


def met(planner: Meeting, twin: str, text: str) -> Outcome:
    """What becomes of a text.

    Args:
        planner: The change in the making.
        twin: The entry that says it.
        text: What is to be noted.
    """
    place = place_of(planner.draft.file(twin))
    assert place is not None
    if place.is_closed:
        return _met_closed(planner, twin, text, place)
    closed = close_what_is_corrected(planner, place.level, place.target, text, by=twin)
    superseded = (closed.id,) if closed is not None else ()
    if place.tier == "archive":
        planner.promote(twin)
        told = f"{twin} says this; it is back from the archive: {planner.preview(twin)}"
        return Outcome("promote", twin, superseded=superseded, notices=(Notice("was-archived", told),))
    notice = Notice("already-noted", f"{twin} says this already: {planner.preview(twin)}")
    return Outcome("supersede" if superseded else "unchanged", twin, superseded=superseded, notices=(notice,))


def _met_closed(planner: Meeting, twin: str, text: str, place: Place) -> Outcome:
    """It holds again where whoever says it may say so; a program does not bring back what its owner has corrected."""
    by = planner.draft.known(twin, planner.now).superseded_by
    if by is not None and planner.draft.holds(by) and not planner.may_close(by, place.level):
        told = f"{twin} said this and holds no more: {by} took its place: {planner.preview(by)}"
        return Outcome("unchanged", twin, notices=(Notice("holds-no-more", told),))
    closed = close_what_is_corrected(planner, place.level, place.target, text, by=twin)
    contradicted = contradicted_by(text, planner.present_in(place.level, place.target))
    planner.promote(twin)
    told = f"{twin} says this; it had been superseded and holds again: {planner.preview(twin)}"
    outcome = Outcome("promote", twin, contradicted=contradicted, notices=(Notice("was-archived", told),))
    return msgspec.structs.replace(outcome, superseded=(closed.id,)) if closed is not None else outcome


__all__ = ["met"]
