"""Ctrl-Z at the prompt: the terminal is the shell's for a while, and then the line stands there as it was."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_MARKS = "\001\002"
"""Around what the editor of lines does not count."""


@contextmanager
def put_aside(prompt: str, begun: Callable[[], str]) -> Iterator[None]:
    """While a line is edited: who comes back finds the terminal as the editor had it, with the prompt and what was typed.

    A shell takes the terminal back in its own mode, and gives it back so: each letter would be shown twice.

    Args:
        prompt: Of the line.
        begun: Gives what was typed so far.
    """
    if not hasattr(signal, "SIGTSTP"):
        yield
        return

    def stop(number: int, _frame: object) -> None:
        import termios  # noqa: PLC0415 - not every system has it

        terminal = sys.stdin.fileno()
        mode = termios.tcgetattr(terminal)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # here it stands still
        signal.signal(number, stop)
        termios.tcsetattr(terminal, termios.TCSADRAIN, mode)
        sys.stdout.write(prompt.translate(dict.fromkeys(map(ord, _MARKS))) + begun())
        sys.stdout.flush()

    before = signal.signal(signal.SIGTSTP, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, before)


__all__ = ["put_aside"]
