"""`archivist salvage`: everything that can still be read of a damaged database, in a new one."""

from typing import TYPE_CHECKING

import click

from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.surfaces.cli.calling import Call, json_option, print_json
from archivist.surfaces.cli.codes import FAILURE

if TYPE_CHECKING:
    from archivist.store.salvage.report import SalvageReport


@click.command()
@click.option("--dry-run", is_flag=True, help="Only say what would come back.")
@json_option
@click.pass_obj
def salvage(call: Call, *, dry_run: bool) -> int:
    """Make a damaged database anew from all that can be read of it.

    The damaged files are set aside, untouched. What is missing comes from the spool and from backups, where they have it.
    """
    with call.opened() as archivist:
        report = archivist.salvage(dry_run=dry_run)
    if call.as_json:
        print_json(report)
    else:
        for line in _lines(report):
            click.echo(plain(line))
    return 0 if report.is_whole or report.is_needless else FAILURE


def _lines(report: "SalvageReport") -> list[str]:
    if report.is_needless:
        lost = (
            [
                f"{counted(report.messages_lost, 'message was', 'messages were')} lost before, as a salvage said"
            ]
            if report.messages_lost
            else []
        )
        new = " new" if report.known_damage else ""
        known = [report.known_damage.told_with_names] if report.known_damage else []
        return [
            f"nothing{new} is damaged: {counted(report.messages, 'message')}, nothing was changed",
            *known,
            *lost,
        ]
    origins = {
        "the file": report.messages_from_file,
        "its log": report.messages_from_log,
        "backups": report.messages_from_backup,
        "the spool": report.messages_from_spool,
    }
    came = ", ".join(f"{count:,} from {origin}" for origin, count in origins.items() if count)
    verb = "would come back" if report.is_trial else "came back"
    lines = [
        f"{counted(report.messages + report.messages_from_spool, 'message')} {verb}: {came or 'there were none'}"
    ]
    lines.append(
        f"{counted(report.sessions, 'session')}, {report.sessions_from_backup:,} of them from backups"
    )
    if report.stand_ins:
        lines.append(
            f"{counted(report.stand_ins, 'session is', 'sessions are')} gone, with a stand-in each, in a scope that only you see"
        )
    if report.messages_damaged:
        lines.append(
            f"{counted(report.messages_damaged, 'message is', 'messages are')} damaged, kept as found and marked"
        )
    if report.known_damage.sessions:
        lines.append(
            f"{counted(len(report.known_damage.sessions), 'session is', 'sessions are')} damaged, kept as found"
        )
    lines.append(
        f"{counted(report.messages_lost, 'message is', 'messages are')} lost"
        if report.messages_lost
        else "no message is lost"
    )
    lines.append(
        f"{counted(report.damaged_pages, 'damaged page')}, {counted(report.rows_unreadable, 'row')} that cannot be read"
    )
    if report.set_aside:
        lines.append(f"the damaged files and a report are in {report.set_aside}")
    return lines
