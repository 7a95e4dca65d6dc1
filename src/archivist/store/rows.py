"""A message as a row of `messages`, and back.

The hash is of what is stored, so that `verify` can derive it again from the row alone.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import msgspec

from archivist.records import ArchivistError, Message, Part, ToolCall, content_digest
from archivist.records.messages import NO_METADATA, Role, State
from archivist.records.patterns import late_pattern

if TYPE_CHECKING:
    import re

T = TypeVar("T")
DAMAGED = "damaged"
"""The key in the metadata of a message or session that was read from a damaged row."""
ROLES: frozenset[str] = frozenset(get_args(Role))
STATES: frozenset[str] = frozenset(get_args(State))
UNREADABLE = (
    msgspec.DecodeError,
    TypeError,
    ValueError,
    AttributeError,
    OverflowError,
    LookupError,
    RecursionError,
)
"""What a column raises that holds something else than was ever stored in it."""
LONE_SURROGATES = late_pattern("[\ud800-\udfff]")
EPOCH, MILLISECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(milliseconds=1)
EARLIEST = (datetime(2, 1, 1, tzinfo=UTC) - EPOCH) // MILLISECOND
LATEST = (datetime(9999, 1, 1, tzinfo=UTC) - EPOCH) // MILLISECOND - 1


class MessageNotStorable(ArchivistError):
    """A message is not of a form that can be kept."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"the message cannot be stored: {reason}; roles are system, user, assistant, tool, metadata is JSON"
        )


class Row(msgspec.Struct, frozen=True):
    """The stored columns of a message, in the order of `COLUMNS`; what is None takes no room."""

    role: str
    state: str
    created_at: int
    text: str
    parts: str | None
    tool_calls: str | None
    tool_call_id: str | None
    tool_name: str | None
    reasoning: str | None
    speaker: str | None
    metadata: str | None
    masked: str | None
    client_id: str
    digest: bytes

    @property
    def values(self) -> tuple[Any, ...]:
        """For binding."""
        return msgspec.structs.astuple(self)

    @property
    def said(self) -> tuple[str | None, ...]:
        """What makes two attempts the same message: all that was said, without the time of the attempt."""
        return (self.role, self.text, self.parts, self.tool_calls, self.tool_call_id, self.reasoning)


COLUMNS = ", ".join(Row.__struct_fields__)
"""The columns of `messages` that a row holds, in its order."""


def digest_of(row: Row) -> bytes:
    """The content hash of a row: of everything but its state, which may change, the kinds that were masked, and the hash itself."""
    return content_digest(
        (
            row.role,
            str(row.created_at),
            row.text,
            row.parts,
            row.tool_calls,
            row.tool_call_id,
            row.tool_name,
            row.reasoning,
            row.speaker,
            row.metadata,
            row.client_id,
        )
    )


def is_as_stored(row: Row) -> bool:
    """Whether a row's content and its hash agree."""
    try:
        return digest_of(row) == row.digest
    except (TypeError, AttributeError):
        return False


def message_of(row: Row, *, key: int, session_id: str, prove: bool = False) -> Message:
    """The message that a row holds; of a damaged row what can be read, marked in its metadata.

    Args:
        row: The stored columns.
        key: The message's id.
        session_id: The session that it was said in.
        prove: Derive its hash again; costs 6 µs.
    """
    if (prove and not is_as_stored(row)) or row.role not in ROLES or row.state not in STATES:
        return _readable(row, key, session_id)
    try:
        return _message(row, key, session_id)
    except UNREADABLE:
        return _readable(row, key, session_id)


def _message(row: Row, key: int, session_id: str) -> Message:
    return Message(
        role=row.role,  # type: ignore[arg-type]  # one of the four
        text=row.text,
        parts=tuple(Part(**fields) for fields in from_json(row.parts, ())),
        tool_calls=tuple(ToolCall(**fields) for fields in from_json(row.tool_calls, ())),
        tool_call_id=row.tool_call_id,
        tool_name=row.tool_name,
        reasoning=row.reasoning,
        speaker=row.speaker,
        created_at=EPOCH + row.created_at * MILLISECOND,
        client_id=row.client_id,
        state=row.state,  # type: ignore[arg-type]  # one of the four
        metadata=from_json(row.metadata, NO_METADATA),
        masked=tuple(from_json(row.masked, ())),
        id=key,
        session_id=session_id,
        digest=row.digest.hex(),
    )


def _readable(row: Row, key: int, session_id: str) -> Message:
    """What can still be read of a damaged row, each column by itself."""
    metadata = mapping_from_json(as_text(row.metadata))
    return Message(
        role=_one_of(row.role, ROLES, "user"),
        text=as_text(row.text) or "",
        parts=_tried(lambda: tuple(Part(**fields) for fields in from_json(as_text(row.parts), ())), ()),
        tool_calls=_tried(
            lambda: tuple(ToolCall(**fields) for fields in from_json(as_text(row.tool_calls), ())), ()
        ),
        tool_call_id=as_text(row.tool_call_id),
        tool_name=as_text(row.tool_name),
        reasoning=as_text(row.reasoning),
        speaker=as_text(row.speaker),
        created_at=instant(row.created_at),
        client_id=as_text(row.client_id),
        state=_one_of(row.state, STATES, "active"),
        metadata={**metadata, DAMAGED: True},
        masked=_tried(lambda: tuple(map(str, from_json(as_text(row.masked), ()))), ()),
        id=key,
        session_id=session_id,
        digest=_tried(lambda: bytes.hex(row.digest), None),
    )


def is_damaged(message: Message) -> bool:
    """Whether a message that was read is marked as damaged."""
    return DAMAGED in message.metadata


def as_text(value: Any) -> str | None:  # noqa: ANN401 - whatever a damaged column holds
    """A column as a text; bytes that are no UTF-8 get U+FFFD in their place."""
    return (
        value.decode("utf-8", "replace")
        if isinstance(value, bytes)
        else None
        if value is None
        else str(value)
    )


def _one_of(value: Any, known: frozenset[str], default: str) -> Any:  # noqa: ANN401 - whatever a damaged column holds
    return value if isinstance(value, str) and value in known else default


def _tried(read: Callable[[], T], default: T) -> T:
    try:
        return read()
    except UNREADABLE:
        return default


def milliseconds(time: datetime) -> int:
    """Milliseconds since 1970; a time without a zone is taken as UTC.

    What lies before the year 2 or after the year 9998 is taken to the nearest time between, so that every zone can show it.
    """
    aware = time if time.tzinfo else time.replace(tzinfo=UTC)
    return min(max((aware - EPOCH) // MILLISECOND, EARLIEST), LATEST)


def instant(stored: int) -> datetime:
    """The aware time of stored milliseconds; 1970 for what a damaged column holds instead."""
    try:
        return EPOCH + stored * MILLISECOND
    except (TypeError, OverflowError):
        return EPOCH


def mapping_from_json(stored: str | None) -> Mapping[str, Any]:
    """The object of a JSON column; of a damaged one a note that it is."""
    found = _tried(lambda: from_json(stored, NO_METADATA), None)
    return found if isinstance(found, Mapping) else {DAMAGED: True}


def to_json(value: object) -> str:
    """JSON with its characters as they are."""
    return msgspec.json.encode(value).decode("utf-8")


def from_json(stored: str | None, default: Any) -> Any:  # noqa: ANN401 - JSON has no narrower type
    """The value of a JSON column, or the default where there is none."""
    return default if stored is None else msgspec.json.decode(stored)


def clean(text: str) -> str:
    """The text without lone surrogates, which no database can hold: U+FFFD stands in their place."""
    return text if text.isascii() else LONE_SURROGATES.sub("\ufffd", text)


def clean_id(name: str) -> str:
    """An id without lone surrogates; ids that differ in nothing else stay different."""
    return name if name.isascii() else LONE_SURROGATES.sub(_spelt, name)


def _spelt(found: "re.Match[str]") -> str:
    return f"\ufffd{ord(found[0]):x}"
