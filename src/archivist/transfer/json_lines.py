"""Lines of a file, one at a time, however long the file or one line of it is."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

LONGEST_LINE_BYTES = 64 * 1024 * 1024
READ_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class RawLine:
    """Where a line stands; `raw` is None where it is longer than a line may be."""

    offset: int
    length: int
    raw: bytes | None


def read_lines(path: Path, end: int) -> Iterator[RawLine]:
    """The lines of the first `end` bytes, one at a time."""
    with path.open("rb", buffering=READ_BYTES) as file:
        yield from lines_in(file, end)


def lines_in(file: BinaryIO, end: int = sys.maxsize) -> Iterator[RawLine]:
    """The lines of the next `end` bytes of an open file."""
    offset = 0
    while offset < end:
        raw = file.readline(min(LONGEST_LINE_BYTES, end - offset))
        if not raw:
            return
        length = len(raw)
        if length == LONGEST_LINE_BYTES and not raw.endswith(b"\n"):
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
