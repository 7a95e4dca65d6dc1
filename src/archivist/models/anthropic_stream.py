"""What a stream of Anthropic's messages tells, put together: a reply out of events."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from archivist.models.fields import field_of, place_in, plain, text_in
from archivist.models.pieces import LEAST_ID, encodable, object_of, own_key
from archivist.records import ToolCall, Usage
from archivist.records.compactions import COMPACTIONS
from archivist.records.requests import AFTER, Piece, Reply, Stop, TextPiece, ThoughtPiece

_STOPS: Final[Mapping[str, Stop]] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "pause_turn": "end",
    "tool_use": "calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
_DELTAS: Final = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}
"""By type of a delta, its field."""
_COUNTED: Final = (
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
)


class AnthropicStream:
    """A reply as far as it has come."""

    def __init__(self) -> None:
        self._begun: dict[int, dict[str, Any]] = {}
        self._added: dict[int, dict[str, list[str]]] = {}
        self._closed: set[int] = set()
        self._counts: dict[str, int] = {}
        self._id, self._model, self._stop = "", "", ""
        self._is_over = False

    @property
    def is_whole(self) -> bool:
        """Whether it came to its end, or was said why it ended."""
        return self._is_over or bool(self._stop)

    def take(self, event: object) -> Iterator[Piece]:
        """One more event; what a person can be shown of it."""
        kind = field_of(event, "type")
        if kind == "message_start":
            self._begin(field_of(event, "message"))
        elif kind == "content_block_start":
            block = plain(field_of(event, "content_block"))
            self._begun[place_in(event, "index")] = block
            self._added.pop(place_in(event, "index"), None)
            yield from _shown(text_in(block, "text"), text_in(block, "thinking"))
        elif kind == "content_block_delta":
            yield from self._add(place_in(event, "index"), field_of(event, "delta"))
        elif kind == "content_block_stop":
            self._closed.add(place_in(event, "index"))
        elif kind == "message_delta":
            self._stop = text_in(field_of(event, "delta"), "stop_reason") or self._stop
            self._count(field_of(event, "usage"))
        elif kind == "message_stop":
            self._is_over = True

    def _begin(self, message: object) -> None:
        self._id, self._model = text_in(message, "id"), text_in(message, "model")
        self._count(field_of(message, "usage"))

    def _count(self, used: object) -> None:
        """Counts are of the whole reply so far, each time that they are told."""
        told = {field: field_of(used, field) for field in _COUNTED}
        told["thinking_tokens"] = field_of(field_of(used, "output_tokens_details"), "thinking_tokens")
        self._counts |= {field: value for field, value in told.items() if isinstance(value, int)}

    def _add(self, index: int, delta: object) -> Iterator[Piece]:
        block, kind = self._begun.setdefault(index, {"type": "text"}), text_in(delta, "type")
        if field := _DELTAS.get(kind):
            text = text_in(delta, field)
            self._added.setdefault(index, {}).setdefault(field, []).append(text)
            yield from _shown(text if field == "text" else "", text if field == "thinking" else "")
        elif kind == "compaction_delta":
            block |= {name: value for name, value in plain(delta).items() if name != "type"}

    def _blocks(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The blocks as far as they have come, in their order, each with what was added to it."""
        for index in sorted(self._begun):
            block = self._begun[index]
            added = {
                field: "".join((text_in(block, field), *pieces))
                for field, pieces in self._added.get(index, {}).items()
            }
            yield index, {**block, **added, "type": text_in(block, "type")}

    def reply(self, *, stopped: bool = False) -> Reply:
        """What has come; of one that did not come to its end the text and what was signed, without calls."""
        numbered = list(self._blocks())
        blocks = [block for _, block in numbered]
        calls = () if stopped else tuple(self._calls(numbered))
        stop = _STOPS.get(self._stop, "end")
        return Reply(
            "".join(text_in(block, "text") for block in blocks if block["type"] == "text"),
            calls,
            self._reasoning(numbered),
            "interrupted" if stopped else ("calls" if calls and stop == "end" else stop),
            self._usage(),
            self._model,
        )

    def _calls(self, numbered: list[tuple[int, dict[str, Any]]]) -> Iterator[ToolCall]:
        """Each under an id of its own; what names no tool is none."""
        used: set[str] = set()
        for index, block in numbered:
            if _is_call(block) and index in self._closed:
                written = block.get("partial_json") or _written(block.get("input") or {})
                if _STOPS.get(self._stop) != "length" or object_of(written) != {"arguments": written}:
                    key = own_key(text_in(block, "id"), used, self._id, index, block["name"], written)
                    yield ToolCall(key, block["name"], written)

    def _reasoning(self, numbered: list[tuple[int, dict[str, Any]]]) -> str | None:
        """In the form of `Message.reasoning`: the blocks that it wants back to the letter."""
        kept, text, calls = [], 0, 0
        for index, block in numbered:
            held = _kept(block, is_closed=index in self._closed)
            if held and held == encodable(
                held
            ):  # half a character cannot be sent again, and what is signed not otherwise
                kept.append({**held, AFTER: [text, calls]} if text or calls else held)
            text += len(text_in(block, "text")) if block["type"] == "text" else 0
            calls += _is_call(block)
        return _written(kept) if kept else None

    def _usage(self) -> Usage | None:
        if not self._counts:
            return None
        count = self._counts.get
        return Usage(
            self._model,
            self._id if len(self._id) >= LEAST_ID else "",
            input=count("input_tokens", 0),
            output=count("output_tokens", 0),
            cache_read=count("cache_read_input_tokens", 0),
            cache_write=count("cache_creation_input_tokens", 0),
            reasoning=count("thinking_tokens", 0),
        )


def _kept(block: dict[str, Any], *, is_closed: bool) -> dict[str, Any] | None:
    """A block as it is sent back; some servers sign with an empty text what they want back all the same."""
    kind, signature = block.get("type"), block.get("signature")
    if kind == "thinking" and isinstance(signature, str) and (signature or is_closed):
        return {"type": kind, "thinking": block.get("thinking") or "", "signature": signature}
    if kind == "redacted_thinking" and block.get("data"):
        return {"type": kind, "data": block["data"]}
    if kind in COMPACTIONS and "content" in block:
        return {name: value for name, value in block.items() if value is not None or name == "content"}
    return None


def _is_call(block: dict[str, Any]) -> bool:
    return block["type"] == "tool_use" and bool(text_in(block, "name"))


def _written(value: object) -> str:
    return json.dumps(encodable(value), ensure_ascii=False, separators=(",", ":"))


def _shown(text: str, thought: str) -> Iterator[Piece]:
    if text:
        yield TextPiece(text)
    if thought:
        yield ThoughtPiece(thought)


__all__ = ["AnthropicStream"]
