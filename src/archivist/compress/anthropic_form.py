"""The rules of Anthropic's messages: who speaks where, results first in the message right behind their calls, compactions in their place.

https://platform.claude.com/docs/en/build-with-claude/working-with-messages
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from archivist.compress.anthropic_blocks import check_block, is_call, is_servers_result
from archivist.compress.violations import Form, Violation
from archivist.records.compactions import is_compaction, is_sealed

_MOST_CACHE_POINTS: Final = 4


def check_anthropic(messages: Sequence[Form], *, in_flight: bool = False) -> Iterator[Violation]:
    """Every broken rule of a list of messages; a system prompt goes beside them."""
    yield from _opening(messages)
    for at, message in enumerate(messages):
        yield from _of_one(at, message, is_last=at + 1 == len(messages))
    yield from _instructions(messages)
    yield from _pairs(messages, in_flight=in_flight)
    yield from _servers_pairs(messages)
    yield from _compactions(messages)
    yield from _cache_points(messages)


def blocks_of(message: Form) -> list[Mapping[str, Any]]:
    """The blocks of a message; a text is one."""
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _is_setting(message: Form) -> bool:
    """Whether a message only says how to go on, such as with what effort; it may stand anywhere."""
    return message.get("role") == "system" and bool(message.get("output_config")) and not blocks_of(message)


def _opening(messages: Sequence[Form]) -> Iterator[Violation]:
    """A conversation begins with the user, or with what stands for its beginning."""
    first = next((at for at, message in enumerate(messages) if not _is_setting(message)), None)
    if first is None:
        return
    opens_with = blocks_of(messages[first])[:1]
    is_continued = bool(opens_with) and is_compaction(opens_with[0])
    if messages[first].get("role") == "assistant" and not is_continued:
        yield Violation(first, "first-not-user", "the first message is not a user's")
    if not any(message.get("role") == "user" for message in messages) and not is_continued:
        yield Violation(-1, "no-user", "no message is a user's")


def _of_one(at: int, message: Form, *, is_last: bool) -> Iterator[Violation]:
    role, content = message.get("role"), message.get("content")
    if not isinstance(role, str) or role not in {"user", "assistant", "system"}:
        yield Violation(at, "role", f"the role {role!r} is neither user nor assistant")
        return
    if _is_setting(message):
        return
    if not isinstance(content, str | list):
        yield Violation(at, "content", "the content is neither a text nor blocks")
    elif not content and not (is_last and role == "assistant"):
        yield Violation(at, "empty", "there is no content")
    elif isinstance(content, list) and len(blocks_of(message)) != len(content):
        yield Violation(at, "part", "a block is no object")
    blocks = blocks_of(message)
    for block in blocks:
        yield from check_block(at, block, role)
    yield from _order(at, blocks, role, is_last=is_last)


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


def _instructions(messages: Sequence[Form]) -> Iterator[Violation]:
    """Instructions on the way stand behind the user, or behind what a server's tool found, and before the assistant or at the end.

    https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages
    """
    said = [(at, message) for at, message in enumerate(messages) if not _is_setting(message)]
    for place, (at, message) in enumerate(said):
        if message.get("role") != "system":
            continue
        before = next((one for _, one in reversed(said[:place]) if one.get("role") != "system"), None)
        after = next((one for _, one in said[place + 1 :] if one.get("role") != "system"), None)
        if before is None:
            yield Violation(at, "role", "the role 'system' cannot begin: the system prompt goes beside")
        elif before.get("role") != "user" and not _ends_at_a_server(before):
            yield Violation(at, "system-place", "instructions on the way stand behind no message of the user")
        elif after is not None and after.get("role") != "assistant":
            yield Violation(at, "system-place", "behind instructions on the way the assistant does not speak")


def _ends_at_a_server(message: Form) -> bool:
    last = blocks_of(message)[-1:]
    return bool(last) and (is_call(last[0]) or is_servers_result(last[0]))


def _pairs(messages: Sequence[Form], *, in_flight: bool) -> Iterator[Violation]:
    """Every call is answered in the very next message, and no id is used twice."""
    waiting: dict[str, int] = {}
    by_program: set[str] = set()
    seen: set[str] = set()
    for at, message in enumerate(messages):
        if _is_setting(message):
            continue
        blocks = blocks_of(message)
        answered = [str(block.get("tool_use_id")) for block in blocks if block.get("type") == "tool_result"]
        for key in answered:
            if waiting.pop(key, None) is None:
                yield Violation(at, "orphan-result", f"no call in the message before has the id {key!r}")
        if by_program.intersection(answered) and len(answered) != len(blocks):
            yield Violation(at, "results-not-alone", "beside results of a program's calls stands something")
        yield from _unanswered(waiting)
        calls = {str(block.get("id")): block for block in blocks if block.get("type") == "tool_use"}
        for block in blocks:
            if block.get("type") in {"tool_use", "server_tool_use", "mcp_tool_use"}:
                yield from _used_twice(at, str(block.get("id")), seen)
        waiting = dict.fromkeys(calls, at)
        by_program = {key for key, call in calls.items() if _is_by_program(call)}
    if not in_flight:
        yield from _unanswered(waiting)


def _used_twice(at: int, key: str, seen: set[str]) -> Iterator[Violation]:
    if key in seen:
        yield Violation(at, "call-twice", f"the id {key!r} was used before")
    seen.add(key)


def _is_by_program(call: Form) -> bool:
    """Whether code that the model wrote makes a call, and waits for its result."""
    caller = call.get("caller")
    return isinstance(caller, dict) and caller.get("type") not in {None, "direct"}


def _unanswered(waiting: Mapping[str, int]) -> Iterator[Violation]:
    for key, at in waiting.items():
        yield Violation(at, "call-without-result", f"the call {key!r} has no result in the next message")


def _servers_pairs(messages: Sequence[Form]) -> Iterator[Violation]:
    """What Anthropic's own tools were asked is answered in the same message or, while code runs, in a later one of the assistant."""
    waiting: dict[str, int] = {}
    last = -1
    for at, message in enumerate(messages):
        if message.get("role") != "assistant":
            continue
        last = at
        for block in blocks_of(message):
            if is_call(block):
                waiting[str(block.get("id"))] = at
            elif is_servers_result(block) and waiting.pop(str(block.get("tool_use_id")), None) is None:
                key = block.get("tool_use_id")
                yield Violation(at, "orphan-result", f"no call of a server's tool before has the id {key!r}")
    for key, at in waiting.items():
        if at != last:
            yield Violation(at, "call-without-result", f"the call {key!r} of a server's tool has no result")


def _compactions(messages: Sequence[Form]) -> Iterator[Violation]:
    """A block that its provider signed goes first, alone of its kind, in the place of what it stands for.

    https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand
    """
    said = [(at, message) for at, message in enumerate(messages) if not _is_setting(message)]
    found = [
        (at, order == 0 and number == 0, block)
        for order, (at, message) in enumerate(said)
        for number, block in enumerate(blocks_of(message))
        if is_compaction(block)
    ]
    if not any(is_sealed(block) for _, _, block in found):
        return
    for at, is_first, block in found:
        if is_sealed(block) and not is_first:
            yield Violation(at, "compaction-place", "something stands before a signed compaction block")
    for at, _, _ in found[1:]:
        yield Violation(at, "compaction-place", "beside a signed compaction block stands another")


def _cache_points(messages: Sequence[Form]) -> Iterator[Violation]:
    count = 0
    for at, message in enumerate(messages):
        for block in blocks_of(message):
            inner = block.get("content")
            marked = [
                one
                for one in (block, *(inner if isinstance(inner, list) else ()))
                if isinstance(one, dict) and one.get("cache_control")
            ]
            count += len(marked)
            if marked and count > _MOST_CACHE_POINTS:
                yield Violation(
                    at, "cache-points", f"more than {_MOST_CACHE_POINTS} blocks are marked to be cached"
                )
            if block.get("cache_control") and block.get("type") in {"thinking", "redacted_thinking"}:
                yield Violation(at, "cache-points", "thinking cannot be marked to be cached")


__all__ = ["blocks_of", "check_anthropic"]
