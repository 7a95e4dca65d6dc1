"""Which conversation goes on, and what was said in it last."""

from collections.abc import Iterator
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from archivist.records import EVERYTHING, Message, Session
from archivist.records.display import plain
from archivist.surfaces.cli.printing import one_line, when

if TYPE_CHECKING:
    from archivist.app import Archivist

SOURCE: Final = "chat"
"""The source of the conversations that an agent of ours holds."""
_LOOKED_THROUGH: Final = 200
_SHOWN, _SHOWN_CHARS = 4, 240
_HISTORY_CONVERSATIONS, _HISTORY_LINES, _HISTORY_ROWS = 5, 200, 2_000


def newest(archivist: "Archivist", folder: Path) -> Session:
    """The newest conversation that was held in a folder, else the newest of all.

    Raises:
        click.ClickException: There is none.
    """
    page = archivist.sessions.browse(source=SOURCE, limit=_LOOKED_THROUGH, scope=EVERYTHING)
    found = page.sessions
    if not found:
        raise click.ClickException("no conversation was held here yet: leave --continue out to begin one")
    session = next((one for one in found if one.cwd == str(folder)), found[0])
    return _latest_line(archivist, session) if session.id in page.forks else session


def _latest_line(archivist: "Archivist", session: Session) -> Session:
    """Of a conversation that was forked, the line in which something was said last."""
    lines, waiting = dict[str, tuple[datetime, Session]](), [session.id]
    while waiting:
        line = archivist.sessions.read(waiting.pop(), scope=EVERYTHING, passage_chars=1, message_chars=1)
        if line.session.id not in lines:
            tip = archivist.sessions.get(line.line[-1].id if line.line else line.session.id).record()
            lines[line.session.id] = tip.last_active_at, line.session
            waiting += [one.id for one in line.children if one.link == "fork" and not one.is_undone]
    return max(lines.values(), key=lambda line: line[0])[1]


def named(archivist: "Archivist", name: str) -> Session:
    """The conversation that a name means.

    Raises:
        UnknownSession, AmbiguousSession: There is none, or there are several.
    """
    return archivist.sessions.read(name, scope=EVERYTHING, passage_chars=1, message_chars=1).session


def known_as(session: Session, zone: tzinfo) -> str:
    """A conversation in a few words."""
    return f"“{one_line(session.title or 'no title')}” of {when(session.last_active_at, zone)}"


def last_lines(archivist: "Archivist", session: Session) -> Iterator[str]:
    """What was said last in a conversation, each message in a line."""
    said = [one for one in archivist.sessions.get(session.id).messages("context") if _is_said(one)]
    if len(said) > _SHOWN:
        yield click.style("…", dim=True)
    for message in said[-_SHOWN:]:
        who = "you" if message.role == "user" else "agent"
        yield click.style(f"{who}: {one_line(message.text, _SHOWN_CHARS)}", dim=True)


def lines_said(archivist: "Archivist") -> list[str]:
    """What the user said in the newest conversations, the oldest first: what the arrow keys bring back.

    It is read from the conversations themselves, so that what was masked is masked, and what was deleted is gone.
    """
    found = archivist.sessions.browse(source=SOURCE, limit=_HISTORY_CONVERSATIONS, scope=EVERYTHING)
    lines: list[str] = []
    for session in found.sessions:
        if session.message_count > _HISTORY_ROWS or len(lines) >= _HISTORY_LINES:
            break
        lines[:0] = [
            plain(one.text)
            for one in archivist.sessions.get(session.id).messages("all")
            if one.role == "user" and one.text and one.state in {"active", "compacted"}
        ]
    return lines[-_HISTORY_LINES:]


def _is_said(message: Message) -> bool:
    return message.role in {"user", "assistant"} and bool(message.text.strip())


__all__ = ["SOURCE", "known_as", "last_lines", "lines_said", "named", "newest"]
