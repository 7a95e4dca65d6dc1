"""`/status`: how it stands with who answers, what became of their last requests, and what that cost."""

import os
from collections.abc import Iterator
from functools import reduce
from typing import Final

from archivist.app.log import newest_lines
from archivist.app.model_checkup import look_at_model
from archivist.app.world import real_world
from archivist.loop.budget import added
from archivist.records import Usage
from archivist.records.display import plain
from archivist.surfaces.cli.chat.screen import usage_words
from archivist.surfaces.cli.chat.slash.command import Command
from archivist.surfaces.cli.chat.slash.model import lines_of
from archivist.surfaces.cli.chat.talk import Talk

MOST_LINES: Final = 5
"""Of the log."""


def _status(talk: Talk, _arguments: str) -> None:
    talk.screen.lines(_lines(talk))


def _lines(talk: Talk) -> Iterator[str]:
    yield from lines_of(talk.agent.responder)
    for found in look_at_model(talk.archivist.home, os.environ, real_world()):
        yield f"  {plain(found.text)}"
    yield from (f"  {plain(line)}" for line in newest_lines(talk.archivist.home, MOST_LINES))
    if talk.agent.has_begun:
        yield f"in all: {usage_words(reduce(added, talk.agent.used, Usage('', requests=0)))}"


STATUS: Final = Command(
    "status", "", "Show how it stands with models and keys, and what became of requests.", _status
)
__all__ = ["STATUS"]
