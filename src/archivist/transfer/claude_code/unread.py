"""What a transcript has and no reading of it gives: what stood there nobody knows, nor whose words it was.

A power cut leaves lines torn or full of zeros, and a newer version of the program may write kinds of lines that are not known here. An
import passes over them and counts them. For what a session has heard they are told as words of nobody, so that nothing is taken for clean
because it could not be read.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from archivist.records import Message
from archivist.records.counts import counted
from archivist.transfer.claude_code.index import FileIndex
from archivist.transfer.claude_code.lines import parse_line
from archivist.transfer.claude_code.passing_over import NOTED
from archivist.transfer.json_lines import read_lines
from archivist.transfer.json_text import NotJson
from archivist.transfer.reasons import FLAWS, NO_ID, TORN, UNKNOWN_TYPE

LOST: Final = (FLAWS - {TORN}) | {NO_ID}
"""Why a line is left out that may have been shown to a model. A torn line at the end is still being written."""
_READ: Final = NOTED | {"user", "assistant"}


def unread_in(path: Path, index: FileIndex) -> Iterator[Message]:
    """A message for what could not be read of a transcript; none where all of it was.

    Args:
        path: The transcript.
        index: What its first pass found.

    Raises:
        OSError: It cannot be read.
    """
    skipped = sum((stream.skipped for stream in index.streams.values()), Counter[str]())
    if lost := sum(skipped[reason] for reason in LOST):
        yield _of_nobody(f"{counted(lost, 'line')} of the transcript cannot be read")
    if any(reason.startswith(UNKNOWN_TYPE) for reason in skipped):
        yield from _of_unknown_kinds(path)


def _of_unknown_kinds(path: Path) -> Iterator[Message]:
    """Messages in lines of which it is not known who says them."""
    for raw in read_lines(path, path.stat().st_size):
        try:
            line, _ = parse_line(raw.raw or b"")
        except NotJson:
            continue
        if line.type not in _READ and line.message is not None and line.message.content:
            yield _of_nobody(_text_of(line.message.content))


def _of_nobody(text: str) -> Message:
    return Message("assistant", text, metadata={"summary": True})


def _text_of(content: str | list[Any]) -> str:
    return content if isinstance(content, str) else b"\n".join(map(bytes, content)).decode("utf-8", "replace")


__all__ = ["unread_in"]
