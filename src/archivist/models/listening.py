"""A stream heard in a thread of its own, so that whoever waits for it can leave at any moment: also while nobody has answered yet.

Whoever leaves hangs up: the connection is shut down, so that the provider stops writing, and the thread ends. No request is made again
after that, whatever a client's own retries would do.
"""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from queue import Empty, SimpleQueue
from typing import Any, Final, Protocol

from archivist.models.responder import Interrupt, ModelFailed

_CONNECTED: Final = ("connect_tcp.complete", "connect_unix_socket.complete", "start_tls.complete")
"""Ends of the names of what the HTTP client tells when it has a connection."""

_LOOK_SECONDS: Final = 0.5


class HungUp(BaseException):
    """Whoever asked has left. No failure that a client could take for one of the net, and try again."""


class Line:
    """The connections of one HTTP client, which can be shut down from another thread; it is of no use after that."""

    def __init__(self) -> None:
        self._streams: list[Any] = []
        self._lock = threading.Lock()
        self.is_hung_up = False

    def watch(self, request: Any) -> None:  # noqa: ANN401 - of a client that need not be installed
        """Learn of the connection of a request before it is made; for the HTTP client's hooks."""
        if self.is_hung_up:
            raise HungUp
        request.extensions["trace"] = self._traced

    def _traced(self, name: str, told: Mapping[str, Any]) -> None:
        if name.endswith(_CONNECTED) and (stream := told.get("return_value")) is not None:
            with self._lock:
                self._streams = [*self._streams[-7:], stream]
            if self.is_hung_up:
                self.hang_up()

    def hang_up(self) -> None:
        """Shut down whatever is open; who reads there reads no more."""
        self.is_hung_up = True
        with self._lock:
            streams = tuple(self._streams)
        for stream in streams:
            with contextlib.suppress(OSError, ValueError, AttributeError):  # closed already
                stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)


class Heard(Protocol):
    """A client's stream."""

    def __iter__(self) -> Iterator[Any]:
        """What comes."""

    def close(self) -> None:
        """Let the connection go."""


class _End:
    """Nothing more comes, for this reason."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


def listen(
    ask: Callable[[], Heard], line: Line, interrupt: Interrupt, patience: float
) -> Generator[Any, None, None]:
    """What a stream brings, one after the other, until it ends or whoever asked is interrupted.

    Args:
        ask: Makes the request, in another thread.
        line: Its client's.
        interrupt: Ends the waiting.
        patience: Seconds without an event after which nothing more is waited for, whatever else the server sends to stay connected.

    Raises:
        TimeoutError: Nothing came for so long.
        ModelFailed: Nobody could listen.
    """
    if interrupt.is_set:
        return
    queue: SimpleQueue[Any] = SimpleQueue()
    forget = interrupt.wakes(lambda: queue.put(_End()))
    is_over = False
    try:
        _begin(threading.Thread(target=_hear, args=(ask, line, queue), name="archivist-model", daemon=True))
        while not interrupt.is_set:
            item = _next(queue, patience)
            if isinstance(item, _End):
                is_over = not interrupt.is_set
                if item.error is not None and is_over:
                    raise item.error
                return
            yield item
    finally:
        forget()
        if not is_over:
            line.hang_up()


def _begin(thread: threading.Thread) -> None:
    try:
        thread.start()
    except RuntimeError as error:
        raise ModelFailed(
            "this machine can begin no more threads, so that no model is asked; end some programs, and say it again"
        ) from error


def _next(queue: "SimpleQueue[Any]", patience: float) -> Any:  # noqa: ANN401 - whatever comes
    """What comes next. It is looked for again and again, as a signal wakes no waiting thread on every system."""
    until = time.monotonic() + patience
    while (left := until - time.monotonic()) > 0:
        with contextlib.suppress(Empty):
            return queue.get(timeout=min(left, _LOOK_SECONDS))
    raise TimeoutError("nothing comes any more")


def _hear(ask: Callable[[], Heard], line: Line, queue: "SimpleQueue[Any]") -> None:
    end = _End()
    try:
        stream = ask()
        try:
            for item in stream:
                queue.put(item)
                if line.is_hung_up:
                    break
        finally:
            stream.close()
    except HungUp:
        pass
    except BaseException as error:  # noqa: BLE001 - a thread's end: it is raised where its outcome is waited for
        end = _End(error)
    queue.put(end)


__all__ = ["Heard", "HungUp", "Line", "listen"]
