"""What a pass means for the rows that went into it: which stay before the summary, which behind it, and which leave the window."""

import sys
from collections.abc import Collection, Mapping, Sequence

import msgspec

from archivist.compress.compressing import Compressed
from archivist.compress.repairing import repair
from archivist.compress.stored_form import ROW, forms_of, shortened_in
from archivist.compress.summary_form import is_summary
from archivist.compress.violations import Form
from archivist.records import Message, Role
from archivist.store.compacting import Sent


class Divided(msgspec.Struct, frozen=True):
    """The rows of a context after a pass.

    Attributes:
        head: Those before the summary, in order; all that stay where there is none.
        summary: What it says; empty where there is none.
        role: Whose the summary is.
        tail: Those behind it.
        leaving: Ids of those that a model no longer sees.
    """

    head: tuple[Sent, ...]
    summary: str
    role: Role
    tail: tuple[Sent, ...]
    leaving: tuple[int, ...]


def divided(done: Compressed, stored: Sequence[Message]) -> Divided:
    """The rows of a context after a pass over it.

    What no provider takes of them (a result without a call) stays where it is, between those that stay: it is left out each time
    that the context is sent.

    Args:
        done: What the pass made of `forms_of` the context.
        stored: The rows of the context, in order, as they were sent.
    """
    at = _place_of_summary(done.messages)
    kept = {one.message: one for one in shortened_in(done.messages, stored)}
    before = {form[ROW] for form in done.messages[:at] if ROW in form}
    sound = {form[ROW] for form in repair(forms_of(stored)) if ROW in form}
    places = {message.id or 0: place for place, message in enumerate(stored)}
    gap = _gap(done, {key: places[key] for key in kept}, before, at)
    head, tail, leaving = list[Sent](), list[Sent](), list[int]()
    for key, place in places.items():
        if key in kept:
            (head if key in before else tail).append(kept[key])
        elif key in sound or place in gap:
            leaving.append(key)
        else:
            (head if place < gap.start else tail).append(Sent(key))
    summary = {} if at is None else done.messages[at]
    role: Role = "assistant" if summary.get("role") == "assistant" else "user"
    return Divided(tuple(head), str(summary.get("content", "")), role, tuple(tail), tuple(leaving))


def _gap(done: Compressed, kept: Mapping[int, int], before: Collection[int], at: int | None) -> range:
    """The places of the rows that the summary stands for; of a request that is carried behind it the place does not count."""
    if at is None:
        return range(sys.maxsize, sys.maxsize)
    start = max((place for key, place in kept.items() if key in before), default=-1) + 1
    behind = sorted(place for key, place in kept.items() if key not in before)
    is_carried = done.report.plan.bounds.request is not None
    return range(start, behind[is_carried] if len(behind) > is_carried else sys.maxsize)


def _place_of_summary(after: Sequence[Form]) -> int | None:
    """Where the new summary stands; one that has a row is an earlier one."""
    return next((at for at, form in enumerate(after) if ROW not in form and is_summary(form)), None)
