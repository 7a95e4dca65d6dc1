"""Whose a session is.

The key under which the program spoke tells most of it. The main session is the owner's unless somebody else wrote in it; a session without
a key, such as one that was put away at a reset, is judged by who wrote; a sub-agent's is whose that of its maker is.
"""

from collections.abc import Callable, Collection, Iterable
from hashlib import blake2b

from archivist.transfer.gateways import (
    GROUPS,
    OWN_CLIENTS,
    PRIVATE,
    Correspondent,
    Sender,
    Whose,
    by_key,
    by_senders,
    is_group_id,
    private,
    rest_of,
    unknown,
    writers_among,
)
from archivist.transfer.openclaw.ledger import MADE, Noted

Senders = Callable[[], Collection[Sender]]
"""Whoever wrote in a session; it may have to be read for that."""

UNATTENDED = frozenset({"cron", "hook", "heartbeat", "dreaming"})
MAIN = frozenset({"main", "global"})
NO_KEY = frozenset({"", "recovered"})
LOCAL = OWN_CLIENTS | {"boot", "dashboard", "explicit", "openai", "openresponses"}
"""What keys of sessions at the machine itself begin with."""

NAMED_CALLERS = frozenset({"openai-user", "openresponses-user"})
"""What keys begin with where a program named the person that it spoke for."""


def shaded(people: Iterable[Correspondent]) -> frozenset[Correspondent]:
    """People as they are remembered from one import to the next: known again, but not named."""
    return frozenset(map(shade, people))


def shade(person: Correspondent) -> Correspondent:
    """A person with a digest in place of the id."""
    return person._replace(id=blake2b(person.id.encode("utf-8", "replace"), digest_size=8).hexdigest())


def unattended(key: str | None) -> str | None:
    """What made a run that nobody asked for: "cron", "hook", "heartbeat" or "dreaming"."""
    head = rest_of(key)[0]
    if head in UNATTENDED or head.startswith("dreaming-"):
        return head.partition("-")[0]
    return "heartbeat" if key is not None and key.endswith(":heartbeat") else None


def is_told_by_envelopes(noted: Noted) -> bool:
    """Whether it takes the messages of a session to tell whose it is."""
    rest = rest_of(noted.key)
    if rest[0] in NO_KEY:
        return True
    return rest[0] not in UNATTENDED | MADE | NAMED_CALLERS and by_key(rest, noted.channel) is None


def whose(noted: Noted, senders: Senders, session: str, main_key: str = "main") -> Whose:
    """Judge a session.

    Args:
        noted: What is noted of it or, of a sub-agent's, of the one that it works for.
        senders: Whoever wrote in that.
        session: Names the session, where it has no key.
        main_key: The last part of the key of a main session.
    """
    rest, key = rest_of(noted.key), noted.key or session
    if rest[0] in NO_KEY:
        return _by_notes(noted, rest[:1], senders(), session)
    if rest[0] == main_key or rest[0] in MAIN:
        return _main(noted, senders(), key)
    if rest[0] in UNATTENDED or rest[0].startswith("dreaming-"):
        return Whose("local", key)
    if rest[0] in MADE:
        return unknown(key)
    if rest[0] in NAMED_CALLERS and len(rest) > 1:
        return private(rest[0], ":".join(rest[1:]), key)
    return by_key(rest, noted.channel) or _by_notes(noted, rest, senders(), key)


def _main(noted: Noted, senders: Collection[Sender], key: str) -> Whose:
    people = writers_among(senders, noted.channel)
    if people is None or any(sender.is_group for sender in senders):
        return unknown(key)
    return Whose("local", key, people | {noted.writer} if noted.writer else people)


def _by_notes(noted: Noted, rest: list[str], senders: Collection[Sender], key: str) -> Whose:
    """By the kind of chat and who wrote last, else by who wrote; a name that somebody gave a session is one at the machine."""
    if noted.chat_type in GROUPS or is_group_id(noted.chat):
        return Whose("group", noted.chat or key)
    judged = by_senders(senders, key, noted.channel)
    if judged.kind == "group":
        return judged
    people = judged.writers
    if noted.writer and (noted.chat_type in PRIVATE or noted.chat_type is None):
        people |= {noted.writer}
    if people:
        return Whose("private" if len(people) == 1 else "local", key, people)
    is_local = (len(rest) == 1 or rest[0] in LOCAL) and noted.channel in {None, *OWN_CLIENTS}
    return judged if is_local else unknown(key)
