"""Words that come in pieces, safe to show: an escape sequence that is cut between two pieces stays one."""

import re
from typing import Final

from archivist.records.display import plain

_BEGUN: Final = re.compile(r"\x1b+(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?)?\Z")
"""An escape sequence that has not ended yet."""
_LONGEST: Final = 4_096
"""Characters for which its end is waited for."""


class Pieces:
    """The text of one reply, as it streams."""

    def __init__(self) -> None:
        self._held = ""

    def clean(self, piece: str) -> str:
        """What can be shown now."""
        text = self._held + piece
        begun = _BEGUN.search(text)
        at = begun.start() if begun is not None and len(text) - begun.start() < _LONGEST else len(text)
        self._held = text[at:]
        return plain(text[:at])

    def end(self) -> None:
        """The reply has ended: a sequence that did not is dropped."""
        self._held = ""


__all__ = ["Pieces"]
