"""What a compression would do, said before it is done."""

from collections.abc import Sequence
from typing import Final

import msgspec

from archivist.compress.bounding import Bounds, find_bounds
from archivist.compress.choosing import Chosen, Ranking
from archivist.compress.compactions import window_places
from archivist.compress.keeping import candidates
from archivist.compress.lines import Who
from archivist.compress.reading import Read, cost_of, places
from archivist.compress.summary_form import HEAD_TOKENS

_FILLED: Final = 0.85
"""Of the target, so much is filled: the estimate may be low, and the next pass is not due at once."""
_LEAST: Final = 0.47
"""Of the target, so much is the summary's however long head and tail are: what it loses once is lost to every later pass."""
_TOLD: Final = 0.12
"""Of the summary, so much is what a model tells, or else the steps by rules."""
_MOST_TOLD: Final = 4_000


class Plan(msgspec.Struct, frozen=True):
    """What would be done.

    Attributes:
        before: Tokens of the messages that the model reads, as far as they are estimated.
        target: Tokens that are aimed at.
        bounds: Which messages stay as they are.
        compressed: How many messages the summary stands for.
        covered: How many messages of the whole conversation end with the summary.
        carried: The place in it of the request that is carried behind the summary.
        kept: By whose they are, how many lines stay word for word.
        budget: Tokens of the summary.
        told: Tokens of it for what a model tells, or rules do.
    """

    before: int
    target: int
    bounds: Bounds
    compressed: int
    covered: int
    carried: int | None
    kept: dict[Who, int]
    budget: int
    told: int

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return self.compressed == 0


def make_plan(read: Sequence[Read], target: int, *, before: int, focus: str = "") -> tuple[Plan, Ranking]:
    """The plan, and the lines that might be kept.

    Args:
        read: All messages.
        target: In tokens.
        before: Tokens of the messages as they were given.
        focus: What matters most.
    """
    bounds = find_bounds(read, target)
    head = window_places([one.message for one in read[: bounds.head_end]])
    stay = cost_of(read[place] for place in head) + cost_of(read[bounds.tail_start :])
    budget = max(0, max(int(target * _FILLED) - stay, int(target * _LEAST)) - HEAD_TOKENS)
    told = min(int(budget * _TOLD), _MOST_TOLD)
    found = candidates(read, bounds, focus)
    chosen = found.within(budget - told) if not bounds.is_empty else Chosen((), 0)
    kept: dict[Who, int] = {"owner": 0, "agent": 0, "tool": 0}
    for line in chosen.lines:
        kept[line.who] += 1
    compressed = max(0, bounds.tail_start - bounds.head_end - (bounds.request is not None))
    at = places([one.message for one in read])
    carried = None if bounds.request is None else at[bounds.request]
    plan = Plan(before, target, bounds, compressed, _covered(at, bounds), carried, kept, budget, told)
    return plan, found


def _covered(at: Sequence[int], bounds: Bounds) -> int:
    """How many messages of the conversation stand before the tail, those of earlier summaries among them."""
    if bounds.tail_start < len(at):
        return at[bounds.tail_start]
    return at[-1] + 1 if at else 0


__all__ = ["Plan", "make_plan"]
