"""What stands in a folder and below it, while others may change it.

No link is followed. What vanishes on the way is passed over.
"""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple

Kind = Literal["file", "link", "other"]
VANISHED: Final = (FileNotFoundError, NotADirectoryError)
"""What is said of a file or folder that was there a moment ago."""


class Entry(NamedTuple):
    """One thing that is no folder: its place, with slashes; what it is; its bytes."""

    name: str
    kind: Kind
    size: int

    @property
    def parts(self) -> tuple[str, ...]:
        """The folders to it, and its own name."""
        return tuple(self.name.split("/"))


def walk(
    folder: Path, *, enters: Callable[[str], bool] = lambda _name: True, skips_unreadable: bool = False
) -> Iterator[Entry]:
    """Everything below a folder that is no folder itself, in the order of the names in each.

    Args:
        folder: May be missing.
        enters: Asked with the place of each folder below it.
        skips_unreadable: Pass over what may not be read.

    Raises:
        OSError: A folder cannot be read.
    """
    waiting = [""]
    while waiting:
        inside = waiting.pop()
        try:
            entries = sorted(os.scandir(folder / inside), key=lambda entry: entry.name)
        except VANISHED:
            continue
        except PermissionError:
            if skips_unreadable:
                continue
            raise
        below = []
        for entry in entries:
            name = f"{inside}{entry.name}"
            if not entry.is_dir(follow_symlinks=False):
                yield from _entry(entry, name)
            elif enters(name):
                below.append(f"{name}/")
        waiting += reversed(below)


def files_below(folder: Path, *, skips_unreadable: bool = False) -> Iterator[Entry]:
    """The files in a folder and in those below it."""
    return (entry for entry in walk(folder, skips_unreadable=skips_unreadable) if entry.kind == "file")


def _entry(entry: os.DirEntry[str], name: str) -> Iterator[Entry]:
    try:
        status = entry.stat(follow_symlinks=False)
    except VANISHED:
        return
    kind: Kind = "link" if entry.is_symlink() else "file" if stat.S_ISREG(status.st_mode) else "other"
    yield Entry(name, kind, status.st_size)
