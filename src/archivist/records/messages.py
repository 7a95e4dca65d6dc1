"""One message of a conversation, in the form in which every room passes it on.

A message never changes its text once stored: only its state does. `id` is None until the store has given it one.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, Literal

import msgspec

Role = Literal["system", "user", "assistant", "tool"]
State = Literal["active", "compacted", "undone", "branch"]
"""`active`: a model that continues sees it; `compacted`: shortened away for the model, still the owner's history;
`undone`: taken back; `branch`: on a path that was left, such as before an edit."""

BACKGROUND: Final = "context"
"""The kind of a part that was given to the model beside what was said: what is remembered, which nobody says now."""
OUTPUT: Final = "output"
"""The kind of a part that keeps the whole of a tool's output; the message tells a part of it, and no model is sent this."""

NO_METADATA: Final[Mapping[str, Any]] = MappingProxyType({})


def no_metadata() -> Mapping[str, Any]:
    """The empty metadata, as a default: a frozen view cannot stand as one itself."""
    return NO_METADATA


class Part(msgspec.Struct, frozen=True):
    """A piece of a structured message: text, or a reference to bytes in the blob store.

    Attributes:
        kind: "text", "image", "audio", "file", or a provider's own name.
        text: The text, or a caption.
        media_type: Such as "image/png"; empty for text.
        blob: SHA-256 in hex of the stored bytes; empty for text.
        name: A file name where the source gave one.
        data: Bytes that are not stored yet; the store moves them to a blob and clears this.
    """

    kind: str
    text: str = ""
    media_type: str = ""
    blob: str = ""
    name: str = ""
    data: bytes | None = None

    def __repr__(self) -> str:
        """All but the bytes."""
        told = [f"{name}={getattr(self, name)!r}" for name in self.__struct_fields__ if name != "data"]
        return f"Part({', '.join(told)})"


class ToolCall(msgspec.Struct, frozen=True):
    """A call that an assistant message makes; `arguments` is JSON text with its characters unescaped."""

    id: str
    name: str
    arguments: str = "{}"


class Message(msgspec.Struct, frozen=True):
    """One message.

    Attributes:
        role: Who speaks: system, user, assistant, tool.
        text: What was said, as plain text (the text parts of a structured message joined by newlines).
        parts: The structured form, empty where the text is all there is.
        tool_calls: Calls made by an assistant message.
        tool_call_id: For a tool result, the call that it answers.
        tool_name: For a tool result, the tool.
        reasoning: What its provider wants back to the letter, as JSON text: signed or encrypted reasoning, and a compaction block, behind
            which alone it goes on reading (`archivist.records.compactions`).
        speaker: Who speaks in a group chat, as the host names them.
        created_at: When it was said; aware. None means now, at append.
        client_id: The caller's own id; a retry with it never makes a second row.
        state: See `State`.
        metadata: Further facts of the source, such as `source_ids` or `time: "inferred"`.
        masked: Kinds of the secrets that were masked before it was stored.
        id: The store's id; never reused.
        session_id: The session that it was said in.
        digest: Content hash in hex, as stored.
    """

    role: Role
    text: str = ""
    parts: tuple[Part, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    tool_name: str | None = None
    reasoning: str | None = None
    speaker: str | None = None
    created_at: datetime | None = None
    client_id: str | None = None
    state: State = "active"
    metadata: Mapping[str, Any] = msgspec.field(default_factory=no_metadata)
    masked: tuple[str, ...] = ()
    id: int | None = None
    session_id: str | None = None
    digest: str | None = None

    @classmethod
    def user(
        cls,
        text: str,
        *,
        client_id: str | None = None,
        created_at: datetime | None = None,
        parts: Sequence[Part] = (),
        speaker: str | None = None,
    ) -> "Message":
        """What a person said."""
        return cls("user", text, tuple(parts), speaker=speaker, client_id=client_id, created_at=created_at)

    @classmethod
    def assistant(
        cls,
        text: str = "",
        *,
        tool_calls: Sequence[ToolCall] = (),
        reasoning: str | None = None,
        client_id: str | None = None,
        created_at: datetime | None = None,
    ) -> "Message":
        """What a model said or called."""
        return cls(
            "assistant",
            text,
            tool_calls=tuple(tool_calls),
            reasoning=reasoning,
            client_id=client_id,
            created_at=created_at,
        )

    @classmethod
    def tool(
        cls,
        text: str,
        *,
        call_id: str,
        name: str,
        client_id: str | None = None,
        created_at: datetime | None = None,
    ) -> "Message":
        """What a tool returned."""
        return cls(
            "tool", text, tool_call_id=call_id, tool_name=name, client_id=client_id, created_at=created_at
        )
