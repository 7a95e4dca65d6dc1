"""Phase 5, repair: whatever was done to a list of messages before, a provider takes what comes out of here.

Results stand behind their calls, one for each; what no call asks for is left out. Nothing that is valid is touched: a message that needs no
repair is the very object that was given.
"""

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import is_
from typing import Any, Final

from archivist.compress.compactions import carried_compactions
from archivist.compress.openai_form import (
    ROLES,
    call_list,
    calls_in,
    is_custom,
    is_object,
    is_part,
    is_signed,
)
from archivist.compress.pictures import described, is_carried
from archivist.compress.violations import Form
from archivist.records.compactions import is_compaction

_THOUGHT: Final = frozenset(("thinking", "redacted_thinking"))
INTERRUPTED: Final = "[no result was kept: the call was interrupted]"
"""What stands for the result of a call that nobody answered."""


def repair(messages: Iterable[Form], *, in_flight: bool = True) -> list[Form]:
    """The messages in a form that every server of OpenAI's chat takes.

    Args:
        messages: In whatever state.
        in_flight: Whether calls at the very end still wait for results; otherwise these are said to have been interrupted.
    """
    sound = [found for message in _as_of_tools(messages) if (found := _sound(message)) is not None]
    return list(_paired(sound, in_flight=in_flight))


def _as_of_tools(messages: Iterable[object]) -> Iterator[Form]:
    """Calls and results of functions, as chat completions had them before there were tools, as those of tools."""
    waiting = ""
    for at, message in enumerate(messages):
        if not isinstance(message, Mapping):
            continue
        if isinstance(called := message.get("function_call"), dict) and not message.get("tool_calls"):
            waiting = f"function-{at}"
            rest = {key: value for key, value in message.items() if key != "function_call"}
            yield {**rest, "tool_calls": [{"id": waiting, "type": "function", "function": called}]}
        elif message.get("role") == "function" and waiting:
            yield {**message, "role": "tool", "tool_call_id": waiting}
            waiting = ""
        else:
            yield message


def _paired(messages: Sequence[Form], *, in_flight: bool) -> Iterator[Form]:
    """Every result behind its call, wherever it stood behind it."""
    made = [calls_in(message) for message in messages]
    calls = _places([call["id"] for call in its] for its in made)
    results = _places([one["tool_call_id"]] if one["role"] == "tool" else [] for one in messages)
    last = max((at for at, message in enumerate(messages) if message["role"] != "tool"), default=-1)
    for at, message in enumerate(messages):
        if message["role"] == "tool":
            continue
        yield message
        found = {call["id"]: _result(results.get(call["id"], ()), calls[call["id"]], at) for call in made[at]}
        for place in sorted(place for place in found.values() if place is not None):
            yield messages[place]
        if at != last or not in_flight:
            yield from (_interrupted(call) for call in made[at] if found[call["id"]] is None)


def _places(ids: Iterable[Iterable[str]]) -> dict[str, list[int]]:
    """By id of a call, the places of the messages that have it: programs use their ids again."""
    found: dict[str, list[int]] = {}
    for at, its in enumerate(ids):
        for key in its:
            found.setdefault(key, []).append(at)
    return found


def _result(results: Sequence[int], calls: Sequence[int], at: int) -> int | None:
    """The first result behind a call and before the next call of the same id."""
    place, until = _first_behind(at, results), _first_behind(at, calls)
    return place if place is not None and (until is None or place < until) else None


def _first_behind(at: int, places: Sequence[int]) -> int | None:
    found = bisect_right(places, at)
    return places[found] if found < len(places) else None


def _interrupted(call: Form) -> Form:
    return {"role": "tool", "tool_call_id": call["id"], "content": INTERRUPTED}


def _sound(message: Form) -> Form | None:
    """A message in itself valid; None where nothing is left of it."""
    fixed: dict[str, Any] = {}
    role = message.get("role")
    if not isinstance(role, str) or role not in ROLES:
        fixed["role"] = role = "assistant"  # whoever it is, it is not the owner
    fixed |= _sound_calls(message, role) | _sound_thinking(message)
    content = _sound_content(message, role)
    if content is not message.get("content"):
        fixed["content"] = content
    if not fixed:
        return None if _says_nothing(message) else message
    whole = {
        key: value for key, value in {**message, **fixed}.items() if not (key in fixed and value is _GONE)
    }
    return None if _says_nothing(whole) else whole


_GONE: Final = object()


def _says_nothing(message: Form) -> bool:
    if message["role"] == "tool":
        return not isinstance(message.get("tool_call_id"), str)
    if message["role"] != "assistant":
        return False
    return not (
        message.get("content")
        or message.get("tool_calls")
        or message.get("refusal")
        or message.get("audio")
        or carried_compactions(message)
    )


def _sound_content(message: Form, role: str) -> object:
    content = message.get("content")
    if isinstance(content, list):
        parts = [sound for part in content if (sound := _sound_part(part, role)) is not None]
        is_sound = bool(parts) and len(parts) == len(content) and all(map(is_, parts, content))
        return content if is_sound else parts or ("" if role != "assistant" else None)
    if isinstance(content, str) or (content is None and role == "assistant"):
        return content
    return "" if content is None else json.dumps(content, ensure_ascii=False, default=str)


def _sound_part(part: object, role: str) -> object:
    """A part that a message of the role may have; what no role may have is told as text where it is any, and left out otherwise."""
    if is_part(part, role) or (isinstance(part, dict) and is_compaction(part)):
        return part
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if not isinstance(part, dict) or not isinstance(part.get("type"), str) or part["type"] in _THOUGHT:
        return None
    if isinstance(part.get("text"), str):
        return {"type": "text", "text": part["text"]}
    return described(part, "the original") if is_carried(part) else None


def _sound_thinking(message: Form) -> dict[str, Any]:
    """The signed blocks of thinking alone."""
    blocks = message.get("thinking_blocks")
    if blocks is None:
        return {}
    if not isinstance(blocks, list):
        return {"thinking_blocks": _GONE}
    signed = [block for block in blocks if isinstance(block, dict) and is_signed(block)]
    return {} if len(signed) == len(blocks) else {"thinking_blocks": signed or _GONE}


def _sound_calls(message: Form, role: str) -> dict[str, Any]:
    """The calls with ids and arguments that are JSON; none of them where others than the assistant make any."""
    if message.get("tool_calls") is None:
        return {}
    calls = call_list(message["tool_calls"])
    if role != "assistant" or not calls:
        return {"tool_calls": _GONE}
    seen: set[str] = set()
    sound = [one for call in calls if (one := _sound_call(call, seen)) is not None]
    return {} if len(sound) == len(calls) and all(map(is_, sound, calls)) else {"tool_calls": sound or _GONE}


def _sound_call(call: object, seen: set[str]) -> Form | None:
    if (
        not isinstance(call, dict)
        or not isinstance(call.get("id"), str)
        or call["id"] in seen
        or not call["id"]
    ):
        return None
    seen.add(call["id"])
    if call.get("type", "function") != "function":
        return call if is_custom(call) else None
    function = call.get("function")
    if not isinstance(function, dict) or not isinstance(function.get("name"), str) or not function["name"]:
        return None
    if is_object(function.get("arguments")):
        return call
    return {**call, "function": {**function, "arguments": readable(function.get("arguments"))}}


def readable(arguments: object) -> str:
    """Arguments that are no JSON object as one that holds what was written."""
    if not arguments:
        return "{}"
    return json.dumps({"unreadable": arguments}, ensure_ascii=False, default=str)


__all__ = ["INTERRUPTED", "readable", "repair"]
