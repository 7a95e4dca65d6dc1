"""Saves by hand that took back newer changes, and that nobody was told of who may see them.

Whoever takes a save in tells it, unless it is none of theirs; then it is for whoever next changes something there.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from archivist.notes.folding import State
from archivist.notes.journal import BRING_BACK, HAND, MERGE, Change, Step
from archivist.notes.places import place_of
from archivist.records import Notice
from archivist.records.counts import counted

STALE_DAYS: Final = 7
"""For so long such a save is named."""
UNASKED: Final = frozenset((HAND, MERGE, BRING_BACK))
"""Changes that nobody asked for: what a hand saved was taken in, what was used came back."""


def untold(
    state: State, changes: Sequence[Change], sees: Callable[[str], bool], now: datetime
) -> list[Change]:
    """The saves whose levels somebody sees, since something was last changed there on purpose; the latest first.

    Args:
        changes: Those before the present one.
        sees: Whether whoever asks may be told of a level.
    """
    if not any(change.stale for change in changes):
        return []
    found, told, undone = [], set[str](), set[str]()
    for change in reversed(changes):
        if now - change.at > timedelta(days=STALE_DAYS):
            break
        if change.undoes is not None:
            undone.add(change.undoes)
        if change.action not in UNASKED:
            told |= _levels(change)
        elif change.is_by_hand and change.id not in undone and stale_steps(state, change):
            levels = _levels(change)
            if not levels <= told and all(map(sees, levels)):
                found.append(change)
    return found


def stale_steps(state: State, change: Change) -> list[Step]:
    """What a save took back, as long as that still holds."""
    return [step for step in change.steps if step.entry in change.stale and _holds(state, step)]


def stale_notice(change: Change) -> Notice:
    """What is said of such a save."""
    files = ", ".join(sorted({step.file for step in change.steps if step.entry in change.stale}))
    text = (
        f"a save of {files} by hand took back newer changes of {counted(len(change.stale), 'entry', 'entries')}"
        f" ({', '.join(change.stale[:5])}), as an editor does that had it open before: if that was not meant,"
        f" `archivist memory undo {change.id}` brings them back"
    )
    return Notice("stale-save", text)


def _levels(change: Change) -> set[str]:
    return set(_levels_of(change))


def _levels_of(change: Change) -> Iterator[str]:
    for step in change.steps:
        for name in (step.file, step.source):
            if name is not None and (place := place_of(name)) is not None:
                yield place.level


def _holds(state: State, step: Step) -> bool:
    """Whether an entry is still as a step left it."""
    known = state.entries.get(step.entry)
    if known is None:
        return False
    if step.op == "gone":
        return known.status != "active"
    return known.status == "active" and (step.op != "text" or known.text == step.text)
