"""The second pass: lines are read again from their places and become messages."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from archivist.records import Message, Part
from archivist.transfer.codex.content import (
    Words,
    call_id,
    call_media,
    compaction_item,
    item_answer,
    item_person,
    model_answer,
    model_person,
    screen_answer,
    screen_person,
    shown_reasoning,
    tool_call,
    tool_result,
    without_plan,
)
from archivist.transfer.codex.entries import Entry, client_id
from archivist.transfer.codex.files import unfolded_whole
from archivist.transfer.codex.lines import Line, parse_line, value_of
from archivist.transfer.foreign import ForeignMessage, SourceChanged, SourceUnreadable
from archivist.transfer.json_lines import Place
from archivist.transfer.json_text import NotJson, without_surrogates
from archivist.transfer.pieces import facts, parts_of, reasoning_of, text_of
from archivist.transfer.reasons import PHASE

SOURCE = "codex"


def read_messages(
    path: Path,
    entries: Sequence[Entry],
    session: str,
    default_time: datetime,
    *,
    by_agent: bool,
    file_session: str | None = None,
) -> Iterator[ForeignMessage]:
    """The messages of a session.

    Args:
        path: Its file.
        entries: Its lines that become messages.
        session: Its id, which the ids of its messages begin with.
        file_session: The session that the file is of, where these lines are of the one that it was forked from.
        default_time: For lines before the first known time.
        by_agent: Whether an agent wrote what stands in a person's place.

    Raises:
        SourceChanged: The file is not what it was in the first pass.
        SourceUnreadable: It cannot be read.
    """
    try:
        with unfolded_whole(path) as file:
            for entry in entries:
                thoughts = [_reasoning(_line(path, file, place)) for place in entry.reasoning]
                line = _line(path, file, entry.place)
                if entry.kind == "compaction":
                    thoughts.append(compaction_item(line) or "")
                metadata = _facts(line, entry, file_session or session, by_agent=by_agent)
                message = _message(line, entry, session, entry.time or default_time, thoughts, metadata)
                yield ForeignMessage(message, entry.records)
    except OSError as error:
        raise SourceUnreadable(path, str(error)) from error


def _line(path: Path, file: BinaryIO, place: Place) -> Line:
    try:
        return parse_line(place.reread(file, path))
    except NotJson as error:
        raise SourceChanged(path) from error


def _facts(line: Line, entry: Entry, session: str, *, by_agent: bool) -> dict[str, Any]:
    told = facts(
        [f"{session}:{place.number}" for place in (*entry.reasoning, entry.place)],
        is_inferred=entry.is_inferred,
        is_error=entry.failed,
        by_agent=by_agent and entry.kind == "person",
    )
    if line.payload.phase and entry.kind == "answer":
        told[PHASE] = without_surrogates(line.payload.phase)
    return told


def _message(
    line: Line,
    entry: Entry,
    session: str,
    time: datetime,
    thoughts: Sequence[str],
    metadata: dict[str, Any],
) -> Message:
    pieces = _pieces(line, entry)
    return Message(
        role="user" if entry.kind == "person" else "tool" if entry.kind == "result" else "assistant",
        text=text_of(pieces),
        parts=parts_of(pieces),
        tool_calls=(tool_call(line.payload),) if entry.kind == "call" else (),
        tool_call_id=call_id(line.payload) if entry.kind == "result" else None,
        tool_name=entry.tool,
        reasoning=reasoning_of(thoughts),
        created_at=time,
        client_id=client_id(SOURCE, session, entry.key),
        state=entry.state,
        metadata=metadata,
    )


def _pieces(line: Line, entry: Entry) -> list[Part]:
    if entry.kind == "compaction":
        return []
    if entry.kind == "call":
        return call_media(line.payload)
    if entry.kind == "result":
        return tool_result(line.payload).pieces
    words = _words(line, entry)
    if entry.only == "media":
        return words.media
    if entry.only == "all":
        return words.pieces
    visible, plan = without_plan(words.text)
    return [Part("text", visible), *words.media] if entry.only == "visible" else [Part("text", plan)]


def _words(line: Line, entry: Entry) -> Words:
    is_person = entry.kind == "person"
    if line.payload.type == "item_completed":
        item = value_of(line.payload.item)
        return item_person(item) if is_person else item_answer(item)
    if entry.view == "model":
        if not is_person:
            return model_answer(line.payload)
        return model_person(line.payload, is_shown_too=entry.is_shown_too)
    return screen_person(line.payload) if is_person else screen_answer(line.payload)


def _reasoning(line: Line) -> str:
    """The model's own form to the letter, so that it can be sent again; what was only shown in the same form."""
    if line.type == "response_item":
        return without_surrogates(line.raw.decode("utf-8", "replace"))
    if line.payload.type != "item_completed":
        return shown_reasoning(line.payload.text or "")
    item = value_of(line.payload.item)
    texts = item.get("summary_text") if isinstance(item, dict) else None
    told = texts if isinstance(texts, list) else ()
    return shown_reasoning("\n".join(text for text in told if isinstance(text, str)))
