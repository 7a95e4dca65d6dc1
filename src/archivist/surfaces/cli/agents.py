"""Who types: some commands are the owner's alone, and an agent's shell is not the owner.

Programs that run commands for a model say so in the environment. It is no wall, since whoever has a shell can change that; it keeps an
agent that was told to finish its task from deciding on what it asked for itself, and what it notes by a command is judged as what it
notes by its tools.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from archivist.app.hosts.host_call import HostCall
from archivist.config import read_settings
from archivist.config.projects import project_worked_on
from archivist.records import OWNER, Scope
from archivist.records.notes import HOME_SCOPE

if TYPE_CHECKING:
    from archivist.app import Archivist

HOSTS: Final[Mapping[str, str]] = {
    "CLAUDECODE": "claude-code",
    "CODEX_SANDBOX": "codex",
    "CODEX_SANDBOX_NETWORK_DISABLED": "codex",
    "CURSOR_AGENT": "cursor",
    "GEMINI_CLI": "gemini",
    "OPENCODE": "opencode",
    "QWEN_CODE": "qwen",
    "CLINE_ACTIVE": "cline",
    "GOOSE_TERMINAL": "goose",
    "ARCHIVIST_AGENT": "archivist",
}
"""By variables that agents set for the commands that they run, what the settings call the agent."""

SIGNS: Final = tuple(HOSTS)


def asked_by(archivist: "Archivist", scope: Scope, environ: Mapping[str, str]) -> dict[str, Any]:
    """Who notes something by a command: nothing to add where its owner does, else that an agent does, where, and what led it there.

    Args:
        archivist: The home.
        scope: Whose notes are named; where none are, an agent works in the project of its folder, as it does by its tools.
        environ: The environment.
    """
    sign = _sign_in(environ)
    if sign is None:
        return {}
    host = HOSTS[sign]
    trusted = read_settings(archivist.home.config_file).host(host).trusted
    where = _here(environ) if scope == HOME_SCOPE else scope
    call = HostCall(host, "Bash", {}, environ.get("CLAUDE_CODE_SESSION_ID"), mark="archivist")
    hears = archivist.tool_context(where, call=call, trusted=trusted).turn.hears
    return {"scope": where, "origin": "agent", "heard": hears() if hears is not None else None}


def notes_come_in(environ: Mapping[str, str]) -> bool:
    """Whether what an import brings becomes notes: an agent may have been led to it, so of its imports only conversations come in."""
    sign = _sign_in(environ)
    if sign is not None:
        told = f"an agent's shell ({sign} is set): what is curated there is left out; import it in a terminal of your own"
        click.echo(f"note: {told}", err=True)
    return sign is None


def is_agents(environ: Mapping[str, str]) -> bool:
    """Whether an agent runs the command, as far as its program says so."""
    return _sign_in(environ) is not None


def refuse_agents(environ: Mapping[str, str], what: str) -> None:
    """Do nothing, unless an agent runs the command.

    Args:
        environ: The environment.
        what: What is the owner's alone.

    Raises:
        click.ClickException: It does.
    """
    found = _sign_in(environ)
    if found is not None:
        raise click.ClickException(
            f"{what} is the owner's alone, and this is an agent's shell ({found} is set): do it in a terminal of your own"
        )


def _here(environ: Mapping[str, str]) -> Scope:
    try:
        return Scope(user=OWNER.user, project=project_worked_on(Path.cwd(), environ=environ))
    except OSError:  # the folder was removed
        return OWNER


def _sign_in(environ: Mapping[str, str]) -> str | None:
    return next((name for name in HOSTS if environ.get(name)), None)


__all__ = ["HOSTS", "SIGNS", "asked_by", "is_agents", "notes_come_in", "refuse_agents"]
