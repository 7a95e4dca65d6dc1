"""`/tools`: what the agent may call."""

from typing import Final

from archivist.records.display import plain
from archivist.surfaces.cli.chat.slash.command import Command
from archivist.surfaces.cli.chat.talk import Talk
from archivist.surfaces.cli.chat.widths import within


def _tools(talk: Talk, _arguments: str) -> None:
    from archivist.tools.agent_tools import AGENT_TOOLS  # noqa: PLC0415 - only where they are listed

    offered = talk.agent.opened.tools if talk.agent.has_begun else AGENT_TOOLS
    wide = max((len(one.name) for one in offered), default=0)
    room = talk.screen.columns - wide - 4
    talk.screen.lines(
        f"  {plain(one.name):<{wide}}  {within(' '.join(plain(one.description).split()), room)}"
        for one in offered
    )
    if not offered:
        talk.screen.lines(["none"])


TOOLS: Final = Command("tools", "", "Show what the agent may call.", _tools)
__all__ = ["TOOLS"]
