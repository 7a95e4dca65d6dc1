"""`archivist` without a command: find the histories on this machine, offer to import them, and talk."""

from typing import TYPE_CHECKING

import click

from archivist.records import EVERYTHING
from archivist.records.counts import counted
from archivist.surfaces.cli.calling import Call, print_json
from archivist.surfaces.cli.chatting import begin, is_person
from archivist.surfaces.cli.importing import TIDY_SECONDS, bring_in, found_line, report_json, show_report
from archivist.surfaces.cli.upkeep import bring_up_to_date

if TYPE_CHECKING:
    from archivist.app import Archivist

BEGINNINGS = (
    "No conversation is kept here yet. To begin:",
    "   `archivist import PATH` brings a history in",
    "   `archivist memory add TEXT` notes something that must hold",
    "   `archivist install claude-code` keeps what is said in Claude Code, and gives it what is noted",
)


def converse(call: Call, *, yes: bool) -> int:
    """Import on a yes, then talk; the exit code."""
    with call.opened() as archivist:
        if call.as_json:
            print_json(_import_all(archivist, yes=yes))
            return 0
        counts = _import_and_count(archivist, yes=yes)
        if not counts["messages"]:
            for line in BEGINNINGS:
                click.echo(line.replace("`archivist ", f"`{call.program} "), err=True)
        elif is_person() or yes:
            said = counted(counts["messages"], "message")
            click.echo(f"{said} in {counted(counts['conversations'], 'conversation')}.", err=True)
        return begin(call, archivist)


def _import_and_count(archivist: "Archivist", *, yes: bool) -> dict[str, int]:
    _offer_import(archivist, yes=yes)
    return archivist.counts(EVERYTHING)


def _import_all(archivist: "Archivist", *, yes: bool) -> dict[str, object]:
    found = archivist.find_histories()
    reports = [bring_in(archivist, one.path, one.format) for one in found] if yes else []
    listed = [
        {"format": f.format, "path": str(f.path), "sessions": f.sessions, "bytes": f.bytes} for f in found
    ]
    return {
        "found": listed,
        "imports": [report_json(report) for report in reports],
        "counts": archivist.counts(EVERYTHING),
    }


def _offer_import(archivist: "Archivist", *, yes: bool) -> None:
    news = [one for one in archivist.find_histories() if archivist.has_news(one)]
    if not news:
        return
    is_asked = yes or is_person()
    click.echo("Found on this machine:", err=not is_asked)
    for one in news:
        click.echo(f"   {found_line(one)}", err=not is_asked)
    if not is_asked:
        click.echo("Run `archivist --yes` to import them.", err=True)
    elif yes or click.confirm("Import what is new in them? They are only read.", default=True):
        for one in news:
            show_report(bring_in(archivist, one.path, one.format))
        bring_up_to_date(archivist, tidy_seconds=TIDY_SECONDS)
