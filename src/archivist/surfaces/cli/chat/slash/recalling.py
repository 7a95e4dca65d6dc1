"""`/recall`: a question to all that is remembered, beside the conversation."""

from typing import Final

from archivist.records import EVERYTHING
from archivist.surfaces.cli.calling import tell
from archivist.surfaces.cli.chat.slash.command import Command
from archivist.surfaces.cli.chat.talk import Talk
from archivist.surfaces.cli.heeding import heeded_page
from archivist.surfaces.cli.printing import hit_lines

_HITS: Final = 5


def _recall(talk: Talk, arguments: str) -> None:
    if not arguments:
        talk.screen.tell("/recall QUESTION: in any language")
        return
    archivist = talk.archivist
    asking = talk.agent.session.id if talk.agent.has_begun else None
    page = heeded_page(
        archivist, archivist.recall(arguments, limit=_HITS, scope=EVERYTHING, asking_session=asking)
    )
    talk.screen.begin()
    tell(page.notices)
    for number, hit in enumerate(page.hits, 1):
        talk.screen.lines(hit_lines(number, hit, archivist.zone, program=talk.call.program))


RECALL: Final = Command("recall", "QUESTION", "Ask all that is remembered; the model is not told.", _recall)
__all__ = ["RECALL"]
