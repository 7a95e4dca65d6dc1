"""Which lines stay, under a budget: what is pinned and open first, then the owner's, then what agent and tools said.

Each of the three has a share, and what one leaves goes to the others. Within a share the lines that say most for their tokens stay, the
newer rather than the older.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from archivist.compress.lines import Line, Who
from archivist.compress.weighing import Weights, tokens, value

_SHARES: Final[tuple[tuple[Who, float], ...]] = (("owner", 0.53), ("agent", 0.26), ("tool", 0.21))
_LEAST: Final = 1.2
"""What is worth less says nothing."""
_FRESH: Final = 0.25
"""How much more the newest line is worth than the oldest."""


class Chosen(msgspec.Struct, frozen=True):
    """The lines that stay, in order, and what they cost."""

    lines: tuple[Line, ...]
    tokens: int


def choose(lines: Sequence[Line], weights: Weights, budget: int) -> Chosen:
    """The lines that stay within a budget of tokens."""
    last = max((line.order for line in lines), default=0) or 1
    first = [line for line in lines if line.is_pinned or line.is_asked]
    kept = {line.order: line for line in first}
    spent = sum(map(cost, first))
    ranked = _ranked((line for line in lines if line.order not in kept), weights, last)
    room = max(0, budget - spent)
    left: list[Line] = []
    for who, share in _SHARES:
        mine = [line for line in ranked if line.who == who]
        taken = _within(mine, int(room * share))
        spent += sum(map(cost, taken))
        kept |= {line.order: line for line in taken}
        left += [line for line in mine if line.order not in kept]
    rest = _within([line for line in ranked if line.order not in kept], budget - spent)
    kept |= {line.order: line for line in rest}
    ordered = tuple(kept[order] for order in sorted(kept))
    return Chosen(ordered, sum(map(cost, ordered)))


def cost(line: Line) -> int:
    """About how many tokens a line takes with what goes with it."""
    spent = tokens(line.text)
    spent += sum(tokens(one.text) for one in line.earlier)
    return spent + (tokens(line.report[1]) if line.report else 0)


def _ranked(lines: Iterable[Line], weights: Weights, last: int) -> list[Line]:
    """What says something, what says most for its tokens first."""
    worth = [(_value(line, weights), line) for line in lines]
    rated = [
        (worth * (1 + _FRESH * line.order / last) / tokens(line.text) ** 1.0, line.order, line)
        for worth, line in worth
        if worth >= _LEAST
    ]
    return [line for _, _, line in sorted(rated, key=lambda one: (-one[0], -one[1]))]


def _value(line: Line, weights: Weights) -> float:
    """What a line is worth with what may still hold of what was said before."""
    before = (msgspec.structs.replace(line, text=one.text) for one in line.earlier if not one.is_replaced)
    return value(line, weights) + sum(value(one, weights) for one in before)


def _within(ranked: Iterable[Line], budget: int) -> list[Line]:
    taken, spent = [], 0
    for line in ranked:
        price = cost(line)
        if spent + price <= budget:
            taken.append(line)
            spent += price
    return taken


__all__ = ["Chosen", "choose", "cost"]
