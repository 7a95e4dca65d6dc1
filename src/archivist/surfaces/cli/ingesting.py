"""`archivist ingest`: store what is new in the transcripts of a program that is at work."""

import os
from typing import TYPE_CHECKING

import click

from archivist.surfaces.cli.calling import Call, json_option, print_json
from archivist.surfaces.cli.codes import FAILURE

if TYPE_CHECKING:
    from archivist.app.ingesting import Ingested


@click.command()
@click.argument("host", default="claude-code")
@click.option(
    "--transcript",
    metavar="PATH",
    type=click.Path(),
    help="One transcript, and those of its sub-agents.",
)
@click.option(
    "--folder",
    metavar="PATH",
    type=click.Path(),
    help="Where the host keeps its transcripts; found out where not given.",
)
@click.option(
    "--deadline", metavar="SECONDS", type=click.FloatRange(min=0), help="Begin nothing more after so long."
)
@json_option
@click.pass_obj
def ingest(call: Call, host: str, transcript: str | None, folder: str | None, deadline: float | None) -> int:
    """Store what is new in the transcripts of a program that is at work.

    HOST is the program, such as claude-code. A transcript that is as it was costs a look, one that has grown is read from where it was
    read to. Nothing is stored twice, whatever `archivist import` has brought in.
    """
    if transcript is not None and folder is not None:
        raise click.UsageError("give --transcript or --folder, not both")
    if transcript is not None and (files := _as_they_were(call, host, transcript)):
        return _show_nothing(call, host, files)
    with call.opened() as archivist:
        done = archivist.ingest(host, transcript=transcript, folder=folder, deadline=deadline)
    if call.as_json:
        print_json(done)
    else:
        _show(done)
    return FAILURE if done.notices else 0


def _as_they_were(call: Call, host: str, transcript: str) -> int:
    """How many files there are of a transcript in which a glance shows nothing new; 0 where it is not sure."""
    from time import time  # noqa: PLC0415 - `--help` needs none of it

    from archivist.app.hosts.unchanged import files_as_they_were  # noqa: PLC0415 - as above

    return files_as_they_were(call.home, call.profile, host, os.path.expanduser(transcript), time())  # noqa: PTH111 - pathlib is slow


def _show_nothing(call: Call, host: str, files: int) -> int:
    """That nothing is new, as `_show` and the JSON of an `Ingested` would say it."""
    nothing = {"host": host, "sessions": 0, "added": 0, "branched": 0, "unchanged": files}
    if call.as_json:
        print_json({**nothing, "behind": {"files": 0, "bytes": 0}, "notices": [], "flaws": {}})
    else:
        click.echo(_line(host, 0, 0, 0, files))
    return 0


def _show(done: "Ingested") -> None:
    """What was done, in a line; then what is left, and what could not be read."""
    from archivist.app.ingesting import told_of  # noqa: PLC0415 - loaded by now, and not for `--help`
    from archivist.records.counts import counted  # noqa: PLC0415 - records take their time to load
    from archivist.records.display import plain  # noqa: PLC0415 - as above

    click.echo(_line(done.host, done.added, done.sessions, done.branched, done.unchanged))
    if done.behind.files:
        click.echo(
            f"   {counted(done.behind.files, 'file')} ({done.behind.bytes / 1e6:,.1f} MB) not read yet: run it again"
        )
    if flaws := told_of(done.flaws):
        click.echo(click.style(f"   {flaws}", fg="yellow"), err=True)
    for notice in done.notices:
        click.echo(click.style(f"   {plain(notice.text)}", fg="red"), err=True)


def _line(host: str, added: int, sessions: int, branched: int, unchanged: int) -> str:
    from archivist.records.counts import counted  # noqa: PLC0415 - as above

    return (
        f"{host}  {counted(added, 'new message')} in {counted(sessions, 'session')};"
        f" {counted(branched, 'message')} moved; {counted(unchanged, 'file')} as before"
    )
