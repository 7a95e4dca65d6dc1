"""`archivist memory log`, `blame`, `fading`, and `archivist snapshot`: what happened to the notes, and what prompts carry of them."""

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

import click

from archivist.records import EVERYTHING, OWNER, ArchivistError, Notice, Scope
from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.records.notes import HOME_SCOPE, Target
from archivist.surfaces.cli.calling import (
    Call,
    command_on,
    json_option,
    print_json,
    tell,
    working_folder,
)
from archivist.surfaces.cli.heeding import heeded_blame, heeded_log
from archivist.surfaces.cli.printing import INDENT, one_line, when
from archivist.surfaces.cli.whose import reader_options

if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.notes.telling import Blame, LogLine
    from archivist.prompt.layers import Prompt
    from archivist.records.notes import Entry, SnapshotReport

TARGETS = click.Choice(["memory", "user"])
MOST_LEFT_OUT = 10
"""Lines of what a prompt leaves out; all of it stands in the JSON."""
LEFT_OUT_CHARS = 60
HAPPENED = {"add": "+", "gone": "-", "text": "~", "move": ">", "mark": "*"}


@click.command()
@click.argument("entry", required=False)
@click.option(
    "--limit",
    "-n",
    default=20,
    show_default=True,
    type=click.IntRange(1, 100_000),
    help="How many things that happened.",
)
@json_option
@click.pass_obj
def log(call: Call, entry: str | None, limit: int) -> None:
    """Show what happened to the notes, the latest first.

    ENTRY: only to this one.
    """
    with call.opened() as archivist:
        if entry is not None:
            archivist.notes.entry(
                entry, scope=EVERYTHING
            )  # an id that never was is a mistake, not an empty history
        lines = heeded_log(archivist.notes.log(entry, scope=EVERYTHING))
        notices = archivist.notes.take_notices()
        if call.as_json:
            print_json(lines[:limit])
            return
        tell_notes(call, notices)
        for line in lines[:limit]:
            for text in _log_lines(line, archivist.zone):
                click.echo(text)
        for hint in _log_hints(call, lines, limit):
            click.echo(click.style(hint, dim=True))


@command_on("entry")
def blame(call: Call, entry: str) -> None:
    """Show since when an entry says what it says, and what it rests on."""
    with call.opened() as archivist:
        found = heeded_blame(archivist, archivist.notes.blame(entry, scope=EVERYTHING))
        if call.as_json:
            print_json(found)
        else:
            for line in _blame_lines(found, archivist.zone, call.program):
                click.echo(line)
        keep_opened(archivist, found.entry)


@click.command()
@click.option("--target", type=TARGETS, help="Only one of the two files.")
@json_option
@click.pass_obj
def fading(call: Call, target: Target | None) -> None:
    """Show which entries would leave the core next, and why.

    The core is what every prompt carries, MEMORY.md and USER.md; what leaves it goes to the archive, where recall finds it.
    """
    with call.opened() as archivist:
        ranked = archivist.notes.fading(target, scope=EVERYTHING)
        if call.as_json:
            print_json(ranked)
            return
        for number, one in enumerate(ranked, 1):
            stays = f" · {one.protected}" if one.protected else ""
            share = f"{one.ahead:.0%} remembered in 30 days"
            click.echo(f"{number:>3}. {one.entry.id} {one.entry.target:<6} {share}, {one.reason}{stays}")
            click.echo(f"     {one_line(one.entry.text)}")
        if not ranked:
            click.echo("nothing is noted")


@click.command()
@click.option(
    "--session",
    metavar="ID",
    help="What this session was given, not what the next one would be; by its id or its program's, or the beginning of one.",
)
@click.option(
    "--prompt",
    "whole",
    is_flag=True,
    help="The whole prompt of an agent's session that begins here now: who it is, the notes, what the project says.",
)
@click.option("--model", metavar="NAME", help="With --prompt: who answers, where another does than is set.")
@click.option(
    "--window",
    metavar="TOKENS",
    type=click.IntRange(1, 100_000_000),
    help="With --prompt: of the model, which decides how much of a project's files has room.",
)
@reader_options
@json_option
@click.pass_obj
def snapshot(
    call: Call, session: str | None, model: str | None, window: int | None, *, whole: bool, scope: Scope
) -> None:
    """Print exactly what the next session's prompt will carry of the notes."""
    with call.opened() as archivist:
        if whole and session is not None:
            _tell_given_prompt(call, archivist, session)
        elif whole:
            _tell_prompt(call, archivist, scope, model, window)
        else:
            _tell_snapshot(call, archivist, session, scope)


def _tell_snapshot(call: Call, archivist: "Archivist", session: str | None, scope: Scope) -> None:
    found = archivist.snapshot(scope) if session is None else archivist.snapshot_given_to(session)
    if call.as_json:
        print_json(found)
        return
    if found is None:
        click.echo("this session was given nothing of the notes")
        return
    click.echo(found.text or "nothing is noted")
    words = _words_of(archivist, found.report)
    for line in _report_lines(found.sha256, found.report, words):
        click.echo(click.style(line, dim=True), err=True)
    tell_notes(call, (*found.report.notices, *archivist.notes.take_notices()))


def _tell_prompt(
    call: Call, archivist: "Archivist", scope: Scope, model: str | None, window: int | None
) -> None:
    """The whole prompt; where nobody is named, as in the project of the folder."""
    folder = working_folder() or archivist.home.path
    where = _place(folder) if scope == HOME_SCOPE else scope
    prompt = archivist.prompt(where, folder=folder, model=model, window=window)
    if call.as_json:
        print_json(prompt)
        return
    click.echo(prompt.text)
    for line in _prompt_lines(prompt):
        click.echo(click.style(line, dim=True), err=True)
    tell_notes(call, (*prompt.report.notices, *archivist.notes.take_notices()))


def _tell_given_prompt(call: Call, archivist: "Archivist", name: str) -> None:
    """The prompt that a session of ours was begun with, as it is sent."""
    session = archivist.sessions.read(name, window=0, scope=EVERYTHING).session
    if call.as_json:
        print_json({"session": session.id, "text": session.prompt, "sha256": session.prompt_digest})
    else:
        click.echo(session.prompt or "this session was begun without a prompt")


def _place(folder: Path) -> Scope:
    """The owner's scope in a folder."""
    from archivist.config.projects import project_worked_on  # noqa: PLC0415 - only where a prompt is shown

    return Scope(user=OWNER.user, project=project_worked_on(folder, environ=os.environ))


def _prompt_lines(prompt: "Prompt") -> Iterator[str]:
    report = prompt.report
    yield f"sha256 {prompt.sha256}"
    yield f"{counted(report.characters, 'character')}, about {counted(report.tokens, 'token')}"
    for layer in report.layers:
        size = f"{counted(layer.characters, 'character')}, about {counted(layer.tokens, 'token')}"
        yield f"{layer.name}: {size if layer.characters else plain(layer.why)}"
        for path, reason in layer.left_out.items():
            yield f"left out: {plain(path)}: {plain(reason)}"


def tell_notes(call: Call, notices: Sequence[Notice]) -> None:
    """Notices on stderr, the commands in them as this home's are called."""
    tell([Notice(one.code, one.text.replace("`archivist ", f"`{call.program} ")) for one in notices])


def keep_opened(archivist: "Archivist", entry: "Entry") -> None:
    """Remember that an archived entry was opened; where that cannot be kept, what was opened was shown all the same."""
    from archivist.surfaces.cli.recalling import remember_opened  # noqa: PLC0415 - only after an entry was shown

    try:
        remember_opened(archivist, entry)
    except ArchivistError as error:
        tell([Notice("use-not-kept", f"that it was opened is not remembered: {error}")])


def _blame_lines(found: "Blame", zone: tzinfo, program: str) -> Iterator[str]:
    stands = {"active": found.entry.tier, "superseded": "superseded"}.get(found.entry.status, "taken out")
    yield f"{found.entry.id}  {found.entry.kind}, {stands}, said by {found.origin}"
    yield plain(found.entry.text)
    yield f"since {when(found.since, zone)}, by change {found.change}"
    for source in found.sources:
        place = ""
        if source.message_id:
            place = f"  {program} sessions show {plain(source.session_id or '')} --around {source.message_id}"
        yield f"rests on “{one_line(source.text)}”{place}"
    for line in found.history:
        yield from _log_lines(line, zone)


def _words_of(archivist: "Archivist", report: "SnapshotReport") -> dict[str, str]:
    """What the first of the entries that were left out say now, by their ids."""
    wanted = {key for section in report.sections for key in list(section.left_out)[:MOST_LEFT_OUT]}
    if not wanted:
        return {}
    return {
        one.id: one.text for one in archivist.notes.entries(tier="all", scope=EVERYTHING) if one.id in wanted
    }


def _report_lines(sha256: str, report: "SnapshotReport", words: Mapping[str, str]) -> Iterator[str]:
    shown = sum(len(section.entries) for section in report.sections)
    yield f"sha256 {sha256}"
    yield f"{counted(shown, 'entry', 'entries')}, about {counted(report.tokens, 'token')}"
    for section in report.sections:
        for key, reason in list(section.left_out.items())[:MOST_LEFT_OUT]:
            said = f" “{one_line(words[key], LEFT_OUT_CHARS)}”" if key in words else ""
            yield f"left out: {key}{said}: {plain(reason)}"
        if (more := len(section.left_out) - MOST_LEFT_OUT) > 0:
            yield f"left out: {more:,} more; --json names all"


def _log_lines(line: "LogLine", zone: tzinfo) -> Iterator[str]:
    undone = f"  (taken back by {line.undone_by})" if line.undone_by else ""
    stale = "  (an editor's older copy)" if line.is_stale else ""
    accepted = f"  (accepted {line.accepts})" if line.accepts else ""
    origin = f"  by {line.origin}" if line.origin not in {None, "user", "hand"} else ""
    yield (
        f"{when(line.at, zone)}  {click.style(line.change, fg='cyan')}  {line.action:<8} {HAPPENED[line.what]} {line.entry}"
        f"  {plain(line.file)}{origin}{accepted}{undone}{stale}"
    )
    if line.what == "move":
        yield f"{INDENT}{plain(line.before or '')} > {plain(line.file)}"
        return
    for sign, text in (("-", line.before), ("+", line.after)):
        if text is not None:
            yield f"{INDENT}{sign} {one_line(text)}"


def _log_hints(call: Call, lines: "Sequence[LogLine]", limit: int) -> Iterator[str]:
    if not lines:
        yield "nothing happened yet"
        return
    if len(lines) > limit:
        yield f"… {counted(len(lines) - limit, 'earlier line')}: give --limit"
    texts = [text for line in lines[:limit] for text in (line.before, line.after) if text is not None]
    if any(one_line(text) != text for text in texts):
        yield "long texts are cut: --json has them whole"
    yield f"take a change back with: {call.program} memory undo CHANGE"
