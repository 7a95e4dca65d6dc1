"""The notes as they are on the disk at this moment, read again before every use and parsed only where something changed."""

import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from archivist.files.regular import read_regular
from archivist.notes.digests import digest_of
from archivist.notes.document import Document
from archivist.notes.folders import NotesUnreadable, is_there, names_in
from archivist.notes.folding import State
from archivist.notes.journal import JOURNAL, Change, Done, End, Journal, Position
from archivist.notes.places import ARCHIVE, CORE_FILES, levels_in, place_of

if TYPE_CHECKING:
    from archivist.notes.adopting import Seen

STEADY_TRIES: Final = 20
SETTLING_SECONDS: Final = 0.02
SETTLING_TRIES: Final = 12
FRESH_SECONDS: Final = 0.2
"""A file that was saved so short a time ago may be half written: an editor empties it first, or moves it away."""


UNSURE_SECONDS: Final = 0.05
"""A file system's clock ticks every few milliseconds: two saves within one look the same from outside."""


UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
"""How a file in that encoding begins; none in UTF-8 does."""


class FileNow(msgspec.Struct):
    """A file as it was last read.

    Attributes:
        stamp: What the system tells of it; while it is the same, so is the file. Empty where that is not sure.
        saved_ns: When it was saved, in nanoseconds since 1970.
        agreed: The state of the journal that has its words.
    """

    name: str
    stamp: tuple[int, ...]
    saved_ns: int
    raw: bytes
    digest: str
    document: Document | None = None
    agreed: tuple[int, str | None] = (0, None)

    def parsed(self) -> Document:
        """Its entries; parsed once."""
        if self.document is None:
            self.document = Document.parse(self.raw)
        return self.document

    @property
    def saved_at(self) -> datetime:
        """When it was saved."""
        return datetime.fromtimestamp(self.saved_ns / 1e9, UTC)


class Holding:
    """What is known and what is there, brought up to date by `look`; of one thread at a time.

    Args:
        folder: `memories/`.
        now: The time of day.
        sleep: Waits, for a file that is being saved.
        new_id: Makes the ids of changes.
    """

    def __init__(
        self,
        folder: Path,
        *,
        now: Callable[[], datetime],
        sleep: Callable[[float], None],
        new_id: Callable[[], str],
    ) -> None:
        self.folder, self.journal = folder, Journal(folder / JOURNAL)
        self._root = os.fspath(folder)
        self.now, self._sleep, self._new_id = now, sleep, new_id
        self._position = Position()
        self._is_imagined = False
        self.state = State()
        self.files: dict[str, FileNow] = {}
        self.supposed: Done | None = None

    @property
    def written(self) -> list[Change]:
        """The changes that are in the journal: all but what is only imagined."""
        return self.state.changes[:-1] if self._is_imagined else self.state.changes

    def look(self) -> None:
        """Read on in the journal, and every file that is not as it was; under the lock.

        Raises:
            NotesUnreadable: Something cannot be read.
        """
        if self._is_imagined:
            self._forget()
        self.read_on()
        self._read_files()

    def look_steadily(self) -> bool:
        """The same without the lock: files and journal of one moment; False if others write too fast for that.

        Raises:
            NotesUnreadable: Something cannot be read.
        """
        self.read_on()
        for _ in range(STEADY_TRIES):
            self._read_files()
            if not self.read_on():
                if not self._is_imagined or not self.drifted():
                    return True
                self._forget()
                self.read_on()
        return False

    def _read_files(self) -> None:
        names = set(self._names())
        for name in names:
            self._read_file(name)
        for name in self.files.keys() - names:
            del self.files[name]

    def drifted(self) -> list[str]:
        """The files that are not as the program last left or saw them, nor as a change under way leaves them."""
        known = {name for name, file in self.state.files.items() if file.digest}
        return sorted(name for name in known | self.files.keys() if self._is_drifted(name))

    def is_in_place(self, change: Change) -> bool:
        """Whether every file is as a change wanted it."""
        return all(self.digest(name) == after for name, (_, after) in change.files.items())

    def suppose(self, done: Done) -> None:
        """Take a change for done whose line that says so is not there: yet, or because there was no room for it."""
        self.state.fold([done])
        self.supposed = done

    def settle(self, look: Callable[[], object] | None = None) -> list[str]:
        """The files that are not as they were, once whoever is saving them is done.

        Args:
            look: Looks again; under the lock unless it says otherwise.
        """
        drifted = self.drifted()
        for _ in range(SETTLING_TRIES):
            if not any(self._is_fresh(name) for name in drifted):
                break
            before = {name: self.digest(name) for name in drifted}
            self.rest()
            (look or self.look)()
            drifted = self.drifted()
            if all(self.digest(name) for name in drifted) and before == {n: self.digest(n) for n in drifted}:
                break
        return drifted

    def rest(self) -> None:
        """Wait for somebody who is saving."""
        self._sleep(SETTLING_SECONDS)

    def by_hand(self, drifted: Sequence[str]) -> Change | None:
        """What a hand did to these files."""
        from archivist.notes.adopting import change_by_hand  # noqa: PLC0415 - seldom needed

        seen = [self._seen(name) for name in drifted]
        return change_by_hand(self.state, seen, change_id=f"h{self._new_id()}") if seen else None

    def imagine(self) -> Change | None:
        """Take what a hand did for known without writing it down: for a reader who cannot."""
        change = self.by_hand(self.settle(self.look_steadily))
        if change is not None:
            self._is_imagined = True
            self.state.fold([change])
        return change

    def digest(self, name: str) -> str:
        """Of a file's bytes now; empty where it is empty or none."""
        file = self.files.get(name)
        return file.digest if file is not None else ""

    def raw(self, name: str) -> bytes:
        """A file's bytes now."""
        file = self.files.get(name)
        return file.raw if file is not None else b""

    def document(self, name: str) -> Document:
        """A file's entries now."""
        file = self.files.get(name)
        return file.parsed() if file is not None else Document.parse(b"")

    def wrote(self, name: str, content: bytes, document: Document, digest: str) -> None:
        """A file was written: there is no need to read it again."""
        stamp, saved = self._sure(self._status(name))
        self.files[name] = FileNow(name, stamp, saved, content, digest, document)

    def read_on(self) -> bool:
        """Fold what was written to the journal since; whether anything was."""
        if self.journal.is_at(self._position):
            return False
        if self._is_imagined:
            self._forget()
        try:
            lines, position, grew = self.journal.read(self._position)
        except OSError as error:
            raise NotesUnreadable(self.journal.path, error) from error
        if not grew:
            self.state, self.supposed = State(), None
        if self.supposed is not None and any(
            isinstance(line, Done) and line.of == self.supposed.of for line in lines
        ):
            self.supposed = None
        self.state.fold(lines)
        was, self._position = self._position, position
        return position != was

    def take_in(self, end: End) -> None:
        """Fold what was written at the end of the journal; it is read again only where somebody else wrote too."""
        found = None
        if not self._is_imagined and self.supposed is None:
            found = end.read(self._position)
        if found is None:
            self.read_on()
        else:
            lines, self._position = found
            self.state.fold(lines)

    def _forget(self) -> None:
        """What was only imagined."""
        self.state, self.supposed, self._position, self._is_imagined = State(), None, Position(), False

    def _is_drifted(self, name: str) -> bool:
        digest, change = self.digest(name), self.state.open
        if digest == self.state.file(name).digest:
            return not self._agrees(name)
        return change is None or name not in change.files or digest not in change.files[name]

    def _agrees(self, name: str) -> bool:
        """Whether the journal has a core file's own words, which somebody may have changed in the journal."""
        file, known = self.files.get(name), self.state.file(name)
        if file is None or name.rpartition("/")[2] not in CORE_FILES.values():
            return True
        if file.agreed != (state := (id(self.state), known.change)):
            entries = self.state.entries
            if [entries[key].text for key in known.order] != list(file.parsed().texts):
                return False
            file.agreed = state
        return True

    # ---- reading ----

    def _names(self) -> Iterator[str]:
        for level in levels_in(self._root):
            prefix = f"{level}/" if level else ""
            yield from (
                f"{prefix}{name}" for name in CORE_FILES.values() if is_there(f"{self._root}/{prefix}{name}")
            )
            inside = names_in(f"{self._root}/{prefix}{ARCHIVE}")
            names = (f"{prefix}{ARCHIVE}/{name}" for name in inside)
            yield from (name for name in names if place_of(name) is not None)

    def _read_file(self, name: str) -> None:
        file, status = self.files.get(name), self._status(name)
        if file is not None and file.stamp and file.stamp == status:
            return
        stamp, saved = self._sure(status)
        path = self.folder / name
        try:
            raw = read_regular(path)
        except FileNotFoundError:
            self.files.pop(name, None)
            return
        except OSError as error:
            raise NotesUnreadable(path, error) from error
        if raw[:2] in UTF_16:
            raise NotesUnreadable(path, OSError("it is in UTF-16: save it as UTF-8"))
        digest = digest_of(raw)
        if file is not None and file.digest == digest:
            file.stamp, file.saved_ns = stamp, saved
        else:
            self.files[name] = FileNow(name, stamp, saved, raw, digest)

    def _seen(self, name: str) -> "Seen":
        from archivist.notes.adopting import Seen  # noqa: PLC0415 - as above

        file, now = self.files.get(name), self.now()
        if file is None:
            return Seen(name, "", (), now)
        latest = self.state.changes[-1].at if self.state.changes else file.saved_at
        at = min(now, file.saved_at) if file.saved_at >= latest else now
        return Seen(name, file.digest, file.parsed().texts, at)

    def _is_fresh(self, name: str) -> bool:
        """Whether somebody may be saving it at this moment."""
        file = self.files.get(name)
        if file is None or not file.raw:
            return bool(self.state.file(name).order)
        return abs((self.now() - file.saved_at).total_seconds()) < FRESH_SECONDS

    def _status(self, name: str) -> tuple[int, ...]:
        """What the system tells of a file; empty where there is none."""
        try:
            status = os.stat(f"{self._root}/{name}")  # noqa: PTH116 - asked of every file at every look
        except OSError:
            return ()
        return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev

    def _sure(self, status: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """What can be relied on of that, which is nothing so shortly after a save that another might look the same; and the save's time."""
        if not status:
            return (), 0
        saved = status[1]
        is_fresh = abs(self.now().timestamp() * 1e9 - saved) < UNSURE_SECONDS * 1e9
        return () if is_fresh else status, saved
