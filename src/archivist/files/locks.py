"""One holder at a time, across processes.

The lock is the operating system's, on a file of its own, so that it ends with the process that held it, however that ended. One that is
free is asked for directly; to wait for it, and where the system has no such locks, is `filelock`'s affair, which asks for the same one.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from archivist.files.atomic import FileNotWritten
from archivist.records import ArchivistError

_MODE: Final = 0o600
_HELD: Final = set[int]()


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
        FileNotWritten: It cannot be opened, or its disk has no locks.
    """
    handle = _at_once(os.fspath(path))
    if handle is None:
        with _waited_for(path, seconds):
            yield
        return
    try:
        yield
    finally:
        _give_up(handle)


@contextmanager
def _waited_for(path: Path, seconds: float) -> Iterator[None]:
    from filelock import FileLock, Timeout  # noqa: PLC0415 - 30 ms that only those pay who must wait

    lock = FileLock(path, mode=_MODE)
    try:
        lock.acquire(timeout=seconds)
    except Timeout as error:
        raise FileLocked(path, seconds) from error
    except (OSError, NotImplementedError) as error:
        reason = error if isinstance(error, OSError) else OSError(str(error))
        raise FileNotWritten(path, reason) from error
    try:
        yield
    finally:
        lock.release()


def _at_once(path: str) -> int | None:
    """The lock, if it is free; None where it is not, or anything about it is unusual."""
    if sys.platform == "win32":
        return None
    try:
        import fcntl  # noqa: PLC0415 - not everywhere

        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW, _MODE)
    except (ImportError, OSError):
        return None
    _let_forks_go()
    _HELD.add(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        own, there = os.fstat(handle), os.stat(path)  # noqa: PTH116 - asked for at every change
        if (own.st_dev, own.st_ino) == (there.st_dev, there.st_ino):  # else somebody has removed it meanwhile
            return handle
    except OSError:
        pass
    _give_up(handle)
    return None


def _give_up(handle: int) -> None:
    if sys.platform == "win32" or handle not in _HELD:  # a fork has given it up already
        return
    import fcntl  # noqa: PLC0415 - as above

    _HELD.discard(handle)
    fcntl.flock(handle, fcntl.LOCK_UN)  # whoever is being started at this moment has it open as well
    os.close(handle)


@cache
def _let_forks_go() -> None:
    """See to it that a fork of this process does not hold what it held: it would for as long as it runs."""
    os.register_at_fork(after_in_child=_drop_all)


def _drop_all() -> None:
    while _HELD:
        os.close(_HELD.pop())
