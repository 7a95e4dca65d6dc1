"""`archivist ingest`: store what is new in the transcripts of a program that is at work."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.surfaces.cli.calling import Call, json_option, print_json
from archivist.surfaces.cli.codes import FAILURE

if TYPE_CHECKING:
    from archivist.app.ingesting import Ingested


@click.command()
@click.argument("host", default="claude-code")
@click.option(
    "--transcript",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="One transcript, and those of its sub-agents.",
)
@click.option(
    "--folder",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Where the host keeps its transcripts; found out where not given.",
)
@click.option(
    "--deadline", metavar="SECONDS", type=click.FloatRange(min=0), help="Begin nothing more after so long."
)
@json_option
@click.pass_obj
def ingest(
    call: Call, host: str, transcript: Path | None, folder: Path | None, deadline: float | None
) -> int:
    """Store what is new in the transcripts of a program that is at work.

    HOST is the program, such as claude-code. A transcript that is as it was costs a look, one that has grown is read from where it was
    read to. Nothing is stored twice, whatever `archivist import` has brought in.
    """
    if transcript is not None and folder is not None:
        raise click.UsageError("give --transcript or --folder, not both")
    with call.opened() as archivist:
        done = archivist.ingest(host, transcript=transcript, folder=folder, deadline=deadline)
    if call.as_json:
        print_json(done)
    else:
        _show(done)
    return FAILURE if done.notices else 0


def _show(done: "Ingested") -> None:
    """What was done, in a line; then what is left, and what could not be read."""
    click.echo(
        f"{done.host}  {counted(done.added, 'new message')} in {counted(done.sessions, 'session')};"
        f" {counted(done.branched, 'message')} moved; {counted(done.unchanged, 'file')} as before"
    )
    if done.behind.files:
        click.echo(
            f"   {counted(done.behind.files, 'file')} ({done.behind.bytes / 1e6:,.1f} MB) not read yet: run it again"
        )
    for notice in done.notices:
        click.echo(click.style(f"   {plain(notice.text)}", fg="red"), err=True)
