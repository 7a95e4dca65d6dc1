"""The items of OpenAI's responses: what each kind must hold, and which of them answer which.

The kinds and their fields are those of the provider's own types: https://developers.openai.com/api/reference/resources/responses
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from archivist.compress.openai_form import is_object
from archivist.compress.violations import Form, Violation

Holds = Callable[[object], bool]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def is_name(value: object) -> bool:
    """Whether a value is a text that says something."""
    return isinstance(value, str) and bool(value)


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _is_dict(value: object) -> bool:
    return isinstance(value, dict)


def _is_text_or_null(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_list_or_null(value: object) -> bool:
    return value is None or isinstance(value, list)


def _is_told(value: object) -> bool:
    return isinstance(value, str | list)


ITEMS: Final[Mapping[str, Mapping[str, Holds]]] = {
    "reasoning": {"summary": _is_list},
    "compaction": {"encrypted_content": is_name},
    "compaction_trigger": {},
    "item_reference": {"id": is_name},
    "function_call": {},
    "function_call_output": {"output": _is_told},
    "custom_tool_call": {"input": _is_text},
    "custom_tool_call_output": {"output": _is_told},
    "local_shell_call": {"id": is_name, "action": _is_dict, "status": is_name},
    "local_shell_call_output": {"output": _is_text},
    "shell_call": {"action": _is_dict},
    "shell_call_output": {"output": _is_list},
    "apply_patch_call": {"operation": _is_dict, "status": is_name},
    "apply_patch_call_output": {"status": is_name},
    "computer_call": {"id": is_name, "pending_safety_checks": _is_list, "status": is_name},
    "computer_call_output": {"output": _is_dict},
    "tool_search_call": {"arguments": lambda value: value is not None},
    "tool_search_output": {"tools": _is_list},
    "file_search_call": {"id": is_name, "queries": _is_list, "status": is_name},
    "web_search_call": {"id": is_name, "action": _is_dict, "status": is_name},
    "image_generation_call": {"id": is_name, "result": _is_text_or_null, "status": is_name},
    "code_interpreter_call": {
        "id": is_name,
        "code": _is_text_or_null,
        "container_id": is_name,
        "outputs": _is_list_or_null,
        "status": is_name,
    },
    "mcp_list_tools": {"id": is_name, "server_label": is_name, "tools": _is_list},
    "mcp_approval_request": {"id": is_name, "arguments": _is_text, "name": is_name, "server_label": is_name},
    "mcp_approval_response": {
        "approval_request_id": is_name,
        "approve": lambda value: isinstance(value, bool),
    },
    "mcp_call": {"id": is_name, "arguments": _is_text, "name": is_name, "server_label": is_name},
    "additional_tools": {"role": lambda value: value == "developer", "tools": _is_list},
    "configuration_update": {},
    "program": {"id": is_name, "call_id": is_name, "code": _is_text, "fingerprint": is_name},
    "program_output": {"id": is_name, "call_id": is_name, "result": _is_text, "status": is_name},
}
"""By type of an item, the fields that it must have beside those that have a rule of their own."""

CALLS: Final[Mapping[str, str]] = {
    "function_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
    "local_shell_call": "local_shell_call_output",
    "shell_call": "shell_call_output",
    "apply_patch_call": "apply_patch_call_output",
    "computer_call": "computer_call_output",
}
"""By type of a call that somebody else than the server answers, the type of its output."""
CALL_OF: Final[Mapping[str, str]] = {output: call for call, output in CALLS.items()}
_NAMED: Final = frozenset(("function_call", "custom_tool_call"))

SPOKEN_BY_MODEL: Final = frozenset(ITEMS) - {
    *CALL_OF,
    "mcp_approval_response",
    "additional_tools",
    "configuration_update",
    "compaction_trigger",
    "tool_search_output",
}
"""Items that a response can hold, and behind which reasoning can stand."""

PARTS: Final[Mapping[str, frozenset[str]]] = {
    "assistant": frozenset(("output_text", "refusal")),
    "user": frozenset(("input_text", "input_image", "input_file")),
}
_PART_HOLDS: Final[Mapping[str, tuple[str, ...]]] = {
    "output_text": ("text",),
    "refusal": ("refusal",),
    "input_text": ("text",),
    "input_image": ("image_url", "file_id"),
    "input_file": ("file_data", "file_id", "file_url"),
}
"""By type of a part, the fields of which one must be there."""


def kind_of(item: Form) -> str:
    """The type of an item; a message and a reference need not say theirs."""
    if item.get("type") is None:
        return "item_reference" if "role" not in item and "id" in item else "message"
    return str(item["type"])


def check_item(at: int, item: Form, kind: str) -> Iterator[Violation]:
    """What is wrong with one item that is no message."""
    if kind not in ITEMS:
        yield Violation(at, "item", f"there are no items of the type {kind!r}")
        return
    for field, holds in ITEMS[kind].items():
        if field not in item or not holds(item[field]):
            rule = "compaction-changed" if kind == "compaction" else "item"
            yield Violation(at, rule, f"an item of the type {kind!r} has no {field}")
    if kind == "reasoning" and not (is_name(item.get("id")) or is_name(item.get("encrypted_content"))):
        yield Violation(at, "unsigned-thinking", "an item of reasoning has neither id nor encrypted content")
    if kind in CALLS and not is_name(item.get("call_id")):
        yield Violation(at, "call-id", "a call has no id")
    if kind in _NAMED and not is_name(item.get("name")):
        yield Violation(at, "call-name", f"the call {item.get('call_id')} names no tool")
    if kind == "function_call" and not is_object(item.get("arguments")):
        yield Violation(
            at, "arguments", f"the arguments of the call {item.get('call_id')} are no JSON object"
        )
    if kind in {"function_call_output", "custom_tool_call_output"} and isinstance(item.get("output"), list):
        yield from check_parts(at, item["output"], "user")


def check_parts(at: int, parts: list[Any], role: str) -> Iterator[Violation]:
    """What is wrong with the parts of a message, or of an output, whose parts are like the user's."""
    allowed = PARTS.get(role, PARTS["user"])
    for part in parts:
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(part, dict) or not isinstance(kind, str) or kind not in allowed:
            yield Violation(at, "part", f"a part of the type {kind!r} cannot be the {role}'s")
        elif not any(_is_text(part.get(field)) for field in _PART_HOLDS[kind]):
            yield Violation(
                at, "part", f"a part of the type {kind!r} has no {' or '.join(_PART_HOLDS[kind])}"
            )


__all__ = [
    "CALLS",
    "CALL_OF",
    "ITEMS",
    "PARTS",
    "SPOKEN_BY_MODEL",
    "check_item",
    "check_parts",
    "is_name",
    "kind_of",
]
