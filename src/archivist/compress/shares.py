"""What makes up a window, by tokens: what stands before the conversation, who said how much of it, and what was put beside it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, Literal, get_args

import msgspec

from archivist.compress.compactions import window_places
from archivist.compress.reading import OVERHEAD_TOKENS, text_of, text_tokens, tokens_of
from archivist.compress.stored_form import forms_of
from archivist.compress.summary_form import is_summary
from archivist.prompt.fence import background_in
from archivist.records import Message

What = Literal[
    "prompt", "notes", "tools", "host", "summary", "owner", "others", "agent", "outputs", "background"
]
"""The system prompt, the notes in it, the tools that are offered; what a program said as the system, summaries of earlier passes; what the
owner said, others in a group, the agent with its calls and thoughts, what tools returned; what was recalled or told beside a message."""

ORDER: Final[tuple[What, ...]] = get_args(What)


class Share(msgspec.Struct, frozen=True):
    """A part of a window.

    Attributes:
        what: Which part.
        messages: How many messages it is; 0 where it stands in others, as the notes in the prompt.
        tokens: About how many tokens it costs.
    """

    what: What
    messages: int
    tokens: int


def shares_of(
    messages: Sequence[Message],
    prompt: str | None = None,
    notes: str | None = None,
    *,
    tools: str = "",
    owners: Collection[str] = (),
) -> tuple[Share, ...]:
    """What makes up the window of a stored context; what there is nothing of, or what a provider compressed by itself, is not in it.

    Args:
        messages: The context, as a model is sent it.
        prompt: The system prompt; None where nobody told it.
        notes: What the session was given of the notes, whether the prompt is known or not.
        tools: The schemas that are sent beside, as text.
        owners: The names under which the owner speaks in a group.
    """
    counted: dict[What, list[int]] = {}
    for what, count, tokens in (*_before(prompt, notes, tools), *_said(messages, owners)):
        so_far = counted.setdefault(what, [0, 0])
        so_far[0] += count
        so_far[1] += tokens
    return tuple(Share(what, *counted[what]) for what in ORDER if what in counted)


def total_of(shares: Iterable[Share]) -> int:
    """Tokens of all of them."""
    return sum(share.tokens for share in shares)


def _before(prompt: str | None, notes: str | None, tools: str) -> Iterator[tuple[What, int, int]]:
    inside = text_tokens(notes) if notes else 0
    if prompt:
        is_inside = bool(notes and notes in prompt)
        yield "prompt", 1, max(0, text_tokens(prompt) + OVERHEAD_TOKENS - (inside if is_inside else 0))
    if notes:
        yield "notes", 0, inside
    if tools:
        yield "tools", 0, text_tokens(tools)


def _said(messages: Sequence[Message], owners: Collection[str]) -> Iterator[tuple[What, int, int]]:
    forms = forms_of(messages)
    for place in window_places(forms):
        message, form = messages[place], forms[place]
        beside = sum(map(text_tokens, background_in(text_of(form)) if message.role == "user" else ()))
        who: What = "summary" if is_summary(form) else _who(message, owners)
        yield who, 1, max(0, tokens_of(form) - beside)
        if beside:
            yield "background", 0, beside


def _who(message: Message, owners: Collection[str]) -> What:
    if message.role == "user":
        return "owner" if message.speaker is None or message.speaker in owners else "others"
    return "agent" if message.role == "assistant" else "outputs" if message.role == "tool" else "host"


__all__ = ["Share", "What", "shares_of", "total_of"]
