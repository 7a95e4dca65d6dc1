"""What a message says, and under which id it is read back.

The id is the message's own, where it has one (`archivist_id`, `id`); of a result the id of its call; otherwise its place in the whole
conversation, counted on over what was summarised before.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final

import msgspec

from archivist.compress.compactions import carried_compactions
from archivist.compress.openai_form import calls_in, function_of
from archivist.compress.summary_form import carried_behind, messages_covered
from archivist.compress.violations import Form
from archivist.records.compactions import is_compaction
from archivist.records.tokens import estimate_tokens

PICTURE_TOKENS: Final = 1_500
"""About what providers count for a picture, however many bytes it has."""
OVERHEAD_TOKENS: Final = 4
_LONGEST_ID: Final = 24
_KEY: Final = re.compile(r"[^\s\[\]]{1,64}")
"""An id that can stand in brackets."""
_COUNTED: Final = 60
"""Of so many messages the tokens are counted to know the rate of all."""
_SAID: Final = frozenset(("text", "refusal", "thinking"))
"""Types of parts that are text."""
_SAMPLED_CHARS, _SAMPLES, _SAMPLE_CHARS = 2_000, 4, 250


class Read(msgspec.Struct, frozen=True, dict=True):
    """A message with what the phases ask of it.

    Attributes:
        place: Its number in the list.
        key: Under which the original is read back.
        text: What it says.
        tool: Of a result, the tool that was called.
        arguments: Of a result, those of its call, as JSON text.
    """

    place: int
    key: str
    role: str
    text: str
    message: Form
    tool: str = ""
    arguments: str = ""

    @cached_property
    def tokens(self) -> int:
        """About how many it costs; counted when it is first asked for."""
        return tokens_of(self.message)

    @cached_property
    def bytes(self) -> int:
        """About how many it has; counted when it is first asked for."""
        return _bytes_of(self.message)


def read_all(messages: Sequence[Form]) -> list[Read]:
    """Every message of a repaired list."""
    keys = _keys(messages)
    calls: dict[str, Form] = {}
    found = []
    for place, message in enumerate(messages):
        role = message["role"]
        called: Form = {}
        if role == "assistant":
            calls.update((call["id"], function_of(call)) for call in calls_in(message))
        elif role == "tool":
            called = calls.get(message["tool_call_id"], {})
        found.append(
            Read(
                place,
                keys[place],
                role,
                text_of(message),
                message,
                str(called.get("name") or message.get("name") or ""),
                str(called.get("arguments") or ""),
            )
        )
    return found


def text_of(message: Form) -> str:
    """The text of a message, its parts joined by lines."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part.get("type") == "text") if content else ""


def tokens_of(message: Form) -> int:
    """About how many tokens a message costs, calls, reasoning and pictures among them."""
    content = message.get("content")
    tokens = OVERHEAD_TOKENS
    if isinstance(content, str):
        tokens += text_tokens(content)
    elif content:
        tokens += sum(map(_part_tokens, content))
    for call in calls_in(message):
        function = function_of(call)
        tokens += text_tokens(f"{function.get('name', '')}{function.get('arguments', '')}")
    for block in message.get("thinking_blocks") or ():
        tokens += text_tokens(str(block.get("thinking", "")))
    tokens += sum(text_tokens(_held(block)) for block in carried_compactions(message))
    return tokens + text_tokens(str(message.get("reasoning_content") or ""))


def total(messages: Iterable[Form]) -> int:
    """About how many tokens all of them cost."""
    return sum(map(tokens_of, messages))


def cost_of(read: Iterable[Read]) -> int:
    """About how many tokens messages cost that were read."""
    return sum(one.tokens for one in read)


def roughly(messages: Sequence[Form]) -> int:
    """The same of many: by their bytes, at the rate of every so many of them."""
    step = max(1, len(messages) // _COUNTED)
    counted = messages[::step]
    return round(total(counted) * bytes_of(messages) / max(1, bytes_of(counted)))


def bytes_of(messages: Iterable[Form]) -> int:
    """About how many bytes messages have; a picture as many as its tokens are worth."""
    return sum(map(_bytes_of, messages))


def _bytes_of(message: Form) -> int:
    """The bytes of what is said and called."""
    content = message.get("content")
    size = OVERHEAD_TOKENS * 4
    if isinstance(content, str):
        size += _bytes_in(content)
    elif content:
        size += sum(_bytes_of_part(part) for part in content)
    size += sum(len(_held(block)) for block in carried_compactions(message))
    return size + sum(len(str(function_of(call).get("arguments"))) for call in calls_in(message))


def _bytes_of_part(part: Form) -> int:
    if is_compaction(part):
        return 0
    kind = part["type"]
    return _bytes_in(str(part.get(kind, ""))) if kind in _SAID else PICTURE_TOKENS * 4


def _bytes_in(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def text_tokens(text: str) -> int:
    """About how many tokens a text is; of a long one by samples."""
    if len(text) <= _SAMPLED_CHARS:
        return _estimated(text)
    step = (len(text) - _SAMPLE_CHARS) // (_SAMPLES - 1)
    sample = "".join(text[at * step : at * step + _SAMPLE_CHARS] for at in range(_SAMPLES))
    return round(_estimated(sample) * len(text) / len(sample))


_estimated: Final = lru_cache(maxsize=2_048)(estimate_tokens)
"""What stays in a conversation is estimated before and after a pass, and in every turn; no text that is remembered is long."""


def _part_tokens(part: dict[str, Any]) -> int:
    kind = part["type"]
    if kind in _SAID:
        return text_tokens(str(part.get(kind, "")))
    return 0 if is_compaction(part) else PICTURE_TOKENS


def _held(block: Form) -> str:
    """What a compaction block holds; of one that only its provider can read, the letters of which it is made."""
    return str(block.get("content") or block.get("encrypted_content") or "")


def _keys(messages: Sequence[Form]) -> list[str]:
    answered = Counter(str(message.get("tool_call_id")) for message in messages if message["role"] == "tool")
    own = (_own_key(message) or _call_key(message, answered) for message in messages)
    return [key or f"#{place}" for key, place in zip(own, places(messages), strict=True)]


def places(messages: Sequence[Form]) -> list[int]:
    """Where each message stands in the whole conversation, what summaries stand for counted."""
    found: list[int] = []
    place, carried = 0, None
    for message in messages:
        covered = messages_covered(message)
        found.append(place if carried is None else carried)
        if covered is not None:
            place, carried = covered, carried_behind(message)
        else:
            place, carried = place + (carried is None), None
    return found


def _own_key(message: Form) -> str:
    own = message.get("archivist_id", message.get("id"))
    return str(own) if isinstance(own, int | str) and _KEY.fullmatch(str(own)) else ""


def _call_key(message: Form, answered: Counter[str]) -> str:
    if message["role"] != "tool":
        return ""
    key = str(message["tool_call_id"])
    return key if len(key) <= _LONGEST_ID and answered[key] == 1 and _KEY.fullmatch(key) else ""


__all__ = [
    "Read",
    "bytes_of",
    "cost_of",
    "places",
    "read_all",
    "roughly",
    "text_of",
    "text_tokens",
    "tokens_of",
    "total",
]
