"""`/compress`: what the model sees becomes shorter."""

from typing import Final

from archivist.surfaces.cli.calling import tell
from archivist.surfaces.cli.chat.slash.command import NOTHING_YET, Command
from archivist.surfaces.cli.chat.talk import Talk


def _compress(talk: Talk, arguments: str) -> None:
    if not talk.agent.has_begun:
        talk.screen.lines([NOTHING_YET])
        return
    room = talk.agent.compress(arguments)
    tell(room.notices)
    if room.opened is None:
        talk.screen.lines(["it stays as it is"])
    else:
        talk.screen.lines(
            [f"compressed: {room.before:,} → {room.after:,} tokens; all that was said stays readable"]
        )


COMPRESS: Final = Command(
    "compress",
    "[WHAT MATTERS]",
    "Make what the model sees shorter; nothing that was said is lost.",
    _compress,
)
__all__ = ["COMPRESS"]
