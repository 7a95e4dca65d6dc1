"""`archivist review`: the group alone; each of its commands is loaded when it is called."""

import click

from archivist.surfaces.cli.late import LateGroup, Table

REVIEWING = "archivist.surfaces.cli.reviewing"
COMMANDS: Table = {
    "accept": (f"{REVIEWING}:accept", "Do what is proposed, exactly as it is shown."),
    "edit": (f"{REVIEWING}:edit", "Do what is proposed with other words."),
    "erase": (f"{REVIEWING}:erase", "Erase proposals with every word of them, for good."),
    "list": (f"{REVIEWING}:list_", "Show what waits for you."),
    "reject": (f"{REVIEWING}:reject", "Leave everything as it is; the same is not proposed again."),
    "show": (f"{REVIEWING}:show", "Show what a proposal would do, and what it rests on."),
    "undo": (f"{REVIEWING}:undo", "Take a decision back, with what was done by it."),
}
"""Where each command lives, and its line in the help."""


@click.group(cls=LateGroup, table=COMMANDS)
def review() -> None:
    """Decide on what waits for you: accept, edit or reject."""
