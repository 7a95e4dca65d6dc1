"""What waits for the owner to decide: something that could be done, what for, and what it rests on."""

from datetime import datetime, timedelta
from typing import Final, Literal

import msgspec

from archivist.records.counts import counted
from archivist.records.notes import HOME_SCOPE, EntryOrigin, Quote, Target
from archivist.records.scopes import Scope
from archivist.records.statements import Statement

ASKED_FOR: Final = timedelta(days=90)
"""How long something waits; then it has expired, and can still be accepted."""

ProposalState = Literal["open", "accepted", "rejected", "expired"]
ProposalKind = Literal["contradiction", "write"]
"""`contradiction`: two entries cannot both hold; `write`: something was to be noted, and waits."""
ProposalTarget = Target | Literal["daily"]
WaitKind = Literal["approval", "quarantine", "wider"]
"""Why a write waits: the owner wants to see such writes first; its words may be another's than theirs who asked; or it would change what
holds beyond the place where it was asked for."""


class ProposedOperation(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that would be done.

    Attributes:
        action: `add`: something new is noted; `replace`, `edit`: an entry gets other words; `remove`: it is taken out; `close`: it holds no
            more, another takes its place.
        entry: Its id. Of `add` none, but where an entry says it already, which comes back or stays.
        by: Of `close`, the entry that takes the place; empty for the one that is new.
        content: The words: of `edit` too all that the entry would say.
        target: Where it stands; where the proposal says where unset.
        proposed: The words that were proposed, where the owner has chosen others.
        scope: Whose notes it is about; the owner's own, outside any project, where unset.
    """

    action: Literal["add", "replace", "edit", "remove", "close"]
    entry: str = ""
    by: str | None = None
    content: str | None = None
    target: ProposalTarget | None = None
    proposed: str | None = None
    scope: Scope | None = None


class SeenEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entry as it was when something was proposed of it.

    Attributes:
        observed_at: When it was first noted.
    """

    id: str
    text: str
    observed_at: datetime


class Asker(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who asked for a write that waits, and where: it is done in their name.

    Attributes:
        scope: Where it was said; where unset the owner said it, who may change what is theirs in every project.
        session: In which session.
        sources: The words that the note rests on.
    """

    origin: EntryOrigin
    scope: Scope | None = None
    session: str | None = None
    sources: tuple[Quote, ...] = ()


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a proposal rests on.

    Attributes:
        entries: As they were.
        quotes: Words of messages, or of what was read.
        asker: Of a write, who asked for it.
        waits: Of a write, why it was not done at once.
        statements: Of what another program had noted, all that would be brought in.
        after: Of a quarantine, whose words may have led to it: `web`, `document`, `tool`, `agent`, `member`, `provider`, `unknown`.
    """

    entries: tuple[SeenEntry, ...] = ()
    quotes: tuple[Quote, ...] = ()
    asker: Asker | None = None
    waits: WaitKind | None = None
    statements: tuple[Statement, ...] = ()
    after: str | None = None


class Proposal(msgspec.Struct, frozen=True):
    """Something that waits for its owner, or that they have decided on.

    Attributes:
        scope: Whose notes it is about.
        operations: What would be done, or was.
        reason: Why, in one sentence.
        expires_at: When it is no longer asked; None for never.
        change: Of the notes, by which it was done.
        same: What is proposed is the same where this is: it is not filed twice.
    """

    id: str
    kind: ProposalKind
    target: ProposalTarget
    operations: tuple[ProposedOperation, ...]
    evidence: Evidence
    reason: str
    made_at: datetime
    same: str
    scope: Scope = HOME_SCOPE
    expires_at: datetime | None = None
    state: ProposalState = "open"
    decided_at: datetime | None = None
    change: str | None = None

    @property
    def is_editable(self) -> bool:
        """Whether its owner may choose other words: for the entry that stays, or for the one thing that it notes."""
        return self.kind == "contradiction" or self.worded is not None

    @property
    def worded(self) -> ProposedOperation | None:
        """Of a write, the one thing that it notes, for which the owner may choose other words; None where it does several, or none such."""
        noting = [one for one in self.operations if one.action in {"add", "replace", "edit"}]
        takes_out = any(one.action == "remove" for one in self.operations)
        return noting[0] if len(noting) == 1 and not takes_out and not self.evidence.statements else None


class Waiting(msgspec.Struct, frozen=True):
    """How much waits for the owner.

    Attributes:
        open: What waits.
        soon: Of it, what expires within a week.
        expired: What has expired since they last looked at what waits; it can still be accepted.
        full: The origins of which no more may wait somewhere until some of it is decided on; contradictions, which have none, as "".
    """

    open: int = 0
    soon: int = 0
    expired: int = 0
    full: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What is said of it; empty where nothing is to be said."""
        told = []
        if self.open:
            soon = f", {self.soon} of them for a week at most" if self.soon else ""
            told.append(f"{counted(self.open, 'proposal waits', 'proposals wait')} for you{soon}")
        told += [
            f"no more {f'writes by {one}' if one else 'contradictions'} can wait until you decide"
            for one in self.full
        ]
        if self.expired:
            told.append(f"{counted(self.expired, 'proposal has', 'proposals have')} expired since you looked")
        command = "archivist review list" if self.open else "archivist review list --expired"
        return f"{', '.join(told)}: `{command}`" if told else ""


class Kept(msgspec.Struct, frozen=True):
    """What became of a proposal that was to be kept: it waits now; or the same was proposed before, and this is that.

    Attributes:
        id: Of the one that is there.
        state: `open`, or `rejected`: what was rejected is not asked again.
    """

    id: str
    state: ProposalState


__all__ = [
    "ASKED_FOR",
    "Asker",
    "Evidence",
    "Kept",
    "Proposal",
    "ProposalKind",
    "ProposalState",
    "ProposalTarget",
    "ProposedOperation",
    "SeenEntry",
    "WaitKind",
    "Waiting",
]
