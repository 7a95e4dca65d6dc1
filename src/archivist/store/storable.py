"""Whether a message has the form of one, asked at the door: what a caller's slip would break further in is named here."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from archivist.records import Message, Part, ToolCall
from archivist.store.rows import MessageNotStorable

Kinds = type | tuple[type, ...]

NONE: Final = type(None)
TEXT_OR_NONE: Final = (str, NONE)
FIELDS: Final[tuple[tuple[str, Kinds], ...]] = (
    ("text", str),
    ("tool_call_id", TEXT_OR_NONE),
    ("tool_name", TEXT_OR_NONE),
    ("reasoning", TEXT_OR_NONE),
    ("speaker", TEXT_OR_NONE),
    ("client_id", TEXT_OR_NONE),
    ("created_at", (datetime, NONE)),
    ("metadata", Mapping),
)
TEXTS_OF_PART: Final = ("kind", "text", "media_type", "blob", "name")
TEXTS_OF_CALL: Final = ("id", "name", "arguments")


def check_form(message: Message) -> None:
    """Refuse what is no message, or has something else where a text, a time or a mapping belongs.

    Raises:
        MessageNotStorable: It says what is wrong.
    """
    if not isinstance(message, Message):
        raise MessageNotStorable(f"{_kind(message)} is no Message")
    for name, kinds in FIELDS:
        if not isinstance(getattr(message, name), kinds):
            _expect(name, getattr(message, name), kinds)
    for part in message.parts:
        _check_part(part)
    for call in message.tool_calls:
        _check_call(call)


def _check_part(part: Part) -> None:
    if not isinstance(part, Part):
        raise MessageNotStorable(f"among its parts is {_kind(part)}, which is no Part")
    for name in TEXTS_OF_PART:
        _expect(f"part's {name}", getattr(part, name), str)
    _expect("part's data", part.data, (bytes, NONE))


def _check_call(call: ToolCall) -> None:
    if not isinstance(call, ToolCall):
        raise MessageNotStorable(f"among its tool calls is {_kind(call)}, which is no ToolCall")
    for name in TEXTS_OF_CALL:
        _expect(f"tool call's {name}", getattr(call, name), str)


def _expect(name: str, value: object, kinds: Kinds) -> None:
    if not isinstance(value, kinds):
        called = " or ".join(kind.__name__ for kind in ((kinds,) if isinstance(kinds, type) else kinds))
        raise MessageNotStorable(f"its {name} is {_kind(value)}, not {called.replace('NoneType', 'None')}")


def _kind(value: object) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"
