"""A program in a session of its own: its output read without waiting for it, within bounds, and an end to all that it began on request."""

import os
import selectors
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Final, Literal

import msgspec

from archivist.tools.kin import SIGN, Kin

Ending = Literal["ended", "timeout", "stopped"]

_POLL: Final = 0.05
_GRACE: Final = 0.5
_MOST_END: Final = 5.0
"""Seconds from the request to end to the end, and those that it is waited for at most."""
_LINGER: Final = 0.3
"""Seconds that an output is waited for after its program ended: what it left in the background may hold it for ever."""
_CHUNK: Final = 65_536
_MOST_LEFT: Final = 1 << 20
"""Bytes that a pipe may hold."""


class Ran(msgspec.Struct, frozen=True):
    """What came of a program.

    Attributes:
        head: The beginning of its output.
        tail: The end of it, where it was too long to be kept whole.
        lost: Bytes between them.
        code: Of its exit; negative for a signal.
        ending: Whether it ended by itself.
        seconds: It took.
        lingers: Whether something that it began goes on in the background.
    """

    head: bytes
    tail: bytes
    lost: int
    code: int
    ending: Ending
    seconds: float
    lingers: bool


class _Kept:
    """Bytes within bounds: the first and the last."""

    def __init__(self, most: int) -> None:
        self._head_room, self._tail_room = most * 4 // 5, most // 5
        self.head, self._last, self.held, self.lost = bytearray(), deque[bytes](), 0, 0

    def add(self, data: bytes) -> None:
        room = self._head_room - len(self.head)
        self.head += data[:room]
        rest = data[room:] if room < len(data) else b""
        if not rest:
            return
        self._last.append(rest)
        self.held += len(rest)
        while self.held - len(self._last[0]) >= self._tail_room:
            gone = len(self._last.popleft())
            self.held -= gone
            self.lost += gone

    @property
    def tail(self) -> bytes:
        return b"".join(self._last)


def run(
    command: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    timeout: float,
    stopped: Callable[[], bool],
    most: int,
    given: bytes | None = None,
) -> Ran:
    """Run a program to its end, or to that of its time, or until it is to stop.

    It is run in a thread of its own, in which nothing interrupts its beginning or its end: an exception that comes from outside, such as
    that of Ctrl-C, ends the program and is raised, and to end it takes a second or so, however often it comes.

    Args:
        command: And its arguments.
        cwd: Where.
        env: All of its environment.
        timeout: Seconds.
        stopped: Asked again and again.
        most: Bytes of its output that are kept.
        given: On its input; nothing where unset.

    Raises:
        OSError: It cannot be started.
    """
    wish, over, came = _Wish(), threading.Lock(), list[Ran | BaseException]()
    over.acquire()  # a bare lock: an event that is waited for may be left locked for ever by a second interrupt

    def work() -> None:
        try:
            came.append(_run(command, cwd, env, timeout, lambda: wish.is_halted or stopped(), most, given))
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            came.append(error)
        finally:
            over.release()

    thread = threading.Thread(target=work, name="archivist-run")
    try:
        thread.start()
        over.acquire()  # and not the thread: one that was interrupted there counts as ended
    except BaseException:
        wish.is_halted = True  # no call, so that no other interrupt can come before it
        _wait_for(over)
        raise
    (found,) = came
    if isinstance(found, BaseException):
        raise found
    return found


class _Wish:
    """That a program should end."""

    __slots__ = ("is_halted",)

    def __init__(self) -> None:
        self.is_halted = False


def _wait_for(over: threading.Lock) -> None:
    """Wait until all is ended, whoever is impatient; not for ever, since the thread may never have begun."""
    until = time.monotonic() + _MOST_END
    while (left := until - time.monotonic()) > 0:
        with suppress(KeyboardInterrupt):
            if over.acquire(timeout=left):
                return


def _run(
    command: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    timeout: float,
    stopped: Callable[[], bool],
    most: int,
    given: bytes | None,
) -> Ran:
    began, sign, kept = time.monotonic(), token_hex(16), _Kept(most)
    process = subprocess.Popen(  # noqa: S603 - what is run was allowed before
        command,
        cwd=cwd,
        env={**env, SIGN: sign},
        stdin=subprocess.DEVNULL if given is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        if given is not None and process.stdin is not None:
            with suppress(BrokenPipeError):
                process.stdin.write(given)
                process.stdin.close()
        ending, lingers = _followed(process, kept, began + timeout, stopped)
    finally:  # also of an exception of whoever is asked whether it is to stop
        if process.poll() is None:
            _end(process, sign)
            _drain(process, kept)
        if process.stdout is not None:
            process.stdout.close()
    return Ran(
        bytes(kept.head), kept.tail, kept.lost, process.wait(), ending, time.monotonic() - began, lingers
    )


def _followed(
    process: "subprocess.Popen[bytes]", kept: _Kept, until: float, stopped: Callable[[], bool]
) -> tuple[Ending, bool]:
    assert process.stdout is not None
    handle = process.stdout.fileno()
    os.set_blocking(handle, False)
    ended = 0.0
    with selectors.DefaultSelector() as selector:
        selector.register(handle, selectors.EVENT_READ)
        while True:
            is_open = not selector.select(_POLL) or _read(handle, kept)
            now = time.monotonic()
            if process.poll() is not None:
                ended = ended or now
                if not is_open or now - ended > _LINGER:
                    return "ended", is_open
            elif not is_open:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_POLL)  # it closed its output, and ends or goes on
            if process.returncode is None and stopped():
                return "stopped", False
            if process.returncode is None and now > until:
                return "timeout", False


def _read(handle: int, kept: _Kept) -> bool:
    """Take what is there; whether there may be more at all."""
    try:
        data = os.read(handle, _CHUNK)
    except BlockingIOError:
        return True
    kept.add(data)
    return bool(data)


def _drain(process: "subprocess.Popen[bytes]", kept: _Kept) -> None:
    """Take what a program that has ended had printed by then."""
    if process.stdout is None:
        return
    os.set_blocking(process.stdout.fileno(), False)
    for _ in range(_MOST_LEFT // _CHUNK):
        before = len(kept.head) + kept.held + kept.lost
        if not _read(process.stdout.fileno(), kept) or before == len(kept.head) + kept.held + kept.lost:
            return


def _end(process: "subprocess.Popen[bytes]", sign: str) -> None:
    """End a program and all that it began, with a moment to tidy up."""
    kin = Kin(process.pid, sign)
    kin.look()
    _signal(process, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)
    if process.returncode is None:
        kin.look()
    _signal(process, getattr(signal, "SIGKILL", signal.SIGTERM))
    kin.end()
    process.wait()


def _signal(process: "subprocess.Popen[bytes]", number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)


__all__ = ["Ending", "Ran", "run"]
