"""What stands in no message of a transcript and was shown to its model all the same: what Claude Code looked up, ran or put in by itself.

Each is told as a result of the tool that would have brought it. What is of no tool's kind, such as the body of a skill, is a print of the
host's, which speaks to its model by trade: it makes nothing untrusted, but what is copied from it is nobody's word.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from archivist.guard.origins.tagged import replaced
from archivist.guard.wrappers import OUTPUTS, person_words
from archivist.records import Message, ToolCall
from archivist.records.patterns import late_pattern
from archivist.transfer.json_lines import read_lines
from archivist.transfer.json_text import AROUND, as_utf8, object_in, shaped_or_none

BESIDE: Final = "beside"
"""Before the id of a call that stands for what a host put beside a message."""
HOST: Final = {"by": "host"}
"""Metadata of what a host says to its model."""
PRINTED: Final = "diagnostics"
"""The tool that a host's own prints are told as."""

_MARKS: Final = (
    b'"attachment"',
    b'"isCompactSummary"',
    b'"isMeta"',
    b'"isApiErrorMessage"',
    b"<bash-",
    b"<local-command-stdout",
    b"<system-reminder",
    b"<task-notification",
    b"<ide_selection",
    b"<user-prompt-submit-hook",
    b"<command-name",
)
_OPENING: Final = late_pattern(
    r"<(bash-input|bash-stdout|bash-stderr|local-command-stdout|local-command-stderr|system-reminder|task-notification|ide_selection"
    r"|user-prompt-submit-hook|command-name)>"
)
_CALLED: Final = late_pattern(r"Called the (\w+) tool with the following input: (\{.*\})\s*\Z", re.DOTALL)
_RESULT: Final = late_pattern(
    r"\s*(?:Called the .*?\n)?\s*Result of calling the (\w+) tool:?(.*)\Z", re.DOTALL
)
_SELECTED: Final = late_pattern(r"from (\S+?):?\s")
_OF_SERVER: Final = late_pattern(r"/?mcp__\w|\(MCP\)")


class _Attached(msgspec.Struct, rename="camel"):
    """What a host put beside a message."""

    type: str = ""
    prompt: Any = None
    command_mode: str | None = None
    origin: Any = None
    filename: str | None = None
    path: str | None = None
    server: str | None = None
    uri: str | None = None
    content: Any = None
    snippet: Any = None


class _Spoken(msgspec.Struct):
    content: Any = None


class _Line(msgspec.Struct, rename="camel"):
    type: str | None = None
    is_compact_summary: bool | None = None
    is_meta: bool | None = None
    is_api_error_message: bool | None = None
    attachment: _Attached | None = None
    message: _Spoken | None = None

    @property
    def is_no_message(self) -> bool:
        """Whether it is none of the messages that are read of the transcript."""
        return bool(self.is_meta or self.is_api_error_message)


_UNSEEN_TOOL: Final = "mcp__host__block"
"""What a block is told as that a host put in and that is no text: of whatever it has nobody knows whose it is."""


def told_beside(path: Path) -> Iterator[Message]:
    """What a host put beside the messages of a transcript.

    Raises:
        OSError: It cannot be read.
    """
    reading, is_begun = _Reading(), False
    for number, raw in enumerate(read_lines(path, path.stat().st_size)):
        data = raw.raw or b""
        line, key = _decoded(data), f"{BESIDE}{number}"
        content = line.message.content if line is not None and line.message is not None else ""
        if line is not None and line.attachment is not None:
            yield from _attached(line.attachment, data, key)
        elif line is not None and line.is_compact_summary:
            summary = Message("assistant", _text_of(content), metadata={"summary": True})
            yield from () if is_begun else [summary]
            yield from _blocks_beside(content, key)
        elif line is not None and line.type == "user" and line.message is not None:
            yield from reading.put_in(_spoken(content), key, is_meta=bool(line.is_meta))
            yield from _blocks_beside(content, key) if line.is_no_message else ()
        is_begun |= b'"role"' in data


def _decoded(raw: bytes) -> _Line | None:
    """A line that may have something of a host's; what of it is not of the kind that it should be is left out, and nothing else is."""
    is_marked = any(mark in raw for mark in _MARKS)
    return shaped_or_none(as_utf8(raw.strip(AROUND))[0], _Line) if is_marked else None


def _blocks_beside(content: object, key: str) -> Iterator[Message]:
    """What a line has beside texts that is no message: pictures, documents, results; nobody knows whose words it shows."""
    for at, block in enumerate(content if isinstance(content, list) else []):
        if not isinstance(block, dict) or block.get("type") != "text":
            yield from _as_result(_UNSEEN_TOOL, {}, _text_of(block), f"{key}={at}")


def _spoken(content: object) -> str:
    """The texts of a line, without what tools gave."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(
        _text_of(one.get("text")) for one in blocks if isinstance(one, dict) and one.get("type") == "text"
    )


class _Reading:
    """Reads lines in a person's place, one after the other: a command, and the line with what it printed."""

    def __init__(self) -> None:
        self._command, self._name = "", ""
        self._called: tuple[str, dict[str, Any]] = PRINTED, {}

    def put_in(self, text: str, key: str, *, is_meta: bool) -> Iterator[Message]:
        """What a host put into a line; all of it where the line is the host's."""
        blocks = list[tuple[str, str]]()

        def take(whole: str, inside: str) -> str:
            blocks.append((whole[1 : whole.index(">")], inside))
            return ""

        rest = replaced(_OPENING, text, take, OUTPUTS).strip()
        for at, (tag, inside) in enumerate(blocks):
            yield from self._block(tag, inside, f"{key}-{at}")
        if is_meta and rest:
            yield from self._hidden(rest, key)

    def _block(self, tag: str, text: str, key: str) -> Iterator[Message]:
        if tag == "bash-input":
            self._command = text
        elif tag == "command-name":
            self._name = text
        elif tag in {"bash-stdout", "bash-stderr"}:
            yield from _as_result("Bash", {"command": self._command}, text, key)
        elif tag == "system-reminder":
            yield from self._reminder(text, key)
        elif tag == "task-notification":
            yield from _reported(text, key)
        elif tag == "ide_selection":
            path = _SELECTED.search(text)
            yield from _as_result(*_reading_of(path[1] if path else ""), text, key)
        elif tag == "user-prompt-submit-hook":
            yield from _by_host(text, key)
        else:
            yield from _as_result(PRINTED, {}, text, key)

    def _reminder(self, text: str, key: str) -> Iterator[Message]:
        """What a host says to its model; a tool that it called for the person, and what that gave."""
        if called := _CALLED.search(text):
            self._called = called[1], _object_in(called[2])
        elif result := _RESULT.match(text):
            tool, arguments = self._called
            yield from _as_result(result[1], arguments if tool == result[1] else {}, result[2], key)
        else:
            yield from _by_host(text, key)

    def _hidden(self, text: str, key: str) -> Iterator[Message]:
        """What a command of the person's put in: a server's words where it is a server's."""
        if _OF_SERVER.search(self._name):
            yield from _as_result("mcp__server__prompt", {}, text, key)
        else:
            yield from _by_host(text, key)


def _attached(attached: _Attached, raw: bytes, key: str) -> Iterator[Message]:
    if attached.type == "queued_command":
        yield from _queued(attached, key)
    elif attached.type in {"file", "edited_text_file", "nested_memory", "selected_lines_in_ide"}:
        text, path = _text_of(attached.content or attached.snippet), attached.filename or attached.path
        yield from _as_result(*_reading_of(path), text, key)
    elif attached.type == "mcp_resource":
        asked = {"server": attached.server or "", "uri": attached.uri or ""}
        yield from _as_result("ReadMcpResourceTool", asked, _text_of(attached.content), key)
    elif attached.type == "teammate_mailbox":
        yield from _as_result("Agent", {}, _text_of(_object_in(raw).get("attachment")), key)
    elif attached.type in {"hook_additional_context", "diagnostics", "hook_success"}:
        yield from _as_result(PRINTED, {}, person_words(_text_of(attached.content)), key)
    else:
        yield from _by_host(_text_of(_object_in(raw).get("attachment")), key)


def _reading_of(path: str | None) -> tuple[str, dict[str, Any]]:
    """The call that would have read a file; where it has no name nobody knows what was read."""
    return ("Read", {"file_path": path}) if path else (_UNSEEN_TOOL, {})


def _queued(attached: _Attached, key: str) -> Iterator[Message]:
    kind = attached.origin.get("kind") if isinstance(attached.origin, dict) else None
    text = _text_of(attached.prompt)
    if attached.command_mode in {None, "prompt"} and kind in {None, "human"}:
        yield Message("user", text)
    else:
        yield from _reported(text, key)


def _reported(text: str, key: str) -> Iterator[Message]:
    """What an agent, or else a task, told when it had ended."""
    _, begins, rest = text.partition("<result>")
    report, ends, _ = rest.partition("</result>")
    is_agents = bool(begins and ends)
    yield from _as_result("Agent" if is_agents else "TaskOutput", {}, report if is_agents else text, key)


def _as_result(tool: str, arguments: dict[str, Any], text: str, key: str) -> Iterator[Message]:
    """What a host looked up by itself, as if the model had asked for it."""
    told = msgspec.json.encode(arguments).decode()
    yield Message("assistant", tool_calls=(ToolCall(key, tool, told),))
    yield Message("tool", text, tool_call_id=key, tool_name=tool)


def _by_host(text: str, key: str) -> Iterator[Message]:
    """What a host says to its model."""
    yield Message("assistant", tool_calls=(ToolCall(key, PRINTED),))
    yield Message("tool", text, tool_call_id=key, tool_name=PRINTED, metadata=HOST)


def _object_in(told: str | bytes) -> dict[str, Any]:
    text = told if isinstance(told, str) else as_utf8(told.strip(AROUND))[0].decode()
    return object_in(text) or {}


def _text_of(value: object) -> str:
    """The texts in a value, one below the other."""
    if isinstance(value, str):
        return value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return "\n".join(filter(None, map(_text_of, parts)))


__all__ = ["BESIDE", "HOST", "told_beside"]
