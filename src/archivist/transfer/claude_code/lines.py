"""Lines of a session file as values.

A line is read in the strict form first, which is fast; a line whose fields are not of the kind they should be
loses those fields and nothing else.
"""

from typing import Any

import msgspec

from archivist.transfer.json_text import (
    AROUND,
    NotJson,
    as_utf8,
    decode_leniently,
    shaped,
    without_surrogates,
)

NO_INPUT = msgspec.Raw(b"")


class Tokens(msgspec.Struct):
    """Usage as the API reports it."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class Said(msgspec.Struct):
    """The message of the API inside a line; blocks stay raw until they are needed."""

    id: str | None = None
    model: str | None = None
    stop_reason: str | None = None
    usage: Tokens | None = None
    content: str | list[msgspec.Raw] | None = None


class Copied(msgspec.Struct, rename="camel"):
    """Whose line a fork's line is a copy of, where the program says so itself."""

    session_id: str | None = None
    message_uuid: str | None = None


class Line(msgspec.Struct, rename="camel"):
    """A line: the envelope and the message."""

    type: str | None = None
    uuid: str | None = None
    parent_uuid: str | None = None
    logical_parent_uuid: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    request_id: str | None = None
    timestamp: str | int | float | None = None
    cwd: str | None = None
    git_branch: str | None = None
    version: str | None = None
    subtype: str | None = None
    is_sidechain: bool | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_api_error_message: bool | None = None
    summary: str | None = None
    leaf_uuid: str | None = None
    ai_title: str | None = None
    custom_title: str | None = None
    forked_from: Copied | None = None
    message: Said | None = None

    @property
    def origin(self) -> str | None:
        """The session that a fork's line was copied from, where the program says so."""
        return None if self.forked_from is None else self.forked_from.session_id

    @property
    def first_id(self) -> str | None:
        """The id that the line had first: some forks give their copies ids of their own."""
        return first_id(self.uuid, self.forked_from)


class Block(msgspec.Struct):
    """A block of content: text, thinking, tool_use, tool_result, image, document and others."""

    type: str = ""
    text: str | None = None
    id: str | None = None
    name: str | None = None
    title: str | None = None
    input: msgspec.Raw = NO_INPUT
    tool_use_id: str | None = None
    is_error: bool | None = None
    content: str | list[msgspec.Raw] | None = None
    source: dict[str, Any] | None = None


BLOCK = msgspec.json.Decoder(Block)


def first_id(uuid: str | None, copied: Copied | None) -> str | None:
    """The id that a line had before it was copied."""
    return uuid if uuid is None or copied is None else copied.message_uuid or uuid


def parse_line(raw: bytes) -> tuple[Line, bool]:
    """A line, and whether bytes of it were no UTF-8 and had to be replaced.

    Raises:
        NotJson: It is no JSON object.
    """
    data, replaced = as_utf8(raw.strip(AROUND))
    return shaped(data, Line), replaced


def parse_block(raw: msgspec.Raw) -> Block | None:
    """A block of content; None where it is none that can be read."""
    try:
        return BLOCK.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        return BLOCK.decode(msgspec.json.encode(decode_leniently(bytes(raw))))
    except (msgspec.DecodeError, RecursionError, NotJson):
        return None


def raw_text(raw: msgspec.Raw) -> str:
    """The JSON of a block to the letter."""
    return without_surrogates(bytes(raw).decode("utf-8", "replace"))
