"""The tools in the order in which they are offered, everywhere and always the same: a list that changes costs a model its cache."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from archivist.tools.context import Context
from archivist.tools.memory import MEMORY
from archivist.tools.recall import RECALL
from archivist.tools.session_search import SESSION_SEARCH
from archivist.tools.tool import Result, Tool

TOOLS: Final[tuple[Tool, ...]] = (MEMORY, RECALL, SESSION_SEARCH)
"""For every model, wherever it runs; `agent_tools.py` has those of an agent of ours."""


def tool_named(name: str, offered: Sequence[Tool] = TOOLS) -> Tool | None:
    """The tool of that name among those that are offered."""
    return next((tool for tool in offered if tool.name == name), None)


def call_tool(
    name: str, arguments: Mapping[str, Any] | str, context: Context, offered: Sequence[Tool] = TOOLS
) -> Result:
    """Call a tool; whatever it is given, a result says what came of it.

    Args:
        name: As it is offered.
        arguments: As the model gave them, also as JSON in a string.
        context: From the host.
        offered: Those that there are for whoever calls.
    """
    tool = tool_named(name, offered)
    if tool is None:
        return {
            "success": False,
            "error": f"there is no tool {name[:100]!r}: use one of {', '.join(tool.name for tool in offered)}",
        }
    return tool.call(arguments, context)
