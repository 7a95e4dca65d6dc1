"""Who compacts a session: one at a time, across threads and processes, since a summary costs money.

It is held as a lock of the operating system on a file, not as a row with a time: a row would outlive a process that was killed, or have to
be renewed by one that waits for its model, and be taken for dead meanwhile. What is in the file is only for whoever is refused. That no two
compactions of one session are stored does not hang on it: `store.compacting` compares what they were made on.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from archivist.files import FileLocked, locked
from archivist.records import ArchivistError

PREFIX: Final = "compacting-"
"""The beginning of the names of lock files; behind it stands a session's key, which tells nobody anything."""


class BeingCompacted(ArchivistError):
    """Somebody is at a compaction of the session."""

    def __init__(self, session_id: str, holder: str) -> None:
        self.session_id, self.holder = session_id, holder
        super().__init__(
            f"{session_id} is being compacted by {holder}: wait until that is done, then try again"
        )


class Holder(msgspec.Struct, frozen=True):
    """Who holds a lease; `since` in ISO 8601."""

    pid: int
    host: str
    since: str

    def __str__(self) -> str:
        """As a person is told of it."""
        return f"process {self.pid} on {self.host} since {self.since}"


@contextmanager
def leased(folder: Path, key: int, session_id: str, *, now: datetime) -> Iterator[None]:
    """Be the only one who compacts a session while the block runs; it ends with the process that holds it, however that ended.

    Args:
        folder: In which the lock file stands.
        key: The session's key.
        session_id: Its id, for the error.
        now: For whoever is refused meanwhile.

    Raises:
        BeingCompacted: Somebody else does.
        FileNotWritten: The file cannot be made.
    """
    path = folder / f"{PREFIX}{key}.lock"
    try:
        with locked(path, seconds=0):
            with suppress(
                OSError
            ):  # where a locked file cannot be written, nobody learns more than that it is held
                path.write_bytes(msgspec.json.encode(_this_process(now)))
            try:
                yield
            finally:
                with suppress(OSError):
                    path.unlink()
    except FileLocked as error:
        if error.path != path:
            raise
        raise BeingCompacted(session_id, _holder(path)) from error


def lock_files(folder: Path) -> list[Path]:
    """Lock files that are there: of whoever is at it, and of those that were killed."""
    return sorted(folder.glob(f"{PREFIX}*.lock"))


def _this_process(now: datetime) -> Holder:
    return Holder(os.getpid(), socket.gethostname(), now.isoformat(timespec="seconds"))


def _holder(path: Path) -> str:
    try:
        return str(msgspec.json.decode(path.read_bytes(), type=Holder))
    except (OSError, msgspec.DecodeError):
        return "another process"


__all__ = ["BeingCompacted", "leased", "lock_files"]
