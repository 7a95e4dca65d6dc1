"""Why a line of a session file becomes no message: what the program keeps for itself, and what nobody said."""

from collections.abc import Callable
from typing import Final

from archivist.transfer.claude_code.lines import Line
from archivist.transfer.reasons import BOOKKEEPING, BY_PROGRAM, IN_ORIGIN, NO_ID, SUMMARY, UNKNOWN_TYPE

_SYNTHETIC_MODEL: Final = "<synthetic>"
"""The program's own words in the model's name, such as an API error."""

NOTED: Final = frozenset(
    {
        "agent-name",
        "api-request",
        "api-request-blob",
        "api-request-shape",
        "ai-title",
        "atis-latch",
        "attachment",
        "cost-state",
        "custom-title",
        "file-history-snapshot",
        "last-prompt",
        "mode",
        "permission-mode",
        "pr-link",
        "progress",
        "queue-operation",
        "summary",
        "system",
        "tag",
        "tools-used",
    }
)
"""Types of lines that the program is known to write beside the conversation."""


def skip_reason(line: Line, is_shared: Callable[[Line], bool]) -> str | None:
    """Why a line is no part of a message of the file's own, apart from what its content shows."""
    if line.type not in {"user", "assistant"}:
        kind = (line.type or "none")[:40]
        return f"{BOOKKEEPING if kind in NOTED else UNKNOWN_TYPE}{kind}"
    return IN_ORIGIN if line.uuid and is_shared(line) else why_no_message(line)


def why_no_message(line: Line) -> str | None:
    """Why a line of a person or a model is no message, whoever tells it; None where it may be one."""
    is_synthetic = line.is_api_error_message or (line.message and line.message.model == _SYNTHETIC_MODEL)
    if line.is_meta:
        return f"{BY_PROGRAM}hidden"
    if line.is_compact_summary:
        return SUMMARY
    if is_synthetic:
        return f"{BY_PROGRAM}no model answered"
    return None if line.uuid else NO_ID


__all__ = ["NOTED", "skip_reason", "why_no_message"]
