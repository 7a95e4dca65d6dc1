"""A request as OpenAI's chat completions take it, and what speaks like them: the body that its client sends, made of the request alone.

https://platform.openai.com/docs/api-reference/chat
"""

from typing import Any, Final

from archivist.models.cache_marks import Lasting, enough, least_kept, mark
from archivist.models.dialects import MARKS, PROMPT, Dialect, dialect_of
from archivist.models.endpoints import Endpoint
from archivist.models.openai_messages import messages_of
from archivist.models.pieces import encodable, key_of
from archivist.records.requests import Request, ToolSpec

_CUT: Final = " … [cut]"


def openai_body(request: Request, endpoint: Endpoint, *, lasting: Lasting = "5m") -> dict[str, Any]:
    """The body of a request; the same bytes for the same request.

    Args:
        request: What is asked.
        endpoint: Of whom.
        lasting: How long the provider keeps what is marked, where it wants marks.
    """
    dialect = dialect_of(endpoint)
    body: dict[str, Any] = {"model": request.model}
    if limit := request.max_tokens or endpoint.max_tokens:
        body[dialect.limit] = limit
    if dialect.counts:
        body["stream_options"] = {"include_usage": True}
    if request.conversation and dialect.keyed:
        body["prompt_cache_key"] = key_of(request.conversation)
    if request.tools:
        body["tools"] = [_tool(tool, dialect.describes) for tool in request.tools]
    system = [{"role": "system", "content": request.system}] if request.system.strip() else []
    body["messages"] = [*system, *messages_of(request.messages, endpoint, dialect)]
    made: dict[str, Any] = encodable(body)
    _mark(made, dialect, lasting)
    return made


def _tool(tool: ToolSpec, longest: int) -> dict[str, Any]:
    words = tool.description
    if longest and len(words) > longest:
        words = f"{words[: longest - len(_CUT)]}{_CUT}"
    told = {"description": words} if words else {}
    parameters = {"type": "object", "properties": {}, **tool.schema}
    return {"type": "function", "function": {"name": key_of(tool.name), **told, "parameters": parameters}}


def _mark(body: dict[str, Any], dialect: Dialect, lasting: Lasting) -> None:
    """Mark what is kept, where the endpoint keeps only what is marked; there every text is a part, marked or not."""
    messages = body["messages"]
    if dialect.keeps == PROMPT and messages and messages[0]["role"] == "system":
        part = {"type": "text", "text": messages[0]["content"]}
        messages[0]["content"] = [{**part, "prompt_cache_breakpoint": {"mode": "explicit"}}]
    if dialect.keeps != MARKS:
        return
    for message in messages:
        if isinstance(message["content"], str):
            message["content"] = [{"type": "text", "text": message["content"]}]
    for place in _marked(body):
        messages[place]["content"][-1]["cache_control"] = mark(lasting)


def _marked(body: dict[str, Any]) -> list[int]:
    """The messages whose ends are marked: the prompt, where the request before ended, the last."""
    messages, tools = body["messages"], body.get("tools", [])
    replies = [at for at, message in enumerate(messages) if message["role"] == "assistant"]
    prompt = 0 if messages and messages[0]["role"] == "system" else -1
    places = sorted({prompt, replies[-1] - 1 if replies else -1, len(messages) - 1})
    ends = [len(tools) + place + 1 for place in places if place >= 0 and messages[place]["content"]]
    kept = enough([*tools, *messages], ends, least_kept(body["model"]))
    return [end - len(tools) - 1 for end in kept]


__all__ = ["openai_body"]
