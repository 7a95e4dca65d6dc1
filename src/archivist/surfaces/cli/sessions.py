"""`archivist sessions`: the group alone; each of its commands stands in a module that is loaded when it is called."""

import click

from archivist.surfaces.cli.late import LateGroup, Table

CHANGING = "archivist.surfaces.cli.changing"
COMPRESSING = "archivist.surfaces.cli.compressing"
COMMANDS: Table = {
    "archive": (
        f"{CHANGING}:archive",
        "Put a conversation away: lists leave it out, searches find it still.",
    ),
    "fork": (f"{CHANGING}:fork", "Begin a second line of a conversation, from one of its messages on."),
    "pin": (f"{CHANGING}:pin", "Keep a conversation whatever is pruned."),
    "redo": (f"{CHANGING}:redo", "Give back what the newest undo took, unless something was said since."),
    "rename": (
        f"{CHANGING}:rename",
        "Give a conversation a title; without one, its program's again, or one made of what was said.",
    ),
    "unarchive": (f"{CHANGING}:unarchive", "List a conversation again."),
    "undo": (f"{CHANGING}:undo", "Take back something that the user said, and all that followed."),
    "unpin": (f"{CHANGING}:unpin", "Let a conversation be pruned again."),
    "compress": (
        f"{COMPRESSING}:compress",
        "Make what a conversation's model sees shorter; all of it stays readable.",
    ),
    "restore": (
        f"{COMPRESSING}:restore",
        "Let a conversation's model see again what the latest compression left out.",
    ),
    "context": (
        f"{COMPRESSING}:context",
        "Show what makes up the window of a conversation's model, by tokens.",
    ),
    "delete": (
        "archivist.surfaces.cli.removing:delete",
        "Delete a whole conversation for good, from every file of the home.",
    ),
    "prune": (
        "archivist.surfaces.cli.removing:prune",
        "Delete conversations in which nothing has happened for a while; pinned ones stay.",
    ),
    "usage": (
        "archivist.surfaces.cli.removing:usage",
        "Show what requests used in all, deleted conversations included.",
    ),
    "compact": ("archivist.surfaces.cli.removing:compact", "Write state.db anew, without free space."),
    "export": ("archivist.surfaces.cli.exporting:export", "Write conversations to a file."),
    "list": ("archivist.surfaces.cli.conversations:list_", "Show conversations, most recently active first."),
    "search": ("archivist.surfaces.cli.conversations:search", "Search the messages of all conversations."),
    "show": ("archivist.surfaces.cli.conversations:show", "Read a conversation."),
}
"""Where each command lives, and its line in the help."""


@click.group(cls=LateGroup, table=COMMANDS)
def sessions() -> None:
    """List, show, search and keep conversations."""
