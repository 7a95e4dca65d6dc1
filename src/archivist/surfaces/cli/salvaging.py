"""`archivist salvage`: everything that can still be read of a damaged database, in a new one."""

from collections.abc import Iterator
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
        return _nothing_to_do(report)
    lost = f"{counted(report.messages_lost, 'message is', 'messages are')} lost"
    return [
        _came_back(report),
        f"{counted(report.sessions, 'session')}, {report.sessions_from_backup:,} of them from backups",
        *_damaged(report),
        lost if report.messages_lost else "no message is lost",
        f"{counted(report.damaged_pages, 'damaged page')}, {counted(report.rows_unreadable, 'row')} that cannot be read",
        *([f"the damaged files and a report are in {report.set_aside}"] if report.set_aside else []),
    ]


def _nothing_to_do(report: "SalvageReport") -> list[str]:
    known, lost = report.known_damage, report.messages_lost
    lines = [
        f"nothing{' new' if known else ''} is damaged: {counted(report.messages, 'message')}, nothing was changed"
    ]
    if known:
        lines.append(known.told_with_names)
    if lost:
        lines.append(f"{counted(lost, 'message was', 'messages were')} lost before, as a salvage said")
    return lines


def _came_back(report: "SalvageReport") -> str:
    origins = {
        "the file": report.messages_from_file,
        "its log": report.messages_from_log,
        "backups": report.messages_from_backup,
        "the spool": report.messages_from_spool,
    }
    came = ", ".join(f"{count:,} from {origin}" for origin, count in origins.items() if count)
    verb = "would come back" if report.is_trial else "came back"
    all_of_them = counted(report.messages + report.messages_from_spool, "message")
    return f"{all_of_them} {verb}: {came or 'there were none'}"


def _damaged(report: "SalvageReport") -> Iterator[str]:
    """What is not as it was."""
    if report.stand_ins:
        gone = counted(report.stand_ins, "session is", "sessions are")
        yield f"{gone} gone, with a stand-in each, in a scope that only you see"
    if report.messages_damaged:
        damaged = counted(report.messages_damaged, "message is", "messages are")
        yield f"{damaged} damaged, kept as found and marked"
    if report.proposals_from_backup:
        yield f"{counted(report.proposals_from_backup, 'proposal')} of what waits for you from backups"
    if report.proposals_lost:
        yield f"{counted(report.proposals_lost, 'proposal is', 'proposals are')} lost"
    if not report.is_review_whole:
        yield "what waited for you may be missing"
    if report.known_damage.sessions:
        sessions = counted(len(report.known_damage.sessions), "session is", "sessions are")
        yield f"{sessions} damaged, kept as found"
