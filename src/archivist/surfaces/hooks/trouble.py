"""What a person is told of something that went wrong."""

from typing import Final

from archivist.records import ArchivistError
from archivist.records.display import plain

LONGEST_LINE: Final = 300


def one_line(error: BaseException) -> str:
    """What went wrong, on one line."""
    text = str(error) if isinstance(error, ArchivistError) else f"{type(error).__name__}: {error}"
    return " ".join(plain(text).split())[:LONGEST_LINE]


__all__ = ["one_line"]
