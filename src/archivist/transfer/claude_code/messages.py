"""The second pass: lines are read again from their places and become messages."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from archivist.records import Message
from archivist.transfer.claude_code.blocks import Content, Result, parts_of, read_answer, read_speech, text_of
from archivist.transfer.claude_code.index import Entry, own_id
from archivist.transfer.claude_code.lines import parse_line
from archivist.transfer.claude_code.turns import Turn
from archivist.transfer.foreign import ForeignMessage, SourceChanged, SourceUnreadable
from archivist.transfer.json_lines import READ_BYTES
from archivist.transfer.json_text import NotJson

SOURCE = "claude-code"


def read_messages(
    path: Path,
    turns: Sequence[Turn],
    names: Mapping[str, tuple[str, int]],
    prefix: str,
    default_time: datetime,
) -> Iterator[ForeignMessage]:
    """The messages of a session.

    Args:
        path: Its file.
        turns: Which lines make which message.
        names: The name of each tool called, and where in the file.
        prefix: Stands before the line's id in the message's: a sub-agent's lines are in its parent's conversation.
        default_time: For lines before the first known time.

    Raises:
        SourceChanged: The file is not what it was in the first pass.
        SourceUnreadable: It cannot be read.
    """
    try:
        with path.open("rb", buffering=READ_BYTES) as file:
            for turn in turns:
                time = turn.first.time or default_time
                contents = [_content(path, file, entry) for entry in turn.entries]
                client_id = f"{prefix}:{turn.first.uuid}"
                if turn.first.kind == "assistant":
                    yield ForeignMessage(_response(turn, contents, client_id, time), len(turn.entries))
                else:
                    yield from _user_messages(turn, contents[0], names, client_id, time)
    except OSError as error:
        raise SourceUnreadable(path, str(error)) from error


def _user_messages(
    turn: Turn, content: Content, names: Mapping[str, tuple[str, int]], client_id: str, time: datetime
) -> Iterator[ForeignMessage]:
    """Tool results first, then what the person said beside them; the line is counted once."""
    results, pieces = read_speech(content)
    told = [_result(result, turn, names) for result in results]
    if pieces:
        told.append((Message(role="user", text=text_of(pieces), parts=parts_of(pieces)), {}))
    for number, (message, metadata) in enumerate(told):
        piece_id = f"{client_id}#{number}" if number else client_id
        yield ForeignMessage(_complete(message, turn, piece_id, time, metadata), 0 if number else 1)


def _content(path: Path, file: BinaryIO, entry: Entry) -> Content:
    file.seek(entry.offset)
    try:
        line, _ = parse_line(file.read(entry.length))
    except NotJson as error:
        raise SourceChanged(path) from error
    if entry.uuid not in {line.uuid, own_id(line)}:
        raise SourceChanged(path)
    return line.message.content if line.message else None


def _response(turn: Turn, contents: Sequence[Content], client_id: str, time: datetime) -> Message:
    answers = [read_answer(content) for content in contents]
    pieces = [piece for answer in answers for piece in answer.pieces]
    reasoning = [block for answer in answers for block in answer.reasoning]
    message = Message(
        role="assistant",
        text=text_of(pieces),
        parts=parts_of(pieces),
        tool_calls=tuple(call for answer in answers for call in answer.calls),
        reasoning=f"[{','.join(reasoning)}]" if reasoning else None,
    )
    return _complete(message, turn, client_id, time, {"request_id": turn.first.request})


def _result(
    result: Result, turn: Turn, names: Mapping[str, tuple[str, int]]
) -> tuple[Message, dict[str, Any]]:
    name, offset = names.get(result.call_id, (None, 0))
    message = Message(
        role="tool",
        text=text_of(result.pieces),
        parts=parts_of(result.pieces),
        tool_call_id=result.call_id,
        tool_name=name if offset < turn.first.offset else None,
    )
    return message, {"is_error": True} if result.is_error else {}


def _complete(
    message: Message, turn: Turn, client_id: str, time: datetime, metadata: dict[str, Any]
) -> Message:
    metadata["source_ids"] = [entry.uuid for entry in turn.entries]
    if turn.first.is_inferred:
        metadata["time"] = "inferred"
    return Message(
        role=message.role,
        text=message.text,
        parts=message.parts,
        tool_calls=message.tool_calls,
        tool_call_id=message.tool_call_id,
        tool_name=message.tool_name,
        reasoning=message.reasoning,
        created_at=time,
        client_id=client_id,
        state=turn.state,
        metadata=metadata,
    )
