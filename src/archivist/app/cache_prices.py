"""What a token cost, told from what requests cost in all: as it was paid then, whoever said the price."""

from collections.abc import Sequence
from typing import Final

import msgspec

FEWEST: Final = 3
"""Two requests always agree on some price of input and output; a third one tells whether it is right."""
_OFF: Final = 0.01
"""Of the costs in all, so much may not be explained."""


class Paid(msgspec.Struct, frozen=True):
    """What a request cost.

    Attributes:
        worth: Tokens at the full price that what was sent was worth.
        output: Tokens of the reply.
        usd: What both cost.
    """

    worth: float
    output: int
    usd: float


def token_price(requests: Sequence[Paid]) -> float | None:
    """Dollars of a token that is sent anew; None where the costs do not tell it."""
    if len(requests) < FEWEST:
        return None
    sent = sum(one.worth * one.worth for one in requests)
    mixed = sum(one.worth * one.output for one in requests)
    told = sum(float(one.output) ** 2 for one in requests)
    spread = sent * told - mixed * mixed
    if spread <= 1e-9 * sent * told:
        return None  # each is the same, many times
    of_sent = sum(one.worth * one.usd for one in requests)
    of_told = sum(one.output * one.usd for one in requests)
    price, reply = (of_sent * told - of_told * mixed) / spread, (of_told * sent - of_sent * mixed) / spread
    return price if price > 0 and _explains(requests, price, reply) else None


def _explains(requests: Sequence[Paid], price: float, reply: float) -> bool:
    off = sum(abs(one.worth * price + one.output * reply - one.usd) for one in requests)
    return off <= _OFF * sum(one.usd for one in requests)


__all__ = ["Paid", "token_price"]
