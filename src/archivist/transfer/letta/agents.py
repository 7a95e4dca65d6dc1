"""An agent file as values, in its present shape and in the older flat one.

Only the fields named here are decoded. Secrets and the environment of tools stand beside them in the file and never become values.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from archivist.transfer.foreign import SourceUnreadable
from archivist.transfer.json_text import AROUND, NotJson, as_utf8, decode_leniently, shaped_or_none

MOST_BYTES = 512 * 1024 * 1024
NOTHING = msgspec.Raw(b"")
HEAD_BYTES = 65_536
NAME = re.compile(rb'"(\w{2,40})"\s*:')
TOP_NAMES = frozenset({b"agents", b"agent_type"})
AGENT_NAMES = frozenset(
    {b"agent_type", b"llm_config", b"in_context_message_ids", b"in_context_message_indices", b"core_memory"}
)
"""Members of an agent that files of other programs do not have."""


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


class Block(msgspec.Struct):
    """A block of an agent's memory, which every prompt of it carries."""

    label: str | None = None
    value: str | None = None


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


class AgentFile(msgspec.Struct, frozen=True):
    """A file that has been read.

    Attributes:
        agents: In order; None stands for what is none.
        is_flat: Whether it has the older shape, in which messages have no ids.
        left_out: What it holds besides conversations and memory blocks, and how many of each.
        is_replaced: Whether bytes of it were no UTF-8.
        blocks: The memory blocks of its agents; None stands for what is none.
    """

    agents: list[Agent | None]
    is_flat: bool
    left_out: dict[str, int]
    is_replaced: bool = False
    blocks: tuple[Block | None, ...] = ()


def read_agent_file(path: Path) -> AgentFile:
    """Read an agent file.

    Raises:
        SourceUnreadable: It cannot be read, or is none.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise SourceUnreadable(path, "it is larger than 512 MB", "export the agent with fewer files")
        data, is_replaced = _json_of(path)
    except OSError as error:
        raise SourceUnreadable(path, str(error)) from error
    top, flat = shaped_or_none(data, Top), shaped_or_none(data, Agent)
    if top is not None and top.agents is not None:
        told = {"skill": top.skills, "file": top.files}
        agents = [shaped_or_none(raw, Agent) for raw in top.agents]
        return AgentFile(
            agents,
            is_flat=False,
            left_out=_counted(told),
            is_replaced=is_replaced,
            blocks=_blocks(top.blocks),
        )
    if flat is None or flat.messages is None:
        raise SourceUnreadable(path, "it is no agent file", "export the agent again")
    blocks = _blocks(flat.core_memory)
    return AgentFile([flat], is_flat=True, left_out={}, is_replaced=is_replaced, blocks=blocks)


def messages_of(agent: Agent) -> Iterator[tuple[msgspec.Raw, AgentMessage | None]]:
    """An agent's messages in order, as they stand in the file and as values; None stands for what is none."""
    for raw in agent.messages or ():
        yield raw, message_of(raw)


def message_of(raw: msgspec.Raw) -> AgentMessage | None:
    """A message."""
    return shaped_or_none(raw, AgentMessage)


def looks_like_one(path: Path) -> bool:
    """Whether a file begins as an agent file does: with an object, or with one in quotes."""
    return _head(path).startswith((b"{", b'"{', b'"\\n', b'" '))


def holds_one(path: Path) -> bool:
    """Whether a file of another name is one: the members of its beginning are an agent file's, and nothing else's."""
    if not looks_like_one(path):
        return False
    names = NAME.findall(_head(path).replace(b'\\"', b'"'))
    return not TOP_NAMES.isdisjoint(names) and len(AGENT_NAMES.intersection(names)) > 1


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES).lstrip(AROUND)
    except OSError:
        return b""


def _json_of(path: Path) -> tuple[bytes, bool]:
    """The JSON of a file, and whether bytes had to be replaced; some files are a JSON text that holds the JSON."""
    raw = path.read_bytes()
    is_plain = raw.startswith((b"{", b'"')) and not raw.endswith(b"\0")
    data, is_replaced = as_utf8(raw if is_plain else raw.strip(AROUND))  # which copies all of it
    try:
        inner = decode_leniently(data) if data.startswith(b'"') else None
    except NotJson:
        inner = None
    return (inner.encode("utf-8", "replace") if isinstance(inner, str) else data), is_replaced


def _blocks(raw: list[msgspec.Raw] | None) -> tuple[Block | None, ...]:
    return tuple(shaped_or_none(each, Block) for each in raw or ())


def _counted(told: dict[str, list[msgspec.Raw] | None]) -> dict[str, int]:
    return {what: len(items) for what, items in told.items() if items}
