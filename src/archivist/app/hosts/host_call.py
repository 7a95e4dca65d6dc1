"""A call of a tool of ours as another program makes it."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

CLAUDE_CODE: Final = "claude-code"


class HostCall(msgspec.Struct, frozen=True):
    """A call of a tool as a program makes it.

    Attributes:
        host: The program.
        tool: Our name of the tool.
        arguments: As they came.
        session: The program's id of the session that it holds, where it tells one; it may have gone on to another since.
        id: The program's id of the call, where it tells one.
        mark: Of a command of its shell that calls us, words that it has.
    """

    host: str
    tool: str
    arguments: Mapping[str, Any]
    session: str | None = None
    id: str | None = None
    mark: str | None = None

    @property
    def is_claude_code(self) -> bool:
        """Whether Claude Code makes it, whatever it was told to be called here: no other program gives calls such ids."""
        return self.host == CLAUDE_CODE or self.id is not None
