"""A transcript as a session, with the scope that it was said in."""

from collections.abc import Mapping
from functools import partial

from archivist.records import Link, Scope, SessionStart
from archivist.transfer.foreign import ForeignSession, Replay
from archivist.transfer.gateways import Whose
from archivist.transfer.openclaw.knowledge import Knowledge
from archivist.transfer.openclaw.messages import SOURCE, Manner, read_messages
from archivist.transfer.openclaw.outline import Outline, read_outline
from archivist.transfer.openclaw.people import unattended
from archivist.transfer.openclaw.transcripts import Transcript
from archivist.transfer.reasons import REPLACED_BYTES
from archivist.transfer.times import UNKNOWN

DETACHED = "session with a missing or circular parent stands alone"
MIXED = "not all who wrote in a session are known as its owner: it is kept for itself; say which ids are yours (`--owner`)"
UNKNOWN_OWNER = "whose a session is cannot be told: it is kept for itself"


def transcript_session(one: Transcript, known: Knowledge, beside: Mapping[str, Transcript]) -> ForeignSession:
    """The session of a transcript; `beside` are those that are open with it, by their sessions."""
    parent, link = known.parent(one)
    inherited = known.prints(parent, beside) if parent and link != "subagent" else {}
    outline = read_outline(one.source, inherited)
    judged = known.judge(one.name, outline.senders)
    scope = known.scope(judged, outline.cwd)
    start = _start(one, outline, known, judged, scope, link if parent else None)
    manner = Manner(
        start.external_id or "", is_shared=scope.chat is not None, by_agent=known.ledger.of(one.name).is_made
    )
    is_apart = scope.chat is not None
    names = (start.external_id, start.metadata.get("session_key"))
    notices = {
        DETACHED: known.is_detached(one),
        REPLACED_BYTES: outline.replaced,
        MIXED: is_apart and judged.kind == "local",
        UNKNOWN_OWNER: is_apart and judged.kind == "group" and scope.chat in names,
    }
    return ForeignSession(
        start=start,
        parent_external_id=known.external_id(parent.name) if parent else None,
        messages=Replay(partial(read_messages, one.path, one.source, outline, manner)),
        usage=outline.usage,
        read=outline.read,
        skipped=outline.skipped,
        notices={notice: int(count) for notice, count in notices.items() if count},
    )


def notices_alone(name: str, notices: Mapping[str, int]) -> ForeignSession:
    """What is part of no session, but should be known."""
    start = SessionStart(source=SOURCE, external_id=name, started_at=UNKNOWN)
    return ForeignSession(start=start, messages=(), read=0, notices=notices)


def _start(
    one: Transcript, outline: Outline, known: Knowledge, judged: Whose, scope: Scope, link: Link | None
) -> SessionStart:
    noted = known.ledger.of(one.name)
    person = next(iter(judged.writers)) if len(judged.writers) == 1 else None
    facts = {
        "agent": one.agent,
        "profile": known.profile,
        "session_key": noted.key,
        "platform": noted.channel or (person.channel if person else None),
        "chat_type": noted.chat_type,
        "user_id": person.id if person else None,
        "unattended": unattended(noted.key),
        "put_away": one.state,
    }
    return SessionStart(
        source=SOURCE,
        model=outline.model or noted.model,
        scope=scope,
        cwd=outline.cwd,
        title=outline.title or noted.title,
        external_id=known.external_id(one.name),
        link=link,
        started_at=outline.first_time or UNKNOWN,
        metadata={name: value for name, value in facts.items() if value},
    )
