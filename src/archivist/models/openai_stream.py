"""What a stream of chat completions tells, put together: a reply out of chunks, whatever server they come from."""

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from archivist.models.fields import count_in, field_of, listed_in, plain, text_in
from archivist.models.openai_calls import CallsHeard
from archivist.models.pieces import LEAST_ID
from archivist.records import ToolCall, Usage
from archivist.records.requests import Piece, Reply, Stop, TextPiece, ThoughtPiece

_STOPS: Final[Mapping[str, Stop]] = {
    "stop": "end",
    "length": "length",
    "tool_calls": "calls",
    "function_call": "calls",
    "content_filter": "refusal",
    "sensitive": "refusal",
}
_BROKEN: Final = frozenset(("error", "network_error", "insufficient_system_resource", "abort"))
"""Words in the place of why it ended, where it did not come to its end."""
_THOUGHTS: Final = ("reasoning_content", "reasoning")
_JOINED: Final = ("text", "summary")
"""Fields of a piece of reasoning that come in pieces themselves."""


class OpenAIStream:
    """A reply as far as it has come."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._thoughts: dict[str, list[str]] = {}
        self._details: list[dict[str, Any]] = []
        self._calls = CallsHeard()
        self._finish, self._is_refused, self._is_counted = "", False, False
        self._id, self._model = "", ""
        self._used: Any = None

    @property
    def is_whole(self) -> bool:
        """Whether it was said why it ended, or at the end what it used."""
        return self._finish not in _BROKEN and (bool(self._finish) or self._is_counted)

    def take(self, chunk: object) -> Iterator[Piece]:
        """One more chunk; what a person can be shown of it."""
        self._id = self._id or text_in(chunk, "id")
        self._model = text_in(chunk, "model") or self._model
        used, choices = field_of(chunk, "usage"), listed_in(chunk, "choices")
        self._used = used or self._used
        self._is_counted = self._is_counted or bool(used and not choices)
        for choice in choices:
            self._finish = text_in(choice, "finish_reason") or self._finish
            if (delta := field_of(choice, "delta")) is not None:
                yield from self._take(delta)

    def _take(self, delta: object) -> Iterator[Piece]:
        yield from self._think(delta)
        yield from self._say(text_in(delta, "content"))
        for part in listed_in(delta, "content"):
            yield from self._part(part)
        if refused := text_in(delta, "refusal"):
            self._is_refused = True
            yield from self._say(refused)
        for call in listed_in(delta, "tool_calls"):
            self._calls.take(call)

    def _say(self, text: str) -> Iterator[Piece]:
        if text:
            self._texts.append(text)
            yield TextPiece(text)

    def _part(self, part: object) -> Iterator[Piece]:
        """A part of what is said, where a server tells it in parts: Mistral's do that while they think."""
        yield from self._say(text_in(part, "text"))
        for thought in listed_in(part, "thinking"):
            if text := text_in(thought, "text"):
                yield ThoughtPiece(text)

    def _think(self, delta: object) -> Iterator[Piece]:
        told = ""
        for field in _THOUGHTS:
            if text := text_in(delta, field):
                self._thoughts.setdefault(field, []).append(text)
                told = told or text
        for detail in listed_in(delta, "reasoning_details"):
            _join(self._details, piece := plain(detail))
            told = told or text_in(piece, "text") or text_in(piece, "summary")
        if told:
            yield ThoughtPiece(told)

    def reply(self, *, stopped: bool = False) -> Reply:
        """What has come; of one that did not come to its end the text, without calls and thoughts."""
        calls, signed = ((), []) if stopped else self._calls.made(self._id)
        stop = _STOPS.get(self._finish, "end")
        if stop == "length":
            calls = tuple(call for call in calls if _is_object(call))
        if self._is_refused:
            stop = "refusal"
        elif stop in {"end", "calls"}:
            stop = "calls" if calls else "end"
        return Reply(
            "".join(self._texts),
            calls,
            None if stopped else self._reasoning(signed),
            "interrupted" if stopped else stop,
            self._usage(),
            self._model,
        )

    def _reasoning(self, signed: list[dict[str, Any]]) -> str | None:
        """In the form of `Message.reasoning`: in the field that the server used, for it wants that back."""
        details = [*self._details, *signed]
        told: dict[str, Any] = {"reasoning_details": details} if details else {}
        if not self._details:
            field, pieces = next(iter(self._thoughts.items()), ("", []))
            told |= {field: "".join(pieces)} if pieces else {}
        return json.dumps(told, ensure_ascii=False) if told else None

    def _usage(self) -> Usage | None:
        used = self._used
        if used is None:
            return None
        told = field_of(used, "prompt_tokens_details")
        read = count_in(told, "cached_tokens") or count_in(used, "prompt_cache_hit_tokens", "cached_tokens")
        written = count_in(told, "cache_write_tokens")
        cost = field_of(used, "cost")
        return Usage(
            self._model,
            self._id if len(self._id) >= LEAST_ID else "",
            input=max(0, count_in(used, "prompt_tokens") - read - written),
            output=count_in(used, "completion_tokens"),
            cache_read=read,
            cache_write=written,
            reasoning=count_in(field_of(used, "completion_tokens_details"), "reasoning_tokens"),
            cost_usd=float(cost) if isinstance(cost, int | float) and 0 < cost < math.inf else 0.0,
        )


def _join(details: list[dict[str, Any]], piece: dict[str, Any]) -> None:
    """Put a piece of reasoning to the one that it goes on with: the same type at the same place."""
    last = details[-1] if details else {}
    is_other = any(last.get(field) != piece.get(field) for field in ("type", "index"))
    if not last or is_other or "data" in piece:  # what is sealed comes whole
        details.append(dict(piece))
        return
    for field, value in piece.items():
        if field in _JOINED and isinstance(value, str):
            last[field] = f"{last.get(field) or ''}{value}"
        elif value is not None:
            last[field] = value


def _is_object(call: ToolCall) -> bool:
    try:
        return isinstance(json.loads(call.arguments), dict)
    except (ValueError, RecursionError):
        return False


__all__ = ["OpenAIStream"]
