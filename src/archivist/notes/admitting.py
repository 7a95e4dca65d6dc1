"""Whether a write may be done now, or waits for the owner.

Whoever puts the notes together passes in a rule. It is asked when a change is planned and nothing is written yet: what is refused anyway
is refused first, and the rule sees what would come to stand and what would go. What waits is kept for review before the call returns.
"""

from collections.abc import Callable, Iterable

import msgspec

from archivist.notes.asking import Author
from archivist.records import ArchivistError, Scope
from archivist.records.notes import Quote
from archivist.records.proposals import Kept, Proposal, ProposalTarget, WaitKind


class NotKeptForReview(ArchivistError):
    """A write has to wait for the owner and could not be kept for them; nothing was noted."""

    def __init__(self, reason: Exception | str) -> None:
        super().__init__(
            f"this waits for the owner's review and could not be kept for it ({reason}): nothing was noted; try again later"
        )


class RejectedBefore(ArchivistError):
    """The owner has decided against this very write; nothing was noted, and they are not asked again.

    Attributes:
        proposal: The id of what they rejected.
    """

    def __init__(self, proposal: str) -> None:
        self.proposal = proposal
        super().__init__(
            f"the owner has rejected this before ({proposal}), and nothing was noted; only they can open it again:"
            f" `archivist review undo {proposal}`"
        )


class Asked(msgspec.Struct, frozen=True):
    """A write, as it would be done.

    Attributes:
        action: add, replace, edit, remove or batch.
        target: Of the first of its operations.
        comes: The texts that would come to stand there, each whole.
        goes: The texts that would go, be it that other words take their place.
        author: Who asks, where, and on which words it rests.
        scopes: Whose notes it would change.
        changed: Of the entries that would get other words or go, in which file and whose notes they stand.
        is_batch: Whether there are several operations, done whole or not at all.
    """

    action: str
    target: ProposalTarget
    comes: tuple[str, ...]
    goes: tuple[str, ...]
    author: Author
    scopes: tuple[Scope, ...]
    changed: tuple[tuple[ProposalTarget, Scope], ...] = ()
    is_batch: bool = False


class Waits(msgspec.Struct, frozen=True):
    """That a write waits.

    Attributes:
        reason: Why, in one sentence: for the owner, and for whoever asked.
        evidence: The words that speak against it, with where they stand.
        after: Of a quarantine, whose words may have led to it: `web`, `document`, `tool`, …
    """

    kind: WaitKind
    reason: str
    evidence: tuple[Quote, ...] = ()
    after: str | None = None


Admit = Callable[[Asked], Waits | None]
"""Says whether a write waits; None where it is done at once. It is called under the notes' lock."""

Keep = Callable[[Proposal], Kept]
"""Keeps a proposal for the owner; when it returns, the disk has it. Raises NotKeptForReview."""


def in_turn(rules: Iterable[Admit]) -> Admit:
    """Rules of which each may let a write wait; the first that does says why."""
    asked = tuple(rules)

    def admit(write: Asked) -> Waits | None:
        return next((waits for rule in asked if (waits := rule(write)) is not None), None)

    return admit


def kept_nowhere(_proposal: Proposal) -> Kept:
    """For notes without a queue: nothing is said to wait that does not.

    Raises:
        NotKeptForReview: Always.
    """
    raise NotKeptForReview("there is no review here")


__all__ = ["Admit", "Asked", "Keep", "NotKeptForReview", "RejectedBefore", "Waits", "in_turn", "kept_nowhere"]
