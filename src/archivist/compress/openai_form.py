"""The rules of OpenAI's chat completions, and of whatever speaks like them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from archivist.compress.compactions import carried_compactions
from archivist.compress.violations import Form, Violation
from archivist.records.compactions import stands_for_more

ROLES: Final = frozenset(("system", "developer", "user", "assistant", "tool"))
_PARTS: Final[Mapping[str, frozenset[str]]] = {
    "system": frozenset(("text",)),
    "developer": frozenset(("text",)),
    "tool": frozenset(("text", "image_url")),
    "user": frozenset(("text", "image_url", "input_audio", "file")),
    "assistant": frozenset(("text", "refusal", "thinking", "redacted_thinking")),
}
"""Thinking stands in messages of servers that pass Anthropic's models on."""
_CONTENT: Final = {
    "text": "text",
    "refusal": "refusal",
    "image_url": "image_url",
    "input_audio": "input_audio",
    "file": "file",
}
"""By type of a part, the field that must be filled."""
_HOLDS: Final = {"image_url": ("url",), "input_audio": ("data",), "file": ("file_id", "file_data")}
"""By type of a part that is carried, the fields of which one must be there."""
_SOUNDS: Final = frozenset(("wav", "mp3"))


def check_openai(messages: Sequence[Form], *, in_flight: bool = False) -> Iterator[Violation]:
    """Every broken rule of a list of messages."""
    for at, message in enumerate(messages):
        yield from _of_one(at, message)
    yield from _pairs(messages, in_flight=in_flight)
    spoken = [
        message.get("role") for message in messages if message.get("role") not in {"system", "developer"}
    ]
    if spoken and "user" not in spoken:
        yield Violation(-1, "no-user", "no message is a user's")


def calls_in(message: Form) -> list[Form]:
    """The calls of a message that are objects, where it has any."""
    calls = message.get("tool_calls")
    return [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []


def function_of(call: Form) -> Form:
    """What a call calls, by `name` and `arguments`; of a custom tool the input, which is free text."""
    custom, function = call.get("custom"), call.get("function")
    if call.get("type") == "custom" and isinstance(custom, dict):
        return {"name": custom.get("name"), "arguments": custom.get("input")}
    return function if isinstance(function, dict) else {}


def call_list(calls: object) -> list[Any] | None:
    """The calls as a list; None where they are something else."""
    return calls if isinstance(calls, list) else None


def is_object(arguments: object) -> bool:
    """Whether the arguments of a call are the JSON text of an object."""
    if not isinstance(arguments, str):
        return False
    try:
        return isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        return False


def is_part(part: object, role: str) -> bool:
    """Whether a message of a role may have a part."""
    return next(_part(0, part, role), None) is None


def is_custom(call: Form) -> bool:
    """Whether a call is one of a custom tool, as it must be."""
    return call.get("type") == "custom" and next(_custom(0, call), None) is None


def is_signed(block: Form) -> bool:
    """Whether a block of thinking is as its provider demands it back; some sign with an empty text."""
    if block.get("type") == "redacted_thinking":
        return bool(block.get("data"))
    return isinstance(block.get("signature"), str) and isinstance(block.get("thinking"), str)


def _of_one(at: int, message: Form) -> Iterator[Violation]:
    role = message.get("role")
    if not isinstance(role, str) or role not in ROLES:
        yield Violation(at, "role", f"the role {role!r} is none of {', '.join(sorted(ROLES))}")
        return
    yield from _content(at, message, role)
    if role != "assistant" and message.get("tool_calls"):
        yield Violation(at, "calls-of-others", f"{role} makes no calls")
    if role == "assistant" and message.get("tool_calls") is not None:
        yield from _calls(at, message["tool_calls"])
    if role == "tool" and not isinstance(message.get("tool_call_id"), str):
        yield Violation(at, "no-call-id", "a result does not say which call it answers")
    if role == "assistant" and message.get("audio") is not None and not _is_audio(message["audio"]):
        yield Violation(at, "part", "the assistant's sound has no id")
    for block in message.get("thinking_blocks") or ():
        if not isinstance(block, dict) or not is_signed(block):
            yield Violation(at, "unsigned-thinking", "a block of thinking has no signature")
    for block in carried_compactions(message):
        if role != "assistant" or not (stands_for_more(block) or block.get("content", "") is None):
            yield Violation(at, "compaction-changed", "a compaction block is not as its provider gave it")


def _is_audio(audio: object) -> bool:
    return isinstance(audio, dict) and isinstance(audio.get("id"), str)


def _content(at: int, message: Form, role: str) -> Iterator[Violation]:
    content = message.get("content")
    if isinstance(content, str):
        if not content and role == "assistant" and not _has_more(message):
            yield Violation(at, "empty", "the assistant says and calls nothing")
    elif content is None:
        if role != "assistant" or not _has_more(message):
            yield Violation(at, "empty", "there is no content")
    elif isinstance(content, list) and content:
        for part in content:
            yield from _part(at, part, role)
    else:
        yield Violation(at, "content", "the content is neither a text nor parts")


def _has_more(message: Form) -> bool:
    """Whether a message without content says something, a block that a server wants back among it."""
    return bool(
        message.get("tool_calls")
        or message.get("refusal")
        or message.get("audio")
        or carried_compactions(message)
    )


def _part(at: int, part: object, role: str) -> Iterator[Violation]:
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(part, dict) or not isinstance(kind, str) or kind not in _PARTS[role]:
        yield Violation(at, "part", f"a part of the type {kind!r} cannot be the {role}'s")
    elif kind in {"thinking", "redacted_thinking"}:
        if not is_signed(part):
            yield Violation(at, "unsigned-thinking", "a block of thinking has no signature")
    elif kind in {"text", "refusal"}:
        if not isinstance(part.get(kind), str):
            yield Violation(at, "part", f"a part of the type {kind!r} has no {_CONTENT[kind]}")
    elif not isinstance(part.get(_CONTENT[kind]), dict):
        yield Violation(at, "part", f"a part of the type {kind!r} has no {_CONTENT[kind]}")
    elif not any(isinstance(part[kind].get(field), str) for field in _HOLDS[kind]):
        yield Violation(at, "part", f"a part of the type {kind!r} has no {' or '.join(_HOLDS[kind])}")
    elif kind == "input_audio" and part[kind].get("format") not in _SOUNDS:
        yield Violation(at, "part", f"a sound has the format {part[kind].get('format')!r}")


def _calls(at: int, calls: object) -> Iterator[Violation]:
    listed = call_list(calls)
    if not listed:
        yield Violation(at, "calls", "the calls are no list, or an empty one")
        return
    for call in listed:
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(call, dict) or not isinstance(call.get("id"), str) or not call["id"]:
            yield Violation(at, "call-id", "a call has no id")
        elif call.get("type", "function") == "custom":
            yield from _custom(at, call)
        elif call.get("type", "function") != "function":
            yield Violation(at, "calls", f"there are no calls of the type {call['type']!r}")
        elif (
            not isinstance(function, dict)
            or not isinstance(function.get("name"), str)
            or not function["name"]
        ):
            yield Violation(at, "call-name", f"the call {call['id']} names no function")
        elif not is_object(function.get("arguments")):
            yield Violation(at, "arguments", f"the arguments of the call {call['id']} are no JSON object")
    ids = [call.get("id") for call in listed if isinstance(call, dict)]
    if len({str(one) for one in ids}) != len(ids):
        yield Violation(at, "call-twice", "two calls have one id")


def _custom(at: int, call: Form) -> Iterator[Violation]:
    """Of a custom tool, whose input is free text."""
    custom = call.get("custom")
    if not isinstance(custom, dict) or not isinstance(custom.get("name"), str) or not custom["name"]:
        yield Violation(at, "call-name", f"the call {call['id']} names no tool")
    elif not isinstance(custom.get("input"), str):
        yield Violation(at, "arguments", f"the input of the call {call['id']} is no text")


def _pairs(messages: Sequence[Form], *, in_flight: bool) -> Iterator[Violation]:
    """Results stand right behind the message that calls for them, one for each call."""
    waiting: dict[str, int] = {}
    for at, message in enumerate(messages):
        if message.get("role") == "tool":
            if waiting.pop(str(message.get("tool_call_id")), None) is None:
                yield Violation(
                    at, "orphan-result", f"no call just before has the id {message.get('tool_call_id')!r}"
                )
            continue
        yield from _unanswered(waiting)
        waiting = {str(call.get("id")): at for call in calls_in(message)}
    if not in_flight:
        yield from _unanswered(waiting)


def _unanswered(waiting: Mapping[str, int]) -> Iterator[Violation]:
    for key, at in waiting.items():
        yield Violation(at, "call-without-result", f"the call {key!r} has no result behind it")


__all__ = [
    "ROLES",
    "call_list",
    "calls_in",
    "check_openai",
    "function_of",
    "is_custom",
    "is_object",
    "is_part",
    "is_signed",
]
