"""A message on its way into the store: masked, without bytes, hashed.

Here and nowhere else do secrets end. What is kept of a message is decided before any transaction begins, so that a retry, the spool and
the database all hold the same row.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, cast, get_args

import msgspec
from msgspec.structs import replace

from archivist.guard import Masked, Secret, mask, mask_value
from archivist.records import Message, Part, Role, SessionStart, State, ToolCall
from archivist.records.messages import NO_METADATA
from archivist.records.patterns import late_pattern
from archivist.store.rows import (
    MessageNotStorable,
    Row,
    clean,
    clean_id,
    digest_of,
    from_json,
    milliseconds,
    to_json,
)

IDENTIFYING = frozenset(
    "source_ids request_id platform_message_id time session_key user_id sender_id chat_id thread_id parent_external_id".split()
)
"""Metadata by which a source is found again: no secrets, and a masked id would find nothing."""
MOST_NAMES = 1024
_KNOWN_PARTS = frozenset(("text", "image", "audio", "video", "file", "document"))
ROLES: frozenset[str] = frozenset(get_args(Role))
STATES: frozenset[str] = frozenset(get_args(State))
BLOB_NAME = late_pattern("[0-9a-f]{64}")
StoreBlob = Callable[[bytes, str], str]
"""Puts bytes of a media type into the blob store and returns their SHA-256 in hex."""


def prepare(message: Message, *, now: datetime, new_id: Callable[[], str], store_blob: StoreBlob) -> Row:
    """The row of a message: masked, without bytes, hashed.

    Args:
        now: When it was said, where the message does not say.
        new_id: Makes a client id, where the message has none.
        store_blob: Where the bytes of its parts go.

    Raises:
        MessageNotStorable: It has no such role or state, or its metadata is no JSON.
    """
    if message.role not in ROLES or message.state not in STATES:
        raise MessageNotStorable(f"its role is {message.role!r} and its state {message.state!r}")
    secrets: list[Secret] = []
    parts = [_stored_part(part, secrets, store_blob) for part in message.parts]
    calls = [_masked_call(call, secrets) for call in message.tool_calls]
    row = Row(
        role=message.role,
        state=message.state,
        created_at=milliseconds(message.created_at or now),
        text=_masked_text(message.text, secrets),
        parts=to_json([_part_fields(part) for part in parts]) if parts else None,
        tool_calls=to_json([_call_fields(call) for call in calls]) if calls else None,
        tool_call_id=_cleaned_id(message.tool_call_id),
        tool_name=_masked_tool(message.tool_name, secrets),
        reasoning=_masked_json(message.reasoning, secrets) if message.reasoning else None,
        speaker=_masked_name(message.speaker, secrets),
        metadata=_masked_metadata(message.metadata, secrets),
        masked=_kinds(message.masked, secrets),
        client_id=clean_id(message.client_id) if message.client_id else new_id(),
        digest=b"",
    )
    return msgspec.structs.replace(row, digest=digest_of(row))


def _kinds(told: Iterable[str], secrets: list[Secret]) -> str | None:
    """The kinds of what was masked, here or before it came here."""
    kinds = {*map(clean, told), *(secret.kind for secret in secrets)}
    return to_json(sorted(kinds)) if kinds else None


def prepare_start(start: SessionStart) -> SessionStart:
    """A session's beginning without secrets in what people wrote of it, and without characters that no database can hold."""
    return replace(
        start,
        source=clean(start.source),
        model=mask_model(start.model) if start.model else start.model,
        external_id=start.external_id and clean_id(start.external_id),
        end_reason=_cleaned_id(start.end_reason),
        scope=replace(start.scope, project=_masked_name(start.scope.project, [])),
        cwd=_masked_name(start.cwd, []),
        title=_masked_name(start.title, []),
        prompt=_masked_name(start.prompt, []),
        metadata=from_json(_masked_metadata(start.metadata, []), NO_METADATA),
    )


class PreparedSent(msgspec.Struct, frozen=True):
    """What is sent in the place of a message, as it may be stored; None where nothing else is sent."""

    text: str | None
    parts: str | None
    calls: str | None


def prepare_sent(
    text: str | None, parts: Sequence[Part] | None, calls: Sequence[ToolCall] | None
) -> PreparedSent:
    """What a model is sent in the place of a message, without secrets, as a row holds it.

    Raises:
        MessageNotStorable: A part has bytes of its own: what is sent shortened only names those that are stored.
    """
    if any(part.data is not None for part in parts or ()):
        raise MessageNotStorable("a part of what is sent in its place has bytes of its own")
    masked = None if parts is None else [_stored_part(part, [], _no_blob) for part in parts]
    called = None if calls is None else [_masked_call(call, []) for call in calls]
    return PreparedSent(
        None if text is None else mask_text(text),
        None if masked is None else to_json([_part_fields(part) for part in masked]),
        None if called is None else to_json([_call_fields(call) for call in called]),
    )


def _no_blob(_data: bytes, _media_type: str) -> str:
    raise AssertionError("what is sent in a message's place has no bytes")


def mask_text(text: str) -> str:
    """A text without secrets and without characters that no database can hold."""
    return _masked_text(text, [])


def _masked_name(text: str | None, secrets: list[Secret]) -> str | None:
    return _masked_text(text, secrets) if text else text


def _masked_tool(name: str | None, secrets: list[Secret]) -> str | None:
    if not name:
        return name
    masked = _mask_name(name)
    secrets.extend(masked.secrets)
    return masked.text


def mask_model(name: str) -> str:
    """The name of a model without secrets."""
    return _mask_name(name).text


def _cleaned_id(name: str | None) -> str | None:
    return None if name is None else clean(name)


def _masked_text(text: str, secrets: list[Secret]) -> str:
    masked = mask(clean(text))
    secrets.extend(masked.secrets)
    return masked.text


def _masked_call(call: ToolCall, secrets: list[Secret]) -> ToolCall:
    arguments, called = _masked_json(call.arguments, secrets), _mask_name(call.name)
    if (arguments, called.text) == (call.arguments, call.name):
        return call
    secrets.extend(called.secrets)
    return replace(call, name=called.text, arguments=arguments)


@lru_cache(MOST_NAMES)
def _mask_name(name: str) -> Masked:
    """The name of a tool or a model without secrets; there are few, and each comes again and again."""
    return mask(clean(name))


def _call_fields(call: ToolCall) -> dict[str, str]:
    return {"id": clean(call.id), "name": clean(call.name), "arguments": call.arguments}


def _masked_json(text: str, secrets: list[Secret]) -> str:
    """JSON text masked leaf by leaf; kept to the letter where nothing was masked and nothing is escaped."""
    try:
        value = msgspec.json.decode(text.encode("utf-8", "surrogatepass"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _masked_text(text, secrets)
    masked, found = mask_value(value)
    secrets.extend(found)
    return clean(text) if masked is value and "\\u" not in text else to_json(masked)


def _masked_metadata(metadata: Mapping[str, Any], secrets: list[Secret]) -> str | None:
    if not metadata:
        return None
    told = {key: value for key, value in metadata.items() if key not in IDENTIFYING}
    try:
        return _metadata_json(metadata, told, secrets)
    except (TypeError, ValueError, RecursionError, AttributeError) as error:
        raise MessageNotStorable(f"its metadata is no JSON ({error})") from error


def _metadata_json(metadata: Mapping[str, Any], told: dict[str, Any], secrets: list[Secret]) -> str:
    if told:
        masked, found = mask_value(_cleaned(told))
        secrets.extend(found)
        kept = {key: value for key, value in metadata.items() if key in IDENTIFYING}
        metadata = {**kept, **cast("dict[str, Any]", masked)}
    try:
        return to_json(metadata)
    except UnicodeEncodeError:
        return to_json(_cleaned(dict(metadata)))


def _cleaned(value: Any) -> Any:  # noqa: ANN401 - JSON has no narrower type
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(key): _cleaned(item) for key, item in value.items()}
    return [_cleaned(item) for item in value] if isinstance(value, list | tuple) else value


def _stored_part(part: Part, secrets: list[Secret], store_blob: StoreBlob) -> Part:
    if part.blob and not BLOB_NAME.fullmatch(part.blob):
        raise MessageNotStorable(f"its part names a blob {part.blob[:80]!r}, which is no SHA-256")
    if part.data is not None:
        part = replace(part, blob=store_blob(part.data, part.media_type), data=None)
    text = (_masked_json if _is_providers(part) else _masked_text)(part.text, secrets)
    name = _masked_text(part.name, secrets)
    return part if (text, name) == (part.text, part.name) else replace(part, text=text, name=name)


def _is_providers(part: Part) -> bool:
    """Whether a part is of a kind of its provider's own, kept as its JSON: what the provider wants back unchanged stays in it."""
    return part.kind not in _KNOWN_PARTS and part.text.startswith("{")


def _part_fields(part: Part) -> dict[str, str]:
    return dict(_filled_fields(part))


def _filled_fields(part: Part) -> Iterator[tuple[str, str]]:
    for name in ("kind", "text", "media_type", "blob", "name"):
        if value := getattr(part, name):
            yield name, clean(value)
