"""A statement of another program's curated texts, on its way into the notes."""

from datetime import datetime
from typing import Final

import msgspec

from archivist.records.notes import HOME_SCOPE, EntryKind, Target
from archivist.records.scopes import Scope

MIDDLING: Final = 5
"""Of ten: how much a statement matters of which nobody said it."""


class Statement(msgspec.Struct, frozen=True):
    """One statement as its source has it.

    Attributes:
        place: Where it stood: `FORMAT:FILE#PLACE`.
        observed_at: When it was noted; None where that is not known.
        scope: Whose it is; the owner's, in every project, where the source does not say.
        kind: What it is; told by its form where unset.
        is_superseded: Whether the source says that it holds no more.
        in_prompt: Whether the source's prompt carried it: what it only looked up goes to the archive.
        importance: From 1 to 10: what matters more comes first into a core that has no room for all.
    """

    target: Target
    text: str
    place: str
    observed_at: datetime | None = None
    scope: Scope = HOME_SCOPE
    kind: EntryKind | None = None
    is_superseded: bool = False
    in_prompt: bool = True
    importance: int = MIDDLING


__all__ = ["MIDDLING", "Statement"]
