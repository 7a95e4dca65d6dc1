"""Requests answered from the home, one after the other in whatever thread: results for a model, errors for a client."""

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

import mcp_types as types
from mcp.shared.exceptions import MCPError

from archivist.app.hosts.host_call import HostCall
from archivist.guard import mask
from archivist.recall.reading import AmbiguousSession
from archivist.records import ArchivistError, Reader
from archivist.store import UnknownSession
from archivist.surfaces.mcp.opened import LateHome
from archivist.surfaces.mcp.prompts import NoSuchPrompt, checkpoint, proposals, question_in, recalled
from archivist.surfaces.mcp.resources import NoSuchResource, open_resource
from archivist.tools.context import Context
from archivist.tools.results import failure, for_model
from archivist.tools.tool import Result, Tool

if TYPE_CHECKING:
    from archivist.app import Archivist

T = TypeVar("T")
FAULT: Final = (
    "a fault in Archivist, of which its standard error has a line: whether anything was done is not known"
)
LINE_CHARS: Final = 1_000
CATCH_UP_SECONDS, TIDY_SECONDS = 0.5, 0.2
"""Of work at a time that nobody asked for."""


class Answering:
    """Answers about one home."""

    def __init__(self, home: LateHome) -> None:
        self._home = home

    def call(self, tool: Tool, arguments: dict[str, Any], call_id: str | None = None) -> types.CallToolResult:
        """What a tool answers, or why it cannot: as structure, and the same as one text.

        Args:
            tool: The tool.
            arguments: As they came.
            call_id: The client's id of the call, by which it stands in the client's transcript.
        """
        result = self._called(tool, arguments, call_id)
        told = self._home.take_notices()
        if told:
            name = "notices" if "notices" in tool.output["properties"] else "notes"
            result = result | {name: [*map(for_model, told), *result.get(name, ())]}
        text = json.dumps(result, ensure_ascii=False, separators=(",", ":"))
        if not _is_writable(text):  # half a character, of a file's name
            text = text.encode("utf-8", "replace").decode()
            result = json.loads(text)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)],
            structured_content=result,
            is_error=not result["success"],
        )

    def _called(self, tool: Tool, arguments: dict[str, Any], call_id: str | None) -> Result:
        try:
            place = self._home.place
            call = HostCall(place.host, tool.name, arguments, place.host_session, call_id)
            return self._home.asked(
                lambda archivist, reader: tool.call(arguments, self._context(archivist, reader, call))
            )
        except ArchivistError as error:
            return failure(error)
        except OSError as error:
            report_fault(tool.name, error)
            return {"success": False, "error": _reason_of(error)}
        except Exception as error:  # noqa: BLE001 - the boundary of a call: a fault is told to both sides, and the server goes on
            report_fault(tool.name, error)
            return {"success": False, "error": FAULT}

    def open(self, uri: str) -> types.ReadResourceResult:
        """What a resource holds.

        Raises:
            MCPError: It holds nothing, or cannot be read.
        """
        scope = self._home.place.scope
        found = self._answered(
            uri[:LINE_CHARS],
            lambda: self._home.asked(lambda archivist, reader: open_resource(uri, archivist, scope, reader)),
        )
        meta = None if found.meta is None else dict(found.meta)
        contents = types.TextResourceContents(
            uri=uri, mime_type=found.media_type, text=found.text, _meta=meta
        )
        return types.ReadResourceResult(contents=[contents])

    def prompt(self, name: str, arguments: dict[str, str]) -> types.GetPromptResult:
        """A prompt, filled in.

        Raises:
            MCPError: There is none, or the home cannot be opened.
        """
        if name == "checkpoint":
            return checkpoint(arguments)
        return self._answered(name, lambda: self._prompted(name, arguments))

    def _prompted(self, name: str, arguments: dict[str, str]) -> types.GetPromptResult:
        """A prompt that says something of the home."""
        if name == "review_proposals":
            return self._home.asked(lambda archivist, reader: proposals(archivist, reader, self._home.place))
        if name != "recall":
            raise NoSuchPrompt.named(name)
        question_in(arguments)  # what is wrong with it is said without a home
        return self._home.asked(
            lambda archivist, reader: recalled(arguments, self._context(archivist, reader))
        )

    def keep_up(self) -> bool:
        """Spend a moment on the search index and on what a quiet minute is for; whether there is more to do.

        What goes wrong is told by the next answer that it matters to.
        """
        try:
            return self._home.asked(
                lambda archivist, _: (
                    not archivist.catch_up(CATCH_UP_SECONDS).complete or not archivist.tidy(TIDY_SECONDS)
                )
            )
        except ArchivistError:
            return False
        except Exception as error:  # noqa: BLE001 - nobody asked for this work: a fault is reported, and the server goes on
            report_fault("keeping up", error)
            return False

    def close(self) -> None:
        """Close the home."""
        try:
            self._home.close()
        except ArchivistError as error:
            report(str(error))

    def _context(self, archivist: "Archivist", reader: Reader, call: HostCall | None = None) -> Context:
        session = self._home.session(archivist)
        return archivist.tool_context(
            self._home.place.scope,
            reader=reader,
            session=session,
            call=call,
            trusted=self._home.is_trusted(archivist),
        )

    def _answered(self, what: str, work: Callable[[], T]) -> T:
        try:
            return work()
        except (NoSuchResource, NoSuchPrompt, UnknownSession, AmbiguousSession) as error:
            raise MCPError(types.INVALID_PARAMS, failure(error)["error"]) from error
        except ArchivistError as error:
            raise MCPError(types.INTERNAL_ERROR, failure(error)["error"]) from error
        except OSError as error:
            report_fault(what, error)
            raise MCPError(types.INTERNAL_ERROR, _reason_of(error)) from error
        except Exception as error:
            report_fault(what, error)
            raise MCPError(types.INTERNAL_ERROR, FAULT) from error


def _reason_of(error: OSError) -> str:
    """What the system did not let happen, for who can put it right."""
    reason = error.strerror or type(error).__name__
    place = f"{error.filename}: {reason}" if error.filename else reason
    return mask(
        f"{place}; whether anything was done is not known: put it right, then look before you try again"
    ).text


def _is_writable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def report(text: str) -> None:
    """One line on standard error."""
    with suppress(OSError, ValueError, AttributeError):  # nobody reads it, or there is none
        sys.stderr.write(f"archivist mcp: {' '.join(text.split())[:LINE_CHARS]}\n")
        sys.stderr.flush()


def report_fault(what: str, error: Exception) -> None:
    """One line about a fault, and where it was met."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    report(f"{what}: {type(error).__name__}: {mask(str(error)[:LINE_CHARS]).text}{where}")
