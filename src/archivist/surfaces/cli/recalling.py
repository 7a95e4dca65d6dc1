"""`archivist recall`: one question to everything that is remembered."""

from typing import TYPE_CHECKING

import click

from archivist.records import EVERYTHING, Notice, Page, Scope
from archivist.surfaces.cli.calling import Call, json_option, print_json, tell
from archivist.surfaces.cli.heeding import heeded_page
from archivist.surfaces.cli.printing import hit_lines
from archivist.surfaces.cli.texts import TextCommand
from archivist.surfaces.cli.whose import reader_in, reader_options

if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.records.notes import Entry


def time_options(command: click.decorators.FC) -> click.decorators.FC:
    """`--since` and `--until`, as dates or in words."""
    command = click.option("--until", metavar="TIME", help="Said up to then; a day counts whole.")(command)
    return click.option("--since", metavar="TIME", help="Said since then: 2026-03-01, 'last week', 三天前.")(
        command
    )


@click.command(cls=TextCommand)
@click.argument("question", nargs=-1, required=True)
@click.option(
    "--limit", "-n", default=8, show_default=True, type=click.IntRange(1, 200), help="How many hits."
)
@time_options
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(["note", "daily", "message"]),
    help="Only this kind of memory; as often as needed.",
)
@click.option(
    "--source",
    "sources",
    metavar="NAME",
    multiple=True,
    help="Only what comes from this program, or 'notes'; as often as needed.",
)
@click.option("--as-of", metavar="TIME", help="As it was then: 2026-03-01, 'last week', 三天前.")
@reader_options
@click.option("--explain", is_flag=True, help="Show what each score is made of.")
@json_option
@click.pass_obj
def recall(
    call: Call,
    question: tuple[str, ...],
    limit: int,
    since: str | None,
    until: str | None,
    kinds: tuple[str, ...],
    sources: tuple[str, ...],
    as_of: str | None,
    *,
    scope: Scope,
    explain: bool,
) -> None:
    """Ask everything that is remembered: notes, daily notes, conversations.

    QUESTION is words, a question, a "quoted phrase" or an identifier, in any language. It is asked by you, who sees everything; with
    --project, --user or --chat as somebody would ask who reads there.
    """
    with call.opened() as archivist:
        page = archivist.recall(
            " ".join(question),
            limit=limit,
            scope=reader_in(scope),
            since=since,
            until=until,
            kinds=kinds or None,
            source=sources,
            as_of=as_of,
            explain=explain,
        )
        show_page(call, archivist, page)


def remember_opened(archivist: "Archivist", entry: "Entry") -> None:
    """Whoever opens what left the core has used it, which may bring it back."""
    if entry.tier == "archive" and entry.status == "active":
        for back in archivist.use(entry.id, scope=EVERYTHING):
            tell([Notice("promoted", f"{back.id} is in the core again, because it is used")])


def show_page(call: Call, archivist: "Archivist", page: Page) -> None:
    """A page of hits, as JSON or as text."""
    page = heeded_page(archivist, page)
    if call.as_json:
        print_json(page)
        return
    tell(page.notices)
    for number, hit in enumerate(page.hits, 1):
        for line in hit_lines(number, hit, archivist.zone, program=call.program):
            click.echo(line)
        if hit.explain:
            parts = "  ".join(f"{name} {value:.3f}" for name, value in hit.explain.items())
            click.echo(click.style(f"   score {hit.score:.3f}: {parts}", dim=True))
