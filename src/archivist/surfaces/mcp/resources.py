"""What a client may open by name: notes, the snapshot, conversations; what is not there and what may not be seen are the same."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import parse_qs, quote, unquote

import mcp_types as types
import msgspec

from archivist.guard import mask
from archivist.records import Message, Passage, Reader, Scope
from archivist.records.counts import counted
from archivist.records.notes import Entry, Target, Tier
from archivist.tools.clearing import cleared, cleared_entry, cleared_message
from archivist.tools.context import Context
from archivist.tools.results import BACKGROUND, cut_text, for_model, moment_of, within_room

if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.app.days import DayEntry

One = TypeVar("One")
LONGEST_URI: Final = 2_000
ENTRY_CHARS: Final = 4_000
PAGE_CHARS: Final = 24_000
"""Of one resource, what is said of a cut on top."""
MOST_CALLS: Final = 20
"""Of one message."""
LATEST: Final = 10**9
MARKDOWN, PLAIN = "text/markdown", "text/plain"
_URI: Final = re.compile(r"memory://([^?#]*)(?:\?([^#]*))?")

FIXED: Final = (
    types.Resource(
        uri="memory://notes/memory",
        name="notes/memory",
        title="Notes: environment, conventions, lessons",
        description="MEMORY.md as it is seen here: the owner's, and the project's.",
        mime_type=MARKDOWN,
    ),
    types.Resource(
        uri="memory://notes/user",
        name="notes/user",
        title="Notes: who the user is",
        description="USER.md as it is seen here.",
        mime_type=MARKDOWN,
    ),
    types.Resource(
        uri="memory://snapshot/current",
        name="snapshot/current",
        title="What a session that began now would be given",
        description="The notes as a prompt carries them; its SHA-256 stands in _meta.",
        mime_type=MARKDOWN,
    ),
)
TEMPLATES: Final = (
    types.ResourceTemplate(
        uri_template="memory://notes/archive/{target}",
        name="notes/archive",
        title="Notes that left the core",
        description="target is memory or user; the latest first.",
        mime_type=MARKDOWN,
    ),
    types.ResourceTemplate(
        uri_template="memory://notes/daily/{day}",
        name="notes/daily",
        title="Notes of a day",
        description="day is today or a date such as 2026-03-01.",
        mime_type=MARKDOWN,
    ),
    types.ResourceTemplate(
        uri_template="memory://sessions/{id}",
        name="sessions",
        title="A past conversation",
        description="By its id; ?offset=50 reads on from a message.",
        mime_type=PLAIN,
    ),
)


class NoSuchResource(Exception):
    """Nothing here has that name."""

    def __init__(self, uri: str) -> None:
        known = [one.uri for one in FIXED] + [one.uri_template for one in TEMPLATES]
        super().__init__(f"there is no resource {uri[:200]!r}; there are {', '.join(known)}")


class Opened(msgspec.Struct, frozen=True):
    """What a resource holds.

    Attributes:
        meta: Further facts of it.
    """

    text: str
    media_type: str = MARKDOWN
    meta: Mapping[str, Any] | None = None


class Asked(msgspec.Struct, frozen=True):
    """Who opens a resource, in which home.

    Attributes:
        scope: Where its user works.
        reader: Who reads.
        offset: Where to read on.
    """

    archivist: "Archivist"
    scope: Scope
    reader: Reader
    offset: int = 0

    @property
    def context(self) -> Context:
        """What a tool would be given there."""
        return self.archivist.tool_context(self.scope, reader=self.reader)


def open_resource(uri: str, archivist: "Archivist", scope: Scope, reader: Reader) -> Opened:
    """What a resource holds at this moment.

    Raises:
        NoSuchResource: There is none of that name for this reader.
        ArchivistError: It cannot be read.
    """
    path, offset = _parts_of(uri)
    asked = Asked(archivist, scope, reader, offset)
    match path:
        case ("notes", "memory" | "user" as target):
            return _notes(asked, target, "core")
        case ("notes", "archive", "memory" | "user" as target):
            return _notes(asked, target, "archive")
        case ("notes", "daily", day):
            return _daily(asked, day, uri)
        case ("snapshot", "current"):
            snapshot = archivist.snapshot(scope)
            return Opened(snapshot.text, meta={"archivist/sha256": snapshot.sha256})
        case ("sessions", name):
            return _session(asked, name)
    raise NoSuchResource(uri)


def _parts_of(uri: str) -> tuple[tuple[str, ...], int]:
    """The steps of a URI's path, and the offset that it asks for; a step that is empty or leads elsewhere names nothing."""
    found = _URI.fullmatch(uri) if len(uri) <= LONGEST_URI else None
    if found is None:
        raise NoSuchResource(uri)
    try:
        steps = tuple(unquote(step, errors="strict") for step in found[1].split("/"))
        offset = int(parse_qs(found[2] or "").get("offset", ["0"])[0])
    except ValueError as error:
        raise NoSuchResource(uri) from error
    if not all(step.strip() and step.isprintable() for step in steps) or not 0 <= offset < LATEST:
        raise NoSuchResource(uri)
    return steps, offset


def _notes(asked: Asked, target: Target, tier: Tier) -> Opened:
    entries = asked.archivist.notes.entries(target, tier, asked.reader)
    if tier == "archive":
        entries = tuple(sorted(entries, key=lambda entry: entry.changed_at, reverse=True))
    name = {"memory": "MEMORY.md", "user": "USER.md"}[target] + (", archived" if tier == "archive" else "")
    return Opened(_page(f"# {name}", entries, lambda entry: _entry_line(entry, asked), asked.offset))


def _entry_line(entry: Entry, asked: Asked) -> str:
    whose = entry.scope.project or entry.scope.user or entry.scope.chat
    text = cut_text(mask(entry.text).text, ENTRY_CHARS, f"recall {entry.id}")
    text = cleared_entry(entry, asked.context.allowed, text=text)
    status = None if entry.status == "active" else entry.status
    day = moment_of(entry.observed_at, asked.archivist.zone)[:10]
    told = ", ".join(filter(None, [day, whose, status]))
    return f"- [{entry.id}] ({told}) {text}"


def _daily(asked: Asked, day: str, uri: str) -> Opened:
    try:
        wanted = None if day == "today" else date.fromisoformat(day)
    except ValueError as error:
        raise NoSuchResource(uri) from error
    entries = asked.archivist.daily.read(wanted, scope=asked.reader)
    show = "daily" if wanted is None else f"daily --day {wanted.isoformat()}"

    def line_of(entry: "DayEntry") -> str:
        return f"- {entry.clock or ''} {_day_text(entry.text, show, asked)}"

    return Opened(_page(f"# Notes of {day}", entries, line_of, asked.offset))


def _day_text(words: str, show: str, asked: Asked) -> str:
    whole = mask(words).text
    text = cut_text(whole, ENTRY_CHARS, "it is in the file of that day")
    return cleared(text, show, asked.context.allowed, lambda: whole)


def _page(title: str, entries: Sequence[One], line_of: Callable[[One], str], offset: int) -> str:
    """A line for each as long as there is room, below one that says what they are; of the others no line is made."""
    shown = within_room(map(line_of, entries[offset:]), PAGE_CHARS)
    on = offset + len(shown)
    if on < len(entries):
        shown.append(
            f"[{counted(len(entries) - on, 'more entry', 'more entries')}: read on with ?offset={on}]"
        )
    return "\n".join([title, "", BACKGROUND, "", *(shown or ["(nothing)"]), ""])


def _session(asked: Asked, name: str) -> Opened:
    passage = asked.archivist.sessions.read(name, offset=asked.offset, scope=asked.reader)
    return Opened("\n".join(_passage_lines(passage, asked)), PLAIN)


def _passage_lines(passage: Passage, asked: Asked) -> Iterator[str]:
    session, zone = passage.session, asked.archivist.zone
    yield f"# {cleared_message(session.title, session.id, None, asked.context) if session.title else session.id}"
    yield f"{session.source}, session {session.id}, {moment_of(session.started_at, zone)}"
    yield f"{BACKGROUND}\n"
    for message in passage.messages:
        said = "" if message.created_at is None else f", {moment_of(message.created_at, zone)}"
        who = message.speaker or message.tool_name
        named = f" {cleared_message(who, session.id, message.id, asked.context)}" if who else ""
        yield f"[{message.id} {message.role}{named}{said}]"
        yield f"{cleared_message(_said_in(message), session.id, message.id, asked.context)}\n"
    for notice in passage.notices:
        yield f"[{for_model(notice.text)}]"
    if passage.after:
        on = passage.before + len(passage.messages)
        yield f"[read on: memory://sessions/{quote(session.id, safe='')}?offset={on}]"


def _said_in(message: Message) -> str:
    calls = [
        f"-> {call.name} {cut_text(call.arguments, 1_000, f'message {message.id}')}"
        for call in message.tool_calls[:MOST_CALLS]
    ]
    if more := len(message.tool_calls) - len(calls):
        calls.append(f"[cut, {counted(more, 'more call')}: message {message.id}]")
    return "\n".join([message.text, *calls] if message.text or not calls else calls)
