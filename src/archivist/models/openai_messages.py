"""A conversation in the messages of OpenAI's chat completions, as the endpoint in question takes them.

Each message is made of its own alone, but for two things: pictures in results follow behind the last result, as a result may hold text
alone, and between results and the user stands a line of the assistant's where Mistral's models demand one.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from archivist.models.call_signatures import own_details, sign_calls
from archivist.models.dialects import Dialect
from archivist.models.endpoints import Endpoint
from archivist.models.pieces import (
    NOTHING,
    PICTURES,
    data_of,
    held_in,
    key_of,
    link_of,
    short_key_of,
    text_of,
    told,
)
from archivist.records.compactions import is_compaction

Form = Mapping[str, Any]
Message = dict[str, Any]

_NO_PICTURES: Final = "this model takes no pictures"
_NOT_THERE: Final = "its bytes are gone"
_NO_PART: Final = "this provider takes none of its kind"
_SHOWN: Final = "(pictures of the results above)"
_RECEIVED: Final = "(results received)"
_SEEN: Final = "[picture: see below]"


def messages_of(forms: Sequence[Form], endpoint: Endpoint, dialect: Dialect) -> list[Message]:
    """Messages as an endpoint takes them."""
    made: list[Message] = []
    pictures: list[Message] = []
    for form in forms:
        if pictures and form.get("role") != "tool":
            made.append(_below(pictures))
            pictures = []
        message, shown = _message(form, endpoint, dialect)
        made += [message] if message else []
        pictures += shown
    made += [_below(pictures)] if pictures else []
    return _answered(made) if dialect.answers_results else made


def _answered(messages: Sequence[Message]) -> list[Message]:
    """Messages in which the assistant says something between results and the user, who may have stopped it there."""
    made = list(messages[:1])
    for before, message in pairwise(messages):
        if before["role"] == "tool" and message["role"] == "user":
            made.append({"role": "assistant", "content": _RECEIVED})
        made.append(message)
    return made


def _below(pictures: list[Message]) -> Message:
    return {"role": "user", "content": [_text(_SHOWN), *pictures]}


def _message(form: Form, endpoint: Endpoint, dialect: Dialect) -> tuple[Message | None, list[Message]]:
    """A message, and the pictures that must follow elsewhere; None where the assistant's says nothing."""
    role = form.get("role")
    if role == "assistant":
        return _said(form, endpoint, dialect), []
    parts = [part for piece in _parts(form) for part in _content(piece, endpoint, dialect)]
    if role == "tool":
        shown = [part for part in parts if part["type"] != "text"]
        parts = [part if part["type"] == "text" else _text(_SEEN) for part in parts]
        return {
            "role": "tool",
            "tool_call_id": _id(form.get("tool_call_id"), dialect),
            **_as(parts),
        }, shown
    name = {"name": form["name"]} if form.get("name") and dialect.names and role == "user" else {}
    if form.get("name") and not name:
        parts.insert(0, _text(f"[{form['name']}]"))
    return {"role": role, **_as(parts), **name}, []


def _as(parts: list[Message]) -> dict[str, Any]:
    """Parts as the content of a message: texts alone are one text, which every server takes; none of blanks alone, which some refuse."""
    said = [part for part in parts if part["type"] != "text" or part["text"].strip()]
    if any(part["type"] != "text" for part in said):
        return {"content": said}
    return {"content": "\n\n".join(part["text"] for part in said) or NOTHING}


def _said(form: Form, endpoint: Endpoint, dialect: Dialect) -> Message | None:
    texts = [*_summaries(form), *(str(part.get(str(part.get("type"))) or "") for part in _parts(form))]
    text = "\n\n".join(one for one in texts if one.strip())
    calls = [_call(call, dialect) for call in form.get("tool_calls") or () if isinstance(call, Mapping)]
    if not text and not calls:
        return None
    message: Message = {"role": "assistant", "content": text or None, **_thoughts(form, dialect)}
    if not calls:
        return message
    if dialect.signs_calls:
        sign_calls(calls, form, endpoint.model)
    if dialect.wants_thoughts:
        message.setdefault("reasoning_content", "")
    return {**message, "tool_calls": calls}


def _thoughts(form: Form, dialect: Dialect) -> dict[str, Any]:
    told = {field: form[field] for field in sorted(dialect.returns) if form.get(field)}
    if "reasoning_details" in told:
        told["reasoning_details"] = own_details(told["reasoning_details"])
    return {field: value for field, value in told.items() if value}


def _summaries(form: Form) -> Iterator[str]:
    """What a provider made of the conversation before, where it can be read: this form has no place for it but the text."""
    beside = form.get("provider_specific_fields")
    listed = beside.get("compaction_blocks") if isinstance(beside, Mapping) else ()
    yield from (
        str(block["content"]) for block in listed or () if is_compaction(block) and block.get("content")
    )


def _call(call: Form, dialect: Dialect) -> Message:
    function = call.get("function")
    held = function if isinstance(function, Mapping) else {}
    named = {"name": key_of(str(held.get("name") or "")), "arguments": text_of(held.get("arguments"))}
    return {"id": _id(call.get("id"), dialect), "type": "function", "function": named}


def _id(own: object, dialect: Dialect) -> str:
    return short_key_of(str(own or "")) if dialect.short_ids else key_of(str(own or ""))


def _parts(form: Form) -> Sequence[Form]:
    content = form.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [part for part in content if isinstance(part, Mapping)] if isinstance(content, list) else []


def _content(part: Form, endpoint: Endpoint, dialect: Dialect) -> Iterator[Message]:
    kind = part.get("type")
    if kind in {"text", "refusal"}:
        yield _text(str(part.get(str(kind)) or ""))
    elif kind == "image_url":
        yield _picture(part, endpoint)
    elif kind == "file" and dialect.reads_files and data_of(part)[0] == "application/pdf":
        yield {"type": "file", "file": dict(part["file"])}
    else:
        yield _text(told(part, _NO_PART))


def _picture(part: Form, endpoint: Endpoint) -> Message:
    if not endpoint.takes_pictures:
        return _text(told(part, _NO_PICTURES))
    media, data = data_of(part)
    if not data and not link_of(part):
        return _text(told(part, _NOT_THERE))
    if data and media not in PICTURES:
        return _text(told(part, _NO_PART))
    url = {"url": f"data:{media};base64,{data}"} if data else {}
    return {"type": "image_url", "image_url": {**held_in(part), **url}}


def _text(text: str) -> Message:
    return {"type": "text", "text": text}


__all__ = ["messages_of"]
