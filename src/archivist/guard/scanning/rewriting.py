"""A text in which stretches have been written anew, with the way back to the original."""

from bisect import bisect_right
from collections.abc import Iterable

import msgspec


class Rewriting(msgspec.Struct, frozen=True):
    """The new text and its pieces: where each begins in the new and in the old text, and where a changed one ends in the old.

    Attributes:
        text: The new text.
        new: Where each piece begins in it.
        old: Where the piece begins in the original.
        ends: Where it ends there, or -1 where it was not changed.
    """

    text: str
    new: list[int]
    old: list[int]
    ends: list[int]

    @classmethod
    def of(cls, text: str, changes: Iterable[tuple[int, int, str]]) -> "Rewriting":
        """The text with its stretches (from, to, anew; in order, apart) replaced."""
        parts: list[str] = []
        made = cls("", [], [], [])
        size = done = 0
        for start, end, anew in changes:
            made._add(size, done, -1)
            made._add(size + start - done, start, end)
            parts += [text[done:start], anew]
            size += start - done + len(anew)
            done = end
        made._add(size, done, -1)
        return cls("".join([*parts, text[done:]]), made.new, made.old, made.ends)

    def _add(self, new: int, old: int, end: int) -> None:
        self.new.append(new)
        self.old.append(old)
        self.ends.append(end)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original in which the stretch of the new text stands."""
        first = bisect_right(self.new, start) - 1
        begin = self.old[first] if self.ends[first] >= 0 else self.old[first] + start - self.new[first]
        last = bisect_right(self.new, end - 1) - 1
        finish = self.ends[last] if self.ends[last] >= 0 else self.old[last] + end - self.new[last]
        return begin, max(finish, begin + 1)


def mirrored(text: str) -> Rewriting:
    """The text backwards; its one piece is the whole."""
    return Rewriting(text[::-1], [0], [0], [len(text)])
