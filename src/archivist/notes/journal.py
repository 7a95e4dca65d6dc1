"""The journal: every change of the notes, a line each, in plain text.

A change is written and synced before the files are; a `done` line follows when they are. What is between the two at a crash is
found at the next write and finished. A change by hand has happened already and needs no `done`.

Its values are `gc=False`: they hold no cycles, and there may be ten thousand of them.

The text files are the truth. The journal gives their entries identity and history; without it nothing of their words is lost.
"""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal, NoReturn

import msgspec

from archivist.files import FileNotWritten, make_folder, sync_folder
from archivist.files.atomic import begin_to_sync
from archivist.notes.places import place_of
from archivist.records.notes import EntryKind, EntryOrigin, Quote

JOURNAL: Final = "journal.jsonl"
_TAIL_BYTES: Final = 256
"""What is compared to see that a journal only grew."""

_CHUNK_BYTES: Final = 1 << 20

Operation = Literal["add", "text", "gone", "move", "mark"]


class Step(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What happens to one entry.

    Attributes:
        op: `add`: it begins, or comes back; `text`: its words change; `gone`: it is taken out; `move`: it goes to another file;
            `mark`: something about it changes.
        file: Where it stands after it; for `gone` where it stood.
        text: Its words after it.
        was: Its words before it.
        source: The file that it leaves in a `move`.
        after: The entry behind which it stands, empty for the first place, None for the last.
        behind: The entry behind which it stood, of one that leaves a place.
        speaker: Of one that begins: the person whose words it is, where that is known; see `voices`.
        contradicts: Of one that begins: entries that say otherwise.
        by: Of one that holds no more: the entry that takes its place.
        marks: For `mark`: by name the value before and after.
    """

    op: Operation
    entry: str
    file: str
    text: str | None = None
    was: str | None = None
    source: str | None = None
    after: str | None = None
    behind: str | None = None
    origin: EntryOrigin | None = None
    kind: EntryKind | None = None
    sources: tuple[Quote, ...] = ()
    observed_at: datetime | None = None
    valid_from: datetime | None = None
    supersedes: str | None = None
    speaker: str | None = None
    contradicts: tuple[str, ...] = ()
    by: str | None = None
    marks: dict[str, tuple[Any, Any]] = {}


class Change(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="line", tag="change", gc=False):
    """A change of one or several entries, done whole or not at all.

    Attributes:
        action: What was asked for: add, replace, undo, …; `hand` for what somebody did with an editor.
        files: Of each file that is touched, the digest of its bytes before and after; empty where there is no file.
        orders: By file, its entries in order, where a hand put them in another.
        undoes: The change that this one takes back.
        stale: Of a change by hand: entries to which it took back what the program had done since the hand's last save of that file.
        session: In which session it was asked for.
        accepts: The proposal that the owner accepted with it.
    """

    id: str
    at: datetime
    action: str
    steps: tuple[Step, ...] = ()
    files: dict[str, tuple[str, str]] = {}
    orders: dict[str, tuple[str, ...]] = {}
    undoes: str | None = None
    stale: tuple[str, ...] = ()
    session: str | None = None
    accepts: str | None = None

    @property
    def is_by_hand(self) -> bool:
        """Whether it had happened before it was written down."""
        return self.action == HAND


class Done(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="line", tag="done", gc=False):
    """The files are as a change wanted them.

    Attributes:
        skipped: The steps, by number, that were not taken because a hand had touched their entries meanwhile.
        files: The digests that the files have, where they are others than the change expected.
    """

    of: str
    skipped: tuple[int, ...] = ()
    files: dict[str, str] = {}


HAND: Final = "hand"
"""The action of a change that takes in what a hand saved."""
MERGE: Final = "merge"
"""That of one that unites it with what the program had done."""
BRING_BACK: Final = "bring-back"
"""That of one by which what was used comes back from the archive."""
Line = Change | Done
_DECODER: Final = msgspec.json.Decoder(Line)
UNREADABLE: Final = (msgspec.DecodeError, msgspec.ValidationError, RecursionError, UnicodeDecodeError)
_ENCODER: Final = msgspec.json.Encoder()


class Position(msgspec.Struct, frozen=True):
    """How far a journal was read, and what it looked like then."""

    offset: int = 0
    tail: bytes = b""
    inode: int = 0
    size: int = 0
    changed_ns: int = 0


class Journal:
    """The file; whoever appends holds the notes' lock."""

    def __init__(self, path: Path) -> None:
        self.path, self._name = path, os.fspath(path)

    def is_at(self, position: Position) -> bool:
        """Whether nothing was written to it since it was read."""
        try:
            status = os.stat(self._name)  # noqa: PTH116 - asked at every look
        except OSError:
            return position == Position()
        return (status.st_ino, status.st_size, status.st_mtime_ns) == (
            position.inode,
            position.size,
            position.changed_ns,
        )

    def read(self, since: Position) -> tuple[list[Line], Position, bool]:
        """The lines after a position.

        Returns:
            The lines, how far it is now, and whether the journal only grew: else the lines are all that there are.

        Raises:
            OSError: It is there and cannot be read.
        """
        try:
            handle = os.open(self.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        except FileNotFoundError:
            return [], Position(), since.offset == 0
        try:
            return self._read(handle, since)
        finally:
            os.close(handle)

    def append(self, lines: Sequence[Line], *, is_synced: bool = True) -> int:
        """Write lines at the end; the size of the journal before, for `cut`.

        Raises:
            FileNotWritten: It is as it was.
        """
        with self.end() as end:
            end.write(lines)
            if is_synced:
                end.sync()
            return end.begin

    @contextmanager
    def end(self) -> Iterator["End"]:
        """Its end, to write there what belongs to one change.

        Raises:
            FileNotWritten: It cannot be opened.
        """
        try:
            end = End(self.path)
        except OSError as error:
            raise FileNotWritten(self.path, error) from error
        try:
            yield end
        finally:
            end.close()

    def cut(self, size: int) -> None:
        """Take back what was appended since the journal had this size."""
        with self.path.open("r+b") as file:
            file.truncate(size)
            os.fsync(file.fileno())

    def _read(self, handle: int, since: Position) -> tuple[list[Line], Position, bool]:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        grew = self._grew(handle, status, since)
        begin = since.offset if grew else 0
        raw = _read_all(handle, begin)
        whole = raw[: raw.rfind(b"\n") + 1]
        kept = (since.tail + whole if grew else whole)[-_TAIL_BYTES:]
        size, changed = begin + len(raw), status.st_mtime_ns
        return list(_decoded(whole)), Position(begin + len(whole), kept, status.st_ino, size, changed), grew

    def _grew(self, handle: int, status: os.stat_result, since: Position) -> bool:
        if since.offset == 0:
            return True
        if status.st_ino != since.inode or status.st_size < since.offset:
            return False
        begin = max(0, since.offset - len(since.tail))
        return os.pread(handle, len(since.tail), begin) == since.tail


class End:
    """The end of a journal, while one change is written there.

    Attributes:
        begin: The size of the journal when it was opened.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._raw, self._is_whole = path, b"", True
        self._handle, self._is_new = _open_to_append(path)
        self.begin = os.fstat(self._handle).st_size

    def write(self, lines: Sequence[Line]) -> None:
        """Write lines, which are not synced.

        Raises:
            FileNotWritten: The journal is as it was.
        """
        content = b"".join([_ENCODER.encode(line) + b"\n" for line in lines])
        before = os.fstat(self._handle).st_size
        self._is_whole = self._is_whole and before == self.begin + len(self._raw)
        try:
            if not (self._raw and self._is_whole) and not _ends_whole(self._handle, before):
                content, self._is_whole = b"\n" + content, False
            _write_all(self._handle, content)
        except OSError as error:
            self._cut(before, error)
        self._raw += content

    def begin_to_sync(self) -> None:
        """Let the system bring what was written to the disk, without waiting."""
        begin_to_sync(self._handle, self.begin)

    def sync(self) -> None:
        """Wait until what was written is on the disk.

        Raises:
            FileNotWritten: The journal is as it was.
        """
        try:
            os.fsync(self._handle)
            if self._is_new:
                sync_folder(self._path.parent)
                self._is_new = False
        except OSError as error:
            self._cut(self.begin, error)

    def close(self) -> None:
        """Let go of it."""
        os.close(self._handle)

    def read(self, since: Position) -> tuple[list[Line], Position] | None:
        """What was written, as whoever reads on would read it, and how far that is; None where somebody else wrote as well.

        Args:
            since: How far the journal was read before.
        """
        status = os.fstat(self._handle)
        end = self.begin + len(self._raw)
        is_alone = self._is_whole and status.st_size == end and since.inode in {0, status.st_ino}
        if not is_alone or not (since.offset == since.size == self.begin):
            return None
        tail = (since.tail + self._raw)[-_TAIL_BYTES:]
        return _decoded(self._raw), Position(end, tail, status.st_ino, end, status.st_mtime_ns)

    def _cut(self, size: int, error: OSError) -> NoReturn:
        with suppress(OSError):  # a torn line is passed over
            os.ftruncate(self._handle, size)
        raise FileNotWritten(self._path, error) from error


def _open_to_append(path: Path) -> tuple[int, bool]:
    """A handle, and whether the file was made."""
    try:
        return os.open(path, os.O_RDWR | os.O_APPEND), False
    except FileNotFoundError:
        make_folder(path.parent)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), True


def _decoded(raw: bytes) -> list[Line]:
    """Its lines; one that is torn, of a later version, or of files that are none of the notes', is passed over."""
    try:
        lines = _DECODER.decode_lines(raw)
    except UNREADABLE:
        lines = list(_decoded_singly(raw))
    return [line for line in lines if isinstance(line, Done) or _is_of_notes(line)]


def _is_of_notes(change: Change) -> bool:
    """Whether it stays within the notes: the journal may come from another machine, and what it names is written to."""
    names = {*change.files, *change.orders}
    for step in change.steps:
        names.add(step.file)
        if step.source is not None:
            names.add(step.source)
    return all(map(place_of, names))


def _decoded_singly(raw: bytes) -> Iterator[Line]:
    for line in raw.split(b"\n"):
        if line:
            try:
                yield _DECODER.decode(line)
            except UNREADABLE:
                continue


def _read_all(handle: int, begin: int) -> bytes:
    parts = []
    while part := os.pread(handle, _CHUNK_BYTES, begin):
        parts.append(part)
        begin += len(part)
    return b"".join(parts)


def _write_all(handle: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(handle, view) :]


def _ends_whole(handle: int, size: int) -> bool:
    return not size or os.pread(handle, 1, size - 1) == b"\n"
