"""An agent file as values, in its present shape and in the older flat one.

Only the fields named here are decoded. Secrets and the environment of tools stand beside them in the file and never become values.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from archivist.transfer.foreign import SourceUnreadable
from archivist.transfer.json_text import AROUND, NotJson, as_utf8, decode_leniently, shaped_or_none

MOST_BYTES = 512 * 1024 * 1024
NOTHING = msgspec.Raw(b"")
HEAD_BYTES = 4096


class Model(msgspec.Struct):
    """Which model an agent runs on."""

    model: str | None = None


class Agent(msgspec.Struct):
    """An agent; in the flat shape it is the whole file."""

    id: str | None = None
    name: str | None = None
    agent_type: str | None = None
    system: str | None = None
    created_at: str | int | float | None = None
    llm_config: Model | None = None
    messages: list[msgspec.Raw] | None = None
    in_context_message_ids: list[str] | None = None
    in_context_message_indices: list[int] | None = None
    core_memory: list[msgspec.Raw] | None = None


class Top(msgspec.Struct):
    """The top of a file of the present shape; what is no conversation is only counted."""

    agents: list[msgspec.Raw] | None = None
    blocks: list[msgspec.Raw] | None = None
    skills: list[msgspec.Raw] | None = None
    files: list[msgspec.Raw] | None = None


class AgentMessage(msgspec.Struct):
    """One message of an agent."""

    id: str | None = None
    role: str | None = None
    name: str | None = None
    text: str | None = None
    content: msgspec.Raw = NOTHING
    created_at: str | int | float | None = None
    tool_calls: msgspec.Raw = NOTHING
    tool_call_id: str | None = None
    tool_returns: msgspec.Raw = NOTHING


@dataclass(frozen=True, slots=True)
class AgentFile:
    """A file that has been read.

    Attributes:
        is_flat: Whether it has the older shape, in which messages have no ids.
        left_out: What it holds besides conversations, and how many of each.
        is_replaced: Whether bytes of it were no UTF-8.
    """

    agents: list[Agent]
    is_flat: bool
    left_out: dict[str, int]
    is_replaced: bool = False


def read_agent_file(path: Path) -> AgentFile:
    """Read an agent file.

    Raises:
        SourceUnreadable: It cannot be read, or is none.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise SourceUnreadable(path, "it is larger than 512 MB", "export the agent with fewer files")
        data, is_replaced = _json_of(path.read_bytes())
    except OSError as error:
        raise SourceUnreadable(path, str(error)) from error
    top, flat = shaped_or_none(data, Top), shaped_or_none(data, Agent)
    if top is not None and top.agents is not None:
        told = {"memory block": top.blocks, "skill": top.skills, "file": top.files}
        agents = [agent for raw in top.agents if (agent := shaped_or_none(raw, Agent)) is not None]
        return AgentFile(agents, is_flat=False, left_out=_counted(told), is_replaced=is_replaced)
    if flat is None or flat.messages is None:
        raise SourceUnreadable(path, "it is no agent file", "export the agent again")
    blocks = _counted({"memory block": flat.core_memory})
    return AgentFile([flat], is_flat=True, left_out=blocks, is_replaced=is_replaced)


def messages_of(agent: Agent) -> Iterator[AgentMessage | None]:
    """An agent's messages in order; None stands for what is none."""
    for raw in agent.messages or ():
        yield shaped_or_none(raw, AgentMessage)


def looks_like_one(path: Path) -> bool:
    """Whether a file of that name begins as an agent file does: with an object, or with one in quotes."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES).lstrip(AROUND)
    except OSError:
        return False
    return head.startswith((b"{", b'"{', b'"\\n', b'" '))


def _json_of(raw: bytes) -> tuple[bytes, bool]:
    """The JSON of a file, and whether bytes had to be replaced; some files are a JSON text that holds the JSON."""
    data, is_replaced = as_utf8(raw.strip(AROUND))
    try:
        inner = decode_leniently(data) if data.startswith(b'"') else None
    except NotJson:
        inner = None
    return (inner.encode("utf-8", "replace") if isinstance(inner, str) else data), is_replaced


def _counted(told: dict[str, list[msgspec.Raw] | None]) -> dict[str, int]:
    return {what: len(items) for what, items in told.items() if items}
