"""What waits for the owner to decide: something that could be done, what for, and what it rests on."""

from datetime import datetime
from typing import Literal

import msgspec

from archivist.records.notes import HOME_SCOPE, Quote, Target
from archivist.records.scopes import Scope

ProposalState = Literal["open", "accepted", "rejected", "expired"]
ProposalKind = Literal["contradiction"]


class ProposedOperation(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that would be done.

    Attributes:
        action: `close`: an entry holds no more, another takes its place; `replace`: an entry gets other words.
        entry: Its id.
        by: Of `close`, the entry that takes the place.
        content: Of `replace`, the words.
    """

    action: Literal["close", "replace"]
    entry: str
    by: str | None = None
    content: str | None = None


class SeenEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entry as it was when something was proposed of it.

    Attributes:
        observed_at: When it was first noted.
    """

    id: str
    text: str
    observed_at: datetime


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a proposal rests on.

    Attributes:
        entries: As they were.
        quotes: Words of messages.
    """

    entries: tuple[SeenEntry, ...] = ()
    quotes: tuple[Quote, ...] = ()


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
    target: Target
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


__all__ = ["Evidence", "Proposal", "ProposalKind", "ProposalState", "ProposedOperation", "SeenEntry"]
