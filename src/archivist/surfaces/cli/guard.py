"""`archivist guard`: the group alone; each of its commands is loaded when it is called."""

import click

from archivist.surfaces.cli.late import LateGroup, Table

GUARDING = "archivist.surfaces.cli.guarding"
COMMANDS: Table = {
    "allow": (f"{GUARDING}:allow", "Let blocks be shown to models whatever is found in them."),
    "forbid": (f"{GUARDING}:forbid", "Withhold blocks again that were allowed."),
    "list": (f"{GUARDING}:list_", "Show what of the notes is withheld, and which blocks are allowed."),
    "scan": (f"{GUARDING}:scan", "Show what in files tries to steer the model that reads them."),
}
"""Where each command lives, and its line in the help."""


@click.group(cls=LateGroup, table=COMMANDS)
def guard() -> None:
    """See what is withheld from models, and allow it."""
