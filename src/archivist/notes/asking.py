"""Who asks for a change of the notes, and what each operation did."""

from typing import TYPE_CHECKING

import msgspec

from archivist.records import Notice, Scope
from archivist.records.notes import HOME_SCOPE, EntryOrigin, Quote

if TYPE_CHECKING:
    from archivist.guard.origins import Context
    from archivist.notes.contradicting import Contradiction


class Author(msgspec.Struct, frozen=True):
    """Who asks for a change, and from where.

    Attributes:
        scope: Where it is said; where unset the owner says it, who may change what is theirs in every project.
        speaker: The person whose words it is; None where nobody knows.
        heard: The conversation in which it is asked for; where unset, that of the session.
    """

    origin: EntryOrigin = "user"
    scope: Scope | None = None
    sources: tuple[Quote, ...] = ()
    session: str | None = None
    speaker: str | None = None
    heard: "Context | None" = None

    @property
    def place(self) -> Scope:
        """Where what is new goes."""
        return self.scope or HOME_SCOPE


class Outcome(msgspec.Struct, frozen=True):
    """What one operation did to the draft.

    Attributes:
        action: As asked, or `unchanged`, or `promote` for what was in the archive.
        key: The entry.
        before: The text that it had.
        lost: The sentences of that text that went.
        superseded: Entries that hold no more for it.
        contradicted: Entries that cannot hold beside it.
    """

    action: str
    key: str
    before: str | None = None
    lost: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    contradicted: "tuple[Contradiction, ...]" = ()
    notices: tuple[Notice, ...] = ()
