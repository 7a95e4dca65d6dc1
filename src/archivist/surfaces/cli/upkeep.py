"""`archivist doctor`, `verify` and `index`: what state everything is in, and how to mend it."""

from typing import TYPE_CHECKING

import click

from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.surfaces.cli.calling import Call, json_option, print_json, tell, working_folder
from archivist.surfaces.cli.codes import FAILURE
from archivist.surfaces.cli.progress import progress

if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.store.index.search_index import Coverage
    from archivist.store.verifying import Verification

STEP_SECONDS = 1.0
TIDY_SECONDS = 60.0
MARKS = {"ok": ("ok", "green"), "warning": ("!!", "yellow"), "failure": ("no", "red")}


def bring_up_to_date(archivist: "Archivist", *, tidy_seconds: float) -> "Coverage":
    """Index everything under a progress bar, then tidy for at most that long."""
    with progress("Indexing", unit="messages") as show:
        coverage, done = archivist.catch_up(STEP_SECONDS), -1
        while not coverage.complete and coverage.documents_done != done:
            done = coverage.documents_done
            show(done, done + coverage.documents_waiting)
            coverage = archivist.catch_up(STEP_SECONDS)
        if coverage.complete:
            archivist.tidy(tidy_seconds)
    return coverage


@click.command()
@json_option
@click.pass_obj
def doctor(call: Call) -> int:
    """Show what state everything is in, and what to do about what is wrong."""
    with call.opened() as archivist:
        checkup = archivist.doctor(working_folder())
    if call.as_json:
        print_json({"healthy": checkup.is_healthy, "findings": checkup.findings})
    else:
        for finding in checkup.findings:
            mark, colour = MARKS[finding.verdict]
            click.echo(f"{click.style(mark, fg=colour)}  {finding.subject:<12} {finding.text}")
    return 0 if checkup.is_healthy else FAILURE


@click.command()
@click.option("--absent", metavar="TEXT", help="Prove instead that this text is in no file of the home.")
@json_option
@click.pass_obj
def verify(call: Call, absent: str | None) -> int:
    """Prove that everything is as it was stored: reads every row and derives its hash again."""
    if absent is not None:
        return _verify_absence(call, absent)
    with call.opened() as archivist, progress("Verifying", unit="messages") as show:
        found = archivist.verify(on_progress=lambda done: show(done, None))
    if call.as_json:
        print_json(
            {"clean": found.is_clean, **{name: getattr(found, name) for name in found.__struct_fields__}}
        )
    else:
        click.echo(
            f"{counted(found.messages, 'message')}, {counted(found.sessions, 'session')}, {counted(found.blobs, 'blob')} read"
        )
        for problem in (*found.problems, *found.index_faults):
            click.echo(click.style(problem, fg="red"))
        if found.known_losses:
            click.echo(
                f"{counted(found.known_losses, 'message was', 'messages were')} lost before, as a salvage said"
            )
        if found.known_damage:
            click.echo(plain(found.known_damage.told))
        if found.begun_anew:
            click.echo(found.begun_anew)
        click.echo(_verdict(found))
    return 0 if found.is_clean else FAILURE


def _verdict(found: "Verification") -> str:
    if found.index_faults:
        return "run `archivist index --rebuild`"
    if not found.is_clean:
        return "run `archivist salvage` or restore a backup"
    is_known = found.known_losses or found.known_damage
    return "everything else is as it was stored" if is_known else "everything is as it was stored"


def _verify_absence(call: Call, text: str) -> int:
    with call.opened() as archivist, progress("Reading", unit="bytes") as show:
        found = archivist.verify(absent=text, on_progress=lambda done: show(done, None))
    if call.as_json:
        print_json(
            {"absent": found.is_absent, "places": found.places, "files": found.files, "bytes": found.bytes}
        )
    else:
        click.echo(f"{counted(found.files, 'file')}, {found.bytes / 1e6:,.1f} MB read")
        for place in found.places:
            click.echo(click.style(plain(place), fg="red"))
        click.echo("the text is nowhere" if found.is_absent else "the text is still there")
    return 0 if found.is_absent else FAILURE


@click.command()
@click.option("--rebuild", is_flag=True, help="Throw the index away and build it anew.")
@json_option
@click.pass_obj
def index(call: Call, *, rebuild: bool) -> int:
    """Bring the search index up to date.

    Searching does so by itself in small steps; this does all of it at once.
    """
    with call.opened() as archivist:
        if rebuild:
            archivist.rebuild_index()
        coverage = bring_up_to_date(archivist, tidy_seconds=TIDY_SECONDS)
    if call.as_json:
        print_json(coverage)
    else:
        tell(coverage.notices)
        click.echo(
            f"{counted(coverage.documents_done, 'message')} indexed, {coverage.documents_waiting:,} waiting"
        )
    return 0 if coverage.complete else FAILURE
