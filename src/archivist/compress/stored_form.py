"""Stored messages in the form that the phases read, and back again: which row each message is, and what of it was shortened.

A message leads back to its row by `archivist_id`. What has none has no row: the system prompt, a new summary, and what stands for a result
that was never kept. That is made again each time that a context is sent, so a row is the only thing that must be remembered.

Bytes stay where they are: a picture is told by `blob:` and its hash until `with_bytes` puts the bytes in its place.
"""

import base64
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from archivist.compress.openai_form import calls_in
from archivist.compress.pictures import BLOB, described
from archivist.compress.repairing import repair
from archivist.compress.summary_form import NOT_ONE, is_summary
from archivist.compress.violations import Form
from archivist.prompt.fence import OPENING, fenced
from archivist.records import Message, Part, ToolCall
from archivist.records.compactions import is_compaction
from archivist.records.messages import BACKGROUND, OUTPUT
from archivist.store.compacting import Sent
from archivist.store.lines import SUMMARY

ROW: Final = "archivist_id"
"""Under this key stands the id of the row."""
_OWN: Final = frozenset((ROW, NOT_ONE, "pinned"))
"""Keys for the phases alone: no provider is sent them."""
_THOUGHT: Final = ("thinking_blocks", "reasoning_details", "reasoning_content", "reasoning")
_BYTES: Final = {"image_url": "url", "input_audio": "data", "file": "file_data"}
"""By type of a part, the field that holds or names bytes."""
_UNKNOWN: Final = "application/octet-stream"
_NOT_A_NAME: Final = re.compile(r"[\s<>|\\/\[\]]+")
_NOT_A_KIND: Final = re.compile(r"[^a-z]+")
_LONGEST_NAME: Final = 64


def forms_of(messages: Sequence[Message], prompt: str | None = None) -> list[Form]:
    """Messages as the phases read them, the system prompt before them.

    Calls without an id get one, and one that was used before becomes another: no provider takes either.
    """
    ids = _CallIds()
    forms = [_form(message, ids) for message in messages]
    return [{"role": "system", "content": prompt}, *forms] if prompt else forms


def without_own(forms: Sequence[Form]) -> list[dict[str, Any]]:
    """Messages as a provider is sent them, without the keys that are for the phases."""
    return [{key: value for key, value in form.items() if key not in _OWN} for form in forms]


def with_bytes(forms: Sequence[Form], read: Callable[[str], bytes | None]) -> list[Form]:
    """Messages with the bytes that they refer to in them; what is gone is told in a line.

    Args:
        forms: As `forms_of` gives them; they are left as they are.
        read: Gives the bytes of a blob, or None where it is missing.
    """
    return [
        {**form, "content": [_with_bytes(part, form, read) for part in form["content"]]}
        if isinstance(form.get("content"), list)
        else form
        for form in forms
    ]


def shortened_in(after: Sequence[Form], stored: Sequence[Message]) -> list[Sent]:
    """The rows among the messages that came out of a pass, in order, each with what of it became otherwise.

    Args:
        after: What came out.
        stored: The rows that went in, in order, as they were sent.
    """
    given = forms_of(stored)
    sound = {form[ROW]: form for form in repair(given) if ROW in form}
    rows = {message.id: (message, form) for message, form in zip(stored, given, strict=True)}
    return [
        _shortened(*rows[form[ROW]], sound[form[ROW]], form)
        for form in after
        if ROW in form and form[ROW] in sound
    ]


class _CallIds:
    """The ids of calls, each once in a list; results are led to the call that they answer."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._latest: dict[str, str] = {}
        self._unnamed: list[str] = []

    def of_call(self, call: ToolCall, row: int | None, number: int) -> str:
        """Its own, or another where it has none or that was used before."""
        key = call.id
        if not key or key in self._used:
            key = f"{key or 'call'}-{row}-{number}"
        self._used.add(key)
        if call.id:
            self._latest[call.id] = key
        elif call.name:  # a call without a tool is none that is sent
            self._unnamed.append(key)
        return key

    def of_result(self, message: Message) -> str | None:
        """The id of the call that a result answers; None where none waits for it."""
        if message.tool_call_id:
            return self._latest.get(message.tool_call_id, message.tool_call_id)
        return self._unnamed.pop(0) if self._unnamed else None


def _form(message: Message, ids: _CallIds) -> Form:
    form: dict[str, Any] = {"role": message.role, "content": _content(message)}
    if message.id is not None:
        form[ROW] = message.id
    if message.metadata.get("pinned") is True:
        form["pinned"] = True
    if message.id is not None and message.metadata.get(SUMMARY) is not True and is_summary(form):
        form[NOT_ONE] = True
    if message.role == "tool":
        form["tool_call_id"] = ids.of_result(message)
    if name := _name(message):
        form["name"] = name
    if message.tool_calls:
        form["tool_calls"] = [
            _call(call, ids.of_call(call, message.id, number))
            for number, call in enumerate(message.tool_calls)
        ]
    return form | _thought(message)


def _call(call: ToolCall, key: str) -> dict[str, Any]:
    return {"id": key, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _name(message: Message) -> str:
    """The tool of a result, and who speaks where several do, in the characters that a name may have."""
    told = {"tool": message.tool_name, "user": message.speaker}.get(message.role) or ""
    return _NOT_A_NAME.sub("_", told)[:_LONGEST_NAME].strip("_")


def _content(message: Message) -> str | list[dict[str, Any]] | None:
    if pieces := _pieces(message):
        return [form for form, _ in pieces]
    return message.text if message.text or not message.tool_calls else None


_Piece = tuple[dict[str, Any], Part | None]
"""A part in that form and the part itself; None for the words of a picture, which stand before it."""


def _pieces(message: Message) -> list[_Piece]:
    """The parts of a message; none where its text is all there is."""
    parts = [part for part in message.parts if part.kind != OUTPUT]
    if not parts:
        return []
    if "\n".join(part.text for part in parts if part.kind == "text") != message.text:
        said = [Part("text", message.text)] if message.text else []
        parts = [*said, *(part for part in parts if part.kind != "text")]
    return [piece for part in parts for piece in _pieces_of(part, message.role)]


def _pieces_of(part: Part, role: str) -> Iterator[_Piece]:
    if part.kind == "text":
        if part.text.strip():  # Anthropic refuses a block of blanks
            yield _text(part.text), part
    elif part.kind == BACKGROUND:
        yield _text(part.text if part.text.startswith(OPENING) else fenced(part.text)), part
    elif part.blob and _can_carry(part, role):
        if part.text:
            yield _text(_attached(part)), None
        yield _carried(part), part
    else:
        yield _text(_attached(part)), part


def _can_carry(part: Part, role: str) -> bool:
    """Whether bytes are sent: a picture's that is shown; of anything else what was read of it, where it was."""
    if part.kind == "image":
        return role in {"user", "tool"}
    return role == "user" and not part.text


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _carried(part: Part) -> dict[str, Any]:
    """A part that refers to bytes."""
    reference = f"{BLOB}{part.blob}#{part.media_type}"
    if part.kind == "image":
        return {"type": "image_url", "image_url": {"url": reference}}
    if part.kind == "audio":
        audio = {"data": reference, "format": part.media_type.rpartition("/")[2] or "wav"}
        return {"type": "input_audio", "input_audio": audio}
    return {"type": "file", "file": {"filename": part.name or part.kind, "file_data": reference}}


def _with_bytes(part: dict[str, Any], form: Form, read: Callable[[str], bytes | None]) -> dict[str, Any]:
    field = _BYTES.get(part["type"])
    told = dict(part[part["type"]]) if field else {}
    name, _, media_type = str(told.get(field or "", "")).removeprefix(BLOB).partition("#")
    if field is None or not str(told[field]).startswith(BLOB):
        return part
    raw = read(name)
    if raw is None:
        return described(part, str(form.get(ROW, "")))
    data = base64.b64encode(raw).decode()
    url = data if part["type"] == "input_audio" else f"data:{media_type or _UNKNOWN};base64,{data}"
    return {**part, part["type"]: {**told, field: url}}


def _attached(part: Part) -> str:
    """What a provider has no part for, as text between tags that say what it is: nobody said it."""
    tag = f"attached-{_NOT_A_KIND.sub('-', part.kind.casefold()).strip('-') or 'part'}"
    told = " ".join(re.sub(r"[<>\n]", "_", fact) for fact in (part.name, part.media_type, part.blob) if fact)
    return f"<{tag}{f' {told}' if told else ''}>\n{part.text}\n</{tag}>"


def _thought(message: Message) -> dict[str, Any]:
    """What the model thought, where it can be sent back: signed blocks, or the fields that a server gave; and Anthropic's compactions.

    What was masked is not what was signed. Reasoning of other forms, and what only OpenAI's responses read, is not for chat completions.
    """
    if message.role != "assistant" or not message.reasoning or message.masked:
        return {}
    try:
        told = msgspec.json.decode(message.reasoning)
    except (msgspec.DecodeError, RecursionError):
        return {}
    if isinstance(told, Mapping):
        return {name: told[name] for name in _THOUGHT if told.get(name)}
    listed = told if isinstance(told, list) else []
    blocks = [one for one in listed if _is_thinking(one)]
    made = [one for one in listed if is_compaction(one) and "content" in one]
    beside = {"provider_specific_fields": {"compaction_blocks": made}} if made else {}
    return ({"thinking_blocks": blocks} if blocks else {}) | beside


def _is_thinking(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") in {"thinking", "redacted_thinking"}


def _shortened(row: Message, given: Form, sound: Form, after: Form) -> Sent:
    """A row in what came out, beside the form in which it went in and that form repaired."""
    key, content, calls = row.id or 0, after.get("content"), None
    if calls_in(after) != calls_in(sound):
        stored = {call["id"]: own for call, own in zip(given["tool_calls"], row.tool_calls, strict=True)}
        calls = tuple(_cut_call(stored[call["id"]], call) for call in calls_in(after))
    if content == sound.get("content"):
        return Sent(key, tool_calls=calls)
    if not isinstance(content, list):
        return Sent(key, str(content or ""), () if row.parts else None, calls)
    parts = tuple(_parts_back(row, content))
    return Sent(key, "\n".join(part.text for part in parts if part.kind == "text"), parts, calls)


def _cut_call(own: ToolCall, call: Form) -> ToolCall:
    """A call under the id that is stored."""
    return msgspec.structs.replace(own, arguments=str((call.get("function") or {}).get("arguments", "")))


def _parts_back(row: Message, content: Sequence[dict[str, Any]]) -> Iterator[Part]:
    own = _pieces(row)
    for piece in content:
        at = next((at for at, (form, _) in enumerate(own) if form == piece), None)
        part = None if at is None else own[at][1]
        if part is not None:
            yield part
        elif at is None or own[at + 1][0] not in content:
            yield Part("text", str(piece.get("text", "")))


__all__ = [
    "BACKGROUND",
    "ROW",
    "forms_of",
    "shortened_in",
    "with_bytes",
    "without_own",
]
