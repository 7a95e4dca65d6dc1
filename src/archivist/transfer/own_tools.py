"""What Archivist's own tools were asked and answered, which is not told a second time.

A host writes into its history what was noted and recalled through Archivist. All of that is here already, where it can be replaced and
deleted; a copy of it would come back as something that was said, after what it quotes is gone. So such calls and results are stored as
having happened, without what they say.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from archivist.records import Message, ToolCall
from archivist.records.patterns import late_pattern
from archivist.transfer.foreign import ForeignMessage
from archivist.transfer.reasons import KEPT_ELSEWHERE

SERVER: Final = "archivist"
TOOL: Final = late_pattern(r"[^a-z0-9](?:memory|recall|session_search|resource|command)\Z", re.IGNORECASE)
"""How the names end that hosts give the tools; before that stands the server's."""

COMMAND: Final = "archivist__command"
"""What a shell is called by in which Archivist's command line was asked, and nothing else."""

RESOURCE: Final = "mcp__{}__resource"
"""What a read of a resource is called by: its server counts, whatever the host calls the tool."""

READ_RESOURCE: Final = late_pattern(r"read_?mcp_?resource(?:_?tool)?", re.IGNORECASE)


class _Asked(msgspec.Struct):
    server: str = ""


ASKED: Final = msgspec.json.Decoder(_Asked)


def is_own(name: str | None) -> bool:
    """Whether a tool is one of Archivist's own, by the name that a host gives it."""
    if not name or SERVER not in name.lower():
        return False
    tool = TOOL.search(name)
    return tool is not None and SERVER in name[: tool.start()].lower()


def name_of(call: ToolCall) -> str:
    """The name under which a call is answered: who reads any server's resources goes by that server, a shell by whom it asks."""
    if not READ_RESOURCE.fullmatch(call.name):
        return COMMAND if SERVER in call.arguments and _asks_by_command(call) else call.name
    try:
        server = ASKED.decode(call.arguments).server
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return call.name
    own = RESOURCE.format(server)
    return own if is_own(own) else call.name


def _asks_by_command(call: ToolCall) -> bool:
    from archivist.guard.origins.tools import command_in  # noqa: PLC0415 - few calls name the program at all
    from archivist.transfer.own_commands import asks_only_archivist  # noqa: PLC0415 - as above

    return asks_only_archivist(command_in(call.arguments))


def without_own_answers(messages: Iterable[ForeignMessage]) -> Iterator[ForeignMessage]:
    """The messages of one session; where a result names no tool, the call before it does."""
    names: dict[str, str] = {}
    for foreign in messages:
        message = foreign.message
        names |= {call.id: name_of(call) for call in message.tool_calls}
        kept = kept_of(message, names.get(message.tool_call_id or ""))
        yield foreign if kept is message else replace(foreign, message=kept)


def kept_of(message: Message, called: str | None = None) -> Message:
    """What is stored of a message: all of it, but for what Archivist's own tools were asked and answered.

    Args:
        message: A message of a foreign history.
        called: Of a result, what its call goes by.
    """
    if message.role == "tool" and (is_own(message.tool_name) or is_own(called)):
        return replace(message, text="", parts=(), metadata={**message.metadata, KEPT_ELSEWHERE: True})
    if any(is_own(name_of(call)) for call in message.tool_calls):
        return replace(message, tool_calls=tuple(map(_kept_call, message.tool_calls)))
    return message


def _kept_call(call: ToolCall) -> ToolCall:
    return replace(call, arguments="{}") if is_own(name_of(call)) else call
