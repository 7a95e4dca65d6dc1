"""Lines of a file, one at a time, however long the file or one line of it is."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

import msgspec

from archivist.transfer.foreign import SourceChanged
from archivist.transfer.reasons import INVALID, TOO_LONG, TORN

LONGEST_LINE_BYTES = 64 * 1024 * 1024
READ_BYTES = 1024 * 1024


class RawLine(msgspec.Struct, frozen=True):
    """Where a line stands; `raw` is None where it is longer than a line may be."""

    offset: int
    length: int
    raw: bytes | None

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands in it."""
        return self.raw is not None and not self.raw.strip()

    @property
    def flaw(self) -> str:
        """What is wrong with a line that cannot be read."""
        if self.raw is None:
            return TOO_LONG
        return INVALID if self.raw.endswith(b"\n") else TORN

    @property
    def place(self) -> "Place":
        """Where to read it again."""
        return Place(self.offset, self.length, crc32(self.raw or b""))


class Place(msgspec.Struct, frozen=True):
    """Where a line stands in its file; `check` tells whether it is still the same, where that is known."""

    offset: int
    length: int
    check: int | None

    def reread(self, file: BinaryIO, path: Path) -> bytes:
        """The line, read again.

        Raises:
            SourceChanged: It is not what it was.
        """
        file.seek(self.offset)
        raw = file.read(self.length)
        if self.check is not None and crc32(raw) != self.check:
            raise SourceChanged(path)
        return raw


def read_lines(path: Path, end: int) -> Iterator[RawLine]:
    """The lines of the first `end` bytes, one at a time."""
    with path.open("rb", buffering=READ_BYTES) as file:
        yield from lines_in(file, end)


def lines_in(file: BinaryIO, end: int = sys.maxsize, *, longest: int | None = None) -> Iterator[RawLine]:
    """The lines of the next `end` bytes of an open file; of one of `longest` bytes and more only the place."""
    longest, offset = longest or LONGEST_LINE_BYTES, 0
    while offset < end:
        raw = file.readline(min(longest, end - offset))
        if not raw:
            return
        length = len(raw)
        if length == longest and not raw.endswith(b"\n"):
            length += _skip_line(file, end - offset - length)
            yield RawLine(offset, length, None)
        else:
            yield RawLine(offset, length, raw)
        offset += length


def _skip_line(file: BinaryIO, left: int) -> int:
    skipped = 0
    while skipped < left:
        piece = file.readline(min(READ_BYTES, left - skipped))
        skipped += len(piece)
        if not piece or piece.endswith(b"\n"):
            break
    return skipped
