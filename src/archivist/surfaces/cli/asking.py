"""`archivist` without a command: find the histories on this machine, offer to import them, answer questions."""

import sys
from time import perf_counter
from typing import TYPE_CHECKING

import click

from archivist.records import EVERYTHING
from archivist.records.counts import counted
from archivist.surfaces.cli.calling import Call, print_json, tell
from archivist.surfaces.cli.heeding import heeded_page
from archivist.surfaces.cli.importing import TIDY_SECONDS, bring_in, found_line, report_json, show_report
from archivist.surfaces.cli.printing import hit_lines
from archivist.surfaces.cli.upkeep import bring_up_to_date

if TYPE_CHECKING:
    from archivist.app import Archivist

HITS = 5
WAYS_OUT = frozenset({"quit", "exit", "/quit", "/exit", ":q"})
HELP = (
    "Ask anything that was said; an empty line, quit or Ctrl-D ends. `archivist --help` shows the commands."
)

BEGINNINGS = (
    "No conversation is kept here yet. To begin:",
    "   `archivist import PATH` brings a history in",
    "   `archivist memory add TEXT` notes something that must hold",
    "   `archivist install claude-code` keeps what is said in Claude Code, and gives it what is noted",
)


def converse(call: Call, *, yes: bool) -> None:
    """Import on a yes, then answer one question a line until there are no more."""
    with call.opened() as archivist:
        if call.as_json:
            print_json(_import_all(archivist, yes=yes))
            return
        _offer_import(archivist, yes=yes)
        counts = archivist.counts(EVERYTHING)
        if not counts["messages"]:
            for line in BEGINNINGS:
                click.echo(line.replace("`archivist ", f"`{call.program} "))
            return
        click.echo(
            f"\n{counted(counts['messages'], 'message')} in {counted(counts['conversations'], 'conversation')}. {HELP}"
        )
        _answer_questions(call, archivist)


def _import_all(archivist: "Archivist", *, yes: bool) -> dict[str, object]:
    found = archivist.find_histories()
    reports = [bring_in(archivist, one.path, one.format) for one in found] if yes else []
    listed = [
        {"format": f.format, "path": str(f.path), "sessions": f.sessions, "bytes": f.bytes} for f in found
    ]
    return {
        "found": listed,
        "imports": [report_json(report) for report in reports],
        "counts": archivist.counts(EVERYTHING),
    }


def _offer_import(archivist: "Archivist", *, yes: bool) -> None:
    found = archivist.find_histories()
    if not found:
        click.echo("No history was found on this machine: `archivist import PATH` brings one in.")
        return
    news = [one for one in found if archivist.has_news(one)]
    if not news:
        return
    click.echo("Found on this machine:")
    for one in news:
        click.echo(f"   {found_line(one)}")
    if not yes and not _is_asked_by_a_person():
        click.echo("Run `archivist --yes` to import them.")
        return
    if yes or click.confirm("Import what is new in them? They are only read.", default=True):
        for one in news:
            show_report(bring_in(archivist, one.path, one.format))
        bring_up_to_date(archivist, tidy_seconds=TIDY_SECONDS)


def _answer_questions(call: Call, archivist: "Archivist") -> None:
    if _is_asked_by_a_person():
        import readline  # noqa: F401, PLC0415 - gives input() its history and editing
    while (question := _read_question()) and question.lower() not in WAYS_OUT:
        start = perf_counter()
        page = archivist.recall(question, limit=HITS, scope=EVERYTHING)
        milliseconds = (perf_counter() - start) * 1000
        page = heeded_page(archivist, page)
        for number, hit in enumerate(page.hits, 1):
            for line in hit_lines(number, hit, archivist.zone, program=call.program):
                click.echo(line)
        tell(page.notices)
        click.echo(click.style(f"({len(page.hits)} found in {milliseconds:.0f} ms)", dim=True))


def _read_question() -> str:
    try:
        return input("\nask> " if _is_asked_by_a_person() else "").strip()
    except (EOFError, RuntimeError):  # the latter: there is no standard input at all
        click.echo()
        return ""


def _is_asked_by_a_person() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()
