"""Why a decision on a proposal was not taken, or is not known to have been."""

from archivist.records import ArchivistError
from archivist.records.proposals import Proposal


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


class NotWrittenDown(ArchivistError):
    """What was decided is done, and that it is could not be kept; nothing of it is done twice.

    Attributes:
        change: Of the notes, by which it was done.
    """

    def __init__(self, proposal: str, change: str, reason: Exception, *, is_undone: bool = False) -> None:
        self.proposal, self.change = proposal, change
        done, again = ("taken back", "undo") if is_undone else ("done", "accept")
        super().__init__(
            f"what {proposal} proposes is {done} ({change}), but that could not be written down ({reason}): run"
            f" `archivist review {again} {proposal}` again, nothing is done twice"
        )


__all__ = [
    "NotEditable",
    "NotWrittenDown",
    "ProposalDecided",
    "ProposalOpen",
    "ProposalOutdated",
    "UnknownProposal",
]
