"""Which rows of a session are the conversation, and which a compaction wrote again.

A compaction in place archives every live row and inserts what the model sees from then on: some first rows
again, a summary, the last rows again. A row written again is matched, in order, with the live rows of before;
its own state then tells whether the model still sees the first one. Pure functions over light rows.
"""

from collections.abc import Hashable, Sequence

import msgspec

from archivist.records import State

SAME_TIME_SECONDS = 2.0
"""A compaction inserts its rows in one go, each with the time of the insertion."""

MOST_HEAD_ROWS = 16
Key = Hashable


class LightRow(msgspec.Struct, frozen=True):
    """What is needed of a row to recognise it again.

    Attributes:
        key: Equal for equal messages.
        time: Seconds since 1970, or None.
        is_summary: Whether it holds a summary.
        has_words: Whether it holds anything else.
    """

    id: int
    key: Key
    time: float | None
    state: State
    is_summary: bool
    has_words: bool


class Plan(msgspec.Struct):
    """What becomes of the rows of a session.

    Attributes:
        states: The rows that are messages, and their states.
        summaries: Rows that are nothing but a summary.
        copies: Rows that repeat an earlier one.
        live: Keys of what a model that continues would see.
    """

    states: dict[int, State] = msgspec.field(default_factory=dict)
    summaries: set[int] = msgspec.field(default_factory=set)
    copies: set[int] = msgspec.field(default_factory=set)
    live: list[Key] = msgspec.field(default_factory=list)


class _Live(msgspec.Struct, frozen=True):
    """A message in the model's view; `index` is None where it stands in the parent session."""

    key: Key
    index: int | None
    time: float | None


def plan(rows: Sequence[LightRow], inherited: Sequence[Key] = ()) -> Plan:
    """Tell messages, summaries and copies apart.

    Args:
        rows: The rows of one session in the order of their ids.
        inherited: What the model saw at the end of the session that this one continues.
    """
    made = Plan()
    live = [_Live(key, None, None) for key in inherited]
    at = 0
    while at < len(rows):
        row = rows[at]
        if row.is_summary:
            live, at = _compaction(rows, at, live, made)
            continue
        made.states[row.id] = row.state
        if row.state != "undone":
            live.append(_Live(row.key, at, row.time))
        at += 1
    made.live = [message.key for message in live]
    return made


def _compaction(rows: Sequence[LightRow], at: int, live: list[_Live], made: Plan) -> tuple[list[_Live], int]:
    """Handle the batch of rows around a summary; gives what the model sees after it, and the next row."""
    summary = rows[at]
    head = _head_rows(rows, at, live)
    before = live[: len(live) - head]
    after = before[:head]
    for number in range(head):
        _note_copy(rows, rows[at - head + number], before[number], made)
    position = head
    while at < len(rows):
        row = rows[at]
        if row.is_summary and not row.has_words:
            made.summaries.add(row.id)
            at += 1
            continue
        match = _next_match(row, before, position, summary)
        if match is not None:
            _note_copy(rows, row, before[match], made)
            after.append(before[match])
            position = match + 1
        elif row.is_summary and _same_time(row.time, summary.time):
            made.states[row.id] = row.state  # words that only this row holds, beside its summary
            after.append(_Live(row.key, at, row.time))
        else:
            break
        at += 1
    return after, at


def _head_rows(rows: Sequence[LightRow], at: int, live: Sequence[_Live]) -> int:
    """How many rows before the summary repeat the first live rows."""
    for head in range(min(MOST_HEAD_ROWS, len(live) // 2), 0, -1):
        own = live[len(live) - head :]
        if (
            [message.index for message in own] == list(range(at - head, at))
            and [message.key for message in own] == [message.key for message in live[:head]]
            and all(_same_time(rows[at].time, message.time) for message in own)
        ):
            return head
    return 0


def _next_match(row: LightRow, before: Sequence[_Live], position: int, summary: LightRow) -> int | None:
    for match in range(position, len(before)):
        earlier = before[match]
        has_kept_its_time = row.time is not None and row.time == earlier.time
        if earlier.key == row.key and (has_kept_its_time or _same_time(row.time, summary.time)):
            return match
    return None


def _same_time(one: float | None, other: float | None) -> bool:
    return one is None or other is None or abs(one - other) <= SAME_TIME_SECONDS


def _note_copy(rows: Sequence[LightRow], copy: LightRow, original: _Live, made: Plan) -> None:
    made.copies.add(copy.id)
    made.states.pop(copy.id, None)
    if original.index is not None:
        made.states[rows[original.index].id] = copy.state
