"""`/undo` and `/redo`: the last turn is taken back, and given back."""

from typing import Final

from archivist.records import EVERYTHING
from archivist.records.counts import counted
from archivist.surfaces.cli.chat.slash.command import NOTHING_YET, Command
from archivist.surfaces.cli.chat.talk import Talk

_STAYS: Final = {
    "memory": "what was noted meanwhile stays as it is: /memory undo takes the latest change back",
    "write_file": "files that were written stay as they are",
    "patch": "files that were changed stay as they are",
    "terminal": "what commands did stays done",
}
"""What a turn may have done besides talking, which is not taken back with its words."""


def _undo(talk: Talk, _arguments: str) -> None:
    if not talk.agent.has_begun:
        talk.screen.lines([NOTHING_YET])
        return
    seen = talk.archivist.sessions.get(talk.agent.session.id).messages("context")
    undone = talk.archivist.sessions.undo(talk.agent.session.id, scope=EVERYTHING)
    _follow(talk, undone.session_id)
    talk.draft = undone.text
    talk.screen.lines([f"{counted(undone.messages, 'message')} taken back; /redo gives them back"])
    called = {
        call.name
        for one in seen
        if one.id is not None and one.id >= undone.message_id
        for call in one.tool_calls
    }
    for words in (words for name, words in _STAYS.items() if name in called):
        talk.screen.tell(words)


def _redo(talk: Talk, _arguments: str) -> None:
    if not talk.agent.has_begun:
        talk.screen.lines([NOTHING_YET])
        return
    redone = talk.archivist.sessions.redo(talk.agent.session.id, scope=EVERYTHING)
    _follow(talk, redone.session_id)
    talk.screen.lines([f"{counted(redone.messages, 'message')} given back"])


def _follow(talk: Talk, session_id: str) -> None:
    """Where a compression was taken back, the conversation goes on in another session."""
    if session_id != talk.agent.session.id:
        talk.reopen()


UNDO: Final = Command("undo", "", "Take the last turn back; its words stand in the line again.", _undo)
REDO: Final = Command("redo", "", "Give back what was taken back.", _redo)
__all__ = ["REDO", "UNDO"]
