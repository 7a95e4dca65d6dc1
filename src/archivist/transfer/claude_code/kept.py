"""What is kept of a transcript that is followed, so that its next lines are read as if all before them had just been.

A stretch of the file leaves a part: its lines without a word of what they say. The head is what changes with each stretch. Restored,
both give the index that reading the file from its beginning would give.
"""

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from sys import intern
from typing import Any

import msgspec

from archivist.transfer.claude_code.index import MAIN, Entry, FileIndex, Kind, Stream, new_index
from archivist.transfer.claude_code.lines import Tokens
from archivist.transfer.json_lines import Place

Id = bytes | str
"""An id; a UUID in sixteen bytes."""

KEPT = 2
"""Raised when what is kept changes its shape or its meaning: files of which another was kept are read anew."""

BEFORE = True
"""In the place of a parent's id: the line before."""


class KeptLine(msgspec.Struct, array_like=True):
    """A line with an id; its ids as `Id`, `stream` where it is a sub-agent's, `is_other` where another line had its id first."""

    uuid: Any
    parent: Any
    said: bytes
    detour: Any = None
    stream: str | None = None
    is_other: bool = False


class KeptEntry(msgspec.Struct, array_like=True):
    """A line that is part of a message; `line` is its place among those of the part."""

    stream: str
    line: int
    offset: int
    length: int
    kind: Kind
    request: str
    time: datetime | None
    is_inferred: bool
    calls: tuple[str, ...]
    is_final: bool
    is_empty: bool
    messages: int


class Part(msgspec.Struct, array_like=True):
    """A stretch of a file; names of tools by stream, call and place, usage by stream, request and model."""

    lines: list[KeptLine]
    entries: list[KeptEntry]
    names: list[tuple[str, str, str, int]]
    usage: list[tuple[str, str, str, Tokens]]


class KeptStream(msgspec.Struct, array_like=True):
    """A session of a file.

    Attributes:
        known: How many of its messages have been taken.
        branches: Which of those lie on a path that was left.
    """

    key: str
    agent_id: str | None
    previous: str | None
    leaf: str | None
    model: str | None
    first_time: datetime | None
    known: int = 0
    branches: tuple[int, ...] = ()


class Head(msgspec.Struct):
    """What is known of a file as a whole.

    Attributes:
        cuts: Where a response was taken as finished.
        origin: The session that it is a fork of.
        sessions: The source's own ids of all that it has ever told.
        is_rewritten: Whether it is being read anew after it was changed, so that what it no longer has is to be found.
        is_mixed: Whether it holds what another session has said.
        has_own: Whether anything of it was told as its own.
        revision: Of the shape of all that is kept of the file, its parts too.
    """

    session_id: str | None = None
    cwd: str | None = None
    branch: str | None = None
    version: str | None = None
    first_time: datetime | None = None
    last_time: datetime | None = None
    custom_title: str | None = None
    ai_title: str | None = None
    summaries: list[tuple[str | None, str]] = []
    streams: list[KeptStream] = []
    cuts: tuple[str, ...] = ()
    origin: str | None = None
    sessions: tuple[str, ...] = ()
    is_rewritten: bool = False
    is_mixed: bool = False
    has_own: bool = False
    revision: int = 1


class AnyHead(msgspec.Struct):
    """What of a head is read whatever its revision; see there."""

    sessions: tuple[str, ...] = ()


class KeptUnreadable(Exception):
    """What was kept of a file is damaged, or of another revision: the file is read anew."""


TEXTS = ("cwd", "branch", "version", "custom_title", "ai_title")
"""Fields that people or programs have written: they are masked before they are kept."""
PLAIN = ("session_id", "first_time", "last_time")
UNREADABLE = (msgspec.DecodeError, AttributeError, LookupError, TypeError, ValueError)
"""What bytes that are not what was kept can raise, at once or when their values are used."""
PART, HEAD, ANY_HEAD = (
    msgspec.msgpack.Decoder(Part),
    msgspec.msgpack.Decoder(Head),
    msgspec.msgpack.Decoder(AnyHead),
)


def written(head: Head) -> bytes:
    """A head as it is kept."""
    return msgspec.msgpack.encode(msgspec.structs.replace(head, revision=KEPT))


def read_head(kept: bytes | None) -> Head:
    """A head that was kept; an empty one where none was.

    Raises:
        KeptUnreadable: It says nothing that can be gone on from.
    """
    try:
        head = Head(revision=KEPT) if kept is None else HEAD.decode(kept)
    except UNREADABLE as error:
        raise KeptUnreadable from error
    if head.revision != KEPT:
        raise KeptUnreadable
    return head


def sessions_in(kept: bytes | None) -> tuple[str, ...]:
    """The sessions that a file has ever told; none where that cannot be read."""
    try:
        return () if kept is None else ANY_HEAD.decode(kept).sessions
    except UNREADABLE:
        return ()


class Growth(msgspec.Struct):
    """An index, and how much of it is kept."""

    index: FileIndex
    lines: int = 0
    summaries: int = 0
    entries: dict[str, int] = {}
    names: dict[str, int] = {}

    def part(self) -> bytes | None:
        """What was added since the last part; None for nothing."""
        index = self.index
        uuids = list(islice(index.parents, self.lines, None))
        places = {uuid: place for place, uuid in enumerate(uuids)}
        part = Part(list(_kept_lines(index, uuids)), [], [], [])
        for stream in index.streams.values():
            new = stream.entries[self.entries.get(stream.key, 0) :]
            part.entries += [_kept_entry(stream, entry, places[entry.uuid]) for entry in new]
            named = islice(stream.names.items(), self.names.get(stream.key, 0), None)
            part.names += [(stream.key, call, masked(name), offset) for call, (name, offset) in named]
            requests = dict.fromkeys(entry.request for entry in new if entry.request in stream.usage)
            part.usage += [(stream.key, request, *stream.usage[request]) for request in requests]
        self._count()
        return msgspec.msgpack.encode(part) if any(msgspec.structs.astuple(part)) else None

    def _count(self) -> None:
        streams = self.index.streams.values()
        self.lines = len(self.index.parents)
        self.entries = {stream.key: len(stream.entries) for stream in streams}
        self.names = {stream.key: len(stream.names) for stream in streams}

    def head(self, earlier: Head, known: dict[str, tuple[int, tuple[int, ...]]], **more: Any) -> Head:  # noqa: ANN401 - fields
        """What is known of the file as a whole now.

        Args:
            earlier: What was known before.
            known: Of each stream how many of its messages are taken, and which of these lie on paths that were left.
            more: Other fields.
        """
        index = self.index
        summaries = [*earlier.summaries]
        summaries += [(leaf, masked(text)) for leaf, text in index.summaries[len(summaries) :]]
        return msgspec.structs.replace(
            earlier,
            **{name: getattr(index, name) for name in PLAIN},
            **{name: _masked_anew(getattr(earlier, name), getattr(index, name)) for name in TEXTS},
            summaries=summaries,
            streams=[_kept_stream(stream, known) for stream in index.streams.values()],
            **more,
        )


def restored(path: Path, key: bytes, head: Head, parts: Iterable[bytes]) -> Growth:
    """The index of a file as it was when the last of the parts had been read.

    Raises:
        KeptUnreadable: A part says nothing that can be gone on from.
    """
    try:
        return _restored(path, key, head, parts)
    except UNREADABLE as error:
        raise KeptUnreadable from error


def _restored(path: Path, key: bytes, head: Head, parts: Iterable[bytes]) -> Growth:
    index = new_index(path, key)
    for name in (*PLAIN, *TEXTS):
        setattr(index, name, getattr(head, name))
    index.summaries = list(head.summaries)
    for kept in head.streams:
        stream = index.stream(kept.key)
        stream.agent_id, stream.previous, stream.leaf = kept.agent_id, kept.previous, kept.leaf
        stream.model, stream.first_time = kept.model, kept.first_time
    for part in parts:
        _restore(index, PART.decode(part))
    growth = Growth(index)
    growth._count()  # noqa: SLF001 - made here
    return growth


_stream_of = attrgetter("stream")


def _restore(index: FileIndex, part: Part) -> None:
    uuids: list[str] = []
    parents, prints = index.parents, index.prints  # asked of each line of a file, at the end of every turn
    for line in part.lines:
        uuid = intern(_unpacked(line.uuid))
        parents[uuid] = uuids[-1] if line.parent is BEFORE else _parent(line.parent)
        if line.is_other:
            index.said_by_others[uuid] = line.said
        else:
            prints[uuid] = line.said
        if line.detour is not None:
            index.detours[uuid] = _unpacked(line.detour)
        if line.stream is not None:
            index.stream_of[uuid] = line.stream
        uuids.append(uuid)
    for key, entries in groupby(part.entries, _stream_of):
        index.stream(key).entries += [_entry(kept, uuids, part.lines) for kept in entries]
    for stream, call, name, offset in part.names:
        index.stream(stream).names[call] = (name, offset)
    for stream, request, model, tokens in part.usage:
        index.stream(stream).usage[request] = (model, tokens)


def _parent(kept: Id | None) -> str | None:
    return None if kept is None else intern(_unpacked(kept))


def _kept_lines(index: FileIndex, uuids: list[str]) -> Iterable[KeptLine]:
    before = None
    for uuid in uuids:
        parent, detour = index.parents[uuid], index.detours.get(uuid)
        said = index.prints.get(uuid)
        yield KeptLine(
            _packed(uuid),
            BEFORE if parent and parent == before else parent and _packed(parent),
            said or index.said_by_others.get(uuid, b""),
            detour and _packed(detour),
            index.stream_of.get(uuid),
            is_other=said is None,
        )
        before = uuid


def _kept_entry(stream: Stream, entry: Entry, line: int) -> KeptEntry:
    place = entry.place
    return KeptEntry(
        stream.key,
        line,
        place.offset,
        place.length,
        entry.kind,
        entry.request,
        entry.time,
        entry.is_inferred,
        entry.calls,
        entry.is_final,
        entry.is_empty,
        entry.messages,
    )


def _entry(kept: KeptEntry, uuids: list[str], lines: list[KeptLine]) -> Entry:
    uuid = uuids[kept.line]
    return Entry(
        Place(kept.offset, kept.length, None),
        uuid,
        kept.kind,
        kept.request,
        kept.time,
        kept.is_inferred,
        kept.calls,
        kept.is_final,
        kept.is_empty,
        lines[kept.line].said,
        kept.messages,
    )


def _kept_stream(stream: Stream, known: dict[str, tuple[int, tuple[int, ...]]]) -> KeptStream:
    return KeptStream(
        stream.key,
        stream.agent_id,
        stream.previous,
        stream.leaf,
        stream.model,
        stream.first_time,
        *known.get(stream.key, (0, ())),
    )


def _masked_anew(earlier: str | None, now: str | None) -> str | None:
    return now if now is None or now == earlier else masked(now)


def masked(text: str) -> str:
    """A text without secrets."""
    from archivist.guard import mask  # noqa: PLC0415 - a look that finds nothing new must not pay for it

    return mask(text).text


def _packed(name: str) -> Id:
    """A UUID, spelt as they are, in sixteen bytes; any other id as it is."""
    if len(name) == 36 and name[8] == name[13] == name[18] == name[23] == "-":
        try:
            raw = bytes.fromhex(name.replace("-", ""))
        except ValueError:
            return name
        if len(raw) == 16 and _unpacked(raw) == name:
            return raw
    return name


def _unpacked(kept: Id) -> str:
    if isinstance(kept, str):
        return kept
    digits = kept.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


__all__ = [
    "MAIN",
    "Growth",
    "Head",
    "KeptUnreadable",
    "masked",
    "read_head",
    "restored",
    "sessions_in",
    "written",
]
