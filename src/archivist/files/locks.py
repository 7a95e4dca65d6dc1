"""One holder at a time, across processes.

The lock is the operating system's, on a file of its own, so that it ends with the process that held it, however that ended.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from archivist.records import ArchivistError


class FileLocked(ArchivistError):
    """Another process kept the lock for longer than was waited."""

    def __init__(self, path: Path, seconds: float) -> None:
        self.path, self.seconds = path, seconds
        super().__init__(
            f"{path} was held by another process for {seconds:g} s: wait for it to end, then try again"
        )


@contextmanager
def locked(path: Path, *, seconds: float) -> Iterator[None]:
    """Hold the lock file `path` while the block runs.

    Raises:
        FileLocked: It was not free within the seconds.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415 - 30 ms that readers never need

    lock = FileLock(path, mode=0o600)
    try:
        lock.acquire(timeout=seconds)
    except Timeout as error:
        raise FileLocked(path, seconds) from error
    try:
        yield
    finally:
        lock.release()
