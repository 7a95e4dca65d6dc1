"""`compress`: a conversation made shorter in five phases, each a function of values.

prune → bounds → summarise → assemble → repair. All but the third are rules alone; without a model the third is too.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from archivist.compress.asking_a_model import DEADLINE_SECONDS, Summarise
from archivist.compress.assembling import assemble
from archivist.compress.choosing import Ranking
from archivist.compress.compactions import in_window, window_places
from archivist.compress.cutting import cut_outputs
from archivist.compress.planning import Plan, make_plan
from archivist.compress.pruning import prune
from archivist.compress.reading import Read, read_all, roughly
from archivist.compress.repairing import repair
from archivist.compress.sections import written
from archivist.compress.sizes import some_tokens
from archivist.compress.steps import steps
from archivist.compress.summarising import CHUNK_TOKENS, Summarised, summarise_passages
from archivist.compress.telling import in_keeping_with, passages_of, told_before
from archivist.compress.violations import Form
from archivist.compress.weighing import tokens
from archivist.records.notices import Notice

_ENOUGH: Final = 0.8
"""Of the target, so much may be left for pruning alone to be enough."""
_LEAST_TOLD: Final = 40
"""For fewer tokens no model is asked."""
DEFAULT_WINDOW: Final = 128_000


class Report(msgspec.Struct, frozen=True):
    """What a compression did.

    Attributes:
        plan: What it was meant to do.
        after: Tokens of the messages that the model reads, as far as they are estimated.
        notices: What a person should know.
        removed: Lines that a model told and that stand in no message.
    """

    plan: Plan
    after: int
    notices: tuple[Notice, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def before(self) -> int:
        """Tokens before."""
        return self.plan.before


class Compressed(msgspec.Struct, frozen=True):
    """The messages after a compression, and what was done to them."""

    messages: list[dict[str, Any]]
    report: Report


def plan_compression(
    messages: Iterable[Form], target_tokens: int | None = None, *, window: int | None = None, focus: str = ""
) -> Plan:
    """What `compress` would do with the same messages, without doing it.

    Args:
        messages: As for `compress`.
        target_tokens: As for `compress`.
        window: As for `compress`.
        focus: As for `compress`.
    """
    return _prepared(messages, target_tokens, window, focus).plan


def compress(
    messages: Iterable[Form],
    target_tokens: int | None = None,
    *,
    window: int | None = None,
    summarise: Summarise | None = None,
    focus: str = "",
    deadline: float | None = DEADLINE_SECONDS,
) -> Compressed:
    """A conversation made shorter; nothing but the messages given is read, and they are left as they are.

    Args:
        messages: In the form of OpenAI's chat completions. An `archivist_id` or `id` of a message is the id under which its
            original is told to be read; with `pinned` set its text is kept whole.
        target_tokens: What is aimed at; a quarter of the window by default.
        window: Of the model, in tokens.
        summarise: A model that tells what happened: a prompt and the most tokens to its answer. Whatever it does, it raises nothing here.
        focus: What should be paid attention to, in words for the model; without one, lines that have words of it are kept first.
        deadline: Seconds that each of its calls is waited for; None for as long as it takes.

    Raises:
        TypeError, ValueError: A number of tokens is none, or less than 1.
    """
    ready = _prepared(messages, target_tokens, window, focus)
    if ready.plan.is_empty:
        return _whichever_is_shorter(ready, [one.message for one in ready.read])
    if (pruned := _pruned(ready)) is not None:
        return _whichever_is_shorter(ready, repair(pruned))
    return _with_a_summary(ready, summarise, focus, deadline)


class _Prepared(NamedTuple):
    """Messages before a pass: repaired, read, with what is too large cut; and what would be done."""

    sound: list[Form]
    read: list[Read]
    cut: int
    plan: Plan
    found: Ranking


def _prepared(
    messages: Iterable[Form], target_tokens: int | None, window: int | None, focus: str
) -> _Prepared:
    some_tokens("target_tokens", target_tokens)
    some_tokens("window", window)
    target = target_tokens or max(1, (window or DEFAULT_WINDOW) // 4)
    sound = repair(messages)
    read, cut = cut_outputs(read_all(sound), target)
    before = roughly(in_window(sound))
    return _Prepared(sound, read, cut, *make_plan(read, target, before=before, focus=focus))


def _pruned(ready: _Prepared) -> Sequence[Form] | None:
    """The messages with their outputs as lines, if that is enough: then nothing that anybody said is summarised."""
    first, end = ready.plan.bounds.head_end, ready.plan.bounds.tail_start
    seen = [ready.read[place] for place in window_places([one.message for one in ready.read])]
    said = [one for one in seen if one.role != "tool" or not first <= one.place < end]
    share = sum(one.bytes for one in said) / max(1, sum(one.bytes for one in seen))
    if ready.plan.before * share > ready.plan.target * _ENOUGH:
        return None
    kept: dict[int, list[str]] = {}
    for line in ready.found.within(ready.plan.budget).lines:
        if line.who == "tool":
            kept.setdefault(line.message, []).append(line.text)
    pruned = prune(ready.read, first, end, kept, request=ready.plan.bounds.request)
    return pruned.messages if roughly(in_window(pruned.messages)) <= ready.plan.target * _ENOUGH else None


def _with_a_summary(
    ready: _Prepared, summarise: Summarise | None, focus: str, deadline: float | None
) -> Compressed:
    """Head, summary, tail. What the account and the steps leave of the summary's budget is for the lines that are kept."""
    _, read, _, plan, found = ready
    middle = read[plan.bounds.head_end : plan.bounds.tail_start]
    middle = [one for one in middle if one.place != plan.bounds.request]
    summarised = _summarised(ready, middle, summarise, focus, deadline)
    account = written(in_keeping_with(summarised.told, found.within(plan.budget - plan.told).lines))
    digest = steps(middle, plan.told - tokens(account))
    chosen = found.within(plan.budget - tokens(account) - tokens(digest))
    digest = digest or steps(middle, plan.budget - chosen.tokens - tokens(account))
    rest = "\n\n".join(filter(None, (account, digest)))
    return _whichever_is_shorter(ready, repair(assemble(read, plan, chosen, rest)), summarised)


def _summarised(
    ready: _Prepared,
    middle: Sequence[Read],
    summarise: Summarise | None,
    focus: str,
    deadline: float | None,
) -> Summarised:
    before = told_before(middle)
    if summarise is None or ready.plan.told < _LEAST_TOLD:
        return Summarised(dict(before))
    places = {one.place for one in middle}
    return summarise_passages(
        list(passages_of(middle)),
        before,
        summarise,
        most_tokens=ready.plan.told,
        around=list(passages_of(one for one in ready.read if one.place not in places)),
        chunk_tokens=min(CHUNK_TOKENS, ready.plan.target),
        focus=focus,
        deadline=deadline,
    )


def _whichever_is_shorter(
    ready: _Prepared, after: Sequence[Form], summarised: Summarised | None = None
) -> Compressed:
    """What was made; where that saves nothing, what was given with large outputs cut; where that saves nothing either, what was given."""
    for made, told in ((after, summarised), ([one.message for one in ready.read], None)):
        size = roughly(in_window(made))
        if size < ready.plan.before:
            notices = (*_cut(ready.cut), *(told.notices if told else ()))
            removed = told.removed if told else ()
            return Compressed([dict(one) for one in made], Report(ready.plan, size, notices, removed))
    notice = Notice(
        "nothing-saved",
        "nothing between head and tail could be made shorter; the messages are as they were",
    )
    return Compressed([dict(one) for one in ready.sound], Report(ready.plan, ready.plan.before, (notice,)))


def _cut(outputs: int) -> Iterator[Notice]:
    if outputs:
        yield Notice(
            "output-cut",
            f"{outputs} outputs were much larger than the target and were cut; a mark says where the rest is read",
        )


__all__ = ["DEFAULT_WINDOW", "Compressed", "Report", "compress", "plan_compression"]
