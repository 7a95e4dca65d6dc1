"""`archivist daily`: what happened today, written down at the end of the day's file."""

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from archivist.records import Scope
from archivist.records.display import plain
from archivist.surfaces.cli.agents import asked_by
from archivist.surfaces.cli.calling import Call, json_option, print_json
from archivist.surfaces.cli.heeding import heeded_days
from archivist.surfaces.cli.notes_told import tell_notes
from archivist.surfaces.cli.printing import INDENT
from archivist.surfaces.cli.texts import TextCommand
from archivist.surfaces.cli.whose import reader_in, whose, whose_options

if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.app.days import DayEntry


@click.command(cls=TextCommand)
@click.argument("text", nargs=-1)
@click.option("--day", metavar="DAY", help="Show this day's notes: 2026-03-01, yesterday, 昨天.")
@click.option("--days", is_flag=True, help="Show which days have notes.")
@whose_options
@json_option
@click.pass_obj
def daily(call: Call, text: Sequence[str], day: str | None, *, days: bool, scope: Scope) -> None:
    """Write something down for today, or show what was written down.

    TEXT is added to today's file, which only grows; without it, today's notes are shown.
    """
    if (bool(text), day is not None, days).count(True) > 1:
        raise click.UsageError("give a text for today, or --day, or --days")
    with call.opened() as archivist:
        if text:
            _add(call, archivist, " ".join(text), scope)
        elif days:
            _show_days(call, archivist, scope)
        else:
            _show(call, archivist, day, scope)


def _add(call: Call, archivist: "Archivist", text: str, scope: Scope) -> None:
    text.encode()  # what is no text is refused, as everywhere, and not mended in silence
    added = archivist.daily.add(text, **{"scope": scope} | asked_by(archivist, scope, os.environ))
    tell_notes(call, added.notices)
    if call.as_json:
        print_json(added)
        return
    if added.proposal is not None:
        click.echo(
            f"nothing was written down: it waits for you ({call.program} review show {added.proposal})"
        )
        return
    what = "noted" if added.added else "stands there already"
    left_out = "; what stands there already was left out" if added.added and added.repeated else ""
    click.echo(f"{added.day} {added.clock or ''}  {what}{left_out}")


def _show_days(call: Call, archivist: "Archivist", scope: Scope) -> None:
    found = archivist.daily.days(scope=reader_in(scope))
    if call.as_json:
        print_json(found)
    else:
        click.echo("\n".join(map(str, found)) or "no day has notes yet")


def _show(call: Call, archivist: "Archivist", day: str | None, scope: Scope) -> None:
    wanted = archivist.read_time(day).astimezone(archivist.zone).date() if day is not None else None
    entries = heeded_days(archivist, archivist.daily.read(wanted, scope=reader_in(scope)))
    if call.as_json:
        print_json(entries)
        return
    for entry in entries:
        for line in _entry_lines(entry):
            click.echo(line)
    if not entries:
        click.echo("nothing was written down that day")


def _entry_lines(entry: "DayEntry") -> Iterator[str]:
    name = whose(entry.scope)
    if entry.clock or name:
        yield click.style(f"{entry.clock or '     '}{f'  {name}' if name else ''}", dim=True)
    yield from (f"{INDENT}{line}" for line in plain(entry.text).splitlines())
