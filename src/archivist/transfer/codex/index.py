"""The first pass over a rollout: what every line is, and which message it becomes.

Everything is decided from a line and the lines before it, so that what the first half of a file gives stays the same when the
second half has been written; only a rollback changes what was before, and that is a state. Of a line that becomes a message only its
place and a few short facts are kept.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from zlib import crc32

from archivist.records import State
from archivist.transfer.codex.content import (
    SUMMARY,
    Words,
    call_id,
    item_answer,
    item_person,
    model_answer,
    model_person,
    reasoning_texts,
    screen_answer,
    screen_person,
    tool_call,
    tool_result,
    without_plan,
)
from archivist.transfer.codex.files import Head
from archivist.transfer.codex.kinds import CALLS, EVENTS, ITEMS, LINES, MARKERS, RESULTS, THOUGHTS
from archivist.transfer.codex.lines import Line, Payload, parse_line, value_of
from archivist.transfer.codex.pairs import Pairs, View
from archivist.transfer.codex.tokens import Meter
from archivist.transfer.json_lines import RawLine, read_lines
from archivist.transfer.json_text import NotJson
from archivist.transfer.times import parse_time

Kind = Literal["person", "answer", "call", "result"]
Only = Literal["all", "media", "visible", "plan"]
"""What of a line is told: all of it, or what its other telling has left out."""

COPY = "told twice: in the other view of the conversation"
LONE_REASONING = "reasoning without an answer after it"
INSTRUCTIONS = "instructions for the model"
EMPTY = "empty message"
MOST_REASONS = 64


@dataclass(frozen=True, slots=True)
class Place:
    """Where a line stands in its file; `check` tells whether it is still the same."""

    number: int
    offset: int
    length: int
    check: int


@dataclass(slots=True)
class Entry:
    """A line that becomes a message, with the reasoning before it."""

    place: Place
    kind: Kind
    view: View
    time: datetime | None
    is_inferred: bool
    only: Only = "all"
    reasoning: tuple[Place, ...] = ()
    tool: str | None = None
    failed: bool = False
    is_borrowed: bool = False
    state: State = "active"


@dataclass(slots=True)
class FileIndex:
    """A rollout after the first pass.

    Attributes:
        model: That of the last turn.
        entries: Its own; those of the session that it was forked from are not among them.
        read: Lines that are not blank.
    """

    entries: list[Entry] = field(default_factory=list)
    read: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    notices: Counter[str] = field(default_factory=Counter)
    meter: Meter = field(default_factory=Meter)
    first_time: datetime | None = None
    cwd: str | None = None
    model: str | None = None
    title: str | None = None


def index_file(
    path: Path, end: int, head: Head, *, origin: str | None = None, borrowed: int = 0
) -> FileIndex:
    """Read the first `end` bytes of a rollout.

    Args:
        path: The file.
        end: Its size when it was looked at; what is written later waits for the next time.
        head: What the file says of its session.
        origin: The session that its first lines belong to.
        borrowed: The number of the last of these lines.
    """
    reader = _Reader(FileIndex(meter=Meter(starts_at_zero=head.parent is None)), origin, borrowed)
    for number, raw in enumerate(read_lines(path, end), 1):
        reader.add(number, raw)
    reader.drop_reasoning()
    reader.index.entries = [entry for entry in reader.live if not entry.is_borrowed]
    return reader.index


@dataclass(slots=True)
class _Reader:
    """The first pass under way.

    Attributes:
        live: Every message so far, those of the origin included: a rollback may reach back into them.
        thoughts: Reasoning that waits for its answer: where it stands, what it says, and whether the model gave it.
        told_thoughts: What the reasoning of this turn has said.
        names: The tool of each call.
        failures: Calls that are known to have failed before their result stands in the file.
    """

    index: FileIndex
    origin: str | None
    borrowed: int
    live: list[Entry] = field(default_factory=list)
    pairs: Pairs = field(default_factory=Pairs)
    thoughts: list[tuple[Place, frozenset[str], bool]] = field(default_factory=list)
    told_thoughts: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)
    failures: set[str] = field(default_factory=set)
    last_time: datetime | None = None
    place: Place = field(default_factory=lambda: Place(0, 0, 0, 0))

    def add(self, number: int, raw: RawLine) -> None:
        """Take one line in."""
        if raw.raw is not None and not raw.raw.strip():
            return
        self.index.read += 1
        self.place = Place(number, raw.offset, raw.length, crc32(raw.raw or b""))
        if raw.raw is None:
            self._skip("line over 64 MB")
            return
        try:
            line = parse_line(raw.raw)
        except NotJson:
            self._skip("invalid JSON" if raw.raw.endswith(b"\n") else "torn line")
            return
        self.index.notices["bytes that were no UTF-8 were replaced in a line"] += line.replaced
        self._note_time(line)
        self._take(line)

    def drop_reasoning(self) -> None:
        """Nothing that was thought so far has an answer any more."""
        for _ in self.thoughts:
            self._skip(LONE_REASONING)
        self.thoughts = []

    def _take(self, line: Line) -> None:
        payload = line.payload
        if line.type == "response_item":
            self._take_item(line, payload)
        elif line.type == "event_msg":
            self._take_event(line, payload)
        elif line.type == "compacted":
            self._end_turn()
            self._skip(SUMMARY)
        elif line.type in LINES or line.type.startswith("record "):
            self._note_session(line, payload)
            self._skip(f"bookkeeping: {line.type[:40]}")
        else:
            self._skip(f"unknown line type: {line.type[:40]}")

    def _take_item(self, line: Line, payload: Payload) -> None:
        kind = payload.type or "none"
        if kind == "message":
            self._take_message(line, payload)
        elif kind == "reasoning":
            self._think(line, frozenset(map(_squeezed, reasoning_texts(payload))), from_model=True)
        elif kind in CALLS:
            call = tool_call(payload)
            self.names.setdefault(call.id, call.name)
            self.pairs.end("user")
            self._keep("call", "model", line)
        elif kind in RESULTS:
            self._keep_result(line, payload)
        else:
            self._skip(
                f"bookkeeping: {kind}" if kind in MARKERS else f"unknown line type: response_item {kind[:40]}"
            )

    def _take_message(self, line: Line, payload: Payload) -> None:
        if payload.role == "user":
            self._hear(line, "model", model_person(payload))
        elif payload.role == "assistant":
            self._answer(line, "model", model_answer(payload))
        elif payload.role in {"developer", "system"}:
            self._skip(INSTRUCTIONS)
        else:
            self._skip("unknown role")

    def _take_event(self, line: Line, payload: Payload) -> None:
        kind = payload.type or "none"
        if kind == "user_message":
            self._hear(line, "screen", screen_person(payload))
        elif kind == "agent_message":
            self._answer(line, "screen", screen_answer(payload))
        elif kind in THOUGHTS:
            texts = frozenset({_squeezed(payload.text)}) if payload.text else frozenset[str]()
            self._think(line, texts, from_model=False)
        elif kind == "item_completed":
            self._take_completed(line, payload)
        else:
            self._note_event(kind, payload)
            self._skip(
                f"bookkeeping: {kind}" if kind in EVENTS else f"unknown line type: event_msg {kind[:40]}"
            )

    def _take_completed(self, line: Line, payload: Payload) -> None:
        told = value_of(payload.item)
        item: dict[str, Any] = told if isinstance(told, dict) else {}
        kind = str(item.get("type") or "none")
        if kind == "UserMessage":
            self._hear(line, "screen", item_person(item))
        elif kind == "AgentMessage":
            self._answer(line, "screen", item_answer(item))
        elif kind == "Plan":
            self._propose(line, item_answer(item))
        elif kind == "Reasoning":
            texts = item.get("summary_text")
            shown = [text for text in texts if isinstance(text, str)] if isinstance(texts, list) else []
            self._think(line, frozenset(map(_squeezed, shown)), from_model=False)
        else:
            known = kind in ITEMS
            self._skip(f"bookkeeping: {kind}" if known else f"unknown line type: item_completed {kind[:40]}")

    def _note_event(self, kind: str, payload: Payload) -> None:
        if kind == "token_count":
            self.index.meter.count(
                payload.info, self.place.number, self.index.model, is_borrowed=self._is_borrowed
            )
        elif kind == "thread_name_updated" and not self._is_borrowed:
            title = payload.thread_name or payload.name
            self.index.title = (title or "").strip() or self.index.title
        elif kind in {"exec_command_end", "mcp_tool_call_end", "patch_apply_end"}:
            failed = payload.success is False or bool(payload.exit_code)
            if failed and payload.call_id:
                self.failures.add(call_id(payload))
        elif kind == "thread_rolled_back":
            self._roll_back(max(0, payload.num_turns or 0))
        elif kind in {"turn_aborted", "task_complete", "turn_complete"}:
            self._end_turn()

    def _hear(self, line: Line, view: View, words: Words) -> None:
        if words.reason or not words.pieces:
            self._skip(words.reason or EMPTY)
            return
        media = [piece for piece in words.media if piece.data or piece.text]
        is_copy, had_media = self.pairs.find(view, "user", words.text, has_media=bool(media))
        if is_copy and (had_media or not media):
            self._skip(COPY)
            return
        self.pairs.end("assistant", "plan")
        self.drop_reasoning()
        self.told_thoughts.clear()
        self._keep("person", view, line, "media" if is_copy else "all")

    def _answer(self, line: Line, view: View, words: Words) -> None:
        if not words.pieces or not (words.text.strip() or words.media):
            self._skip(EMPTY)
            return
        visible, plan = without_plan(words.text)
        has_visible = bool(visible) or bool(words.media)
        new_visible = has_visible and not self.pairs.find(view, "assistant", visible)[0]
        new_plan = bool(plan) and not self.pairs.find(view, "plan", plan)[0]
        if not (new_visible or new_plan):
            self._skip(COPY)
            return
        self.pairs.end("user")
        left_out: Only = "visible" if new_visible else "plan"
        is_whole = new_visible == has_visible and new_plan == bool(plan)
        self._keep("answer", view, line, "all" if is_whole else left_out)

    def _propose(self, line: Line, words: Words) -> None:
        """A plan that is shown by itself; the model puts it among its words."""
        if not words.text.strip():
            self._skip(EMPTY)
        elif self.pairs.find("screen", "plan", words.text)[0]:
            self._skip(COPY)
        else:
            self._keep("answer", "screen", line)

    def _think(self, line: Line, texts: frozenset[str], *, from_model: bool) -> None:
        if self._is_borrowed:
            self._skip("")
        elif not from_model and texts <= self.told_thoughts:
            self._skip(COPY)
        elif from_model and not texts and not line.payload.encrypted_content:
            self._skip(EMPTY)
        else:
            if from_model:
                self._drop_shown(texts)
            self.told_thoughts |= texts
            self.thoughts.append((self.place, texts, from_model))

    def _drop_shown(self, texts: frozenset[str]) -> None:
        """What was shown before the model's own reasoning came is that reasoning's copy."""
        for _, shown, from_model in self.thoughts:
            if not from_model and shown <= texts:
                self._skip(COPY)
        self.thoughts = [one for one in self.thoughts if one[2] or not one[1] <= texts]

    def _keep_result(self, line: Line, payload: Payload) -> None:
        call = call_id(payload)
        failed = call in self.failures or tool_result(payload).is_error
        self._keep("result", "model", line, tool=self.names.get(call), failed=failed)

    def _keep(
        self,
        kind: Kind,
        view: View,
        line: Line,
        only: Only = "all",
        *,
        tool: str | None = None,
        failed: bool = False,
    ) -> None:
        entry = Entry(self.place, kind, view, self.last_time, parse_time(line.time) is None, only)
        entry.tool, entry.failed, entry.is_borrowed = tool, failed, self._is_borrowed
        if kind in {"answer", "call"}:
            entry.reasoning = tuple(place for place, _, _ in self.thoughts)
            self.thoughts = []
        if entry.is_borrowed:
            self._skip("")
        self.live.append(entry)

    @property
    def _is_borrowed(self) -> bool:
        return self.place.number <= self.borrowed

    def _skip(self, reason: str) -> None:
        if self._is_borrowed:
            reason = f"already in session {self.origin}"
            self.index.notices["line kept in the session that had it first"] += 1
        known = reason in self.index.skipped or len(self.index.skipped) < MOST_REASONS
        self.index.skipped[reason if known else "unknown line type: others"] += 1

    def _end_turn(self) -> None:
        self.pairs.end("user", "assistant", "plan")
        self.drop_reasoning()
        self.told_thoughts.clear()

    def _roll_back(self, turns: int) -> None:
        """Take back the last turns; a turn begins with what a person said."""
        self._end_turn()
        active = (place for place in range(len(self.live) - 1, -1, -1) if self.live[place].state == "active")
        begin = None
        for place in active:
            if not turns:
                break
            if self.live[place].kind == "person" and self.live[place].only == "all":
                begin, turns = place, turns - 1
        for entry in self.live[begin:] if begin is not None else ():
            entry.state = "undone"

    def _note_time(self, line: Line) -> None:
        time = parse_time(line.time)
        if time is None and line.type == "session_meta":
            time = parse_time(line.payload.timestamp)
        if time is not None:
            self.last_time = time
            self.index.first_time = self.index.first_time or time

    def _note_session(self, line: Line, payload: Payload) -> None:
        """Where the session is; a copied beginning says it of another one."""
        if not self._is_borrowed:
            self.index.cwd = self.index.cwd or payload.cwd
        if line.type == "turn_context":
            self.index.model = payload.model or self.index.model


def _squeezed(text: str) -> str:
    return "".join(text.split())
