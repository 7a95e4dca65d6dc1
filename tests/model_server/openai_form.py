"""OpenAI's chat completions: what is taken, what is answered, whole and as a stream."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from tests.model_server.counting import Spent, tokens_of
from tests.model_server.refusals import Refused, known_keys, needs
from tests.model_server.replies import Reply

Json = dict[str, Any]

_FIELDS = (
    "model messages tools tool_choice parallel_tool_calls stream stream_options max_tokens max_completion_tokens temperature top_p stop n"
    " seed user response_format reasoning_effort prompt_cache_key prompt_cache_options prompt_cache_retention metadata store service_tier"
    " verbosity safety_identifier frequency_penalty presence_penalty logprobs top_logprobs logit_bias modalities prediction"
).split()
_BY_ROLE = {
    "system": "role content name",
    "developer": "role content name",
    "user": "role content name",
    "assistant": "role content name refusal tool_calls audio reasoning_content reasoning reasoning_details",
    "tool": "role content tool_call_id",
}
_PARTS = {
    "user": {"text", "image_url", "input_audio", "file"},
    "assistant": {"text", "refusal"},
    "tool": {"text", "image_url"},
}
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def check(body: Json) -> None:
    """Refuse what the form does not allow.

    Raises:
        Refused: The first that is wrong.
    """
    known_keys(body, _FIELDS)
    needs(isinstance(body.get("model"), str) and body["model"], "you must provide a model", "model")
    messages = body.get("messages")
    needs(isinstance(messages, list) and messages, "must be a list that is not empty", "messages")
    for place, tool in enumerate(body.get("tools") or ()):
        _check_tool(tool, f"tools[{place}]")
    needs(body.get("tools") != [], "must not be empty where it is given", "tools")
    for place, message in enumerate(messages):
        _check_message(message, f"messages[{place}]")
    _check_order(messages)


def _check_tool(tool: Any, where: str) -> None:
    needs(isinstance(tool, dict) and tool.get("type") == "function", "must be a function", f"{where}.type")
    function = tool.get("function")
    needs(isinstance(function, dict), "is missing", f"{where}.function")
    known_keys(function, ("name", "description", "parameters", "strict"), f"{where}.function")
    needs(_NAME.fullmatch(str(function.get("name"))), "does not match the pattern", f"{where}.function.name")
    parameters = function.get("parameters", {"type": "object"})
    needs(
        isinstance(parameters, dict) and parameters.get("type") == "object",
        "must be an object",
        f"{where}.function.parameters",
    )


def _check_message(message: Any, where: str) -> None:
    needs(isinstance(message, dict), "must be an object", where)
    role = message.get("role")
    needs(role in _BY_ROLE, f"{role!r} is none of the roles", f"{where}.role")
    known_keys(message, _BY_ROLE[role].split(), where)
    content = message.get("content")
    if content is None:
        needs(
            role == "assistant" and (message.get("tool_calls") or message.get("refusal")),
            "must be given",
            f"{where}.content",
        )
    elif not isinstance(content, str):
        needs(isinstance(content, list) and content, "must be a text or a list of parts", f"{where}.content")
        for number, part in enumerate(content):
            _check_part(part, role, f"{where}.content[{number}]")
    if role == "tool":
        needs(
            isinstance(message.get("tool_call_id"), str) and message["tool_call_id"],
            "is missing",
            f"{where}.tool_call_id",
        )
    if "tool_calls" in message:
        needs(message["tool_calls"], "must not be empty", f"{where}.tool_calls")
        for number, call in enumerate(message["tool_calls"]):
            _check_call(call, f"{where}.tool_calls[{number}]")


def _check_part(part: Any, role: str, where: str) -> None:
    kinds = _PARTS.get(role, {"text"})
    needs(
        isinstance(part, dict) and part.get("type") in kinds,
        f"must be one of {sorted(kinds)}",
        f"{where}.type",
    )
    kind = part["type"]
    needs(
        isinstance(part.get(kind), str if kind in {"text", "refusal"} else dict),
        "is missing",
        f"{where}.{kind}",
    )


def _check_call(call: Any, where: str) -> None:
    needs(isinstance(call, dict) and call.get("type") == "function", "must be a function", f"{where}.type")
    needs(isinstance(call.get("id"), str) and call["id"], "is missing", f"{where}.id")
    function = call.get("function") or {}
    needs(_NAME.fullmatch(str(function.get("name"))), "does not match the pattern", f"{where}.function.name")
    needs(isinstance(function.get("arguments"), str), "must be a text", f"{where}.function.arguments")
    try:
        is_object = isinstance(json.loads(function["arguments"]), dict)
    except ValueError:
        is_object = False
    needs(is_object, "must be a JSON object", f"{where}.function.arguments")


def _check_order(messages: Sequence[Json]) -> None:
    """Each call is answered once, right behind it, and nothing else answers."""
    waiting: set[str] = set()
    for place, message in enumerate(messages):
        where = f"messages[{place}]"
        if message["role"] == "tool":
            needs(
                message["tool_call_id"] in waiting,
                "a result must answer a call of the assistant before it",
                where,
            )
            waiting.discard(message["tool_call_id"])
            continue
        needs(not waiting, f"calls without a result before it: {', '.join(sorted(waiting))}", where)
        ids = [call["id"] for call in message.get("tool_calls") or ()]
        needs(len(set(ids)) == len(ids), "two calls have the same id", where)
        waiting = set(ids)
    needs(
        not waiting, f"calls without a result: {', '.join(sorted(waiting))}", f"messages[{len(messages) - 1}]"
    )


def blocks(body: Json) -> list[str]:
    """The request as the list that a prefix cache sees: tools, then messages, each in one form of JSON."""
    return [canonical(one) for one in (*(body.get("tools") or ()), *body["messages"])]


def canonical(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def message_of(reply: Reply, number: int) -> Json:
    """A reply as a message of the assistant, as it comes back in the next request."""
    made: Json = {"role": "assistant", "content": reply.text or None, "refusal": None}
    if reply.reasoning:
        made["reasoning_content"] = reply.reasoning
    if reply.calls:
        made["tool_calls"] = [
            {
                "id": call.id or f"call_{number}_{place}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.json},
            }
            for place, call in enumerate(reply.calls)
        ]
    return made


def usage_of(spent: Spent) -> Json:
    prompt = spent.fresh + spent.read + spent.written
    return {
        "prompt_tokens": prompt,
        "completion_tokens": spent.output,
        "total_tokens": prompt + spent.output,
        "prompt_tokens_details": {"cached_tokens": spent.read, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
    }


def whole(body: Json, reply: Reply, spent: Spent, number: int) -> Json:
    """The answer to a request that asked for no stream."""
    choice = {
        "index": 0,
        "message": message_of(reply, number),
        "logprobs": None,
        "finish_reason": reply.finish,
    }
    return {**_head(body, number, "chat.completion"), "choices": [choice], "usage": usage_of(spent)}


def events(body: Json, reply: Reply, spent: Spent, number: int) -> Iterator[bytes]:
    """The answer as a stream of events."""
    head = _head(body, number, "chat.completion.chunk")

    def chunk(delta: Json, finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return _event({**head, "choices": [choice]})

    message = message_of(reply, number)
    yield chunk({"role": "assistant", "content": ""})
    for piece in pieces(reply.reasoning):
        yield chunk({"reasoning_content": piece})
    for piece in pieces(reply.text):
        yield chunk({"content": piece})
    for place, call in enumerate(message.get("tool_calls", ())):
        function = {"name": call["function"]["name"], "arguments": ""}
        yield chunk(
            {"tool_calls": [{"index": place, "id": call["id"], "type": "function", "function": function}]}
        )
        for piece in pieces(call["function"]["arguments"]):
            yield chunk({"tool_calls": [{"index": place, "function": {"arguments": piece}}]})
    yield chunk({}, reply.finish)
    if (body.get("stream_options") or {}).get("include_usage"):
        yield _event({**head, "choices": [], "usage": usage_of(spent)})
    yield b"data: [DONE]\n\n"


def pieces(text: str, size: int = 12) -> Iterator[str]:
    """A text as it comes: a few characters at a time."""
    for start in range(0, len(text), size):
        yield text[start : start + size]


def failure(status: int, message: str, kind: str, code: str | None, where: str | None = None) -> Json:
    """The body of an answer that is an error."""
    names = {400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error"}
    return {
        "error": {
            "message": message,
            "type": kind or names.get(status, "server_error"),
            "param": where,
            "code": code,
        }
    }


def refused(error: Refused) -> Json:
    return failure(400, str(error), "invalid_request_error", None, error.where)


def output_tokens(reply: Reply) -> int:
    return (
        tokens_of(reply.reasoning + reply.text + "".join(call.name + call.json for call in reply.calls)) or 1
    )


def _head(body: Json, number: int, kind: str) -> Json:
    return {
        "id": f"chatcmpl-{number}",
        "object": kind,
        "created": 1_700_000_000 + number,
        "model": body["model"],
        "system_fingerprint": "fp_test",
    }


def _event(value: object) -> bytes:
    return b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"
