"""The tools in the order in which they are offered, everywhere and always the same: a list that changes costs a model its cache."""

from collections.abc import Mapping
from typing import Any, Final

from archivist.tools.context import Context
from archivist.tools.memory import MEMORY
from archivist.tools.recall import RECALL
from archivist.tools.session_search import SESSION_SEARCH
from archivist.tools.tool import Result, Tool

TOOLS: Final[tuple[Tool, ...]] = (MEMORY, RECALL, SESSION_SEARCH)
_BY_NAME: Final = {tool.name: tool for tool in TOOLS}


def tool_named(name: str) -> Tool | None:
    """The tool of that name."""
    return _BY_NAME.get(name)


def call_tool(name: str, arguments: Mapping[str, Any] | str, context: Context) -> Result:
    """Call a tool; whatever it is given, a result says what came of it.

    Args:
        name: As it is offered.
        arguments: As the model gave them, also as JSON in a string.
        context: From the host.
    """
    tool = tool_named(name)
    if tool is None:
        return {
            "success": False,
            "error": f"there is no tool {name[:100]!r}: use one of {', '.join(_BY_NAME)}",
        }
    return tool.call(arguments, context)
