"""Daily notes: what happened, a file a day, to which lines are only ever added.

An entry is `- HH:MM text`, its further lines indented by two. What else stands in a file, by hand or by another program, is read as the
statements of its Markdown, but for what that program derived from elsewhere. Every byte that was there stays, and so does what somebody
else saves at the same moment. What a later save of a whole file drops is kept (`day_record.py`).
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from itertools import islice, takewhile
from pathlib import Path
from typing import Final

import msgspec

from archivist.files import FileNotWritten, locked, make_folder
from archivist.files.appending import append, take_back
from archivist.files.regular import read_regular
from archivist.notes.day_record import DayRecord, dropped, records_in
from archivist.notes.day_text import open_time, timed_blocks, without_dreams
from archivist.notes.document import shows_nothing
from archivist.notes.folders import NotesUnreadable, names_in
from archivist.notes.repeats import Piece, fresh, pieces_of
from archivist.notes.secrets import refuse_secrets
from archivist.records import Notice
from archivist.records.counts import counted

LOCK_SECONDS: Final = 30.0
MOST_SAVES: Final = 50
SETTLING_SECONDS: Final = 0.02
SETTLING_TRIES: Final = 12
"""An editor empties a file before it writes it."""

_NAME: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:-(.+))?\.md", re.IGNORECASE)
_OWN: Final = re.compile(r"- ((?:[01]\d|2[0-3]):[0-5]\d) (?=\S)")
_COMMENT: Final = re.compile(r"[ \t]*<!--.*-->[ \t]*")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_FENCE: Final = re.compile(r"[ \t]*(?:```|~~~)")
_MARK: Final = re.compile(r"\A[-*+•][ \t]+(?=\S)")
_INDENT: Final = "  "
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


class DailyEntry(msgspec.Struct, frozen=True):
    """One entry of a day.

    Attributes:
        text: Its words, its lines ended by a line feed.
        clock: The time that stands with it, as HH:MM in the zone of whoever wrote it; None where none does.
        added: False where nothing was added, because the file has all of it.
        repeated: Whether a part was left out for the same reason.
        notices: What was found on the way.
        place: Of one that was read, the file's name and its number there: `2026-03-20.md#2`.
        proposal: Of what waits for the owner, and was not added: the id by which they accept or reject it.
    """

    day: date
    text: str
    clock: str | None = None
    added: bool = True
    repeated: bool = False
    notices: tuple[Notice, ...] = ()
    proposal: str | None = None
    place: str = ""


class DailyNotes:
    """The daily notes of one level; safe beside other processes.

    Args:
        folder: Made when the first note is added.
        history: Where earlier versions of its files are kept.
        sleep: Waits, for a file that is being saved.
    """

    def __init__(self, folder: Path, *, history: Path, sleep: Callable[[float], None]) -> None:
        self.folder, self._history, self._sleep = folder, history, sleep

    def add(self, text: str, at: datetime) -> DailyEntry:
        """Note something at the end of a day's file; when this returns, the disk has it.

        Args:
            text: What the file has already of it is left out.
            at: Now, in the owner's zone.

        Returns:
            The entry as it stands in the file.

        Raises:
            SecretInNote, EmptyNote, FileLocked, FileNotWritten, NotesUnreadable: Nothing was added.
        """
        if at.tzinfo is None:
            raise ValueError("a daily note needs a time with a zone")
        text = _checked(text)
        path = self.folder / f"{at:%Y-%m-%d}.md"
        try:
            make_folder(self.folder)
            with locked(self.folder / ".lock", seconds=LOCK_SECONDS):
                return self._add(path, text, at)
        except OSError as error:
            raise FileNotWritten(path, error) from error

    def fresh(self, text: str, at: datetime) -> DailyEntry:
        """What `add` would write down now; nothing is written.

        Raises:
            SecretInNote, EmptyNote, NotesUnreadable: It could not.
        """
        former = _decoded(_bytes_of(self.folder / f"{at:%Y-%m-%d}.md"))
        return _new_entry(_checked(text), former, at.date(), f"{at:%H:%M}")

    def read(self, day: date) -> tuple[DailyEntry, ...]:
        """The entries of a day, in the order of its file; of further files of that day after it.

        Raises:
            NotesUnreadable: A file or the folder is there and cannot be read.
        """
        return tuple(
            msgspec.structs.replace(entry, place=f"{path.name}#{number}")
            for path in sorted(self._files(), key=lambda path: (path.stem, path.name))
            if _day_of(path.name) == day
            for number, entry in enumerate(entries_in(_decoded(_bytes_of(path)), day), 1)
        )

    def days(self) -> tuple[date, ...]:
        """The days of which there are notes, the earliest first.

        Raises:
            NotesUnreadable: The folder is there and cannot be read.
        """
        return tuple(sorted({day for path in self._files() if (day := _day_of(path.name)) is not None}))

    def _add(self, path: Path, text: str, at: datetime) -> DailyEntry:
        record, day = DayRecord(self._history / path.name), at.date()
        _finish(path, record)
        raw = self._at_rest(path, record.known())
        if raw.startswith(_UTF_16):
            raise FileNotWritten(path, OSError("it is in UTF-16: save it as UTF-8"))
        entry = _new_entry(text, _decoded(raw), day, f"{at:%H:%M}")
        notices = self._append(path, raw, entry, record, at) if entry.added else _know(path, raw, record, at)
        return msgspec.structs.replace(entry, notices=notices)

    def _append(
        self, path: Path, former: bytes, entry: DailyEntry, record: DayRecord, at: datetime
    ) -> tuple[Notice, ...]:
        """Add an entry to whatever stands there, until it stands there itself; what was found on the way."""
        for _ in range(MOST_SAVES):
            addition = _rendered(entry, _decoded(former))
            record.begin(len(former), addition)
            try:
                begin = append(path, addition)
                now = _bytes_of(path)
                if not _stands_in(now, addition):  # somebody saved another file over this one
                    former = self._at_rest(path, addition)
                    continue
                try:
                    return _know(path, now, record, at)
                except FileNotWritten:
                    take_back(path, begin, addition)
                    raise
            finally:
                record.end()
        raise FileNotWritten(path, OSError("somebody saves it again and again"))

    def _at_rest(self, path: Path, expected: bytes) -> bytes:
        """A file's bytes; if they do not begin as expected, once nobody is saving it."""
        raw = _bytes_of(path)
        for _ in range(SETTLING_TRIES):
            if raw.startswith(expected):
                break
            self._sleep(SETTLING_SECONDS)
            before, raw = raw, _bytes_of(path)
            if raw and raw == before:
                break
        return raw

    def _files(self) -> Iterator[Path]:
        names = (name for name in names_in(os.fspath(self.folder)) if _day_of(name))
        yield from (path for path in map(self.folder.joinpath, names) if not path.is_dir())


def entries_in(text: str, day: date) -> tuple[DailyEntry, ...]:
    """The entries of a day's file, its own and those of other Markdown."""
    return tuple(_entries(_lines(text), day))


def _entries(lines: list[str], day: date) -> Iterator[DailyEntry]:
    foreign: list[str] = []
    at = 0
    while at < len(lines):
        own = _OWN.match(lines[at])
        if own is None:
            foreign.append(lines[at])
            at += 1
            continue
        yield from _foreign(foreign, day)
        foreign = open_time(foreign, day)
        rest = list(takewhile(_is_below, islice(lines, at + 1, None)))
        while rest and not rest[-1].strip():
            rest.pop()
        words = [lines[at][own.end() :], *(line.removeprefix(_INDENT) for line in rest)]
        yield DailyEntry(day, "\n".join(words), own[1])
        at += 1 + len(rest)
    yield from _foreign(foreign, day)


def _is_below(line: str) -> bool:
    """Whether a line can be one more of an entry."""
    return not line.strip() or line.startswith(_INDENT)


def _foreign(lines: list[str], day: date) -> Iterator[DailyEntry]:
    told = [line for line in _without_titles(lines, day) if not _COMMENT.fullmatch(line)]
    for words, clock in timed_blocks(told, day):
        yield DailyEntry(day, words, clock)


def _lines(text: str) -> list[str]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[0] == "---" and "---" in lines[1:]:
        lines = lines[lines.index("---", 1) + 1 :]
    return without_dreams(lines, _OWN.match)


def _without_titles(lines: Iterable[str], day: date) -> Iterator[str]:
    """Lines without those that head the file of a day; in a fence such a line is like any other."""
    in_fence = False
    for line in lines:
        in_fence ^= _FENCE.match(line) is not None
        if in_fence or not _is_title(line, day):
            yield line


def _is_title(line: str, day: date) -> bool:
    return line.startswith("#") and line.strip("# \t") == day.isoformat()


def _checked(text: str) -> str:
    """A text as an entry has it: lines end in line feeds, blank ones are empty, nothing around it is blank."""
    text = _SURROGATE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", ""))
    text = "\n".join(line if line.strip() else "" for line in text.split("\n")).strip()
    if shows_nothing(text):
        from archivist.notes.planning import EmptyNote  # noqa: PLC0415 - only a refusal needs it

        raise EmptyNote
    refuse_secrets(text)
    return text


# ---- adding ----


def _new_entry(text: str, former: str, day: date, clock: str) -> DailyEntry:
    """What of a text is to be added to a file."""
    noted = without_dreams(text.split("\n"), _OWN.match)
    told = "\n".join(_without_titles(noted, day)).strip() or text
    left = fresh(told, *_known(former, day)).strip()
    if not left:
        return DailyEntry(day, text, clock, added=False, repeated=True)
    return DailyEntry(day, _bare(left), clock, repeated=left != told)


def _known(text: str, day: date) -> tuple[list[Piece], list[Piece]]:
    """What stands in a file, in pieces; and those before which a time stands with it, as whoever copies the file has them."""
    found: list[Piece] = []
    timed: list[Piece] = []
    for entry in _parts([*_without_titles(_lines(text), day)], day):
        found += pieces_of(entry.text)
        if entry.clock:
            timed += pieces_of(f"{entry.clock} {entry.text}")[:1]
    return found, timed


def _bare(text: str) -> str:
    """Without the mark of a list that has one item of one line."""
    return text if "\n" in text else _MARK.sub("", text, count=1)


def _parts(lines: list[str], day: date) -> Iterator[DailyEntry]:
    """Own entries without their marks, and what is between them as it stands."""
    foreign: list[str] = []
    own: list[str] = []
    for line in [*lines, "- 00:00 end"]:
        is_own = _OWN.match(line) is not None
        if own and not is_own and _is_below(line):
            own.append(line)
            continue
        yield from _entries(own, day)
        own = []
        if is_own:
            yield DailyEntry(day, "\n".join(foreign))
            foreign, own = [], [line]
        else:
            foreign.append(line)


def _rendered(entry: DailyEntry, former: str) -> bytes:
    """The bytes to add: with the line ends of the file, begun on a line of their own."""
    first, *rest = entry.text.split("\n")
    lines = [f"- {entry.clock} {first}", *(f"{_INDENT}{line}" if line else "" for line in rest), ""]
    if not former.strip():
        lines = [f"# {entry.day.isoformat()}", "", *lines]
    if former and not former.endswith("\n"):
        lines = ["", *lines]
    end = "\r\n" if 2 * former.count("\r\n") > former.count("\n") else "\n"
    return end.join(lines).encode()


# ---- beside others ----


def _stands_in(content: bytes, addition: bytes) -> bool:
    """Whether an addition is there, begun on a line of its own."""
    return b"\n" + addition.lstrip(b"\r\n") in b"\n" + content


def _finish(path: Path, record: DayRecord) -> None:
    """After a kill: of what was added in part, add the rest; where somebody went on behind it, it is left as it is."""
    begun = record.begun()
    if begun is None:
        return
    offset, addition = begun
    torn = _bytes_of(path)[offset:]
    if torn and torn != addition and addition.startswith(torn):
        append(path, addition[len(torn) :])
    record.end()


def _know(path: Path, content: bytes, record: DayRecord, at: datetime) -> tuple[Notice, ...]:
    """Remember what stands in a file; what it had before a save that dropped something of it is kept, and named."""
    known, notices = record.known(), tuple[Notice, ...]()
    if not content.startswith(known):
        version = record.set_aside(at)
        if lost := dropped(known, content, own_texts):
            notices = (Notice("stale-save", _told(path, len(lost), version)),)
    record.know(content)
    return notices


def _told(path: Path, count: int, version: Path) -> str:
    return (
        f"a save of {path} by hand took {counted(count, 'entry', 'entries')} out that had been written down:"
        f" what stood there before is kept in {version}"
    )


def own_texts(raw: bytes) -> list[str]:
    """The program's own entries in a day's file, with their times."""
    day = date.min
    parts = _parts(_lines(_decoded(raw)), day)
    return [f"{entry.clock} {entry.text}" for entry in parts if entry.clock is not None]


def drops(folder: Path, history: Path, since: datetime) -> Iterator[str]:
    """What saves by hand took out of the files of a level since then, and where it is kept."""
    for record in records_in(history):
        path = folder / record.folder.name
        for version, count in record.lost(_bytes_of(path), own_texts, since):
            yield _told(path, count, version)


# ---- reading ----


def _bytes_of(path: Path) -> bytes:
    try:
        return read_regular(path)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise NotesUnreadable(path, error) from error


def _decoded(raw: bytes) -> str:
    if raw.startswith(_UTF_16):
        return raw.decode("utf-16", "replace")
    return raw.decode("utf-8", "replace").removeprefix("\ufeff")


def _day_of(name: str) -> date | None:
    found = _NAME.fullmatch(name)
    try:
        return date.fromisoformat(found[1]) if found else None
    except ValueError:
        return None


__all__ = ["DailyEntry", "DailyNotes", "drops", "entries_in"]
