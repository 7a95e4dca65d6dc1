"""`archivist sessions export`: conversations as JSON, JSONL or Markdown."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

import click

from archivist.records import EVERYTHING
from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.surfaces.cli.calling import Call, json_option, print_json, tell
from archivist.surfaces.cli.recalling import time_options

if TYPE_CHECKING:
    from archivist.app.exporting import ExportReport


@click.command()
@click.argument("conversations", nargs=-1, metavar="[CONVERSATION]...")
@click.option("--all", "everything", is_flag=True, help="Every conversation.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(("jsonl", "json", "markdown")),
    help="What the file's name ends in where not given, else jsonl.",
)
@click.option("--output", "-o", default="-", metavar="FILE", help="Where to write; - is the standard output.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.option("--source", help="Only those begun in this program, such as claude-code.")
@click.option("--no-archived", is_flag=True, help="Leave out those that were put away.")
@time_options
@json_option
@click.pass_obj
def export(
    call: Call,
    conversations: tuple[str, ...],
    format_: str | None,
    output: str,
    source: str | None,
    since: str | None,
    until: str | None,
    *,
    everything: bool,
    force: bool,
    no_archived: bool,
) -> None:
    """Write conversations to a file.

    Each is written whole: all of its sessions, what was compacted, undone or left for another path included. `archivist import` reads all
    three formats back.
    """
    if bool(conversations) is everything:
        raise click.UsageError("name a CONVERSATION, or give --all for every one (not both)")
    target = _stream() if output == "-" else Path(output)
    with call.opened() as archivist:
        report = archivist.sessions.export(
            conversations or None,
            target,
            format_,
            scope=EVERYTHING,
            archived=not no_archived,
            source=source,
            since=since,
            until=until,
            replace=force,
        )
    tell(report.notices)
    if output != "-":
        _show(call, report)


def _show(call: Call, report: "ExportReport") -> None:
    if call.as_json:
        print_json(report)
        return
    conversations, sessions = (
        counted(report.conversations, "conversation"),
        counted(report.sessions, "session"),
    )
    counts = f"{conversations}, {sessions}, {counted(report.messages, 'message')}"
    click.echo(f"{counts}, {report.bytes / 1e6:,.1f} MB  {plain(str(report.path))}")


def _stream() -> BinaryIO:
    """The standard output; on a terminal, stored words must not be able to steer it.

    Raises:
        UsageError: It is closed.
    """
    if sys.stdout is None:
        raise click.UsageError("the standard output is closed: give -o FILE")
    return cast("BinaryIO", _Terminal()) if sys.stdout.isatty() else sys.stdout.buffer


class _Terminal:
    """Takes the bytes of an export and shows them as text without control characters."""

    def write(self, piece: bytes) -> int:
        """Show a piece, which is whole lines."""
        click.echo(plain(piece.decode("utf-8")), nl=False)
        return len(piece)
