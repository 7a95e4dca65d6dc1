"""Which of the entries that stand beside a text is the one that it says it corrects."""

from collections.abc import Iterable

import msgspec

from archivist.notes.correcting import correction_in


class Closed(msgspec.Struct, frozen=True):
    """An entry that is corrected.

    Attributes:
        is_change: It was right until now; else it never was.
    """

    id: str
    is_change: bool


def corrected_by(text: str, present: Iterable[tuple[str, str]]) -> Closed | None:
    """The entry that a text plainly corrects; None where there is none, or there are several.

    Args:
        text: What is to be noted.
        present: The entries beside it, by id and words.
    """
    correction = correction_in(text)
    if correction is None:
        return None
    found = [key for key, words in present if correction.corrects(words)]
    return Closed(found[0], correction.is_change) if len(found) == 1 else None


__all__ = ["Closed", "corrected_by"]
