"""Phase 2, bounds: which messages stay as they are, at the beginning and at the end, and where the summary may stand.

A bound never falls between a call and its result, nor before a block by which the provider itself compressed what was before. The owner's
newest request is always among what stays: where its turn has outgrown the tail, the request is carried to the tail and the steps between
are compressed.
"""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from archivist.compress.compactions import window_start
from archivist.compress.reading import Read, cost_of
from archivist.compress.summary_form import is_summary
from archivist.prompt.fence import without_background

HEAD_MESSAGES: Final = 3
"""Beside the system's, so many messages at the beginning stay."""
HEAD_SHARE, TAIL_SHARE = 0.2, 0.25
"""Of the target: what the head costs at most, and what the tail should."""


_MAY_STAND_BEFORE_THE_AGENT: Final = frozenset(("user", "tool"))


class Bounds(msgspec.Struct, frozen=True):
    """Where things stand.

    Attributes:
        head_end: The first message that is compressed.
        tail_start: The first that is not.
        request: The newest message of the owner, where it stands between the two and is carried to the tail.
        role: Whose the summary is, so that nobody speaks twice in a row.
        is_request_above: Whether the newest message of the owner is in the head.
    """

    head_end: int
    tail_start: int
    request: int | None = None
    role: Literal["user", "assistant"] = "user"
    is_request_above: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to compress."""
        return self.tail_start - self.head_end <= (self.request is not None)


def find_bounds(read: Sequence[Read], target: int) -> Bounds:
    """The bounds for a target in tokens."""
    opening = _opening(read)
    head_end = _head_end(read, opening, int(target * HEAD_SHARE))
    tail_start = max(_tail_start(read, int(target * TAIL_SHARE)), head_end)
    newest = max((one.place for one in read if _is_owners(one)), default=-1)
    request = newest if head_end <= newest < tail_start else None
    if request is None and tail_start < len(read) and read[tail_start].role == "user":
        tail_start = _begun_by_the_agent(read, tail_start, head_end, int(target * HEAD_SHARE))
    after = "user" if request is not None else read[tail_start].role if tail_start < len(read) else ""
    role: Literal["user", "assistant"] = "assistant" if after == "user" else "user"
    is_above = 0 <= newest < head_end
    if is_above and newest + 1 == head_end:
        head_end = _with_a_step(read, head_end, tail_start, int(target * HEAD_SHARE))
    head_end = _fitting(read, max(opening, newest + 1) if is_above else opening, head_end, role)
    if role == "assistant" and not _may_follow(read, head_end):
        role = "user"
    return Bounds(head_end, tail_start, request, role, is_above)


def _opening(read: Sequence[Read]) -> int:
    """Where that begins which may be compressed: behind what the system says, and behind a provider's own compaction with its calls."""
    start = window_start([one.message for one in read])
    if start is None:
        return next((one.place for one in read if one.role not in {"system", "developer"}), len(read))
    end = start + 1
    while end < len(read) and read[end].role == "tool":
        end += 1
    return end


def _is_owners(one: Read) -> bool:
    return one.role == "user" and not is_summary(one.message) and not _is_told(one)


def _is_told(one: Read) -> bool:
    """Whether a message only tells the model something, beside nobody's words."""
    return bool(one.text.strip()) and not without_background(one.text).strip() and not _shows(one)


def _may_follow(read: Sequence[Read], head_end: int) -> bool:
    """Whether the agent may speak there: no provider takes a conversation that the assistant begins."""
    has_begun = any(one.role == "user" and (one.text.strip() or _shows(one)) for one in read[:head_end])
    return has_begun and read[head_end - 1].role in _MAY_STAND_BEFORE_THE_AGENT


def _shows(one: Read) -> bool:
    content = one.message.get("content")
    return isinstance(content, list) and any(part.get("type") != "text" for part in content)


def _begun_by_the_agent(read: Sequence[Read], tail_start: int, head_end: int, most: int) -> int:
    """The tail with the exchange before it, where that is the agent's and short: a summary of the user's may stand before it."""
    start = _last_start(read, tail_start)
    is_agents = start > head_end and read[start].role == "assistant"
    return start if is_agents and cost_of(read[start:tail_start]) <= most else tail_start


def _with_a_step(read: Sequence[Read], head_end: int, tail_start: int, most: int) -> int:
    """A head that ends with a request, and the agent's first step behind it, if that is short."""
    end = head_end + 1
    while end < len(read) and read[end].role == "tool":
        end += 1
    fits = end <= tail_start and cost_of(read[head_end:end]) <= most
    return end if fits else head_end


def _head_end(read: Sequence[Read], opening: int, budget: int) -> int:
    """The end of the head: whole exchanges, as far as they fit."""
    end, spent = opening, 0
    for one in read[opening:]:
        spent += one.tokens
        is_over = one.place >= opening + HEAD_MESSAGES or spent > budget
        if is_summary(one.message) or (one.role != "tool" and is_over):
            break
        if one.role == "tool" and spent > budget:
            return _last_start(read, end)
        end = one.place + 1
    return end


def _last_start(read: Sequence[Read], end: int) -> int:
    """Where the exchange begins that reaches up to here."""
    while end > 0 and read[end - 1].role == "tool":
        end -= 1
    return max(0, end - 1)


def _fitting(read: Sequence[Read], least: int, head_end: int, role: str) -> int:
    """The head shortened until a summary of that role may follow it; as it was where it never may."""
    wanted = (
        {"assistant", "tool", "system", "developer", ""} if role == "user" else _MAY_STAND_BEFORE_THE_AGENT
    )
    end = head_end
    while end > least and read[end - 1].role not in wanted:
        end = _last_start(read, end)
    before = read[end - 1].role if end else ""
    return end if before in wanted else head_end


def _tail_start(read: Sequence[Read], budget: int) -> int:
    """The beginning of the last exchanges that fit; the last one always stays."""
    start, spent = len(read), 0
    while start > 0:
        begun = _last_start(read, start)
        if is_summary(read[begun].message):
            break
        spent += cost_of(read[begun:start])
        if spent > budget and start < len(read):
            break
        start = begun
    return start


__all__ = ["HEAD_MESSAGES", "HEAD_SHARE", "TAIL_SHARE", "Bounds", "find_bounds"]
