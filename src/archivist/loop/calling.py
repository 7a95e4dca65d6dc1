"""The calls of a reply, made one after the other, each result stored before the next."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from archivist.guard import mask
from archivist.loop.events import Called, OnEvent, Returned
from archivist.loop.outputs import Outputs
from archivist.loop.work import Backing
from archivist.models.responder import Interrupt
from archivist.records import Message, ToolCall
from archivist.records.counts import counted
from archivist.tools.context import Context
from archivist.tools.telling import told

MOST_TOLD: Final = 60_000
"""Characters of a result that a model is told at most, whatever the tool allows itself."""
STOPPED: Final = "not run: the user stopped the turn"
MOST_OF_ERROR: Final = 500
BROKE_OFF: Final = "it broke off, and may be done in part: look before you try again"


def told_apart(calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
    """The calls of a reply, each under an id of its own: by it alone a provider knows whose result is whose."""
    used, found = set[str](), list[ToolCall]()
    for place, call in enumerate(calls):
        key = call.id or f"call-{place}"
        while key in used:
            key = f"{key}-{place}"
        used.add(key)
        found.append(call if key == call.id else replace(call, id=key))
    return tuple(found)


class Calls:
    """The calls of one turn.

    Args:
        home: Makes them.
        context: Of the turn.
        outputs: Keeps what is too long.
        add: Stores a result.
    """

    def __init__(
        self, home: Backing, context: Context, outputs: Outputs, add: Callable[[Message], None]
    ) -> None:
        self._home, self._context, self._outputs, self._add = home, context, outputs, add

    def make(self, calls: tuple[ToolCall, ...], interrupt: Interrupt, on_event: OnEvent) -> None:
        """Make all calls of a reply, in order; what is left when the user stops the turn has a result that says so."""
        for call in calls:
            if interrupt.is_set:
                self._store(call, STOPPED)
            else:
                self._make(call, on_event)

    def _make(self, call: ToolCall, on_event: OnEvent) -> None:
        on_event(Called(call))
        began = self._home.monotonic()
        result: Mapping[str, Any] = {"success": False, "error": BROKE_OFF}
        try:
            result = self._home.call(call.name, call.arguments, self._context)
        except Exception as error:  # noqa: BLE001 - whatever a tool raises: the model is told, and the conversation goes on
            result = {
                "success": False,
                "error": f"{BROKE_OFF} ({type(error).__name__}: {error})"[:MOST_OF_ERROR],
            }
        finally:  # whatever happens to the call: a result is stored for it
            text = self._within(told(result))
            self._store(call, text)
        seconds = self._home.monotonic() - began
        on_event(Returned(call, text, seconds, is_failure=result.get("success") is False))

    def _within(self, text: str) -> str:
        if len(text) <= MOST_TOLD:
            return text
        text = mask(text).text  # first: half a key is no key that anybody would know for one
        key = self._outputs.keep(text)
        left = counted(len(text) - MOST_TOLD, "more character")
        return f"{text[:MOST_TOLD]}\n[cut, {left}: read_file path=output:{key}]"

    def _store(self, call: ToolCall, text: str) -> None:
        self._add(Message("tool", text, self._outputs.take(), tool_call_id=call.id, tool_name=call.name))


__all__ = ["MOST_TOLD", "STOPPED", "Calls", "told_apart"]
