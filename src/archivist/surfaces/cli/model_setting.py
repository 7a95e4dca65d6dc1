"""`archivist model set` and `unset`: the model that is chosen, written into config.toml, and its key, never shown."""

import os
import sys
from typing import Any

import click
import msgspec

from archivist.app.choosing import keepers
from archivist.config import Home, read_settings
from archivist.config.addresses import is_unprotected
from archivist.config.changing import change_table
from archivist.config.credentials import remove_key, write_key
from archivist.config.model import ModelSettings, model_settings
from archivist.config.values import Mistake
from archivist.models.choosing import (
    KEY_ENV,
    MODEL_ENV,
    NOWHERE,
    RING,
    STORED,
    URL_ENV,
    Choice,
    checked_key,
    choose,
    read_name,
)
from archivist.records.display import plain
from archivist.surfaces.cli.agents import refuse_agents
from archivist.surfaces.cli.calling import Call, json_option, print_json

WHAT = "to choose the model"
OF_PROVIDER, OF_MODEL = ("base_url", "wire", "key_env"), ("window", "max_tokens", "pictures", "prices")
"""Settings that hold for a provider alone, and for a model alone: another one does not keep them."""
LONGEST_KEY = 10_000


@click.command("set")
@click.argument("name", metavar="PROVIDER/NAME")
@click.option("--base-url", metavar="URL", help="Ask it there instead of at the provider's own place.")
@click.option("--wire", type=click.Choice(["openai", "anthropic"]), help="The form of its requests.")
@click.option(
    "--window", type=click.IntRange(1_000, 100_000_000), help="Tokens that a request and its reply may have."
)
@click.option(
    "--max-tokens", type=click.IntRange(1, 100_000_000), help="The most tokens that a reply may have."
)
@click.option("--pictures/--no-pictures", default=None, help="Whether it reads pictures.")
@click.option("--key-env", metavar="VARIABLE", help="The variable of the environment that has its key.")
@click.option(
    "--key", "asks", is_flag=True, help="Ask for a key, whether one is wanted or not; it is not shown."
)
@click.option("--key-stdin", is_flag=True, help="Read the key from standard input.")
@json_option
@click.pass_obj
def set_(call: Call, /, name: str, *, asks: bool, key_stdin: bool, **options: Any) -> None:  # noqa: ANN401 - click's own
    """Choose the model that is asked, and keep its key.

    The key is asked for where the provider wants one and none is here; it is never an argument, which other programs can see.
    """
    refuse_agents(os.environ, WHAT)
    home = call.place
    before = read_settings(home.config_file).model
    values = _values(before, name, options)
    environ = {key: value for key, value in os.environ.items() if key not in {MODEL_ENV, URL_ENV}}
    stored = keepers(home, ring=before.keyring)
    choice = choose(_checked(values), environ, stored=stored, needs_key=False)
    assert choice is not None, "it has a name"
    key = _read_key(call, choice, asks=asks, key_stdin=key_stdin)
    if key:
        write_key(home.credentials_file, choice.endpoint.provider, choice.endpoint.base_url or "", key)
    kept = {name: value for name, value in values.items() if name != "prices" or value is None}
    change_table(home.config_file, "model", kept)
    has_key = bool(key or choice.endpoint.api_key)
    _told(call, home, choice, has_key=has_key)
    _warn(choice, has_key=has_key, is_new=bool(key))


def _checked(values: dict[str, Any]) -> ModelSettings:
    """The table as it will be read, before anything is asked for or written."""
    given = {name: value for name, value in values.items() if value is not None and name != "prices"}
    try:
        return msgspec.structs.replace(model_settings(given), prices=values["prices"])
    except Mistake as error:
        raise click.UsageError(str(error)) from error


def _values(before: ModelSettings, name: str, options: dict[str, Any]) -> dict[str, Any]:
    """The table as it will be; None for what goes."""
    was, model_was = (before.provider, before.name) if before.provider else read_name(before.name or "")
    provider, model = read_name(name.strip(), before.provider)
    is_known_by_settings = provider is not None and provider == before.provider
    values: dict[str, Any] = {
        "name": model if is_known_by_settings else name.strip(),
        "provider": before.provider if is_known_by_settings else None,
    }
    is_same = was == provider and before.name is not None
    for key in OF_PROVIDER:
        values[key] = getattr(before, key) if is_same else None
    for key in OF_MODEL:
        values[key] = getattr(before, key) if is_same and model_was == model else None
    return {**values, **{key: value for key, value in options.items() if value is not None}}


def _read_key(call: Call, choice: Choice, *, asks: bool, key_stdin: bool) -> str:
    """The key that is given now; empty where none is."""
    if key_stdin:
        return checked_key(sys.stdin.read(LONGEST_KEY), "standard input")
    if not asks and (not choice.wants or call.as_json or not sys.stdin.isatty()):
        return ""
    provider = choice.endpoint.provider
    given = click.prompt(
        f"key for {provider} (not shown; empty for none)", "", hide_input=True, show_default=False, err=True
    )
    return checked_key(given, "what was typed") if given.strip() else ""


def _told(call: Call, home: Home, choice: Choice, *, has_key: bool) -> None:
    place = choice.endpoint.base_url or ""
    if call.as_json:
        told = {"model": choice.name, "base_url": place, "has_key": has_key, "config": home.config_file}
        print_json(told)
        return
    click.echo(f"{plain(choice.name)} is asked from now on, at {plain(place)}")
    if choice.wants and not has_key:
        click.echo(f"it wants a key: set {choice.wants}, or call this again with --key")
    else:
        click.echo(click.style(f"{plain(call.program)} model test asks it one small thing", dim=True))


def _warn(choice: Choice, *, has_key: bool, is_new: bool) -> None:
    """Tell what stands against it, of the address and of the environment."""
    notes = []
    if has_key and is_unprotected(choice.endpoint.base_url or ""):
        notes.append("http: the key and all that is said go over the net for anybody on the way to read")
    variables = (MODEL_ENV, URL_ENV, *((KEY_ENV,) if is_new else ()))
    notes += [
        f"{variable} is set in the environment and holds before what is set here"
        for variable in variables
        if os.environ.get(variable)
    ]
    first = choice.keys[0].origin
    if is_new and first not in {NOWHERE, STORED, RING, KEY_ENV}:
        notes.append(f"the key in {first} is used first, what is kept here where that one fails")
    for note in notes:
        click.echo(f"note: {note}", err=True)


@click.command()
@click.option("--key", "keys", is_flag=True, help="Also remove the key that is kept for its provider.")
@json_option
@click.pass_obj
def unset(call: Call, *, keys: bool) -> None:
    """Choose no model any more: Archivist quotes from memory.

    The table [model] goes from config.toml; a key that is kept stays unless it is named.
    """
    refuse_agents(os.environ, WHAT)
    home = call.place
    before = read_settings(home.config_file).model
    provider = before.provider or read_name(before.name or "")[0] or ("custom" if before.base_url else None)
    is_changed = change_table(home.config_file, "model", dict.fromkeys(ModelSettings.__struct_fields__))
    is_removed = bool(keys and provider and remove_key(home.credentials_file, provider))
    if call.as_json:
        print_json({"changed": is_changed, "key_removed": is_removed})
        return
    click.echo("no model is set any more" if is_changed else "no model was set")
    if is_removed:
        click.echo(f"the key for {plain(provider or '')} is removed")


__all__ = ["set_", "unset"]
