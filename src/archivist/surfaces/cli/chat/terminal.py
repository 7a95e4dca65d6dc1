"""The conversation of a person at a terminal: what is typed is a command, or is said to the agent, again and again."""

import sys
from typing import TYPE_CHECKING, Final

import click

from archivist import __version__
from archivist.records import ArchivistError, Session
from archivist.records.display import plain
from archivist.surfaces.cli.chat.finding import last_lines, lines_said
from archivist.surfaces.cli.chat.screen import Screen
from archivist.surfaces.cli.chat.signals import Signals
from archivist.surfaces.cli.chat.slash.table import completions, find, is_command
from archivist.surfaces.cli.chat.talk import Talk
from archivist.surfaces.cli.chat.typing_in import Typist
from archivist.surfaces.cli.chat.wanted import Wanted

if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.surfaces.cli.calling import Call

WAYS_OUT: Final = frozenset({"quit", "exit", ":q"})
HINT: Final = "Say something; /help shows the commands, Ctrl-D ends."


def converse(call: "Call", archivist: "Archivist", wanted: Wanted, session: Session | None = None) -> None:
    """Talk with a person until they have enough.

    Raises:
        Ended: The process was told to end.
        ArchivistError: The conversation could not be opened.
    """
    screen = Screen(sys.stdout, sys.stderr, coloured=wanted.coloured)
    typist = Typist(lines_said(archivist), completed=completions, styled=screen.prompt)
    with Signals(typist.left) as signals:
        talk = Talk(
            call, archivist, wanted, screen=screen, signals=signals, read=typist.answer, session=session
        )
        try:
            _welcome(talk, session)
            _go_on(talk, typist)
        finally:
            talk.close()


def _welcome(talk: Talk, session: Session | None) -> None:
    who = (
        plain(talk.agent.responder.name) if talk.agent.responder.is_model else "no model, answers are quotes"
    )
    talk.screen.tell(f"archivist {__version__} · {who} · {plain(str(talk.folder))}")
    if session is not None:
        talk.screen.ask(last_lines(talk.archivist, session))
    talk.screen.tell(HINT)


def _go_on(talk: Talk, typist: Typist) -> None:
    left = False
    while not (talk.is_over or talk.screen.is_gone):
        draft, talk.draft = talk.draft, ""
        talk.screen.begin()
        try:
            text = typist.message(draft)
            if text is None or text.strip().casefold() in WAYS_OUT:
                break
            left = False
            _heard(talk, text)
        except KeyboardInterrupt:
            talk.screen.ask([""])
            if left and not typist.held_words:
                break
            left = not typist.held_words
            if left:
                talk.screen.tell("Ctrl-C once more, or Ctrl-D, ends")
    if not talk.is_over:
        talk.screen.ask([""])


def _heard(talk: Talk, text: str) -> None:
    """Do what was typed; what fails is said, and the conversation goes on."""
    words = text.strip()
    if not words:
        return
    try:
        if is_command(words):
            command, arguments = find(words)
            command.run(talk, arguments)
        else:
            talk.turn(words.removeprefix("/") if words.startswith("//") else text.strip("\n"))
            talk.screen.lines([""])
    except (ArchivistError, click.ClickException) as error:
        told = error.format_message() if isinstance(error, click.ClickException) else str(error)
        talk.screen.ask([f"archivist: {plain(told)}"])


__all__ = ["converse"]
