"""The processes that a program began, also those that left its group or its parent: on Linux, where the system tells of every process.

A process is of a program's kin if it stands below it, in its session, or has its sign in the environment that it was begun with.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

SIGN: Final = "ARCHIVIST_RUN"
"""The variable that has the sign of a run."""
_PROCESSES: Final = Path("/proc")
_ROUNDS, _QUIET, _BETWEEN = 200, 8, 0.005
"""Looks at most, those in a row that find nobody new, and seconds between two of these."""
_TRIES, _WAIT = 50, 0.001
_KERNELS: Final = 0x00200000
"""The flag of what is no program but a part of the system."""


class Process(NamedTuple):
    """A process: its id, and when it began, in ticks of the system, without which a later one might be taken for it."""

    pid: int
    began: int


class _Seen(NamedTuple):
    process: Process
    parent: int
    session: int
    is_over: bool


class Kin:
    """The kin of a program that runs, itself among them; nobody where the system does not tell.

    Args:
        pid: Of the program.
        sign: That is in its environment under `SIGN`.
    """

    def __init__(self, pid: int, sign: str) -> None:
        self._sign = f"{SIGN}={sign}".encode()
        began = [one.process.began for one in _all() if one.process.pid == pid]
        self._since = min(began, default=0)
        self._pid, self._known = pid, set[Process]()

    def look(self) -> None:
        """Take note of whoever stands below the program now, or has its sign."""
        seen = [one for one in _all() if one.process.began >= self._since]
        found = {one.process.pid for one in seen if one.session == self._pid or self._has_sign(one)}
        found.add(self._pid)
        known = 0
        while known != len(found):
            known = len(found)
            found |= {one.process.pid for one in seen if one.parent in found}
        self._known |= {one.process for one in seen if one.process.pid in found - {os.getpid()}}

    def end(self) -> None:
        """End all of them, and whoever they begin meanwhile.

        They are held first, each as soon as it is found, until no other is found: what is held begins nothing more.
        """
        if not hasattr(signal, "SIGSTOP"):
            return
        held, quiet = set[Process](), 0
        for _ in range(_ROUNDS):
            new = [one for one in self._left() if one not in held]
            held.update(new)
            quiet = 0 if new else quiet + 1
            if quiet >= _QUIET or not _PROCESSES.is_dir():
                break
            time.sleep(_BETWEEN if quiet else 0)
        for process in held:
            _send(process, signal.SIGKILL)

    def _left(self) -> Iterator[Process]:
        for one in _all():
            is_ours = one.process in self._known or (one.process.began >= self._since and self._has_sign(one))
            if is_ours and not one.is_over:
                _send(one.process, signal.SIGSTOP)
                yield one.process

    def _has_sign(self, one: _Seen) -> bool:
        """Whether a process has the sign; one that becomes another program in this moment has no environment yet."""
        if one.is_over or one.process.pid == os.getpid():
            return False
        for _ in range(_TRIES):
            try:
                environment = (_PROCESSES / str(one.process.pid) / "environ").read_bytes()
            except OSError:
                return False
            if environment:
                return self._sign in environment
            time.sleep(_WAIT)
        return False


def _all() -> Iterator[_Seen]:
    try:
        names = [place.name for place in _PROCESSES.iterdir() if place.name.isdigit()]
    except OSError:
        return
    for name in names:
        with suppress(OSError, ValueError, IndexError):
            fields = (_PROCESSES / name / "stat").read_text(errors="replace").rpartition(")")[2].split()
            is_over = fields[0] in "ZX" or bool(int(fields[6]) & _KERNELS)
            yield _Seen(Process(int(name), int(fields[19])), int(fields[1]), int(fields[3]), is_over)


def _send(process: Process, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(process.pid, number)


__all__ = ["SIGN", "Kin"]
