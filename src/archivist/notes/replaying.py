"""A write that waited, done again on what is there now: to the letter as it was shown, or not at all."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from archivist.guard import mask
from archivist.notes.asking import Outcome
from archivist.notes.places import level_for
from archivist.notes.planning import Planner, checked_text
from archivist.notes.waiting import resolved
from archivist.records import ArchivistError
from archivist.records.notes import Entry, Target
from archivist.records.proposals import Proposal, ProposedOperation

Fits = Literal["as-shown", "changed", "settled"]


class NotAsShown(ArchivistError):
    """What a write that waited is about has changed since, or it is done already; nothing was done."""

    def __init__(self, proposal: str) -> None:
        self.proposal = proposal
        super().__init__(
            f"what {proposal} would do is not what it was any more, and nothing was done: look at it (`archivist review show {proposal}`)"
        )


class Replayed(msgspec.Struct, frozen=True):
    """What a write that waited comes to now.

    Attributes:
        fits: Whether that is what was shown; or there is nothing left to do.
        outcomes: In the planner's draft, where it fits.
        settled: Those of its operations that are done already.
        leaving: The entries that would leave the core to make room, and where they stand.
    """

    fits: Fits
    outcomes: tuple[Outcome, ...] = ()
    settled: tuple[ProposedOperation, ...] = ()
    leaving: tuple[Entry, ...] = ()


def replayed(planner: Planner, write: Proposal) -> Replayed:
    """Plan a write on what is there now.

    Args:
        planner: In the name of whoever asked for it.
        write: It.
    """
    words = {seen.id: seen.text for seen in write.evidence.entries}
    outcomes: list[Outcome] = []
    settled: list[ProposedOperation] = []
    for one in write.operations:
        if one.action == "close":
            continue  # it follows from the others, and is compared below
        fits = _fits(planner, one, words)
        if fits == "changed":
            return Replayed("changed")
        outcome = _done(planner, one, _level(planner, one)) if fits == "as-shown" else None
        if outcome is None or (outcome.action == "unchanged" and not outcome.superseded):
            settled.append(one)
        else:
            outcomes.append(outcome)
    if not outcomes:
        return Replayed("settled", settled=tuple(settled))
    left = [one for one in write.operations if one not in settled]
    if _comparable(left, write) != _comparable(resolved(planner, outcomes).operations, write):
        return Replayed("changed")
    return Replayed("as-shown", tuple(outcomes), tuple(settled))


def _fits(planner: Planner, one: ProposedOperation, words: Mapping[str, str]) -> Fits:
    if one.action == "add":
        return "as-shown"
    own = planner.desk.own(one.entry)
    if own is None or own.status != "active" or not planner.draft.holds(one.entry):
        return "settled" if one.action == "remove" else "changed"
    if one.content is not None and own.text == one.content:
        return "settled"
    return "as-shown" if mask(own.text).text == words.get(one.entry) else "changed"


def _done(planner: Planner, one: ProposedOperation, level: str) -> Outcome:
    if one.action == "add":
        return planner.add(level, _file_of(one), one.content or "")
    before = planner.draft.text(one.entry)
    if one.action == "remove":
        planner.draft.remove(one.entry)
        return Outcome("remove", one.entry, before)
    after = checked_text(one.content or "")
    words = planner.draft.words(one.entry)
    planner.revise(
        one.entry, after if one.action == "replace" or words == before else _in(words, before, after)
    )
    return Outcome(one.action, one.entry, before)


def _level(planner: Planner, one: ProposedOperation) -> str:
    return level_for(_file_of(one), planner.author.place)


def _file_of(one: ProposedOperation) -> Target:
    return "user" if one.target == "user" else "memory"


def _in(words: str, before: str, after: str) -> str:
    """An entry's words as they stand in its file, with what differs between two readings of them exchanged."""
    begin = _shared(before, after)
    most = min(len(before), len(after)) - begin
    end = min(most, _shared(before[::-1], after[::-1]))
    return words[:begin] + after[begin : len(after) - end] + words[len(words) - end :]


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (mine, its) in enumerate(pairs) if mine != its), min(len(one), len(other)))


def _comparable(operations: Sequence[ProposedOperation], write: Proposal) -> list[ProposedOperation]:
    """Operations, without what follows from words that the owner has chosen."""
    is_edited = any(one.proposed is not None for one in write.operations)
    return [
        msgspec.structs.replace(one, proposed=None)
        for one in operations
        if not (is_edited and one.action == "close")
    ]


__all__ = ["NotAsShown", "Replayed", "replayed"]
