"""The processes that a program began, also those that left its group or its parent: on Linux, where the system tells of every process.

A process is of a program's kin if it stands below it, in its session, or has its sign in the environment that it was begun with.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

SIGN: Final = "ARCHIVIST_RUN"
"""The variable that has the sign of a run."""
_PROCESSES: Final = Path("/proc")
_ROUNDS: Final = 100


class Process(NamedTuple):
    """A process, which its id alone does not tell from a later one."""

    pid: int
    began: str


class _Seen(NamedTuple):
    process: Process
    parent: int
    session: int
    is_gone: bool


def kin_of(pid: int, sign: str) -> set[Process]:
    """The kin of a program that runs, without itself; nobody where the system does not tell."""
    seen = list(_all())
    found = {one.process.pid for one in seen if one.session == pid or _has(one.process.pid, sign)} | {pid}
    known = 0
    while known != len(found):
        known = len(found)
        found |= {one.process.pid for one in seen if one.parent in found}
    found -= {pid, os.getpid()}
    return {one.process for one in seen if one.process.pid in found and not one.is_gone}


def end_kin(known: set[Process], sign: str) -> None:
    """End those that were known, and whatever still has the sign.

    They are held first, each as soon as it is found, until no other is found: what is held begins nothing more.
    """
    if not hasattr(signal, "SIGSTOP"):
        return
    held = set[Process]()
    for _ in range(_ROUNDS):
        new = [process for process in _left(known | held, sign) if process not in held]
        held.update(new)
        if not new:
            break
    for process in held:
        _send(process, signal.SIGKILL)


def _left(known: set[Process], sign: str) -> Iterator[Process]:
    for one in _all():
        if not one.is_gone and (one.process in known or _has(one.process.pid, sign)):
            _send(one.process, signal.SIGSTOP)
            yield one.process


def _send(process: Process, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(process.pid, number)


def _all() -> Iterator[_Seen]:
    try:
        names = [place.name for place in _PROCESSES.iterdir() if place.name.isdigit()]
    except OSError:
        return
    for name in names:
        with suppress(OSError, ValueError, IndexError):
            fields = (_PROCESSES / name / "stat").read_text(errors="replace").rpartition(")")[2].split()
            yield _Seen(Process(int(name), fields[19]), int(fields[1]), int(fields[3]), fields[0] in "ZX")


def _has(pid: int, sign: str) -> bool:
    try:
        return f"{SIGN}={sign}".encode() in (_PROCESSES / str(pid) / "environ").read_bytes()
    except OSError:
        return False


__all__ = ["SIGN", "Process", "end_kin", "kin_of"]
