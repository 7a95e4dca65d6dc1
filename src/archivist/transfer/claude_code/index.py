"""The first pass over a session file: what every line is, who its parent is, and which session it belongs to.

Of a line that may become a message only its place in the file and a few short facts are kept, so that a file
of a gigabyte costs some hundred bytes a line. Everything is decided from a line and the lines before it: what
the first half of a file gives stays the same when the second half has been written.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from sys import intern
from typing import Literal

import msgspec

from archivist.transfer.claude_code.blocks import Answer, Speech, read_answer, read_speech
from archivist.transfer.claude_code.line_prints import own_id, print_of
from archivist.transfer.claude_code.lines import Line, Said, Tokens, parse_line
from archivist.transfer.claude_code.passing_over import skip_reason, why_no_message
from archivist.transfer.json_lines import Place, RawLine, read_lines
from archivist.transfer.json_text import NotJson
from archivist.transfer.own_tools import name_of
from archivist.transfer.pieces import text_of
from archivist.transfer.reasons import DAMAGED, IN_ORIGIN, NOTHING_LEFT, REPEATED, REPLACED_BYTES, Skipped
from archivist.transfer.times import parse_time

Kind = Literal["assistant", "results", "person"]

MAIN = ""
HELD_BYTES = 8 * 1024 * 1024
"""The first lines of a file, up to so many bytes, are held until they become messages: most files are read once."""


class Entry(msgspec.Struct):
    """A line that is part of a message.

    Attributes:
        request: The response that an assistant line belongs to.
        time: Its own time, or that of the line before; None where none is known yet.
        calls: Ids of the calls that it makes, or answers.
        is_final: Whether it ends its response as far as the line itself can tell.
        said: A hash of what it says, to the letter.
        messages: How many messages a line is made into that is no part of a response.
        held: What it says, where the second pass need not read it again.
    """

    place: Place
    uuid: str
    kind: Kind
    request: str
    time: datetime | None
    is_inferred: bool
    calls: tuple[str, ...]
    is_final: bool
    is_empty: bool
    said: bytes = b""
    messages: int = 1
    held: Answer | Speech | None = None


class Stream(msgspec.Struct):
    """The lines of one session: the main one, or one of a sub-agent.

    Attributes:
        shared: Lines that another session tells, where they stand among these.
        previous: The last line of it that has an id.
        leaf: The last user or assistant line.
        names: The name of each tool called, and where in the file.
    """

    key: str
    agent_id: str | None = None
    entries: list[Entry] = []
    shared: list[Entry] = []
    previous: str | None = None
    leaf: str | None = None
    read: int = 0
    skipped: Skipped = msgspec.field(default_factory=Skipped)
    names: dict[str, tuple[str, int]] = {}
    usage: dict[str, tuple[str, Tokens]] = {}
    model: str | None = None
    first_time: datetime | None = None


class FileIndex(msgspec.Struct):
    """A session file after the first pass.

    Attributes:
        parents: The parent of every line with an id.
        prints: What the first line with each id says, as a hash.
        said_by_others: The same of lines whose id another line had first.
        key: With which that is hashed.
        first_ids: Of copied lines that have ids of their own, the ids that they had first.
        detours: Where a line continues when its parent is not in the file, such as after a damaged line.
        room: Bytes of lines that may still be held.
    """

    path: Path
    session_id: str | None = None
    cwd: str | None = None
    branch: str | None = None
    version: str | None = None
    first_time: datetime | None = None
    last_time: datetime | None = None
    custom_title: str | None = None
    ai_title: str | None = None
    summaries: list[tuple[str | None, str]] = []
    parents: dict[str, str | None] = {}
    prints: dict[str, bytes] = {}
    said_by_others: dict[str, bytes] = {}
    detours: dict[str, str] = {}
    first_ids: dict[str, str] = {}
    streams: dict[str, Stream] = {}
    stream_of: dict[str, str] = {}
    notices: Counter[str] = msgspec.field(default_factory=Counter)
    room: int = HELD_BYTES
    key: bytes = b""

    @property
    def title(self) -> str | None:
        """The person's title, else the program's, else a summary of a conversation that ends in this file."""
        summaries = [text for leaf, text in self.summaries if leaf is None or leaf in self.parents]
        found = self.custom_title or self.ai_title or (summaries[-1] if summaries else None)
        return found.strip() or None if found else None

    def stream(self, key: str) -> Stream:
        """A session of the file."""
        if key not in self.streams:
            self.streams[key] = Stream(key)
        return self.streams[key]


def index_file(
    path: Path,
    end: int,
    *,
    shared: Mapping[str, str],
    is_agent: bool = False,
    key: bytes = b"",
    is_away: Callable[[str], bool] = lambda _session: False,
) -> FileIndex:
    """Read the first `end` bytes of a session file.

    Args:
        path: The file.
        end: Its size when it was looked at; what is written later waits for the next time.
        shared: Ids of lines that belong to another session, by that session's id.
        is_agent: Whether the whole file is one sub-agent's.
        key: With which what lines say is hashed.
        is_away: Whether a session was deleted here: nothing that was copied from it is told.
    """

    def is_shared(line: Line) -> bool:
        return line.uuid in shared or (line.origin is not None and is_away(line.origin))

    index = new_index(path, key)
    for raw in read_lines(path, end):
        add_line(index, raw, is_shared, is_agent=is_agent)
    return index


def new_index(path: Path, key: bytes = b"") -> FileIndex:
    """The index of a file of which nothing is read yet."""
    index = FileIndex(path, key=key)
    index.stream(MAIN)
    return index


def add_line(index: FileIndex, raw: RawLine, is_shared: Callable[[Line], bool], *, is_agent: bool) -> None:
    """Take in the next line of the file, which another session may tell; see `index_file`."""
    main = index.streams[MAIN]
    if raw.is_blank:
        return
    try:
        line, replaced = parse_line(raw.raw or b"")
    except NotJson:
        _skip(main, raw.flaw)
        return
    index.notices[REPLACED_BYTES] += replaced
    _take_first_ids(index, line)
    if line.uuid and _is_repeat(index, line):
        _skip(main, REPEATED)
        return
    stream = main if is_agent else index.stream(_stream_key(index, line))
    _note_time(index, stream, line)
    _note_session(index, line)
    _note_chain(index, stream, line)
    reason = skip_reason(line, is_shared)
    if reason is None:
        _keep(index, stream, line, raw)
        return
    _skip(stream, reason)
    if line.type == "assistant" and line.message:
        _note_calls(stream, read_answer(line.message.content), raw.offset)
    if reason == IN_ORIGIN and why_no_message(line) is None:
        _keep_shared(index, stream, line, raw)


def _take_first_ids(index: FileIndex, line: Line) -> None:
    """Let a copied line have the id that it had first, and those behind it know it by that."""
    line.parent_uuid = index.first_ids.get(line.parent_uuid or "", line.parent_uuid)
    if line.uuid and line.first_id != line.uuid:
        first = line.first_id or line.uuid
        index.first_ids[line.uuid], line.uuid = first, first


def _is_repeat(index: FileIndex, line: Line) -> bool:
    """Whether a line with that id said the same before; one that says something else gets an id of its own, made of what it says."""
    said = print_of(line, index.key)
    if index.prints.setdefault(line.uuid or "", said) != said:
        line.uuid = own_id(line)
        index.said_by_others.setdefault(line.uuid, said)
    return line.uuid in index.parents


def _skip(stream: Stream, reason: str) -> None:
    stream.read += 1
    stream.skipped.add(reason)


def _stream_key(index: FileIndex, line: Line) -> str:
    """Older versions wrote sub-agents into the file of the session; their lines form chains of their own."""
    if not line.is_sidechain:
        return MAIN
    inherited = index.stream_of.get(line.parent_uuid or "")
    key = line.agent_id or inherited or line.uuid or "sidechain"
    if line.uuid:
        index.stream_of[line.uuid] = key
    return key


def _note_time(index: FileIndex, stream: Stream, line: Line) -> None:
    time = parse_time(line.timestamp)
    if time is None:
        return
    index.last_time = time
    index.first_time = index.first_time or time
    stream.first_time = stream.first_time or time


def _note_session(index: FileIndex, line: Line) -> None:
    index.session_id = index.session_id or line.session_id
    index.cwd = index.cwd or line.cwd
    index.branch = index.branch or line.git_branch
    index.version = index.version or line.version
    index.custom_title = line.custom_title or index.custom_title
    index.ai_title = line.ai_title or index.ai_title
    if line.type == "summary" and line.summary:
        index.summaries.append((line.leaf_uuid, line.summary))


def _note_chain(index: FileIndex, stream: Stream, line: Line) -> None:
    if not line.uuid:
        return
    if line.agent_id and stream.key != MAIN:
        stream.agent_id = line.agent_id
    parent = line.parent_uuid or line.logical_parent_uuid
    is_boundary = line.subtype == "compact_boundary" or bool(line.is_compact_summary)
    uuid = intern(line.uuid)
    index.parents[uuid] = intern(parent) if parent else None
    if stream.previous and (parent not in index.parents if parent else is_boundary):
        index.detours[uuid] = stream.previous
    stream.previous = uuid
    if line.type in {"user", "assistant"}:
        stream.leaf = uuid


def _keep(index: FileIndex, stream: Stream, line: Line, raw: RawLine) -> None:
    entry, held = _entry(index, line, raw)
    if isinstance(held, Answer):
        _note_answer(stream, entry, held, line.message or Said())
    elif entry.is_empty:
        is_read = line.message is not None and line.message.content is not None
        _skip(stream, NOTHING_LEFT if is_read else DAMAGED)
        return
    stream.read += 1
    stream.entries.append(entry)
    if raw.length <= index.room:
        index.room -= raw.length
        entry.held = held


def _keep_shared(index: FileIndex, stream: Stream, line: Line, raw: RawLine) -> None:
    entry, _ = _entry(index, line, raw)
    if entry.kind == "assistant" or not entry.is_empty:
        stream.shared.append(entry)


def _entry(index: FileIndex, line: Line, raw: RawLine) -> tuple[Entry, Answer | Speech]:
    """A line as a part of a message, and what it says."""
    said = line.message or Said()
    entry = Entry(
        place=raw.place,
        uuid=intern(line.uuid or ""),
        kind="person",
        request="",
        time=parse_time(line.timestamp),
        is_inferred=False,
        calls=(),
        is_final=False,
        is_empty=False,
        said=print_of(line, index.key),
    )
    if entry.time is None:
        entry.time, entry.is_inferred = index.last_time, True
    return entry, _judge_answer(entry, line, said) if line.type == "assistant" else _judge_speech(entry, said)


def _judge_answer(entry: Entry, line: Line, said: Said) -> Answer:
    answer = read_answer(said.content)
    entry.kind = "assistant"
    entry.request = line.request_id or said.id or entry.uuid
    entry.calls = tuple(call.id for call in answer.calls)
    entry.is_empty = answer.is_empty
    entry.is_final = said.stop_reason not in {None, "tool_use"} and bool(text_of(answer.pieces))
    return answer


def _note_answer(stream: Stream, entry: Entry, answer: Answer, said: Said) -> None:
    _note_calls(stream, answer, entry.place.offset)
    stream.model = said.model or stream.model
    if said.usage:
        _note_usage(stream, entry.request, said.model or stream.model or "unknown", said.usage)


def _note_calls(stream: Stream, answer: Answer, offset: int) -> None:
    for call in answer.calls:
        stream.names.setdefault(call.id, (name_of(call), offset))


def _note_usage(stream: Stream, request: str, model: str, usage: Tokens) -> None:
    """Every line of a response repeats the usage so far: the largest output is the whole of it."""
    known = stream.usage.get(request)
    if known is None or (usage.output_tokens or 0) >= (known[1].output_tokens or 0):
        stream.usage[request] = (model, usage)


def _judge_speech(entry: Entry, said: Said) -> Speech:
    results, pieces = speech = read_speech(said.content)
    entry.kind = "results" if results else "person"
    entry.calls = tuple(result.call_id for result in results)
    entry.is_empty = not results and not pieces
    entry.messages = len(results) + bool(pieces)
    return speech
