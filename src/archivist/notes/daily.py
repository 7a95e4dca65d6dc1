"""Daily notes: what happened, a file a day, to which lines are only ever added.

An entry is `- HH:MM text`, its further lines indented by two. What else stands in a file, by hand or by another program, is read as the
statements of its Markdown, but for what that program derived from elsewhere. Every byte that was there stays, and so does what somebody
else saves at the same moment.
"""

import re
from collections.abc import Iterator
from datetime import date, datetime
from itertools import islice, takewhile
from pathlib import Path
from typing import Final

import msgspec

from archivist.files import FileNotWritten, locked, make_folder
from archivist.files.displacing import displace, waiting_file
from archivist.files.regular import read_regular
from archivist.notes.day_text import open_time, timed_blocks, without_dreams
from archivist.notes.repeats import Piece, fresh, pieces_of
from archivist.notes.secrets import refuse_secrets

LOCK_SECONDS: Final = 30.0
MOST_SAVES: Final = 50

_NAME: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:-(.+))?\.md", re.IGNORECASE)
_OWN: Final = re.compile(r"- ((?:[01]\d|2[0-3]):[0-5]\d) (?=\S)")
_COMMENT: Final = re.compile(r"[ \t]*<!--.*-->[ \t]*")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
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
    """

    day: date
    text: str
    clock: str | None = None
    added: bool = True
    repeated: bool = False


class DailyNotes:
    """The daily notes of one level; safe beside other processes.

    Args:
        folder: Made when the first note is added.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

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
        clock = f"{at:%H:%M}"
        try:
            make_folder(self.folder)
            with locked(self.folder / ".lock", seconds=LOCK_SECONDS):
                _take_back(path)
                return _add(path, text, at.date(), clock)
        except OSError as error:
            raise FileNotWritten(path, error) from error

    def read(self, day: date) -> tuple[DailyEntry, ...]:
        """The entries of a day, in the order of its file; of further files of that day after it.

        Raises:
            NotesUnreadable: A file is there and cannot be read.
        """
        return tuple(
            entry
            for path in sorted(self._files(), key=lambda path: (path.stem, path.name))
            if _day_of(path.name) == day
            for entry in entries_in(_decoded(_bytes_of(path)), day)
        )

    def days(self) -> tuple[date, ...]:
        """The days of which there are notes, the earliest first."""
        return tuple(sorted({day for path in self._files() if (day := _day_of(path.name)) is not None}))

    def _files(self) -> Iterator[Path]:
        if self.folder.is_dir():
            yield from (path for path in self.folder.iterdir() if _day_of(path.name) and path.is_file())


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
    told = [line for line in lines if not _COMMENT.fullmatch(line) and not _is_title(line, day)]
    for words, clock in timed_blocks(told, day):
        yield DailyEntry(day, words, clock)


def _lines(text: str) -> list[str]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[0] == "---" and "---" in lines[1:]:
        lines = lines[lines.index("---", 1) + 1 :]
    return without_dreams(lines, _OWN.match)


def _is_title(line: str, day: date) -> bool:
    return line.startswith("#") and line.strip("# \t") == day.isoformat()


def _checked(text: str) -> str:
    """A text as an entry has it: lines end in line feeds, blank ones are empty, nothing around it is blank."""
    text = _SURROGATE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", ""))
    text = "\n".join(line if line.strip() else "" for line in text.split("\n")).strip()
    if not text:
        from archivist.notes.planning import EmptyNote  # noqa: PLC0415 - only a refusal needs it

        raise EmptyNote
    refuse_secrets(text)
    return text


# ---- adding ----


def _add(path: Path, text: str, day: date, clock: str) -> DailyEntry:
    raw = _bytes_of(path)
    if raw.startswith(_UTF_16):
        raise FileNotWritten(path, OSError("it is in UTF-16: save it as UTF-8"))
    noted = without_dreams(text.split("\n"), _OWN.match)
    told = "\n".join(line for line in noted if not _is_title(line, day)).strip() or text
    left = fresh(told, *_known(_decoded(raw), day)).strip()
    if not left:
        return DailyEntry(day, text, clock, added=False, repeated=True)
    entry = DailyEntry(day, _bare(left), clock, repeated=left != told)
    _append(path, raw, _rendered(entry, _decoded(raw)))
    return entry


def _known(text: str, day: date) -> tuple[list[Piece], list[Piece]]:
    """What stands in a file, in pieces; and those before which a time stands with it, as whoever copies the file has them."""
    found: list[Piece] = []
    timed: list[Piece] = []
    for entry in _parts([line for line in _lines(text) if not _is_title(line, day)], day):
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


def _append(path: Path, former: bytes, addition: bytes) -> None:
    """Put former bytes and an addition at a path, on top of whatever is saved there meanwhile."""
    expected, content = former, former + addition
    aside = waiting_file(path, "former")
    for _ in range(MOST_SAVES):
        displaced = displace(path, content, token="daily", kept=aside)  # noqa: S106 - no password
        aside.unlink(missing_ok=True)
        if displaced == expected:
            return
        expected, content = content, _merged(displaced, expected, content, addition)
    raise FileNotWritten(path, OSError("somebody saves it again and again"))


def _merged(displaced: bytes, expected: bytes, content: bytes, addition: bytes) -> bytes:
    """What was put in place, with what somebody else had saved just before."""
    if displaced.startswith(expected) and (not expected or expected.endswith(b"\n")):
        return content + displaced[len(expected) :]
    return displaced if addition in displaced else _ended(displaced) + addition.lstrip(b"\r\n")


def _take_back(path: Path) -> None:
    """After a kill: what somebody else had saved and was displaced is added again; of the rest nothing is missing."""
    for left in (waiting_file(path, "daily"), waiting_file(path, "former")):
        if not left.is_file():
            continue
        lost, now = left.read_bytes(), _bytes_of(path)
        if not now.startswith(lost) and not lost.startswith(now):
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(lost, now, strict=False)))
            begin = lost.rfind(b"\n", 0, same) + 1
            _append(path, now, _ended(now)[len(now) :] + lost[begin:])
        left.unlink(missing_ok=True)


def _ended(content: bytes) -> bytes:
    return content if not content or content.endswith(b"\n") else content + b"\n"


# ---- reading ----


def _bytes_of(path: Path) -> bytes:
    try:
        return read_regular(path)
    except FileNotFoundError:
        return b""
    except OSError as error:
        from archivist.notes.holding import NotesUnreadable  # noqa: PLC0415 - only a failure needs it

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


__all__ = ["DailyEntry", "DailyNotes", "entries_in"]
