"""Compactions: a session ends and a child of it begins, whose model sees less of what was said; see `store.contexts`.

A compaction is made while nobody waits: by a model that takes its time, or by rules. What it was made on is compared when it is stored.
What was said meanwhile comes behind it; after anything else it is refused, and nothing is written. Everything is one transaction: the
child, its list, its summary, the states of what its model sees no longer, the parent's end.

No text of a row changes, and none is copied. What is left out or shortened is `compacted`; what a fork shares with its parent is its
parent's and keeps its state.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import apsw
import msgspec
from msgspec.structs import replace

from archivist.records import ArchivistError, Message, Part, SessionStart, ToolCall
from archivist.records.messages import no_metadata
from archivist.store.contexts import Entry, entries_of, has_bytes_of, messages_of, put_list, seen_in
from archivist.store.lines import SUMMARY, lineage_of, tip_of
from archivist.store.messages import ClientIdReused, insert_messages, read_context, set_states
from archivist.store.rows import MessageNotStorable, Row
from archivist.store.scopes import scopes_of
from archivist.store.sessions import (
    SessionKey,
    end_session,
    read_session,
    require_session,
    require_tip,
    start_session,
)

REASON: Final = "compaction"
"""Why a session ended that was compacted."""


class ContextChanged(ArchivistError):
    """What a model sees has changed since a compaction of it was made."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        super().__init__(
            f"{session_id} has changed since its compaction was made (an undo, an edit, another compaction):"
            f" nothing was written; `archivist sessions compress {session_id}` makes it again"
        )


class Sent(msgspec.Struct, frozen=True):
    """A message as a session's model is sent it; None where that stays as it is.

    Attributes:
        message: Its id.
        text: What is sent in the place of its text.
        parts: In the place of its parts, such as a line in a picture's; it may name the bytes of its own parts and no others.
        tool_calls: In the place of its calls, such as with arguments that were cut.
    """

    message: int
    text: str | None = None
    parts: tuple[Part, ...] | None = None
    tool_calls: tuple[ToolCall, ...] | None = None


class Compaction(msgspec.Struct, frozen=True):
    """What is to take the place of what a session's model sees.

    Attributes:
        seen: The ids of what it was made on, in order, as `Compactions.context` gave them.
        head: What comes before the summary.
        summary: What stands for all that is in neither head nor tail; None where only texts were shortened.
        tail: What comes behind it.
        prompt: The child's frozen prompt; the parent's where None.
        metadata: What is kept with the child, such as tokens before and after, and notices.
    """

    seen: tuple[int, ...]
    head: tuple[Sent, ...] = ()
    summary: Message | None = None
    tail: tuple[Sent, ...] = ()
    prompt: str | None = None
    metadata: Mapping[str, Any] = msgspec.field(default_factory=no_metadata)


class Prepared(msgspec.Struct, frozen=True):
    """A compaction as it may be stored: masked, its summary a row."""

    seen: tuple[int, ...]
    head: tuple[Entry, ...]
    summary: Row | None
    tail: tuple[Entry, ...]
    prompt: str | None
    metadata: Mapping[str, Any]


def prepare_compaction(
    compaction: Compaction,
    *,
    prepare: Callable[[Message], Row],
    prepare_start: Callable[[SessionStart], SessionStart],
) -> Prepared:
    """A compaction as it may be stored, before any transaction begins.

    Args:
        compaction: As it was made.
        prepare: Gives the row of a message, masked.
        prepare_start: Masks a session's beginning.

    Raises:
        ValueError: Head and tail hold what it was not made on, or something twice; or nothing stands for what is left out.
        MessageNotStorable: See there.
    """
    _check(compaction)
    start = prepare_start(SessionStart("", prompt=compaction.prompt, metadata=compaction.metadata))
    summary = compaction.summary
    if summary is not None:
        summary = replace(summary, state="active", metadata={**summary.metadata, SUMMARY: True})
    return Prepared(
        compaction.seen,
        tuple(map(_entry, compaction.head)),
        None if summary is None else prepare(summary),
        tuple(map(_entry, compaction.tail)),
        start.prompt,
        start.metadata,
    )


def _check(compaction: Compaction) -> None:
    kept = [one.message for one in (*compaction.head, *compaction.tail)]
    seen = set(compaction.seen)
    if len(set(kept)) < len(kept) or not set(kept) <= seen:
        raise ValueError("head and tail of a compaction hold each message once, and only what it was made on")
    if compaction.summary is None and len(kept) < len(seen):
        raise ValueError("a compaction without a summary leaves nothing out: nothing would stand for it")
    if compaction.summary is not None and compaction.summary.role == "tool":
        raise ValueError("a tool's result is no summary")


def _entry(sent: Sent) -> Entry:
    from archivist.store.preparing import prepare_sent  # noqa: PLC0415 - masking costs readers 50 ms that they do not need

    prepared = prepare_sent(sent.text, sent.parts, sent.tool_calls)
    return Entry(sent.message, prepared.text, prepared.parts, prepared.calls)


def compact(
    db: apsw.Connection, session_id: str, made: Prepared, *, child_id: str, now: datetime
) -> SessionKey:
    """Store a compaction and begin the child in which the conversation goes on, inside a transaction.

    Args:
        db: A writing connection.
        session_id: The session whose context it was made on.
        made: The compaction.
        child_id: The id of the child.
        now: When the parent ends and the child begins.

    Raises:
        UnknownSession: There is no such session.
        ContextChanged: Its model sees something else by now than more of the same.
        ClientIdReused: The summary has the client id of another message.
        MessageNotStorable: What is sent names bytes that are not the message's own.
    """
    parent = require_session(db, session_id)
    hidden, seen, since = _standing(db, parent, session_id, made.seen)
    now_sent = {entry.message: entry for entry in seen}
    head, tail = (
        [_changed(db, now_sent[entry.message], entry) for entry in part] for part in (made.head, made.tail)
    )
    child = begin_child(db, session_id, made.prompt, made.metadata, child_id=child_id, now=now)
    own = [] if made.summary is None else [Entry(_insert(db, child, made.summary))]
    kept = {entry.message for entry in (*head, *tail)}
    without = [message for message in made.seen if message not in kept]
    entries = [*hidden, *head, *own, *tail, *since]
    put_list(db, child.key, entries, without)
    shortened = {entry.message for entry in entries if not entry.is_whole}
    settle_states(db, parent.key, dict.fromkeys({*without, *shortened}, "compacted"))
    end_session(db, parent.key, reason=REASON, now=now)
    return child


def read_compactable(db: apsw.Connection, session_id: str) -> tuple[str, list[Message]]:
    """The tip of a session's line by our id, and of what its model sees what a summary in it may stand for."""
    tip, tip_id = read_tip(db, session_id)
    return tip_id, read_context(db, tip, scopes_of(db, tip))


def read_tip(db: apsw.Connection, session_id: str) -> tuple[int, str]:
    """The key and our id of the tip of a session's line."""
    tip = require_tip(db, session_id).key
    return tip, str(db.execute("SELECT id FROM sessions WHERE key = ?", (tip,)).get)


def begin_child(
    db: apsw.Connection,
    parent_id: str,
    prompt: str | None,
    metadata: Mapping[str, Any],
    *,
    child_id: str,
    now: datetime,
) -> SessionKey:
    """Begin the session in which a compacted one goes on: of the same owner, program and model."""
    parent = read_session(db, parent_id)
    start = SessionStart(
        parent.source,
        model=parent.model,
        scope=parent.scope,
        cwd=parent.cwd,
        prompt=parent.prompt if prompt is None else prompt,
        metadata=metadata,
        parent_id=parent_id,
        link="compaction",
        archived=parent.archived_at is not None,
        pinned=parent.pinned,
    )
    return start_session(db, start, session_id=child_id, now=now)


def settle_states(db: apsw.Connection, session: int, states: Mapping[int, str]) -> None:
    """Move messages of a session's line to other states; what its line only shares is another's, and stays as it is."""
    if states:
        own: Any = db.execute(
            "SELECT id FROM messages WHERE id IN (SELECT value FROM carray(?)) AND state IN ('active', 'compacted')"
            " AND session IN (SELECT value FROM carray(?))",
            (apsw.carray(array("q", states)), apsw.carray(array("q", lineage_of(db, session)))),
        ).fetchall()
        set_states(db, [(message, states[message]) for (message,) in own])


def _standing(
    db: apsw.Connection, session: SessionKey, session_id: str, seen: Sequence[int]
) -> tuple[list[Entry], list[Entry], list[Entry]]:
    """What a session's model sees: what is of a scope that its summary may not tell of, what a compaction was made on, what came since."""
    if tip_of(db, session.key) != session.key:
        raise ContextChanged(session_id)
    entries = entries_of(db, session.key)
    allowed = seen_in(db, session.key, messages_of(entries))
    hidden = [entry for entry in entries if entry.message not in allowed]
    shown = [entry for entry in entries if entry.message in allowed]
    if messages_of(shown[: len(seen)]) != list(seen):
        raise ContextChanged(session_id)
    return hidden, shown[: len(seen)], shown[len(seen) :]


def _changed(db: apsw.Connection, now: Entry, to: Entry) -> Entry:
    """How a message is sent from now on; what equals the row is not kept beside it.

    Raises:
        MessageNotStorable: Its parts name bytes that are not its own.
    """
    if to.is_whole:
        return now
    row: Any = db.execute(
        "SELECT text, parts, tool_calls FROM messages WHERE id = ?", (now.message,)
    ).fetchone()
    if to.parts is not None and not has_bytes_of(db, now.message, to.parts):
        raise MessageNotStorable(f"what is sent for message {now.message} names bytes that are not its own")
    return Entry(
        now.message,
        *(
            new if new != stored else None
            for new, stored in zip(_chosen(now, to), (row[0], row[1] or "[]", row[2] or "[]"), strict=True)
        ),
    )


def _chosen(now: Entry, to: Entry) -> Iterable[str | None]:
    return (
        now.text if to.text is None else to.text,
        now.parts if to.parts is None else to.parts,
        now.calls if to.calls is None else to.calls,
    )


def _insert(db: apsw.Connection, child: SessionKey, summary: Row) -> int:
    """Store a summary; one that goes by another message's client id is no new row."""
    (key,) = insert_messages(db, child, [summary])
    home = db.execute("SELECT session FROM messages WHERE id = ?", (key,)).get
    if home != child.key:
        raise ClientIdReused(summary.client_id, key)
    return key


__all__ = [
    "Compaction",
    "ContextChanged",
    "Prepared",
    "Sent",
    "begin_child",
    "compact",
    "prepare_compaction",
    "read_compactable",
    "read_tip",
    "settle_states",
]
