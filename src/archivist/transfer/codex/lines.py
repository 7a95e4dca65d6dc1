"""Lines of a rollout as values.

A line is an envelope and a payload. The oldest files have bare payloads; they are read as if they had an envelope. What does not
have the kind that it should have is left out, and nothing else of its line is.
"""

from typing import Any

import msgspec

from archivist.transfer.json_text import AROUND, NotJson, as_utf8, decode_leniently, shaped, shaped_or_none

NOTHING = msgspec.Raw(b"")


class Payload(msgspec.Struct):
    """The payload of every type of line; what is long or has many shapes stays raw."""

    type: str | None = None
    id: str | None = None
    role: str | None = None
    name: str | None = None
    namespace: str | None = None
    call_id: str | None = None
    kind: str | None = None
    phase: str | None = None
    message: str | None = None
    text: str | None = None
    content: msgspec.Raw = NOTHING
    summary: msgspec.Raw = NOTHING
    arguments: msgspec.Raw = NOTHING
    input: msgspec.Raw = NOTHING
    action: msgspec.Raw = NOTHING
    output: msgspec.Raw = NOTHING
    result: msgspec.Raw = NOTHING
    tools: msgspec.Raw = NOTHING
    replacement_history: msgspec.Raw = NOTHING
    images: msgspec.Raw = NOTHING
    item: msgspec.Raw = NOTHING
    info: msgspec.Raw = NOTHING
    encrypted_content: str | None = None
    revised_prompt: str | None = None
    exit_code: int | None = None
    success: bool | None = None
    num_turns: int | None = None
    timestamp: str | int | float | None = None
    cwd: str | None = None
    model: str | None = None
    cli_version: str | None = None
    originator: str | None = None
    thread_name: str | None = None
    forked_from_id: str | None = None
    parent_thread_id: str | None = None
    source: msgspec.Raw = NOTHING
    git: msgspec.Raw = NOTHING


class Envelope(msgspec.Struct):
    """A line; `payload` stays raw until the type is known."""

    timestamp: str | int | float | None = None
    type: str | None = None
    payload: msgspec.Raw = NOTHING
    record_type: str | None = None


class Line(msgspec.Struct):
    """A line, understood.

    Attributes:
        raw: The JSON of its payload.
        replaced: Whether bytes of it were no UTF-8.
    """

    type: str
    time: str | int | float | None
    payload: Payload
    raw: bytes
    replaced: bool


def parse_line(raw: bytes) -> Line:
    """A line.

    Raises:
        NotJson: It is no JSON object.
    """
    data, replaced = as_utf8(raw.strip(AROUND))
    envelope = shaped(data, Envelope)
    body = bytes(envelope.payload)
    if body:
        payload = shaped_or_none(body, Payload) or Payload()
        return Line(envelope.type or "none", envelope.timestamp, payload, body, replaced)
    bare = shaped(data, Payload)
    kind = _bare_type(envelope, bare)
    return Line(kind, envelope.timestamp, bare, data, replaced)


def value_of(raw: msgspec.Raw | bytes) -> Any:  # noqa: ANN401 - JSON has no narrower type
    """The value of a JSON text; None where it is none."""
    if not (data := bytes(raw)):
        return None
    try:
        return decode_leniently(data)
    except NotJson:
        return None


def _bare_type(envelope: Envelope, bare: Payload) -> str:
    """What a line without a payload is: an item by itself, the first line of an old file, or its record of a state."""
    if envelope.record_type:
        return f"record {envelope.record_type}"
    if envelope.type:
        return "response_item"
    return "session_meta" if bare.id and envelope.timestamp else "none"
