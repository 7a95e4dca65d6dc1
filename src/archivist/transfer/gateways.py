"""Whose a session is where an agent is spoken with through gateways: the owner's, another person's or a group's.

What tells it is the key under which the program spoke, what stands around the messages, and who the owner is. What nobody can tell is
kept for the session alone: who is unknown is never taken for the owner.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec

from archivist.records import OWNER, Scope

GROUPS = frozenset({"group", "channel", "supergroup", "room", "forum", "thread"})
PRIVATE = frozenset({"direct", "dm", "private", "direct_message", "im", "slash"})
GROUP_ID = re.compile(r"-\d+|.+@g\.us|!.+:.+|.+@thread\..+|oc_.+|[A-Za-z0-9+/]{43}=|[CG][A-Z0-9]{8,}")
"""How the ids of chats look that are not one person's."""

OWN_CLIENTS = frozenset(
    {"cli", "control-ui", "openclaw-control-ui", "openclaw-tui", "tui", "webchat", "webchat-ui"}
)
"""What speaks with the agent on its own machine, as a channel or as a sender."""


class Correspondent(NamedTuple):
    """A person on a channel; the channel is "" where nothing names it."""

    channel: str
    id: str


class Sender(msgspec.Struct, frozen=True):
    """Who wrote a message, as its envelope says.

    Attributes:
        chat: The group.
    """

    channel: str | None = None
    id: str | None = None
    name: str | None = None
    chat: str | None = None
    is_group: bool = False

    @property
    def is_at_the_machine(self) -> bool:
        """Whether no gateway was between."""
        told = self.channel or self.id or self.name or self.chat or self.is_group
        return not told or self.channel in OWN_CLIENTS or (not self.channel and self.id in OWN_CLIENTS)


class Whose(msgspec.Struct, frozen=True):
    """What is known of whose a session is.

    Attributes:
        kind: "local": the owner's, unless somebody else wrote in it. "private": of the one who writes. "group": the chat's.
        chat: The group, or what names the session where it cannot be a person's.
        writers: Who wrote in it through a gateway.
    """

    kind: Literal["local", "private", "group"]
    chat: str
    writers: frozenset[Correspondent] = frozenset()


class Owners(msgspec.Struct, frozen=True):
    """The correspondents that are the owner.

    Attributes:
        ids: The owner's ids, on whatever channel.
        people: Who else is.
    """

    ids: frozenset[str] = frozenset()
    people: frozenset[Correspondent] = frozenset()

    def __contains__(self, person: Correspondent) -> bool:
        return person.id in self.ids or person in self.people


def owners_among(found: Iterable[Whose]) -> Owners:
    """The owner, where nobody says which ids are theirs.

    An agent with one correspondent on a channel is taken for that person's own; where there are several nobody is. A person on a
    channel that is not known is the owner only if there is nobody else, or with the id of one who is.
    """
    people = {person for one in found if one.kind != "group" for person in one.writers}
    named = {person for person in people if person.channel}
    alone = Counter(person.channel for person in named)
    owners = {person for person in named if alone[person.channel] == 1}
    if len({person.id for person in people}) == 1:
        owners = people
    strangers = {person.id for person in named - owners}
    ids = {person.id for person in owners} - strangers
    return Owners(people=frozenset(owners | {Correspondent("", known) for known in ids}))


def scope_of(one: Whose, owners: Owners, project: str | None) -> Scope:
    """Who may read a session."""
    if one.kind != "group":
        if all(person in owners for person in one.writers):
            return Scope(user=OWNER.user, project=project)
        if one.kind == "private" and len(one.writers) == 1:
            [person] = one.writers
            return Scope(user=person.id, project=project)
    return Scope(chat=one.chat, project=project)


def rest_of(key: str | None) -> list[str]:
    """The parts of a key behind the agent's name, without the end that a heartbeat of its own has; the first is "" where there are none."""
    parts = (key or "").split(":")
    rest = (parts[2:] if parts[0] == "agent" else parts) or [""]
    return rest[:-1] if len(rest) > 1 and rest[-1] == "heartbeat" else rest


def by_key(parts: Sequence[str], channel: str | None) -> Whose | None:
    """What "telegram:direct:7", "discord:channel:9:thread:4", "slack:slash:U8" or "direct:7" say; None for another form of key.

    Args:
        parts: The key's, behind the agent's name.
        channel: The one that is noted of the session, where the key has none.
    """
    for at, part in enumerate(parts[:3]):
        name = ":".join(parts[at + 1 :]).partition(":thread:")[0].partition(":topic:")[0]
        if not name:
            continue
        if part in GROUPS:
            return Whose("group", name)
        if part in PRIVATE:
            return private((parts[0] if at else channel) or "", name, ":".join(parts))
    return None


def by_senders(senders: Collection[Sender], session: str, channel: str | None = None) -> Whose:
    """What the envelopes of a session's messages say.

    Args:
        senders: Whoever wrote in it.
        session: Names it, where it is neither one person's nor one group's that is named.
        channel: The one that is noted of the session, for envelopes that do not tell theirs.
    """
    through = [sender for sender in senders if not sender.is_at_the_machine]
    if any(sender.is_group for sender in through):
        chats = {one.chat for one in through if one.is_group and one.chat}
        return Whose("group", chats.pop() if len(chats) == 1 else session)
    people = writers_among(through, channel)
    if people is None:
        return unknown(session)
    return Whose("private" if len(people) == 1 else "local", session, people)


def writers_among(senders: Iterable[Sender], channel: str | None = None) -> frozenset[Correspondent] | None:
    """The people behind envelopes; None where one of them does not tell who wrote."""
    through = [sender for sender in senders if not sender.is_at_the_machine]
    known = {sender.name for sender in through if sender.id and sender.name}
    told = [sender for sender in through if sender.id or sender.name not in known]
    if any(not (sender.id or sender.name) for sender in told):
        return None
    return frozenset(
        Correspondent(sender.channel or channel or "", sender.id or sender.name or "") for sender in told
    )


def private(channel: str, person: str, session: str) -> Whose:
    """One person's; at the machine itself that is the owner, and what only a group is named like is a group's."""
    if is_group_id(person):
        return Whose("group", person)
    if channel in OWN_CLIENTS:
        return Whose("local", session)
    return Whose("private", session, frozenset({Correspondent(channel, person)}))


def unknown(session: str) -> Whose:
    """Nobody's that could be told."""
    return Whose("group", session)


def is_group_id(key: str | None) -> bool:
    """Whether an id is a chat's by its form."""
    return key is not None and GROUP_ID.fullmatch(key) is not None
