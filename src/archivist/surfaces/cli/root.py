"""The root command: knows its commands by name and loads each only when it is called.

So that `--help` and a quick `recall` import nothing that they do not use.
"""

import gc
import os
import sys
from collections.abc import Sequence

import click

from archivist import __version__
from archivist.surfaces.cli.codes import FAILURE, INTERRUPTED
from archivist.surfaces.cli.late import LateGroup, Table

COMMANDS: Table = {
    "backup": (
        "archivist.surfaces.cli.safety:backup",
        "Copy everything into a folder of its own, and prove the copy.",
    ),
    "cache": (
        "archivist.surfaces.cli.caching:cache",
        "Show what requests shared with those before, and what it cost where they did not.",
    ),
    "chat": ("archivist.surfaces.cli.chatting:chat", "Talk with an agent that remembers."),
    "daily": (
        "archivist.surfaces.cli.days:daily",
        "Write something down for today, or show what was written down.",
    ),
    "doctor": ("archivist.surfaces.cli.upkeep:doctor", "Show what state everything is in, and what to do."),
    "guard": ("archivist.surfaces.cli.guard:guard", "See what is withheld from models, and allow it."),
    "hook": ("archivist.surfaces.hooks.command:hook", "Answer an event of Claude Code; installed hooks do."),
    "import": ("archivist.surfaces.cli.importing:import_", "Bring in the history of other agents."),
    "index": ("archivist.surfaces.cli.upkeep:index", "Bring the search index up to date, or build it anew."),
    "ingest": (
        "archivist.surfaces.cli.ingesting:ingest",
        "Store what is new in the transcripts of a program that is at work.",
    ),
    "install": ("archivist.surfaces.cli.installing:install", "Put Archivist into another program."),
    "mcp": (
        "archivist.surfaces.mcp.command:mcp",
        "Serve memory to an agent, as a server of the Model Context Protocol.",
    ),
    "memory": (
        "archivist.surfaces.cli.memory:memory",
        "Show and change what is noted: MEMORY.md and USER.md.",
    ),
    "model": ("archivist.surfaces.cli.model:model", "See and choose the model that is asked."),
    "recall": ("archivist.surfaces.cli.recalling:recall", "Ask everything that is remembered."),
    "restore": (
        "archivist.surfaces.cli.safety:restore",
        "Go back to a backup; the present state is set aside.",
    ),
    "review": ("archivist.surfaces.cli.review:review", "Decide on what waits for you."),
    "salvage": (
        "archivist.surfaces.cli.salvaging:salvage",
        "Make a damaged database anew from all that can be read of it.",
    ),
    "sessions": ("archivist.surfaces.cli.sessions:sessions", "List, show, search and keep conversations."),
    "snapshot": (
        "archivist.surfaces.cli.notes_told:snapshot",
        "Print exactly what the next session's prompt will carry of the notes.",
    ),
    "uninstall": ("archivist.surfaces.cli.installing:uninstall", "Take Archivist out of another program."),
    "verify": ("archivist.surfaces.cli.upkeep:verify", "Prove that everything is as it was stored."),
}
"""Where each command lives, and its line in the help."""

COLLECT_AFTER = 50_000
"""Objects after which cycles are looked for: loading a command makes fewer, and nothing of it is ever garbage."""


@click.group(
    cls=LateGroup,
    table=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("--home", metavar="FOLDER", help="Use this home instead of ARCHIVIST_HOME or ~/.archivist.")
@click.option("--profile", metavar="NAME", help="Use a home of its own below profiles/.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--yes", "-y", is_flag=True, help="Import what is found without asking.")
@click.version_option(__version__, prog_name="archivist")
@click.pass_context
def root(ctx: click.Context, home: str | None, profile: str | None, *, as_json: bool, yes: bool) -> int:
    """Memory that an AI agent's owner can trust.

    Without a command: finds the histories of other agents on this machine, offers to import them, and opens a conversation.
    """
    from archivist.surfaces.cli.calling import Call  # noqa: PLC0415 - `--help` opens nothing

    ctx.obj = Call(home, profile, as_json=as_json)
    if os.environ.get("NO_COLOR"):  # https://no-color.org
        ctx.color = False
    if ctx.invoked_subcommand is None:
        from archivist.surfaces.cli.asking import converse  # noqa: PLC0415 - commands do not ask

        return converse(ctx.obj, yes=yes)
    return 0


def main() -> None:
    """The program's entry."""
    gc.set_threshold(COLLECT_AFTER)
    try:
        sys.exit(run(root))
    finally:
        gc.freeze()  # the process ends: what it holds need not be gone through once more


def run(command: click.Command, arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: every expected failure becomes one line on stderr."""
    try:
        result = command.main(arguments, prog_name="archivist", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        return _refuse(error)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # the reader has seen enough; say no more at exit
        return 0
    except Exception as error:  # noqa: BLE001 - the boundary of the program: expected failures become a line, faults go on
        return _report(error)
    return result if isinstance(result, int) else 0


def _refuse(error: click.ClickException) -> int:
    """One line for misuse, and where to read how it is meant."""
    from archivist.records.display import plain  # noqa: PLC0415 - `--help` must not pay for the records

    context = getattr(error, "ctx", None)
    how = f" (see {context.command_path} --help)" if context is not None else ""
    text = " ".join(plain(error.format_message()).split())
    click.echo(f"archivist: {text.rstrip('.')}{how}", err=True)
    return error.exit_code


def _report(error: Exception) -> int:
    """One line for a failure that Archivist reports on purpose; anything else is a fault and shows where it is."""
    if isinstance(error, UnicodeEncodeError):
        click.echo("archivist: an argument is no valid text: check its characters", err=True)
        return FAILURE
    if isinstance(error, OSError):
        click.echo(
            f"archivist: {error.strerror or error}: check the disk and what the output is sent to", err=True
        )
        return FAILURE
    from archivist.records import ArchivistError  # noqa: PLC0415 - `--help` must not pay for the records
    from archivist.records.display import plain  # noqa: PLC0415 - only where something went wrong

    if not isinstance(error, ArchivistError):
        raise error
    click.echo(f"archivist: {plain(str(error))}", err=True)
    return FAILURE
