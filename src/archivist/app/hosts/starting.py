"""The command by which another program starts Archivist: absolute, and the same from every folder and in every environment."""

import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

import msgspec

from archivist.records import ArchivistError

HOOKS: Final = "archivist.surfaces.hooks"
NO_TOOLS: Final = "the tools need what is not installed yet: run `pip install 'archivist[mcp]'`"
COMMANDS: Final = "archivist.surfaces.cli"
TRIAL_SECONDS: Final = 30.0


class NotStartable(ArchivistError):
    """This Python cannot start Archivist from another folder."""

    def __init__(self, python: str, reason: str) -> None:
        self.python = python
        super().__init__(
            f"{python} cannot start archivist from another folder ({reason}): install it with `pip install archivist`, then run this again"
        )


class Starting(msgspec.Struct, frozen=True):
    """How Archivist is started.

    Attributes:
        python: The interpreter in which it is installed, absolute.
        options: Which home is meant, as on the command line.
    """

    python: str
    options: tuple[str, ...] = ()

    def hook(self, event: str) -> list[str]:
        """The command of a hook."""
        return [self.python, "-I", "-m", HOOKS, event, *self.options]

    def command(self, *words: str) -> list[str]:
        """Any other command."""
        return [self.python, "-I", "-m", COMMANDS, *self.options, *words]


def lacks_tools() -> bool:
    """Whether the server of tools cannot run, because what it needs is not installed beside Archivist."""
    return find_spec("mcp") is None


def starting(options: Sequence[str], python: str | None = None) -> Starting:
    """How Archivist is started from here, tried out once.

    In isolated mode: neither the folder of a session nor its environment may say what is imported.

    Args:
        options: Which home is meant.
        python: The interpreter; this one where unset.

    Raises:
        NotStartable: It cannot be.
    """
    found = Starting(python or sys.executable, tuple(options))
    trial = [found.python, "-I", "-c", f"import {HOOKS}.running"]
    try:
        ran = subprocess.run(  # noqa: S603 - our own interpreter
            trial,
            cwd="/",
            env={},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TRIAL_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise NotStartable(found.python, str(error)) from error
    if ran.returncode:
        told = ran.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
        raise NotStartable(found.python, told[-1][:200])
    return found
