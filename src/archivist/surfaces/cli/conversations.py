"""`archivist sessions list`, `show` and `search`."""

from typing import TYPE_CHECKING

import click

from archivist.records import EVERYTHING, Role
from archivist.records.counts import counted
from archivist.surfaces.cli.calling import Call, json_option, print_json, tell
from archivist.surfaces.cli.heeding import heeded_browse, heeded_passage
from archivist.surfaces.cli.printing import passage_lines, session_line
from archivist.surfaces.cli.recalling import show_page, time_options
from archivist.surfaces.cli.texts import TextCommand

if TYPE_CHECKING:
    from archivist.records.hits import Shelf

MOST = 2**62  # SQLite counts in 64 bits
ROLES: tuple[Role, ...] = ("user", "assistant", "tool", "system")


@click.command("list")
@click.option("--limit", "-n", default=20, show_default=True, type=click.IntRange(1, 1000), help="How many.")
@click.option("--offset", default=0, type=click.IntRange(0, MOST), help="How many to pass over.")
@click.option("--source", help="Only those held in this program, such as claude-code.")
@click.option("--archived", is_flag=True, help="Only those that were put away.")
@click.option("--all", "whole", is_flag=True, help="Also those that were put away.")
@json_option
@click.pass_obj
def list_(call: Call, limit: int, offset: int, source: str | None, *, archived: bool, whole: bool) -> None:
    """Show conversations, most recently active first; those that were put away are left out."""
    if archived and whole:
        raise click.UsageError("give --archived or --all, not both")
    shelf: Shelf = "archived" if archived else "all" if whole else "listed"
    with call.opened() as archivist:
        found = heeded_browse(
            archivist,
            archivist.sessions.browse(
                limit=limit, offset=offset, source=source, shelf=shelf, scope=EVERYTHING
            ),
        )
        if call.as_json:
            print_json(found)
            return
        tell(found.notices)
        if not found.sessions:
            click.echo(
                "no conversations here" + (f": there are {found.total:,} in all" if found.total else ""),
                err=True,
            )
        for session in found.sessions:
            click.echo(session_line(session, found, archivist.zone))
        shown = offset + len(found.sessions)
        if found.sessions and shown < found.total:
            click.echo(click.style(f"… {found.total - shown:,} more: --offset {shown}", dim=True))
        if found.archived:
            told = counted(found.archived, "archived conversation is", "archived conversations are")
            click.echo(click.style(f"{told} not shown: --archived, --all", dim=True), err=True)


@click.command()
@click.argument("conversation")
@click.option(
    "--around", type=click.IntRange(0, MOST), metavar="MESSAGE", help="Only the messages around this one."
)
@click.option(
    "--window", default=5, show_default=True, type=click.IntRange(0, 200), help="How many on each side."
)
@click.option(
    "--offset",
    default=0,
    type=click.IntRange(0, MOST),
    help="Read on from this message; with --around, this character of it.",
)
@click.option("--all", "whole", is_flag=True, help="Everything, uncut.")
@json_option
@click.pass_obj
def show(call: Call, conversation: str, around: int | None, window: int, offset: int, *, whole: bool) -> None:
    """Read a conversation.

    CONVERSATION is its id or that of any session of it, its title, the beginning of an id, or the id that its program gave it.
    """
    with call.opened() as archivist:
        passage = heeded_passage(
            archivist,
            archivist.sessions.read(
                conversation, around=around, window=window, offset=offset, uncut=whole, scope=EVERYTHING
            ),
        )
        if call.as_json:
            print_json(passage)
            return
        for line in passage_lines(passage, archivist.zone):
            click.echo(line)


@click.command(cls=TextCommand)
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--limit", "-n", default=5, show_default=True, type=click.IntRange(1, 200), help="How many hits."
)
@click.option("--role", multiple=True, type=click.Choice(ROLES), help="Only messages of this role.")
@click.option("--source", multiple=True, help="Only conversations held in this program.")
@click.option("--conversation", help="Only this conversation.")
@time_options
@click.option("--branches", is_flag=True, help="Also what stands on paths that were left.")
@click.option("--explain", is_flag=True, help="Show what each score is made of.")
@json_option
@click.pass_obj
def search(
    call: Call,
    query: tuple[str, ...],
    limit: int,
    role: tuple[Role, ...],
    source: tuple[str, ...],
    conversation: str | None,
    since: str | None,
    until: str | None,
    *,
    branches: bool,
    explain: bool,
) -> None:
    """Search the messages of all conversations."""
    with call.opened() as archivist:
        page = archivist.sessions.search(
            " ".join(query),
            limit=limit,
            role=role,
            source=source,
            conversation=conversation,
            since=since,
            until=until,
            branches=branches,
            explain=explain,
            scope=EVERYTHING,
        )
        show_page(call, archivist, page)
