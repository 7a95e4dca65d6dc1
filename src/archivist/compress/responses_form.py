"""The rules of the input items of OpenAI's responses: messages, calls and outputs are items of their own."""

from collections.abc import Iterator, Sequence
from typing import Final

from archivist.compress.responses_items import (
    CALL_OF,
    CALLS,
    SPOKEN_BY_MODEL,
    check_item,
    check_parts,
    is_name,
    kind_of,
)
from archivist.compress.violations import Form, Violation

_ROLES: Final = frozenset(("system", "developer", "user", "assistant"))


def check_responses(items: Sequence[Form], *, in_flight: bool = False) -> Iterator[Violation]:
    """Every broken rule of a list of items."""
    for at, item in enumerate(items):
        kind = kind_of(item)
        if kind == "message":
            yield from _message(at, item)
        else:
            yield from check_item(at, item, kind)
    yield from _pairs(items, in_flight=in_flight)
    yield from _thoughts(items)
    yield from _twice(items)


def _message(at: int, item: Form) -> Iterator[Violation]:
    role, content = item.get("role"), item.get("content")
    if not isinstance(role, str) or role not in _ROLES:
        yield Violation(at, "role", f"the role {role!r} is none of {', '.join(sorted(_ROLES))}")
    elif isinstance(content, list) and content:
        yield from check_parts(at, content, role)
    elif not isinstance(content, str) or not content:
        yield Violation(at, "empty", "there is no content")


def _pairs(items: Sequence[Form], *, in_flight: bool) -> Iterator[Violation]:
    """Every call is answered behind it; what only is referred to may hold calls that nobody sees here."""
    waiting: dict[tuple[str, str], int] = {}
    is_referred = False
    for at, item in enumerate(items):
        kind = kind_of(item)
        is_referred |= kind == "item_reference"
        if kind in CALLS:
            made = kind, str(item.get("call_id"))
            if made in waiting:
                yield Violation(at, "call-twice", f"the id {made[1]!r} is that of a call that still waits")
            waiting[made] = at
        elif kind in CALL_OF:
            answered = _answered(item, kind)
            if answered is None:
                yield Violation(at, "no-call-id", "an output does not say which call it answers")
            elif waiting.pop((CALL_OF[kind], answered), None) is None and not is_referred:
                yield Violation(at, "orphan-result", f"no call before has the id {answered!r}")
    said = max((at for at, item in enumerate(items) if kind_of(item) == "message"), default=-1)
    for (_, key), at in waiting.items():
        if not (in_flight and at > said):  # behind calls in flight nothing is said
            yield Violation(at, "call-without-result", f"the call {key!r} has no output")


def _answered(item: Form, kind: str) -> str | None:
    """The id of the call that an output answers; a local shell's says it as its own."""
    key = item.get("call_id") or (item.get("id") if kind == "local_shell_call_output" else None)
    return str(key) if is_name(key) else None


def _thoughts(items: Sequence[Form]) -> Iterator[Violation]:
    """Reasoning stands before what the model said or called upon it.

    OpenAI answers "reasoning was provided without its required following item", see continuedev/continue#8933.
    """
    kinds = [kind_of(item) for item in items]
    for at, kind in enumerate(kinds):
        if kind != "reasoning":
            continue
        behind = next((place for place in range(at + 1, len(items)) if kinds[place] != "reasoning"), None)
        if behind is None or not _is_models(items[behind], kinds[behind]):
            yield Violation(
                at, "thinking-last", "behind reasoning stands nothing that the model said or called"
            )


def _is_models(item: Form, kind: str) -> bool:
    return item.get("role") == "assistant" if kind == "message" else kind in SPOKEN_BY_MODEL


def _twice(items: Sequence[Form]) -> Iterator[Violation]:
    """No item is there twice: OpenAI refuses a second one with the same id."""
    seen: set[str] = set()
    for at, item in enumerate(items):
        key = item.get("id")
        if not isinstance(key, str) or kind_of(item) in CALL_OF:
            continue
        if key in seen:
            yield Violation(at, "item-twice", f"the id {key!r} is that of an item before")
        seen.add(key)
