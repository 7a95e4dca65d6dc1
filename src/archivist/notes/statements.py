"""What another program had noted: a statement of its curated texts, on its way into the notes."""

from collections.abc import Mapping

import msgspec

from archivist.records.statements import MIDDLING, Statement


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
        proposal: Where they wait for the owner, as `skipped` counts: the id by which they are accepted, all at once.
    """

    change: str = ""
    read: int = 0
    core: int = 0
    archived: int = 0
    skipped: Mapping[str, int] = {}
    twins: tuple[Twin, ...] = ()
    split: int = 0
    proposal: str | None = None


__all__ = [
    "MIDDLING",
    "BroughtIn",
    "Statement",
    "Twin",
]
