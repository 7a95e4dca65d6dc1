"""`/undo` and `/redo`: the last turn is taken back, and given back."""

from typing import Final

from archivist.records import EVERYTHING
from archivist.records.counts import counted
from archivist.surfaces.cli.chat.slash.command import NOTHING_YET, Command
from archivist.surfaces.cli.chat.talk import Talk


def _undo(talk: Talk, _arguments: str) -> None:
    if not talk.agent.has_begun:
        talk.screen.lines([NOTHING_YET])
        return
    undone = talk.archivist.sessions.undo(talk.agent.conversation_id, scope=EVERYTHING)
    _follow(talk, undone.session_id)
    talk.draft = undone.text
    talk.screen.lines([f"{counted(undone.messages, 'message')} taken back; /redo gives them back"])


def _redo(talk: Talk, _arguments: str) -> None:
    if not talk.agent.has_begun:
        talk.screen.lines([NOTHING_YET])
        return
    redone = talk.archivist.sessions.redo(talk.agent.conversation_id, scope=EVERYTHING)
    _follow(talk, redone.session_id)
    talk.screen.lines([f"{counted(redone.messages, 'message')} given back"])


def _follow(talk: Talk, session_id: str) -> None:
    """Where a compression was taken back, the conversation goes on in another session."""
    if session_id != talk.agent.session.id:
        talk.reopen()


UNDO: Final = Command("undo", "", "Take the last turn back; its words stand in the line again.", _undo)
REDO: Final = Command("redo", "", "Give back what was taken back.", _redo)
__all__ = ["REDO", "UNDO"]
