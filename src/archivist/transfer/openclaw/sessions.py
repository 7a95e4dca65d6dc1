"""A transcript or a dated note as a session, with the scope that it was said in."""

from collections.abc import Iterator, Mapping
from datetime import tzinfo
from functools import partial

from archivist.records import OWNER, Message, Scope, SessionStart
from archivist.transfer.foreign import ForeignMessage, ForeignSession, Replay
from archivist.transfer.gateways import Whose, scope_of
from archivist.transfer.openclaw.daily import DailyNote, NoteEntry, day_of, read_daily_note
from archivist.transfer.openclaw.knowledge import Knowledge
from archivist.transfer.openclaw.messages import SOURCE, Manner, read_messages
from archivist.transfer.openclaw.people import is_made, unattended
from archivist.transfer.openclaw.places import Item
from archivist.transfer.openclaw.shelves import Told
from archivist.transfer.openclaw.transcripts import Transcript, read_transcript
from archivist.transfer.reasons import REPLACED_BYTES
from archivist.transfer.times import UNKNOWN

DETACHED = "session with a missing or circular parent stands alone"
MIXED = "not all who wrote in a session are known as its owner: it is kept for itself; say which ids are yours (`--owner`)"
UNKNOWN_OWNER = "whose a session is cannot be told: it is kept for itself"


def transcript_session(told: Told, known: Knowledge, beside: Mapping[str, Told]) -> ForeignSession:
    """The session of a transcript.

    Args:
        told: The transcript.
        known: What is known of the whole history.
        beside: Transcripts that are open with it, by their sessions.
    """
    parent, link = known.parent(told)
    origin = known.external_id(parent.session, parent.agent) if parent else None
    inherited = known.prints(parent, beside) if parent and link != "subagent" else {}
    transcript = read_transcript(told.source, inherited)
    one = known.whose(told, transcript.senders)
    scope = scope_of(one, known.owners, known.project(transcript.cwd))
    start = _start(told, transcript, known, one, scope)
    manner = Manner(
        start.external_id or "",
        is_shared=scope.chat is not None,
        by_agent=is_made(start.metadata.get("session_key")),
    )
    notices = {
        DETACHED: known.is_detached(told),
        REPLACED_BYTES: transcript.replaced,
        MIXED: scope.chat is not None and one.kind == "local",
        UNKNOWN_OWNER: scope.chat is not None and one.kind == "group" and scope.chat in _names(start),
    }
    return ForeignSession(
        start=start,
        parent_external_id=origin,
        messages=Replay(partial(read_messages, told.path, told.source, transcript, manner)),
        usage=transcript.usage,
        read=transcript.read,
        skipped=transcript.skipped,
        notices={notice: int(count) for notice, count in notices.items() if count},
    )


def notices_alone(name: str, notices: Mapping[str, int]) -> ForeignSession:
    """What is part of no session, but should be known."""
    start = SessionStart(source=SOURCE, external_id=name, started_at=UNKNOWN)
    return ForeignSession(start=start, messages=(), read=0, notices=notices)


def daily_session(item: Item, text: str, zone: tzinfo, profile: str | None) -> ForeignSession:
    """The session of a dated note."""
    found = day_of(item.path.name)
    assert found is not None  # it is by this that it was taken for one
    day, slug = found
    source_id = f"file:{item.name}"
    note = read_daily_note(text, day, zone)
    title = f"Daily note {day.isoformat()}" + (f" ({slug})" if slug else "")
    name = f"{profile}/{source_id}" if profile else source_id
    return ForeignSession(
        start=SessionStart(
            source=SOURCE,
            scope=OWNER,
            title=title,
            external_id=name,
            started_at=min((entry.at for entry in note.entries), default=UNKNOWN),
            metadata={"kind": "daily-note"},
        ),
        messages=Replay(partial(_entries, note, name, source_id)),
        read=note.read,
        skipped={reason: count for reason, count in note.skipped.items() if count},
    )


def _entries(note: DailyNote, session: str, source_id: str) -> Iterator[ForeignMessage]:
    for entry in note.entries:
        yield ForeignMessage(_noted_message(entry, session, source_id))


def _noted_message(entry: NoteEntry, session: str, source_id: str) -> Message:
    metadata: dict[str, object] = {"source_ids": [source_id], "kind": "daily-note"}
    if entry.heading:
        metadata["heading"] = entry.heading
    return Message(
        role="assistant",
        text=entry.text,
        created_at=entry.at,
        client_id=f"{SOURCE}:{session}:{entry.key}",
        metadata=metadata,
    )


def _start(told: Told, transcript: Transcript, known: Knowledge, one: Whose, scope: Scope) -> SessionStart:
    noted = known.noted(told)
    person = next(iter(one.writers)) if len(one.writers) == 1 else None
    facts = {
        "agent": told.agent,
        "profile": known.profile,
        "session_key": noted.key if noted else None,
        "platform": (noted.channel if noted else None) or (person.channel if person else None),
        "chat_type": noted.chat_type if noted else None,
        "user_id": person.id if person else None,
        "unattended": unattended(noted.key) if noted else None,
        "put_away": told.state,
    }
    parent, link = known.parent(told)
    return SessionStart(
        source=SOURCE,
        model=transcript.model or (noted.model if noted else None),
        scope=scope,
        cwd=transcript.cwd,
        title=transcript.title or (noted.title if noted else None),
        external_id=known.external_id(told.session, told.agent),
        link=link if parent else None,
        started_at=transcript.first_time or UNKNOWN,
        metadata={name: value for name, value in facts.items() if value},
    )


def _names(start: SessionStart) -> tuple[str | None, ...]:
    return start.external_id, start.metadata.get("session_key")
