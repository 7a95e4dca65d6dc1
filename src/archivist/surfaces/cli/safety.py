"""`archivist backup` and `restore`: copies of everything, and the way back."""

import os
import sys
from contextlib import suppress
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

import click

from archivist.records import EVERYTHING
from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.surfaces.cli.agents import refuse_agents
from archivist.surfaces.cli.calling import Call, json_option, print_json
from archivist.surfaces.cli.codes import FAILURE
from archivist.surfaces.cli.printing import one_line, when
from archivist.surfaces.cli.progress import progress

if TYPE_CHECKING:
    from archivist.app.backups import Backup
    from archivist.app.restoring import Restoration
    from archivist.config import Home
    from archivist.store.comparing import Difference

MOST_NAMES = 10


@click.command()
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--secrets", is_flag=True, help="Also files with credentials, such as .env.")
@click.option(
    "--keep", type=click.IntRange(1), metavar="N", help="Remove older backups there; keep N sound ones."
)
@click.option("--list", "is_list", is_flag=True, help="Show the backups that there are.")
@click.option("--check", is_flag=True, help="With --list: read every byte and prove every row.")
@json_option
@click.pass_obj
def backup(
    call: Call, path: Path | None, keep: int | None, *, secrets: bool, is_list: bool, check: bool
) -> int:
    """Copy everything into a folder of its own, and prove the copy.

    PATH is the folder to make it in; backups/ in the home where it is not given. Other programs may write meanwhile.
    """
    if is_list:
        if secrets or keep:
            raise click.UsageError("--list makes no backup: leave --secrets and --keep out")
        return _list(call, path, check=check)
    if check:
        raise click.UsageError("--check goes with --list; a backup is always proven when it is made")
    with call.opened() as archivist, progress("Backing up", unit="bytes") as show:
        made = archivist.backup(path, secrets=secrets, keep=keep, on_progress=show)
    if call.as_json:
        print_json(_as_json(made))
        return 0
    click.echo(f"{shown(str(made.path))}\n   {_amount(made)}; every row and file was read back and is sound")
    for one in made.left_out:
        click.echo(click.style(f"   left out: {shown(one)}", dim=True))
    for notice in made.notices:
        click.echo(click.style(f"   {shown(notice.text)}", fg="yellow"))
    for gone in made.removed:
        click.echo(click.style(f"   removed: {shown(str(gone))}", dim=True))
    return 0


def _list(call: Call, path: Path | None, *, check: bool) -> int:
    """Of a home that may be damaged: nothing in it is opened for writing."""
    from archivist.app.backups import find_backups, known_backups  # noqa: PLC0415 - `--help` opens nothing

    home, place = call.place, _absolute(path)
    found = known_backups(home, check=check) if place is None else find_backups(place, home, check=check)
    if call.as_json:
        print_json({"backups": [_as_json(one) for one in found]})
    elif not found:
        click.echo("no backups here: `archivist backup` makes one", err=True)
    else:
        for one in found:
            for line in _listed(one, _zone_of(home), is_checked=check):
                click.echo(line)
    return 0 if all(one.is_sound for one in found) else FAILURE


@click.command()
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@click.option("--yes", "-y", is_flag=True, help="Do it without asking.")
@json_option
@click.pass_obj
def restore(call: Call, path: Path | None, *, dry_run: bool, yes: bool) -> int:
    """Go back to a backup; the present state is set aside and can be restored itself.

    PATH is a backup, or a folder of backups, of which the newest sound one is taken. Without it the newest of this home's backups is
    taken. It is checked whole first, then what would change is shown; nothing is done without a yes.
    """
    from archivist.app.restoring import plan_restore  # noqa: PLC0415 - `--help` opens nothing

    if not dry_run:
        refuse_agents(os.environ, "to go back to a backup, with whatever notes are in it,")
    home, place = call.place, _absolute(path)
    with progress("Checking the backup", unit="bytes") as show:
        plan = plan_restore(home, place, on_progress=show)
    if not call.as_json:
        for line in _plan_lines(plan, _zone_of(home)):
            click.echo(line)
    if dry_run or not (yes or _agreed(call)):
        if call.as_json:
            print_json(_plan_as_json(plan))
        elif not dry_run:
            click.echo("nothing was changed: --yes does it", err=True)
        return 0 if dry_run else FAILURE
    return _do_restore(call, home, plan)


def _do_restore(call: Call, home: "Home", plan: "Restoration") -> int:
    from archivist.app.restoring import restore as restore_home  # noqa: PLC0415 - as above
    from archivist.app.world import real_world  # noqa: PLC0415 - `--help` needs none

    with progress("Restoring", unit="bytes") as show:
        done = restore_home(home, plan, world=real_world(), on_progress=show)
    with call.opened() as archivist:  # takes in what waits in the spool
        counts = archivist.counts(EVERYTHING)
    if call.as_json:
        print_json({**_plan_as_json(done), "counts": counts})
        return 0
    click.echo(
        f"restored: {counted(counts['messages'], 'message')} in {counted(counts['conversations'], 'conversation')}"
    )
    if done.set_aside:
        click.echo(f"   what was here before: {shown(str(done.set_aside))}")
    else:
        click.echo("   nothing was here before")
    if done.erased_again:
        click.echo(
            f"   {counted(done.erased_again, 'session that was', 'sessions that were')} deleted since the backup: still deleted"
        )
    for path in done.texts_not_placed:
        click.echo(f"   a text file that could not be exchanged, see what holds it: {shown(str(path))}")
    for payload in done.payloads_set_aside:
        click.echo(f"   messages that waited for a session that is not here any more: {shown(str(payload))}")
    return 0


def _agreed(call: Call) -> bool:
    if call.as_json or sys.stdin is None or not sys.stdin.isatty():
        return False
    return click.confirm("Go back to it?", default=False)


# ---- what is printed ----


def shown(text: str) -> str:
    """A path or a line as a terminal can show it: the name of a file may be no text at all."""
    return plain(os.fsencode(text).decode("utf-8", "replace"))


def _listed(one: "Backup", zone: tzinfo, *, is_checked: bool) -> list[str]:
    sound = click.style("sound" if is_checked else "looks whole", fg="green")
    mark = sound if one.is_sound else click.style("DAMAGED", fg="red")
    date = when(one.made_at, zone) if one.made_at else "no date"
    lines = [f"{date}  {mark}  {_amount(one)}  {shown(str(one.path))}"]
    lines += [click.style(f"   {shown(notice.text)}", fg="yellow") for notice in one.notices]
    return lines + [click.style(f"   {shown(problem)}", fg="red") for problem in one.problems]


def _amount(one: "Backup") -> str:
    counts = ", ".join(counted(count, name.removesuffix("s")) for name, count in one.counts.items())
    return f"{counts or 'nothing known'}; {one.bytes / 1e6:,.1f} MB"


def _plan_lines(plan: "Restoration", zone: tzinfo) -> list[str]:
    backup = plan.backup
    lines = [f"damaged, passed over: {one.path}: {one.problems[0]}" for one in plan.damaged]
    date = when(backup.made_at, zone) if backup.made_at else ""
    lines += [f"backup of {date}, sound: {backup.path}", f"   {_amount(backup)}"]
    lines += [f"   {notice.text}" for notice in backup.notices]
    if plan.of_another_home:
        lines.append("   IT IS OF ANOTHER HOME: its history takes the place of the one that is here")
    if plan.present_problem:
        lines.append(f"   the present state cannot be compared: {plan.present_problem}")
    if plan.comes_back is not None and plan.goes is not None:
        lines += _difference_lines("comes back", plan.comes_back)
        lines += _difference_lines("goes (newer than the backup, or deleted from it)", plan.goes)
    if plan.reverts:
        lines.append(f"   title, pin, archive or undo goes back in {counted(plan.reverts, 'conversation')}")
    for title, names in (
        ("text files that come back", plan.texts_back),
        ("text files that change", plan.texts_changed),
        ("text files that go", plan.texts_gone),
    ):
        if names:
            more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
            lines.append(f"   {title}: {', '.join(names[:MOST_NAMES])}{more}")
    return [shown(line) for line in lines]


def _difference_lines(title: str, what: "Difference") -> list[str]:
    lines = [
        f"   {title}: {counted(what.messages, 'message')}, {counted(what.conversations, 'whole conversation')}"
    ]
    return lines + [f"      {name}  {one_line(text or '(no title)')}" for name, text in what.examples]


def _as_json(one: "Backup") -> dict[str, object]:
    return {**_fields(one), "sound": one.is_sound}


def _plan_as_json(plan: "Restoration") -> dict[str, object]:
    damaged = [_as_json(one) for one in plan.damaged]
    return {**_fields(plan), "backup": _as_json(plan.backup), "damaged": damaged}


def _fields(value: "Backup | Restoration") -> dict[str, object]:
    return {name: getattr(value, name) for name in value.__struct_fields__}


# ---- a home that need not open ----


def _absolute(path: Path | None) -> Path | None:
    return path.expanduser().absolute() if path else None


def _zone_of(home: "Home") -> tzinfo:
    from archivist.app.world import local_zone  # noqa: PLC0415 - as above
    from archivist.config import SettingsUnreadable, read_settings  # noqa: PLC0415 - as above

    with suppress(SettingsUnreadable):  # it may be what is to be restored
        return read_settings(home.config_file).zone() or local_zone()
    return local_zone()
