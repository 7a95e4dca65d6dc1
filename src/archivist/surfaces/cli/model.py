"""`archivist model`: the group alone; each of its commands is loaded when it is called."""

import click

from archivist.surfaces.cli.late import LateGroup, Table

MODELS, SETTING = "archivist.surfaces.cli.models", "archivist.surfaces.cli.model_setting"
COMMANDS: Table = {
    "list": (f"{MODELS}:list_", "Show which model is asked, where that is said, and what else could be."),
    "prices": (f"{MODELS}:prices", "Show what a model costs; with --update, fetch the newest prices."),
    "set": (f"{SETTING}:set_", "Choose the model that is asked, and keep its key."),
    "test": (f"{MODELS}:test", "Ask the model one small thing, and show what came."),
    "unset": (f"{SETTING}:unset", "Choose no model any more: Archivist quotes from memory."),
}
"""Where each command lives, and its line in the help."""


@click.group(cls=LateGroup, table=COMMANDS)
def model() -> None:
    """See and choose the model that is asked."""
