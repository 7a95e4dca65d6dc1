"""The second pass: the entries that are messages are read again and become messages."""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from archivist.records import Message, Part
from archivist.transfer.foreign import ForeignMessage, SourceChanged
from archivist.transfer.openclaw.entries import Said, entry_of, print_of, read_content
from archivist.transfer.openclaw.envelopes import Opened, open_envelope, without_memory
from archivist.transfer.openclaw.outline import ROLES, SILENT, Kept, Outline
from archivist.transfer.openclaw.transcripts import Source
from archivist.transfer.pieces import facts, parts_of, reasoning_of, text_of
from archivist.transfer.times import UNKNOWN

SOURCE = "openclaw"
REPLY_TAG = re.compile(r"\s*\[\[ ?(?:reply_to_current|reply_to:[^\]\n]{1,200}|audio_as_voice) ?\]\][ \t]*\n?")


class Manner(msgspec.Struct, frozen=True):
    """How a session is to be told.

    Attributes:
        session: Its id, which stands before the entry's in a message's.
        is_shared: Whether several people may speak in it, who are then named.
        by_agent: Whether an agent wrote what stands in a person's place.
    """

    session: str
    is_shared: bool = False
    by_agent: bool = False


def read_messages(path: Path, source: Source, outline: Outline, manner: Manner) -> Iterator[ForeignMessage]:
    """The messages of the transcript in a file, of which an outline was made before.

    Raises:
        SourceChanged: An entry is not what it was in the first pass.
    """
    default_time = outline.first_time or UNKNOWN
    for number, raw in enumerate(source()):
        kept = outline.kept.get(number)
        if kept is None:
            continue
        entry = entry_of(raw)
        said = entry.message if entry else None
        if said is None or print_of(said) != kept.print:
            raise SourceChanged(path)
        yield ForeignMessage(_message(said, kept, manner, kept.time or default_time))


def _message(said: Said, kept: Kept, manner: Manner, time: datetime) -> Message:
    answer = read_content(said.content)
    role = ROLES[said.role or ""]
    metadata = facts(
        [kept.key],
        is_inferred=kept.is_inferred,
        is_error=role == "tool" and bool(said.is_error),
        by_agent=role == "user" and manner.by_agent,
    )
    pieces, speaker = answer.pieces, None
    if role == "user":
        pieces, opened = _spoken(answer.pieces)
        metadata |= _told_by(opened)
        speaker = opened.sender or opened.sender_id if manner.is_shared else None
    elif role == "assistant":
        pieces = _answered(answer.pieces, metadata)
    return Message(
        role=role,
        text=text_of(pieces),
        parts=parts_of(pieces),
        tool_calls=tuple(answer.calls),
        tool_call_id=said.tool_call_id if role == "tool" else None,
        tool_name=said.tool_name if role == "tool" else None,
        reasoning=reasoning_of(answer.reasoning),
        speaker=speaker,
        created_at=time,
        client_id=f"{SOURCE}:{manner.session}:{kept.key}",
        state=kept.state,
        metadata=metadata,
    )


def _spoken(pieces: list[Part]) -> tuple[list[Part], Opened]:
    """What a person said, without the envelope that stands around the first text."""
    kept: list[Part] = []
    envelope: Opened | None = None
    for piece in pieces:
        if piece.kind != "text":
            kept.append(piece)
            continue
        if envelope is None:
            envelope = open_envelope(piece.text)
            words = envelope.text
        else:
            words = without_memory(piece.text)
        if words.strip():
            kept.append(Part("text", words))
    return kept, envelope or Opened("")


def _told_by(envelope: Opened) -> dict[str, str]:
    known = {
        "platform_message_id": envelope.message_id,
        "platform": envelope.channel,
        "sender_id": envelope.sender_id,
        "sender_name": envelope.sender,
        "chat": envelope.chat,
    }
    return {name: value for name, value in known.items() if value}


def _answered(pieces: list[Part], metadata: dict[str, Any]) -> list[Part]:
    """What a model said; that it had nothing to say is a fact of the message and no word of it."""
    kept: list[Part] = []
    for piece in pieces:
        if piece.kind == "text" and piece.text.strip() in SILENT:
            metadata["silent"] = True
            continue
        tag = REPLY_TAG.match(piece.text) if piece.kind == "text" else None
        kept.append(Part("text", piece.text[tag.end() :]) if tag else piece)
    return kept
