"""The rules of the input items of OpenAI's responses: messages, calls and outputs are items of their own."""

from collections.abc import Iterator, Sequence
from typing import Final

from archivist.compress.openai_form import is_object
from archivist.compress.violations import Form, Violation

_ROLES: Final = frozenset(("system", "developer", "user", "assistant"))
_PARTS: Final = {
    "assistant": frozenset(("output_text", "refusal")),
    "user": frozenset(("input_text", "input_image", "input_file", "input_audio")),
}
_CALLS: Final = {"function_call": "function_call_output", "custom_tool_call": "custom_tool_call_output"}
"""By type of a call, the type of its output. Items of other types are the server's own, and are sent back as they came."""


def check_responses(items: Sequence[Form], *, in_flight: bool = False) -> Iterator[Violation]:
    """Every broken rule of a list of items."""
    waiting: dict[tuple[str, str], int] = {}
    outputs = {output: call for call, output in _CALLS.items()}
    for at, item in enumerate(items):
        kind = str(item.get("type", "message"))
        key = str(item.get("call_id"))
        if kind == "message":
            yield from _message(at, item)
        elif kind in _CALLS:
            yield from _call(at, item, kind)
            waiting[kind, key] = at
        elif kind in outputs and waiting.pop((outputs[kind], key), None) is None:
            yield Violation(at, "orphan-result", f"no call before has the id {key!r}")
        elif kind in {"reasoning", "compaction"} and not (item.get("id") or item.get("encrypted_content")):
            yield Violation(
                at, "unsigned-thinking", f"an item of {kind} has neither id nor encrypted content"
            )
    last = max(waiting.values(), default=-1)
    for (_, key), at in waiting.items():
        if not (in_flight and _is_open(items, at, last)):
            yield Violation(at, "call-without-result", f"the call {key!r} has no output")


def _is_open(items: Sequence[Form], at: int, last: int) -> bool:
    """Whether nothing but calls, their outputs and reasoning stands behind a call."""
    return last >= at and all(str(item.get("type", "message")) != "message" for item in items[at:])


def _message(at: int, item: Form) -> Iterator[Violation]:
    role, content = item.get("role"), item.get("content")
    if role not in _ROLES:
        yield Violation(at, "role", f"the role {role!r} is none of {', '.join(sorted(_ROLES))}")
    elif isinstance(content, list) and content:
        allowed = _PARTS.get(str(role), _PARTS["user"])
        for part in content:
            kind = part.get("type") if isinstance(part, dict) else None
            if kind not in allowed:
                yield Violation(at, "part", f"a part of the type {kind!r} cannot be the {role}'s")
    elif not isinstance(content, str) or not content:
        yield Violation(at, "empty", "there is no content")


def _call(at: int, item: Form, kind: str) -> Iterator[Violation]:
    if not isinstance(item.get("call_id"), str) or not item["call_id"]:
        yield Violation(at, "call-id", "a call has no id")
    if not isinstance(item.get("name"), str) or not item["name"]:
        yield Violation(at, "call-name", f"the call {item.get('call_id')} names no tool")
    if kind == "function_call" and not is_object(item.get("arguments")):
        yield Violation(
            at, "arguments", f"the arguments of the call {item.get('call_id')} are no JSON object"
        )
