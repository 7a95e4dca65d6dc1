"""How much the core may hold."""

from collections.abc import Iterable, Sequence
from typing import Final, Literal

import msgspec

from archivist.notes.document import joined, joined_length
from archivist.records.notes import NoteUsage, Target

OnFull = Literal["demote", "reject"]
"""`demote`: what is remembered least moves to the archive; `reject`: the newcomer is refused, as Hermes does."""

NEARLY_FULL: Final = 80
"""Percent from which every result says so."""

MANY: Final = 200
"""So many entries are counted as one text, which takes less than to remember each."""


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
        return NoteUsage(joined_length(texts), self.of(target), tokens_of(texts), len(texts))


def tokens_of(texts: Sequence[str]) -> int:
    """About how many tokens entries are, joined."""
    from archivist.records.tokens import estimate_tokens, estimate_tokens_of_lines  # noqa: PLC0415 - who counts none need not wait

    if len(texts) > MANY:
        return estimate_tokens(joined(texts))
    return estimate_tokens_of_lines([*(f"{text}\n§" for text in texts[:-1]), *texts[-1:]])
