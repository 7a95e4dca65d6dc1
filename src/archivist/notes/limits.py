"""How much the core may hold."""

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from archivist.notes.document import joined, joined_length
from archivist.records.notes import NoteUsage, Target
from archivist.records.tokens import estimate_tokens

OnFull = Literal["demote", "reject"]
"""`demote`: what is remembered least moves to the archive; `reject`: the newcomer is refused, as Hermes does."""

NEARLY_FULL: Final = 80
"""Percent from which every result says so."""


class Limits(msgspec.Struct, frozen=True):
    """The budgets of the two files, in code points, counted as Hermes counts: entries joined, delimiters included.

    The defaults are Hermes'.

    Attributes:
        in_prompt: Whether prompts carry notes at all.
    """

    memory: int = 2200
    user: int = 1375
    on_full: OnFull = "demote"
    in_prompt: bool = True

    def of(self, target: Target) -> int:
        """The budget of a file."""
        return self.memory if target == "memory" else self.user

    def usage(self, target: Target, texts: Iterable[str]) -> NoteUsage:
        """How near the budget these entries are."""
        texts = list(texts)
        return NoteUsage(joined_length(texts), self.of(target), estimate_tokens(joined(texts)), len(texts))
