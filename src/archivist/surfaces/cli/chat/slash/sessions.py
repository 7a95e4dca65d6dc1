"""`/new`, `/resume` and `/title`: which conversation it is, and what it is called."""

from typing import Final

from archivist.records import EVERYTHING
from archivist.records.display import plain
from archivist.surfaces.cli.chat.finding import SOURCE, last_lines, named
from archivist.surfaces.cli.chat.slash.command import NOTHING_YET, Command
from archivist.surfaces.cli.chat.talk import Talk
from archivist.surfaces.cli.printing import one_line, session_line

_LISTED: Final = 10


def _new(talk: Talk, _arguments: str) -> None:
    talk.begin()
    talk.screen.lines(["a new conversation"])


def _resume(talk: Talk, arguments: str) -> None:
    found = talk.archivist.sessions.browse(source=SOURCE, limit=_LISTED, scope=EVERYTHING)
    if not arguments:
        talk.screen.lines(
            f"{number:>3}. {session_line(one, found, talk.archivist.zone)}"
            for number, one in enumerate(found.sessions, 1)
        )
        talk.screen.tell("/resume NUMBER, or an id or a title, goes on in it")
        return
    place = int(arguments) if arguments.isdecimal() and len(arguments) < 3 else 0
    listed = 1 <= place <= len(found.sessions)
    session = found.sessions[place - 1] if listed else named(talk.archivist, arguments)
    if talk.agent.has_begun and talk.is_line_of(session.id):
        talk.screen.lines(["this is that conversation"])
        return
    talk.begin(session)
    talk.screen.lines([f"in “{one_line(session.title or 'no title')}” again, in {plain(str(talk.folder))}"])
    talk.screen.lines(last_lines(talk.archivist, session))


def _title(talk: Talk, arguments: str) -> None:
    if not talk.agent.has_begun:
        talk.screen.lines([NOTHING_YET])
        return
    if arguments:
        talk.archivist.sessions.rename(talk.agent.session.id, arguments, scope=EVERYTHING)
    session = named(talk.archivist, talk.agent.session.id)
    talk.screen.lines([f"“{one_line(session.title or 'no title')}”  {plain(talk.known_as)}"])


NEW: Final = Command("new", "", "Begin another conversation; this one is kept.", _new)
RESUME: Final = Command("resume", "[NUMBER|ID|TITLE]", "List recent conversations, or go on in one.", _resume)
TITLE: Final = Command("title", "[TEXT]", "Show or change what this conversation is called.", _title)
__all__ = ["NEW", "RESUME", "TITLE"]
