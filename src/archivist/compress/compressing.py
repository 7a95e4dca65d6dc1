"""`compress`: a conversation made shorter in five phases, each a function of values.

prune → bounds → summarise → assemble → repair. All but the third are rules alone; without a model the third is too.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from archivist.compress.assembling import assemble
from archivist.compress.cutting import cut_outputs
from archivist.compress.planning import Plan, make_plan
from archivist.compress.reading import read_all, roughly
from archivist.compress.repairing import repair
from archivist.compress.violations import Form
from archivist.records.hits import Notice

DEFAULT_WINDOW: Final = 128_000


class Report(msgspec.Struct, frozen=True):
    """What a compression did.

    Attributes:
        plan: What it was meant to do.
        after: Tokens of the messages, as far as they are estimated.
        notices: What a person should know.
    """

    plan: Plan
    after: int
    notices: tuple[Notice, ...] = ()

    @property
    def before(self) -> int:
        """Tokens before."""
        return self.plan.before


class Compressed(msgspec.Struct, frozen=True):
    """The messages after a compression, and what was done to them."""

    messages: list[dict[str, Any]]
    report: Report


def compress(
    messages: Iterable[Form], target_tokens: int | None = None, *, window: int | None = None
) -> Compressed:
    """A conversation made shorter; nothing but the messages given is read, and they are left as they are.

    Args:
        messages: In the form of OpenAI's chat completions. An `archivist_id` or `id` of a message is the id under which its
            original is told to be read; with `pinned` set its text is kept whole.
        target_tokens: What is aimed at; a quarter of the window by default.
        window: Of the model, in tokens.
    """
    target = target_tokens or (window or DEFAULT_WINDOW) // 4
    sound = repair(messages)
    whole = read_all(sound)
    read, cut = cut_outputs(whole, target)
    plan, chosen = make_plan(read, target, before=roughly(sound), has_model=False)
    after = repair([one.message for one in read] if plan.is_empty else assemble(read, plan, chosen, ""))
    if roughly(after) >= plan.before and not cut:
        return Compressed([dict(one) for one in sound], Report(plan, plan.before, (_nothing_saved(),)))
    return Compressed([dict(one) for one in after], Report(plan, roughly(after), tuple(_notices(cut))))


def _nothing_saved() -> Notice:
    return Notice(
        "nothing-saved",
        "there was nothing between head and tail that could be made shorter; the messages are as they were",
    )


def _notices(cut: int) -> Iterator[Notice]:
    if cut:
        yield Notice(
            "output-cut",
            f"{cut} outputs were larger than the target and were cut; a mark says where the rest is read",
        )


__all__ = ["DEFAULT_WINDOW", "Compressed", "Report", "compress"]
