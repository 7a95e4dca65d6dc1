"""The table of commands, and how a line that was typed is told to be one."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from textwrap import wrap
from typing import Final

import click

from archivist.surfaces.cli.chat.slash import (
    approving,
    compressing,
    context,
    cost,
    ending,
    memory,
    model,
    recalling,
    sessions,
    status,
    tools,
    undoing,
)
from archivist.surfaces.cli.chat.slash.command import Command
from archivist.surfaces.cli.chat.talk import Talk

_NARROW: Final = 30
"""Columns that what a command does needs at least to stand beside it."""
_WORD: Final = re.compile(r"/([^\s/]*)(?:\s+(.*))?\Z", re.DOTALL)


def _help(talk: Talk, _arguments: str) -> None:
    talk.screen.lines(line for one in COMMANDS.values() for line in helped(one, talk.screen.columns))
    talk.screen.lines([
        "",
        "A line that ends with \\ goes on in the next; \"\"\" begins and ends a block of lines.",
        "Ctrl-C stops the turn that runs. Anything else is said to the agent.",
    ])  # fmt: skip


def helped(one: Command, columns: int) -> list[str]:
    """A command's lines in the help: beside it what it does, below it where the window is narrow."""
    wide = max(len(_called(other)) for other in COMMANDS.values()) + 4
    if columns - wide < _NARROW:
        return [
            f"  {_called(one)}",
            *wrap(one.line, columns, initial_indent=" " * 6, subsequent_indent=" " * 6),
        ]
    first, *more = wrap(one.line, columns - wide)
    return [f"  {_called(one):<{wide - 2}}{first}", *(" " * wide + line for line in more)]


COMMANDS: Final[dict[str, Command]] = {
    one.name: one
    for one in (
        Command("help", "", "Show these commands.", _help),
        memory.MEMORY,
        recalling.RECALL,
        context.CONTEXT,
        compressing.COMPRESS,
        cost.COST,
        undoing.UNDO,
        undoing.REDO,
        sessions.NEW,
        sessions.RESUME,
        sessions.TITLE,
        model.MODEL,
        status.STATUS,
        tools.TOOLS,
        approving.APPROVE,
        ending.QUIT,
    )
}
_OTHER_NAMES: Final = {"exit": "quit", "q": "quit", "?": "help"}


def is_command(line: str) -> bool:
    """Whether a line is meant as a command: a path such as /usr/bin is text, and so is what begins with two slashes."""
    found = _WORD.match(line)
    if found is None:
        return False
    name = found[1]
    return bool(name) and (name in COMMANDS or name in _OTHER_NAMES or not _is_path(f"/{name}"))


def find(line: str) -> tuple[Command, str]:
    """The command that a line names, and what stands behind it.

    Raises:
        click.UsageError: There is none of that name.
    """
    found = _WORD.match(line)
    name, arguments = (found[1], found[2] or "") if found else (line, "")
    name = _OTHER_NAMES.get(name, name)
    if name not in COMMANDS:
        begun = [one for one in COMMANDS if one.startswith(name)]
        near = begun or get_close_matches(name, COMMANDS, n=2)
        raise click.UsageError(_unknown(name, near))
    return COMMANDS[name], arguments.strip()


def completions(begun: str) -> list[str]:
    """The commands that a line may go on to."""
    return [f"/{name}" for name in COMMANDS if begun.startswith("/") and name.startswith(begun[1:])]


def _unknown(name: str, near: Sequence[str]) -> str:
    meant = f"did you mean {' or '.join(f'/{one}' for one in near)}?" if near else "/help shows all"
    return f"there is no command /{name[:40]}: {meant} (a text that begins so is typed with two slashes)"


def _called(one: Command) -> str:
    return f"/{one.name} {one.arguments}".rstrip()


def _is_path(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):
        return False


__all__ = ["COMMANDS", "completions", "find", "helped", "is_command"]
