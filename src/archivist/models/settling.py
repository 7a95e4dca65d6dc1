"""A model that was chosen, with what is known of it: how much it has room for, and whether it reads pictures.

What its owner says holds; else what the table of prices says, else what the endpoint itself says, else what is usual.
"""

from collections.abc import Callable, Mapping

import msgspec

from archivist.models.choosing import USUAL, WINDOW, Choice
from archivist.models.offered import Offered, said_of
from archivist.models.prices import Prices
from archivist.records import Notice

TABLE, SERVER = "prices", "its server"
"""Where a value comes from, beside those that choosing knows."""


class Settled(msgspec.Struct, frozen=True):
    """A model, and what a person should know of how it is asked."""

    choice: Choice
    notices: tuple[Notice, ...] = ()


def settle(choice: Choice, prices: Prices, *, ask: Callable[[Choice], Offered] | None = said_of) -> Settled:
    """A model with what is known of it.

    Args:
        choice: As it was chosen.
        prices: Of it.
        ask: Asks its server; None where it should not be asked.
    """
    if choice.origins["window"] != USUAL:
        return Settled(choice)
    if window := prices.window:
        return Settled(_with(choice, {"window": window}, TABLE))
    said = ask(choice) if ask is not None else Offered(choice.endpoint.model)
    found = {"window": said.window, "takes_pictures": said.takes_pictures if _is_open(choice) else None}
    settled = _with(choice, {name: value for name, value in found.items() if value is not None}, SERVER)
    return Settled(settled, () if said.window else (_assumed(choice),))


def _is_open(choice: Choice) -> bool:
    return choice.origins["pictures"] == USUAL


def _with(choice: Choice, values: Mapping[str, int | bool], origin: str) -> Choice:
    names = {"window": "window", "takes_pictures": "pictures"}
    return msgspec.structs.replace(
        choice,
        endpoint=msgspec.structs.replace(choice.endpoint, **values),
        origins={**choice.origins, **{names[name]: origin for name in values}},
    )


def _assumed(choice: Choice) -> Notice:
    told = f"nothing says how much {choice.name} has room for, {WINDOW:,} tokens are assumed: set window in [model]"
    return Notice("window-assumed", told)


__all__ = ["SERVER", "TABLE", "Settled", "said_of", "settle"]
