"""What a person is asked before a tool writes or runs something."""

from collections.abc import Callable, Iterator
from typing import Final

import click

from archivist.records.approvals import Answer, Ask
from archivist.records.display import visible
from archivist.surfaces.cli.chat.screen import Screen

STOPPED: Final = Answer("no", "the user stopped the turn")
QUESTION: Final = "allow? y: once, s: this session, n: no (and why): "
QUESTION_ALONE: Final = "allow? y: once, n: no (and why): "
"""Where a yes covers nothing but what is asked about."""
_MOST_LINES: Final = 200
_MOST_CHARS: Final = 120
_SIGNS: Final = {"+": "green", "-": "red", "@": "cyan"}

ReadLine = Callable[[str], str]
"""Asks a person for a line.

Raises:
    EOFError, KeyboardInterrupt: They give none.
"""


class Asking:
    """Asks a person at a terminal, each time.

    Args:
        screen: Where it is shown.
        read: Reads what they type.
        stop: Stops the turn.
    """

    def __init__(self, screen: Screen, read: ReadLine, stop: Callable[[], None]) -> None:
        self._screen, self._read, self._stop = screen, read, stop

    def __call__(self, ask: Ask) -> Answer:
        """What is answered; Ctrl-C is a no that stops the turn."""
        self._screen.ask(question_lines(ask))
        try:
            return read_answer(self._read(QUESTION if ask.group else QUESTION_ALONE))
        except (KeyboardInterrupt, EOFError):
            self._screen.ask([""])
            self._stop()
            return STOPPED


def read_answer(line: str) -> Answer:
    """What was typed: only a clear yes is one."""
    word, _, rest = line.strip().partition(" ")
    if not rest and word.casefold() in {"y", "yes", "是", "好"}:
        return Answer("once")
    if not rest and word.casefold() in {"s", "session"}:
        return Answer("session")
    reason = rest if word.casefold() in {"n", "no", "不"} else line
    return Answer("no", reason.strip())


def question_lines(ask: Ask) -> Iterator[str]:
    """What would be done; of a diff what comes and goes in colours, nothing in it hidden."""
    yield click.style(visible(ask.title), bold=True, fg="yellow" if ask.risk == "outside" else None)
    yield from _detail_lines(ask)
    if ask.group:
        yield click.style(f"  {_covered(ask)}", dim=True)


def _detail_lines(ask: Ask) -> Iterator[str]:
    lines = visible(ask.detail).splitlines()
    if len(lines) == 1 and visible(ask.title).endswith(f" {lines[0]}"):
        return  # the title has it whole
    for line in lines[:_MOST_LINES]:
        colour = _SIGNS.get(line[:1]) if ask.risk != "run" else None
        yield f"  {click.style(line, fg=colour) if colour else line}"
    if len(lines) > _MOST_LINES:
        yield click.style(f"  … {len(lines) - _MOST_LINES:,} more lines", fg="yellow")


def _covered(ask: Ask) -> str:
    """What a yes for the session would cover."""
    what = "writing in the workspace" if ask.risk == "write" else visible(ask.group).replace("\n", " ")
    return f"s covers: {what[:_MOST_CHARS]}{' …' if len(what) > _MOST_CHARS else ''}"


__all__ = ["QUESTION", "QUESTION_ALONE", "STOPPED", "Asking", "ReadLine", "question_lines", "read_answer"]
