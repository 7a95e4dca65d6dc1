"""`/approve`: what is asked about before it is done."""

from typing import Final, get_args

from archivist.config.agent import ActMode
from archivist.surfaces.cli.chat.slash.command import Command
from archivist.surfaces.cli.chat.talk import Talk

MEANING: Final[dict[ActMode, str]] = {
    "ask": "what writes or runs is asked about",
    "edits": "files of the folder are written unasked; what runs is asked about",
    "all": "nothing is asked",
}


def _approve(talk: Talk, arguments: str) -> None:
    modes = {mode: mode for mode in get_args(ActMode)}
    if arguments in modes:
        talk.approval.mode = modes[arguments]
    elif arguments:
        talk.screen.tell(f"there is no such mode: {', '.join(modes)}")
        return
    talk.screen.lines([f"{talk.approval.mode}: {MEANING[talk.approval.mode]}"])


APPROVE: Final = Command("approve", "[ask|edits|all]", "Say what is asked about before it is done.", _approve)
__all__ = ["APPROVE"]
