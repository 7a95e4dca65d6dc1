"""`archivist sessions rename`, `fork`, `undo`, `redo`, `archive`, `unarchive`, `pin`, `unpin`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from archivist.records import EVERYTHING, Session
from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.surfaces.cli.calling import Call, command_on, json_option, print_json
from archivist.surfaces.cli.conversations import MOST
from archivist.surfaces.cli.printing import first_lines, one_line

if TYPE_CHECKING:
    from archivist.app.sessions import Sessions


@click.command()
@click.argument("conversation")
@click.argument("title", required=False)
@json_option
@click.pass_obj
def rename(call: Call, conversation: str, title: str | None) -> None:
    """Give a conversation a title; without one, its program's again, or one made of what was said."""
    with call.opened() as archivist:
        session = archivist.sessions.rename(conversation, title, scope=EVERYTHING)
        if call.as_json:
            print_json(session)
        else:
            click.echo(f"{plain(session.id)} is called “{one_line(session.title or '')}” now")


@click.command()
@click.argument("conversation")
@click.option(
    "--at", type=click.IntRange(1, MOST), metavar="MESSAGE", help="The last message that both share."
)
@click.option("--title", help="What to call the fork.")
@json_option
@click.pass_obj
def fork(call: Call, conversation: str, at: int | None, title: str | None) -> None:
    """Begin a second line of a conversation, from one of its messages on."""
    with call.opened() as archivist:
        begun = archivist.sessions.fork(conversation, at=at, title=title, scope=EVERYTHING)
        session = begun.record()
        if call.as_json:
            print_json(session)
            return
        shared = (
            ""
            if session.fork_message is None
            else f", shares what was said up to message {session.fork_message}"
        )
        click.echo(
            f"{plain(session.id)} “{one_line(session.title or '')}” is a fork of {plain(session.conversation_id)}{shared}"
        )


@click.command()
@click.argument("conversation")
@click.option(
    "--to",
    type=click.IntRange(1, MOST),
    metavar="MESSAGE",
    help="Take back this message of the user's and all after it.",
)
@click.option(
    "--turns",
    type=click.IntRange(1, MOST),
    help="How many of the user's messages to take back; 1 where not given.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would be taken back.")
@json_option
@click.pass_obj
def undo(call: Call, conversation: str, to: int | None, turns: int | None, *, dry_run: bool) -> None:
    """Take back something that the user said, and all that followed."""
    if to is not None and turns is not None:
        raise click.UsageError("give --to or --turns, not both")
    with call.opened() as archivist:
        undone = archivist.sessions.undo(conversation, to=to, turns=turns, scope=EVERYTHING, dry_run=dry_run)
        if call.as_json:
            print_json(undone)
            return
        done = "would be taken back" if dry_run else "taken back"
        click.echo(
            f"{counted(undone.messages, 'message')} {done} in {plain(undone.session_id)}, from message {undone.message_id} on:"
        )
        for line in first_lines(plain(undone.text).strip()):
            click.echo(f"   {line}")


@command_on("conversation")
def redo(call: Call, conversation: str) -> None:
    """Give back what the newest undo took, unless something was said since."""
    with call.opened() as archivist:
        redone = archivist.sessions.redo(conversation, scope=EVERYTHING)
        if call.as_json:
            print_json(redone)
            return
        click.echo(f"{counted(redone.messages, 'message')} given back in {plain(redone.session_id)}")


@command_on("conversation")
def archive(call: Call, conversation: str) -> None:
    """Put a conversation away: lists leave it out, searches find it still."""
    _change(
        call,
        lambda sessions: sessions.archive(conversation, scope=EVERYTHING),
        "is put away: lists leave it out",
    )


@command_on("conversation")
def unarchive(call: Call, conversation: str) -> None:
    """List a conversation again."""
    _change(call, lambda sessions: sessions.unarchive(conversation, scope=EVERYTHING), "is listed again")


@command_on("conversation")
def pin(call: Call, conversation: str) -> None:
    """Keep a conversation whatever is pruned."""
    _change(call, lambda sessions: sessions.pin(conversation, scope=EVERYTHING), "is kept whatever is pruned")


@command_on("conversation")
def unpin(call: Call, conversation: str) -> None:
    """Let a conversation be pruned again."""
    _change(call, lambda sessions: sessions.unpin(conversation, scope=EVERYTHING), "may be pruned again")


def _change(call: Call, change: Callable[["Sessions"], Session], became: str) -> None:
    """Change a whole conversation; a fork's own title would not name it."""
    with call.opened() as archivist:
        session = change(archivist.sessions)
        if call.as_json:
            print_json(session)
            return
        is_whole = session.link in (None, "compaction")
        title = f" “{one_line(session.title)}”" if is_whole and session.title else ""
        forks = "" if is_whole else " with its forks"
        click.echo(f"{plain(session.conversation_id)}{title}{forks} {became}")
