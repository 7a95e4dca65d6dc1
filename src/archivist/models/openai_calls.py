"""Calls put together of their pieces, by index where the server tells one, else by id and order.

Servers differ: some tell no index, or the same for each call; some repeat id and name in each piece; some send a call whole, its
arguments as an object, without an id.
"""

import json
from collections.abc import Mapping
from typing import Any

from archivist.models.call_signatures import BESIDE, detail_of
from archivist.models.fields import field_of
from archivist.models.pieces import own_key
from archivist.records import ToolCall


class _Call:
    def __init__(self, key: str) -> None:
        self.key, self.name = key, ""
        self._pieces: list[str] = []
        self.beside: dict[str, Any] = {}

    def add(self, text: str) -> None:
        """Some more of its arguments."""
        if text:
            self._pieces.append(text)

    @property
    def has_arguments(self) -> bool:
        """Whether any of them has come."""
        return bool(self._pieces)

    @property
    def arguments(self) -> str:
        """As far as they have come."""
        self._pieces[:] = ["".join(self._pieces)] if self._pieces else []
        return self._pieces[0] if self._pieces else ""

    @property
    def is_whole(self) -> bool:
        """Whether its arguments are an object already."""
        try:
            return isinstance(json.loads(self.arguments), dict)
        except (ValueError, RecursionError):
            return False


class CallsHeard:
    """The calls of one reply, as far as they have come."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}

    def take(self, piece: object) -> None:
        """One more piece."""
        function, key = field_of(piece, "function"), field_of(piece, "id")
        name, arguments = field_of(function, "name"), field_of(function, "arguments")
        index, beside = field_of(piece, "index"), field_of(piece, BESIDE)
        own_key = key if isinstance(key, str) else ""
        own_name = name if isinstance(name, str) else ""
        text = arguments if isinstance(arguments, str) else _written(arguments)
        call = self._open(index, own_key, own_name, text) or self._begun(index, own_key)
        call.key = call.key or own_key
        if own_name and own_name != call.name and not call.has_arguments:
            call.name += own_name
        call.add(text)
        if isinstance(beside, Mapping):
            call.beside.update(beside)

    def _open(self, index: object, key: str, name: str, text: str) -> _Call | None:
        """The call that a piece goes on with; None where it begins another."""
        last = self._by_index.get(index) if isinstance(index, int) else self._last(key)
        if last is None or (key and last.key and key != last.key):
            return None
        is_again = not key or not isinstance(index, int)
        if is_again and name and text.lstrip().startswith("{") and last.is_whole:
            return None  # a whole call behind a whole call
        if is_again and name and last.name and name != last.name and last.has_arguments:
            return None
        return last

    def _last(self, key: str) -> _Call | None:
        if key:
            same = next((call for call in reversed(self._calls) if call.key == key), None)
            return same or (self._calls[-1] if self._calls and not self._calls[-1].key else None)
        return self._calls[-1] if self._calls else None

    def _begun(self, index: object, key: str) -> _Call:
        call = _Call(key)
        self._calls.append(call)
        if isinstance(index, int):
            self._by_index[index] = call
        return call

    def made(self, reply_id: str) -> tuple[tuple[ToolCall, ...], list[dict[str, Any]]]:
        """The calls, each under an id of its own, and what came beside them; what names no tool is none."""
        used: set[str] = set()
        named = [
            (
                ToolCall(
                    own_key(call.key, used, reply_id, number, call.name, call.arguments),
                    call.name,
                    call.arguments or "{}",
                ),
                call.beside,
            )
            for number, call in enumerate(self._calls)
            if call.name
        ]
        return tuple(call for call, _ in named), [
            detail_of(call.id, beside) for call, beside in named if beside
        ]


def _written(arguments: object) -> str:
    return json.dumps(arguments, ensure_ascii=False) if isinstance(arguments, dict) else ""


__all__ = ["CallsHeard"]
