"""Ctrl-C, and a terminal that is closed or a process that is told to end: the turn stops, and what was said stays whole."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from types import FrameType
from typing import Final, Self

ENDING: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Ended(BaseException):
    """The process was told to end."""

    def __init__(self, number: int) -> None:
        self.status = 128 + number
        super().__init__(number)


class Signals:
    """The signals of a conversation, from `with` on until its end.

    Args:
        left: Is told that a line is left with Ctrl-C, while the line is there still.
    """

    def __init__(self, left: Callable[[], None] = lambda: None) -> None:
        self._left = left
        self._before: dict[int, object] = {}
        self._interrupt: Callable[[], None] | None = None
        self._stops = 0
        self.told: int | None = None

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, *ENDING):
            self._before[number] = signal.signal(number, self._came)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]  # what stood there

    @contextmanager
    def running(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """While a turn runs: the first Ctrl-C stops it, another breaks it off."""
        self._interrupt, self._stops = interrupt, 0
        try:
            yield
        finally:
            self._interrupt = None

    @contextmanager
    def asking(self) -> Iterator[None]:
        """While a person is asked something in the middle of a turn: Ctrl-C is an answer."""
        interrupt, self._interrupt = self._interrupt, None
        try:
            yield
        finally:
            self._interrupt = interrupt

    def check(self) -> None:
        """Raise `Ended` where the process was told to end meanwhile."""
        if self.told is not None:
            raise Ended(self.told)

    def _came(self, number: int, _frame: FrameType | None) -> None:
        self._stops += 1
        is_ending = number in ENDING
        if is_ending:
            self.told = number
        if self._interrupt is not None and self._stops == 1:
            Thread(
                target=self._interrupt, daemon=True
            ).start()  # a lock of it may be held by what was interrupted
        elif is_ending:
            raise Ended(number)
        else:
            self._left()
            raise KeyboardInterrupt


__all__ = ["ENDING", "Ended", "Signals"]
