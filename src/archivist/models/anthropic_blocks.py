"""A conversation in the blocks of Anthropic's messages.

What follows in the conversation only adds blocks: each comes of its own message alone, in order, and those of one side stand in one
message. So the list of blocks of one request is a beginning of the next one's.
"""

import base64
import binascii
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from archivist.models.pieces import NOTHING, PICTURES, data_of, key_of, link_of, name_of, object_of, told
from archivist.records.compactions import is_compaction
from archivist.records.requests import AFTER

Block = dict[str, Any]
Form = Mapping[str, Any]

_THOUGHTS: Final = frozenset(("thinking", "redacted_thinking"))
_NO_PICTURES: Final = "this model takes no pictures"
_NO_PART: Final = "this provider takes none of its kind"
_GOES_ON: Final = "(the conversation goes on)"


def messages_of(forms: Sequence[Form], *, pictures: bool, signed: bool = True) -> list[dict[str, Any]]:
    """Messages of chat completions as Anthropic's: user and assistant take turns, the user first.

    Args:
        forms: Without the prompt.
        pictures: Whether the model reads them.
        signed: Whether thoughts with an empty signature are left out: Anthropic refuses them, others gave them and want them back.
    """
    made: list[dict[str, Any]] = []
    for form in forms:
        role = "assistant" if form.get("role") == "assistant" else "user"
        blocks = list(_blocks(form, pictures=pictures, signed=signed))
        if made and made[-1]["role"] == role:
            made[-1]["content"].extend(blocks)
        elif blocks:
            made.append({"role": role, "content": blocks})
    if made and made[0]["role"] == "assistant" and not is_compaction(made[0]["content"][0]):
        made.insert(0, {"role": "user", "content": [_text(_GOES_ON)]})
    return made


def _blocks(form: Form, *, pictures: bool, signed: bool) -> Iterator[Block]:
    role = form.get("role")
    if role == "assistant":
        yield from _said(form, signed=signed)
    elif role == "tool":
        content = list(_contents(form, pictures=pictures)) or [_text(NOTHING)]
        key = key_of(str(form.get("tool_call_id") or ""))
        yield {"type": "tool_result", "tool_use_id": key, "content": content}
    else:
        if form.get("name"):
            yield _text(f"[{form['name']}]")
        blocks = list(_contents(form, pictures=pictures)) or [_text(NOTHING)]
        yield from blocks if role == "user" else [_text("<system>"), *blocks, _text("</system>")]


def _said(form: Form, *, signed: bool) -> Iterator[Block]:
    """What the assistant thought, said and called: thoughts first, to the letter, or where they came; they may not come last."""
    yield from _compactions(form)
    texts = [str(part.get(str(part.get("type"))) or "") for part in _parts(form)]
    calls = [_call(call) for call in form.get("tool_calls") or () if isinstance(call, Mapping)]
    thoughts = [one for one in form.get("thinking_blocks") or () if _is_thought(one, signed=signed)]
    if any(AFTER in one for one in thoughts):
        yield from _woven("".join(texts), calls, thoughts)
        return
    said = [_text(text.rstrip()) for text in texts if text.strip()]
    if said or calls:
        yield from map(_thought, thoughts)
    yield from said
    yield from calls


def _woven(text: str, calls: Sequence[Block], thoughts: Sequence[Form]) -> list[Block]:
    """Blocks in the order in which they came."""
    made: list[Block] = []
    told = called = 0
    for thought in thoughts:
        characters, number = _place(thought)
        made += [_text(said) for said in [text[told:characters].rstrip()] if said]
        made += [*calls[called:number], _thought(thought)]
        told, called = max(told, characters), max(called, number)
    made += [_text(said) for said in [text[told:].rstrip()] if said]
    made += calls[called:]
    while made and made[-1]["type"] in _THOUGHTS:
        made.pop()
    return made


def _place(thought: Form) -> tuple[int, int]:
    """Behind how many characters and calls it came; at the beginning where nothing that can be read says so."""
    match thought.get(AFTER):
        case [int(characters), int(number)] if characters >= 0 and number >= 0:
            return characters, number
    return 0, 0


def _compactions(form: Form) -> Iterator[Block]:
    beside = form.get("provider_specific_fields")
    listed = beside.get("compaction_blocks") if isinstance(beside, Mapping) else ()
    for block in listed or ():
        if is_compaction(block) and "content" in block:
            yield dict(block)


def _is_thought(block: object, *, signed: bool) -> bool:
    if not isinstance(block, Mapping) or block.get("type") not in _THOUGHTS:
        return False
    if block["type"] == "redacted_thinking":
        return bool(block.get("data"))
    signature = block.get("signature")
    return bool(signature) if signed else isinstance(signature, str)


def _thought(block: Form) -> Block:
    fields = ("type", "data") if block["type"] == "redacted_thinking" else ("type", "thinking", "signature")
    return {field: block.get(field, "") for field in fields}


def _call(call: Form) -> Block:
    function = call.get("function")
    held = function if isinstance(function, Mapping) else {}
    return {
        "type": "tool_use",
        "id": key_of(str(call.get("id") or "")),
        "name": key_of(str(held.get("name") or "")),
        "input": object_of(held.get("arguments")),
    }


def _contents(form: Form, *, pictures: bool) -> Iterator[Block]:
    for part in _parts(form):
        yield from _content(part, pictures=pictures)


def _parts(form: Form) -> Iterable[Form]:
    content = form.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [part for part in content if isinstance(part, Mapping)] if isinstance(content, list) else []


def _content(part: Form, *, pictures: bool) -> Iterator[Block]:
    kind = part.get("type")
    if kind in {"text", "refusal"}:
        if (text := str(part.get(str(kind)) or "")).strip():
            yield _text(text)
    elif kind == "image_url":
        yield _picture(part, pictures=pictures)
    else:
        yield _document(part) if kind == "file" else _text(told(part, _NO_PART))


def _picture(part: Form, *, pictures: bool) -> Block:
    if not pictures:
        return _text(told(part, _NO_PICTURES))
    media, data = data_of(part)
    if media in PICTURES:
        return {"type": "image", "source": {"type": "base64", "media_type": media, "data": data}}
    if link := link_of(part):
        return {"type": "image", "source": {"type": "url", "url": link}}
    return _text(told(part, _NO_PART))


def _document(part: Form) -> Block:
    """A file that it reads itself; of a text its words."""
    media, data = data_of(part)
    titled = {"title": name} if (name := name_of(part)) else {}
    if media == "application/pdf":
        source = {"type": "base64", "media_type": media, "data": data}
        return {"type": "document", "source": source, **titled}
    words = _decoded(data) if media.startswith("text/") else ""
    if words.strip():
        return {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": words},
            **titled,
        }
    return _text(told(part, _NO_PART))


def _decoded(data: str) -> str:
    try:
        return base64.b64decode(data, validate=True).decode()
    except (binascii.Error, ValueError):
        return ""


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


__all__ = ["Block", "messages_of"]
