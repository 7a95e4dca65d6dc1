"""The records of an export, as they stand in JSON and JSONL; the field names are the format.

A field that has nothing to say is left out. Times are ISO 8601 in UTC with milliseconds. A name here is never given another meaning:
whatever changes what is there raises `VERSION`.
"""

from typing import Final

import msgspec

FORMAT: Final = "archivist"
VERSION: Final = 1
NOTHING: Final = msgspec.Raw()
"""A JSON value that is not there; values of the database are passed on to the letter."""


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """One record; `type` says which."""


class Header(Record, frozen=True, tag="header"):
    """The first record of JSONL; the same fields begin a JSON document."""

    format: str = ""
    version: int = 0


class ScopeShape(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whose a session is."""

    user: str | None = None
    chat: str | None = None
    project: str | None = None


class SessionRecord(Record, frozen=True, tag="session"):
    """A session; it stands before its messages."""

    id: str = ""
    conversation: str | None = None
    parent: str | None = None
    link: str | None = None
    fork_message: str | None = None
    source: str | None = None
    external_id: str | None = None
    scope: ScopeShape | None = None
    model: str | None = None
    cwd: str | None = None
    title: str | None = None
    title_origin: str | None = None
    started_at: str | None = None
    ended_at: str | None = None
    end_reason: str | None = None
    archived_at: str | None = None
    pinned_at: str | None = None
    prompt: str | None = None
    metadata: msgspec.Raw = NOTHING


class BlobRecord(Record, frozen=True, tag="blob"):
    """Bytes, in base64; a large blob takes several records, one behind the other."""

    sha256: str = ""
    data: str = ""


class MessageRecord(Record, frozen=True, tag="message"):
    """A message."""

    session: str = ""
    client_id: str | None = None
    role: str | None = None
    state: str | None = None
    created_at: str | None = None
    speaker: str | None = None
    text: str | None = None
    parts: msgspec.Raw = NOTHING
    tool_calls: msgspec.Raw = NOTHING
    tool_call_id: str | None = None
    tool_name: str | None = None
    reasoning: str | None = None
    metadata: msgspec.Raw = NOTHING
    masked: msgspec.Raw = NOTHING
    digest: str | None = None


class SentShape(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message in a context."""

    client_id: str
    text_as_sent: str | None = None
    parts_as_sent: msgspec.Raw = NOTHING
    calls_as_sent: msgspec.Raw = NOTHING


class CitedShape(msgspec.Struct, frozen=True):
    """A message that a session's summary names, and the number by which its words do."""

    client_id: str
    cited_as: int


class ContextRecord(Record, frozen=True, tag="context"):
    """What a session's model was given of its lineage, in order, and what its summary stands for."""

    session: str = ""
    messages: list[SentShape] = msgspec.field(default_factory=list)
    left_out: list[str] = msgspec.field(default_factory=list)
    cited: list[CitedShape] = msgspec.field(default_factory=list)


class UsageRecord(Record, frozen=True, tag="usage", omit_defaults=False):
    """What a request used."""

    session: str = ""
    model: str = ""
    request_id: str = ""
    requests: int = 1
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    cost_usd: float = 0.0


class MovedShape(msgspec.Struct, frozen=True):
    """A message that an undo moved: the state that a redo gives back, and the one that it has now."""

    client_id: str
    before: str
    now: str


class UndoRecord(Record, frozen=True, tag="undo"):
    """An undo in a session; it stands behind the sessions of its conversation."""

    session: str = ""
    made_at: str = ""
    redone_at: str | None = None
    messages: list[MovedShape] = msgspec.field(default_factory=list)
    sessions: list[str] = msgspec.field(default_factory=list)


class PartShape(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a message, in its `parts`."""

    kind: str
    text: str = ""
    media_type: str = ""
    blob: str = ""
    name: str = ""


class CallShape(msgspec.Struct, frozen=True):
    """A call of a tool, in the `tool_calls` of a message; the arguments are JSON text, to the letter."""

    id: str
    name: str
    arguments: str = "{}"


RECORDS: Final = (
    Header,
    SessionRecord,
    BlobRecord,
    MessageRecord,
    ContextRecord,
    UsageRecord,
    UndoRecord,
)
NESTED: Final = {
    "scope": ScopeShape,
    "parts": PartShape,
    "tool_calls": CallShape,
    "context messages": SentShape,
    "context cited": CitedShape,
    "undo messages": MovedShape,
}
