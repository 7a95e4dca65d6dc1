"""`archivist install` and `uninstall`: Archivist put into other programs, and taken out again."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.surfaces.cli.calling import Call, json_option, print_json, working_folder

if TYPE_CHECKING:
    from archivist.app.hosts.claude_code.installing import Installed, Places

_NOWHERE = {
    "user": "nothing of Archivist's is there for all projects",
    "project": "nothing of Archivist's is there in this project",
}
MARKS = {"written": "+", "changed": "~", "removed": "-", "unchanged": "="}

scope_option = click.option(
    "--scope",
    type=click.Choice(["user", "project"]),
    default="user",
    show_default=True,
    help="user: all projects. project: only the one in this folder.",
)
dry_run_option = click.option("--dry-run", is_flag=True, help="Only say what would be done.")


@click.group()
def install() -> None:
    """Put Archivist into another program."""


@click.group()
def uninstall() -> None:
    """Take Archivist out of another program; nothing that is remembered goes."""


@install.command("claude-code")
@scope_option
@dry_run_option
@json_option
@click.pass_obj
def install_claude_code(call: Call, scope: str, *, dry_run: bool) -> None:
    """Hooks, tools and a skill for Claude Code."""
    from archivist.app.hosts.claude_code.installing import install as put_in  # noqa: PLC0415 - `--help` needs none of it
    from archivist.app.hosts.starting import lacks_tools, no_tools, starting  # noqa: PLC0415 - as above

    done = put_in(_places(scope), starting(_options(call)), dry_run=dry_run)
    done = replace(done, notices=(*done.notices, *_from_before(call)))
    if lacks_tools():
        done = replace(done, notices=(*done.notices, no_tools()))
    _show(call, done)
    if not call.as_json and not dry_run:
        click.echo("Claude Code uses it from its next session on. `archivist doctor` says whether it does.")


@uninstall.command("claude-code")
@scope_option
@dry_run_option
@json_option
@click.pass_obj
def uninstall_claude_code(call: Call, scope: str, *, dry_run: bool) -> None:
    """Take hooks, tools and skill out of Claude Code."""
    from archivist.app.hosts.claude_code.installing import uninstall as take_out  # noqa: PLC0415 - as above

    _show(call, take_out(_places(scope), dry_run=dry_run), _NOWHERE[scope])


@install.command("mcp")
@click.option("--print", "is_printed", is_flag=True, help="Print the lines; nothing is changed in any case.")
@click.option("--client", metavar="NAME", help="Only for this client.")
@json_option
@click.pass_obj
def install_mcp(call: Call, *, is_printed: bool, client: str | None) -> None:
    """The lines that tell a client of the Model Context Protocol of Archivist."""
    from archivist.app.hosts.host_call import CLAUDE_CODE  # noqa: PLC0415 - `--help` needs none of it
    from archivist.app.hosts.mcp_clients import CLIENTS, OTHER  # noqa: PLC0415 - as above
    from archivist.app.hosts.starting import lacks_tools, no_tools, starting  # noqa: PLC0415 - as above

    if not is_printed:
        raise click.UsageError("add --print: the lines are printed, and you put them into your client's file")
    if client is not None and client not in CLIENTS:
        raise click.UsageError(
            f"no client {client!r} is known here: use one of {', '.join(CLIENTS)}, or none"
        )
    how = starting(_options(call))
    chosen = {client: CLIENTS[client]} if client else {**CLIENTS, "mcp": OTHER}
    lines = {name: one.lines(how.command("mcp", "--host", name)) for name, one in chosen.items()}
    if lacks_tools():
        click.echo(f"note: {no_tools()}", err=True)
    if call.as_json:
        told = [
            {"client": name, "title": one.title, "place": one.place, "lines": lines[name]}
            for name, one in chosen.items()
        ]
        print_json({"clients": told})
        return
    settings = call.place.config_file
    for name, one in chosen.items():
        click.echo(click.style(f"# {one.title}: {one.place}", bold=True))
        if name != CLAUDE_CODE:  # whose transcripts say what led to a note
            click.echo(_how_to_trust(name, settings))
        click.echo(lines[name])


def _how_to_trust(client: str, settings: Path) -> str:
    return (
        f"# What it notes waits for you; to trust it, write [hosts.{client}] and below it trusted = true"
        f" into {plain(str(settings))}"
    )


def _places(scope: str) -> "Places":
    from archivist.app.hosts.claude_code.installing import Places, config_folder  # noqa: PLC0415 - as above

    config = config_folder(os.environ)
    return Places(config, project=Path.cwd()) if scope == "project" else Places(config, here=working_folder())


def _from_before(call: Call) -> list[str]:
    """What was said before Archivist came, where it has kept nothing yet."""
    from archivist.transfer.claude_code.files import projects_folder, session_paths  # noqa: PLC0415 - as above

    folder = projects_folder(Path.home(), os.environ)
    if call.place.state_file.exists() or not folder.is_dir():
        return []
    found = session_paths(folder)
    there = counted(len(found), "transcript is", "transcripts are")
    told = f"{there} from before: `{call.program} ingest` stores what was said there"
    return [told] if found else []


def _options(call: Call) -> list[str]:
    """The home that is meant, as it must be said where this environment is not known; none where it is the usual one."""
    home, profile = (
        call.home or os.environ.get("ARCHIVIST_HOME"),
        call.profile or os.environ.get("ARCHIVIST_PROFILE"),
    )
    told = ["--home", str(Path(home).expanduser().absolute())] if home else []
    return [*told, "--profile", profile] if profile else told


def _show(call: Call, done: "Installed", nothing: str = "") -> None:
    if call.as_json:
        print_json(_as_json(done))
        return
    for change in done.changes:
        word = change.done if not done.dry_run or change.done == "unchanged" else f"would be {change.done}"
        click.echo(f"{MARKS[change.done]} {plain(str(change.path))} ({word})")
    if not done.changes:
        click.echo(nothing)
    for notice in done.notices:
        click.echo(f"note: {plain(notice)}")


def _as_json(done: "Installed") -> dict[str, Any]:
    changes = [{"path": change.path, "done": change.done, "kept": change.kept} for change in done.changes]
    return {"changed": done.is_changed, "dry_run": done.dry_run, "changes": changes, "notices": done.notices}
