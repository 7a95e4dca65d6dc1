"""`archivist model`: the group alone; each of its commands is loaded when it is called."""

import click

from archivist.surfaces.cli.late import LateGroup, Table

ROOM = "archivist.surfaces.cli"
COMMANDS: Table = {
    "keys": ("archivist.surfaces.cli.keys:keys", "See, add and remove the keys of a provider."),
    "list": (
        f"{ROOM}.models:list_",
        "Show which model is asked, where that is said, and what else could be.",
    ),
    "prices": (
        f"{ROOM}.model_prices:prices",
        "Show what a model costs; with --update, fetch the newest prices.",
    ),
    "set": (f"{ROOM}.model_setting:set_", "Choose the model that is asked, and keep its key."),
    "test": (f"{ROOM}.model_answer:test", "Ask the model one small thing, and show what came."),
    "unset": (f"{ROOM}.model_setting:unset", "Choose no model any more: Archivist quotes from memory."),
}
"""Where each command lives, and its line in the help."""


@click.group(cls=LateGroup, table=COMMANDS)
def model() -> None:
    """See and choose the model that is asked."""
