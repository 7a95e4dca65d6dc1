"""Hits and messages as text for a terminal.

What is shown of memory is shown as it is, but for control characters: stored text must not be able to steer the terminal.
"""

import textwrap
from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo
from typing import Final

import click

from archivist.records import Browse, Hit, Message, Passage, Relative, Session
from archivist.records.counts import counted
from archivist.records.display import plain

INDENT, PROGRAM = "   ", "archivist"
LONGEST_TITLE, MOST_LINES, MOST_RELATIVES = 80, 8, 5


SAID_OF: Final = {
    "web": "(words of a page)",
    "document": "(words of a document)",
    "tool": "(words that a tool brought)",
    "agent": "(words of another agent)",
    "member": "(words of another person)",
    "provider": "(words of an external memory)",
}
"""Of a hit, that its words are others'."""


def hit_lines(number: int, hit: Hit, zone: tzinfo, *, program: str = PROGRAM) -> Iterator[str]:
    """A hit: when, who, where; its words; how to read on. Of a note what it is stands in place of who said it.

    Args:
        number: Its place on the page.
        hit: The hit.
        zone: The owner's.
        program: How the program was called, with its home, so that the line can be copied.
    """
    where = one_line(hit.source.file or " · ".join(part for part in (hit.source.name, hit.title) if part))
    who = one_line(_what(hit) or hit.speaker or hit.tool_name or hit.role or "")
    state = "" if hit.state in ("active", "compacted") else f"  ({hit.state})"
    whose = f"  {SAID_OF[hit.origin]}" if hit.origin in SAID_OF and not _is_agents_note(hit) else ""
    yield f"{number}. {click.style(when(hit.date, zone), bold=True)}  {who}{whose}{state}  {click.style(where, fg='cyan')}"
    yield from (f"{INDENT}{line}" for line in first_lines(plain(hit.text).strip()))
    more = f"   ({hit.others} more in this conversation)" if hit.others else ""
    yield click.style(f"{INDENT}{plain(f'{program} {_opening(hit)}')}{more}", dim=True)


def _what(hit: Hit) -> str:
    """What of a note it is: an archived preference, a daily note, and whether an agent noted it."""
    if hit.kind == "daily":
        return "daily note"
    return ", ".join(
        part for part in (hit.entry_kind, hit.tier, "by agent" if _is_agents_note(hit) else "") if part
    )


def _is_agents_note(hit: Hit) -> bool:
    """Whether an agent put it into the notes: that is its own word, and no other agent's."""
    return hit.kind == "note" and hit.origin == "agent"


def _opening(hit: Hit) -> str:
    """The command that opens a hit."""
    if hit.kind == "note":
        return f"memory blame {hit.source.ids[0]}"
    if hit.kind == "daily":
        return f"daily --day {hit.date:%Y-%m-%d}"
    return f"sessions show {hit.conversation_id} --around {hit.message_id}"


def first_lines(text: str) -> list[str]:
    """The lines of a text, the last ones counted instead of shown where there are many."""
    lines = text.splitlines()
    if len(lines) <= MOST_LINES:
        return lines
    return [
        *lines[: MOST_LINES - 1],
        click.style(f"… {counted(len(lines) - MOST_LINES + 1, 'more line')}", dim=True),
    ]


def one_line(text: str, longest: int = LONGEST_TITLE) -> str:
    """A name or title on one line, cut where it is very long."""
    words = " ".join(plain(text).split())
    return words if len(words) <= longest else f"{words[: longest - 1]}…"


def session_line(session: Session, found: Browse, zone: tzinfo) -> str:
    """A conversation in a list: when anything last happened in it, how many messages reading it shows."""
    forks = found.forks.get(session.id, 0)
    title, session_id = one_line(session.title or "(no title)"), plain(session.id)
    marks = [
        f"{forks} fork{'s' if forks > 1 else ''}" if forks else "",
        "pinned" if session.pinned else "",
        "archived" if session.archived_at else "",
    ]
    marked = ", ".join(mark for mark in marks if mark)
    return (
        f"{when(found.active[session.id], zone)}  {plain(session.source):<12} {found.counts[session.id]:>5}  {title}"
        f"{f'  ({marked})' if marked else ''}  {click.style(session_id, dim=True)}"
    )


def passage_lines(passage: Passage, zone: tzinfo) -> Iterator[str]:
    """A conversation's head lines, then its messages."""
    session = passage.session
    yield click.style(one_line(session.title or "(no title)"), bold=True)
    count = passage.before + len(passage.messages) + passage.after
    said = counted(count, "message") + (f" and {passage.left_out} not shown" if passage.left_out else "")
    facts = [session.source, session.model, session.cwd, said, session.id]
    yield click.style(" · ".join(plain(fact) for fact in facts if fact), dim=True)
    for line in relative_lines(passage):
        yield click.style(line, dim=True)
    if passage.before:
        yield click.style(f"… {passage.before} before", dim=True)
    for message in passage.messages:
        yield ""
        yield from message_lines(message, zone)
    if passage.after:
        yield ""
        yield click.style(f"… {passage.after} after", dim=True)
    for notice in passage.notices:
        yield ""
        yield click.style(plain(notice.text), dim=True)


def relative_lines(passage: Passage) -> Iterator[str]:
    """Which sessions make up what is shown, where there are several, and which began in it."""
    if len(passage.line) > 1:
        yield f"sessions: {_named([plain(one.id) for one in passage.line])}"
    kinds: dict[str, list[str]] = {}
    for child in passage.children:
        kinds.setdefault(_kind(child), []).append(
            f"{plain(child.id)} “{one_line(child.title)}”" if child.title else plain(child.id)
        )
    for kind, names in kinds.items():
        yield f"{kind}: {_named(names)}"


def _kind(child: Relative) -> str:
    if child.is_undone:
        return "taken back"
    names = {"fork": "forks", "branch": "branches", "subagent": "sub-agents", "compaction": "compactions"}
    return names[child.link] if child.link else "sessions begun in it"


def _named(names: Sequence[str]) -> str:
    more = len(names) - MOST_RELATIVES
    return ", ".join(names[:MOST_RELATIVES]) + (f" and {more} more (--json names all)" if more > 0 else "")


def message_lines(message: Message, zone: tzinfo) -> Iterator[str]:
    """A message: who, when, its id and state; its words; its calls."""
    who = plain(message.speaker or message.role)
    state = "" if message.state == "active" else f"  ({message.state})"
    date = when(message.created_at, zone) if message.created_at else ""
    yield f"{click.style(who, fg='green')}  {click.style(f'{date}  #{message.id}{state}', dim=True)}"
    if message.tool_name:
        yield click.style(f"{INDENT}result of {plain(message.tool_name)}", dim=True)
    if message.text:
        yield textwrap.indent(plain(message.text), INDENT)
    for part in message.parts:
        if part.blob:
            yield click.style(
                f"{INDENT}[{plain(part.kind)} {plain(part.media_type)} {plain(part.name)}] {part.blob}",
                dim=True,
            )
    for call in message.tool_calls:
        yield f"{INDENT}{click.style('calls', dim=True)} {plain(call.name)} {plain(call.arguments)}"


def when(date: datetime, zone: tzinfo) -> str:
    """A time in the owner's zone, to the minute."""
    return f"{date.astimezone(zone):%Y-%m-%d %H:%M}"
