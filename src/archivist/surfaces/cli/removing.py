"""`archivist sessions delete`, `prune`, `usage` and `compact`: what goes for good, and what stays counted."""

import re
import sys
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

import click

from archivist.records import EVERYTHING
from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.surfaces.cli.calling import Call, json_option, print_json, tell
from archivist.surfaces.cli.codes import FAILURE
from archivist.surfaces.cli.printing import one_line, when

if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.app.removing import Removal

AGE = re.compile(r"(\d{1,6})\s*([dwmy])", re.IGNORECASE)
DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}
BYS: tuple[Literal["model", "source", "month"], ...] = ("model", "source", "month")


class Age(click.ParamType[timedelta]):
    """A number of days, weeks, months of 30 days or years of 365, such as 90d."""

    name = "age"

    def convert(
        self, value: str | timedelta, param: click.Parameter | None, ctx: click.Context | None
    ) -> timedelta:
        """The length of time."""
        if isinstance(value, timedelta):
            return value
        found = AGE.fullmatch(value.strip())
        if found is None:
            self.fail(f"{value!r} is no age: write 90d, 12w, 6m or 1y", param, ctx)
        return timedelta(days=int(found[1]) * DAYS[found[2].lower()])


@click.command()
@click.argument("conversation")
@click.option("--dry-run", is_flag=True, help="Only show what would go.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@json_option
@click.pass_obj
def delete(call: Call, conversation: str, *, dry_run: bool, yes: bool) -> None:
    """Delete a whole conversation for good, from every file of the home.

    CONVERSATION is its id, the beginning of it, the id that its program gave it, or a title that was given to it. Forks go together with
    what they were forked from. A later import does not bring it back.
    """
    with call.opened() as archivist:
        found = archivist.sessions.delete(conversation, scope=EVERYTHING, dry_run=True)
        line = removal_line(found, archivist)
        if not dry_run:
            make_sure(line, "Delete it for good?", yes=yes)
            found = archivist.sessions.delete(found.conversation_id, scope=EVERYTHING)
        if call.as_json:
            print_json(found)
            return
        tell(found.notices)
        click.echo(f"{'would delete' if dry_run else 'deleted'}  {line}")


@click.command()
@click.option(
    "--older-than", required=True, type=Age(), metavar="AGE", help="Idle for so long: 90d, 12w, 6m or 1y."
)
@click.option("--source", help="Only those held in this program, such as claude-code.")
@click.option("--title", help="Only those with this text in their title, letter by letter.")
@click.option("--archived", is_flag=True, help="Only those that were archived.")
@click.option("--yes", "-y", is_flag=True, help="Delete them; without it they are only shown.")
@json_option
@click.pass_obj
def prune(
    call: Call, older_than: timedelta, source: str | None, title: str | None, *, archived: bool, yes: bool
) -> int:
    """Delete conversations in which nothing has happened for a while; pinned ones stay.

    Without --yes it only shows which.
    """
    with call.opened() as archivist:
        found = archivist.sessions.prune(
            older_than, source=source, title=title, archived_only=archived, scope=EVERYTHING, dry_run=not yes
        )
        status = FAILURE if found.stopped_by else 0
        if call.as_json:
            print_json(found)
            return status
        tell(found.notices)
        for removal in found.removals:
            click.echo(removal_line(removal, archivist))
        total = f"{counted(len(found.removals), 'conversation')}, {counted(found.messages, 'message')}, {found.bytes / 1e6:,.1f} MB"
        click.echo(f"{total} deleted" if yes else f"{total} would be deleted; --yes deletes them")
        if found.stopped_by:
            click.echo(f"the others stayed: {plain(found.stopped_by)}", err=True)
    return status


@click.command()
@click.option(
    "--by", type=click.Choice(BYS), default="model", show_default=True, help="One line for each of these."
)
@json_option
@click.pass_obj
def usage(call: Call, by: Literal["model", "source", "month"]) -> None:
    """Show what requests used in all, deleted conversations included."""
    with call.opened() as archivist:
        found = archivist.usage(scope=EVERYTHING, by=by)
    if call.as_json:
        print_json(found)
        return
    if not found:
        click.echo("no usage is known", err=True)
    for one in found:
        tokens = f"{one.input:>14,} in {one.output:>12,} out {one.cache_read:>14,} read {one.cache_write:>12,} written"
        click.echo(f"{one_line(one.name):<32} {one.requests:>8,} requests {tokens}  ${one.cost_usd:,.2f}")


@click.command()
@json_option
@click.pass_obj
def compact(call: Call) -> None:
    """Write state.db anew, without free space.

    Needed once for a database that an earlier version made: from then on deletions give their space back by themselves, in small steps.
    Whoever writes meanwhile waits: end other programs first.
    """
    with call.opened() as archivist:
        saved = archivist.sessions.compact()
    if call.as_json:
        print_json({"saved": saved})
    else:
        click.echo(f"state.db is {saved / 1e6:,.1f} MB smaller")


def removal_line(removal: "Removal", archivist: "Archivist") -> str:
    """A conversation that goes, on one line."""
    title = one_line(removal.title or "(no title)")
    return (
        f"{when(removal.last_active_at, archivist.zone)}  {counted(removal.messages, 'message'):>15} {removal.bytes / 1e6:>8,.1f} MB"
        f"  {title}  {click.style(plain(removal.conversation_id), dim=True)}{_with_forks(removal)}"
    )


def _with_forks(removal: "Removal") -> str:
    forks = f"{removal.forks:,} fork{'s' if removal.forks != 1 else ''}"
    if removal.is_fork:
        return f"  the conversation that it was forked from, and {forks}"
    return f"  and {forks}" if removal.forks else ""


def make_sure(what: str, question: str, *, yes: bool, look: str = "--dry-run") -> None:
    """Ask whoever sits at the terminal; nobody there is misuse.

    Args:
        what: Would go.
        question: That is asked.
        yes: Whether the answer was given already.
        look: What shows it and changes nothing.

    Raises:
        click.UsageError: Nobody can answer.
        click.Abort: The answer is no.
    """
    if yes:
        return
    if sys.stdin is None or not sys.stdin.isatty():
        raise click.UsageError(
            f"nobody is there to be asked: give --yes to delete it, or {look} to see what would go"
        )
    click.echo(what)
    click.confirm(question, abort=True)
