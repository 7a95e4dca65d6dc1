"""`archivist mcp`: what the command line says becomes what is served to whom."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import click

from archivist.config.projects import project_named, project_worked_on
from archivist.records.scopes import OWNER, Scope
from archivist.surfaces.mcp.opened import Place
from archivist.surfaces.mcp.wire import claim_wire


class Called(Protocol):
    """What the root command was given."""

    home: str | None
    profile: str | None


@click.command()
@click.option(
    "--project",
    metavar="FOLDER|KEY",
    help="The project that is worked on; else that of the working folder, unless it is / or your home folder.",
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
    scope = Scope(user=OWNER.user, project=_project(project))
    place = Place(call.home, call.profile, host, scope, host_session)
    wire = claim_wire()
    from archivist.surfaces.mcp.serving import serve  # noqa: PLC0415 - the SDK takes long to load, and nothing of it may print

    serve(place, wire)


def _project(named: str | None) -> str | None:
    """The key of the project that is named, or that of the working folder."""
    if named is not None:
        if not named.strip():
            raise click.UsageError("--project is empty: say which project is meant, or leave it out")
        return project_named(named)
    try:
        folder = Path.cwd()
    except OSError:  # it was removed
        return None
    return project_worked_on(folder, environ=os.environ)
