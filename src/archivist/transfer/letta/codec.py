"""Letta's agent files as sessions: what one agent has said is one session."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Raw

from archivist.records import OWNER, Message, Scope, SessionStart, State
from archivist.transfer.curated import Curated
from archivist.transfer.file_format import FileFormat
from archivist.transfer.fingerprints import Fingerprint, source_file, together
from archivist.transfer.foreign import (
    Content,
    ForeignMessage,
    ForeignSession,
    Reading,
    Replay,
    SourceFile,
)
from archivist.transfer.letta.agents import (
    Agent,
    AgentFile,
    holds_one,
    looks_like_one,
    message_of,
    messages_of,
    read_agent_file,
)
from archivist.transfer.letta.blocks import curated_in
from archivist.transfer.letta.content import Saying, sayings_of, text_in
from archivist.transfer.letta.recognition import Known, links_of, name_agent
from archivist.transfer.pieces import facts, reasoning_of
from archivist.transfer.reasons import DAMAGED, REPLACED_BYTES
from archivist.transfer.times import UNKNOWN, parse_time

SOURCE = "letta"
LEFT_OUT = "of an agent file, what was said and what was noted is imported"
NO_AGENTS = "no agent is in the file"
NO_MESSAGES = "an agent without messages: export it again with them"
SUFFIX = ".af"
RENAMED = frozenset({".json", ".txt", ""})
"""What a file is called that was renamed or saved by a browser."""

BACKGROUND = "sleeptime_agent"
DEPTHS = (f"*{SUFFIX}", f"*/*{SUFFIX}", f"*/*/*{SUFFIX}")


class Conversation(msgspec.Struct):
    """What an agent has said, after the first look at it.

    Attributes:
        prompt: The first message of the system.
        names: The name of each tool that was called.
    """

    records: list["Record"] = msgspec.field(default_factory=list)
    prompt: str | None = None
    names: dict[str, str] = msgspec.field(default_factory=dict)


class Record(msgspec.Struct, frozen=True):
    """A message of the file after the first look at it; what it says is read again when it is told.

    Attributes:
        says: Whether it says anything; else `reason` tells why not.
        digest: Of who said what and when; the same at every export.
        source_id: What the file calls it.
        is_retold: Whether an agent works behind another one and is told that one's conversation here, not by a person.
    """

    raw: Raw
    says: bool
    reason: str
    digest: str
    source_id: str
    time: datetime
    is_inferred: bool
    state: State
    is_retold: bool = False

    @property
    def is_precise(self) -> bool:
        """Whether its time is its own alone."""
        return not self.is_inferred and self.time.microsecond > 0


class Letta(FileFormat):
    """The codec."""

    name = SOURCE

    def folders(self, home: Path, environ: Mapping[str, str]) -> list[Path]:  # noqa: ARG002 - part of the interface
        """The program's own folder."""
        return [home / ".letta"]

    def paths(self, path: Path) -> list[Path]:
        """Agent files at a path: itself, or those in a folder and the folders in it."""
        if path.is_file():
            return [path]
        return sorted(found for depth in DEPTHS for found in path.glob(depth) if found.is_file())

    def is_one(self, path: Path) -> bool:
        """Whether a file is an agent file by its name and its beginning, or by what it holds where it was renamed."""
        return looks_like_one(path) if path.suffix == SUFFIX else path.suffix in RENAMED and holds_one(path)

    def counted(self, paths: Sequence[Path]) -> int | None:  # noqa: ARG002 - part of the interface
        """Not told: a file holds several agents."""
        return None

    def source_file(self, path: Path) -> SourceFile:
        """A file as it is now."""
        return source_file(path, path.name, self.revision, by_time=True)

    def open(self, path: Path, reading: Reading) -> "AgentFiles":  # noqa: ARG002 - part of the interface
        """Open an agent file or a folder of them."""
        return AgentFiles(together(list(map(self.source_file, self.paths(path)))))


class AgentFiles:
    """Agent files, opened."""

    def __init__(self, files: Sequence[SourceFile]) -> None:
        self.files = files
        self._known: dict[str, list[Known]] = {}

    def curated(self) -> Iterator[Curated]:
        """The memory blocks of all files."""
        return (curated_in(file.path) for file in self.files)

    def in_order(self, changed: Sequence[SourceFile]) -> Sequence[SourceFile]:
        """Files know nothing of each other."""
        return changed

    def read(self, file: SourceFile, earlier: str | None) -> Content:
        """Open one file.

        Raises:
            SourceUnreadable: It cannot be read.
        """
        told = read_agent_file(file.path)
        kept = Fingerprint.of(earlier)
        known = [Known.of(text) for text in kept.kept] if kept else []
        named = {one.external_id for one in known}
        known += [one for one in self._known.get(file.name, []) if one.external_id not in named]
        sessions = list(_sessions(file, told, known))
        self._known[file.name] = known
        keeping = tuple(one.text() for one in known)
        return Content(iter(sessions), Fingerprint(file.print, len(sessions), keeping).text())


def _sessions(file: SourceFile, told: AgentFile, known: list[Known]) -> Iterator[ForeignSession]:
    for number, agent in enumerate(told.agents):
        notices = {} if number else _notices(told)
        if agent is None:
            yield _none(f"{file.name}#{number}", {DAMAGED: 1}, notices)
            continue
        plain = file.name if told.is_flat else f"{file.name}#{agent.id or number}"
        said = _conversation(agent, file.name if told.is_flat else None)
        own = (record for record in said.records if record.says and not record.is_retold)
        links = links_of((record.digest, record.is_precise) for record in own)
        external_id = name_agent(plain, file.name, links, known)
        yield ForeignSession(
            start=_start(file.path, agent, external_id, said),
            messages=Replay(partial(_messages, said, external_id)),
            read=len(said.records),
            skipped=Counter(record.reason for record in said.records if not record.says),
            notices=notices if said.records else {**notices, NO_MESSAGES: 1},
        )
    if not told.agents:
        yield _none(file.name, {}, {**_notices(told), NO_AGENTS: 1})


def _none(name: str, skipped: Mapping[str, int], notices: Mapping[str, int]) -> ForeignSession:
    """What is no agent, as a session without messages."""
    start = SessionStart(source=SOURCE, external_id=name)
    return ForeignSession(
        start=start, messages=(), read=sum(skipped.values()), skipped=skipped, notices=notices
    )


def _notices(told: AgentFile) -> dict[str, int]:
    left_out = {f"{what} left out: {LEFT_OUT}": count for what, count in told.left_out.items()}
    return left_out | ({REPLACED_BYTES: 1} if told.is_replaced else {})


def _conversation(agent: Agent, flat_name: str | None) -> Conversation:
    said = Conversation()
    times = (parse_time(message.created_at) for _, message in messages_of(agent) if message)
    last = next((time for time in times if time), parse_time(agent.created_at) or UNKNOWN)
    seen: Counter[str] = Counter()
    visible = _visible(agent)
    is_background = (agent.agent_type or "").endswith(BACKGROUND)
    for number, (raw, message) in enumerate(messages_of(agent)):
        time = parse_time(message.created_at) if message else None
        last = time or last
        sayings, reason = sayings_of(message)
        if message and message.role == "system" and said.prompt is None:
            said.prompt = text_in(message)
        said.names.update({call.id: call.name for saying in sayings for call in saying.calls})
        digest = _digest(sayings, time)
        seen[digest] += 1
        is_visible = not visible or number in visible or bool(message and message.id in visible)
        said.records.append(
            Record(
                raw,
                bool(sayings),
                reason,
                digest if seen[digest] == 1 else f"{digest}.{seen[digest]}",
                f"{flat_name}:{number}" if flat_name else (message.id if message else None) or str(number),
                last,
                is_inferred=time is None,
                state="active" if is_visible else "compacted",
                is_retold=is_background and any(saying.role == "user" for saying in sayings),
            )
        )
    return said


def _visible(agent: Agent) -> frozenset[str | int]:
    """What the model sees still, by id or by number; empty where the file does not say."""
    return frozenset(agent.in_context_message_ids or agent.in_context_message_indices or ())


def _digest(sayings: Sequence[Saying], time: datetime | None) -> str:
    said = [time.isoformat() if time else ""]
    for one in sayings:
        said += [
            one.role,
            one.text,
            one.call_id or "",
            *(f"{call.name}{call.arguments}" for call in one.calls),
        ]
        said += [
            *one.reasoning,
            *(part.text or hashlib.sha256(part.data or b"").hexdigest() for part in one.parts),
        ]
    return hashlib.blake2b("\0".join(said).encode("utf-8", "replace"), digest_size=8).hexdigest()


def _start(path: Path, agent: Agent, external_id: str, said: Conversation) -> SessionStart:
    begun = next((record.time for record in said.records), parse_time(agent.created_at) or UNKNOWN)
    known = {"agent_type": agent.agent_type, "path": str(path)}
    return SessionStart(
        source=SOURCE,
        model=agent.llm_config.model if agent.llm_config else None,
        scope=Scope(user=OWNER.user),
        title=(agent.name or "").strip() or None,
        external_id=external_id,
        started_at=begun,
        prompt=said.prompt or agent.system,
        metadata={name: value for name, value in known.items() if value},
    )


def _messages(said: Conversation, external_id: str) -> Iterator[ForeignMessage]:
    for record in said.records:
        sayings = sayings_of(message_of(record.raw))[0] if record.says else ()
        for number, saying in enumerate(sayings):
            client_id = f"{SOURCE}:{external_id}:{record.digest}{f'#{number}' if number else ''}"
            yield ForeignMessage(_message(saying, record, client_id, said.names), 0 if number else 1)


def _message(saying: Saying, record: Record, client_id: str, names: Mapping[str, str]) -> Message:
    return Message(
        role=saying.role,
        text=saying.text,
        parts=saying.parts,
        tool_calls=tuple(saying.calls),
        tool_call_id=saying.call_id,
        tool_name=saying.tool or names.get(saying.call_id or ""),
        reasoning=reasoning_of(saying.reasoning),
        created_at=record.time,
        client_id=client_id,
        state=record.state,
        metadata=facts(
            [record.source_id],
            is_inferred=record.is_inferred,
            is_error=saying.is_error,
            by_agent=record.is_retold,
        ),
    )
