"""What is done about a failure: one table from its class, and how long is waited. Nothing here looks at a clock or draws by itself."""

from collections.abc import Callable, Mapping
from typing import Final, Literal

import msgspec

from archivist.models.kinds import Kind
from archivist.models.rests import Trouble

Step = Literal["repair", "key", "wait", "place", "compress", "stop"]
"""Ask again without what was refused; with another key of the same provider; after a while; ask another provider; let the conversation be
made shorter by whoever asked; give up and say so."""

SHORTEST, LONGEST, GROWTH, JITTER = 5.0, 120.0, 2.0, 1.5
"""Seconds that are waited first, and at most, where the provider does not say; how they grow, and by how much chance makes one longer."""
LONGEST_TOLD: Final = 600.0
"""The most seconds that a provider may ask to be waited for."""
PATIENCE: Final = 30.0
"""Seconds that are waited for one provider where another one could be asked: it would begin without anything in its cache."""
COOL, COOLEST = 60.0, 600.0
"""Seconds for which a provider is not asked that was left for another one; twice as many each time in a row, and at most."""


class Action(msgspec.Struct, frozen=True):
    """What is done about a class of failures.

    Attributes:
        told: What it is called in a notice.
        steps: What is done, the first of it that can be.
        marks: What is remembered of the key with which it was asked.
        first: How often is waited before another provider is asked, where there is one.
        most: How often is waited in one request altogether.
    """

    told: str
    steps: tuple[Step, ...]
    marks: Trouble | None = None
    first: int = 1
    most: int = 3


ACTIONS: Final[Mapping[Kind, Action]] = {
    "limited": Action("rate limited", ("key", "wait", "place"), "limited", 1, 20),
    "upstream": Action("rate limited for all who ask there", ("place", "wait"), None, 0, 8),
    "empty": Action("no credit", ("key", "place", "stop"), "empty"),
    "refused": Action("the key is refused", ("key", "place", "stop"), "refused"),
    "barred": Action("not allowed for this account", ("place", "stop")),
    "busy": Action("busy", ("wait", "place"), None, 2, 10),
    "fault": Action("failed by itself", ("wait", "place"), None, 1, 4),
    "slow": Action("no answer in time", ("wait", "place"), None, 1, 2),
    "unreachable": Action("nobody answers", ("wait", "place"), None, 1, 3),
    "untrusted": Action("its certificate is not trusted", ("place", "stop")),
    "broken": Action("the reply broke off", ("wait", "place"), None, 1, 3),
    "too-long": Action("the conversation is too long", ("compress",)),
    "too-large": Action("the request is too large", ("compress",)),
    "too-much": Action("a reply of so many tokens is refused", ("repair", "place", "stop")),
    "bad-thoughts": Action("what was thought is refused", ("repair", "place", "stop")),
    "no-pictures": Action("pictures are refused", ("repair", "place", "stop")),
    "no-tools": Action("tools are refused", ("place", "stop")),
    "no-model": Action("there is no such model", ("place", "stop")),
    "no-place": Action("nothing is at its address", ("place", "stop")),
    "declined": Action("the provider declines", ("stop",)),
    "malformed": Action("the request is refused", ("place", "stop")),
    "unread": Action("what came is no answer of a model", ("place", "stop")),
    "nothing": Action("an empty reply", ("place",)),
    "resting": Action("its keys rest", ("wait", "place"), None, 1, 20),
    "unknown": Action("failed for no known reason", ("wait", "place"), None, 1, 3),
}
"""By class. Where nothing of its steps can be done any more, it is given up."""


def seconds_before(number: int, told: float | None, draw: Callable[[float, float], float]) -> float:
    """How long is waited before it is tried again.

    Args:
        number: The how manieth wait it is, from 1 on.
        told: What the provider asks for.
        draw: A number between two, by chance.
    """
    least = min(SHORTEST * GROWTH ** min(number - 1, 10), LONGEST)
    if told is not None:
        return min(max(told, 1.0 if number == 1 else least), LONGEST_TOLD)
    return draw(least, min(least * JITTER, LONGEST))


def cooling_seconds(times: int) -> float:
    """For how long a provider is not asked that failed so many times in a row."""
    return min(COOL * 2.0 ** min(times - 1, 10), COOLEST)


__all__ = [
    "ACTIONS",
    "COOLEST",
    "LONGEST_TOLD",
    "PATIENCE",
    "Action",
    "Step",
    "cooling_seconds",
    "seconds_before",
]
