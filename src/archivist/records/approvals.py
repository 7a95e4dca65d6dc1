"""What is asked of a person before a tool writes or runs something, and what they answer."""

from collections.abc import Callable
from typing import Literal

import msgspec

Risk = Literal["write", "run", "outside"]
"""It writes a file of the workspace; it runs a command; it reads or writes outside the workspace, or what is guarded inside."""


class Ask(msgspec.Struct, frozen=True):
    """What a tool would do.

    Attributes:
        tool: Its name.
        title: In one line, such as "write src/app.py (+12 -3)" or "run: make test".
        detail: All of it: a diff, a command of several lines.
        group: What a "yes, for this session" covers, such as "write" or the first word of a command.
    """

    tool: str
    title: str
    risk: Risk
    detail: str = ""
    group: str = ""


class Answer(msgspec.Struct, frozen=True):
    """What a person said to it.

    Attributes:
        verdict: `once`, `session` (and whatever is of the same group until the session ends), or `no`.
        reason: What the model is told of a no.
    """

    verdict: Literal["once", "session", "no"]
    reason: str = ""


Approve = Callable[[Ask], Answer]

__all__ = ["Answer", "Approve", "Ask", "Risk"]
