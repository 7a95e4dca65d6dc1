"""Entries of a transcript as values: the same JSON as lines of a file and as rows of a database."""

import math
from typing import Any
from zlib import crc32

import msgspec

from archivist.records import Part, ToolCall
from archivist.transfer.json_text import (
    AROUND,
    as_utf8,
    shaped_or_none,
    unescaped,
    without_surrogates,
)
from archivist.transfer.media import base64_part, source_part
from archivist.transfer.pieces import REASONING, text_piece
from archivist.transfer.reasons import INVALID

NO_ARGUMENTS = msgspec.Raw(b"")
CALLS = ("toolCall", "toolUse", "tool_use")
MEDIA = ("image", "document", "audio", "file")

Content = str | list[msgspec.Raw] | None


class RawEntry(msgspec.Struct, frozen=True):
    """An entry as it stands in its source.

    Attributes:
        raw: Its JSON; None where it cannot be had.
        flaw: Why, or what is wrong should it be no JSON.
    """

    raw: bytes | None
    flaw: str = INVALID


class Tokens(msgspec.Struct, rename="camel"):
    """Usage of one request."""

    input: int | float | None = None
    output: int | float | None = None
    cache_read: int | float | None = None
    cache_write: int | float | None = None
    cost: dict[str, Any] | None = None


class Said(msgspec.Struct, rename="camel"):
    """The message inside an entry; blocks stay raw until they are needed."""

    role: str | None = None
    content: Content = None
    provider: str | None = None
    model: str | None = None
    usage: Tokens | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    is_error: bool | None = None
    timestamp: str | int | float | None = None


class Entry(msgspec.Struct, rename="camel"):
    """An entry: the envelope and the message."""

    type: str | None = None
    id: str | None = None
    parent_id: str | None = None
    timestamp: str | int | float | None = None
    version: int | float | None = None
    cwd: str | None = None
    parent_session: str | None = None
    target_id: str | None = None
    name: str | None = None
    message: Said | None = None


class Block(msgspec.Struct, rename="camel"):
    """A block of content."""

    type: str = ""
    text: str | None = None
    id: str | None = None
    name: str | None = None
    arguments: msgspec.Raw = NO_ARGUMENTS
    input: msgspec.Raw = NO_ARGUMENTS
    data: str | None = None
    mime_type: str | None = None
    source: dict[str, Any] | None = None


class Answer(msgspec.Struct, frozen=True):
    """Content in order: texts and other parts, calls, reasoning."""

    pieces: list[Part]
    calls: list[ToolCall]
    reasoning: list[str]


def entry_of(raw: RawEntry) -> Entry | None:
    """An entry; None where it is no JSON object. A field that is not of the kind it should be is lost, and nothing else."""
    return None if raw.raw is None else shaped_or_none(as_utf8(raw.raw.strip(AROUND))[0], Entry)


def read_content(content: Content) -> Answer:
    """What a message's content holds."""
    if isinstance(content, str):
        return Answer(text_piece(content), [], [])
    pieces: list[Part] = []
    calls: list[ToolCall] = []
    reasoning: list[str] = []
    for raw in content or ():
        block = shaped_or_none(raw, Block)
        if block is not None and block.type == "text":
            pieces += text_piece(block.text)
        elif block is not None and block.type in CALLS:
            body = bytes(block.arguments) or bytes(block.input)
            calls.append(ToolCall(block.id or "", block.name or "", unescaped(body) if body else "{}"))
        elif block is not None and block.type in REASONING:
            reasoning.append(without_surrogates(bytes(raw).decode("utf-8", "replace")))
        else:
            pieces.append(_part(block, raw))
    return Answer(pieces, calls, reasoning)


def print_of(said: Said | None) -> int:
    """A checksum of what a message says, the same however its JSON is written."""
    content = said.content if said else None
    try:
        return crc32(msgspec.json.encode(msgspec.json.decode(msgspec.json.encode(content))))
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError):
        return crc32(repr(content).encode("utf-8", "replace"))


def whole(value: float | None) -> int:
    """A count as it may stand in a foreign record."""
    return 0 if value is None or not value > 0 or value == math.inf else int(min(value, 2**53))


def amount(value: object) -> float:
    """An amount of money, or nothing."""
    return float(value) if isinstance(value, int | float) and 0 < value < 1e9 else 0.0


def _part(block: Block | None, raw: msgspec.Raw) -> Part:
    """An image, or a block of a kind that is not known here, kept as JSON."""
    if block is not None and block.type in MEDIA:
        kind = block.type if block.type != "document" else "file"
        if block.data is not None:
            return base64_part(kind, block.mime_type or "", block.data, block.name or "")
        if block.source is not None:
            return source_part(block.type, block.source, block.name or "")
    return Part(block.type if block is not None and block.type else "unreadable", text=unescaped(bytes(raw)))
