"""`archivist model keys`: the group alone; each of its commands is loaded when it is called."""

import click

from archivist.surfaces.cli.late import LateGroup, Table

KEYS = "archivist.surfaces.cli.model_keys"
COMMANDS: Table = {
    "add": (f"{KEYS}:add", "Keep another key for a provider, behind those that are there."),
    "list": (
        f"{KEYS}:list_",
        "Show the keys of a provider: where each is, whether it rests, how often it was used.",
    ),
    "remove": (f"{KEYS}:remove", "Keep a key no longer."),
    "wake": (f"{KEYS}:wake", "Let keys that rest be used at once, such as after an account was topped up."),
}
"""Where each command lives, and its line in the help."""


@click.group(cls=LateGroup, table=COMMANDS)
def keys() -> None:
    """See, add and remove the keys of a provider."""
