"""What is shown while an agent works: its words on standard output, all else on standard error.

Where standard output is a terminal its words stream as they come. Where it is a file or a pipe, only the last words of a turn go there,
whole. What a terminal that was closed cannot show stops nothing: the turn is stored either way.
"""

import shutil
from collections.abc import Iterable
from io import StringIO
from typing import Final, Literal, TextIO

import click

from archivist.loop.events import Called, Compressed, Event, Returned, Said, Thought, Told, Turn
from archivist.records import ToolCall, Usage
from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.surfaces.cli.chat.call_lines import called_line, returned_words
from archivist.surfaces.cli.chat.cleaning import Pieces

THOUGHT_CHARS: Final = 240
"""Of what a model thinks in one go, so much is shown."""
_BESIDE: Final = 24
"""Columns kept free beside a call for how it ended."""


class Screen:
    """A terminal, or two pipes.

    Args:
        out, err: Where words go, and all else; nowhere where unset.
        coloured: Whether there may be colours, where these are terminals.
    """

    def __init__(self, out: TextIO | None, err: TextIO | None, *, coloured: bool) -> None:
        out, err = out or StringIO(), err or StringIO()
        self.is_live, self._is_watched = out.isatty(), err.isatty()
        self._out, self._err = out, err
        self._styles = {"out": coloured and self.is_live, "err": coloured and self._is_watched}
        self._pieces, self._thought = Pieces(), 0
        self._line: Literal["", "words", "thought", "call"] = ""
        self._call: ToolCall | None = None
        self.is_gone = False

    # ---- what happens in a turn ----

    def show(self, event: Event) -> None:
        """Show what happened."""
        match event:
            case Said(text):
                self._said(text)
            case Thought(text):
                self._thinks(text)
            case Called(call):
                self._called(call)
            case Returned():
                self._returned(event)
            case Compressed(before, after):
                self.tell(f"compressed: {before:,} → {after:,} tokens; all that was said stays readable")
            case Told(notice):
                self.tell(f"note: {plain(notice.text)}")

    def ended(self, turn: Turn, *, counts: bool) -> None:
        """Show how a turn ended, and where a model answered what it used."""
        self.begin()
        if not self.is_live and turn.text:
            self._write("out", plain(turn.text).rstrip("\n") + "\n")
        if words := _ending(turn):
            self.tell(words)
        if counts and is_counted(turn.usage) and self._is_watched:
            self.tell(usage_words(turn.usage))

    def begin(self) -> None:
        """End the line that stands open, so that the next words have one of their own."""
        if self._line:
            self._write("out" if self._line == "words" else "err", "\n")
        self._line, self._call = "", None
        self._pieces.end()

    def _said(self, text: str) -> None:
        if not self.is_live:
            return
        if self._line not in {"", "words"}:  # at the beginning of a line a sequence may wait for its end
            self.begin()
        clean = self._pieces.clean(text)
        if clean:
            self._write("out", clean)
            self._line = "" if clean.endswith("\n") else "words"

    def _thinks(self, text: str) -> None:
        if not self._styles["err"]:
            return
        if self._line != "thought":
            if self._line == "" and self._thought > THOUGHT_CHARS:
                return
            self.begin()
            self._thought = 0
        room = THOUGHT_CHARS - self._thought
        words = plain(text).replace("\n", " ")
        self._thought += len(words)
        if room >= 0:
            self._line = "thought"
            self._write("err", self._dim(words[:room] + ("…" if len(words) > room else "")))
        if self._thought > THOUGHT_CHARS:
            self.begin()

    def _called(self, call: ToolCall) -> None:
        self.begin()
        self._thought = 0
        if self._is_watched:
            self._write("err", self._dim(f"{called_line(call, self.columns - _BESIDE)} …"))
            self._line, self._call = "call", call

    def _returned(self, event: Returned) -> None:
        words = returned_words(event)
        style = {"fg": "red"} if event.is_failure else {"dim": True}
        if self._line == "call" and self._call is event.call:
            self._line = ""
            self._write("err", f" {self._styled(words, **style)}\n")
        else:
            self.begin()
            line = f"{called_line(event.call, self.columns - _BESIDE)} … {words}"
            self._write("err", self._styled(line, **style) + "\n")

    # ---- whatever else is shown ----

    @property
    def columns(self) -> int:
        """How wide it is."""
        return max(40, shutil.get_terminal_size().columns)

    def tell(self, line: str) -> None:
        """A dim line beside."""
        self.begin()
        self._write("err", self._dim(line) + "\n")

    def lines(self, lines: Iterable[str]) -> None:
        """Lines that were asked for, as they are styled; without a style where there is none."""
        self.begin()
        for line in lines:
            self._write("out", (line if self._styles["out"] else click.unstyle(line)) + "\n")

    def ask(self, lines: Iterable[str]) -> None:
        """Lines of a question, beside."""
        self.begin()
        for line in lines:
            self._write("err", (line if self._styles["err"] else click.unstyle(line)) + "\n")

    def prompt(self, text: str) -> str:
        """A prompt with colours that the line editor does not count."""
        return f"\001\x1b[1m\002{text}\001\x1b[0m\002" if self._styles["out"] else text

    def _dim(self, text: str) -> str:
        return self._styled(text, dim=True)

    def _styled(self, text: str, **style: object) -> str:
        return click.style(text, **style) if self._styles["err"] else text  # type: ignore[arg-type]  # click's own names

    def _write(self, where: Literal["out", "err"], text: str) -> None:
        stream = self._out if where == "out" else self._err
        try:
            stream.write(text)
            stream.flush()
        except OSError:
            if where == "out" and not self.is_live:
                raise
            self.is_gone = True  # the terminal was closed


def is_counted(usage: Usage) -> bool:
    """Whether anything is known of what was used: of a request that was stopped or failed nothing may be."""
    return any((usage.input, usage.cache_read, usage.cache_write, usage.output))


def usage_words(usage: Usage) -> str:
    """What was used, in a line: tokens, the share of them that a cache had, the cost."""
    sent = usage.input + usage.cache_read + usage.cache_write
    cached = f" ({100 * usage.cache_read // sent} % from the cache)" if sent else ""
    cost = f", ${usage.cost_usd:.4f}" if usage.cost_usd else ""
    return f"{counted(sent, 'token')} in{cached}, {usage.output:,} out{cost}"


def _ending(turn: Turn) -> str:
    """Why a turn ended, where it was not done."""
    if turn.stop == "interrupted":
        return "stopped"
    if turn.stop == "length":
        return "the reply's room was used up: say “go on” for the rest"
    if turn.stop == "refusal":
        return "the provider would not go on: say it otherwise, or ask another model"
    if turn.stop in {"failed", "budget"}:
        return plain(turn.error)
    is_silent = turn.requests > 0 and not turn.text.strip()
    return "nothing came as an answer: say it again, or otherwise" if is_silent else ""


def bar(share: float, columns: int) -> str:
    """A bar that is so full."""
    full = round(max(0.0, min(1.0, share)) * columns)
    return "█" * full + "·" * (columns - full)


__all__ = ["Screen", "bar", "is_counted", "usage_words"]
