"""The owner decides on what was proposed: they see it beside what is there now, and what they accept is done exactly as it was shown.

What a kind of proposal does, and whether it still fits, is known by its applier, which is passed in. A proposal of which something has
changed since is not applied. What is done comes first and is written down second: a kill in between leaves something that is done, and
whoever decides next writes that down first. One decides at a time.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Literal, Protocol

import msgspec

from archivist.records import ArchivistError, Notice, Scope
from archivist.records.proposals import Proposal, ProposalState, ProposalTarget, ProposedOperation, Waiting

Standing = Literal["as-shown", "changed", "settled"]
"""Whether what a proposal is about is as it was; or changed since; or already as it would make it, or gone."""


class UnknownProposal(ArchivistError):
    """No proposal has this id."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no proposal {name!r} is known here: `archivist review list --all` names them")


class ProposalDecided(ArchivistError):
    """It was decided on already; nothing was changed."""

    def __init__(self, proposal: Proposal) -> None:
        self.proposal = proposal
        super().__init__(
            f"{proposal.id} is {proposal.state} already: `archivist review undo {proposal.id}` opens it again"
        )


class ProposalOpen(ArchivistError):
    """Nothing was decided on it that could be taken back."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} is not decided on yet: accept or reject it (`archivist review accept {name}`)"
        )


class NotEditable(ArchivistError):
    """There are no words of one entry that could be chosen otherwise; nothing was changed."""

    def __init__(self, proposal: str) -> None:
        super().__init__(
            f"{proposal} would note nothing, or several things at once: accept or reject it as it is, or note it otherwise yourself"
        )


class ProposalOutdated(ArchivistError):
    """What it is about has changed since; nothing was changed."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"what {name} is about has changed since, and nothing was done: look at it (`archivist review show {name}`), then reject it"
        )


class Line(msgspec.Struct, frozen=True):
    """One line of what a proposal would do.

    Attributes:
        sign: `-` for what holds no more, `+` for what is new, a blank for what stays, `>` for what leaves the core to make room.
        entry: The id; empty for one that has none yet.
        text: Its words; secrets are masked.
        at: When it was first noted.
        target: Where it stands, or would.
        scope: Whose notes that are; the owner's own, outside any project, where unset.
    """

    sign: Literal["-", "+", " ", ">"]
    entry: str
    text: str
    at: datetime | None = None
    target: ProposalTarget | None = None
    scope: Scope | None = None


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


class Applied(msgspec.Struct, frozen=True):
    """What was done.

    Attributes:
        change: The id of the change.
        notices: What should be known besides.
    """

    change: str
    notices: tuple[Notice, ...] = ()


class Applier(Protocol):
    """Does what one kind of proposal proposes."""

    def standing(self, proposal: Proposal) -> Standing:
        """Whether it still fits."""
        ...

    def lines(self, proposal: Proposal) -> tuple[Line, ...]:
        """What it would do."""
        ...

    def edited(self, proposal: Proposal, text: str) -> tuple[ProposedOperation, ...]:
        """What would be done with other words."""
        ...

    def unedited(self, proposal: Proposal) -> tuple[ProposedOperation, ...]:
        """What was proposed at first."""
        ...

    def done_by(self, proposal: Proposal) -> str | None:
        """The change by which it is done, and not taken back; None where it is not."""
        ...

    def apply(self, proposal: Proposal) -> Applied:
        """Do it, or raise."""
        ...

    def undo(self, proposal: Proposal, change: str) -> None:
        """Take it back where that is not done already, or raise."""
        ...


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

    def decide(
        self,
        before: Proposal,
        state: ProposalState,
        change: str | None,
        operations: tuple[ProposedOperation, ...] | None,
    ) -> bool:
        """Write a decision down; False where it was decided otherwise meanwhile."""
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
            one
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

    def show(self, proposal_id: str) -> Shown:
        """A proposal, what it would do, what it rests on, and whether it still fits.

        Raises:
            UnknownProposal: There is none.
        """
        proposal = self._get(proposal_id)
        applier = self._applier(proposal)
        standing = applier.standing(proposal) if proposal.state in {"open", "expired"} else "settled"
        return Shown(proposal, standing, applier.lines(proposal))

    def accept(self, proposal_id: str) -> Decision:
        """Do what is proposed, exactly as it is shown.

        Raises:
            UnknownProposal, ProposalDecided, ProposalOutdated: Nothing was changed.
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
            ArchivistError: It could not be done.
        """
        with self._turn():
            proposal = self._undone(proposal_id)
            operations = self._applier(proposal).edited(proposal, text)
            return self._accept(msgspec.structs.replace(proposal, operations=operations))

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
            if proposal.state in {"open", "expired"}:
                raise ProposalOpen(proposal_id)
            applier = self._applier(proposal)
            if proposal.change is not None:
                applier.undo(proposal, proposal.change)
            proposed = msgspec.structs.replace(proposal, operations=applier.unedited(proposal))
            return self._decided(proposed, "open")

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
        return self._decided(proposal, "accepted", done.change, done.notices)

    def _decided(
        self,
        proposal: Proposal,
        state: ProposalState,
        change: str | None = None,
        notices: tuple[Notice, ...] = (),
    ) -> Decision:
        if not self._queue.decide(proposal, state, change, proposal.operations):
            raise ProposalDecided(self._get(proposal.id))
        return Decision(self._get(proposal.id), change, notices)

    def _undecided(self, name: str) -> Proposal:
        proposal = self._get(name)
        if proposal.state not in {"open", "expired"}:
            raise ProposalDecided(proposal)
        return proposal

    def _undone(self, name: str) -> Proposal:
        """One that waits and is not done; of one that is done, that is written down first, and it is decided on."""
        proposal = self._undecided(name)
        if (change := self._applier(proposal).done_by(proposal)) is not None:
            raise ProposalDecided(self._decided(proposal, "accepted", change).proposal)
        return proposal

    def _get(self, name: str) -> Proposal:
        proposal = self._queue.get(name)
        if proposal is None or proposal.kind not in self._appliers:
            raise UnknownProposal(name)
        return proposal

    def _applier(self, proposal: Proposal) -> Applier:
        own = self._appliers.get(f"{proposal.kind} {proposal.target}")
        return own or self._appliers[proposal.kind]


def _origin(proposal: Proposal) -> str | None:
    asker = proposal.evidence.asker
    return asker.origin if asker is not None else None


__all__ = [
    "Applied",
    "Applier",
    "Decision",
    "Line",
    "NotEditable",
    "ProposalDecided",
    "ProposalOpen",
    "ProposalOutdated",
    "Queue",
    "Review",
    "Shown",
    "Standing",
    "UnknownProposal",
]
