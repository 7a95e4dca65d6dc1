"""What the program notes down of its sessions beside their transcripts: the key, the channel, who wrote, what it came from."""

from collections.abc import Collection, Iterator
from datetime import datetime
from pathlib import Path

import msgspec
from msgspec.structs import replace

from archivist.records import Link
from archivist.transfer.gateways import GROUPS, OWN_CLIENTS, Correspondent, is_group_id, rest_of
from archivist.transfer.json_text import NotJson, decode_leniently, json_of, shaped_or_none
from archivist.transfer.times import parse_time

MOST_BYTES = 256 * 1024 * 1024
PROGRAM = frozenset({"heartbeat", "cron", "cron-event", "exec-event", "hook", "system"})
"""What stands in place of a person where the program spoke to itself."""

MADE = frozenset({"subagent", "acp"})
"""What the keys of sessions begin with that an agent made."""

MOST_MAKERS = 100

Name = tuple[str, str]
"""An agent and a session's id: they name a session in a history."""


class Origin(msgspec.Struct, rename="camel"):
    """Where the last message came from."""

    provider: str | None = None
    chat_type: str | None = None
    from_: str | None = msgspec.field(default=None, name="from")
    to: str | None = None
    channel: str | None = None


class Delivery(msgspec.Struct):
    """Where replies go, as newer versions write it."""

    context: Origin | None = None
    origin: Origin | None = None


class StoredEntry(msgspec.Struct, rename="camel"):
    """An entry of the list of sessions; older and newer versions use different fields of it."""

    session_id: str | None = None
    session_file: str | None = None
    session_started_at: int | float | None = None
    chat_type: str | None = None
    group_id: str | None = None
    subject: str | None = None
    label: str | None = None
    last_channel: str | None = None
    channel: str | None = None
    last_to: str | None = None
    model: str | None = None
    spawned_by: str | None = None
    origin: Origin | None = None
    delivery_context: Origin | None = None
    delivery: Delivery | None = None


class Noted(msgspec.Struct, frozen=True):
    """What is noted of a session.

    Attributes:
        key: The key under which it was spoken with.
        writer: Who wrote to it last.
        spawned_by: The key of the session that made it.
        parent: The session that it goes on from, with `link`.
    """

    session: str
    agent: str
    key: str | None = None
    channel: str | None = None
    chat_type: str | None = None
    chat: str | None = None
    writer: Correspondent | None = None
    title: str | None = None
    model: str | None = None
    spawned_by: str | None = None
    parent: str | None = None
    link: Link | None = None
    started_at: datetime | None = None

    @property
    def name(self) -> Name:
        """What names it in the history."""
        return self.agent, self.session

    @property
    def is_made(self) -> bool:
        """Whether an agent began it, and speaks in it in place of a person."""
        return rest_of(self.key)[0] in MADE

    @property
    def maker(self) -> str | None:
        """The key of the session that made it."""
        head = (self.key or "").rpartition(":subagent:")[0]
        return self.spawned_by or (head if ":subagent:" in head else None)


class Ledger(msgspec.Struct):
    """The notes on every session that is known so far.

    Attributes:
        agents: Those that were looked into.
        sessions: By agent and session.
        by_key: Those that their keys stand for now.
    """

    agents: set[str] = msgspec.field(default_factory=set)
    sessions: dict[Name, Noted] = msgspec.field(default_factory=dict)
    by_key: dict[str, Noted] = msgspec.field(default_factory=dict)

    def add(self, noted: Noted, *, is_current: bool = True) -> None:
        """Take one in; what was there first stays."""
        self.sessions.setdefault(noted.name, noted)
        if noted.key and is_current:
            self.by_key.setdefault(noted.key, noted)

    def of(self, name: Name) -> Noted:
        """What is noted of a session; only its name, where nothing is."""
        agent, session = name
        return self.sessions.get(name) or Noted(session, agent)

    def parent_of(self, name: Name, named: str | None) -> tuple[Noted | None, Link | None]:
        """The session that one goes on from.

        Args:
            name: The one.
            named: What its own first line names.
        """
        noted = self.of(name)
        if noted.parent:
            return self.of((noted.agent, noted.parent)), noted.link
        if maker := self._made_by(noted):
            return maker, "subagent"
        if named and named != noted.session:
            return self.of((noted.agent, named)), "fork"
        return None, None

    def worked_for(self, noted: Noted) -> Noted:
        """The session that a sub-agent works for in the end; of one that is gone only its key is known."""
        at = noted
        for _ in range(MOST_MAKERS):
            if at.maker is None or not at.is_made:
                break
            at = self.by_key.get(at.maker) or Noted("", at.agent, key=at.maker)
        return at

    def makers(self, agents: Collection[str]) -> set[str]:
        """Those of some agents that were not looked into, though a session may have been made by one of theirs."""
        left = set(agents) - self.agents
        made_by = {noted.maker for noted in self.sessions.values()} - self.by_key.keys()
        keys = [key.casefold().split(":") for key in made_by if key]
        if any(key[0] != "agent" for key in keys):
            return left
        return {agent for agent in left if any(key[1:2] == [agent.casefold()] for key in keys)}

    def _made_by(self, noted: Noted) -> Noted | None:
        """The session that made a sub-agent's, if it is known and did not begin after it."""
        maker = self.by_key.get(noted.maker or "")
        if maker is None or maker.session == noted.session:
            return None
        is_later = maker.started_at and noted.started_at and maker.started_at > noted.started_at
        return None if is_later else maker


def read_sessions_file(path: Path, agent: str) -> Iterator[Noted]:
    """The notes in a `sessions.json`; none where it cannot be read, for the transcripts hold what matters."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return
        value = decode_leniently(path.read_bytes())
    except (OSError, NotJson):
        return
    for key, entry in value.items() if isinstance(value, dict) else ():
        stored = read_entry(json_of(entry))
        if stored is None:
            continue
        named = noted_of(key, stored, agent)
        if named is None:
            continue
        yield named
        stem = _stem(stored.session_file)
        if stem and stem != named.session:
            yield replace(named, session=stem)


def read_entry(entry: str) -> StoredEntry | None:
    """A stored entry; fields that are not of the kind that they should be are passed over."""
    return shaped_or_none(entry.encode("utf-8", "replace"), StoredEntry)


def noted_of(key: str, stored: StoredEntry, agent: str) -> Noted | None:
    """What an entry says in one form, whichever version wrote it."""
    if not stored.session_id:
        return None
    delivery = stored.delivery or Delivery()
    origin = stored.origin or delivery.origin or Origin()
    if origin.provider in PROGRAM or origin.from_ in PROGRAM:
        origin = Origin()
    context = stored.delivery_context or delivery.context or Origin()
    channel = stored.last_channel or stored.channel or context.channel or origin.provider
    return Noted(
        stored.session_id,
        agent,
        key=key,
        channel=channel,
        chat_type=stored.chat_type or origin.chat_type,
        chat=stored.group_id,
        writer=_writer(origin.from_, origin.provider or channel)
        or _writer(context.to or stored.last_to, context.channel or channel),
        title=stored.label or stored.subject,
        model=stored.model,
        spawned_by=stored.spawned_by,
        started_at=parse_time(stored.session_started_at),
    )


def _writer(person: str | None, channel: str | None) -> Correspondent | None:
    """Who is behind 104729, `telegram:104729` or `telegram:user:104729`; None for a group and for a program on the machine itself."""
    bare = person or ""
    for prefix in (f"{channel}:", "user:", "dm:", "direct:"):
        bare = bare.removeprefix(prefix)
    if not bare or bare in PROGRAM or channel in OWN_CLIENTS:
        return None
    return (
        None if bare.partition(":")[0] in GROUPS or is_group_id(bare) else Correspondent(channel or "", bare)
    )


def _stem(path: str | None) -> str | None:
    """The name of a transcript that may have stood on another kind of machine."""
    name = path.replace("\\", "/").rpartition("/")[2] if path else ""
    return name.removesuffix(".jsonl") or None
