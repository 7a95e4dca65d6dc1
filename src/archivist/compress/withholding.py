"""What of a summary a model is given: what agents, tools and models said goes under the person's name there, and must not steer by it.

What people said themselves stays as they said it. Of the rest each line in which something is found gives way to one that says why and how
its owner sees it; the next pass has neither.
"""

from collections.abc import Callable, Collection

import msgspec

from archivist.compress.ledger import AGENT, TOOLS
from archivist.compress.sections import HEADING as ACCOUNT
from archivist.compress.steps import HEADING as STEPS
from archivist.guard.withholding import how_to_see, shown


class Cleared(msgspec.Struct, frozen=True):
    """A summary, and how many of its lines are withheld."""

    text: str
    withheld: int = 0


def cleared_summary(text: str, command: str, allowed: Callable[[], Collection[str]]) -> Cleared:
    """A summary without what in it tries to steer a model.

    Args:
        text: Of the summary.
        command: Of the command line, that shows its owner the conversation: "sessions show 20260320-120000-abcdef".
        allowed: Gives the ids of the blocks that the owner has allowed; asked only where something is found.
    """
    at = _others_begin(text)
    how = how_to_see(command)
    if not shown(text[at:], how).withheld:
        return Cleared(text)
    found = shown(text[at:], how, allowed=allowed())
    return Cleared(text[:at] + found.text, len(found.withheld))


def _others_begin(text: str) -> int:
    """Where the first section begins that holds no words of people's."""
    places = (text.find(f"\n{heading}\n") for heading in (f"## {AGENT}", f"## {TOOLS}", ACCOUNT, STEPS))
    return min((at for at in places if at >= 0), default=len(text))


__all__ = ["Cleared", "cleared_summary"]
