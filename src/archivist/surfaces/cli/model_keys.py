"""`archivist model keys`: the keys of a provider, each with where it is and whether it rests; none is ever shown."""

import os
import sys
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import click

from archivist.app.choosing import chosen_model, ring_account
from archivist.app.key_pools import open_pool
from archivist.app.world import real_world
from archivist.config.changing import change_table
from archivist.config.credentials import add_key, drop_key
from archivist.models.choosing import KEY_ENV, RING, STORED, Choice, NoModelNamed
from archivist.models.keys import checked_key
from archivist.models.known import PROVIDERS
from archivist.models.pool import Key, Pool, masked
from archivist.models.rests import WORDS, Rest, Standing
from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.surfaces.cli.agents import refuse_agents
from archivist.surfaces.cli.calling import Call, json_option, print_json, tell

WHAT: Final = "to change which keys are used"
LONGEST: Final = 100_000


@click.command("list")
@click.argument("provider", required=False)
@json_option
@click.pass_obj
def list_(call: Call, provider: str | None) -> None:
    """Show the keys of a provider: where each is, whether it rests, how often it was used.

    PROVIDER is the one whose model is set, where none is named. Of a key no more is shown than its end.
    """
    choice = _choice(call, provider)
    pool, now = _pool(call, choice), real_world().now()
    rows = [
        _row(number, key, standing, now)
        for number, (key, standing) in enumerate(zip(pool.keys, pool.standings(), strict=True), 1)
        if key.secret
    ]
    if call.as_json:
        where = {"provider": choice.endpoint.provider, "base_url": choice.endpoint.base_url}
        print_json({**where, "keys": rows, "left_out": choice.left_out})
        return
    for row in rows:
        beside = f"({row['origin']}; used {counted(row['uses'], 'time')})"
        click.echo(f"{row['name']}  {_state(row)}  {click.style(beside, dim=True)}")
    if not rows:
        click.echo(f"{plain(choice.endpoint.provider)} has no key here: {_adding(call, choice)} keeps one")


def _row(number: int, key: Key, standing: Standing, now: datetime) -> dict[str, Any]:
    resting = {model: rest for model, rest in standing.rests.items() if _holds(standing, model, now)}
    return {
        "number": number,
        "name": key.name,
        "origin": key.origin,
        "state": "resting" if resting else "ready",
        "rests": [
            {"why": rest.why, "until": rest.until, "model": model or None} for model, rest in resting.items()
        ],
        "uses": standing.uses,
        "used_at": standing.used_at,
    }


def _holds(standing: Standing, model: str, now: datetime) -> Rest | None:
    """What keeps a key from being used for a model, of that model's own."""
    rest = standing.rest(model, now)
    return rest if rest is not None and rest == standing.rests.get(model) and rest.until > now else None


def _state(row: dict[str, Any]) -> str:
    if row["state"] == "ready":
        return click.style("ready", fg="green")
    told = (
        f"rests until {rest['until'].astimezone():%Y-%m-%d %H:%M:%S}: {WORDS[rest['why']]}"
        + (f", for {plain(rest['model'])}" if rest["model"] else "")
        for rest in row["rests"]
    )
    return click.style("; ".join(told), fg="yellow")


@click.command()
@click.argument("provider", required=False)
@click.option(
    "--base-url", metavar="URL", help="The address for which it is; the provider's own where unset."
)
@click.option("--key-stdin", is_flag=True, help="Read keys from standard input, one a line.")
@click.option("--keyring", is_flag=True, help="Keep it in the system's keyring, not in a file of the home.")
@json_option
@click.pass_obj
def add(call: Call, provider: str | None, base_url: str | None, *, key_stdin: bool, keyring: bool) -> None:
    """Keep another key for a provider, behind those that are there.

    The key is asked for and not shown; it is never an argument, which other programs can see.
    """
    refuse_agents(os.environ, WHAT)
    choice = _choice(call, provider, base_url)
    keys = _given(choice.endpoint.provider, key_stdin=key_stdin)
    known = {key.secret for key in choice.keys}
    new = [key for key in dict.fromkeys(keys) if key not in known]
    (_keep_in_ring if keyring else _keep_in_file)(call, choice, new)
    place = RING if keyring else STORED
    if call.as_json:
        print_json({"added": len(new), "provider": choice.endpoint.provider, "place": place})
    elif new:
        shown = ", ".join(map(masked, new))
        click.echo(
            f"{counted(len(new), 'key')} for {plain(choice.endpoint.provider)} kept in {place}: {shown}"
        )
    else:
        click.echo("nothing new: it is there already")
    if any(key.origin.startswith(KEY_ENV) for key in choice.keys):
        click.echo(f"note: {KEY_ENV} is set in the environment and is used alone", err=True)


def _given(provider: str, *, key_stdin: bool) -> list[str]:
    """The keys that are given now, at least one."""
    if key_stdin:
        texts, place = _read_texts(), "standard input"
    else:
        texts = [click.prompt(f"key for {plain(provider)} (not shown)", hide_input=True, err=True)]
        place = "what was typed"
    return [checked_key(text, place) for text in texts if text.strip()] or [checked_key("", place)]


def _read_texts() -> list[str]:
    try:
        return sys.stdin.read(LONGEST).replace(",", "\n").splitlines()
    except UnicodeDecodeError:  # nothing that is no text is a key
        return []


def _keep_in_file(call: Call, choice: Choice, keys: Sequence[str]) -> None:
    for key in keys:
        where = call.place.credentials_file
        add_key(where, choice.endpoint.provider, choice.endpoint.base_url or "", key)


def _keep_in_ring(call: Call, choice: Choice, keys: Sequence[str]) -> None:
    from archivist.config.ring import ring_keys, write_ring  # noqa: PLC0415 - seldom wanted

    account = ring_account(choice.endpoint.provider, choice.endpoint.base_url or "")
    write_ring(account, tuple(dict.fromkeys((*ring_keys(account), *keys))))
    change_table(call.place.config_file, "model", {"keyring": True})


@click.command()
@click.argument("which")
@click.argument("provider", required=False)
@click.option(
    "--base-url", metavar="URL", help="The address for which it is; the provider's own where unset."
)
@json_option
@click.pass_obj
def remove(call: Call, which: str, provider: str | None, base_url: str | None) -> None:
    """Keep a key no longer.

    WHICH is its number or its last characters, as `archivist model keys list` shows them.
    """
    refuse_agents(os.environ, WHAT)
    choice = _choice(call, provider, base_url)
    key = _meant(choice.keys, which)
    account = choice.endpoint.provider, choice.endpoint.base_url or ""
    if key.origin == STORED:
        drop_key(call.place.credentials_file, *account, key.secret)
    elif key.origin == RING:
        from archivist.config.ring import ring_keys, write_ring  # noqa: PLC0415 - seldom wanted

        name = ring_account(*account)
        write_ring(name, tuple(one for one in ring_keys(name) if one != key.secret))
    else:
        raise click.ClickException(f"{key.name} is in {key.origin}: take it out of the environment")
    if call.as_json:
        print_json({"removed": key.name, "place": key.origin})
    else:
        click.echo(f"{key.name} of {plain(choice.endpoint.provider)} is removed from {key.origin}")


@click.command()
@click.argument("which", required=False)
@click.argument("provider", required=False)
@json_option
@click.pass_obj
def wake(call: Call, which: str | None, provider: str | None) -> None:
    """Let keys that rest be used at once, such as after an account was topped up.

    WHICH is a key's number or its last characters; all keys of the provider, where none is named.
    """
    choice = _choice(call, provider)
    pool = _pool(call, choice)
    keys = [key for key in pool.keys if key.secret] if which is None else [_meant(choice.keys, which)]
    pool.wake(keys)
    if call.as_json:
        print_json({"woken": [key.name for key in keys]})
    else:
        click.echo(f"{counted(len(keys), 'key is', 'keys are')} ready to be used")


def _choice(call: Call, provider: str | None, base_url: str | None = None) -> Choice:
    """The provider that is meant, by any model of it."""
    asked = f"{provider}/-" if provider else None
    choice = chosen_model(call.place, os.environ, asked, base_url=base_url, needs_key=False)
    if choice is None:
        raise NoModelNamed
    if provider and choice.endpoint.model != "-":
        raise click.BadParameter(f"no provider {provider!r} is known: {', '.join(PROVIDERS)}")
    return choice


def _pool(call: Call, choice: Choice) -> Pool:
    return open_pool(call.place, choice, real_world(), tell=lambda notice: tell([notice]))


def _meant(keys: Sequence[Key], which: str) -> Key:
    """The key that a number or an end means."""
    end = which.strip().lstrip("…")
    if end.isdecimal() and 1 <= int(end) <= len(keys) and keys[int(end) - 1].secret:
        return keys[int(end) - 1]
    found = [key for key in keys if end and masked(key.secret) == f"…{end}"]
    if len(found) != 1:
        told = "several keys end so" if found else "no key has that number or end"
        raise click.BadParameter(f"{told}: `archivist model keys list` shows them by their numbers")
    return found[0]


def _adding(call: Call, choice: Choice) -> str:
    return f"`{plain(call.program)} model keys add {plain(choice.endpoint.provider)}`"


__all__ = ["add", "list_", "remove", "wake"]
