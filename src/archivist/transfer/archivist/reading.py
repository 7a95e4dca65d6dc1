"""The records of one session of an export, read where they stand, as the store takes them.

A file may have been changed by hand: what is missing is filled in the same way each time, what is of no known shape costs itself.
"""

import base64
import binascii
import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, BinaryIO, Final, TypeVar, get_args

import msgspec

from archivist.records import Link, Message, Part, Role, Scope, SessionStart, State, ToolCall, Usage
from archivist.records.sessions import TitleOrigin
from archivist.store.adopting import Adopted, AdoptedSent, AdoptedUndo
from archivist.store.citations import LARGEST
from archivist.store.preparing import BLOB_NAME
from archivist.transfer.archivist.index import Glance, Index, Places
from archivist.transfer.archivist.shapes import (
    BlobRecord,
    CallShape,
    ContextRecord,
    MessageRecord,
    PartShape,
    Record,
    ScopeShape,
    SentShape,
    SessionRecord,
    UndoRecord,
    UsageRecord,
)
from archivist.transfer.foreign import ForeignMessage
from archivist.transfer.json_lines import LONGEST_LINE_BYTES
from archivist.transfer.json_text import shaped_or_none
from archivist.transfer.reasons import DAMAGED, INFERRED, TIME, UNKNOWN_ROLE, Skipped
from archivist.transfer.times import UNKNOWN, parse_time

R = TypeVar("R", bound=Record)

ROLES, STATES = frozenset(get_args(Role)), frozenset(get_args(State))
LINKS, ORIGINS = frozenset(get_args(Link)), frozenset(get_args(TitleOrigin))
NO_BYTES: Final = "[damaged: the bytes could not be decoded]"


class OddShapeError(ValueError):
    """A record is not of the shape that it should be."""


class Reader(msgspec.Struct):
    """Reads the records of one session.

    Attributes:
        lines: The export, as lines of JSON.
        is_whole: Whether it holds everything of a message.
        skipped: Messages that could not be taken, and facts of the session that could not be read, by reason.
        damaged: How many of those facts.
    """

    lines: BinaryIO
    index: Index
    is_whole: bool = True
    skipped: Skipped = msgspec.field(default_factory=Skipped)
    damaged: int = 0

    def start(self, places: Places, parent: str | None) -> SessionStart:
        """How the session began; its own id names it for ever."""
        record = self._record_at(places.offset or 0, SessionRecord)
        scope = record.scope or ScopeShape()
        return SessionStart(
            source=record.source or "unknown",
            model=record.model,
            scope=Scope(scope.user, scope.chat, scope.project),
            cwd=record.cwd,
            title=record.title,
            external_id=record.external_id,
            parent_id=parent,
            link=record.link if parent and record.link in LINKS else None,  # type: ignore[arg-type]  # one of them
            started_at=parse_time(record.started_at),
            ended_at=parse_time(record.ended_at),
            end_reason=record.end_reason,
            prompt=record.prompt,
            metadata=_object_or_none(record.metadata),
            own_id=record.id,
            title_origin=record.title_origin if record.title_origin in ORIGINS else None,  # type: ignore[arg-type]  # one of them
            archived=record.archived_at is not None,
            pinned=record.pinned_at is not None,
        )

    def adopted(self, places: Places) -> Adopted:
        """What else is told of the session."""
        record = self._record_at(places.offset or 0, SessionRecord)
        context = self._facts([places.context] if places.context is not None else [], ContextRecord)
        undos = self._facts(places.undos, UndoRecord)
        return Adopted(
            archived_at=parse_time(record.archived_at),
            pinned_at=parse_time(record.pinned_at),
            fork_message=record.fork_message,
            context=tuple(self._sent(each) for one in context for each in one.messages),
            left_out=tuple(client_id for one in context for client_id in one.left_out),
            cited=tuple(
                (each.client_id, each.cited_as)
                for one in context
                for each in one.cited
                if 0 < each.cited_as <= LARGEST
            ),
            undos=tuple(undo for one in undos if (undo := _undo(one))),
            is_whole=self.is_whole,
        )

    def _sent(self, shape: SentShape) -> AdoptedSent:
        """A message of a context; of what was sent in its place, what can be read."""
        try:
            parts = _list(shape.parts_as_sent, PartShape) if bytes(shape.parts_as_sent) else None
            calls = _list(shape.calls_as_sent, CallShape) if bytes(shape.calls_as_sent) else None
        except OddShapeError:
            self.skipped.add(DAMAGED)
            self.damaged += 1
            parts = calls = None
        return AdoptedSent(
            shape.client_id,
            shape.text_as_sent,
            None if parts is None else tuple(map(_named_part, parts)),
            None if calls is None else tuple(ToolCall(call.id, call.name, call.arguments) for call in calls),
        )

    def usage(self, places: Places) -> list[Usage]:
        """What its requests used."""
        return [_usage(record) for record in self._facts(places.usage, UsageRecord)]

    def messages(self, places: Places, start: SessionStart) -> Iterator[ForeignMessage]:
        """Its messages in the order of the file; what is skipped is counted anew each time."""
        self.skipped.clear()
        self.skipped.add(DAMAGED, self.damaged)
        name, time = start.own_id or "", start.started_at or UNKNOWN
        for raw in self._lines_of(places):
            record = self._message_record(raw, name)
            if record is None:
                continue
            try:
                message = self._message(record, raw, time)
            except OddShapeError as error:
                self.skipped.add(str(error))
                continue
            time = message.created_at or time
            yield ForeignMessage(message)

    def _lines_of(self, places: Places) -> Iterator[bytes]:
        """The lines of its stretches, those of other records among them; blobs are read in between."""
        runs = iter(places.runs)
        for offset, end in zip(runs, runs, strict=True):
            at = offset
            while at < end:
                self.lines.seek(at)
                raw = self.lines.readline(LONGEST_LINE_BYTES)
                if not raw:
                    return
                at += len(raw)
                yield raw

    def _message_record(self, raw: bytes, session: str) -> MessageRecord | None:
        """The record of a line, if it is a message of the session."""
        try:
            record = MESSAGES.decode(raw)
        except (ValueError, RecursionError):
            glance = shaped_or_none(raw, Glance)
            if glance is None or glance.type != "message":
                return None
            record = _fitted(raw, MessageRecord)
        return record if record.session == session else None

    def _message(self, record: MessageRecord, raw: bytes, time: datetime) -> Message:
        role, state = record.role or "", record.state or "active"
        if role not in ROLES:
            raise OddShapeError(UNKNOWN_ROLE)
        if state not in STATES:
            raise OddShapeError(DAMAGED)
        created_at, metadata = parse_time(record.created_at), _object(record.metadata)
        if created_at is None:
            metadata = {**metadata, TIME: INFERRED}
        return Message(
            role=role,  # type: ignore[arg-type]  # one of them
            text=record.text or "",
            parts=tuple(self._part(part) for part in _list(record.parts, PartShape)),
            tool_calls=tuple(
                ToolCall(call.id, call.name, call.arguments) for call in _list(record.tool_calls, CallShape)
            ),
            tool_call_id=record.tool_call_id,
            tool_name=record.tool_name,
            reasoning=record.reasoning,
            speaker=record.speaker,
            created_at=created_at or time,
            client_id=record.client_id or _made_id(raw),
            state=state,  # type: ignore[arg-type]  # one of them
            metadata=metadata,
            masked=tuple(_list(record.masked, str)),
            digest=record.digest,
        )

    def _part(self, shape: PartShape) -> Part:
        if not BLOB_NAME.fullmatch(shape.blob):
            return Part(shape.kind, shape.text, shape.media_type, name=shape.name)
        pieces = self.index.blobs.get(shape.blob)
        if pieces is None:
            return _named_part(shape)
        try:
            data = b"".join(
                base64.b64decode(self._record_at(offset, BlobRecord).data, validate=True) for offset in pieces
            )
        except (binascii.Error, ValueError):
            return Part(shape.kind, shape.text or NO_BYTES, shape.media_type, name=shape.name)
        return Part(shape.kind, shape.text, shape.media_type, name=shape.name, data=data)

    def _record_at(self, offset: int, shape: type[R]) -> R:
        self.lines.seek(offset)
        return _fitted(self.lines.readline(LONGEST_LINE_BYTES), shape)

    def _facts(self, offsets: Iterable[int], shape: type[R]) -> list[R]:
        """Records that are of their shape; the others are counted."""
        found = []
        for offset in offsets:
            self.lines.seek(offset)
            try:
                found.append(msgspec.json.decode(self.lines.readline(LONGEST_LINE_BYTES), type=shape))
            except (ValueError, RecursionError):
                self.skipped.add(DAMAGED)
                self.damaged += 1
        return found


MESSAGES: Final = msgspec.json.Decoder(MessageRecord)


def _fitted(raw: bytes, shape: type[R]) -> R:
    """A record, or what fits of a line that was changed by hand."""
    return shaped_or_none(raw, shape) or shape()


def _named_part(shape: PartShape) -> Part:
    """A part that names bytes which are told elsewhere."""
    blob = shape.blob if BLOB_NAME.fullmatch(shape.blob) else ""
    return Part(shape.kind, shape.text, shape.media_type, blob, shape.name)


def _undo(record: UndoRecord) -> AdoptedUndo | None:
    made_at = parse_time(record.made_at)
    if made_at is None:
        return None
    return AdoptedUndo(
        record.session,
        made_at,
        parse_time(record.redone_at),
        tuple(
            (each.client_id, each.before, each.now)
            for each in record.messages
            if {each.before, each.now} <= STATES
        ),
        tuple(record.sessions),
    )


def _usage(record: UsageRecord) -> Usage:
    return Usage(**{name: getattr(record, name) for name in Usage.__struct_fields__})


def _object(raw: msgspec.Raw) -> dict[str, Any]:
    if not bytes(raw):
        return {}
    try:
        return msgspec.json.decode(raw, type=dict[str, Any])
    except (ValueError, RecursionError) as error:
        raise OddShapeError(DAMAGED) from error


def _object_or_none(raw: msgspec.Raw) -> dict[str, Any]:
    try:
        return _object(raw)
    except OddShapeError:
        return {}


def _list(raw: msgspec.Raw, shape: type[Any]) -> list[Any]:
    if not bytes(raw):
        return []
    try:
        found: list[Any] = msgspec.json.decode(raw, type=list[shape])  # type: ignore[valid-type]  # a type that is only known here
    except (ValueError, RecursionError) as error:
        raise OddShapeError(DAMAGED) from error
    return found


def _made_id(raw: bytes) -> str:
    """An id for a message without one: the same each time that the line is read."""
    return f"archivist:{hashlib.blake2b(raw.strip(), digest_size=16).hexdigest()}"
