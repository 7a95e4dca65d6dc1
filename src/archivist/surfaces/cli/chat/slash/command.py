"""What a command is."""

from collections.abc import Callable
from typing import NamedTuple

from archivist.surfaces.cli.chat.talk import Talk


class Command(NamedTuple):
    """A command: its name, what stands behind it, its line in the help, and what it does."""

    name: str
    arguments: str
    line: str
    run: Callable[[Talk, str], None]


NOTHING_YET = "nothing was said here yet"

__all__ = ["NOTHING_YET", "Command"]
