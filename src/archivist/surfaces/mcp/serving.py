"""The server: requests come in, threads answer them from the home, results go out in the form that the protocol asks for."""

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

import anyio
import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from archivist import __version__
from archivist.surfaces.mcp import offered
from archivist.surfaces.mcp.answering import LINE_CHARS, Answering
from archivist.surfaces.mcp.opened import LateHome, Place
from archivist.surfaces.mcp.pipes import ChannelBroken, channel_over
from archivist.surfaces.mcp.wire import Wire
from archivist.tools.registry import tool_named

T = TypeVar("T")
READERS, WRITERS = 4, 4
"""Threads: what only reads never waits for a write that waits."""
CONSTANT: Final = CacheHint(ttl_ms=3_600_000, scope="public")
"""What changes with the version alone."""
CALL_ID: Final = "claudecode/toolUseId"
"""Under which Claude Code tells its own id of a call, by which the call stands in its transcript."""
QUIET_SECONDS: Final = 2.0
"""After the last request, before anything is done that nobody asked for."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.25, 60.0
"""Between two moments of such work; longer and longer, for another process may be at it, or something in its way."""
LAST_WORK_SECONDS: Final = 5.0
"""How long work that runs when the server is stopped may go on."""


class Serving:
    """The SDK's server, and the threads behind it."""

    def __init__(self, answering: Answering) -> None:
        self._answering = answering
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._writers = ThreadPoolExecutor(WRITERS, "writer")
        self._running = 0
        self._asked = anyio.Event()

    def server(self) -> Server[Any]:
        """The server with everything that is offered."""
        return Server(
            offered.NAME,
            version=__version__,
            title=offered.TITLE,
            description=offered.DESCRIPTION,
            instructions=offered.INSTRUCTIONS,
            cache_hints={
                "server/discover": CONSTANT,
                "tools/list": CONSTANT,
                "resources/list": CONSTANT,
                "resources/templates/list": CONSTANT,
                "prompts/list": CONSTANT,
            },
            on_list_tools=_answer(types.ListToolsResult(tools=offered.TOOL_LIST)),
            on_call_tool=self._call_tool,
            on_list_resources=_answer(types.ListResourcesResult(resources=offered.RESOURCE_LIST)),
            on_list_resource_templates=_answer(
                types.ListResourceTemplatesResult(resource_templates=offered.TEMPLATE_LIST)
            ),
            on_read_resource=self._read_resource,
            on_list_prompts=_answer(types.ListPromptsResult(prompts=offered.PROMPT_LIST)),
            on_get_prompt=self._get_prompt,
        )

    async def _call_tool(self, _: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = tool_named(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name[:100]}")
        threads = self._readers if tool.is_read_only else self._writers
        key = (params.meta or {}).get(CALL_ID)
        call_id = key if isinstance(key, str) and key else None
        return await self._run(threads, lambda: self._answering.call(tool, params.arguments or {}, call_id))

    async def _read_resource(
        self, _: object, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        return await self._run(self._readers, lambda: self._answering.open(params.uri))

    async def _get_prompt(self, _: object, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        return await self._run(
            self._readers, lambda: self._answering.prompt(params.name, params.arguments or {})
        )

    async def _run(self, threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        """Answer in a thread; who calls off a request that runs is not waited for, and what it does is done whole."""
        self._running += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(threads, work)
        finally:
            self._running -= 1
            self._asked.set()

    async def keep_up(self) -> None:
        """Use quiet moments after requests for what makes the next ones quick."""
        while True:
            await self._asked.wait()
            self._asked = anyio.Event()
            await anyio.sleep(QUIET_SECONDS)
            pause = SHORTEST_PAUSE
            while not self._running and not self._asked.is_set():
                loop = asyncio.get_running_loop()
                if not await loop.run_in_executor(self._writers, self._answering.keep_up):
                    break
                await anyio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def close(self) -> None:
        """End the threads and close the home; what runs may end first."""
        for threads in (self._readers, self._writers):
            threads.shutdown(cancel_futures=True)
        self._answering.close()


def _answer(result: T) -> Callable[..., Any]:
    async def handler(*_: object) -> T:
        return result

    return handler


def serve(place: Place, wire: Wire) -> None:
    """Serve until the input ends, or somebody ends it; the process ends with it."""
    _log_in_lines()
    serving = Serving(Answering(LateHome(place)))
    anyio.run(_serve, serving, wire)
    _end_soon(serving)


async def _serve(serving: Serving, wire: Wire) -> None:
    server = serving.server()
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_stop_when_told, tasks.cancel_scope)
            tasks.start_soon(serving.keep_up)
            async with channel_over(wire) as (received, sent):
                await server.run(received, sent, server.create_initialization_options())
            tasks.cancel_scope.cancel()
    except* (ChannelBroken, BrokenPipeError):
        pass  # nobody is there to be answered


async def _stop_when_told(scope: anyio.CancelScope) -> None:
    try:
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            async for _ in signals:
                scope.cancel()
                return
    except NotImplementedError:  # a system without such signals
        return


def _end_soon(serving: Serving) -> None:
    """Close everything, and end the process even where something does not end."""
    closing = threading.Thread(target=serving.close, daemon=True)
    closing.start()
    closing.join(LAST_WORK_SECONDS)
    os._exit(0)


class _OneLine(logging.Formatter):
    """A record in one line, an exception by its name."""

    def format(self, record: logging.LogRecord) -> str:
        error = record.exc_info[1] if record.exc_info else None
        told = f"{record.getMessage()}{f': {type(error).__name__}: {error}' if error else ''}"
        return f"archivist mcp: {' '.join(told.split())[:LINE_CHARS]}"


def _log_in_lines() -> None:
    """What the SDK has to say goes to standard error, a line each."""
    handler = logging.StreamHandler()
    handler.setFormatter(_OneLine())
    logging.getLogger().addHandler(handler)
