"""Lines that stand in a file again, because what it holds was put into it twice.

A line is told again when it is the same to the last byte as one before it, its time included, while the file had gone on to later times; so
is what follows a first line that stands there once more. Nothing else is: the same words said again have a time of their own.
"""

from collections import Counter
from datetime import datetime

import msgspec


class Retellings(msgspec.Struct):
    """The lines of a file so far.

    Attributes:
        earlier: How often each line stood, at most, in one telling before this one.
        now: How often it stands in this one.
        latest: The latest time in this telling.
        is_from_start: Whether this telling began with the file's first line again: then lines without a time are told again too.
    """

    earlier: Counter[int] = msgspec.field(default_factory=Counter)
    now: Counter[int] = msgspec.field(default_factory=Counter)
    latest: datetime | None = None
    is_from_start: bool = False

    def has(self, raw: bytes, time: datetime | None, *, is_first: bool) -> bool:
        """Whether a line was told before; takes it in.

        Args:
            raw: The line.
            time: Its own.
            is_first: Whether it is of the kind with which a file begins.
        """
        key = hash(raw.rstrip(b"\r\n"))
        is_past = time is not None and self.latest is not None and time < self.latest
        if key in self.now and (is_first or is_past):
            self.earlier |= self.now
            self.now, self.latest, self.is_from_start = Counter(), None, is_first
        if time is not None and (self.latest is None or time > self.latest):
            self.latest = time
        count = self.now.get(key, 0) + 1  # never by a missing key, which a counter makes anew at great length
        self.now[key] = count
        is_sure = time is not None or self.is_from_start
        return is_sure and count <= self.earlier.get(key, 0)
