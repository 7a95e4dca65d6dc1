"""`archivist chat`: talk with an agent that lives on this memory."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from archivist.config.agent import ActMode, RecallMode
from archivist.surfaces.cli.calling import Call, json_option, working_folder
from archivist.surfaces.cli.chat.wanted import Wanted

if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.records import Session

ALL_OF_IT = "-"


@click.command()
@click.option(
    "--question", "-q", metavar="TEXT", help="Say this, answer and end; - for all of standard input."
)
@click.option(
    "--continue",
    "-c",
    "goes_on",
    is_flag=True,
    help="Go on in the newest conversation, of this folder if there is one.",
)
@click.option("--resume", metavar="ID|TITLE", help="Go on in this conversation.")
@click.option("--model", "-m", metavar="PROVIDER/NAME", help="Who answers, where another does than is set.")
@click.option(
    "--recall",
    type=click.Choice(get_args(RecallMode)),
    help="Whether what you say is answered with what it recalls beside it.",
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Where the agent's tools work; this folder where not given.",
)
@click.option(
    "--approve", type=click.Choice(get_args(ActMode)), help="What is asked about before it is done."
)
@click.option("--no-tools", is_flag=True, help="Offer the model no tools.")
@click.option("--yes", "-y", is_flag=True, help="Ask nothing, as --approve all.")
@click.option("--no-color", is_flag=True, help="No colours.")
@json_option
@click.pass_obj
def chat(
    call: Call,
    question: str | None,
    resume: str | None,
    model: str | None,
    recall: RecallMode | None,
    folder: Path | None,
    approve: ActMode | None,
    *,
    goes_on: bool,
    no_tools: bool,
    yes: bool,
    no_color: bool,
) -> int:
    """Talk with an agent that remembers: in a terminal, by lines on standard input, or one question with -q.

    Without a model it answers with quotes from memory. Inside, /help shows the commands.
    """
    if goes_on and resume is not None:
        raise click.UsageError("give --continue or --resume, not both")
    if yes and approve not in {None, "all"}:
        raise click.UsageError("--yes asks nothing: leave it out, or --approve")
    wanted = Wanted(
        folder=_folder(folder),
        is_placed=folder is not None,
        question=None if question == ALL_OF_IT else question,
        is_whole=question == ALL_OF_IT,
        goes_on=goes_on,
        resume=resume,
        model=model,
        recall=recall,
        approval="all" if yes else approve,
        tools=not no_tools,
        coloured=not no_color,
    )
    with call.opened() as archivist:
        return hold(call, archivist, wanted)


def hold(call: Call, archivist: "Archivist", wanted: Wanted) -> int:
    """Hold a conversation: with the person at the terminal, else with whatever stands on standard input."""
    from archivist.surfaces.cli.chat.signals import Ended  # noqa: PLC0415 - `--help` talks with nobody

    _prepare_streams()
    if wanted.question is not None and not wanted.question.strip():
        raise click.UsageError("-q is empty: say something")
    is_asked = wanted.question is not None or wanted.is_whole
    by_person = not is_asked and is_person()
    if by_person and call.as_json:
        raise click.UsageError("--json is for -q and for lines on standard input")
    try:
        session = _session(archivist, wanted)
        if by_person:
            from archivist.surfaces.cli.chat.terminal import converse  # noqa: PLC0415 - as above

            converse(call, archivist, _coloured(wanted), session)
            return 0
        from archivist.surfaces.cli.chat.piped import answer  # noqa: PLC0415 - as above

        return answer(call, archivist, _coloured(wanted), session)
    except Ended as ended:
        return ended.status


def begin(call: Call, archivist: "Archivist") -> int:
    """Hold a conversation with nothing asked for."""
    return hold(call, archivist, Wanted(folder=_folder(None)))


def is_person() -> bool:
    """Whether somebody types."""
    return sys.stdin is not None and sys.stdin.isatty()


def _session(archivist: "Archivist", wanted: Wanted) -> "Session | None":
    """The conversation that goes on; said where it is not of the folder."""
    from archivist.surfaces.cli.chat.finding import known_as, named, newest  # noqa: PLC0415 - as above

    if wanted.resume is not None:
        return named(archivist, wanted.resume)
    if not wanted.goes_on:
        return None
    session = newest(archivist, wanted.folder)
    elsewhere = "" if session.cwd == str(wanted.folder) else f", held in {session.cwd}"
    from archivist.records.display import plain  # noqa: PLC0415 - as above

    click.echo(
        click.style(plain(f"going on in {known_as(session, archivist.zone)}{elsewhere}"), dim=True), err=True
    )
    return session


def _folder(given: Path | None) -> Path:
    folder = given or working_folder()
    if folder is None:
        raise click.UsageError(
            "this folder is gone: go to another one, or name one with `archivist chat --folder FOLDER`"
        )
    return folder.resolve()


def _coloured(wanted: Wanted) -> Wanted:
    """Without colours where the terminal or its user wants none."""
    from msgspec.structs import replace  # noqa: PLC0415 - as above

    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return replace(wanted, coloured=wanted.coloured and not is_plain)


def _prepare_streams() -> None:
    """What a terminal cannot show, or typed that is no text, becomes a question mark, and ends nothing."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # it may be closed, or another's
            stream.reconfigure(errors="replace")


__all__ = ["begin", "chat", "hold", "is_person"]
