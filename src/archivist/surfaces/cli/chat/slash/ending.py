"""`/quit`."""

from typing import Final

from archivist.surfaces.cli.chat.slash.command import Command
from archivist.surfaces.cli.chat.talk import Talk


def _quit(talk: Talk, _arguments: str) -> None:
    talk.is_over = True


QUIT: Final = Command("quit", "", "End; `archivist chat --continue` goes on.", _quit)
__all__ = ["QUIT"]
