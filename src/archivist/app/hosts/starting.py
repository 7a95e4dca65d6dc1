"""The command by which another program starts Archivist: absolute, and the same from every folder and in every environment."""

import json
import shlex
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

import msgspec

from archivist.records import ArchivistError

HOOKS: Final = "archivist.surfaces.hooks"
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


def lacks_tools(python: str | None = None) -> bool:
    """Whether the server of tools cannot run, because what it needs is not installed beside Archivist.

    Args:
        python: The interpreter that starts it; this one where unset.
    """
    if python is None or python == sys.executable:
        return find_spec("mcp") is None
    try:
        ran = _ran(python, "from importlib.util import find_spec as f; raise SystemExit(f('mcp') is None)")
    except (OSError, subprocess.SubprocessError):
        return False  # that it cannot be started is told elsewhere
    return ran.returncode == 1


def no_tools(python: str | None = None) -> str:
    """What there is to do where the tools cannot run.

    Args:
        python: The interpreter that starts them; this one where unset.
    """
    words = [python or sys.executable, "-m", "pip", "install", *_installable()]
    return f"the tools cannot start: they need what is not installed; run `{shlex.join(words)}`"


def _installable() -> list[str]:
    """What pip is to install: the folder that Archivist was installed from, where it was, and else its name."""
    try:
        told = json.loads(distribution("archivist").read_text("direct_url.json") or "{}")
        folder = Path(url2pathname(urlsplit(told["url"]).path))
        is_editable = bool(told["dir_info"].get("editable"))
    except (PackageNotFoundError, ValueError, LookupError, TypeError):
        return ["archivist[mcp]"]
    if not folder.is_dir():
        return ["archivist[mcp]"]
    return [*(["-e"] if is_editable else []), f"{folder}[mcp]"]


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
    try:
        ran = _ran(found.python, f"import {HOOKS}.running")
    except (OSError, subprocess.SubprocessError) as error:
        raise NotStartable(found.python, str(error)) from error
    if ran.returncode:
        told = ran.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
        raise NotStartable(found.python, told[-1][:200])
    return found


def _ran(python: str, code: str) -> subprocess.CompletedProcess[bytes]:
    """What became of some code in an interpreter, in isolated mode and from another folder."""
    return subprocess.run(  # noqa: S603 - an interpreter of ours
        [python, "-I", "-c", code],
        cwd="/",
        env={},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TRIAL_SECONDS,
        check=False,
    )
