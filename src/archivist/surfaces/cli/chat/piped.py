"""A conversation without a person: one question, or one a line. Nobody is asked anything; only answers are on standard output."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
import msgspec

from archivist.loop.events import Returned, Told, Turn
from archivist.records import Session
from archivist.surfaces.cli.calling import print_json
from archivist.surfaces.cli.chat.screen import Screen
from archivist.surfaces.cli.chat.signals import Signals
from archivist.surfaces.cli.chat.talk import Talk
from archivist.surfaces.cli.chat.wanted import Wanted
from archivist.surfaces.cli.codes import FAILURE, INTERRUPTED

if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.surfaces.cli.calling import Call


def answer(call: "Call", archivist: "Archivist", wanted: Wanted, session: Session | None = None) -> int:
    """Answer what was asked, and give the exit code.

    Raises:
        Ended: The process was told to end.
        ArchivistError: The conversation could not be opened, or what was said could not be stored.
    """
    screen = Screen(
        None if call.as_json else sys.stdout, sys.stderr, coloured=wanted.coloured
    )  # its words stand in the JSON
    status = 0
    with Signals() as signals:
        talk = Talk(call, archivist, wanted, screen=screen, signals=signals, session=session)
        try:
            for question in _questions(wanted):
                turn = talk.turn(question)
                if call.as_json:
                    _print(_shape(talk, turn), whole=wanted.question is not None or wanted.is_whole)
                status = status or _status(turn)
                if turn.stop == "interrupted":
                    break
        finally:
            talk.close()
    return status


def _questions(wanted: Wanted) -> Iterator[str]:
    if wanted.question is not None:
        yield wanted.question
        return
    if sys.stdin is None:
        return
    if wanted.is_whole:
        yield _decoded(sys.stdin.buffer.read())
        return
    for line in sys.stdin.buffer:
        if words := _decoded(line):
            yield words


def _decoded(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace").strip()


def _status(turn: Turn) -> int:
    if turn.stop == "interrupted":
        return INTERRUPTED
    return FAILURE if turn.stop == "failed" else 0


def _shape(talk: Talk, turn: Turn) -> dict[str, Any]:
    calls = [
        {
            "name": one.call.name,
            "arguments": one.call.arguments,
            "seconds": one.seconds,
            "failed": one.is_failure,
        }
        for one in talk.events
        if isinstance(one, Returned)
    ]
    return {
        "text": turn.text,
        "session": talk.known_as,
        "usage": turn.usage,
        "stop": turn.stop,
        "calls": calls,
        "error": turn.error,
        "notices": [one.notice for one in talk.events if isinstance(one, Told)],
    }


def _print(shape: dict[str, Any], *, whole: bool) -> None:
    """One value; of several each in a line of its own."""
    if whole:
        print_json(shape)
    else:
        click.echo(msgspec.json.encode(shape).decode())


__all__ = ["answer"]
