"""Exports: what the store tells of conversations becomes the bytes of a file, piece by piece."""

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import singledispatch
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
from archivist.transfer.archivist.markdown import markdown
from archivist.transfer.archivist.shapes import (
    FORMAT,
    NOTHING,
    VERSION,
    BlobRecord,
    ContextRecord,
    Header,
    MessageRecord,
    MovedShape,
    Record,
    SentShape,
    SessionRecord,
    UndoRecord,
    UsageRecord,
    optional_timestamp,
    scope_shape,
    timestamp,
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


@singledispatch
def record_of(stored: Stored) -> Record:
    """What the store tells, as a record of an export."""
    raise TypeError(type(stored).__name__)


@record_of.register
def _(stored: StoredSession) -> Record:
    return SessionRecord(
        id=stored.id,
        conversation=stored.conversation,
        parent=stored.parent,
        link=stored.link,
        fork_message=stored.fork_message,
        source=stored.source,
        external_id=stored.external_id,
        scope=scope_shape(stored.scope),
        model=stored.model,
        cwd=stored.cwd,
        title=stored.title,
        title_origin=stored.title_origin,
        started_at=timestamp(stored.started_at),
        ended_at=optional_timestamp(stored.ended_at),
        end_reason=stored.end_reason,
        archived_at=optional_timestamp(stored.archived_at),
        pinned_at=optional_timestamp(stored.pinned_at),
        prompt=stored.prompt,
        metadata=_raw(stored.metadata),
    )


@record_of.register
def _(stored: StoredBlob) -> Record:
    return BlobRecord(sha256=stored.sha256, data=base64.b64encode(stored.data).decode("ascii"))


@record_of.register
def _(stored: StoredMessage) -> Record:
    row = stored.row
    return MessageRecord(
        session=stored.session,
        client_id=row.client_id,
        role=row.role,
        state=row.state,
        created_at=timestamp(row.created_at),
        speaker=row.speaker,
        text=row.text,
        parts=_raw(row.parts),
        tool_calls=_raw(row.tool_calls),
        tool_call_id=row.tool_call_id,
        tool_name=row.tool_name,
        reasoning=row.reasoning,
        metadata=_raw(row.metadata),
        masked=_raw(row.masked),
        digest=row.digest.hex(),
    )


@record_of.register
def _(stored: StoredContext) -> Record:
    return ContextRecord(session=stored.session, messages=[SentShape(*each) for each in stored.messages])


@record_of.register
def _(stored: StoredUsage) -> Record:
    usage = stored.usage
    return UsageRecord(
        session=stored.session,
        model=usage.model,
        request_id=usage.request_id,
        requests=usage.requests,
        input=usage.input,
        output=usage.output,
        cache_read=usage.cache_read,
        cache_write=usage.cache_write,
        reasoning=usage.reasoning,
        cost_usd=usage.cost_usd,
    )


@record_of.register
def _(stored: StoredUndo) -> Record:
    return UndoRecord(
        session=stored.session,
        made_at=timestamp(stored.made_at),
        redone_at=optional_timestamp(stored.redone_at),
        messages=[MovedShape(*each) for each in stored.messages],
        sessions=list(stored.sessions),
    )


def _raw(stored: str | None) -> msgspec.Raw:
    """A JSON value of the database to the letter; none where the row is damaged, for it would spoil what stands around it."""
    if stored is None:
        return NOTHING
    raw = stored.encode("utf-8")
    try:
        msgspec.json.decode(raw, type=msgspec.Raw)
    except msgspec.DecodeError:
        return NOTHING
    return msgspec.Raw(raw)


def _jsonl(records: Iterable[Record]) -> Iterator[bytes]:
    encoder = msgspec.json.Encoder()
    yield encoder.encode(Header(format=FORMAT, version=VERSION)) + b"\n"
    for record in records:
        yield encoder.encode(record) + b"\n"


def _json(records: Iterable[Record]) -> Iterator[bytes]:
    """One document, each record on a line of its own."""
    encoder = msgspec.json.Encoder()
    yield b'{"format":"%s","version":%d,"records":[' % (FORMAT.encode(), VERSION)
    before = b"\n"
    for record in records:
        yield before + encoder.encode(record)
        before = b",\n"
    yield b"\n]}\n"


FORMATS: Final[Mapping[str, Callable[[Iterable[Record]], Iterator[bytes]]]] = {
    "jsonl": _jsonl,
    "json": _json,
    "markdown": markdown,
}
