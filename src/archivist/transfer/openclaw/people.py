"""Whose a session is, and which one it goes on from.

The key under which the program spoke tells most of it. The main session is the owner's unless somebody else wrote in it; a session without
a key, such as one that was put away at a reset, is judged by who wrote; a sub-agent's is whose that of its maker is.
"""

from collections.abc import Callable, Collection

from archivist.records import Link
from archivist.transfer.gateways import (
    GROUPS,
    OWN_CLIENTS,
    PRIVATE,
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
from archivist.transfer.openclaw.ledger import Ledger, Noted

Senders = Callable[[], Collection[Sender]]
"""Whoever wrote in a session; it may have to be read for that."""

UNATTENDED = frozenset({"cron", "hook", "heartbeat", "dreaming"})
MADE = frozenset({"subagent", "acp"})
MAIN = frozenset({"main", "global"})
LOCAL = OWN_CLIENTS | {"boot", "dashboard", "explicit", "openai", "openresponses"}
"""What keys of sessions at the machine itself begin with."""

NAMED_CALLERS = frozenset({"openai-user", "openresponses-user"})
"""What keys begin with where a program named the person that it spoke for."""

MOST_MAKERS = 100


def unattended(key: str | None) -> str | None:
    """What made a run that nobody asked for: "cron", "hook", "heartbeat" or "dreaming"."""
    head = rest_of(key)[0]
    if head in UNATTENDED or head.startswith("dreaming-"):
        return head.partition("-")[0]
    return "heartbeat" if key is not None and key.endswith(":heartbeat") else None


def is_made(key: str | None) -> bool:
    """Whether an agent began the session, and speaks in it in place of a person."""
    return rest_of(key)[0] in MADE


def is_told_by_envelopes(noted: Noted | None) -> bool:
    """Whether it takes the messages of a session to tell whose it is."""
    rest = rest_of(noted.key if noted else None)
    if noted is None or rest[0] in {"", "recovered"}:
        return True
    return rest[0] not in UNATTENDED | MADE | NAMED_CALLERS and by_key(rest, noted.channel) is None


def whose(noted: Noted | None, senders: Senders, session: str, main_key: str = "main") -> Whose:
    """Judge a session.

    Args:
        noted: What is noted of it or, of a sub-agent's, of the one that it works for; None for nothing.
        senders: Whoever wrote in that.
        session: Names the session, where it has no key.
        main_key: The last part of the key of a main session.
    """
    rest = rest_of(noted.key if noted else None)
    if noted is None or noted.key is None or rest[0] in {"", "recovered"}:
        return _by_notes(noted or Noted(session, ""), rest[:1], senders(), session)
    if rest[0] == main_key or rest[0] in MAIN:
        return _main(noted, senders(), noted.key)
    if rest[0] in UNATTENDED or rest[0].startswith("dreaming-"):
        return Whose("local", noted.key)
    if rest[0] in MADE:
        return unknown(noted.key)
    if rest[0] in NAMED_CALLERS and len(rest) > 1:
        return private(rest[0], ":".join(rest[1:]), noted.key)
    return by_key(rest, noted.channel) or _by_notes(noted, rest, senders(), noted.key)


def _main(noted: Noted, senders: Collection[Sender], key: str) -> Whose:
    people = writers_among(senders, noted.channel)
    if people is None or any(sender.is_group for sender in senders):
        return unknown(key)
    return Whose("local", key, people | {noted.writer} if noted.writer else people)


def _by_notes(noted: Noted, rest: list[str], senders: Collection[Sender], key: str) -> Whose:
    """By the kind of chat and who wrote last, else by who wrote; a name that somebody gave a session is one at the machine."""
    if noted.chat_type in GROUPS or is_group_id(noted.chat):
        return Whose("group", noted.chat or key)
    told = by_senders(senders, key, noted.channel)
    people = told.writers
    if noted.writer and (noted.chat_type in PRIVATE or noted.chat_type is None):
        people |= {noted.writer}
    if told.kind == "group" or people:
        return (
            told if told.kind == "group" else Whose("private" if len(people) == 1 else "local", key, people)
        )
    is_local = (len(rest) == 1 or rest[0] in LOCAL) and noted.channel in {None, *OWN_CLIENTS}
    return told if is_local else unknown(key)


def parent_of(
    session: str, header_parent: str | None, ledger: Ledger, agent: str
) -> tuple[Noted | None, Link | None]:
    """The session that one goes on from, as the ledger or its own first line says."""
    noted = ledger.sessions.get((agent, session))
    if noted is not None and noted.parent:
        return ledger.sessions.get((agent, noted.parent)) or Noted(noted.parent, agent), noted.link
    if noted is not None and (maker := _made_by(noted, ledger)):
        return maker, "subagent"
    if header_parent and header_parent != session:
        return ledger.sessions.get((agent, header_parent)) or Noted(header_parent, agent), "fork"
    return None, None


def worked_for(noted: Noted, ledger: Ledger) -> Noted:
    """The session that a sub-agent works for in the end; of one that is gone only its key is known."""
    at = noted
    for _ in range(MOST_MAKERS):
        key = _maker(at)
        if key is None or rest_of(at.key)[0] not in MADE:
            break
        at = ledger.by_key.get(key) or Noted("", at.agent, key=key)
    return at


def _maker(noted: Noted) -> str | None:
    if noted.spawned_by:
        return noted.spawned_by
    head = (noted.key or "").rpartition(":subagent:")[0]
    return head if ":subagent:" in head else None


def _made_by(noted: Noted, ledger: Ledger) -> Noted | None:
    """The session that made a sub-agent's, if it is known and did not begin after it."""
    parent = ledger.by_key.get(_maker(noted) or "")
    if parent is None or parent.session == noted.session:
        return None
    is_later = parent.started_at and noted.started_at and parent.started_at > noted.started_at
    return None if is_later else parent
