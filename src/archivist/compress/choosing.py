"""Which lines stay, under a budget: what is pinned and open first, then the owner's, then what agent and tools said.

Each of the three has a share, and what one leaves goes to the others. Within a share the lines that say most for their tokens stay, the
newer rather than the older.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from archivist.compress.lines import Line, Who
from archivist.compress.weighing import Weights, telling_words, tokens, value

_SHARES: Final[tuple[tuple[Who, float], ...]] = (("owner", 0.53), ("agent", 0.26), ("tool", 0.21))
_OPEN_SHARE: Final = 0.4
"""What is open comes first, up to that share: of a long list what says least gives way."""
_LEAST: Final[dict[Who, float]] = {"owner": 0.3, "agent": 1.2, "tool": 1.2}
"""What is worth less says nothing."""
_KEPT: Final = 1.2
"""How much more a line is worth that was kept before: it was chosen among more lines than stand beside it now."""
_READINGS: Final = 3
_OLDER_READING: Final = 0.4
"""Of so many lines that differ in names and numbers alone, what the older ones are still worth."""
_FRESH: Final = 0.25
"""How much more the newest line is worth than the oldest."""
_FRESHLY_ASKED: Final = 1.0
"""The same of what was asked for and is open."""
_FOCUSED: Final = 2.0
"""How much more a line is worth that has all words of what the owner asks to pay attention to."""


class Chosen(msgspec.Struct, frozen=True):
    """The lines that stay, in order, and what they cost."""

    lines: tuple[Line, ...]
    tokens: int


_Priced = tuple[int, Line]
"""A line with what it costs."""


class Ranking(msgspec.Struct, frozen=True):
    """Lines in the order in which they stay, each with what it costs.

    Attributes:
        must: Those that stay in any case.
        open: What was asked for and is open, likewise what says most for its tokens first.
        may: The others, what says most for its tokens first; what says nothing is not among them.
    """

    must: tuple[_Priced, ...]
    open: tuple[_Priced, ...]
    may: tuple[_Priced, ...]

    def within(self, budget: int) -> Chosen:
        """Those that stay within a budget of tokens."""
        kept = list(self.must)
        kept += _within(self.open, int(max(0, budget - _total(kept)) * _OPEN_SHARE))
        room = max(0, budget - _total(kept))
        for who, share in _SHARES:
            kept += _within((one for one in self.may if one[1].who == who), int(room * share))
        taken = {line.order for _, line in kept}
        kept += _within((one for one in self.may if one[1].order not in taken), budget - _total(kept))
        return Chosen(tuple(sorted((line for _, line in kept), key=lambda line: line.order)), _total(kept))


def _total(kept: Iterable[_Priced]) -> int:
    return sum(price for price, _ in kept)


def rank(lines: Sequence[Line], weights: Weights, focus: str = "") -> Ranking:
    """The lines, ranked.

    Args:
        lines: In order.
        weights: What words are worth among them.
        focus: What matters most; lines that have words of it come before others.
    """
    attention = _Attention(focus, weights)
    last = max((line.order for line in lines), default=0) or 1
    must = [line for line in lines if line.is_pinned]
    older = _older_readings(lines, weights)

    def rate(line: Line, worth: float) -> float:
        """What a line says for its tokens, the newer rather than the older."""
        fresh = _FRESHLY_ASKED if line.is_asked else _FRESH
        return worth * _standing(line, older) * (1 + fresh * line.order / last) / tokens(line.text)

    worth = [(_value(line, weights) * attention.factor(line.text), line) for line in lines]
    rated = [
        (rate(line, one), line.order, line)
        for one, line in worth
        if not line.is_pinned and (line.is_asked or one >= _LEAST[line.who])
    ]
    ordered = [line for _, _, line in sorted(rated, key=lambda one: (-one[0], -one[1]))]
    asked = [line for line in ordered if line.is_asked]
    may = [line for line in ordered if not line.is_asked]
    return Ranking(_priced(must), _priced(asked), _priced(may))


class _Attention:
    """What the owner asks to pay attention to: by how much lines gain that have words of it, rare ones more than those of all lines."""

    def __init__(self, focus: str, weights: Weights) -> None:
        words = telling_words(focus) if focus else ()
        self._weights = weights
        self._worth = {word: weights.worth(word) for word in words}
        self._total = sum(self._worth.values())

    def factor(self, text: str) -> float:
        """1 for a line that has nothing of it."""
        if not self._total:
            return 1.0
        found = sum(self._worth[word] for word in self._weights.words(text) if word in self._worth)
        return 1.0 + _FOCUSED * found / self._total


def _older_readings(lines: Iterable[Line], weights: Weights) -> set[int]:
    """Of lines of agent and tools that say the same with other names and numbers all but the newest, by their order."""
    orders: dict[tuple[str, ...], list[int]] = {}
    for line in lines:
        if line.who != "owner" and (shape := weights.shape(line.text)) is not None:
            orders.setdefault((line.who, *shape), []).append(line.order)
    return {order for found in orders.values() if len(found) >= _READINGS for order in found[:-1]}


def _standing(line: Line, older: set[int]) -> float:
    """The share of its worth that a line has for where it stands among others."""
    share = _OLDER_READING if line.order in older else 1.0
    return share * _KEPT if line.message < 0 else share


def _priced(lines: Iterable[Line]) -> tuple[_Priced, ...]:
    return tuple((cost(line), line) for line in lines)


def cost(line: Line) -> int:
    """About how many tokens a line takes with what goes with it."""
    spent = tokens(line.text)
    spent += sum(tokens(one.text) for one in line.earlier)
    return spent + (tokens(line.report[1]) if line.report else 0)


def _value(line: Line, weights: Weights) -> float:
    """What a line is worth with what may still hold of what was said before."""
    if not line.earlier:
        return value(line, weights)
    before = (msgspec.structs.replace(line, text=one.text) for one in line.earlier if not one.is_replaced)
    return value(line, weights) + sum(value(one, weights) for one in before)


def _within(ranked: Iterable[_Priced], budget: int) -> list[_Priced]:
    taken, spent = [], 0
    for price, line in ranked:
        if spent + price <= budget:
            taken.append((price, line))
            spent += price
    return taken


__all__ = ["Chosen", "Ranking", "cost", "rank"]
