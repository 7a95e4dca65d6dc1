"""Whose a session is: the owner's, another person's or a group's.

The key under which the program spoke tells most of it. A transcript without a key, such as one that was put away at a reset, is judged by
the envelopes of its first messages.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from archivist.records import OWNER, Scope
from archivist.transfer.openclaw.envelopes import Opened
from archivist.transfer.openclaw.ledger import Ledger, Noted

Correspondent = tuple[str, str]
"""A channel and the id of a person on it."""

AUTOMATIC = frozenset({"cron", "hook", "heartbeat"})
GROUPS = frozenset({"group", "channel", "supergroup", "room"})
PRIVATE = frozenset({"direct", "dm", "private"})
MOST_PARENTS = 100


@dataclass(frozen=True, slots=True)
class Whose:
    """What a key and what is noted beside it say.

    Attributes:
        kind: "main", "cron", "hook", "heartbeat", "subagent", "group", "private", "local" or, where nothing is known, "".
        chat: The group.
        person: Who writes, in a private chat.
    """

    kind: str
    chat: str | None = None
    person: Correspondent | None = None


def rest_of(key: str | None) -> list[str]:
    """The parts of a key behind the agent's name; the first is "" where there are none."""
    parts = (key or "").split(":")
    return (parts[2:] if parts[0] == "agent" else parts) or [""]


def whose(noted: Noted | None, envelopes: Sequence[Opened], main_key: str = "main") -> Whose:
    """Judge a session.

    Args:
        noted: What is noted of it, if anything.
        envelopes: What its first messages say.
        main_key: The last part of the key of a main session.
    """
    rest = rest_of(noted.key if noted else None)
    if noted is None or not rest[0] or rest[0] == "recovered":
        return _by_envelopes(envelopes)
    if rest[0] in {main_key, "main", "global"}:
        return Whose("main", person=_writer(noted))
    if rest[0] in AUTOMATIC or rest[0] == "subagent":
        return Whose(rest[0])
    return _by_key(rest, noted) or _by_chat_type(noted)


def _by_key(rest: Sequence[str], noted: Noted) -> Whose | None:
    """What "telegram:direct:7", "discord:channel:9:thread:4" or "direct:7" say."""
    for at, part in enumerate(rest[:3]):
        name = ":".join(rest[at + 1 :]).partition(":thread:")[0].partition(":topic:")[0]
        if part in GROUPS and name:
            return Whose("group", chat=name)
        if part in PRIVATE and name:
            return Whose("private", person=((rest[0] if at else noted.channel) or "", name))
    return None


def _by_chat_type(noted: Noted) -> Whose:
    if noted.chat_type in GROUPS:
        return Whose("group", chat=noted.chat or noted.key)
    person = _writer(noted) if noted.chat_type in PRIVATE else None
    return Whose("private", person=person) if person else Whose("local")


def owners_among(found: Iterable[Whose], named: frozenset[str] | None) -> set[Correspondent]:
    """The correspondents that are the owner.

    Args:
        found: Every session.
        named: The owner's ids, where they are known. Else an agent with one correspondent on a channel is taken for that
            person's own; where there are several nobody is.
    """
    people = {one.person for one in found if one.person is not None}
    if named is not None:
        return {person for person in people if person[1] in named}
    alone = Counter(channel for channel, _ in people)
    return {person for person in people if alone[person[0]] == 1}


def scope_of(one: Whose, owners: Collection[Correspondent], project: str | None) -> Scope:
    """The owner's on their own machine; through a channel the sender's or, in a group, the chat's."""
    if one.kind == "group":
        return Scope(chat=one.chat, project=project)
    if one.kind == "private" and one.person is not None and one.person not in owners:
        return Scope(user=one.person[1], project=project)
    return Scope(user=OWNER.user, project=project)


def made_by(noted: Noted, ledger: Ledger) -> Noted | None:
    """The session that made a sub-agent's, if it is known and did not begin after it."""
    key = noted.spawned_by
    if key is None and ":subagent:" in (noted.key or ""):
        head = (noted.key or "").rpartition(":subagent:")[0]
        key = head if ":subagent:" in head else None
    parent = ledger.by_key.get(key) if key else None
    if parent is None or parent.session == noted.session:
        return None
    is_later = parent.started_at and noted.started_at and parent.started_at > noted.started_at
    return None if is_later else parent


def root_of(noted: Noted, ledger: Ledger) -> Noted:
    """The session that a sub-agent works for in the end."""
    at = noted
    for _ in range(MOST_PARENTS):
        parent = made_by(at, ledger) or ledger.by_key.get(at.spawned_by or "")
        if "subagent" not in rest_of(at.key) or parent is None or parent is at:
            break
        at = parent
    return at


def _writer(noted: Noted) -> Correspondent | None:
    is_private = noted.chat_type in PRIVATE or noted.chat_type is None
    return (noted.channel or "", noted.person) if noted.person and is_private else None


def _by_envelopes(envelopes: Sequence[Opened]) -> Whose:
    through = [one for one in envelopes if one.channel or one.sender_id or one.chat]
    if not through:
        return Whose("")
    people = {(one.channel or "", one.sender_id) for one in through if one.sender_id}
    chat = next((one.chat for one in through if one.is_group and one.chat), None)
    if chat or len(people) > 1 or any(one.is_group for one in through):
        return Whose("group", chat=chat or next((one.chat for one in through if one.chat), None) or "unknown")
    return Whose("private", person=next(iter(people))) if people else Whose("")
