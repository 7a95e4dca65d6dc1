"""What the program knows a day's file to hold, kept apart from it: so that what somebody's save drops is not gone.

A file of daily notes only grows, but an editor that had it open writes what it had read. What was there before such a save is kept as
an earlier version, and whoever adds to the file next is told.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from archivist.files import FileNotWritten, make_folder, write_atomically
from archivist.files.appending import append
from archivist.notes.digests import digest_of
from archivist.notes.folders import NotesUnreadable

KEPT: Final = 20
"""Earlier versions of a day's file at most."""
_LAST: Final = "last.md"
_ADDING: Final = "adding"

Texts = Callable[[bytes], list[str]]
"""The entries of the program's own in a day's file."""


class DayRecord:
    """What was last known of one day's file; whoever calls what writes holds the lock of its folder.

    Args:
        folder: In the folder of earlier versions, by the name of the file.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def known(self) -> bytes:
        """The bytes of the file when something was last added to it; none before the first time."""
        return _read(self.folder / _LAST)

    def begin(self, offset: int, addition: bytes) -> None:
        """Say what is about to be added, and where: a kill may leave a part of it.

        Raises:
            FileNotWritten: It could not be written down.
        """
        path = self.folder / _ADDING
        try:
            make_folder(self.folder)
            path.write_bytes(b"%d\n%s" % (offset, addition))
        except OSError as error:
            raise FileNotWritten(path, error) from error

    def begun(self) -> tuple[int, bytes] | None:
        """What was to be added when a kill came; None where nothing was."""
        offset, line_feed, addition = _read(self.folder / _ADDING).partition(b"\n")
        return (int(offset), addition) if line_feed and offset.isdigit() else None

    def end(self) -> None:
        """What was to be added is there, or is not wanted any more."""
        (self.folder / _ADDING).unlink(missing_ok=True)

    def know(self, content: bytes) -> None:
        """Know these bytes from now on, synced.

        Raises:
            FileNotWritten: They could not be written down.
        """
        former = self.known()
        if former and content.startswith(former):
            if content != former:
                append(self.folder / _LAST, content[len(former) :])
        else:
            write_atomically(self.folder / _LAST, content)

    def set_aside(self, at: datetime) -> Path:
        """Keep what was known as an earlier version; which file that is.

        Raises:
            FileNotWritten: It could not be written.
        """
        content = self.known()
        path = self.folder / f"{at.astimezone(UTC):%Y%m%dT%H%M%S%f}-{digest_of(content)[:12]}.md"
        write_atomically(path, content)
        for old in self._versions()[:-KEPT]:
            old.unlink(missing_ok=True)
        return path

    def lost(self, now: bytes, texts: Texts, since: datetime) -> Iterator[tuple[Path, int]]:
        """The versions, of that time or later, with entries that the file does not have, and how many."""
        for path in (*self._versions(), self.folder / _LAST):
            if _moment(path) >= since and (count := len(dropped(_read(path), now, texts))):
                yield path, count

    def _versions(self) -> list[Path]:
        return sorted(self.folder.glob("[0-9]*T*-*.md"))


def records_in(folder: Path) -> Iterator[DayRecord]:
    """The records in a folder of them."""
    if folder.is_dir():
        yield from (DayRecord(path) for path in sorted(folder.iterdir()) if path.is_dir())


def dropped(known: bytes, now: bytes, texts: Texts) -> list[str]:
    """The entries that were known and are not there any more."""
    if now.startswith(known):
        return []
    return list((Counter(texts(known)) - Counter(texts(now))).elements())


def _moment(path: Path) -> datetime:
    try:
        return datetime.strptime(path.name.partition("-")[0], "%Y%m%dT%H%M%S%f").replace(tzinfo=UTC)
    except ValueError:
        pass
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError:
        return datetime.min.replace(tzinfo=UTC)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise NotesUnreadable(path, error) from error
