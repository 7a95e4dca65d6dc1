"""`archivist memory add`, `replace`, `edit`, `remove` and the other commands that change notes."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from archivist.records import EVERYTHING, Scope
from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.records.notes import Entry, NoteChange, Target
from archivist.surfaces.cli.agents import asked_by, refuse_agents
from archivist.surfaces.cli.calling import Call, command_on, json_option, print_json
from archivist.surfaces.cli.notes_told import tell_notes
from archivist.surfaces.cli.printing import INDENT, one_line
from archivist.surfaces.cli.texts import TextCommand
from archivist.surfaces.cli.whose import (
    either_target_option,
    scope_or_all,
    target_option,
    target_or_words_option,
    whose_options,
)

if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.notes.notes import Notes

Asker = dict[str, Any]
"""What is said of who asks for a change, as its arguments."""

DONE = {
    "add": "noted",
    "batch": "done",
    "demote": "in the archive now",
    "edit": "edited",
    "pin": "pinned",
    "promote": "in the core again",
    "remove": "removed",
    "replace": "replaced",
    "share": "shown to others too",
    "split": "split",
    "supersede": "took the place of another",
    "undo": "taken back",
    "unchanged": "nothing changed",
    "unpin": "may leave the core again",
    "unshare": "shown to nobody else",
}

MOST_ENTRIES = 10
WHERE_SHOWN = "to take from prompts what is noted, and to show it to others"


@click.command(cls=TextCommand)
@click.argument("text", nargs=-1)
@target_or_words_option
@whose_options
@json_option
@click.pass_obj
def add(call: Call, text: Sequence[str], target: Target | None, *, scope: Scope) -> None:
    """Note something.

    TEXT is one statement; without it, what stands on standard input.
    """
    words = " ".join(text) if text else _standard_input()
    _write(call, scope, lambda notes, who: notes.add(target or _target_of(words), words, **who))


@click.command(cls=TextCommand)
@click.argument("old_text")
@click.argument("text")
@either_target_option
@whose_options
@json_option
@click.pass_obj
def replace(call: Call, old_text: str, text: str, target: Target | None, *, scope: Scope) -> None:
    """Give a whole entry other words.

    OLD_TEXT is an id, or words that only this entry has; TEXT is all of its new words.
    """
    _write_in(call, scope, target, lambda notes, file, who: notes.replace(file, old_text, text, **who))


@click.command(cls=TextCommand)
@click.argument("old_text")
@click.argument("text")
@either_target_option
@whose_options
@json_option
@click.pass_obj
def edit(call: Call, old_text: str, text: str, target: Target | None, *, scope: Scope) -> None:
    """Give a stretch of an entry other words; the rest stays."""
    _write_in(call, scope, target, lambda notes, file, who: notes.edit(file, old_text, text, **who))


@click.command(cls=TextCommand)
@click.argument("old_text")
@either_target_option
@whose_options
@json_option
@click.pass_obj
def remove(call: Call, old_text: str, target: Target | None, *, scope: Scope) -> None:
    """Take an entry out; undo brings it back.

    OLD_TEXT is an id, or words that only this entry has.
    """
    _write_in(call, scope, target, lambda notes, file, who: notes.remove(file, old_text, **who))


@click.command()
@click.argument("operations", required=False)
@target_option
@whose_options
@json_option
@click.pass_obj
def apply(call: Call, operations: str | None, target: Target, *, scope: Scope) -> None:
    """Do several things at once, all or none.

    OPERATIONS is a JSON list such as '[{"action": "add", "content": "…"}, {"action": "remove", "old_text": "…"}]'; without it, what
    stands on standard input.
    """
    read = _operations(_standard_input() if operations is None else operations)
    _write(call, scope, lambda notes, who: notes.apply(target, read, **who))


@command_on("entry")
def pin(call: Call, entry: str) -> None:
    """Keep an entry in the core whatever happens."""
    _change(call, lambda notes: notes.pin(entry, scope=EVERYTHING))


@command_on("entry")
def unpin(call: Call, entry: str) -> None:
    """Let an entry leave the core again."""
    refuse_agents(os.environ, WHERE_SHOWN)
    _change(call, lambda notes: notes.pin(entry, pinned=False, scope=EVERYTHING))


@command_on("entry")
def share(call: Call, entry: str) -> None:
    """Show an entry of yours to other readers too."""
    refuse_agents(os.environ, WHERE_SHOWN)
    _change(call, lambda notes: notes.share(entry, scope=EVERYTHING))


@command_on("entry")
def unshare(call: Call, entry: str) -> None:
    """Show an entry to nobody else any more."""
    refuse_agents(os.environ, WHERE_SHOWN)
    _change(call, lambda notes: notes.share(entry, shared=False, scope=EVERYTHING))


@command_on("entry")
def promote(call: Call, entry: str) -> None:
    """Bring an archived entry back into the core."""
    _change(call, lambda notes: notes.promote(entry, scope=EVERYTHING))


@command_on("entry")
def demote(call: Call, entry: str) -> None:
    """Send an entry to the archive, where recall finds it."""
    refuse_agents(os.environ, WHERE_SHOWN)
    _change(call, lambda notes: notes.demote(entry, scope=EVERYTHING))


@click.command(cls=TextCommand)
@click.argument("entry", required=False)
@either_target_option
@whose_options
@json_option
@click.pass_obj
def split(call: Call, entry: str | None, target: Target | None, *, scope: Scope) -> None:
    """Make an entry of each bullet and paragraph of a plain Markdown file.

    ENTRY, an id or words of it: only of this one, where the file has several.
    """
    if entry is not None:
        _write_in(call, scope, target, lambda notes, file, _: notes.split(file, entry, scope=scope))
        return

    def whole(notes: "Notes") -> NoteChange:
        done = notes.split(target or "memory", scope=scope)
        return done if done.id or target is not None else notes.split("user", scope=scope)

    _change(call, whole)


@click.command()
@click.argument("change", required=False)
@click.option("--force", is_flag=True, help="Also where its entries were changed again since.")
@json_option
@click.pass_obj
def undo(call: Call, change: str | None, *, force: bool) -> None:
    """Take a change back, whole.

    CHANGE is an id that `archivist memory log` shows; without it, the latest that was asked for and not taken back: what a hand did to a
    file is taken back by its id.
    """
    refuse_agents(os.environ, "to take back what was noted")
    _change(
        call,
        lambda notes: notes.undo(
            latest_change(notes, call.program) if change is None else change, force=force, scope=EVERYTHING
        ),
    )


def _target_of(words: str) -> Target:
    from archivist.notes.kinds import belongs_to  # noqa: PLC0415 - only where nobody says

    return belongs_to(words) or "memory"


def latest_change(notes: "Notes", program: str) -> str:
    """The latest change that somebody asked for, that was not taken back, and takes none back; says which, and what a hand did since.

    Raises:
        click.UsageError: There is none.
    """
    from archivist.notes.untold import UNASKED  # noqa: PLC0415 - who shows help does not pay for the notes

    left = [line for line in notes.log(scope=EVERYTHING) if line.undoes is None and line.undone_by is None]
    found = next((line for line in left if line.action not in UNASKED), None)
    newest = left[0] if left else None
    by_id = ""
    if newest is not None and newest.action in UNASKED:
        by_id = f"what was done by hand since is taken back with: {program} memory undo {newest.change}"
    if found is None:
        raise click.UsageError(f"no command changed anything that can be taken back{by_id and f'; {by_id}'}")
    click.echo(
        click.style(f"taking back {found.change} ({found.action}){by_id and f'; {by_id}'}", dim=True),
        err=True,
    )
    return found.change


def _standard_input() -> str:
    """What stands on standard input, to its end.

    Raises:
        click.UsageError: It is closed, or no text.
    """
    if sys.stdin is None:
        raise click.UsageError("standard input is closed: give the text as an argument")
    if sys.stdin.isatty():
        click.echo("Write it here; Ctrl-D on a line of its own ends it.", err=True)
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.UsageError("what stands on standard input is no UTF-8 text") from error


def _operations(text: str) -> list[dict[str, Any]]:
    import msgspec  # noqa: PLC0415 - here alone

    try:
        read: Any = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise click.UsageError(f"that is no JSON: {error}") from error
    if not isinstance(read, list) or not read or not all(isinstance(one, dict) for one in read):
        raise click.UsageError("give a JSON list of operations, each an object with an action")
    return read


def _change(call: Call, change: Callable[["Notes"], NoteChange]) -> None:
    _tell(call, lambda archivist: change(archivist.notes))


def _write(call: Call, scope: Scope, change: Callable[["Notes", Asker], NoteChange]) -> None:
    """Change what notes say, in the name of whoever types."""
    owner: Asker = {"scope": scope_or_all(scope)}
    _tell(call, lambda archivist: change(archivist.notes, owner | asked_by(archivist, scope, os.environ)))


def _write_in(
    call: Call, scope: Scope, target: Target | None, change: Callable[["Notes", Target, Asker], NoteChange]
) -> None:
    """Change an entry of one file; where nobody says which, one of MEMORY.md, else of USER.md."""
    from archivist.notes.planning import StandsInOther  # noqa: PLC0415 - loaded by the notes then

    def in_either(notes: "Notes", who: Asker) -> NoteChange:
        try:
            return change(notes, target or "memory", who)
        except StandsInOther as elsewhere:
            if target is not None:
                raise
            return change(notes, elsewhere.other, who)

    _write(call, scope, in_either)


def _tell(call: Call, change: Callable[["Archivist"], NoteChange]) -> None:
    with call.opened() as archivist:
        done = change(archivist)
        if call.as_json:
            print_json(done)
            return
        tell_notes(call, done.notices)
        for line in change_lines(done, call.program):
            click.echo(line)


def change_lines(done: NoteChange, program: str) -> list[str]:
    """What a change did, for a person.

    Args:
        done: The change.
        program: How the program was called, with its home, so that the line can be copied.
    """
    if done.proposal is not None:
        return [f"nothing was changed: it waits for you ({program} review show {done.proposal})"]
    if done.entry is None:
        return [DONE["unchanged"]]
    what, small = DONE.get(done.action, done.action), []
    went = _where(done.entry) if done.action == "undo" else ""
    lines = [f"{what}: {_quoted(done.entry)}{went}{_whose(done.entry)}"]
    if len(done.entries) > 1:
        lines = [f"{what}: {counted(len(done.entries), 'entry', 'entries')}"]
        lines += [f"{INDENT}{_quoted(entry)}{_where(entry)}" for entry in done.entries[:MOST_ENTRIES]]
        if (more := len(done.entries) - MOST_ENTRIES) > 0:
            small.append(f"and {more:,} more: --json names all")
    if done.before is not None and done.action in {"replace", "edit"}:
        small.append(f"before: {one_line(done.before)}")
    if done.lost and done.action == "replace" and not _is_all(done.lost, done.before or ""):
        small.append(f"gone: {'; '.join(map(one_line, done.lost))}")
    if done.id:
        small.append(f"{done.entry.target} {done.usage} · undo with: {program} memory undo {done.id}")
    return lines + [click.style(f"{INDENT}{line}", dim=True) for line in small]


def _is_all(lost: Sequence[str], before: str) -> bool:
    """Whether the sentences that went are all that an entry said."""
    return " ".join(lost).split() == before.split()


def _where(entry: Entry) -> str:
    return (
        f"  ({'taken out' if entry.status == 'retracted' else entry.status})"
        if entry.status != "active"
        else f"  ({entry.tier})"
        if entry.tier == "archive"
        else ""
    )


def _whose(entry: Entry) -> str:
    """Whose it is, where it is not the owner's own."""
    key = entry.scope.project or entry.scope.user or entry.scope.chat
    return f"  ({plain(key)})" if key else ""


def _quoted(entry: Entry) -> str:
    return f"{entry.id} “{one_line(entry.text)}”"
