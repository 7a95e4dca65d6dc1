"""`/cost`: what the turns have used, each and together."""

from collections.abc import Iterator
from functools import reduce
from typing import Final

from archivist.loop.budget import added
from archivist.records import Usage
from archivist.records.display import plain
from archivist.surfaces.cli.chat.screen import is_counted, usage_words
from archivist.surfaces.cli.chat.slash.command import NOTHING_YET, Command
from archivist.surfaces.cli.chat.talk import Talk


def _cost(talk: Talk, _arguments: str) -> None:
    talk.screen.lines(_lines(talk))


def _lines(talk: Talk) -> Iterator[str]:
    if not talk.agent.has_begun:
        yield NOTHING_YET
        return
    for number, turn in enumerate(talk.turns, 1):
        if is_counted(turn.usage):
            yield f"  turn {number:>2}: {usage_words(turn.usage)}"
    used = talk.agent.used
    if not any(map(is_counted, used)):
        yield "nothing yet: no model was asked, or none said what it counted"
        return
    for one in used:
        yield f"  {plain(one.model)}: {usage_words(one)}"
    yield f"in all: {usage_words(reduce(added, used, Usage('', requests=0)))}"


COST: Final = Command("cost", "", "Show tokens, what the cache had of them, and money.", _cost)
__all__ = ["COST"]
