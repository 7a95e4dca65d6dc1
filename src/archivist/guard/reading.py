"""One text in the forms the rules read it in.

`codes` is the text as ASCII bytes with one byte for each character ("?" for any other character) and
`lower` the same in lower case, so a position in one is the position in all.  Searching bytes is fast and
equally fast in every script.
"""

from __future__ import annotations

import msgspec

from archivist.records.patterns import late_pattern

MASK = late_pattern(r"\[masked [a-z0-9-]{2,32}(?: …[A-Za-z0-9_-]{1,4})?\]")
"""How a secret looks that was masked."""


class Secret(msgspec.Struct, frozen=True):
    """One finding: its kind, and where it stands in the original text (end exclusive)."""

    kind: str
    start: int
    end: int


class Reading(msgspec.Struct):
    """A text with its position-true ASCII copies."""

    text: str
    codes: bytes
    lower: bytes
    judged: dict[tuple[str, str, bool], bool] = msgspec.field(default_factory=dict)
    """Values already judged in this reading; it is dropped with the reading, so no secret outlives the
    call."""

    named: dict[tuple[bytes, bytes, bytes], bool] = msgspec.field(default_factory=dict)
    """Names already judged: what stands before a core word, the word, and what stands after it."""

    @classmethod
    def of(cls, text: str) -> Reading:
        """The reading of `text`; any text will do, lone surrogates included."""
        codes = text.encode("ascii", "replace")
        return cls(text, codes, codes.lower())
