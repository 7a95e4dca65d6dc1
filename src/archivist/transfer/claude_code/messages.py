"""The second pass: lines become messages; those that are not held are read again from their places."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import Any, BinaryIO

from archivist.records import Message, Part
from archivist.transfer.claude_code.blocks import Answer, Content, Result, Speech, read_answer, read_speech
from archivist.transfer.claude_code.index import Entry
from archivist.transfer.claude_code.lines import parse_line
from archivist.transfer.claude_code.turns import Turn
from archivist.transfer.foreign import ForeignMessage, SourceChanged, SourceUnreadable
from archivist.transfer.json_lines import READ_BYTES
from archivist.transfer.json_text import NotJson
from archivist.transfer.pieces import facts, parts_of, reasoning_of, text_of
from archivist.transfer.reasons import REQUEST_ID

SOURCE = "claude-code"


def read_messages(
    path: Path,
    turns: Sequence[Turn],
    names: Mapping[str, tuple[str, int]],
    prefix: str,
    default_time: datetime,
    *,
    by_agent: bool,
) -> Iterator[ForeignMessage]:
    """The messages of a session.

    Args:
        path: Its file.
        turns: Which lines make which message.
        names: The name of each tool called, and where in the file.
        prefix: Stands before the line's id in the message's: a sub-agent's lines are in its parent's conversation.
        default_time: For lines before the first known time.
        by_agent: Whether an agent wrote what stands in a person's place.

    Raises:
        SourceChanged: The file is not what it was in the first pass.
        SourceUnreadable: It cannot be read.
    """
    try:
        with path.open("rb", buffering=READ_BYTES) as file:
            for turn in turns:
                time = turn.first.time or default_time
                client_id = f"{prefix}:{turn.first.uuid}"
                if turn.first.kind == "assistant":
                    answers = [_answer(path, file, entry) for entry in turn.entries]
                    yield ForeignMessage(_response(turn, answers, client_id, time), len(turn.entries))
                else:
                    speech = _speech(path, file, turn.first)
                    told = _user_messages(turn, speech, names, client_id, time, by_agent=by_agent)
                    for number, message in enumerate(told):
                        yield ForeignMessage(message, 0 if number else 1)
    except OSError as error:
        raise SourceUnreadable(path, str(error)) from error


def _user_messages(
    turn: Turn,
    speech: Speech,
    names: Mapping[str, tuple[str, int]],
    client_id: str,
    time: datetime,
    *,
    by_agent: bool,
) -> Iterator[Message]:
    """Tool results first, then what the person said beside them."""
    results, pieces = speech
    ids = chain([client_id], (f"{client_id}#{number}" for number in count(1)))
    for result in results:
        yield _result(result, turn, names, next(ids), time)
    if pieces:
        yield _said(pieces, turn, next(ids), time, by_agent=by_agent)


def _answer(path: Path, file: BinaryIO, entry: Entry) -> Answer:
    held = entry.held
    return held if isinstance(held, Answer) else read_answer(_content(path, file, entry))


def _speech(path: Path, file: BinaryIO, entry: Entry) -> Speech:
    held = entry.held
    return held if isinstance(held, tuple) else read_speech(_content(path, file, entry))


def _content(path: Path, file: BinaryIO, entry: Entry) -> Content:
    try:
        line, _ = parse_line(entry.place.reread(file, path))
    except NotJson as error:
        raise SourceChanged(path) from error
    return line.message.content if line.message else None


def _response(turn: Turn, answers: Sequence[Answer], client_id: str, time: datetime) -> Message:
    pieces = [piece for answer in answers for piece in answer.pieces]
    return Message(
        role="assistant",
        text=text_of(pieces),
        parts=parts_of(pieces),
        tool_calls=tuple(call for answer in answers for call in answer.calls),
        reasoning=reasoning_of([block for answer in answers for block in answer.reasoning]),
        created_at=time,
        client_id=client_id,
        state=turn.state,
        metadata={REQUEST_ID: turn.first.request} | _facts(turn),
    )


def _result(
    result: Result, turn: Turn, names: Mapping[str, tuple[str, int]], client_id: str, time: datetime
) -> Message:
    name, offset = names.get(result.call_id, (None, 0))
    return Message(
        role="tool",
        text=text_of(result.pieces),
        parts=parts_of(result.pieces),
        tool_call_id=result.call_id,
        tool_name=name if offset < turn.first.place.offset else None,
        created_at=time,
        client_id=client_id,
        state=turn.state,
        metadata=_facts(turn, is_error=result.is_error),
    )


def _said(pieces: Sequence[Part], turn: Turn, client_id: str, time: datetime, *, by_agent: bool) -> Message:
    return Message(
        role="user",
        text=text_of(pieces),
        parts=parts_of(pieces),
        created_at=time,
        client_id=client_id,
        state=turn.state,
        metadata=_facts(turn, by_agent=by_agent),
    )


def _facts(turn: Turn, *, is_error: bool = False, by_agent: bool = False) -> dict[str, Any]:
    ids = [entry.uuid for entry in turn.entries]
    return facts(ids, is_inferred=turn.first.is_inferred, is_error=is_error, by_agent=by_agent)
