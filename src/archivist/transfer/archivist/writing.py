"""Exports: what the store tells of conversations becomes the bytes of a file, piece by piece."""

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Final

import msgspec

from archivist.store.exporting import (
    Stored,
    StoredBlob,
    StoredContext,
    StoredMessage,
    StoredSession,
    StoredUndo,
    StoredUsage,
)
from archivist.transfer.archivist.fields import record
from archivist.transfer.archivist.markdown import markdown
from archivist.transfer.archivist.shapes import (
    FORMAT,
    VERSION,
    BlobRecord,
    CitedShape,
    ContextRecord,
    Header,
    MessageRecord,
    MovedShape,
    Record,
    SentShape,
    SessionRecord,
    UndoRecord,
    UsageRecord,
)
from archivist.transfer.foreign import TransferError

SUFFIXES: Final[Mapping[str, str]] = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".markdown": "markdown",
    ".md": "markdown",
}
DEFAULT_FORMAT: Final = "jsonl"


class UnknownExportFormat(TransferError):
    """Conversations cannot be written in that format."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"conversations cannot be written as {name!r}: use one of {', '.join(FORMATS)}")


def written(told: Iterable[Stored], format: str) -> Iterator[bytes]:  # noqa: A002 - the word of the interface
    """The bytes of an export.

    Raises:
        UnknownExportFormat: There is no such format.
    """
    if format not in FORMATS:
        raise UnknownExportFormat(format)
    return FORMATS[format](record_of(one) for one in told)


def export_format(name: str | None) -> str:
    """The format that the ending of a file's name stands for; JSONL where it says nothing."""
    return SUFFIXES.get(PurePath(name).suffix.lower(), DEFAULT_FORMAT) if name else DEFAULT_FORMAT


def record_of(stored: Stored) -> Record:
    """What the store tells, as a record of an export."""
    match stored:
        case StoredSession():
            return record(SessionRecord, stored)
        case StoredBlob():
            return BlobRecord(sha256=stored.sha256, data=base64.b64encode(stored.data).decode("ascii"))
        case StoredMessage():
            return record(MessageRecord, stored.row, session=stored.session)
        case StoredContext():
            return ContextRecord(
                session=stored.session,
                messages=[record(SentShape, each) for each in stored.messages],
                left_out=list(stored.left_out),
                cited=[CitedShape(*each) for each in stored.cited],
            )
        case StoredUsage():
            return record(UsageRecord, stored.usage, session=stored.session)
        case StoredUndo():
            moved = [MovedShape(*each) for each in stored.messages]
            return record(UndoRecord, stored, messages=moved, sessions=list(stored.sessions))


def _jsonl(records: Iterable[Record]) -> Iterator[bytes]:
    encoder = msgspec.json.Encoder()
    yield encoder.encode(Header(format=FORMAT, version=VERSION)) + b"\n"
    for each in records:
        yield encoder.encode(each) + b"\n"


def _json(records: Iterable[Record]) -> Iterator[bytes]:
    """One document, each record on a line of its own."""
    encoder = msgspec.json.Encoder()
    yield b'{"format":"%s","version":%d,"records":[' % (FORMAT.encode(), VERSION)
    before = b"\n"
    for each in records:
        yield before + encoder.encode(each)
        before = b",\n"
    yield b"\n]}\n"


FORMATS: Final[Mapping[str, Callable[[Iterable[Record]], Iterator[bytes]]]] = {
    "jsonl": _jsonl,
    "json": _json,
    "markdown": markdown,
}
