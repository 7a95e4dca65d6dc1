"""The second pass: the entries that are messages are read again and become messages."""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from archivist.records import Message, Part
from archivist.transfer.foreign import ForeignMessage, SourceChanged
from archivist.transfer.json_text import NotJson
from archivist.transfer.openclaw.entries import Said, parse_entry, parts_of, read_content, text_of
from archivist.transfer.openclaw.envelopes import Opened, open_envelope
from archivist.transfer.openclaw.transcripts import ROLES, SILENT, Kept, Source, Transcript, key_of
from archivist.transfer.times import UNKNOWN
from archivist.transfer.wrappers import person_words

SOURCE = "openclaw"
REPLY_TAG = re.compile(r"\s*\[\[ ?(?:reply_to_current|reply_to:[^\]\n]{1,200}|audio_as_voice) ?\]\][ \t]*\n?")
HEARTBEAT = re.compile(r"\s*Read HEARTBEAT\.md if it exists")


def read_messages(
    path: Path, source: Source, told: Transcript, session: str, *, in_group: bool
) -> Iterator[ForeignMessage]:
    """The messages of a session.

    Args:
        path: What the transcript was read from.
        source: Gives its entries.
        told: The transcript after the first pass.
        session: The session's id, which stands before the entry's in a message's.
        in_group: Whether several people may speak in it.

    Raises:
        SourceChanged: The transcript is not what it was in the first pass.
    """
    default_time = told.first_time or UNKNOWN
    prints: dict[str, int] = {}
    for number, raw in enumerate(source()):
        try:
            entry = parse_entry(raw.raw) if raw.raw is not None else None
        except NotJson:
            entry = None
        key = key_of(entry, prints)[0] if entry else None
        kept = told.kept.get(number)
        if kept is None:
            continue
        if entry is None or key != kept.key:
            raise SourceChanged(path)
        yield ForeignMessage(
            _message(entry.message or Said(), kept, session, kept.time or default_time, in_group=in_group)
        )


def _message(said: Said, kept: Kept, session: str, time: datetime, *, in_group: bool) -> Message:
    answer = read_content(said.content)
    role = ROLES[said.role or ""]
    metadata: dict[str, Any] = {"source_ids": [kept.key]}
    if kept.is_inferred:
        metadata["time"] = "inferred"
    pieces, speaker = answer.pieces, None
    if role == "user":
        pieces, opened = _spoken(answer.pieces, in_group=in_group)
        metadata |= _told_by(opened)
        speaker = opened.sender or opened.sender_id if in_group else None
        if HEARTBEAT.match(text_of(pieces)):
            metadata["heartbeat"] = True
    elif role == "assistant":
        pieces = _answered(answer.pieces, metadata)
    elif role == "tool" and said.is_error:
        metadata["is_error"] = True
    return Message(
        role=role,
        text=text_of(pieces),
        parts=parts_of(pieces),
        tool_calls=tuple(answer.calls),
        tool_call_id=said.tool_call_id if role == "tool" else None,
        tool_name=said.tool_name if role == "tool" else None,
        reasoning=f"[{','.join(answer.reasoning)}]" if answer.reasoning else None,
        speaker=speaker,
        created_at=time,
        client_id=f"{SOURCE}:{session}:{kept.key}",
        state=kept.state,
        metadata=metadata,
    )


def _spoken(pieces: list[Part], *, in_group: bool) -> tuple[list[Part], Opened]:
    """What a person said, without the envelope that stands around the first text."""
    kept: list[Part] = []
    envelope: Opened | None = None
    for piece in pieces:
        if piece.kind != "text":
            kept.append(piece)
            continue
        if envelope is None:
            envelope = open_envelope(piece.text, in_group=in_group)
            words = envelope.text
        else:
            words = person_words(piece.text)
        if words.strip():
            kept.append(Part("text", words))
    return kept, envelope or Opened("")


def _told_by(envelope: Opened) -> dict[str, str]:
    known = {
        "platform_message_id": envelope.message_id,
        "channel": envelope.channel,
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
