"""Records out of the Markdown of an export.

Words, calls and parts are taken from what stands below the markers, so that a correction by hand is read; all else from the markers.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from archivist.transfer.archivist.fields import marked
from archivist.transfer.archivist.markdown import (
    END_OF_MARKER,
    MARKER,
    CallMark,
    EndMark,
    MessageMark,
    PartMark,
    unescaped,
)
from archivist.transfer.archivist.shapes import (
    NOTHING,
    CallShape,
    Header,
    MessageRecord,
    PartShape,
    Record,
    SessionRecord,
)
from archivist.transfer.json_stream import INVALID, TORN, Damaged

Mark = Header | SessionRecord | MessageMark | PartMark | CallMark | EndMark
MARKER_BYTES: Final = MARKER.encode()
FENCED: Final = re.compile(r"(`{3,})[^\n`]*\n(.*)\n\1`*\s*", re.DOTALL)


class _Block(msgspec.Struct):
    """A marker and what stands below it."""

    mark: Mark | Damaged
    lines: list[bytes] = msgspec.field(default_factory=list)

    def body(self) -> str:
        """What is below the heading, without the empty line on each side."""
        _, _, body = b"".join(self.lines).decode("utf-8", "replace").partition("\n")
        return unescaped(body.removeprefix("\n").removesuffix("\n").removesuffix("\n"))


class _Message(msgspec.Struct):
    """A message whose parts and calls are still to come."""

    mark: MessageMark
    text: str
    parts: list[PartShape] = msgspec.field(default_factory=list)
    calls: list[CallShape] = msgspec.field(default_factory=list)

    def record(self) -> MessageRecord:
        """The message as JSON would tell it."""
        parts, calls = _raw(self.parts), _raw(self.calls)
        return MessageRecord(text=self.text, parts=parts, tool_calls=calls, **marked(self.mark))


def read_markdown(lines: Iterable[bytes]) -> Iterator[Record | Damaged]:
    """The records of a file, given by its lines; what is damaged stands in its place.

    The last block counts only where a marker follows it: else nobody knows whether it is whole.
    """
    message: _Message | None = None
    for block in _blocks(lines):
        if message and isinstance(block.mark, PartMark):
            message.parts.append(_part(block.mark, block.body()))
        elif message and isinstance(block.mark, CallMark):
            message.calls.append(CallShape(block.mark.id, block.mark.name, _unfenced(block.body())))
        else:
            if message:
                yield message.record()
            message = _begun(block)
            if message is None and not isinstance(block.mark, PartMark | CallMark | EndMark | MessageMark):
                yield block.mark


def _begun(block: _Block) -> _Message | None:
    if not isinstance(block.mark, MessageMark):
        return None
    body = block.body()
    if block.mark.closed:
        body = body.removesuffix(f"\n{block.mark.closed}")
    return _Message(block.mark, _unfenced(body) if block.mark.role == "tool" else body)


def _blocks(lines: Iterable[bytes]) -> Iterator[_Block]:
    block: _Block | None = None
    for line in lines:
        if line.startswith(MARKER_BYTES):
            if block:
                yield block
            block = _Block(_mark(line))
        elif block:
            block.lines.append(line)
    if block:
        yield block if isinstance(block.mark, EndMark) else _Block(TORN)


def _mark(line: bytes) -> Mark | Damaged:
    text = line.removeprefix(MARKER_BYTES).rstrip().removesuffix(END_OF_MARKER.strip().encode())
    try:
        return msgspec.json.decode(text, type=Mark)
    except (ValueError, RecursionError):
        return INVALID


def _part(mark: PartMark, body: str) -> PartShape:
    text = body if mark.text is None else mark.text
    return PartShape(kind=mark.kind, text=text, media_type=mark.media_type, name=mark.name)


def _unfenced(body: str) -> str:
    found = FENCED.fullmatch(body)
    return found[2] if found else body


def _raw(shapes: list[PartShape] | list[CallShape]) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(shapes)) if shapes else NOTHING
