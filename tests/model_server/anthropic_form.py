"""Anthropic's messages: what is taken, what is answered, whole and as a stream."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from tests.model_server.counting import Spent
from tests.model_server.openai_form import canonical, pieces
from tests.model_server.refusals import Refused, known_keys, needs
from tests.model_server.replies import Reply

Json = dict[str, Any]

_FIELDS = (
    "model messages max_tokens system tools tool_choice stream temperature top_p top_k stop_sequences thinking metadata service_tier"
    " context_management output_config diagnostics container mcp_servers cache_control speed inference_geo"
).split()
_BLOCKS: Mapping[str, frozenset[str]] = {
    "user": frozenset({"text", "image", "document", "tool_result", "search_result", "tool_reference"}),
    "assistant": frozenset({"text", "thinking", "redacted_thinking", "tool_use", "compaction"}),
    "system": frozenset({"text"}),
}
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
MOST_MARKS = 4
STOPS = {"tool_calls": "tool_use", "stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}


def check(body: Json) -> None:
    """Refuse what the form does not allow.

    Raises:
        Refused: The first that is wrong.
    """
    known_keys(body, _FIELDS)
    needs(isinstance(body.get("model"), str) and body["model"], "is required", "model")
    limit = body.get("max_tokens")
    needs(isinstance(limit, int) and limit >= 1, "is required", "max_tokens")
    messages = body.get("messages")
    needs(isinstance(messages, list) and messages, "must not be empty", "messages")
    for place, tool in enumerate(body.get("tools") or ()):
        _check_tool(tool, f"tools.{place}")
    for place, block in enumerate(_listed(body.get("system") or [])):
        _check_block(block, "system", f"system.{place}")
    for place, message in enumerate(messages):
        _check_message(message, f"messages.{place}")
    needs(messages[0]["role"] == "user", "the first message must be the user's", "messages.0")
    _check_order([(one["role"], _listed(one["content"])) for one in messages])
    _check_end(messages[-1])
    needs(
        len(marks(body)) <= MOST_MARKS, f"at most {MOST_MARKS} blocks may have cache_control", "cache_control"
    )
    _check_thinking(body)


def _check_tool(tool: Any, where: str) -> None:
    needs(isinstance(tool, dict), "must be an object", where)
    if tool.get("type", "custom") != "custom":
        return  # the vendor's own, which it runs itself
    needs(_NAME.fullmatch(str(tool.get("name"))), "does not match the pattern", f"{where}.name")
    schema = tool.get("input_schema")
    needs(
        isinstance(schema, dict) and schema.get("type") == "object",
        "must be an object",
        f"{where}.input_schema",
    )


def _check_message(message: Any, where: str) -> None:
    needs(isinstance(message, dict), "must be an object", where)
    known_keys(message, ("role", "content"), where)
    needs(message.get("role") in _BLOCKS, "must be user, assistant or system", f"{where}.role")
    content = message.get("content")
    needs(isinstance(content, str | list) and content, "must not be empty", f"{where}.content")
    for number, block in enumerate(_listed(content)):
        _check_block(block, message["role"], f"{where}.content.{number}")


def _check_block(block: Any, role: str, where: str) -> None:
    needs(
        isinstance(block, dict) and block.get("type") in _BLOCKS[role],
        f"is no block of {role}",
        f"{where}.type",
    )
    kind = block["type"]
    if kind == "text":
        needs(
            isinstance(block.get("text"), str) and block["text"].strip(),
            "text must not be blank",
            f"{where}.text",
        )
    elif kind == "thinking":
        needs(
            block.get("signature") == sign(str(block.get("thinking"))),
            "is not what was signed",
            f"{where}.signature",
        )
    elif kind == "tool_use":
        known_keys(block, ("type", "id", "name", "input", "cache_control", "caller"), where)
        needs(_NAME.fullmatch(str(block.get("id"))), "does not match the pattern", f"{where}.id")
        needs(isinstance(block.get("input"), dict), "must be an object", f"{where}.input")
    elif kind == "tool_result":
        known_keys(block, ("type", "tool_use_id", "content", "is_error", "cache_control"), where)
        for number, part in enumerate(_listed(block.get("content") or [])):
            _check_block(part, "user", f"{where}.content.{number}")


def _check_order(messages: Sequence[tuple[str, list[Json]]]) -> None:
    """Each call is answered once, at the head of the next message, and nothing else answers."""
    waiting: set[str] = set()
    for place, (role, content) in enumerate(messages):
        where = f"messages.{place}"
        results = [block["tool_use_id"] for block in content if block["type"] == "tool_result"]
        if role == "user":
            first = [block["type"] for block in content[: len(results)]]
            needs(
                not results or set(first) == {"tool_result"},
                "results must come before everything else",
                where,
            )
        needs(len(set(results)) == len(results), "two results answer one call", where)
        needs(set(results) <= waiting, "a result must answer a call of the message before it", where)
        needs(
            waiting <= set(results),
            f"calls without a result before it: {', '.join(sorted(waiting - set(results)))}",
            where,
        )
        calls = [block["id"] for block in content if block["type"] == "tool_use"]
        needs(len(set(calls)) == len(calls), "two calls have the same id", where)
        waiting = set(calls)
    needs(
        not waiting, f"calls without a result: {', '.join(sorted(waiting))}", f"messages.{len(messages) - 1}"
    )


def _check_end(last: Json) -> None:
    if last["role"] == "assistant":
        content = _listed(last["content"])
        text = content[-1].get("text", "")
        needs(
            text == text.rstrip(), "the last text of the assistant must not end with white space", "messages"
        )
        needs("thinking" not in content[-1]["type"], "the last block must not be thinking", "messages")


def _check_thinking(body: Json) -> None:
    """With thinking on, a turn of calls that is not over begins with what was thought before them."""
    if (body.get("thinking") or {}).get("type") not in {"enabled", "adaptive"}:
        return
    limit = (body["thinking"].get("budget_tokens") or 0) < body["max_tokens"]
    needs(limit, "must be less than max_tokens", "thinking.budget_tokens")
    messages = body["messages"]
    for message in reversed(messages):
        content = _listed(message["content"])
        if message["role"] == "user" and not any(block["type"] == "tool_result" for block in content):
            return
        if message["role"] == "assistant" and body["thinking"]["type"] == "enabled":
            needs("thinking" in content[0]["type"], "must begin with thinking", "messages")


def _listed(content: Any) -> list[Json]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def sign(thinking: str) -> str:
    """The signature that this server gives to what was thought."""
    return sha256(b"thought here\0" + thinking.encode("utf-8", "surrogatepass")).hexdigest()


def blocks(body: Json) -> list[str]:
    """The request as the list that the prefix cache sees: tools, system blocks, blocks of messages, each without its marker."""
    return [canonical(_unmarked(value)) for _, value in _in_order(body)]


def marks(body: Json) -> list[int]:
    """The places in that list at which something is marked to be kept."""
    return [place for place, (block, _) in enumerate(_in_order(body)) if block.get("cache_control")]


def _in_order(body: Json) -> list[tuple[Json, object]]:
    """Each block with what stands for it in the list."""
    found: list[tuple[Json, object]] = [(tool, tool) for tool in body.get("tools") or ()]
    found += [(block, block) for block in _listed(body.get("system") or [])]
    for message in body["messages"]:
        found += [(block, [message["role"], block]) for block in _listed(message["content"])]
    return found


def _unmarked(value: Any) -> Any:
    if isinstance(value, list):
        return [_unmarked(one) for one in value]
    if isinstance(value, dict):
        return {key: _unmarked(one) for key, one in value.items() if key != "cache_control"}
    return value


def content_of(reply: Reply, number: int) -> list[Json]:
    """A reply as blocks, as they come back in the next request."""
    made: list[Json] = []
    if reply.reasoning:
        made.append({"type": "thinking", "thinking": reply.reasoning, "signature": sign(reply.reasoning)})
    if reply.text:
        made.append({"type": "text", "text": reply.text, "citations": None})
    for place, call in enumerate(reply.calls):
        key = call.id or f"toolu_{number}_{place}"
        given = call.arguments if call.raw is None else call.raw
        made.append({"type": "tool_use", "id": key, "name": call.name, "input": given})
    return made


def usage_of(spent: Spent) -> Json:
    return {
        "input_tokens": spent.fresh,
        "cache_creation_input_tokens": spent.written,
        "cache_read_input_tokens": spent.read,
        "cache_creation": {"ephemeral_5m_input_tokens": spent.written, "ephemeral_1h_input_tokens": 0},
        "output_tokens": spent.output,
        "service_tier": "standard",
    }


def whole(body: Json, reply: Reply, spent: Spent, number: int) -> Json:
    """The answer to a request that asked for no stream."""
    message = _message(body, number, usage_of(spent))
    return {
        **message,
        "content": content_of(reply, number),
        "stop_reason": STOPS.get(reply.finish, reply.finish),
    }


def events(body: Json, reply: Reply, spent: Spent, number: int) -> Iterator[bytes]:
    """The answer as a stream of events."""
    yield _event("message_start", message=_message(body, number, {**usage_of(spent), "output_tokens": 1}))
    yield _event("ping")
    for index, block in enumerate(content_of(reply, number)):
        yield from _block_events(index, block)
    stop = {"stop_reason": STOPS.get(reply.finish, reply.finish), "stop_sequence": None}
    yield _event("message_delta", delta=stop, usage={"output_tokens": spent.output})
    yield _event("message_stop")


def _block_events(index: int, block: Json) -> Iterator[bytes]:
    def delta(kind: str, **fields: str) -> bytes:
        return _event("content_block_delta", index=index, delta={"type": kind, **fields})

    kind = block["type"]
    empty = {"thinking": {"thinking": "", "signature": ""}, "text": {"text": ""}, "tool_use": {"input": {}}}
    yield _event("content_block_start", index=index, content_block={**block, **empty[kind]})
    if kind == "tool_use":
        yield delta("input_json_delta", partial_json="")
        given = block["input"]
        for piece in pieces(given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)):
            yield delta("input_json_delta", partial_json=piece)
    for piece in pieces(block.get(kind, "")):
        yield delta(f"{kind}_delta", **{kind: piece})
    if kind == "thinking":
        yield delta("signature_delta", signature=block["signature"])
    yield _event("content_block_stop", index=index)


def failure(status: int, message: str, kind: str, code: str | None = None, where: str | None = None) -> Json:
    """The body of an answer that is an error."""
    del code, where  # this form has neither
    names = {
        400: "invalid_request_error",
        401: "authentication_error",
        402: "billing_error",
        403: "permission_error",
        404: "not_found_error",
        413: "request_too_large",
        429: "rate_limit_error",
        529: "overloaded_error",
    }
    return {
        "type": "error",
        "error": {"type": kind or names.get(status, "api_error"), "message": message},
        "request_id": "req_test",
    }


def refused(error: Refused) -> Json:
    return failure(400, str(error), "invalid_request_error")


def _message(body: Json, number: int, usage: Json) -> Json:
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }


def _event(kind: str, **fields: object) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind} | fields, ensure_ascii=False)}\n\n".encode()
