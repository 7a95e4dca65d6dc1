"""What a session's model sees of messages: a list of its lineage's rows, made when the session began, and what was said in it since.

A session that a compaction or a fork began has such a list: rows in the order in which they are sent, some with another text, other parts
or calls than are stored. A compaction's own summary stands among them, in its place. Behind them, not sent, stand the rows that the summary
stands for, so that it can be opened and taken back. Nothing is copied, and a list never changes.

Functions over a connection; those that write are called inside a transaction.
"""

from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import apsw
import msgspec

from archivist.records import Message, Part, ToolCall
from archivist.records.compactions import without_thoughts
from archivist.store.blobs import blobs_in
from archivist.store.lines import lineage_of
from archivist.store.rows import UNREADABLE, from_json
from archivist.store.scopes import scopes_of, within

AS_SENT: Final = "c.text_as_sent, c.parts_as_sent, c.calls_as_sent"
"""The columns of a list that stand for those of a message, where they are not empty."""
IS_SENT: Final = "c.is_left_out IS NULL AND (m.state IN ('active', 'compacted') OR m.session NOT IN (SELECT value FROM carray(:line)))"
"""Of a row of a list: its model sees it. What a fork shares with its parent stays in it, whatever has become of it there."""
IS_BEHIND: Final = "m.id NOT IN (SELECT message FROM context WHERE session = :session)"
"""Of a session's own message: it stands behind the list, not in it."""

LEFT_OUT, NAMED = 1, 2
"""Of a row of a list that is not sent: the session's summary stands for it, or only names it, through an earlier summary."""
NO_OTHER_NUMBERS: Final[Mapping[int, int]] = MappingProxyType({})


class Entry(msgspec.Struct, frozen=True):
    """A message that a model sees; text, parts and calls as they are stored where they are sent otherwise, else None."""

    message: int
    text: str | None = None
    parts: str | None = None
    calls: str | None = None

    @property
    def is_whole(self) -> bool:
        """Whether it is sent as it is stored."""
        return self.text is None and self.parts is None and self.calls is None


def entries_of(db: apsw.Connection, session: int) -> list[Entry]:
    """What a session's model sees now, in order."""
    return [*listed(db, session), *own_entries(db, session, None, {"active"})]


def listed(db: apsw.Connection, session: int) -> list[Entry]:
    """What stands in a session's list and is sent."""
    rows = db.execute(
        f"SELECT c.message, {AS_SENT} FROM context AS c JOIN messages AS m ON m.id = c.message"
        f" WHERE c.session = :session AND {IS_SENT} ORDER BY c.position",
        {"session": session, "line": apsw.carray(array("q", lineage_of(db, session)))},
    )
    return [Entry(*row) for row in rows]


def left_out(db: apsw.Connection, session: int) -> list[int]:
    """The messages for which a session's summary stands, in the order in which they stood."""
    rows = db.execute(
        f"SELECT message FROM context WHERE session = ? AND is_left_out = {LEFT_OUT} ORDER BY position",
        (session,),
    )
    return [message for (message,) in rows]


def own_entries(db: apsw.Connection, session: int, at: int | None, states: Collection[str]) -> list[Entry]:
    """A session's own messages of some states behind its list, with those of others that stand among them (`store.places`).

    Args:
        db: A connection.
        session: The session.
        at: The last one of them; all where None.
        states: Of its own.
    """
    rows = db.execute(
        "SELECT m.id, m.state, coalesce(p.behind, m.id), coalesce(p.number, 0), coalesce(p.is_left, 0),"
        f" {IS_BEHIND} FROM sessions AS s JOIN messages AS m ON m.conversation = s.conversation AND m.session = s.key"
        " LEFT JOIN placed AS p ON p.session = s.key AND p.message = m.id WHERE s.key = :session"
        " UNION ALL SELECT p.message, NULL, p.behind, p.number, 0, 1 FROM placed AS p JOIN messages AS m ON m.id = p.message"
        " WHERE p.session = :session AND m.session <> :session ORDER BY 3, 4",
        {"session": session},
    )
    found: list[Entry] = []
    for message, state, _, _, is_left, is_behind in rows:
        if is_behind and (state is None or (state in states and not is_left)):
            found.append(Entry(message))
        if message == at:
            break
    return found


def seen_in(db: apsw.Connection, session: int, messages: Collection[int]) -> frozenset[int]:
    """Which of some messages may be told of in a session, by whom it is with."""
    if not messages:
        return frozenset()
    condition, keys = within(scopes_of(db, session))
    rows = db.execute(
        "SELECT m.id FROM messages AS m JOIN sessions AS s ON s.key = m.session"
        f" WHERE m.id IN (SELECT value FROM carray(?)) AND {condition}",
        (apsw.carray(array("q", messages)), *keys),
    )
    return frozenset(message for (message,) in rows)


def put_list(
    db: apsw.Connection,
    session: int,
    entries: Sequence[Entry],
    without: Sequence[int] = (),
    cited: Mapping[int, int] = NO_OTHER_NUMBERS,
) -> None:
    """Give a session that has just begun its list.

    Args:
        db: A writing connection.
        session: The session.
        entries: What is sent, in order.
        without: The messages that its summary stands for, in order.
        cited: By message, the number by which its summary names it, where that was written in another home.
    """
    sent = [(*msgspec.structs.astuple(one), None, None) for one in entries]
    known = set(without)
    others = [(message, None, None, None, LEFT_OUT, cited.get(message)) for message in without]
    others += [
        (message, None, None, None, NAMED, number)
        for message, number in cited.items()
        if message not in known
    ]
    db.executemany(
        "INSERT INTO context(session, position, message, text_as_sent, parts_as_sent, calls_as_sent, is_left_out, cited_as)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
        [(session, place, *row) for place, row in enumerate([*sent, *others])],
    )


def has_bytes_of(db: apsw.Connection, message: int, parts: str) -> bool:
    """Whether parts that are sent in a message's place name no bytes but its own, with which they go when it is deleted."""
    own: str | None = db.execute("SELECT parts FROM messages WHERE id = ?", (message,)).get
    return set(blobs_in(parts)) <= set(blobs_in(own or "[]"))


def as_sent(
    message: Message,
    text: str | None = None,
    parts: tuple[Part, ...] | None = None,
    calls: tuple[ToolCall, ...] | None = None,
) -> Message:
    """A message with what a model is sent in the place of its text, parts and calls; what is None stays.

    What was thought for calls that were cut goes with them: its signature is of what was called. A provider's compactions stay, which
    stand for all that was before them.
    """
    given: dict[str, Any] = {
        name: value
        for name, value in (("text", text), ("parts", parts), ("tool_calls", calls))
        if value is not None
    }
    if calls is not None:
        given["reasoning"] = without_thoughts(message.reasoning)
    return msgspec.structs.replace(message, **given) if given else message


def read_as_sent(message: Message, sent: Sequence[Any]) -> Message:
    """A message as a model is sent it, given the values of `AS_SENT`; damaged ones stand for nothing."""
    text, parts, calls = sent
    message = as_sent(message, None if text is None else str(text))
    try:
        return as_sent(
            message,
            parts=None if parts is None else _parts(parts),
            calls=None if calls is None else _calls(calls),
        )
    except UNREADABLE:
        return message


def _parts(stored: str) -> tuple[Part, ...]:
    return tuple(Part(**fields) for fields in from_json(stored, ()))


def _calls(stored: str) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(**fields) for fields in from_json(stored, ()))


def messages_of(entries: Iterable[Entry]) -> list[int]:
    """Their ids."""
    return [entry.message for entry in entries]
