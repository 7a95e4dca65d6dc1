"""`archivist model list`: which model is asked, where each value comes from, and what else could be."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from archivist.app.choosing import chosen_model, kept_keys, prices_of, settled_model
from archivist.app.world import utc_now
from archivist.config import Home
from archivist.models.choosing import USUAL, Choice, NoModelNamed, within_reach
from archivist.models.known import PROVIDERS
from archivist.records.display import plain
from archivist.surfaces.cli.calling import Call, json_option, print_json, tell
from archivist.surfaces.cli.model_prices import price_words

if TYPE_CHECKING:
    from archivist.models.offered import Offered
    from archivist.models.prices import Prices


@click.command("list")
@click.argument("provider", required=False)
@click.option("--remote", is_flag=True, help="Ask the provider which models it offers.")
@json_option
@click.pass_obj
def list_(call: Call, provider: str | None, *, remote: bool) -> None:
    """Show which model is asked, where that is said, and what else could be.

    PROVIDER shows another one than that which is set. No key is ever shown.
    """
    if provider:
        _list_provider(call, provider, remote=remote)
    else:
        _list_all(call, remote=remote)


def _list_provider(call: Call, provider: str, *, remote: bool) -> None:
    choice = chosen_model(call.place, os.environ, f"{provider}/-", needs_key=False)
    if choice is None or choice.endpoint.model != "-":
        raise click.BadParameter(f"no provider {provider!r} is known: {', '.join(PROVIDERS)}")
    offers = _offers(choice) if remote else None
    if call.as_json:
        print_json({"model": None, "within_reach": (), "offered": offers})
    elif offers is not None:
        _show_offers(offers)
    else:
        place = f"{choice.endpoint.provider} is asked at {choice.endpoint.base_url}"
        click.echo(f"{plain(place)}; --remote asks it for its models")


def _list_all(call: Call, *, remote: bool) -> None:
    home = call.place
    choice = chosen_model(home, os.environ, needs_key=False)
    offers = _offers(choice) if remote else None
    prices = prices_of(home, choice, utc_now) if choice else None
    if choice and prices:
        choice = settled_model(choice, prices, asks=remote).choice
    own = choice.endpoint.provider if choice else None
    reach = tuple(one for one in _reach(home, call.program) if one["provider"] != own)
    if call.as_json:
        shown = choice and prices and _as_json(choice, prices)
        print_json({"model": shown, "within_reach": reach, "offered": offers})
        return
    _show_choice(choice, prices, call.program)
    _show_reach(reach, call.program, nothing_set=choice is None)
    if offers is not None:
        _show_offers(offers)


def _offers(choice: Choice | None) -> "tuple[Offered, ...]":
    from archivist.models.offered import offered  # noqa: PLC0415 - nobody else is asked

    if choice is None:
        raise NoModelNamed
    return offered(choice.endpoint)


def _reach(home: Home, program: str) -> Iterator[dict[str, str]]:
    """The providers that could be asked; a file of keys that cannot be read is told once."""
    from archivist.config.credentials import CredentialsUnreadable  # noqa: PLC0415 - only to tell of it
    from archivist.records import Notice  # noqa: PLC0415 - as above

    told = set[str]()

    def kept(provider: str, base_url: str) -> list[tuple[str, str]]:
        try:
            return kept_keys(home, provider, base_url)
        except CredentialsUnreadable as error:
            tell([Notice("credentials", line) for line in {str(error)} - told])
            told.add(str(error))
            return []

    for known, place in within_reach(os.environ, kept):
        command = f"{program} model set {known.name}/{known.example}"
        yield {"provider": known.name, "key": place, "command": command}


def _as_json(choice: Choice, prices: "Prices") -> dict[str, Any]:
    endpoint = choice.endpoint
    return {
        "name": choice.name,
        "provider": endpoint.provider,
        "model": endpoint.model,
        "wire": endpoint.wire,
        "base_url": endpoint.base_url,
        "has_key": bool(endpoint.api_key),
        "keys": sum(bool(key.secret) for key in choice.keys),
        "window": endpoint.window,
        "max_tokens": endpoint.max_tokens,
        "pictures": endpoint.takes_pictures,
        "prices": prices.rates,
        "origins": {**choice.origins, "prices": prices.origin},
    }


def _show_choice(choice: Choice | None, prices: "Prices | None", program: str) -> None:
    if choice is None or prices is None:
        click.echo("no model is named: Archivist quotes from memory")
        return
    for name, value, origin in _rows(choice, prices):
        click.echo(f"{name:<10}{plain(value)}  {click.style(f'({origin})', dim=True)}")
    if choice.wants:
        command = f"{plain(program)} model set {plain(choice.name)}"
        click.echo(f"it wants a key: set {choice.wants}, or keep one with `{command}`")


def _rows(choice: Choice, prices: "Prices") -> Iterator[tuple[str, str, str]]:
    endpoint, origins = choice.endpoint, choice.origins
    yield "model", choice.name, origins["model"]
    yield "asked at", endpoint.base_url or "", origins["base_url"]
    yield "key", _key_words(choice), origins["key"]
    yield "window", f"{endpoint.window:,} tokens", _window_origin(origins["window"])
    yield "pictures", "read" if endpoint.takes_pictures else "not read", origins["pictures"]
    yield "price", price_words(prices), prices.origin
    if endpoint.max_tokens:
        yield "reply", f"at most {endpoint.max_tokens:,} tokens", "config.toml"


def _window_origin(origin: str) -> str:
    return "usual, unless its server says another when it is used" if origin == USUAL else origin


def _key_words(choice: Choice) -> str:
    if len(choice.keys) > 1:
        return f"{len(choice.keys)} keys, which `archivist model keys list` shows"
    return "there" if choice.endpoint.api_key else "none" if choice.wants else "none, it may do without"


def _show_reach(reach: tuple[dict[str, str], ...], program: str, *, nothing_set: bool) -> None:
    if reach:
        click.echo("could be set with the keys that are here:")
    for one in reach:
        place = f"(the key in {one['key']})"
        click.echo(f"  {plain(one['command'])}  {click.style(place, dim=True)}")
    if nothing_set:
        local = ", ".join(name for name, known in PROVIDERS.items() if known.is_local)
        command = f"{plain(program)} model set ollama/NAME"
        click.echo(f"without a key, where one of them runs: {local}, such as `{command}`")


def _show_offers(offers: "tuple[Offered, ...]") -> None:
    for one in offers:
        window = f"{one.window:,} tokens" if one.window else ""
        beside = ", ".join(filter(None, [window, "reads pictures" if one.takes_pictures else ""]))
        click.echo(f"  {plain(one.name)}{click.style(f'  ({beside})', dim=True) if beside else ''}")
    if not offers:
        click.echo("it says of no model that it has it")


__all__ = ["list_"]
