"""Phase 1, prune: what is long and old becomes a line that leads back to it, without a model.

Outputs that are equal are kept once, the newest; others become a line of their tool's family; arguments and pictures are cut. Only what
stands between head and tail is touched, so that a model that works on still sees what it works with.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import msgspec

from archivist.compress.arguments import WHOLE_CHARS, cut_arguments, cut_text
from archivist.compress.openai_form import calls_in, function_of, is_custom
from archivist.compress.pictures import described, is_carried
from archivist.compress.reading import Read
from archivist.compress.tool_lines import line_of
from archivist.compress.violations import Form

NOTHING: Final[Mapping[int, Sequence[str]]] = MappingProxyType({})
SHORT_CHARS: Final = 200
"""An output of so many characters stays as it is."""
_SIGNED: Final = ("thinking_blocks", "reasoning_details", "reasoning_content", "reasoning")
"""What was thought for a message as it was said; of one that was changed it is left out."""


class Pruned(msgspec.Struct, frozen=True):
    """The messages, and what was done to them.

    Attributes:
        messages: As many as were given, in the same order.
        repeated: Outputs that stand again further on.
        outputs: Outputs that became a line.
        arguments: Messages whose calls were cut.
        carried: Pictures, sounds and files that became a line.
    """

    messages: tuple[Form, ...]
    repeated: int = 0
    outputs: int = 0
    arguments: int = 0
    carried: int = 0


def prune(
    read: Sequence[Read],
    first: int,
    end: int,
    kept: Mapping[int, Sequence[str]] = NOTHING,
    *,
    request: int | None = None,
) -> Pruned:
    """The messages, those from `first` to before `end` made shorter.

    Args:
        read: All messages.
        first: Where the head ends.
        end: Where the tail begins.
        kept: By place of an output, lines of it that stay below its line.
        request: The place of the owner's newest message, which stays as it is with all that it carries.
    """
    newest = _newest(read)
    messages: list[Form] = []
    done: dict[str, int] = dict.fromkeys(("repeated", "outputs", "arguments", "carried"), 0)
    for one in read:
        message = one.message
        if first <= one.place < end and one.place != request:
            message = _shorter(one, newest, kept.get(one.place, ()), done)
        messages.append(message)
    return Pruned(tuple(messages), **done)


def _newest(read: Sequence[Read]) -> dict[str, Read]:
    """By text, the last output that says it; by the text itself, so that no two are taken for one."""
    return {one.text: one for one in read if one.role == "tool" and len(one.text) >= SHORT_CHARS}


def _shorter(one: Read, newest: dict[str, Read], kept: Sequence[str], done: dict[str, int]) -> Form:
    if one.role == "tool":
        return _output(one, newest, kept, done)
    return _without_carried(one, _with_short_calls(one, done), done)


def line_for(one: Read) -> str:
    """The line of an output; of one that was made a line before, that."""
    if one.text.startswith(f"[{one.key}, "):
        return one.text.partition("\n")[0]
    return line_of(one.tool, one.arguments, one.text, one.key)


def _output(one: Read, newest: dict[str, Read], kept: Sequence[str], done: dict[str, int]) -> Form:
    if len(one.text) <= SHORT_CHARS or one.text.startswith(f"[{one.key}, "):
        return _without_carried(one, one.message, done)
    last = newest[one.text]
    if last.place > one.place:
        done["repeated"] += 1
        line = (
            f"[{one.key}, {len(one.text):,} characters] {one.tool}: the same output as {last.key} further on"
        )
    else:
        done["outputs"] += 1
        line = "\n".join((line_for(one), *kept))
    return one.message if len(line) >= len(one.text) else {**one.message, "content": line}


def _with_short_calls(one: Read, done: dict[str, int]) -> Form:
    calls = calls_in(one.message)
    if not any(len(str(function_of(call).get("arguments"))) > WHOLE_CHARS for call in calls):
        return one.message
    done["arguments"] += 1
    cut = [_cut_call(call, one.key) for call in calls]
    return {name: value for name, value in one.message.items() if name not in _SIGNED} | {"tool_calls": cut}


def _cut_call(call: Form, key: str) -> dict[str, Any]:
    if is_custom(call):
        return {**call, "custom": {**call["custom"], "input": cut_text(call["custom"]["input"], key)}}
    return {
        **call,
        "function": {**call["function"], "arguments": cut_arguments(call["function"]["arguments"], key)},
    }


def _without_carried(one: Read, message: Form, done: dict[str, int]) -> Form:
    content = message.get("content")
    if not isinstance(content, list) or not any(map(is_carried, content)):
        return message
    done["carried"] += sum(map(is_carried, content))
    return {
        **message,
        "content": [described(part, one.key) if is_carried(part) else part for part in content],
    }


__all__ = ["SHORT_CHARS", "Pruned", "line_for", "prune"]
