"""Which session came from which, and how many lines of a file are its origin's.

A forked session, and a sub-agent that is given what was said before, begin with lines of the session that they came from. These lines
belong to that session; some versions keep their times, others write them all anew at once. Where the origin's file is here, what it says
tells how far the copy goes; where it is not, the times do. So a turn is its origin's whichever of the two is read first.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from archivist.transfer.codex.entries import Entry, FileIndex, Kind, Saying
from archivist.transfer.codex.files import Head, head_of, session_id
from archivist.transfer.codex.index import index_file
from archivist.transfer.foreign import SourceFile
from archivist.transfer.trees import parents_first

AT_ONCE = timedelta(seconds=10)
"""Lines that are copied into a new file are written within this time."""

BURST = timedelta(seconds=2)
"""And each of them at most this long after the one before it; a person takes longer."""


class Contents(msgspec.Struct, frozen=True):
    """What the files of a session say.

    Attributes:
        begun: The key of each message, and when it was said.
        moments: Who spoke when.
    """

    begun: Mapping[str, datetime | None]
    moments: frozenset[tuple[Kind, datetime]]


class Shelf(msgspec.Struct):
    """The files of a history by session.

    Attributes:
        ids: The session of each file.
        by_id: The files of each session.
    """

    files: Sequence[SourceFile]
    ids: dict[Path, str] = msgspec.field(default_factory=dict)
    by_id: dict[str, list[SourceFile]] = msgspec.field(default_factory=dict)
    heads: dict[Path, Head] = msgspec.field(default_factory=dict)
    _contents: dict[Path, Contents] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        for file in self.files:
            self.ids[file.path] = own = session_id(file.path, self.head(file))
            self.by_id.setdefault(own, []).append(file)

    def head(self, file: SourceFile) -> Head:
        """What a file says of its session."""
        if file.path not in self.heads:
            self.heads[file.path] = head_of(file.path)
        return self.heads[file.path]

    def origin(self, file: SourceFile) -> str | None:
        """The session that a file's came from."""
        parent = self.head(file).parent
        return parent if parent != self.ids[file.path] else None

    def in_order(self, changed: Sequence[SourceFile]) -> list[SourceFile]:
        """Origins before what came from them."""
        origins: dict[str, str | None] = {}
        for file in sorted(changed, key=lambda one: one.name):
            at: SourceFile | None = file
            while at is not None and self.ids[at.path] not in origins:
                origin = self.origin(at)
                origins[self.ids[at.path]] = origin
                at = next(iter(self.by_id.get(origin or "", ())), None)
        ranks = {session: rank for rank, session in enumerate(parents_first(origins)[0])}
        return sorted(changed, key=lambda file: (ranks[self.ids[file.path]], file.name, str(file.path)))

    def contents(self, files: Iterable[SourceFile]) -> Contents | None:
        """What files say; None where none of them can be read."""
        found: list[Contents] = []
        for file in files:
            try:
                if file.path not in self._contents:
                    self._contents[file.path] = _contents_of(index_file(file, self.head(file)))
                found.append(self._contents[file.path])
            except OSError:
                continue  # it is named when it is read itself
        if len(found) < 2:
            return found[0] if found else None
        begun = {key: time for one in found for key, time in one.begun.items()}
        return Contents(begun, frozenset().union(*(one.moments for one in found)))

    def origin_contents(self, file: SourceFile) -> Contents | None:
        """What the session that a file's came from says; None where it is not here."""
        return self.contents(self.by_id.get(self.origin(file) or "", ()))

    def retold(self, file: SourceFile, entries: Sequence[Entry]) -> list[Entry]:
        """Those of a file's entries that were damaged in it, and stand whole in another file of its session."""
        damaged = [entry for entry in entries if entry.is_replaced and not entry.is_inferred]
        others = [other for other in self.by_id[self.ids[file.path]] if other.path != file.path]
        there = self.contents(others) if damaged and others else None
        if there is None:
            return []
        return [
            entry for entry in damaged if entry.key not in there.begun and _moment(entry) in there.moments
        ]


def borrowed_lines(sayings: Sequence[Saying], head: Head, origin: Contents) -> int:
    """The number of the last line that stands in the origin's file too; a line between that does not is damaged in one of them."""
    last, is_copied = 0, True
    for one in sayings:
        if not _may_be_copied(one.time, head):
            break
        if one.key is not None:
            is_copied = _was_said(one.key, origin, head.began)
        if is_copied:
            last = one.number
    return last


def copied_lines(sayings: Sequence[Saying], head: Head) -> int:
    """The number of the last line that was copied, as far as the file alone tells."""
    first = next((one.time for one in sayings if one.time), None)
    if head.began is None or first is None:
        return 0
    if first < head.began:
        kept = (one.number for one in sayings if one.time and one.time >= head.began)
        return next(kept, sayings[-1].number + 1) - 1
    last, before = 0, head.time or head.began
    for one in sayings:
        if one.time and not (one.time - before <= BURST and _may_be_copied(one.time, head)):
            break
        last, before = one.number, one.time or before
    return last


def _contents_of(index: FileIndex) -> Contents:
    begun = {entry.key: entry.time for entry in index.entries}
    return Contents(begun, frozenset(_moment(entry) for entry in index.entries if entry.is_clear))


def _moment(entry: Entry) -> tuple[Kind, datetime]:
    return entry.kind, entry.time or datetime.min  # noqa: DTZ901 - compared with itself alone


def _was_said(key: str, origin: Contents, until: datetime | None) -> bool:
    """Whether the origin said it before the copy was made."""
    if key not in origin.begun:
        return False
    time = origin.begun[key]
    return time is None or until is None or time <= until


def _may_be_copied(time: datetime | None, head: Head) -> bool:
    """Whether a line was written before its session began, or all at once with its first line."""
    if time is None or head.began is None:
        return True
    return time < head.began or (head.time is not None and time - head.time <= AT_ONCE)
