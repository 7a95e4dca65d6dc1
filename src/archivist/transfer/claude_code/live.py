"""What a session at work has heard: its transcript as it is written, found by a call that it has just made.

Unlike an import this takes everything that the model has seen: what a host puts beside a person's message, what Archivist's own tools
answered, and what was said since the last response that has ended. A message whose line is not on the way to the last one is `branch`.
"""

from collections.abc import Iterable, Iterator, Mapping
from glob import escape
from itertools import chain
from pathlib import Path
from stat import S_ISREG
from typing import Any, Final

import msgspec

from archivist.records import Message, ToolCall
from archivist.transfer.claude_code.beside import told_beside
from archivist.transfer.claude_code.files import is_agent
from archivist.transfer.claude_code.index import MAIN, FileIndex, Stream, index_file
from archivist.transfer.claude_code.messages import read_messages
from archivist.transfer.claude_code.turns import group, set_states
from archivist.transfer.claude_code.unread import unread_in
from archivist.transfer.foreign import TransferError
from archivist.transfer.times import UNKNOWN

TAIL_BYTES: Final = 1 << 20
"""At the end of a transcript: there stands the call that is made now, unless much was written since."""


class Wanted(msgspec.Struct, frozen=True):
    """A call that is to be found.

    Attributes:
        id: The host's id of it; None where it tells none.
        tool: What it calls, without the name of the server.
        arguments: As they came.
        mark: In their place, words that they have.
    """

    id: str | None
    tool: str
    arguments: Mapping[str, Any]
    mark: str | None = None


class Heard(msgspec.Struct, frozen=True):
    """What a transcript holds.

    Attributes:
        delegated: Sessions in which an agent speaks in the person's place.
    """

    messages: tuple[Message, ...]
    delegated: frozenset[str] = frozenset()


def transcript_of(folder: Path, session: str) -> Path | None:
    """The transcript of a session, in whichever project's folder it is."""
    if not session or Path(session).name != session:
        return None
    return next((found for found in folder.glob(f"*/{escape(session)}.jsonl") if found.is_file()), None)


def written_since(folder: Path, moment: float) -> list[Path]:
    """The transcripts, those of sub-agents among them, to which something was written since a time; the latest first."""
    found = list[tuple[float, Path]]()
    for path in chain(folder.glob("*/*.jsonl"), folder.glob("*/*/subagents/agent-*.jsonl")):
        try:
            status = path.stat()
        except OSError:
            continue
        if status.st_mtime >= moment and S_ISREG(status.st_mode):  # a pipe would never answer
            found.append((status.st_mtime, path))
    return [path for _, path in sorted(found, reverse=True)]


def makes_call(path: Path, wanted: Wanted) -> bool:
    """Whether a transcript has a call that was made just now.

    A call that the host names is found by that name; another one by what it asks for, where nothing has answered it yet. What cannot be
    read has none.
    """
    mark = (wanted.id or wanted.tool).encode()
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            for start in dict.fromkeys((max(0, size - TAIL_BYTES), 0)):
                file.seek(start)
                if mark in file.read() and _has_call(path, size, wanted):
                    return True
    except (OSError, TransferError):
        return False
    return False


def heard_in(path: Path) -> Heard:
    """What the model of a session has seen, in order; of a sub-agent's also what the session had that began it.

    Raises:
        OSError, TransferError: It cannot be read.
    """
    index = index_file(path, path.stat().st_size, shared={}, is_agent=is_agent(path))
    parent = path.parent.parent.with_suffix(".jsonl") if is_agent(path) else None
    before = heard_in(parent) if parent is not None and parent.is_file() else None
    messages, delegated = list(before.messages if before else ()), set(before.delegated if before else ())
    for key, stream in index.streams.items():
        is_agents = key != MAIN or is_agent(path)
        is_followed = key != MAIN or before is not None  # what the agent had heard that began it is read too
        session = f"{path.stem}/{key}" if is_agents and is_followed else None
        told = _said_in(path, index, stream, by_agent=is_agents)
        messages += (msgspec.structs.replace(message, session_id=session) for message in told)
        delegated.update([session] if session else [])
    return Heard((*messages, *told_beside(path), *unread_in(path, index)), frozenset(delegated))


def _said_in(path: Path, index: FileIndex, stream: Stream, *, by_agent: bool = False) -> Iterator[Message]:
    turns = group(stream.entries, ())
    told = [turn for turn in (*turns.closed, *turns.open) if not turn.is_empty]
    set_states(told, stream, index)
    time = index.first_time or UNKNOWN
    return (
        foreign.message
        for foreign in read_messages(path, told, stream.names, "live", time, by_agent=by_agent)
    )


def _has_call(path: Path, size: int, wanted: Wanted) -> bool:
    index = index_file(path, size, shared={}, is_agent=is_agent(path))
    told = (message for stream in index.streams.values() for message in _said_in(path, index, stream))
    return is_made(told, wanted)


def is_made(messages: Iterable[Message], wanted: Wanted) -> bool:
    """Whether a call stands in messages: one that the host names by that name, another one by what it asks for and unanswered."""
    calls, answered = list[ToolCall](), set[str]()
    for message in messages:
        calls += message.tool_calls
        answered.add(message.tool_call_id or "")
    if wanted.id is not None:
        return any(call.id == wanted.id for call in calls)
    return any(call.id not in answered and _is_wanted(call, wanted) for call in calls)


def _is_wanted(call: ToolCall, wanted: Wanted) -> bool:
    if not call.name.endswith(wanted.tool):
        return False
    if wanted.mark is not None:
        return wanted.mark in call.arguments
    try:
        asked = msgspec.json.decode(call.arguments)
    except msgspec.DecodeError:
        return False
    return bool(asked == dict(wanted.arguments))


__all__ = ["Heard", "Wanted", "heard_in", "is_made", "makes_call", "transcript_of", "written_since"]
