"""`archivist model list`, `test` and `prices`: which model is asked, whether it answers, what it costs."""

import os
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from archivist.app.choosing import chosen_model, kept_key, open_model, prices_of, settled_model
from archivist.app.world import utc_now
from archivist.config import Home, find_home
from archivist.models.choosing import STORED, USUAL, Choice, NoModelNamed, within_reach
from archivist.models.known import PROVIDERS
from archivist.records.display import plain
from archivist.surfaces.cli.calling import Call, json_option, print_json, tell

if TYPE_CHECKING:
    from archivist.models.offered import Offered
    from archivist.models.prices import Prices
    from archivist.records.requests import Reply

ASKED = "This is a test of the connection. Answer with the one word: ready"
ROOM = 1_024
"""Tokens that the answer to a test may have; models that think first need some."""


def home_of(call: Call) -> Home:
    """The home that is meant; no database of it is opened."""
    return find_home(call.home, call.profile, environ=os.environ)


@click.command("list")
@click.argument("provider", required=False)
@click.option("--remote", is_flag=True, help="Ask the provider which models it offers.")
@json_option
@click.pass_obj
def list_(call: Call, provider: str | None, *, remote: bool) -> None:
    """Show which model is asked, where that is said, and what else could be.

    PROVIDER shows another one than that which is set. No key is ever shown.
    """
    home = home_of(call)
    choice = chosen_model(home, os.environ, provider and f"{provider}/-", needs_key=False)
    if provider is not None and choice is not None and choice.endpoint.model != "-":
        raise click.BadParameter(f"no provider {provider!r} is known: {', '.join(PROVIDERS)}")
    offers = _offers(choice) if remote else None
    settled = None if choice is None or provider else settled_model(home, choice, utc_now, asks=remote).choice
    own = settled.endpoint.provider if settled else None
    reach = () if provider else tuple(one for one in _reach(home, call.program) if one["provider"] != own)
    if call.as_json:
        print_json({"model": settled and _as_json(home, settled), "within_reach": reach, "offered": offers})
        return
    if not provider:
        _show_choice(call, home, settled)
        _show_reach(reach, call.program, nothing_set=settled is None)
    if offers is not None:
        _show_offers(offers)
    elif provider and choice is not None:
        click.echo(
            f"{choice.endpoint.provider} is asked at {choice.endpoint.base_url}; --remote asks it for its models"
        )


def _offers(choice: Choice | None) -> "tuple[Offered, ...]":
    from archivist.models.offered import offered  # noqa: PLC0415 - nobody else is asked

    if choice is None:
        raise NoModelNamed
    return offered(choice.endpoint)


def _reach(home: Home, program: str) -> Iterator[dict[str, str]]:
    from archivist.config.credentials import CredentialsUnreadable  # noqa: PLC0415 - only to tell of it
    from archivist.records import Notice  # noqa: PLC0415 - as above

    def kept(provider: str, base_url: str) -> str | None:
        try:
            return kept_key(home, provider, base_url)
        except CredentialsUnreadable as error:
            tell([Notice("credentials", str(error))] if provider == "openai" else [])
            return None

    for known, place in within_reach(os.environ, kept):
        command = f"{program} model set {known.name}/{known.example}"
        yield {"provider": known.name, "key": place, "command": command}


def _as_json(home: Home, choice: Choice) -> dict[str, Any]:
    endpoint, prices = choice.endpoint, prices_of(home, choice, utc_now)
    return {
        "name": choice.name,
        "provider": endpoint.provider,
        "model": endpoint.model,
        "wire": endpoint.wire,
        "base_url": endpoint.base_url,
        "has_key": bool(endpoint.api_key),
        "window": endpoint.window,
        "max_tokens": endpoint.max_tokens,
        "pictures": endpoint.takes_pictures,
        "prices": prices.rates,
        "origins": {**choice.origins, "prices": prices.origin},
    }


def _show_choice(call: Call, home: Home, choice: Choice | None) -> None:
    if choice is None:
        click.echo("no model is named: Archivist quotes from memory")
        return
    endpoint, origins, prices = choice.endpoint, choice.origins, prices_of(home, choice, utc_now)
    rows = [
        ("model", choice.name, origins["model"]),
        ("asked at", endpoint.base_url or "", origins["base_url"]),
        ("key", _key_words(choice), origins["key"]),
        ("window", f"{endpoint.window:,} tokens", _window_origin(origins["window"])),
        ("pictures", "read" if endpoint.takes_pictures else "not read", origins["pictures"]),
        ("price", price_words(prices), prices.origin),
    ]
    if endpoint.max_tokens:
        rows.append(("reply", f"at most {endpoint.max_tokens:,} tokens", "config.toml"))
    for name, value, origin in rows:
        click.echo(f"{name:<10}{plain(value)}  {click.style(f'({origin})', dim=True)}")
    if choice.wants:
        click.echo(
            f"it wants a key: set {choice.wants}, or keep one with `{plain(call.program)} model set {plain(choice.name)}`"
        )


def _window_origin(origin: str) -> str:
    return "usual, unless its server says another when it is used" if origin == USUAL else origin


def _key_words(choice: Choice) -> str:
    return "there" if choice.endpoint.api_key else "none" if choice.wants else "none, it may do without"


def price_words(prices: "Prices") -> str:
    """What a model costs, in words."""
    rates = prices.rates
    if rates is None:
        return "price unknown"
    if prices.origin == "local":
        return "costs nothing"
    named = (
        ("in", rates.input),
        ("out", rates.output),
        ("cache read", rates.cache_read),
        ("write", rates.cache_write),
    )
    return (
        f"{', '.join(f'${value:,.4g} {name}' for name, value in named if value is not None)} a million tokens"
    )


def _show_reach(reach: tuple[dict[str, str], ...], program: str, *, nothing_set: bool) -> None:
    if reach:
        click.echo("could be set with the keys that are here:")
    for one in reach:
        place = f"the key in {one['key']}" if one["key"] != STORED else f"the key in {STORED}"
        click.echo(f"  {plain(one['command'])}  {click.style(f'({place})', dim=True)}")
    if nothing_set:
        local = ", ".join(name for name, known in PROVIDERS.items() if known.is_local)
        click.echo(
            f"without a key, where one of them runs: {local}, such as `{plain(program)} model set ollama/NAME`"
        )


def _show_offers(offers: "tuple[Offered, ...]") -> None:
    for one in offers:
        window = f"{one.window:,} tokens" if one.window else ""
        beside = ", ".join(filter(None, [window, "reads pictures" if one.takes_pictures else ""]))
        click.echo(f"  {plain(one.name)}{click.style(f'  ({beside})', dim=True) if beside else ''}")
    if not offers:
        click.echo("it says of no model that it has it")


@click.command()
@click.argument("model", required=False)
@json_option
@click.pass_obj
def test(call: Call, model: str | None) -> None:
    """Ask the model one small thing, and show what came.

    MODEL, as provider/name, is asked instead of the one that is set.
    """
    home = home_of(call)
    responder = open_model(home, os.environ, model, utc_now, tell=lambda notice: tell([notice]))
    if responder is None:
        raise NoModelNamed
    choice = chosen_model(home, os.environ, model)
    assert choice is not None, "it was opened"
    reply, first, whole = _answer(responder)
    prices, usage = prices_of(home, choice, utc_now), reply.usage
    if call.as_json:
        print_json(
            {
                "model": responder.name,
                "answered_by": reply.model,
                "text": reply.text,
                "stop": reply.stop,
                "first_piece_seconds": first,
                "seconds": whole,
                "usage": usage,
                "prices_known": prices.are_known,
            }
        )
        return
    said = " ".join(plain(reply.text).split()) or "nothing but thoughts"
    click.echo(f"{plain(responder.name)} at {plain(choice.endpoint.base_url or '')} answers: {said[:200]}")
    counts = (
        f"{usage.input + usage.cache_read + usage.cache_write:,} tokens in, {usage.output:,} out"
        if usage
        else ""
    )
    cost = f"${usage.cost_usd:.6f}" if usage and prices.are_known else "price unknown"
    cost = "costs nothing" if prices.origin == "local" else cost
    times = f"first piece after {first:.2f} s, all of it after {whole:.2f} s"
    click.echo(click.style(" · ".join(filter(None, [times, counts, cost])), dim=True))


def _answer(responder: Any) -> "tuple[Reply, float, float]":  # noqa: ANN401 - of a room that is loaded late
    """The reply, the seconds to its first piece, and those to its end."""
    from archivist.models.responder import Interrupt  # noqa: PLC0415 - a look at the settings asks nobody
    from archivist.records.requests import Request  # noqa: PLC0415 - as above

    began, pieces = time.monotonic(), list[float]()
    request = Request(responder.model, ({"role": "user", "content": ASKED},), max_tokens=ROOM)
    reply = responder.respond(request, lambda _: pieces.append(time.monotonic() - began), Interrupt())
    whole = time.monotonic() - began
    return reply, min(pieces, default=whole), whole


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

    home = home_of(call)
    count = update_table(home.prices_file, utc_now()) if update else None
    choice = chosen_model(home, os.environ, model, needs_key=False)
    if choice is None and not update:
        raise NoModelNamed
    found = None if choice is None else prices_of(home, choice, utc_now)
    fetched = fetched_at(home.prices_file)
    if call.as_json:
        shown = {
            "model": choice and choice.name,
            "prices": found and found.rates,
            "origin": found and found.origin,
        }
        print_json({**shown, "fetched_at": fetched, "models": count})
        return
    if count is not None:
        click.echo(f"the prices of {count:,} models are new")
    if choice is not None and found is not None:
        click.echo(
            f"{plain(choice.name)}: {price_words(found)}  {click.style(f'({found.origin})', dim=True)}"
        )
        if not found.are_known:
            click.echo(f"  say it in [model.prices], or {_where_prices_are(home)}")
    if fetched is not None:
        click.echo(click.style(f"prices fetched {fetched:%Y-%m-%d}", dim=True))


def _where_prices_are(home: Home) -> str:
    from archivist.models.prices import read_table  # noqa: PLC0415 - as above

    if read_table(home.prices_file) is None:
        return "install the table of prices: pip install 'archivist[openai]'"
    return "look for newer prices with --update"


__all__ = ["home_of", "list_", "price_words", "prices", "test"]
