"""A wire as a channel of messages, a line each.

What cannot be read is answered by an error, and the next line is read. At the end of the input the requests that wait are answered before
the channel closes.
"""

import asyncio
import json
import os
import threading
from codecs import BOM_UTF8
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types.jsonrpc import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from archivist.surfaces.mcp.wire import Wire

LONGEST_LINE: Final = 32 << 20
"""Bytes; a longer line is passed over without being kept."""
LONGEST_ID: Final = 200
READ_BYTES: Final = 1 << 16
MOST_WAITING: Final = 64
"""Lines that were read and are not looked at yet."""
LAST_ANSWERS: Final = 30.0
"""Seconds for which requests that wait at the end of the input may still be answered."""

Received = MemoryObjectReceiveStream[SessionMessage | Exception]
Sent = MemoryObjectSendStream[SessionMessage]


class ChannelBroken(Exception):
    """Whoever read the answers is gone."""


@asynccontextmanager
async def channel_over(wire: Wire) -> AsyncIterator[tuple[Received, Sent]]:
    """The messages that come in, and where those go that go out.

    Raises:
        ChannelBroken: The other side has closed what the answers are written to; within a group.
    """
    inbox, received = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    sent, outbox = anyio.create_memory_object_stream[SessionMessage](0)
    channel = _Channel(inbox, outbox, sent.clone(), wire.sink)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(channel.write)
        tasks.start_soon(channel.read, _Lines(wire.source))
        yield received, sent


class _Channel:
    """Both directions, and which requests wait for an answer."""

    def __init__(
        self,
        inbox: MemoryObjectSendStream[SessionMessage | Exception],
        outbox: MemoryObjectReceiveStream[SessionMessage],
        answers: Sent,
        sink: int,
    ) -> None:
        self._inbox, self._outbox, self._answers, self._sink = inbox, outbox, answers, sink
        self._waiting: dict[str, int] = {}
        self._answered = anyio.Event()

    async def read(self, lines: "_Lines") -> None:
        """Pass on what comes in, until the input ends and everything is answered."""
        async with self._inbox, self._answers:
            while (line := await lines.next()) is not None:
                line = line.removeprefix(BOM_UTF8)  # some shells begin what they pipe with it
                if line.strip():
                    await self._take(line)
            with anyio.move_on_after(LAST_ANSWERS):
                while self._waiting:
                    self._answered = anyio.Event()
                    await self._answered.wait()

    async def _take(self, line: bytes) -> None:
        try:
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError:
            await self._answers.send(SessionMessage(_refusal(line)))
            return
        if isinstance(message, JSONRPCNotification) and _has_id(line):  # one that no answer can carry
            await self._answers.send(SessionMessage(_refusal(line)))
            return
        if isinstance(message, JSONRPCRequest):
            self._wait_for(message.id, 1)
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            self._wait_for((message.params or {}).get("requestId"), -1)
        with suppress(anyio.BrokenResourceError):  # the server has ended
            await self._inbox.send(SessionMessage(message))

    async def write(self) -> None:
        """Write what goes out, a line each."""
        async with self._outbox:
            async for each in self._outbox:
                message = each.message
                await anyio.to_thread.run_sync(_write, self._sink, _line_of(message), abandon_on_cancel=True)
                if isinstance(message, JSONRPCResponse | JSONRPCError):
                    self._wait_for(message.id, -1)

    def _wait_for(self, request: Any, number: int) -> None:  # noqa: ANN401 - whatever a client took for an id
        key = str(request)  # clients cancel 7 as "7"
        self._waiting[key] = self._waiting.get(key, 0) + number
        if self._waiting[key] <= 0:
            del self._waiting[key]
            self._answered.set()


def _line_of(message: JSONRPCMessage) -> bytes:
    """A message as a line; one that cannot be written, such as half a character, is an error to whoever waits for it."""
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
    except (ValueError, RecursionError):
        key = message.id if isinstance(message, JSONRPCResponse) else None
        error = ErrorData(code=INTERNAL_ERROR, message="Internal error: the answer cannot be written as JSON")
        return JSONRPCError(jsonrpc="2.0", id=key, error=error).model_dump_json().encode() + b"\n"


def _refusal(line: bytes) -> JSONRPCError:
    """What is answered to a line that is no message; to the request's id where one can be read."""
    try:
        read = json.loads(line)
    except (ValueError, RecursionError):
        error = ErrorData(code=PARSE_ERROR, message="Parse error: a message is one line of JSON in UTF-8")
        return JSONRPCError(jsonrpc="2.0", id=None, error=error)
    key = read.get("id") if isinstance(read, dict) else None
    known = (
        key if type(key) in {str, int} and len(str(key)) <= LONGEST_ID and str(key).isprintable() else None
    )
    error = ErrorData(code=INVALID_REQUEST, message=f"Invalid request: {_wrong_with(read)}")
    return JSONRPCError(jsonrpc="2.0", id=known, error=error)


def _wrong_with(read: Any) -> str:  # noqa: ANN401 - JSON
    """What of a line of JSON makes it no message."""
    try:
        json.dumps(read, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return "a text in it has half a character (a lone surrogate); send whole ones"
    except RecursionError:
        return "it is too deep"
    if isinstance(read, dict) and "id" in read and (type(read["id"]) not in {str, int}):
        return "an id is a text or a whole number"
    return "this is no message of JSON-RPC 2.0"


def _has_id(line: bytes) -> bool:
    """Whether a message without an id that can be used has one all the same."""
    try:
        return "id" in json.loads(line)
    except (ValueError, RecursionError):
        return True


def _write(sink: int, line: bytes) -> None:
    rest = memoryview(line)
    try:
        while rest:
            rest = rest[os.write(sink, rest) :]
    except OSError as error:
        raise ChannelBroken from error


class _Lines:
    """Lines as they come in, read in a thread that nobody waits for: no system lets go of a reading that waits."""

    def __init__(self, source: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._room = threading.Semaphore(MOST_WAITING)
        threading.Thread(target=_read_lines, args=(source, self._put), name="input", daemon=True).start()

    async def next(self) -> bytes | None:
        """The next line; None at the end of the input."""
        line = await self._lines.get()
        self._room.release()
        return line

    def _put(self, line: bytes | None) -> bool:
        self._room.acquire()
        try:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
        except RuntimeError:  # the loop has ended, and this with it
            return False
        return True


def _read_lines(source: int, put: Callable[[bytes | None], bool]) -> None:
    held, is_too_long = bytearray(), False
    while True:
        try:
            piece = os.read(source, READ_BYTES)
        except OSError:
            piece = b""
        if not piece:
            break
        *ended, rest = piece.split(b"\n")
        for part in ended:
            held += part
            if not put(_UNREADABLE if is_too_long else bytes(held)):
                return
            held, is_too_long = bytearray(), False
        held += rest
        if len(held) > LONGEST_LINE:
            held, is_too_long = bytearray(), True
    if (held or is_too_long) and not put(_UNREADABLE if is_too_long else bytes(held)):
        return
    put(None)


_UNREADABLE: Final = b"{"
"""Stands for a line that was too long to be kept: it is answered like every line that cannot be read."""
