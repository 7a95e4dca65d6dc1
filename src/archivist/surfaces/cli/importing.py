"""`archivist import`: bring in a history, or all that is found on this machine."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.surfaces.cli.agents import notes_come_in
from archivist.surfaces.cli.calling import Call, json_option, print_json
from archivist.surfaces.cli.codes import FAILURE
from archivist.surfaces.cli.progress import progress
from archivist.surfaces.cli.upkeep import bring_up_to_date

if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.transfer import Found, ImportReport

TIDY_SECONDS = 10.0
TOGETHER = frozenset({"by_format", "left_out"})
"""Fields of a report that are told beside those of its histories."""


@click.command("import")
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--auto", is_flag=True, help="Import every history that is found on this machine.")
@click.option("--format", "format_", metavar="NAME", help="Such as claude-code; found out where not given.")
@click.option(
    "--owner",
    "owners",
    metavar="ID",
    multiple=True,
    help="An id under which you write in private chats, such as 700001; may be given several times. Then only those are you.",
)
@click.option(
    "--no-notes", is_flag=True, help="Leave out what is curated: memory files, blocks and the like."
)
@json_option
@click.pass_obj
def import_(
    call: Call, path: Path | None, format_: str | None, owners: Sequence[str], *, auto: bool, no_notes: bool
) -> int:
    """Bring in the history of other agents.

    PATH is a file or folder of it: ~/.claude, ~/.codex, ~/.hermes, ~/.openclaw, the data export of ChatGPT or Claude as it came, a Letta
    agent file, or what `archivist sessions export` wrote. Of a folder that holds several, all are imported.
    What is curated there (MEMORY.md, USER.md, memory blocks) becomes notes.
    The source is only read. Importing again brings in only what is new.
    """
    if (path is None) is not auto:
        raise click.UsageError("give a PATH, or --auto for every history on this machine (not both)")
    with_notes = not no_notes and notes_come_in(os.environ)
    with call.opened() as archivist:
        places = (
            [(path, format_)]
            if path
            else [(found.path, found.format) for found in archivist.find_histories()]
        )
        reports = [
            bring_in(archivist, place, name, owners or None, notes=with_notes) for place, name in places
        ]
        bring_up_to_date(archivist, tidy_seconds=TIDY_SECONDS)
    if call.as_json:
        each = [report_json(one) for report in reports for one in report.by_format or [report]]
        left_out = [one for report in reports for one in report.left_out]
        print_json(
            {
                "imports": each,
                "left_out": [{"path": str(one.path), "reason": one.reason} for one in left_out],
            }
        )
    else:
        for report in reports:
            show_reports(report)
        if not reports:
            click.echo("no history was found on this machine: give the PATH of one")
    return FAILURE if any(report.problems or report.is_all_damaged for report in reports) else 0


def bring_in(
    archivist: "Archivist",
    path: Path,
    format_: str | None,
    owners: Sequence[str] | None = None,
    *,
    notes: bool = True,
) -> "ImportReport":
    """Import one history under a progress bar."""
    with progress(f"Importing {path}", unit="bytes") as show:
        return archivist.import_history(
            path, format_, owners=owners, notes=notes, on_progress=lambda at: show(at.bytes_done, at.bytes)
        )


def show_reports(report: "ImportReport") -> None:
    """What an import did, history by history, and all of them together; then what was passed over."""
    for one in report.by_format or [report]:
        show_report(one)
    if report.by_format:
        click.echo(f"{len(report.by_format):,} histories together")
        _show_counts(report)
    for left in report.left_out:
        click.echo(click.style(f"passed over: {plain(str(left.path))}: {plain(left.reason)}", dim=True))


def show_report(report: "ImportReport") -> None:
    """What an import did, so that it can be added up."""
    click.echo(f"{report.format}  {plain(str(report.path))}")
    _show_counts(report)
    for reason, count in report.reasons.items():
        click.echo(click.style(f"   {count:>8,}  {plain(reason)}", dim=True))
    if report.notes_read:
        _show_notes(report)
    for notice, count in report.notices.items():
        click.echo(
            click.style(f"   note: {plain(notice)}" + (f" ({count:,} times)" if count > 1 else ""), dim=True)
        )
    for problem in report.problems:
        click.echo(click.style(f"   failed: {plain(problem.reason)}", fg="red"), err=True)


def _show_counts(report: "ImportReport") -> None:
    click.echo(
        f"   {counted(report.messages, 'new message')}; sessions: {report.sessions_new:,} new,"
        f" {report.sessions_grown:,} grown, {report.sessions_unchanged:,} unchanged"
    )
    click.echo(
        f"   {counted(report.read, 'record')} read = {report.imported:,} imported + {report.skipped:,} skipped"
    )


def _show_notes(report: "ImportReport") -> None:
    archived = report.notes - report.notes_in_core
    where = f": {report.notes_in_core:,} in the core, {archived:,} in the archive" if report.notes else ""
    it = "it" if report.notes == 1 else "them"
    undo = (
        f"; `archivist memory undo {report.notes_changes[-1]}` takes {it} back"
        if report.notes_changes
        else ""
    )
    click.echo(f"   {counted(report.notes, 'note')}{where}{undo}")
    click.echo(
        f"   {counted(report.notes_read, 'curated piece')} read = {report.notes:,} noted + {report.notes_skipped:,} skipped"
    )
    for reason, count in report.notes_reasons.items():
        click.echo(click.style(f"   {count:>8,}  {plain(reason)}", dim=True))


def report_json(report: "ImportReport") -> dict[str, object]:
    """A report in its stable form."""
    fields = {name: getattr(report, name) for name in report.__struct_fields__ if name not in TOGETHER}
    skipped = {"skipped": report.skipped, "notes_skipped": report.notes_skipped}
    return {**fields, "path": str(report.path), **skipped}


def found_line(found: "Found") -> str:
    """A history on this machine, in a line."""
    sessions = "" if found.sessions is None else f"{counted(found.sessions, 'session')}, "
    return f"{found.format}  {found.path}  ({sessions}{found.bytes / 1e6:,.1f} MB)"
