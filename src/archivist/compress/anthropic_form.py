"""The rules of Anthropic's messages: blocks, results first in the message right behind their calls, thinking as it was signed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from archivist.compress.openai_form import is_signed
from archivist.compress.violations import Form, Violation

_OF_USER: Final = frozenset(("text", "image", "document", "tool_result", "search_result", "container_upload"))
_OF_ASSISTANT: Final = frozenset(("text", "tool_use", "thinking", "redacted_thinking", "compaction"))
_SERVER_SIDE: Final = ("server_tool_use", "_tool_result")
"""Beginning or end of the types of blocks that Anthropic's own tools leave in a message of the assistant."""


def check_anthropic(messages: Sequence[Form], *, in_flight: bool = False) -> Iterator[Violation]:
    """Every broken rule of a list of messages; a system prompt goes beside them."""
    if messages and messages[0].get("role") == "assistant":
        yield Violation(0, "first-not-user", "the first message is not a user's")
    if messages and not any(message.get("role") == "user" for message in messages):
        yield Violation(-1, "no-user", "no message is a user's")
    for at, message in enumerate(messages):
        yield from _of_one(at, message, is_last=at + 1 == len(messages))
    yield from _pairs(messages, in_flight=in_flight)


def blocks_of(message: Form) -> list[Mapping[str, Any]]:
    """The blocks of a message; a text is one."""
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _of_one(at: int, message: Form, *, is_last: bool) -> Iterator[Violation]:
    role, content = message.get("role"), message.get("content")
    if role not in {"user", "assistant"}:
        yield Violation(at, "role", f"the role {role!r} is neither user nor assistant")
        return
    if not isinstance(content, str | list):
        yield Violation(at, "content", "the content is neither a text nor blocks")
    elif not content and not (is_last and role == "assistant"):
        yield Violation(at, "empty", "there is no content")
    elif isinstance(content, list) and len(blocks_of(message)) != len(content):
        yield Violation(at, "part", "a block is no object")
    blocks = blocks_of(message)
    for block in blocks:
        yield from _block(at, block, str(role))
    yield from _order(at, blocks, str(role), is_last=is_last)


def _order(at: int, blocks: Sequence[Form], role: str, *, is_last: bool) -> Iterator[Violation]:
    kinds = [block.get("type") for block in blocks]
    if role == "user" and "tool_result" in kinds:
        first_other = next((place for place, kind in enumerate(kinds) if kind != "tool_result"), len(kinds))
        if "tool_result" in kinds[first_other:]:
            yield Violation(at, "results-not-first", "results stand behind something else")
    if role == "assistant" and kinds and kinds[-1] in {"thinking", "redacted_thinking"}:
        yield Violation(at, "thinking-last", "a message ends with thinking")
    if (
        is_last
        and role == "assistant"
        and kinds
        and kinds[-1] == "text"
        and str(blocks[-1].get("text")) != str(blocks[-1].get("text")).rstrip()
    ):
        yield Violation(at, "trailing-space", "the assistant's last text ends with white space")


def _block(at: int, block: Form, role: str) -> Iterator[Violation]:
    kind = str(block.get("type"))
    allowed = _OF_USER if role == "user" else _OF_ASSISTANT
    if kind not in allowed and not (
        role == "assistant" and (kind == _SERVER_SIDE[0] or kind.endswith(_SERVER_SIDE[1]))
    ):
        yield Violation(at, "part", f"a block of the type {kind!r} cannot be the {role}'s")
    elif kind == "text" and not (isinstance(block.get("text"), str) and block["text"].strip()):
        yield Violation(at, "empty", "a block of text has no text")
    elif kind in {"thinking", "redacted_thinking"} and not is_signed(block):
        yield Violation(at, "unsigned-thinking", "a block of thinking has no signature")
    elif kind == "tool_use":
        yield from _call(at, block)
    elif kind == "tool_result" and not isinstance(block.get("tool_use_id"), str):
        yield Violation(at, "no-call-id", "a result does not say which call it answers")
    elif kind in {"image", "document"} and not isinstance(block.get("source"), dict):
        yield Violation(at, "part", f"{kind} has no source")


def _call(at: int, block: Form) -> Iterator[Violation]:
    if not isinstance(block.get("id"), str) or not block["id"]:
        yield Violation(at, "call-id", "a call has no id")
    if not isinstance(block.get("name"), str) or not block["name"]:
        yield Violation(at, "call-name", f"the call {block.get('id')} names no tool")
    if not isinstance(block.get("input"), dict):
        yield Violation(at, "arguments", f"the input of the call {block.get('id')} is no object")


def _pairs(messages: Sequence[Form], *, in_flight: bool) -> Iterator[Violation]:
    """Every call is answered in the very next message, and no id is used twice."""
    waiting: dict[str, int] = {}
    seen: set[str] = set()
    for at, message in enumerate(messages):
        answered = [str(b.get("tool_use_id")) for b in blocks_of(message) if b.get("type") == "tool_result"]
        for key in answered:
            if waiting.pop(key, None) is None:
                yield Violation(at, "orphan-result", f"no call in the message before has the id {key!r}")
        yield from _unanswered(waiting)
        made = [str(b.get("id")) for b in blocks_of(message) if b.get("type") == "tool_use"]
        for key in made:
            if key in seen:
                yield Violation(at, "call-twice", f"the id {key!r} was used before")
            seen.add(key)
        waiting = dict.fromkeys(made, at)
    if not in_flight:
        yield from _unanswered(waiting)


def _unanswered(waiting: Mapping[str, int]) -> Iterator[Violation]:
    for key, at in waiting.items():
        yield Violation(at, "call-without-result", f"the call {key!r} has no result in the next message")
