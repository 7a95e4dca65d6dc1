"""`archivist sessions`: the group alone; each of its commands stands in a module that is loaded when it is called."""

import click

from archivist.surfaces.cli.late import LateGroup, Table

COMMANDS: Table = {
    "list": ("archivist.surfaces.cli.conversations:list_", "Show conversations, most recently active first."),
    "search": ("archivist.surfaces.cli.conversations:search", "Search the messages of all conversations."),
    "show": ("archivist.surfaces.cli.conversations:show", "Read a conversation."),
}
"""Where each command lives, and its line in the help."""


@click.group(cls=LateGroup, table=COMMANDS)
def sessions() -> None:
    """List, show, search and keep conversations."""
