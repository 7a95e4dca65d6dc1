"""One text in the forms the rules read it in.

`codes` is the text as ASCII bytes with one byte for each character ("?" for any other character) and
`lower` the same in lower case, so a position in one is the position in all.  Searching bytes is fast and
equally fast in every script.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Secret:
    """One finding: its kind, and where it stands in the original text (end exclusive)."""

    kind: str
    start: int
    end: int


@dataclass(slots=True)
class Reading:
    """A text with its position-true ASCII copies."""

    text: str
    codes: bytes
    lower: bytes
    judged: dict[tuple[str, str, bool], bool] = field(default_factory=dict, compare=False, repr=False)
    """Values already judged in this reading; it is dropped with the reading, so no secret outlives the
    call."""

    named: dict[tuple[bytes, bytes, bytes], bool] = field(default_factory=dict, compare=False, repr=False)
    """Names already judged: what stands before a core word, the word, and what stands after it."""

    @classmethod
    def of(cls, text: str) -> Reading:
        """The reading of `text`; any text will do, lone surrogates included."""
        codes = text.encode("ascii", "replace")
        return cls(text, codes, codes.lower())
