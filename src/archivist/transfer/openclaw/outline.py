"""The first pass over a transcript: what every entry is, and which entries the conversation consists of.

Entries form a tree. The branch that was last written to is the conversation; what stands beside it was left. Of an entry that becomes a
message only its number and a few short facts are kept, so that the second pass can read it again.
"""

from collections.abc import Mapping
from datetime import datetime
from hashlib import blake2b
from itertools import islice
from sys import intern

import msgspec

from archivist.records import Role, State, Usage
from archivist.transfer.gateways import Sender
from archivist.transfer.json_text import as_utf8
from archivist.transfer.openclaw.entries import (
    Entry,
    RawEntry,
    Said,
    amount,
    entry_of,
    print_of,
    read_content,
    whole,
)
from archivist.transfer.openclaw.envelopes import open_envelope
from archivist.transfer.openclaw.transcripts import Source
from archivist.transfer.pieces import text_of
from archivist.transfer.reasons import (
    BOOKKEEPING,
    BY_PROGRAM,
    EMPTY,
    IN_ORIGIN,
    NOTHING_LEFT,
    REPEATED,
    SUMMARY,
    UNKNOWN_ROLE,
    UNKNOWN_TYPE,
    Skipped,
)
from archivist.transfer.times import parse_time

ROLES: Mapping[str, Role] = {
    "system": "system",
    "user": "user",
    "assistant": "assistant",
    "toolResult": "tool",
    "tool": "tool",
}
MIRROR = ("openclaw", "delivery-mirror")
"""Provider and model of an entry that repeats a reply as it was delivered."""

NO_MESSAGES = frozenset(
    {"custom", "label", "leaf", "model_change", "reset", "session", "session_info", "thinking_level_change"}
)
WRITTEN_AGAIN = {
    "compaction": SUMMARY,
    "branch_summary": BY_PROGRAM + "summary of a branch",
    "custom_message": BY_PROGRAM + "custom_message",
}
SILENT = frozenset({"NO_REPLY", "HEARTBEAT_OK"})
"""What a model answers when it has nothing to say."""


class Kept(msgspec.Struct):
    """An entry that becomes a message.

    Attributes:
        key: Its id, or one made of what it says.
        print: What it says, as a checksum.
        time: Its own, or that of the entry before; None where none is known yet.
    """

    key: str
    print: int
    time: datetime | None
    is_inferred: bool
    state: State = "active"


class Outline(msgspec.Struct):
    """A transcript after the first pass.

    Attributes:
        kept: Entries that become messages, by their number.
        parents: The parent of every entry.
        prints: What each entry says, as a checksum.
        senders: Whoever wrote in it.
        replaced: Entries with bytes that were no UTF-8.
    """

    cwd: str | None = None
    parent: str | None = None
    title: str | None = None
    model: str | None = None
    first_time: datetime | None = None
    last_time: datetime | None = None
    kept: dict[int, Kept] = msgspec.field(default_factory=dict)
    parents: dict[str, str | None] = msgspec.field(default_factory=dict)
    prints: dict[str, int] = msgspec.field(default_factory=dict)
    senders: set[Sender] = msgspec.field(default_factory=set)
    usage: list[Usage] = msgspec.field(default_factory=list)
    skipped: Skipped = msgspec.field(default_factory=Skipped)
    read: int = 0
    replaced: int = 0
    leaf: str | None = None
    previous: str | None = None


def read_outline(source: Source, inherited: Mapping[str, int] | None = None) -> Outline:
    """Read a transcript.

    Args:
        source: Gives its entries.
        inherited: Entries of the session that this one goes on from, by what they say; they are repeated here.
    """
    outline = Outline()
    for number, raw in enumerate(source()):
        _add(outline, number, raw, inherited or {})
    path = _path(outline)
    for kept in outline.kept.values():
        kept.state = "active" if kept.key in path else "branch"
    return outline


def senders_in(source: Source) -> set[Sender]:
    """Whoever wrote in a transcript."""
    found: set[Sender] = set()
    for raw in source():
        entry = entry_of(raw) if raw.raw is not None and b"user" in raw.raw else None
        if entry is not None and entry.message is not None and entry.message.role == "user":
            pieces = read_content(entry.message.content).pieces
            texts = (piece.text for piece in pieces if piece.kind == "text")
            found.update(open_envelope(text).who for text in islice(texts, 1))
    return found


def _path(outline: Outline) -> set[str]:
    """Ids from the last entry back to the beginning."""
    path: set[str] = set()
    at = outline.leaf
    while at is not None and at not in path:
        path.add(at)
        at = outline.parents.get(at)
    return path


def _add(outline: Outline, number: int, raw: RawEntry, inherited: Mapping[str, int]) -> None:
    if raw.raw is not None and not raw.raw.strip():
        return
    outline.read += 1
    entry = entry_of(raw)
    if entry is None:
        outline.skipped.add(raw.flaw)
        return
    outline.replaced += as_utf8(raw.raw or b"")[1]
    _note_session(outline, entry)
    key, is_repeat = _key_of(entry, outline.prints)
    if is_repeat:
        outline.skipped.add(REPEATED)
        return
    time = parse_time(entry.timestamp) or parse_time(entry.message.timestamp if entry.message else None)
    outline.first_time = outline.first_time or time
    if entry.type != "session":
        _note_chain(outline, entry, key)
    if entry.id is not None and inherited.get(key) == outline.prints[key]:
        outline.skipped.add(IN_ORIGIN if entry.type == "message" else f"{BOOKKEEPING}{entry.type}"[:60])
    elif reason := _reason(outline, entry):
        outline.skipped.add(reason)
    else:
        outline.kept[number] = Kept(
            key, outline.prints[key], time or outline.last_time, is_inferred=time is None
        )
        _note_usage(outline, entry, key)
    outline.last_time = time or outline.last_time


def _key_of(entry: Entry, prints: dict[str, int]) -> tuple[str, bool]:
    """The id of an entry, and whether the same entry was there before.

    One without an id, as old versions wrote them, and one whose id another entry had first, get an id made of what they say.
    """
    said = print_of(entry.message) if entry.message else 0
    if entry.id is None:
        facts = msgspec.json.encode(
            (entry.type, entry.timestamp, entry.message.role if entry.message else None, said)
        )
        key = f"~{blake2b(facts, digest_size=6).hexdigest()}"
    elif prints.get(entry.id, said) != said:
        key = f"{entry.id}~{said:08x}"
    else:
        key = intern(entry.id)
    is_repeat = key in prints and entry.type != "session"
    prints.setdefault(key, said)
    return key, is_repeat


def _note_session(outline: Outline, entry: Entry) -> None:
    if entry.type == "session":
        outline.cwd = outline.cwd or entry.cwd
        outline.parent = outline.parent or entry.parent_session
    elif entry.type == "session_info" and entry.name:
        outline.title = entry.name.strip() or outline.title


def _note_chain(outline: Outline, entry: Entry, key: str) -> None:
    """Where an entry's parent cannot be found, such as after a damaged line, it goes on from the entry before."""
    parent = entry.parent_id
    if entry.id is None or (parent is not None and (parent not in outline.parents or parent == key)):
        parent = outline.previous
    outline.parents[key] = intern(parent) if parent else None
    outline.previous = key
    outline.leaf = entry.target_id if entry.type == "leaf" and entry.target_id in outline.parents else key


def _reason(outline: Outline, entry: Entry) -> str | None:
    """Why an entry is no message."""
    if entry.type != "message":
        kind = (entry.type or "none")[:40]
        known = f"{BOOKKEEPING if kind in NO_MESSAGES else UNKNOWN_TYPE}{kind}"
        return WRITTEN_AGAIN.get(kind, known)
    return _reason_of_message(outline, entry.message or Said())


def _reason_of_message(outline: Outline, said: Said) -> str | None:
    if (said.provider, said.model) == MIRROR:
        return f"{BY_PROGRAM}echo of a reply"
    role = ROLES.get(said.role or "")
    if role is None:
        return UNKNOWN_ROLE
    answer = read_content(said.content)
    if role == "tool" or answer.calls or answer.reasoning:
        return None
    has_more = any(piece.kind != "text" for piece in answer.pieces)
    if role != "user" or not answer.pieces:
        return None if has_more or text_of(answer.pieces).strip() else EMPTY
    opened = [open_envelope(piece.text) for piece in answer.pieces if piece.kind == "text"]
    outline.senders.update(one.who for one in opened[:1])
    if has_more or any(one.text.strip() for one in opened):
        return None
    program = next((one.program for one in opened if one.program), None)
    return f"{BY_PROGRAM}{program}" if program else NOTHING_LEFT


def _note_usage(outline: Outline, entry: Entry, key: str) -> None:
    said = entry.message or Said()
    if said.role != "assistant":
        return
    outline.model = said.model or outline.model
    if said.usage is None:
        return
    usage = Usage(
        model=said.model or "unknown",
        request_id=key,
        input=whole(said.usage.input),
        output=whole(said.usage.output),
        cache_read=whole(said.usage.cache_read),
        cache_write=whole(said.usage.cache_write),
        cost_usd=amount((said.usage.cost or {}).get("total")),
    )
    if usage.input or usage.output or usage.cache_read or usage.cost_usd:
        outline.usage.append(usage)
