"""What a session has heard: all that its model has seen of its conversation, and what the agent had heard that began it.

Functions over a connection.
"""

from array import array
from collections.abc import Iterator, Sequence
from typing import Any

import apsw
import msgspec

from archivist.records import Message, Scope, ToolCall
from archivist.store.connection import Connection
from archivist.store.lines import IS_SUMMARY, lineage_of, path_ids
from archivist.store.messages import MESSAGE_COLUMNS
from archivist.store.rows import Row, message_of
from archivist.store.sessions import require_session
from archivist.store.summaries import stands_for

_DEEPEST = 8
"""Agents that began one another."""
_NEAR = 500
"""Ids before a tool's result among which its call is looked for."""


class Heard(msgspec.Struct, frozen=True):
    """What a session has heard.

    Attributes:
        ids: Of the messages, in order, those that a compaction left out for the model among them.
        delegated: Sessions in which an agent speaks in the person's place.
        is_compacted: Whether what a summary stands for is among them.
    """

    ids: tuple[int, ...]
    scope: Scope
    delegated: frozenset[str]
    is_compacted: bool


def heard_by(db: Connection, session_id: str) -> Heard:
    """What a session has heard, whatever the scopes that it goes through.

    Raises:
        UnknownSession: There is none of that id.
    """
    key: int | None = require_session(db, session_id).key
    scope = _scope_of(db, key or 0)
    ids, delegated = list[int](), set[str]()
    for _ in range(_DEEPEST):
        if key is None:
            break
        ids[:0] = path_ids(db, key, None, summaries=True)
        line = lineage_of(db, key)
        parent = _parent_of_agent(db, line[0])
        if parent is not None:
            delegated.update(_ids_of(db, line))
        key = parent
    return Heard(tuple(ids), scope, frozenset(delegated), _has_originals(db, ids))


def _has_originals(db: Connection, ids: Sequence[int]) -> bool:
    """Whether what summaries stand for is among some messages; where that is not known, whether anything is that was compacted."""
    if not ids:
        return False
    among = {"some": apsw.carray(array("q", ids))}
    summaries: Any = db.execute(
        f"SELECT m.id FROM messages AS m WHERE m.id IN (SELECT value FROM carray(:some)) AND {IS_SUMMARY}",
        among,
    ).fetchall()
    stood = [stands_for(db, key) for (key,) in summaries]
    if stood and all(stood):
        return set[int]().union(*stood) <= set(ids)
    query = "SELECT EXISTS (SELECT 1 FROM messages WHERE id IN (SELECT value FROM carray(:some)) AND state = 'compacted')"
    return bool(db.execute(query, among).get)


def said_among(db: Connection, ids: Sequence[int]) -> list[Message]:
    """Of some messages those that go under people's names, in order."""
    return _read(db, ids, " AND m.role = 'user'")


def read_among(db: Connection, ids: Sequence[int]) -> list[Message]:
    """Messages by their ids, in order."""
    return _read(db, ids, "")


def read_with_call(db: Connection, message_id: int) -> tuple[Message, ToolCall | None, Scope] | None:
    """A message, of a tool's result the call that it answers, and the scope that it was said in; None where there is no such message."""
    found = read_among(db, [message_id])
    if not found:
        return None
    row: Any = db.execute("SELECT session FROM messages WHERE id = ?", (message_id,)).get
    scope, wanted = _scope_of(db, row), found[0].tool_call_id
    if found[0].role != "tool" or not wanted:
        return found[0], None, scope
    before: Any = db.execute(
        "SELECT id FROM messages WHERE id < ? AND id >= ? AND session = ? AND role = 'assistant' AND instr(tool_calls, ?) > 0"
        " ORDER BY id DESC LIMIT 1",
        (message_id, message_id - _NEAR, row, wanted),
    ).get
    calls = read_among(db, [before])[0].tool_calls if before is not None else ()
    return found[0], next((call for call in calls if call.id == wanted), None), scope


def session_of_message(db: Connection, message_id: int) -> str | None:
    """The session in which a message was said; None where there is no such message."""
    found: str | None = db.execute(
        "SELECT s.id FROM messages AS m JOIN sessions AS s ON s.key = m.session WHERE m.id = ?", (message_id,)
    ).get
    return found


def _read(db: Connection, ids: Sequence[int], condition: str) -> list[Message]:
    if not ids:
        return []
    rows = db.execute(
        f"SELECT s.id, m.id, {MESSAGE_COLUMNS} FROM messages AS m JOIN sessions AS s ON s.key = m.session"
        f" WHERE m.id IN (SELECT value FROM carray(?)){condition}",
        (apsw.carray(array("q", ids)),),
    )
    found = {key: message_of(Row(*values), key=key, session_id=session) for session, key, *values in rows}
    return list(_in_order(found, ids))


def _in_order(found: dict[int, Message], ids: Sequence[int]) -> Iterator[Message]:
    return (found[key] for key in ids if key in found)


def _scope_of(db: Connection, key: int) -> Scope:
    row: Any = db.execute(
        "SELECT sc.user, sc.chat, sc.project FROM sessions AS s JOIN scopes AS sc ON sc.key = s.scope WHERE s.key = ?",
        (key,),
    ).fetchone()
    return Scope(*(one or None for one in row)) if row is not None else Scope()


def _parent_of_agent(db: Connection, key: int) -> int | None:
    """The session that an agent began as a sub-agent's; None of any other."""
    found: int | None = db.execute(
        "SELECT parent FROM sessions WHERE key = ? AND link = 'subagent'", (key,)
    ).get
    return found


def _ids_of(db: Connection, keys: Sequence[int]) -> list[str]:
    rows = db.execute(
        "SELECT id FROM sessions WHERE key IN (SELECT value FROM carray(?))", (apsw.carray(array("q", keys)),)
    )
    return [key for (key,) in rows]


__all__ = ["Heard", "heard_by", "read_among", "read_with_call", "said_among", "session_of_message"]
