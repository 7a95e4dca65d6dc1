"""Conversations as Markdown: for people, and read back all the same.

A file is a row of blocks. Each begins with a marker, an HTML comment that holds what Markdown has no place for as JSON; what stands below
it is for reading. Lines of what was said that look like a marker or like a heading of ours get a backslash before them, one more than
they have, so that taking one away gives the line back.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

import msgspec

from archivist.records.display import plain
from archivist.transfer.archivist.fields import marked
from archivist.transfer.archivist.shapes import (
    FORMAT,
    NOTHING,
    VERSION,
    CallShape,
    Header,
    MessageRecord,
    PartShape,
    Record,
    SessionRecord,
)

T = TypeVar("T")

MARKER: Final = "<!-- archivist "
END_OF_MARKER: Final = " -->"
OURS: Final = r"<!-- archivist |#{1,2} [^\n]* · \d{4}-\d\d-\d\d \d\d:\d\d:\d\d"
LOOKS_LIKE_OURS: Final = re.compile(rf"^(?=\\*(?:{OURS}))", re.MULTILINE)
ESCAPED: Final = re.compile(rf"^\\(?=\\*(?:{OURS}))", re.MULTILINE)
FENCE_LINE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)
TICKS: Final = re.compile("`+")
SPACES: Final = re.compile(r"\s+")
PLACES: Final = {
    "fork": "fork",
    "branch": "branch",
    "subagent": "sub-agent",
    "compaction": "goes on after a compaction",
}


class MessageMark(MessageRecord, frozen=True, tag="message"):
    """What a marker says of a message; its words stand below.

    Attributes:
        closed: The line that closes a fence that the words leave open; it is not part of them.
    """

    closed: str | None = None


class PartMark(Record, frozen=True, tag="part"):
    """What a marker says of a part; its text stands in it where the message's words hold it too, else below."""

    kind: str = ""
    text: str | None = None
    media_type: str = ""
    name: str = ""


class CallMark(Record, frozen=True, tag="call"):
    """What a marker says of a call; the arguments stand below."""

    id: str = ""
    name: str = ""


class EndMark(Record, frozen=True, tag="end"):
    """The last marker of a file, so that a torn one is known."""


def markdown(records: Iterable[Record]) -> Iterator[bytes]:
    """The file, block by block; blobs, contexts, usage and undos are not in it."""
    yield _block(Header(format=FORMAT, version=VERSION), "")
    for record in records:
        if isinstance(record, SessionRecord):
            yield _block(msgspec.structs.replace(record, prompt=None), _session(record))
        elif isinstance(record, MessageRecord):
            yield from _message(record)
    yield _block(EndMark(), "")


def escaped(text: str) -> str:
    """A text in which no line looks like one of ours."""
    return LOOKS_LIKE_OURS.sub(r"\\", text) if "·" in text or MARKER in text else text


def unescaped(text: str) -> str:
    """The text that `escaped` was given."""
    return ESCAPED.sub("", text) if "·" in text or MARKER in text else text


def fenced(text: str, language: str = "") -> str:
    """A text in a fence that is longer than any in it."""
    longest = max((len(run) for run in TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def open_fence(text: str) -> str:
    """The fence that a text leaves open; empty where it closes all."""
    fence = ""
    for found in FENCE_LINE.finditer(text):
        run, rest = found[1], found[2]
        if not fence:
            fence = "" if run[0] == "`" and "`" in rest else run
        elif run[0] == fence[0] and len(run) >= len(fence) and not rest.strip():
            fence = ""
    return fence


def _block(mark: Record, body: str) -> bytes:
    facts = msgspec.json.encode(mark).replace(b">", b"\\u003e")  # else the comment could end in them
    return b"%s%s%s\n" % (MARKER.encode(), facts, END_OF_MARKER.encode()) + body.encode("utf-8")


def _session(record: SessionRecord) -> str:
    place = PLACES.get(record.link or "", "")
    scope = record.scope
    whose = [
        f"{name} {value}" for name in ("user", "chat", "project") if (value := getattr(scope, name, None))
    ]
    facts = {
        "in": record.source,
        "model": record.model,
        "folder": record.cwd,
        "of": ", ".join(whose),
        "began": _when(record.started_at),
        "ended": " · ".join(filter(None, (_when(record.ended_at), record.end_reason))),
        "put away": _when(record.archived_at),
        "pinned": _when(record.pinned_at),
        "id": record.id,
        "from": record.parent,
    }
    lines = [f"- {name}: {_inline(value)}" for name, value in facts.items() if value]
    title = _inline(record.title or "(no title)") + (f" ({place})" if place else "")
    return f"# {title}\n\n" + "\n".join(lines) + "\n\n"


def _message(record: MessageRecord) -> Iterator[bytes]:
    text = record.text or ""
    closing = "" if record.role == "tool" else open_fence(text)
    words = fenced(text) if record.role == "tool" else text
    mark = MessageMark(closed=closing or None, **marked(record))
    tail = f"\n{closing}" if closing else ""
    yield _block(mark, f"{_heading(record)}\n\n{escaped(words)}{tail}\n\n")
    for part in _decoded(record.parts, PartShape):
        yield _part(part, text)
    for call in _decoded(record.tool_calls, CallShape):
        body = f"*calls {_inline(call.name)}*\n\n{escaped(fenced(call.arguments, 'json'))}\n\n"
        yield _block(CallMark(id=call.id, name=call.name), body)


def _heading(record: MessageRecord) -> str:
    who = _inline(record.speaker or record.role or "")
    tool = f" {_inline(record.tool_name)}" if record.tool_name else ""
    state = "" if record.state == "active" else f" · {record.state}"
    return f"## {who}{tool} · {_when(record.created_at)}{state}"


def _part(part: PartShape, words: str) -> bytes:
    is_there = part.text in words
    mark = PartMark(
        kind=part.kind,
        text=part.text if is_there and part.text else None,
        media_type=part.media_type,
        name=part.name,
    )
    if mark.text is not None and part.kind == "text":
        return _block(mark, "")
    named = ", ".join(_inline(fact) for fact in (part.name, part.media_type) if fact)
    shown = "" if is_there else escaped(part.text)
    return _block(mark, f"*[{_inline(part.kind)}{': ' if named else ''}{named}]*\n\n{shown}\n\n")


def _decoded(raw: msgspec.Raw, shape: type[T]) -> list[T]:
    """Parts or calls; none where the row is damaged, which must not stop the others."""
    if raw is NOTHING:
        return []
    try:
        found: list[T] = msgspec.json.decode(raw, type=list[shape])  # type: ignore[valid-type]  # a type that is passed in
    except msgspec.DecodeError:
        return []
    return found


def _when(time: str | None) -> str:
    """A time to the second, in UTC."""
    return "" if time is None else f"{time[:19].replace('T', ' ')} UTC"


def _inline(text: str | None) -> str:
    """A name on one line, in which nothing is markup."""
    return SPACES.sub(" ", plain(text or "")).replace("<", "\\<").strip()
