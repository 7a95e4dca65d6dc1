"""The tools of an agent that has a folder to work in; who offers memory alone does not load them."""

from typing import Final

from archivist.tools.patch import PATCH
from archivist.tools.read_file import READ_FILE
from archivist.tools.registry import TOOLS
from archivist.tools.search_files import SEARCH_FILES
from archivist.tools.terminal import TERMINAL
from archivist.tools.tool import Tool
from archivist.tools.write_file import WRITE_FILE

AGENT_TOOLS: Final[tuple[Tool, ...]] = (*TOOLS, READ_FILE, WRITE_FILE, PATCH, SEARCH_FILES, TERMINAL)

__all__ = ["AGENT_TOOLS"]
