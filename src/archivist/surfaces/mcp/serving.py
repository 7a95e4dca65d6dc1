"""The server: requests come in, the core answers them in threads of its own, results go out in the form that the protocol asks for."""

import asyncio
import json
import os
import signal
import sys
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
from archivist.records import ArchivistError
from archivist.surfaces.mcp import offered
from archivist.surfaces.mcp.opened import LateHome, Place
from archivist.surfaces.mcp.pipes import ChannelBroken, stdio
from archivist.tools.registry import tool_named
from archivist.tools.results import failure
from archivist.tools.tool import Result, Tool

T = TypeVar("T")
READERS, WRITERS = 4, 4
"""Threads: what only reads never waits for a write that waits."""
LASTING_MS: Final = 3_600_000
"""How long a client may keep a list that changes with the version alone."""
CONSTANT: Final = CacheHint(ttl_ms=LASTING_MS, scope="public")
FAULT: Final[Result] = {
    "success": False,
    "error": "a fault in Archivist, of which its standard error has a line: whether anything was done is not known",
}
LAST_WORK_SECONDS: Final = 5.0
"""How long work that runs when the server is stopped may go on."""


class Serving:
    """Answers requests about one home."""

    def __init__(self, home: LateHome) -> None:
        self._home = home
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._writers = ThreadPoolExecutor(WRITERS, "writer")

    def server(self) -> Server[Any]:
        """The SDK's server with everything that is offered."""
        return Server(
            offered.NAME,
            version=__version__,
            title=offered.TITLE,
            description=offered.DESCRIPTION,
            instructions=offered.INSTRUCTIONS,
            cache_hints={"server/discover": CONSTANT, "tools/list": CONSTANT},
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
        )

    async def _list_tools(self, *_: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=offered.tools())

    async def _call_tool(self, _: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = tool_named(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name[:100]}")
        threads = self._readers if tool.is_read_only else self._writers
        result = await self._run(threads, lambda: self._called(tool, params.arguments or {}))
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=json.dumps(result, ensure_ascii=False))],
            structured_content=result,
            is_error=not result["success"],
        )

    def _called(self, tool: Tool, arguments: dict[str, Any]) -> Result:
        """What a tool answers, or why it cannot."""
        try:
            return self._home.asked(
                lambda archivist, reader: tool.call(
                    arguments, archivist.tool_context(self._home.place.scope, reader=reader)
                )
            )
        except ArchivistError as error:
            return failure(error)
        except Exception as error:  # noqa: BLE001 - the boundary of a call: a fault is told to both sides, and the server goes on
            report(f"{tool.name} failed: {type(error).__name__}: {error}")
            return failure(
                Exception(
                    "a fault in Archivist: nothing is known to have been done; the server's log has a line"
                )
            )

    async def _run(self, threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, work)

    def close(self) -> None:
        """End the threads and close the home; what runs may end first."""
        for threads in (self._readers, self._writers):
            threads.shutdown(cancel_futures=True)
        self._home.close()


def report(text: str) -> None:
    """One line on standard error."""
    sys.stderr.write(f"archivist mcp: {' '.join(text.split())[:1000]}\n")
    sys.stderr.flush()


def serve(place: Place) -> None:
    """Serve until the input ends, or somebody ends it."""
    serving = Serving(LateHome(place))
    anyio.run(_serve, serving)
    _end_soon(serving)


async def _serve(serving: Serving) -> None:
    server = serving.server()
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_stop_when_told, tasks.cancel_scope)
            async with stdio() as (received, sent):
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
    sys.stderr.flush()
    os._exit(0)
