"""Files of other programs, changed as one plan: what will be done is known before anything is, and what is replaced is kept beside."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Literal

import msgspec

from archivist.files import FileNotWritten, write_atomically
from archivist.files.regular import read_regular
from archivist.records import ArchivistError

KEPT: Final = ".before-archivist"
"""Behind the name of a file: what it was before it was changed for the first time."""


class HostFileUnusable(ArchivistError):
    """A file of another program's cannot be changed as it is."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(f"{path}: {reason}; nothing was changed: put it right, then run this again")


class HostFileNotWritten(ArchivistError):
    """A file of another program's could not be written when others of the same plan may have been already.

    Attributes:
        path: The file.
        changed: What was changed before it.
    """

    def __init__(self, path: Path, reason: str, changed: Sequence[Path]) -> None:
        self.path, self.changed = path, tuple(changed)
        done = f"only {', '.join(map(str, changed))} {'was' if len(changed) == 1 else 'were'} changed"
        super().__init__(
            f"{path}: {reason}; {done if changed else 'nothing was changed'}: put it right, then run this again"
        )


class Change(msgspec.Struct, frozen=True):
    """What becomes of one file.

    Attributes:
        path: Where it is; links are followed.
        done: In a word.
        content: What it holds then; None where it goes.
        kept: Where its earlier content is kept.
    """

    path: Path
    done: Literal["written", "changed", "unchanged", "removed"]
    content: bytes | None = None
    kept: Path | None = None


def to_write(path: Path, content: str, *, keep: bool) -> Change:
    """The change after which a file holds this text.

    Args:
        path: Of the file.
        content: The text.
        keep: Keep what it holds now, unless an earlier content is kept already.

    Raises:
        HostFileUnusable: It cannot be read.
    """
    path, new = resolved(path), content.encode()
    old = read(path)
    if old is None:
        return Change(path, "written", new)
    if old == new:
        return Change(path, "unchanged", new)
    kept = path.with_name(path.name + KEPT)
    return Change(path, "changed", new, kept if keep and not kept.exists() else None)


def apply(changes: Iterable[Change]) -> None:
    """Do what is planned.

    Raises:
        HostFileNotWritten: A file could not be changed; those before it were.
    """
    changed: list[Path] = []
    for change in changes:
        try:
            _apply(change)
        except FileNotWritten as error:
            reason = error.reason.strerror or "it cannot be written"
            raise HostFileNotWritten(change.path, reason, changed) from error
        except OSError as error:
            reason = error.strerror or "it cannot be changed"
            raise HostFileNotWritten(change.path, reason, changed) from error
        if change.done != "unchanged":
            changed.append(change.path)


def read(path: Path) -> bytes | None:
    """What a file holds; None where there is none.

    Raises:
        HostFileUnusable: It cannot be read.
    """
    try:
        return read_regular(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise HostFileUnusable(path, error.strerror or "it cannot be read") from error


def read_text(path: Path) -> str | None:
    """The text that a file holds; None where there is none.

    Raises:
        HostFileUnusable: It cannot be read, or is no text.
    """
    content = read(path)
    try:
        return None if content is None else content.decode()
    except UnicodeDecodeError as error:
        raise HostFileUnusable(path, "it is no UTF-8 text") from error


def resolved(path: Path) -> Path:
    """The file that a path leads to, through links.

    Raises:
        HostFileUnusable: It leads in circles.
    """
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:
        raise HostFileUnusable(path, "it is a link that leads nowhere") from error


def _apply(change: Change) -> None:
    if change.done == "unchanged":
        return
    if change.content is None:
        change.path.unlink(missing_ok=True)
        return
    mode = change.path.stat().st_mode & 0o7777 if change.path.exists() else 0o666 & ~_umask()
    if change.kept is not None:
        write_atomically(change.kept, change.path.read_bytes())
        change.kept.chmod(mode)
    change.path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(change.path, change.content)
    change.path.chmod(mode)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


__all__ = [
    "KEPT",
    "Change",
    "HostFileNotWritten",
    "HostFileUnusable",
    "apply",
    "read",
    "read_text",
    "resolved",
    "to_write",
]
