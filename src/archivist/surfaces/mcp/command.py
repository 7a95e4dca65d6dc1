"""`archivist mcp`: what the command line says becomes what is served to whom."""

import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Protocol

import click

from archivist.config.projects import project_named, project_worked_on
from archivist.records.scopes import OWNER, Scope
from archivist.surfaces.mcp.opened import Place
from archivist.surfaces.mcp.wire import claim_wire

VARIABLE: Final = re.compile(r"\$\{[^{}]*\}")
"""What an agent's settings have where it puts in a folder of its own: `${workspaceFolder}`."""


TELLS_PROJECT: Final = {"claude-code": "CLAUDE_PROJECT_DIR"}
"""Programs that say in the environment which folder a session is held in, wherever they start their servers."""


class Called(Protocol):
    """What the root command was given."""

    home: str | None
    profile: str | None


@click.command()
@click.option(
    "--project",
    metavar="FOLDER|KEY",
    help="The project that is worked on; else that of the working folder. / and your home folder are none.",
)
@click.option("--host", metavar="NAME", default="mcp", show_default=True, help="The program that is served.")
@click.option(
    "--host-session",
    metavar="ID",
    envvar="CLAUDE_CODE_SESSION_ID",
    help="That program's id of the session that is served; what it shows its model already is not recalled.",
)
@click.pass_obj
def mcp(call: Called, project: str | None, host: str, host_session: str | None) -> None:
    """Serve memory to an agent, as a server of the Model Context Protocol.

    It speaks on standard input and output; agents start it. `--project`, and not the model, says which project's memory is read and
    written.
    """
    if find_spec("mcp") is None:
        from archivist.app.hosts.starting import no_tools  # noqa: PLC0415 - only where they are missing

        raise click.ClickException(no_tools())
    if sys.stdin is not None and sys.stdin.isatty():
        click.echo(
            "archivist mcp: waits for requests of an agent, which starts it itself; Ctrl-D ends it", err=True
        )
    scope = Scope(user=OWNER.user, project=_project(project, host))
    place = Place(call.home, call.profile, host, scope, host_session)
    wire = claim_wire()
    from archivist.surfaces.mcp.serving import serve  # noqa: PLC0415 - the SDK takes long to load, and nothing of it may print

    serve(place, wire)


def _project(named: str | None, host: str) -> str | None:
    """The key of the project that is named, else that of the session's folder, else that of the working folder."""
    if named is not None and not named.strip():
        raise click.UsageError("--project is empty: say which project is meant, or leave it out")
    if named is not None and VARIABLE.search(named):
        told = f"{named} was not filled in, so the project is that of the working folder"
        click.echo(f"archivist mcp: {told}", err=True)
    elif named is not None:
        folder = Path(named)
        return _worked_on(folder) if _is_folder(folder) else project_named(named)
    held = os.environ.get(TELLS_PROJECT.get(host, ""), "")
    if held and _is_folder(Path(held)):
        return _worked_on(Path(held))
    try:
        return _worked_on(Path.cwd())
    except OSError:  # it was removed
        return None


def _worked_on(folder: Path) -> str | None:
    return project_worked_on(folder, environ=os.environ)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # longer than a folder's name can be
        return False
