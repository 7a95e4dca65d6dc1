"""Who types: some commands are the owner's alone, and an agent's shell is not the owner.

Programs that run commands for a model say so in the environment. It is no wall, since whoever has a shell can change that; it keeps an
agent that was told to finish its task from deciding on what it asked for itself.
"""

from collections.abc import Mapping
from typing import Final

import click

SIGNS: Final = (
    "CLAUDECODE",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "OPENCODE",
    "QWEN_CODE",
    "CLINE_ACTIVE",
    "GOOSE_TERMINAL",
)
"""Variables that agents set for the commands that they run."""


def refuse_agents(environ: Mapping[str, str], what: str) -> None:
    """Do nothing, unless an agent runs the command.

    Args:
        environ: The environment.
        what: What is the owner's alone.

    Raises:
        click.ClickException: It does.
    """
    found = next((name for name in SIGNS if environ.get(name)), None)
    if found is not None:
        raise click.ClickException(
            f"{what} is the owner's alone, and this is an agent's shell ({found} is set): do it in a terminal of your own"
        )


__all__ = ["SIGNS", "refuse_agents"]
