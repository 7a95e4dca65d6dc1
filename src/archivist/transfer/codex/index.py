"""The first pass over a rollout: what every line is, and which message it becomes.

Everything is decided from a line and the lines before it, so that what the first half of a file gives stays the same when the
second half has been written; only a rollback changes what was before, and that is a state. Of a line that becomes a message only its
place and a few short facts are kept.
"""

from datetime import datetime
from typing import Any
from zlib import crc32

import msgspec
from msgspec.structs import replace

from archivist.transfer.codex.content import (
    Words,
    call_id,
    compaction_item,
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
from archivist.transfer.codex.entries import (
    Entry,
    FileIndex,
    Keys,
    Kind,
    Numbered,
    Only,
    Saying,
    said_by,
    said_in,
)
from archivist.transfer.codex.files import Head, end_of, unfolded
from archivist.transfer.codex.kinds import CALLS, LINES, MARKERS, RESULTS, THOUGHTS
from archivist.transfer.codex.lines import Line, Payload, parse_line, value_of
from archivist.transfer.codex.pairs import Pairs, View
from archivist.transfer.codex.retold import Retellings
from archivist.transfer.codex.tokens import Meter
from archivist.transfer.foreign import SourceFile
from archivist.transfer.json_lines import RawLine, lines_in
from archivist.transfer.json_text import NotJson
from archivist.transfer.own_tools import name_of
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
)
from archivist.transfer.times import parse_time


def index_file(file: SourceFile, head: Head, *, borrowed: int = 0, with_sayings: bool = False) -> FileIndex:
    """Read a rollout, as far as it went when it was looked at.

    Args:
        file: The file.
        head: What it says of its session.
        borrowed: The number of the last line that belongs to the session that it came from.
        with_sayings: Whether to keep what each line says, for finding out how many are borrowed.

    Raises:
        OSError: It cannot be read.
    """
    index = FileIndex(meter=Meter(starts_at_zero=head.parent is None))
    reader = _Reader(index, borrowed, with_sayings=with_sayings)
    with unfolded(file.path) as lines:
        for number, raw in enumerate(lines_in(lines, end_of(file)), 1):
            reader.add(number, raw)
    reader.end()
    return index


class _Reader(msgspec.Struct):
    """The first pass under way.

    Attributes:
        live: Every message so far, those of the origin included: a rollback may reach back into them.
        thoughts: Reasoning that waits for its answer: where it stands, what it says, and whether the model gave it.
        told_thoughts: What the reasoning of this turn has said.
        names: The tool of each call.
        failures: Calls that are known to have failed before their result stands in the file.
        compactions: Items by which the provider compressed, as they were told.
        own_time: That of the line.
        last_time: The latest line's that has one.
        has_events: Whether anything was told as it was shown so far.
    """

    index: FileIndex
    borrowed: int
    with_sayings: bool
    keys: Keys = msgspec.field(default_factory=Keys)
    retold: Retellings = msgspec.field(default_factory=Retellings)
    live: list[Entry] = msgspec.field(default_factory=list)
    pairs: Pairs = msgspec.field(default_factory=Pairs)
    thoughts: list[tuple[Numbered, frozenset[str], bool]] = msgspec.field(default_factory=list)
    told_thoughts: set[str] = msgspec.field(default_factory=set)
    names: dict[str, str] = msgspec.field(default_factory=dict)
    failures: set[str] = msgspec.field(default_factory=set)
    compactions: set[str] = msgspec.field(default_factory=set)
    own_time: datetime | None = None
    last_time: datetime | None = None
    has_events: bool = False
    place: Numbered = msgspec.field(default_factory=lambda: Numbered(0, 0, 0, 0))

    def add(self, number: int, raw: RawLine) -> None:
        """Take one line in."""
        if raw.is_blank:
            return
        self.index.read += 1
        if self._is_borrowed and number > self.borrowed:
            self._begin_own()
        self.place = Numbered(raw.offset, raw.length, crc32(raw.raw or b""), number)
        try:
            line = parse_line(raw.raw or b"")
        except NotJson:
            self._skip(raw.flaw)
            return
        self.own_time = parse_time(line.time)
        if self.retold.has(raw.raw or b"", self.own_time, is_first=line.type == "session_meta"):
            self._skip(REPEATED)
            return
        self.index.notices[REPLACED_BYTES] += line.replaced
        self._note_time(line)
        self._take(line)

    def end(self) -> None:
        """Nothing comes any more."""
        if self._is_borrowed:
            self._begin_own()
        self.drop_reasoning()
        self.index.entries = [entry for entry in self.live if not entry.is_borrowed]

    def _begin_own(self) -> None:
        """What was copied ends here; a rollback that comes later is none of the origin's."""
        self.drop_reasoning()
        self.index.borrowed = [replace(entry) for entry in self.live]

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
            self._take_marker(line, SUMMARY)
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
            self.names.setdefault(call.id, name_of(call))
            self.pairs.end("user")
            self._keep("call", "model", line, said=said_by(call.id, payload))
        elif kind in RESULTS:
            self._keep_result(line, payload)
        elif kind in MARKERS:
            self._take_marker(line, f"{BOOKKEEPING}{kind}")
        else:
            self._skip(f"{UNKNOWN_TYPE}{kind[:40]}")

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
            if kind == "token_count":
                self._note_saying(None)
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
            self.index.meter.count(payload.info, self.index.model, is_borrowed=self._is_borrowed)
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
            self._repeat()
            return
        self.pairs.end("assistant", "plan")
        self.drop_reasoning()
        self.told_thoughts.clear()
        said = said_in("", media) if is_copy else said_in(words.text, media)
        self._keep("person", view, line, "media" if is_copy else "all", said=said)

    def _answer(self, line: Line, view: View, words: Words) -> None:
        if not words.pieces or not (words.text.strip() or words.media):
            self._skip(EMPTY)
            return
        visible, plan = without_plan(words.text)
        has_visible = bool(visible) or bool(words.media)
        new_visible = has_visible and not self.pairs.find(view, "assistant", visible)[0]
        new_plan = bool(plan) and not self.pairs.find(view, "plan", plan)[0]
        if not (new_visible or new_plan):
            self._repeat()
            return
        self.pairs.end("user")
        left_out: Only = "visible" if new_visible else "plan"
        is_whole = new_visible == has_visible and new_plan == bool(plan)
        only: Only = "all" if is_whole else left_out
        is_plan = only == "plan" or not has_visible
        said = said_in(plan) if is_plan else said_in(visible, words.media)
        self._keep("answer", view, line, only, said=said, is_plan=is_plan)

    def _propose(self, line: Line, words: Words) -> None:
        """A plan that is shown by itself; the model puts it among its words."""
        if not words.text.strip():
            self._skip(EMPTY)
        elif self.pairs.find("screen", "plan", words.text)[0]:
            self._repeat()
        else:
            self._keep("answer", "screen", line, said=said_in(words.text), is_plan=True)

    def _think(self, line: Line, texts: frozenset[str], *, from_model: bool) -> None:
        if not from_model and texts <= self.told_thoughts:
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
        self._keep("result", "model", line, said=said_by(call, payload))
        self.live[-1].tool, self.live[-1].failed = self.names.get(call), failed

    def _take_marker(self, line: Line, otherwise: str) -> None:
        """What the provider made of all before, where it is there; it is told by itself, in the history that it begins, or in both."""
        item = compaction_item(line)
        if item is None or item in self.compactions:
            self._skip(REPEATED if item else otherwise)
        else:
            self.compactions.add(item)
            self._keep("compaction", "model", line, said=item)

    def _keep(
        self,
        kind: Kind,
        view: View,
        line: Line,
        only: Only = "all",
        *,
        said: str,
        is_plan: bool = False,
    ) -> None:
        entry = Entry(self.place, kind, view, self.last_time, self.own_time is None, only)
        entry.key = self.keys.next_key(kind, "plan" if is_plan else only, said)
        entry.is_borrowed, entry.is_shown_too = self._is_borrowed, self.has_events
        entry.is_replaced = line.replaced
        if kind in {"answer", "call"}:
            entry.reasoning = tuple(place for place, _, _ in self.thoughts)
            self.thoughts = []
        self._note_saying(entry.key)
        self.live.append(entry)

    def _repeat(self) -> None:
        """The other telling of a text."""
        self._note_saying(None)
        self._skip(REPEATED)

    def _note_saying(self, key: str | None) -> None:
        if self.with_sayings:
            self.index.sayings.append(Saying(self.place.number, self.own_time, key))

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
        time = self.own_time
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
