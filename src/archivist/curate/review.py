"""The owner decides on what was proposed: they see it beside what is there now, and what they accept is done exactly as it was shown.

What a kind of proposal does, and whether it still fits, is known by its applier, which is passed in. A proposal of which something has
changed since is not applied. What is done comes first and is written down second: a kill in between leaves something that is done, and
whoever decides next writes that down first. Other words, which nothing else would know, are written down before: while it waits they count
once they are done. One decides at a time.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Final, Protocol

import msgspec

from archivist.curate.appliers import Applier, Line, Standing
from archivist.curate.refusals import (
    NotWrittenDown,
    ProposalDecided,
    ProposalOpen,
    ProposalOutdated,
    UnknownProposal,
)
from archivist.records import ArchivistError, Notice
from archivist.records.proposals import Proposal, ProposalState, ProposedOperation, Waiting

UNDECIDED: Final = frozenset({"open", "expired"})


class Shown(msgspec.Struct, frozen=True):
    """A proposal beside what is there now.

    Attributes:
        lines: What it would do.
    """

    proposal: Proposal
    standing: Standing
    lines: tuple[Line, ...]


class Decision(msgspec.Struct, frozen=True):
    """What became of a proposal.

    Attributes:
        change: Of the notes, by which it was done; None where nothing was to be done.
    """

    proposal: Proposal
    change: str | None = None
    notices: tuple[Notice, ...] = ()


class Erasure(msgspec.Struct, frozen=True):
    """Proposals that are gone, with every word of them.

    Attributes:
        proposals: Their ids.
        notices: Where the words stand still, and what could not be cleared yet.
    """

    proposals: tuple[str, ...]
    notices: tuple[Notice, ...] = ()


class Queue(Protocol):
    """Where proposals are kept, for one reader."""

    def all(self, state: ProposalState | None) -> Sequence[Proposal]:
        """Those of a state, the oldest first."""
        ...

    def get(self, name: str) -> Proposal | None:
        """The one of an id."""
        ...

    def waiting(self) -> Waiting:
        """How many there are, and have expired since the owner looked."""
        ...

    def looked(self) -> None:
        """Remember that the owner looks."""
        ...

    def seen(self) -> frozenset[str]:
        """Ids of those that the owner has been shown whole."""
        ...

    def saw(self, names: Collection[str]) -> None:
        """Remember that the owner has been shown these whole."""
        ...

    def decide(
        self,
        before: Proposal,
        state: ProposalState,
        change: str | None,
        operations: tuple[ProposedOperation, ...] | None,
    ) -> bool:
        """Write a decision down, or with the state `open` what would be done; False where it was decided otherwise meanwhile."""
        ...

    def erase(self, names: Sequence[str]) -> None:
        """Remove proposals for good."""
        ...

    def clear(self) -> tuple[Notice, ...]:
        """Clear what was removed from every file; what could not be cleared yet, and where copies have it."""
        ...


class Review:
    """What waits for the owner.

    Args:
        queue: Where proposals are kept.
        appliers: By kind; where those of one target have their own, by kind and target.
        turn: Held while something is decided: one decides at a time, in all processes.
        after: Called when something was done and not yet written down; for tests of what a kill leaves.
    """

    def __init__(
        self,
        queue: Queue,
        appliers: Mapping[str, Applier],
        *,
        turn: Callable[[], AbstractContextManager[None]] = nullcontext,
        after: Callable[[], None] = lambda: None,
    ) -> None:
        self._queue, self._appliers, self._turn, self._after = queue, appliers, turn, after

    def list(
        self, state: ProposalState | None = "open", *, kind: str | None = None, origin: str | None = None
    ) -> tuple[Proposal, ...]:
        """The proposals, the oldest first.

        Args:
            state: `open`, `accepted`, `rejected` or `expired`; all where None.
            kind: Only of this kind.
            origin: Only writes that this origin asked for.
        """
        return tuple(
            self._as_it_waits(one)
            for one in self._queue.all(state)
            if kind in {None, one.kind} and origin in {None, _origin(one)}
        )

    def look(self) -> Waiting:
        """How much waits, expires soon, and has expired since the owner last looked: now they have.

        Raises:
            ArchivistError: That they looked could not be kept.
        """
        found = self._queue.waiting()
        if found.expired:
            self._queue.looked()
        return found

    def saw(self, proposal_ids: Collection[str]) -> None:
        """Remember that the owner has been shown these whole: what they then accept all at once is that, and not what has come since.

        Raises:
            ArchivistError: That could not be kept.
        """
        if not self._queue.seen().issuperset(proposal_ids):
            self._queue.saw(proposal_ids)

    def seen(self) -> frozenset[str]:
        """Ids of those that they have been shown so."""
        return self._queue.seen()

    def show(self, proposal_id: str) -> Shown:
        """A proposal, what it would do, what it rests on, and whether it still fits.

        Raises:
            UnknownProposal: There is none.
        """
        proposal = self._as_it_waits(self._get(proposal_id))
        applier = self._applier(proposal)
        standing = applier.standing(proposal) if proposal.state in UNDECIDED else "settled"
        return Shown(proposal, standing, applier.lines(proposal))

    def accept(self, proposal_id: str) -> Decision:
        """Do what is proposed, exactly as it is shown.

        Raises:
            UnknownProposal, ProposalDecided, ProposalOutdated: Nothing was changed.
            NotWrittenDown: It is done, and that it is could not be kept.
            ArchivistError: It could not be done.
        """
        with self._turn():
            return self._accept(self._undecided(proposal_id))

    def edit(self, proposal_id: str, text: str) -> Decision:
        """Do what is proposed with other words.

        Args:
            proposal_id: Which one.
            text: The words of the entry that stays.

        Raises:
            UnknownProposal, ProposalDecided, ProposalOutdated: Nothing was changed.
            NotWrittenDown: It is done, and that it is could not be kept.
            ArchivistError: It could not be done.
        """
        with self._turn():
            proposal = self._undone(proposal_id)
            operations = self._applier(proposal).edited(proposal, text)
            chosen = msgspec.structs.replace(proposal, operations=operations)
            self._write_down(chosen, "open")
            try:
                return self._accept(chosen)
            except NotWrittenDown:
                raise
            except ArchivistError:
                with suppress(ArchivistError):  # then they count for nothing, since they are not done
                    self._write_down(proposal, "open")
                raise

    def reject(self, proposal_id: str) -> Decision:
        """Leave everything as it is; the same is not proposed again.

        Raises:
            UnknownProposal, ProposalDecided: Nothing was changed.
        """
        with self._turn():
            return self._decided(self._undone(proposal_id), "rejected")

    def undo(self, proposal_id: str) -> Decision:
        """Take a decision back, with what was done by it: the proposal waits again.

        Raises:
            UnknownProposal, ProposalOpen: Nothing was changed.
            ArchivistError: What was done cannot be taken back.
        """
        with self._turn():
            proposal = self._get(proposal_id)
            if proposal.state in UNDECIDED:
                raise ProposalOpen(proposal_id)
            applier = self._applier(proposal)
            notices = applier.undo(proposal, proposal.change) if proposal.change is not None else ()
            proposed = msgspec.structs.replace(proposal, operations=applier.unedited(proposal))
            try:
                return self._decided(proposed, "open", notices=notices)
            except ArchivistError as error:
                if proposal.change is None or isinstance(error, ProposalDecided):
                    raise
                raise NotWrittenDown(proposal.id, proposal.change, error, is_undone=True) from error

    def erase(self, *proposal_ids: str) -> Erasure:
        """Remove proposals for good, decided or not: their words, what they rest on, and that they were made.

        What waited is not done. What was accepted stays as it was noted. The same may be proposed again.

        Raises:
            UnknownProposal: There is none of one of these ids; nothing was erased.
            ArchivistError: They could not be erased; nothing was.
        """
        with self._turn():
            found = [self._get(name) for name in proposal_ids]
            changes = [one.change or self._applier(one).done_by(one) for one in found]
            self._queue.erase([one.id for one in found])
        noted = [change for change in changes if change is not None]
        return Erasure(tuple(one.id for one in found), (*_left_by(noted), *self._queue.clear()))

    def _accept(self, proposal: Proposal) -> Decision:
        applier = self._applier(proposal)
        if (change := applier.done_by(proposal)) is not None:
            return self._decided(proposal, "accepted", change)
        standing = applier.standing(proposal)
        if standing == "changed":
            raise ProposalOutdated(proposal.id)
        if standing == "settled":
            notice = Notice(
                "settled", f"what {proposal.id} proposes is so already, or is about nothing any more"
            )
            return self._decided(proposal, "accepted", notices=(notice,))
        done = applier.apply(proposal)
        self._after()
        try:
            return self._decided(proposal, "accepted", done.change, done.notices)
        except ProposalDecided:
            raise
        except ArchivistError as error:
            raise NotWrittenDown(proposal.id, done.change, error) from error

    def _decided(
        self,
        proposal: Proposal,
        state: ProposalState,
        change: str | None = None,
        notices: tuple[Notice, ...] = (),
    ) -> Decision:
        self._write_down(proposal, state, change)
        return Decision(self._get(proposal.id), change, notices)

    def _write_down(self, proposal: Proposal, state: ProposalState, change: str | None = None) -> None:
        if not self._queue.decide(proposal, state, change, proposal.operations):
            raise ProposalDecided(self._get(proposal.id))

    def _undecided(self, name: str) -> Proposal:
        """One that waits: with the words that were chosen for it where they are done, and as it was proposed where they are not."""
        proposal = self._get(name)
        if proposal.state not in UNDECIDED:
            raise ProposalDecided(proposal)
        is_done = self._applier(proposal).done_by(proposal) is not None
        return proposal if is_done else self._as_it_waits(proposal)

    def _undone(self, name: str) -> Proposal:
        """One that waits and is not done; of one that is done, that is written down first, and it is decided on."""
        proposal = self._undecided(name)
        if (change := self._applier(proposal).done_by(proposal)) is not None:
            raise ProposalDecided(self._decided(proposal, "accepted", change).proposal)
        return proposal

    def _as_it_waits(self, proposal: Proposal) -> Proposal:
        """What waits is what was proposed: words that were chosen for it were not done, or nobody has written down that they are."""
        if proposal.state not in UNDECIDED or proposal.kind not in self._appliers:
            return proposal
        return msgspec.structs.replace(proposal, operations=self._applier(proposal).unedited(proposal))

    def _get(self, name: str) -> Proposal:
        proposal = self._queue.get(name)
        if proposal is None or proposal.kind not in self._appliers:
            raise UnknownProposal(name)
        return proposal

    def _applier(self, proposal: Proposal) -> Applier:
        own = self._appliers.get(f"{proposal.kind} {proposal.target}")
        return own or self._appliers[proposal.kind]


def _left_by(changes: Sequence[str]) -> Iterator[Notice]:
    """Where the words stand that are none of a proposal's."""
    if changes:
        yield Notice(
            "noted-already", f"what was noted with it stays ({', '.join(changes)}): `archivist memory log`"
        )
    yield Notice("words-elsewhere", "a conversation or a transcript in which the same was said has it still")


def _origin(proposal: Proposal) -> str | None:
    asker = proposal.evidence.asker
    return asker.origin if asker is not None else None


__all__ = [
    "Decision",
    "Erasure",
    "Queue",
    "Review",
    "Shown",
]
