"""What knows one kind of proposal: what it would do, whether it still fits, and how it is done and taken back."""

from datetime import datetime
from typing import Literal, Protocol

import msgspec

from archivist.records import Notice, Scope
from archivist.records.proposals import Proposal, ProposalTarget, ProposedOperation

Standing = Literal["as-shown", "changed", "settled"]
"""Whether what a proposal is about is as it was; or changed since; or already as it would make it, or gone."""


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
        """What would be done with other words, as they would stand there; or raise where they could not."""
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

    def undo(self, proposal: Proposal, change: str) -> tuple[Notice, ...]:
        """Take it back where that is not done already, or raise; what should be known besides."""
        ...


__all__ = ["Applied", "Applier", "Line", "Standing"]
