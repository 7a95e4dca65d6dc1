"""What a message of an agent says.

Letta wraps events, and in older versions a person's words too, in JSON; an older agent answers through a tool of its own.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from archivist.records import Part, Role, ToolCall
from archivist.transfer.json_text import (
    NotJson,
    decode_leniently,
    json_of,
    object_in,
    unescaped,
    without_surrogates,
)
from archivist.transfer.letta.agents import AgentMessage
from archivist.transfer.media import source_part
from archivist.transfer.pieces import parts_of, text_of, text_piece
from archivist.transfer.reasons import BOOKKEEPING, BY_PROGRAM, DAMAGED, EMPTY, SUMMARY, UNKNOWN_ROLE

EVENTS = frozenset({"login", "heartbeat", "system_alert", "package_message", "function_return"})
PERSON_EVENT = "user_message"
REPLY_TOOL = "send_message"
REASONING = frozenset({"reasoning", "redacted_reasoning", "summarized_reasoning"})
FAILED = frozenset({"error", "failed"})

SYSTEM = f"{BY_PROGRAM}system prompt"
APPROVAL = f"{BOOKKEEPING}approval of a tool call"


class Saying(msgspec.Struct):
    """One message in the making; a record of the file may give several."""

    role: Role
    pieces: list[Part] = msgspec.field(default_factory=list)
    calls: list[ToolCall] = msgspec.field(default_factory=list)
    reasoning: list[str] = msgspec.field(default_factory=list)
    call_id: str | None = None
    tool: str | None = None
    is_error: bool = False

    @property
    def text(self) -> str:
        """The text pieces, one below the other."""
        return text_of(self.pieces)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The structured form: empty where the text is all there is."""
        return parts_of(self.pieces)


def sayings_of(message: AgentMessage | None) -> tuple[list[Saying], str]:
    """What a record says, and why it says nothing where it does not; None is no message."""
    if message is None:
        return [], DAMAGED
    role = (message.role or "").lower()
    if role == "user":
        return _person(message)
    if role in {"assistant", "approval"}:
        return _assistant(message, is_approval=role == "approval")
    if role in {"tool", "function"}:
        return _results(message), EMPTY
    reasons = {"system": SYSTEM, "developer": SYSTEM, "summary": SUMMARY}
    return [], reasons.get(role, UNKNOWN_ROLE)


def text_in(message: AgentMessage) -> str:
    """The plain text of a record."""
    saying = Saying("system")
    _add_content(saying, message)
    return saying.text


def _person(message: AgentMessage) -> tuple[list[Saying], str]:
    heard = Saying("user")
    _add_content(heard, message)
    reason = EMPTY
    kept: list[Part] = []
    for piece in heard.pieces:
        words, event = _words(piece.text) if piece.kind == "text" else (piece.text, "")
        reason = f"{BY_PROGRAM}{event[:40]}" if event else reason
        if piece.kind != "text":
            kept.append(piece)
        elif words.strip():
            kept.append(Part("text", words))
    heard.pieces = kept
    return ([heard], "") if kept else ([], reason)


def _words(text: str) -> tuple[str, str]:
    """What a person said, and the kind of event where the program speaks."""
    event = object_in(text)
    kind = event.get("type") if event else None
    if not isinstance(kind, str) or event is None:
        return text, ""
    said = event.get("message")
    if kind == PERSON_EVENT and isinstance(said, str):
        return said, ""
    return ("", kind) if kind in EVENTS else (text, "")


def _assistant(message: AgentMessage, *, is_approval: bool) -> tuple[list[Saying], str]:
    said = Saying("assistant")
    _add_content(said, message)
    said.calls += [_call(item) for item in _items(message.tool_calls) if isinstance(item, dict)]
    if is_approval and not said.calls:
        return [], APPROVAL
    replies = [reply for call in said.calls if call.name == REPLY_TOOL and (reply := _reply(call))]
    if replies:
        said.reasoning += [
            _thought(piece.text) for piece in said.pieces if piece.kind == "text" and piece.text.strip()
        ]
        said.pieces = [Part("text", reply) for reply in replies] + [
            piece for piece in said.pieces if piece.kind != "text"
        ]
    has_words = said.text.strip() or said.parts
    return ([said], "") if has_words or said.calls or said.reasoning else ([], EMPTY)


def _results(message: AgentMessage) -> list[Saying]:
    """The results in a record: one, or several where calls were made side by side."""
    whole = Saying("tool", call_id=message.tool_call_id, tool=message.name)
    _add_content(whole, message)
    returns = [item for item in _items(message.tool_returns) if isinstance(item, dict)]
    if len(returns) > 1:
        return [_returned(item, message) for item in returns]
    if returns:
        told = _returned(returns[0], message)
        whole.is_error = told.is_error
        whole.call_id = whole.call_id or told.call_id
        whole.pieces = whole.pieces or told.pieces
    event = object_in(whole.text)
    status = event.get("status") if event else None
    whole.is_error |= isinstance(status, str) and status.lower() in FAILED
    return [whole]


def _returned(item: dict[str, Any], message: AgentMessage) -> Saying:
    pieces = _pieces(item.get("func_response"))
    call = item.get("tool_call_id")
    return Saying(
        "tool",
        pieces,
        call_id=without_surrogates(call) if isinstance(call, str) else message.tool_call_id,
        tool=message.name,
        is_error=str(item.get("status") or "").lower() in FAILED,
    )


def _add_content(saying: Saying, message: AgentMessage) -> None:
    items = _items(message.content)
    if not items and message.text:
        items = [message.text]
    for item in items:
        kind = _name(item.get("type")) if isinstance(item, dict) else ""
        if kind in REASONING:
            saying.reasoning.append(json_of(item))
        elif kind == "tool_call" and saying.role == "assistant":
            saying.calls.append(_call(item))
        elif kind == "tool_return" and saying.role == "tool":
            saying.pieces += _pieces(item.get("content"))
            saying.is_error |= item.get("is_error") is True
        elif kind != "omitted_reasoning":
            saying.pieces += _pieces(item)


def _pieces(value: Any) -> list[Part]:  # noqa: ANN401 - JSON has no narrower type
    if value is None:
        return []
    if isinstance(value, list):
        return [piece for item in value for piece in _pieces(item)]
    if isinstance(value, str):
        return text_piece(value)
    return _block(value) if isinstance(value, dict) else [Part("unreadable", text=json_of(value))]


def _block(block: dict[str, Any]) -> list[Part]:
    kind, source = _name(block.get("type")), block.get("source")
    if kind == "text":
        return text_piece(block.get("text"))
    if kind == "image" and isinstance(source, dict):
        return [source_part("image", source)]
    return [Part(kind or "unreadable", text=json_of(block))]


def _call(item: dict[str, Any]) -> ToolCall:
    function = item.get("function")
    called: dict[str, Any] = function if isinstance(function, dict) else item
    arguments = called.get("arguments", called.get("input"))
    told = arguments if isinstance(arguments, str) else json_of(arguments) if arguments is not None else "{}"
    return ToolCall(_name(item.get("id")), _name(called.get("name")), unescaped(told) or "{}")


def _reply(call: ToolCall) -> str:
    told = object_in(call.arguments)
    reply = told.get("message") if told else None
    return without_surrogates(reply) if isinstance(reply, str) and reply.strip() else ""


def _thought(text: str) -> str:
    return json_of({"type": "reasoning", "reasoning": text})


def _items(raw: msgspec.Raw) -> Sequence[Any]:
    if not bytes(raw):
        return ()
    try:
        value = decode_leniently(bytes(raw))
    except NotJson:
        return ()
    items: Iterable[Any] = value if isinstance(value, list) else (value,)
    return [item for item in items if item is not None]


def _name(value: object) -> str:
    return without_surrogates(value) if isinstance(value, str) else ""
