"""`archivist memory`: the group alone; each of its commands stands in a module that is loaded when it is called."""

import click

from archivist.surfaces.cli.late import LateGroup, Table

NOTING = "archivist.surfaces.cli.noting"
NOTES_SHOWN = "archivist.surfaces.cli.notes_shown"
NOTES_TOLD = "archivist.surfaces.cli.notes_told"
COMMANDS: Table = {
    "add": (f"{NOTING}:add", "Note something."),
    "apply": (f"{NOTING}:apply", "Do several things at once, all or none."),
    "blame": (f"{NOTES_TOLD}:blame", "Show since when an entry says what it says, and what it rests on."),
    "demote": (f"{NOTING}:demote", "Send an entry to the archive, where recall finds it."),
    "edit": (f"{NOTING}:edit", "Give a stretch of an entry other words; the rest stays."),
    "fading": (f"{NOTES_TOLD}:fading", "Show which entries would leave the core next, and why."),
    "log": (f"{NOTES_TOLD}:log", "Show what happened to the notes, the latest first."),
    "pin": (f"{NOTING}:pin", "Keep an entry in the core whatever happens."),
    "promote": (f"{NOTING}:promote", "Bring an archived entry back into the core."),
    "remove": (f"{NOTING}:remove", "Take an entry out; undo brings it back."),
    "replace": (f"{NOTING}:replace", "Give a whole entry other words."),
    "share": (f"{NOTING}:share", "Show an entry of yours to other readers too."),
    "show": (
        f"{NOTES_SHOWN}:show",
        "Show what is noted, how near the budget it is, and where the files are.",
    ),
    "split": (f"{NOTING}:split", "Make an entry of each bullet and paragraph of a plain Markdown file."),
    "undo": (f"{NOTING}:undo", "Take a change back, whole."),
    "unpin": (f"{NOTING}:unpin", "Let an entry leave the core again."),
    "unshare": (f"{NOTING}:unshare", "Show an entry to nobody else any more."),
}
"""Where each command lives, and its line in the help."""


@click.group(cls=LateGroup, table=COMMANDS)
def memory() -> None:
    """Show and change what is noted: MEMORY.md and USER.md.

    These two are the core, which every prompt carries. What leaves them goes to the archive, where recall finds it.
    """
