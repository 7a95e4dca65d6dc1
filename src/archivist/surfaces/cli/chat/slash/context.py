"""`/context`: what makes up the window of the model."""

from collections.abc import Iterator
from typing import Final

from archivist.records import EVERYTHING
from archivist.records.display import plain
from archivist.surfaces.cli.calling import tell
from archivist.surfaces.cli.chat.screen import bar
from archivist.surfaces.cli.chat.slash.command import NOTHING_YET, Command
from archivist.surfaces.cli.chat.talk import Talk
from archivist.surfaces.cli.compressing import NAMES

_COLUMNS: Final = 30
_VERDICTS: Final = {
    "wait": "there is room",
    "compress": "it is compressed before the next request",
    "new-session": "compressing helps no more: /new begins another",
}


def _context(talk: Talk, _arguments: str) -> None:
    if not talk.agent.has_begun:
        talk.screen.lines([NOTHING_YET])
        return
    talk.screen.lines(_lines(talk))


def _lines(talk: Talk) -> Iterator[str]:
    agent, sessions = talk.agent, talk.archivist.sessions
    tools = [
        {"name": one.name, "description": one.description, "parameters": dict(one.schema)}
        for one in agent.opened.tools
    ]
    found = sessions.context(agent.session.id, tools=tools, scope=EVERYTHING)
    verdict = sessions.verdict(agent.session.id, agent.responder.window, scope=EVERYTHING)
    window = agent.responder.window
    if agent.responder.is_model:
        name = plain(agent.responder.name)
        yield f"about {found.tokens:,} of {window:,} tokens ({100 * found.tokens / window:.1f} %) of {name}"
        yield bar(found.tokens / window, _COLUMNS)
    else:
        yield f"about {found.tokens:,} tokens for a model; none is set, and nothing is sent"
    for share in found.shares:
        part = share.tokens / max(1, found.tokens)
        yield f"  {NAMES[share.what]:<14}{share.tokens:>9,}  {bar(part, _COLUMNS // 2)}"
    if found.counted is not None:
        yield f"the last request had {found.counted:,} tokens, as its provider counted"
    if agent.responder.is_model:
        yield _VERDICTS[verdict.state]
    tell((*found.notices, *verdict.notices))


CONTEXT: Final = Command("context", "", "Show what makes up the model's window, by tokens.", _context)
__all__ = ["CONTEXT"]
