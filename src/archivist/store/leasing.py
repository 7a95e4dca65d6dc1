"""Who is at something that only one may be at, across threads and processes: a session's compaction, a conversation of an agent.

It is held as a lock of the operating system on a file, not as a row with a time: a row would outlive a process that was killed, or have to
be renewed by one that waits for its model, and be taken for dead meanwhile. What is in the file is only for whoever is refused. That no two
compactions of one session are stored does not hang on it: `store.compacting` compares what they were made on.
"""

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from archivist.files import FileLocked, locked
from archivist.records import ArchivistError

COMPACTING: Final = "compacting-"
"""The beginning of the names of lock files; behind it stands a session's key, which tells nobody anything."""
HOLDING: Final = "holding-"
"""The same for conversations that an agent holds; behind it stands a hash of the id."""


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
def leased(path: Path, refused: Callable[[str], ArchivistError], *, now: datetime) -> Iterator[None]:
    """Be the only one who has a lease while the block runs; it ends with the process that holds it, however that ended.

    Args:
        path: The lock file.
        refused: Makes the error of whoever comes second, from who holds it.
        now: For whoever is refused meanwhile.

    Raises:
        ArchivistError: Somebody else has it.
        FileNotWritten: The file cannot be made.
    """
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
        raise refused(_holder(path)) from error


def lock_files(folder: Path) -> list[Path]:
    """Lock files that are there: of whoever is at it, and of those that were killed."""
    return sorted(path for kind in (COMPACTING, HOLDING) for path in folder.glob(f"{kind}*.lock"))


def _this_process(now: datetime) -> Holder:
    return Holder(os.getpid(), socket.gethostname(), now.isoformat(timespec="seconds"))


def _holder(path: Path) -> str:
    try:
        return str(msgspec.json.decode(path.read_bytes(), type=Holder))
    except (OSError, msgspec.DecodeError):
        return "another process"


__all__ = ["COMPACTING", "HOLDING", "BeingCompacted", "leased", "lock_files"]
