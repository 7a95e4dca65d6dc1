"""A text that is noted closes the entry that it says it corrects; where there is none, that is said."""

from collections.abc import Iterator
from typing import Final, Protocol

from archivist.notes.correcting import correction_in
from archivist.notes.matching import preview
from archivist.notes.superseding import Closed, corrected_by
from archivist.records import Notice
from archivist.records.notes import EntryOrigin, Target

_TOLD: Final[frozenset[EntryOrigin]] = frozenset({"user", "agent"})
"""Who is told: a person or a program that notes one thing at a time."""


class Changing(Protocol):
    """A change in the making, as far as it closes entries."""

    def present_in(self, level: str, target: Target) -> Iterator[tuple[str, str]]:
        """The entries that stand there, by id and words."""

    def may_close(self, key: str, level: str) -> bool:
        """Whether whoever asks may say that an entry holds no more."""

    def close(self, key: str, *, by: str) -> None:
        """Put an entry away, since another took its place."""


def close_what_is_corrected(
    planner: Changing, level: str, target: Target, text: str, *, by: str
) -> Closed | None:
    """Close the one entry that a text says it corrects, if whoever says it may.

    Args:
        planner: The change in the making.
        level: Where the entries stand.
        target: In which file.
        text: What is said.
        by: The entry that says it.
    """
    present = ((key, words) for key, words in planner.present_in(level, target) if key != by)
    found = corrected_by(text, present)
    if found is None or not planner.may_close(found.id, level):
        return None
    planner.close(found.id, by=by)
    return found


def closes_nothing(origin: EntryOrigin, text: str) -> tuple[Notice, ...]:
    """What is told of a text that says that it corrects something where no entry says that."""
    correction = correction_in(text) if origin in _TOLD else None
    if correction is None or not correction.is_plain:
        return ()
    told = (
        f"“{preview(text)}” reads like a correction, but no entry here says just what it corrects, so none was closed: replace or"
        " remove one that holds no more; `archivist memory show` has them"
    )
    return (Notice("closes-nothing", told),)


__all__ = ["close_what_is_corrected", "closes_nothing"]
