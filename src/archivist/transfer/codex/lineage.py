"""Which session came from which, and how many lines of a file are its origin's.

A forked session, and a sub-agent that is given what was said before, begin with lines of the session that they came from. These lines
belong to that session; some versions keep their times, others write them all anew at once.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from archivist.transfer.codex.content import call_id
from archivist.transfer.codex.files import COMPRESSED, Head, end_of, head_of, session_id, unfolded
from archivist.transfer.codex.kinds import CALLS, RESULTS
from archivist.transfer.codex.lines import Line, Payload, parse_line
from archivist.transfer.foreign import SourceFile, SourceUnreadable
from archivist.transfer.json_lines import lines_in
from archivist.transfer.json_text import NotJson
from archivist.transfer.times import parse_time
from archivist.transfer.trees import parents_first

AT_ONCE = timedelta(seconds=10)
"""Lines that are copied into a new file are written within this time."""

COPY = re.compile(r"[ ._(-].*")
"""What a copy of a file has in its name behind the session's id."""

TOTALS = 0
"""The key of a line with running totals: between copied lines it is a copy too."""


@dataclass(slots=True)
class Shelf:
    """The files of a history by session.

    Attributes:
        ids: The session of each file.
    """

    files: Sequence[SourceFile]
    ids: dict[Path, str] = field(default_factory=dict)
    by_id: dict[str, SourceFile] = field(default_factory=dict)
    heads: dict[Path, Head] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for file in sorted(self.files, key=lambda one: one.name):
            named = self.head(file).meta.id
            own = session_id(file.path, named)
            if named and COPY.fullmatch(own.removeprefix(named)):
                own = named
            if own in self.by_id:
                own = f"{own}/{file.path.name.removesuffix(COMPRESSED).removesuffix('.jsonl')}"
            self.ids[file.path] = own
            self.by_id.setdefault(own, file)

    def head(self, file: SourceFile) -> Head:
        """What a file says of its session."""
        if file.path not in self.heads:
            self.heads[file.path] = head_of(file.path)
        return self.heads[file.path]

    def origin(self, file: SourceFile) -> str | None:
        """The session that a file came from: the one it names, or the earlier file of the same session."""
        own = self.ids[file.path]
        first, _, later = own.partition("/")
        parent = first if later and first in self.by_id else self.head(file).parent
        return parent if parent != own else None

    def in_order(self, changed: Sequence[SourceFile]) -> list[SourceFile]:
        """Origins before what came from them."""
        origins: dict[str, str | None] = {}
        for file in sorted(changed, key=lambda one: one.name):
            at: SourceFile | None = file
            while at is not None and self.ids[at.path] not in origins:
                origins[self.ids[at.path]] = self.origin(at)
                at = self.by_id.get(self.origin(at) or "")
        ranks = {session: rank for rank, session in enumerate(parents_first(origins)[0])}
        return sorted(changed, key=lambda file: (ranks[self.ids[file.path]], file.name))

    def borrowed(self, file: SourceFile) -> int:
        """The number of the last line that stands in the origin's file too; 0 without one, or where that file is not here.

        Raises:
            SourceUnreadable: One of the files cannot be read.
        """
        origin = self.by_id.get(self.origin(file) or "")
        head = self.head(file)
        if origin is None or not head.may_hold_copies:
            return 0
        if origin.path == file.path:
            return 0
        is_retold = self.ids[file.path].startswith(f"{self.ids[origin.path]}/")
        theirs = _Walk(_told(origin), None if is_retold else head.began)
        last = 0
        for number, time, key in _told(file):
            if not (is_retold or _may_be_copied(time, head)) or not (key == TOTALS or theirs.reaches(key)):
                break
            last = number
        return last


@dataclass(slots=True)
class _Walk:
    """The origin's lines, walked through once.

    Attributes:
        until: When the copy was made; later lines cannot be in it.
    """

    lines: Iterator[tuple[int, datetime | None, int]]
    until: datetime | None

    def reaches(self, key: int) -> bool:
        """Whether the line comes further on."""
        for _, time, other in self.lines:
            if time and self.until and time > self.until:
                return False
            if other == key:
                return True
        return False


def _may_be_copied(time: datetime | None, head: Head) -> bool:
    """Whether a line was written before its session began, or all at once with its first line."""
    if time is None or head.began is None:
        return True
    return time < head.began or (head.time is not None and time - head.time <= AT_ONCE)


def _told(file: SourceFile) -> Iterator[tuple[int, datetime | None, int]]:
    """Number, time and key of the lines that say, call, answer or count something."""
    try:
        with unfolded(file.path) as lines:
            for number, raw in enumerate(lines_in(lines, end_of(file)), 1):
                line = _parsed(raw.raw)
                key = _key(line) if line else None
                if line and key is not None:
                    yield number, parse_time(line.time), key
    except OSError as error:
        raise SourceUnreadable(file.path, str(error)) from error


def _parsed(raw: bytes | None) -> Line | None:
    try:
        return parse_line(raw) if raw and raw.strip() else None
    except NotJson:
        return None


def _key(line: Line) -> int | None:
    """What makes a line the same in both files, whatever else a newer version writes into it."""
    payload: Payload = line.payload
    if line.type == "response_item" and payload.type == "message":
        return hash((line.type, payload.role, bytes(payload.content)))
    if line.type == "response_item" and payload.type in CALLS | RESULTS:
        return hash((payload.type, call_id(payload)))
    if line.type == "event_msg" and payload.type in {"user_message", "agent_message"}:
        return hash((payload.type, payload.message))
    if line.type == "event_msg" and payload.type == "item_completed":
        return hash((payload.type, bytes(payload.item)))
    return TOTALS if line.type == "event_msg" and payload.type == "token_count" else None
