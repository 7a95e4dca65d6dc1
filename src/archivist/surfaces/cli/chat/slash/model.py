"""`/model`: who answers."""

from typing import Final

from archivist.models.responder import Responder
from archivist.models.steady import Steady
from archivist.records.display import plain
from archivist.surfaces.cli.chat.slash.command import Command
from archivist.surfaces.cli.chat.talk import Talk


def _model(talk: Talk, arguments: str) -> None:
    if arguments:
        talk.switch(arguments)
        talk.screen.tell(
            "from now on; its cache knows nothing of this conversation yet, so the next request is sent in full"
        )
    talk.screen.lines(lines_of(talk.agent.responder))


def lines_of(responder: Responder) -> list[str]:
    """Who answers, and who stands by."""
    if not responder.is_model:
        return ["no model: answers are quotes from memory; `archivist model set PROVIDER/NAME` sets one"]
    return [f"{plain(responder.name)}, {responder.window:,} tokens", *_standing_by(responder)]


def _standing_by(responder: Responder) -> list[str]:
    """Who else may be asked, while that one cannot answer."""
    if not isinstance(responder, Steady):
        return []
    return [
        f"  stands by: {plain(name)}" + (f", not asked before {until}" if until else "")
        for name, until in responder.standing_by()
    ]


MODEL: Final = Command("model", "[PROVIDER/NAME]", "Show who answers, or let another model answer.", _model)
__all__ = ["MODEL", "lines_of"]
