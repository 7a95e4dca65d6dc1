"""A transcript or a dated note as a session, with the scope that it was said in."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import partial
from pathlib import Path

from archivist.records import OWNER, Link, Message, SessionStart
from archivist.transfer.foreign import ForeignMessage, ForeignSession, Replay
from archivist.transfer.openclaw.config import Config
from archivist.transfer.openclaw.daily import DailyNote, NoteEntry, day_of, read_daily_note
from archivist.transfer.openclaw.ledger import Ledger, Noted
from archivist.transfer.openclaw.messages import SOURCE, read_messages
from archivist.transfer.openclaw.people import (
    AUTOMATIC,
    Correspondent,
    Whose,
    rest_of,
    root_of,
    scope_of,
    whose,
)
from archivist.transfer.openclaw.places import Item
from archivist.transfer.openclaw.sources import is_unique
from archivist.transfer.openclaw.transcripts import Source, Transcript, read_transcript
from archivist.transfer.openclaw.workspaces import OLD_DEFAULT, ROOT_NAME
from archivist.transfer.times import UNKNOWN


@dataclass(slots=True)
class Known:
    """What is known of the whole history.

    Attributes:
        project_of: The project key of a working directory.
        owners: The correspondents that are the owner.
    """

    config: Config
    profile: str | None
    project_of: Callable[[str], str | None]
    ledger: Ledger = field(default_factory=Ledger)
    owners: set[Correspondent] = field(default_factory=set)

    def external_id(self, session: str, agent: str) -> str:
        """The session's id in this history."""
        return external_id(session, agent, self.profile)

    def project(self, cwd: str | None) -> str | None:
        """The project of a working directory; an agent's workspace is where it lives and no project."""
        if not cwd:
            return None
        *above, name = cwd.replace("\\", "/").rstrip("/").split("/")
        is_home = any(ROOT_NAME.fullmatch(part) for part in (name, above[-1] if above else ""))
        is_workspace = name == OLD_DEFAULT or any(cwd == folder for _, folder in self.config.workspaces)
        return None if is_home or is_workspace else self.project_of(cwd)


def external_id(session: str, agent: str, profile: str | None) -> str:
    """A session's id: its own where it is unique, else with the names of its profile and agent before it."""
    own = (session,) if is_unique(session) else (profile, agent, session)
    return "/".join(part for part in own if part)


@dataclass(frozen=True, slots=True)
class Told:
    """A transcript, found.

    Attributes:
        path: What it is read from.
        source: Gives its entries.
        session: Its session's id.
        state: "reset" or "cold" where it was put away.
        parent: The session that it goes on from, with `link`.
        inherited: Entries of the parent, which it may repeat.
    """

    path: Path
    source: Source
    session: str
    agent: str
    state: str = ""
    parent: Noted | None = None
    link: Link | None = None
    inherited: Mapping[str, int] = field(default_factory=dict)


def transcript_session(told: Told, known: Known) -> ForeignSession:
    """The session of a transcript."""
    parent = known.external_id(told.parent.session, told.parent.agent) if told.parent else None
    transcript = read_transcript(told.source, told.inherited, parent or "")
    noted = known.ledger.sessions.get(told.session)
    base = root_of(noted, known.ledger) if noted else None
    one = whose(base, transcript.envelopes, known.config.main_key)
    session = known.external_id(told.session, told.agent)
    in_group = one.kind == "group"
    return ForeignSession(
        start=_start(told, transcript, noted, one, known),
        parent_external_id=parent,
        messages=Replay(
            partial(read_messages, told.path, told.source, transcript, session, in_group=in_group)
        ),
        usage=transcript.usage,
        read=transcript.read,
        skipped=transcript.skipped,
    )


def deleted_session(told: Told, external_id: str) -> ForeignSession:
    """What the owner has deleted: counted, and nothing more."""
    read = sum(1 for entry in told.source() if entry.raw is None or entry.raw.strip())
    return empty_session(external_id, "deleted by its owner", read)


def empty_session(name: str, reason: str = "", read: int = 0, notices: Sequence[str] = ()) -> ForeignSession:
    """What is part of no session, so that it is counted."""
    return ForeignSession(
        start=SessionStart(source=SOURCE, external_id=name, started_at=UNKNOWN),
        messages=(),
        read=read,
        skipped={reason: read} if read else {},
        notices=dict.fromkeys(notices, 1),
    )


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


def _start(told: Told, transcript: Transcript, noted: Noted | None, one: Whose, known: Known) -> SessionStart:
    kind = rest_of(noted.key)[0] if noted else ""
    facts = {
        "agent": told.agent,
        "profile": known.profile,
        "session_key": noted.key if noted else None,
        "platform": (noted.channel if noted else None) or (one.person[0] if one.person else None),
        "chat_type": noted.chat_type if noted else None,
        "user_id": one.person[1] if one.person else None,
        "cron": kind in AUTOMATIC,
        "run": kind if kind in AUTOMATIC else None,
        "put_away": told.state,
    }
    return SessionStart(
        source=SOURCE,
        model=transcript.model or (noted.model if noted else None),
        scope=scope_of(one, known.owners, known.project(transcript.cwd)),
        cwd=transcript.cwd,
        title=transcript.title or (noted.title if noted else None),
        external_id=known.external_id(told.session, told.agent),
        link=told.link if told.parent else None,
        started_at=transcript.first_time or UNKNOWN,
        metadata={name: value for name, value in facts.items() if value},
    )
