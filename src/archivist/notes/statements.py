"""What another program had noted: a statement of its curated texts, on its way into the notes."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

import msgspec

from archivist.records import Scope
from archivist.records.notes import HOME_SCOPE, EntryKind, Target

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


class Twin(msgspec.Struct, frozen=True):
    """A statement that was not taken because an entry says the same in other words.

    Attributes:
        entry: The id of that entry.
    """

    text: str
    place: str
    entry: str


class BroughtIn(msgspec.Struct, frozen=True):
    """What became of statements; `read == core + archived + sum(skipped.values())`.

    Attributes:
        change: The id for `undo`, which takes all of them back; empty where there was nothing new.
        core: How many became entries of the core.
        archived: How many became entries of the archive.
        skipped: Reason and count of the others.
        twins: Those of them that an entry says in other words.
        split: How many texts were divided because a line of them was only `§`.
    """

    change: str = ""
    read: int = 0
    core: int = 0
    archived: int = 0
    skipped: Mapping[str, int] = {}
    twins: tuple[Twin, ...] = ()
    split: int = 0


__all__ = [
    "MIDDLING",
    "BroughtIn",
    "Statement",
    "Twin",
]
