"""The first pass over a transcript: what every entry is, and which entries the conversation consists of.

Entries form a tree. The branch that was last written to is the conversation; what stands beside it was left. Of an entry that becomes a
message only its number and a few short facts are kept, so that the second pass can read it again.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from sys import intern

import msgspec

from archivist.records import Role, State, Usage
from archivist.transfer.json_text import NotJson
from archivist.transfer.openclaw.entries import (
    Entry,
    RawEntry,
    Said,
    amount,
    parse_entry,
    print_of,
    read_content,
    text_of,
    whole,
)
from archivist.transfer.openclaw.envelopes import Opened, open_envelope
from archivist.transfer.times import parse_time

Source = Callable[[], Iterator[RawEntry]]
"""Reads a transcript from its beginning, each time it is called."""

ROLES: Mapping[str, Role] = {
    "system": "system",
    "user": "user",
    "assistant": "assistant",
    "toolResult": "tool",
    "tool": "tool",
}
MIRROR = ("openclaw", "delivery-mirror")
"""Provider and model of an entry that repeats a reply as it was delivered."""

BOOKKEEPING = frozenset(
    {"custom", "label", "leaf", "model_change", "reset", "session", "session_info", "thinking_level_change"}
)
WRITTEN_AGAIN = {
    "compaction": "compaction summary",
    "branch_summary": "summary of a branch that was left",
    "custom_message": "written by the program (custom_message)",
}
EMPTY, NOTHING_LEFT = "empty message", "nothing left after the program's own words"
SILENT = frozenset({"NO_REPLY", "HEARTBEAT_OK"})
"""What a model answers when it has nothing to say."""

MOST_REASONS = 64
MOST_ENVELOPES = 50


@dataclass(slots=True)
class Kept:
    """An entry that becomes a message.

    Attributes:
        key: Its id, or one made of what it says.
        time: Its own, or that of the entry before; None where none is known yet.
    """

    key: str
    time: datetime | None
    is_inferred: bool
    state: State = "active"


@dataclass(slots=True)
class Transcript:
    """A transcript after the first pass.

    Attributes:
        kept: Entries that become messages, by their number.
        parents: The parent of every entry.
        prints: What each entry says, as a checksum.
        envelopes: What the first messages say about who spoke.
    """

    cwd: str | None = None
    parent: str | None = None
    title: str | None = None
    model: str | None = None
    first_time: datetime | None = None
    last_time: datetime | None = None
    kept: dict[int, Kept] = field(default_factory=dict)
    parents: dict[str, str | None] = field(default_factory=dict)
    prints: dict[str, int] = field(default_factory=dict)
    envelopes: list[Opened] = field(default_factory=list)
    usage: list[Usage] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    read: int = 0
    leaf: str | None = None
    previous: str | None = None


def read_transcript(
    source: Source, inherited: Mapping[str, int] | None = None, origin: str = ""
) -> Transcript:
    """Read a transcript.

    Args:
        source: Gives its entries.
        inherited: Entries of the session that this one goes on from, by what they say; they are repeated here.
        origin: That session.
    """
    told = Transcript()
    for number, raw in enumerate(source()):
        _add(told, number, raw, inherited or {}, origin)
    path = _path(told)
    for kept in told.kept.values():
        kept.state = "active" if kept.key in path else "branch"
    return told


def _path(told: Transcript) -> set[str]:
    """Ids from the last entry back to the beginning."""
    path: set[str] = set()
    at = told.leaf
    while at is not None and at not in path:
        path.add(at)
        at = told.parents.get(at)
    return path


def _add(told: Transcript, number: int, raw: RawEntry, inherited: Mapping[str, int], origin: str) -> None:
    if raw.raw is not None and not raw.raw.strip():
        return
    told.read += 1
    try:
        if raw.raw is None:
            raise NotJson  # noqa: TRY301 - the same as an entry that cannot be understood
        entry = parse_entry(raw.raw)
    except NotJson:
        _skip(told, raw.flaw)
        return
    _note_session(told, entry)
    key, is_repeat = key_of(entry, told.prints)
    if is_repeat:
        _skip(told, "entry repeated in the transcript")
        return
    time = parse_time(entry.timestamp) or parse_time(entry.message.timestamp if entry.message else None)
    told.first_time = told.first_time or time
    if entry.type != "session":
        _note_chain(told, entry, key)
    if entry.id is not None and inherited.get(key) == told.prints[key]:
        _skip(
            told,
            f"already in session {origin}" if entry.type == "message" else f"bookkeeping: {entry.type}"[:60],
        )
    elif reason := _reason(told, entry):
        _skip(told, reason)
    else:
        told.kept[number] = Kept(key, time or told.last_time, is_inferred=time is None)
        _note_usage(told, entry, key)
    told.last_time = time or told.last_time


def key_of(entry: Entry, prints: dict[str, int]) -> tuple[str, bool]:
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


def _note_session(told: Transcript, entry: Entry) -> None:
    if entry.type == "session":
        told.cwd = told.cwd or entry.cwd
        told.parent = told.parent or entry.parent_session
    elif entry.type == "session_info" and entry.name:
        told.title = entry.name.strip() or told.title


def _note_chain(told: Transcript, entry: Entry, key: str) -> None:
    """Where an entry's parent cannot be found, such as after a damaged line, it goes on from the entry before."""
    parent = entry.parent_id
    if entry.id is None or (parent is not None and (parent not in told.parents or parent == key)):
        parent = told.previous
    told.parents[key] = intern(parent) if parent else None
    told.previous = key
    told.leaf = entry.target_id if entry.type == "leaf" and entry.target_id in told.parents else key


def _reason(told: Transcript, entry: Entry) -> str | None:
    """Why an entry is no message."""
    if entry.type != "message":
        kind = (entry.type or "none")[:40]
        known = f"bookkeeping: {kind}" if kind in BOOKKEEPING else f"unknown entry type: {kind}"
        return WRITTEN_AGAIN.get(kind, known)
    said = entry.message or Said()
    if (said.provider, said.model) == MIRROR:
        return "echo of a delivered reply"
    role = ROLES.get(said.role or "")
    if role is None:
        return f"unknown role: {(said.role or 'none')[:40]}"
    answer = read_content(said.content)
    if role == "tool" or answer.calls or answer.reasoning:
        return None
    has_more = any(piece.kind != "text" for piece in answer.pieces)
    if role != "user" or not answer.pieces:
        return None if has_more or text_of(answer.pieces).strip() else EMPTY
    opened = [open_envelope(piece.text) for piece in answer.pieces if piece.kind == "text"]
    told.envelopes += opened[:1] if len(told.envelopes) < MOST_ENVELOPES else []
    return None if has_more or any(one.text.strip() for one in opened) else NOTHING_LEFT


def _note_usage(told: Transcript, entry: Entry, key: str) -> None:
    said = entry.message or Said()
    if said.role != "assistant":
        return
    told.model = said.model or told.model
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
        told.usage.append(usage)


def _skip(told: Transcript, reason: str) -> None:
    known = reason in told.skipped or len(told.skipped) < MOST_REASONS
    told.skipped[reason if known else "others"] += 1
