"""Whole-file writes that are either there or not, and stay there.

The bytes go to a temporary file beside the target, are synced, and are renamed over it; then the folder is synced, because a rename
is only durable once its folder is. Files are readable by their owner alone whatever the umask: memory is private.
"""

import os
from contextlib import suppress
from pathlib import Path

from archivist.records import ArchivistError

FILE_MODE = 0o600
FOLDER_MODE = 0o700


class FileNotWritten(ArchivistError):
    """The bytes could not be put on disk; the file is as it was before."""

    def __init__(self, path: Path, reason: OSError) -> None:
        self.path, self.reason = path, reason
        super().__init__(
            f"{path} was not written ({reason.strerror or reason}): free space or make its folder writable"
        )


def write_atomically(path: Path, content: bytes) -> None:
    """Put these bytes at the path, whole and synced.

    Raises:
        FileNotWritten: Nothing was changed.
    """
    import tempfile  # noqa: PLC0415 - who only reads does not need it

    try:
        make_folder(path.parent)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    except OSError as error:
        raise FileNotWritten(path, error) from error
    try:
        with os.fdopen(handle, "wb") as file:  # mkstemp made it 0600
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
        sync_folder(path.parent)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise FileNotWritten(path, error) from error


def remove_durably(path: Path) -> None:
    """Remove a file, if it is there, so that it does not come back after a crash."""
    path.unlink(missing_ok=True)
    sync_folder(path.parent)


def make_folder(path: Path) -> None:
    """The folder and those above it, readable by their owner alone where they are new."""
    if os.path.isdir(path):  # noqa: PTH112 - asked before every change of the notes
        return
    make_folder(path.parent)
    path.mkdir(mode=FOLDER_MODE, exist_ok=True)
    sync_folder(path.parent)


def sync_folder(path: str | Path) -> None:
    """Make the names in a folder durable; a no-op where folders cannot be opened, as on Windows."""
    if os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def begin_to_sync(handle: int, begin: int = 0) -> None:
    """Let the system bring what was written to the disk, without waiting: a sync that follows waits for less.

    Of several files that are begun before the first is waited for, the disk makes one piece of work.

    Args:
        handle: Of the file.
        begin: Where it was written to; up to its end.
    """
    if hasattr(os, "posix_fadvise"):
        with suppress(OSError):
            os.posix_fadvise(handle, begin, 0, os.POSIX_FADV_DONTNEED)
