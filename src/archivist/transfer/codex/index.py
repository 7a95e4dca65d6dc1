"""The first pass over a rollout: what every line is, and which message it becomes.

Everything is decided from a line and the lines before it, so that what the first half of a file gives stays the same when the
second half has been written; only a rollback changes what was before, and that is a state. Of a line that becomes a message only its
place and a few short facts are kept.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from zlib import crc32

from archivist.records import State
from archivist.transfer.codex.content import (
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
from archivist.transfer.codex.files import Head, end_of, unfolded
from archivist.transfer.codex.kinds import CALLS, LINES, MARKERS, RESULTS, THOUGHTS
from archivist.transfer.codex.lines import Line, Payload, parse_line, value_of
from archivist.transfer.codex.pairs import Pairs, View
from archivist.transfer.codex.tokens import Meter
from archivist.transfer.foreign import SourceFile
from archivist.transfer.json_lines import Place, RawLine, lines_in
from archivist.transfer.json_text import NotJson
from archivist.transfer.reasons import (
    BOOKKEEPING,
    BY_PROGRAM,
    EMPTY,
    IN_ORIGIN,
    LONE_REASONING,
    REPEATED,
    REPLACED_BYTES,
    SUMMARY,
    UNKNOWN_ROLE,
    UNKNOWN_TYPE,
    Skipped,
)
from archivist.transfer.times import parse_time

Kind = Literal["person", "answer", "call", "result"]
Only = Literal["all", "media", "visible", "plan"]
"""What of a line is told: all of it, or what its other telling has left out."""


@dataclass(frozen=True, slots=True)
class Numbered(Place):
    """The place of a line, and its number in the file."""

    number: int


@dataclass(slots=True)
class Entry:
    """A line that becomes a message, with the reasoning before it.

    Attributes:
        is_shown_too: Whether what people typed is told in the file as it was shown, too.
    """

    place: Numbered
    kind: Kind
    view: View
    time: datetime | None
    is_inferred: bool
    only: Only = "all"
    reasoning: tuple[Numbered, ...] = ()
    tool: str | None = None
    failed: bool = False
    is_shown_too: bool = False
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
    skipped: Skipped = field(default_factory=Skipped)
    notices: Counter[str] = field(default_factory=Counter)
    meter: Meter = field(default_factory=Meter)
    first_time: datetime | None = None
    cwd: str | None = None
    model: str | None = None
    title: str | None = None


def index_file(file: SourceFile, head: Head, *, borrowed: int = 0) -> FileIndex:
    """Read a rollout, as far as it went when it was looked at.

    Args:
        file: The file.
        head: What it says of its session.
        borrowed: The number of the last line that belongs to the session that it came from.

    Raises:
        OSError: It cannot be read.
    """
    reader = _Reader(FileIndex(meter=Meter(starts_at_zero=head.parent is None)), borrowed)
    with unfolded(file.path) as lines:
        for number, raw in enumerate(lines_in(lines, end_of(file)), 1):
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
        has_events: Whether anything was told as it was shown so far.
    """

    index: FileIndex
    borrowed: int
    live: list[Entry] = field(default_factory=list)
    pairs: Pairs = field(default_factory=Pairs)
    thoughts: list[tuple[Numbered, frozenset[str], bool]] = field(default_factory=list)
    told_thoughts: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)
    failures: set[str] = field(default_factory=set)
    last_time: datetime | None = None
    has_events: bool = False
    place: Numbered = field(default_factory=lambda: Numbered(0, 0, 0, 0))

    def add(self, number: int, raw: RawLine) -> None:
        """Take one line in."""
        if raw.is_blank:
            return
        self.index.read += 1
        self.place = Numbered(raw.offset, raw.length, crc32(raw.raw or b""), number)
        try:
            line = parse_line(raw.raw or b"")
        except NotJson:
            self._skip(raw.flaw)
            return
        self.index.notices[REPLACED_BYTES] += line.replaced
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
            self.has_events = True
            self._take_event(line, payload)
        elif line.type == "compacted":
            self._end_turn()
            self._skip(SUMMARY)
        elif line.type in LINES or line.type.startswith("record "):
            self._note_session(line, payload)
            self._skip(f"{BOOKKEEPING}{line.type[:40]}")
        else:
            self._skip(f"{UNKNOWN_TYPE}{line.type[:40]}")

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
            self._skip(f"{BOOKKEEPING}{kind}" if kind in MARKERS else f"{UNKNOWN_TYPE}{kind[:40]}")

    def _take_message(self, line: Line, payload: Payload) -> None:
        if payload.role == "user":
            self._hear(line, "model", model_person(payload, is_shown_too=self.has_events))
        elif payload.role == "assistant":
            self._answer(line, "model", model_answer(payload))
        elif payload.role in {"developer", "system"}:
            self._skip(f"{BY_PROGRAM}instructions")
        else:
            self._skip(UNKNOWN_ROLE)

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
            self._skip(f"{BOOKKEEPING}{kind[:40]}")

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
            self._skip(f"{BOOKKEEPING}{kind[:40]}")

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
            self._skip(REPEATED)
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
            self._skip(REPEATED)
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
            self._skip(REPEATED)
        else:
            self._keep("answer", "screen", line)

    def _think(self, line: Line, texts: frozenset[str], *, from_model: bool) -> None:
        if self._is_borrowed:
            self._skip("")
        elif not from_model and texts <= self.told_thoughts:
            self._skip(REPEATED)
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
                self._skip(REPEATED)
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
        entry.is_shown_too = self.has_events
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
        self.index.skipped.add(IN_ORIGIN if self._is_borrowed else reason)

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
