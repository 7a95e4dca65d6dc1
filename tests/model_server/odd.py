"""A server that answers whatever bytes it is told to, where a model would answer; each request must be one that a model takes."""

import json
import socket
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self

from tests.model_server import anthropic_form, openai_form
from tests.model_server.counting import Spent
from tests.model_server.refusals import Refused
from tests.model_server.replies import Reply

Bytes = bytes | Iterable[bytes]
Odd = Bytes | Reply | Callable[[dict[str, Any]], Bytes | Reply]
"""What is answered: bytes of HTTP, or what a model says."""


def http(body: bytes, *, kind: str = "text/event-stream", status: str = "200 OK", more: str = "") -> bytes:
    """An answer with its length."""
    head = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n{more}connection: close\r\n\r\n"
    return head.encode() + body


def endless(*, kind: str = "text/event-stream") -> bytes:
    """The head of an answer that ends where the connection does."""
    return f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n".encode()


class OddServer:
    """Answers one after the other, the last one again and again, until it is closed."""

    def __init__(self, *answers: Odd) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.problems: list[str] = []
        self._answers: Sequence[Odd] = answers
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self.closed = threading.Event()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closed.set()
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _serve(self) -> None:
        while not self.closed.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._handle, args=(connection,), daemon=True).start()

    def _handle(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as reader:
            try:
                path, body = _request(reader)
                for piece in self._answer(path, body):
                    connection.sendall(piece)
            except (OSError, ValueError):  # whoever asked has left
                return

    def _answer(self, path: str, body: dict[str, Any]) -> Iterable[bytes]:
        form = anthropic_form if "/messages" in path else openai_form
        with self._lock:
            answer = self._answers[min(len(self.bodies), len(self._answers) - 1)]
            self.bodies.append(body)
            try:
                form.check(body)
            except Refused as error:
                self.problems.append(str(error))
        if callable(answer):
            answer = answer(body)
        if isinstance(answer, Reply):
            answer = http(b"".join(form.events(body, answer, Spent(), len(self.bodies))))
        return [answer] if isinstance(answer, bytes) else answer


def _request(reader: Any) -> tuple[str, dict[str, Any]]:
    path = reader.readline().decode().split(" ")[1]
    length = 0
    while line := reader.readline().strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return path, json.loads(reader.read(length))
