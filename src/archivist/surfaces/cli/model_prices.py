"""`archivist model prices`: what a model costs, and where that is known from."""

import os
from datetime import datetime
from typing import TYPE_CHECKING

import click

from archivist.app.choosing import chosen_model, prices_of
from archivist.app.world import utc_now
from archivist.config import Home
from archivist.models.choosing import Choice, NoModelNamed
from archivist.records.display import plain
from archivist.surfaces.cli.calling import Call, json_option, print_json

if TYPE_CHECKING:
    from archivist.models.prices import Prices


@click.command()
@click.argument("model", required=False)
@click.option("--update", is_flag=True, help="Fetch the newest table of prices first.")
@json_option
@click.pass_obj
def prices(call: Call, model: str | None, *, update: bool) -> None:
    """Show what a model costs; with --update, fetch the newest prices.

    MODEL, as provider/name, is shown instead of the one that is set. Nothing is ever fetched by itself.
    """
    from archivist.models.prices import fetched_at, update_table  # noqa: PLC0415 - heavy, and not of the other commands

    home = call.place
    count = update_table(home.prices_file, utc_now()) if update else None
    choice = chosen_model(home, os.environ, model, needs_key=False)
    if choice is None and not update:
        raise NoModelNamed
    found = None if choice is None else prices_of(home, choice, utc_now)
    fetched = fetched_at(home.prices_file)
    if call.as_json:
        _print(choice, found, fetched, count)
        return
    if count is not None:
        click.echo(f"the prices of {count:,} models are new")
    if choice is not None and found is not None:
        _show(home, choice, found)
    if fetched is not None:
        click.echo(click.style(f"prices fetched {fetched:%Y-%m-%d}", dim=True))


def _print(
    choice: Choice | None, found: "Prices | None", fetched: datetime | None, count: int | None
) -> None:
    shown = {
        "model": choice and choice.name,
        "prices": found and found.rates,
        "origin": found and found.origin,
    }
    print_json({**shown, "fetched_at": fetched, "models": count})


def _show(home: Home, choice: Choice, found: "Prices") -> None:
    origin = click.style(f"({found.origin})", dim=True)
    click.echo(f"{plain(choice.name)}: {price_words(found)}  {origin}")
    if not found.are_known:
        click.echo(f"  say it in [model.prices], or {_where_prices_are(home)}")


def _where_prices_are(home: Home) -> str:
    from archivist.models.prices import read_table  # noqa: PLC0415 - as above

    if read_table(home.prices_file) is None:
        return "install the table of prices: pip install 'archivist[openai]'"
    return "look for newer prices with --update"


def price_words(prices: "Prices") -> str:
    """What a model costs, in words."""
    rates = prices.rates
    if rates is None:
        return "price unknown"
    if prices.origin == "local":
        return "costs nothing"
    named = {
        "in": rates.input,
        "out": rates.output,
        "cache read": rates.cache_read,
        "write": rates.cache_write,
    }
    told = ", ".join(f"${value:,.4g} {name}" for name, value in named.items() if value is not None)
    return f"{told} a million tokens"


__all__ = ["price_words", "prices"]
