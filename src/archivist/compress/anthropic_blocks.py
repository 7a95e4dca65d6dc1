"""The blocks of Anthropic's messages: whose each can be, and what it must hold.

The kinds and their fields are those of the provider's own types: https://platform.claude.com/docs/en/api/messages
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from archivist.compress.openai_form import is_signed
from archivist.compress.violations import Form, Violation
from archivist.records.compactions import is_sealed

_OF: Final[Mapping[str, frozenset[str]]] = {
    "user": frozenset(
        ("text", "image", "document", "search_result", "tool_result", "container_upload", "compaction")
    ),
    "assistant": frozenset(
        (
            "text",
            "thinking",
            "redacted_thinking",
            "tool_use",
            "server_tool_use",
            "mcp_tool_use",
            "mcp_tool_listing",
            "container_upload",
            "fallback",
            "compaction",
        )
    ),
    "system": frozenset(("text", "tool_addition", "tool_removal")),
}
_SERVERS_RESULT: Final = "_tool_result"
"""The end of the types of results that Anthropic's own tools leave in a message of the assistant."""
_IN_RESULTS: Final = frozenset(("text", "image", "document", "search_result", "tool_reference"))
_COMPACTION_FIELDS: Final = frozenset(
    ("type", "content", "encrypted_content", "signature", "tool_changes", "cache_control")
)
_ID: Final = re.compile(r"[A-Za-z0-9_-]+")
_PICTURES: Final = frozenset(("image/jpeg", "image/png", "image/gif", "image/webp"))

_Holds = Callable[[object], bool]


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _is_id(value: object) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _is_told(value: object) -> bool:
    return isinstance(value, list | dict)


_BY_SOURCE: Final[Mapping[str, Mapping[str, _Holds]]] = {
    "url": {"url": _is_name},
    "file": {"file_id": _is_name},
    "text": {"data": lambda value: isinstance(value, str)},
    "content": {"content": lambda value: isinstance(value, str | list)},
    "base64": {"data": _is_name, "media_type": _is_name},
}
_SOURCES: Final[Mapping[str, frozenset[str]]] = {
    "image": frozenset(("base64", "url", "file")),
    "document": frozenset(("base64", "url", "file", "text", "content")),
}
_NEEDS: Final[Mapping[str, Mapping[str, _Holds]]] = {
    "search_result": {"source": _is_name, "title": lambda value: isinstance(value, str), "content": _is_list},
    "container_upload": {"file_id": _is_name},
    "fallback": {"from": _is_object, "to": _is_object},
    "mcp_tool_listing": {"mcp_server_name": _is_name, "tools": _is_list},
    "mcp_tool_use": {"server_name": _is_name},
    "tool_addition": {"tool": _is_object},
    "tool_removal": {"tool": _is_object},
    "tool_reference": {"tool_name": _is_name},
}
"""By type of a block, the fields that it must have beside those that have a rule of their own."""


def check_block(at: int, block: Form, role: str) -> Iterator[Violation]:
    """What is wrong with one block of a message."""
    kind = str(block.get("type"))
    if kind not in _OF[role] and not (role == "assistant" and is_servers_result(block)):
        yield Violation(at, "part", f"a block of the type {kind!r} cannot be the {role}'s")
        return
    yield from _held(at, block, kind)
    if kind in {"thinking", "redacted_thinking"} and not is_signed(block):
        yield Violation(at, "unsigned-thinking", "a block of thinking has no signature")
    elif is_call(block) or kind == "tool_use":
        yield from _call(at, block)
    elif kind == "tool_result":
        yield from _result(at, block)
    elif kind == "compaction":
        yield from _compaction(at, block, role)
    elif is_servers_result(block):
        yield from _servers_result(at, block, kind)


def is_call(block: Form) -> bool:
    """Whether a block calls a tool that runs at Anthropic's."""
    return block.get("type") in {"server_tool_use", "mcp_tool_use"}


def is_servers_result(block: Form) -> bool:
    """Whether a block is the result of such a call."""
    return str(block.get("type")).endswith(_SERVERS_RESULT)


def _held(at: int, block: Form, kind: str) -> Iterator[Violation]:
    """What must stand in a block of whatever kind, wherever it stands."""
    if kind == "text" and not (isinstance(block.get("text"), str) and block["text"].strip()):
        yield Violation(at, "empty", "a block of text has no text")
    if kind in _SOURCES:
        yield from _source(at, block.get("source"), kind)
    for field, holds in _NEEDS.get(kind, {}).items():
        if not holds(block.get(field)):
            yield Violation(at, "part", f"a block of the type {kind!r} has no {field}")
    if kind == "search_result" and isinstance(block.get("content"), list):
        for one in block["content"]:
            if not isinstance(one, dict) or one.get("type") != "text":
                yield Violation(at, "part", "a search result holds something else than texts")
            else:
                yield from _held(at, one, "text")


def _source(at: int, source: object, kind: str) -> Iterator[Violation]:
    of = source.get("type") if isinstance(source, dict) else None
    if not isinstance(source, dict) or not isinstance(of, str) or of not in _SOURCES[kind]:
        yield Violation(at, "part", f"{kind} has no source")
        return
    for field, holds in _BY_SOURCE[of].items():
        if not holds(source.get(field)):
            yield Violation(at, "part", f"the source of {kind} has no {field}")
    media = source.get("media_type")
    wanted = _PICTURES if kind == "image" else {"application/pdf"}
    if of == "base64" and media and media not in wanted:
        yield Violation(at, "part", f"{kind} is of the type {media!r}, which is none of {_listed(wanted)}")


def _listed(names: "frozenset[str] | set[str]") -> str:
    return ", ".join(sorted(names))


def _call(at: int, block: Form) -> Iterator[Violation]:
    if not _is_id(block.get("id")):
        yield Violation(at, "call-id", "a call has no id of letters, digits, _ and - alone")
    if not _is_name(block.get("name")):
        yield Violation(at, "call-name", f"the call {block.get('id')} names no tool")
    if not isinstance(block.get("input"), dict):
        yield Violation(at, "arguments", f"the input of the call {block.get('id')} is no object")


def _result(at: int, block: Form) -> Iterator[Violation]:
    if not isinstance(block.get("tool_use_id"), str):
        yield Violation(at, "no-call-id", "a result does not say which call it answers")
    content = block.get("content")
    if content is None or isinstance(content, str):
        return
    if not isinstance(content, list):
        yield Violation(at, "content", "the content of a result is neither a text nor blocks")
        return
    for one in content:
        kind = one.get("type") if isinstance(one, dict) else None
        if not isinstance(one, dict) or not isinstance(kind, str) or kind not in _IN_RESULTS:
            yield Violation(at, "part", f"a block of the type {kind!r} cannot stand in a result")
        elif block.get("is_error") is True and kind != "text":
            yield Violation(at, "part", f"a result that is an error holds {kind}, and may hold texts alone")
        else:
            yield from _held(at, one, kind)


def _servers_result(at: int, block: Form, kind: str) -> Iterator[Violation]:
    if not isinstance(block.get("tool_use_id"), str):
        yield Violation(at, "no-call-id", "a result does not say which call it answers")
    if kind != "mcp_tool_result" and not _is_told(block.get("content")):
        yield Violation(at, "part", f"a block of the type {kind!r} has no content")


def _compaction(at: int, block: Mapping[str, Any], role: str) -> Iterator[Violation]:
    content = block.get("content")
    if role == "user" and not is_sealed(block):
        yield Violation(at, "part", "a block of the type 'compaction' without a signature is the assistant's")
    if content is not None and not _is_name(content):
        yield Violation(at, "empty", "a compaction block holds an empty text; one that failed holds null")
    for field in sorted(set(block) - _COMPACTION_FIELDS):
        yield Violation(at, "compaction-changed", f"a compaction block came back with a field {field!r}")


__all__ = ["check_block", "is_call", "is_servers_result"]
