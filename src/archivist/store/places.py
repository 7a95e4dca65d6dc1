"""What is read as a session's conversation, where that is not just its own messages in the order in which they were stored.

A message is of one session. A fork's file repeats what its origin said: such messages stand in the fork too, in the places that its file
gives them, and are on a path as long as any session's path holds them. What its own session has left and another holds keeps its state, and
is left out only where its own is read. A file that was changed where it had been read tells messages between others: they stand there.

Functions over a connection; those that write are called inside a transaction.
"""

from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import apsw

from archivist.store.messages import set_states
from archivist.store.raw_prints import Known, Prints, recognise
from archivist.store.sessions import SessionKey

Order = Sequence[tuple[str, bool]]
"""The messages of a file in order: the client id under which each is told, and whether it is on the path that is seen."""


class Place(NamedTuple):
    """Where a message stands in a session: behind which of its own, as which of those, and whether it stands there for others alone."""

    behind: int
    number: int
    is_left: bool = False


IN_ORDER: Final = 0
"""The number of a message that stands where it was stored."""
ON_PATHS: Final = frozenset({"active", "compacted"})


def leave(db: apsw.Connection, session: int, messages: Collection[int]) -> set[int]:
    """Let a session leave messages of its own; gives those that another session's path holds, which keep their state."""
    held = _held(db, messages) if messages else set()
    db.executemany(
        "INSERT INTO placed VALUES(?1, ?2, ?2, 0, 1) ON CONFLICT DO UPDATE SET is_left = 1",
        [(session, message) for message in sorted(held)],
    )
    return held


def come_back(db: apsw.Connection, session: int, messages: Collection[int]) -> None:
    """Let messages be on the path of their own session again."""
    if not messages:
        return
    some = {"session": session, "some": _carray(messages)}
    db.execute(
        "DELETE FROM placed WHERE session = :session AND is_left AND number = 0 AND message IN (SELECT value FROM carray(:some))",
        some,
    )
    db.execute(
        "UPDATE placed SET is_left = 0 WHERE session = :session AND is_left AND message IN (SELECT value FROM carray(:some))",
        some,
    )


def settle_order(db: apsw.Connection, key: SessionKey, order: Order, prints: Mapping[str, Prints]) -> int:
    """Let what is read as a session be as its file holds it; returns how many messages changed their state.

    Args:
        db: A writing connection.
        key: The session.
        order: All messages of its file, whosesoever they are; what is not here is passed over.
        prints: How they look at their source, by client id.
    """
    told = {one.id: (one, is_on) for one, is_on in _known(db, key, order, prints)}
    moved = _restate_own(db, key.key, [pair for pair in told.values() if pair[0].session == key.key])
    standing = [message for message, (one, is_on) in told.items() if is_on or one.session == key.key]
    own = {message for message, (one, _) in told.items() if one.session == key.key}
    before = _placed_in(db, key.key)
    now = _placed(db, key, standing, own, before)
    _replace(db, key.key, before, now)
    others = [message for message in standing if message not in own]
    return moved + _hold(db, others) + let_go(db, before.keys() - now.keys())


def _known(
    db: apsw.Connection, key: SessionKey, order: Order, prints: Mapping[str, Prints]
) -> Iterator[tuple[Known, bool]]:
    """The messages of a file that are here; behind one of which only the beginning was stored, the rest of it."""
    rests = [look.rest for name, _ in order for look in prints.get(name, ()) if look.rest is not None]
    known = recognise(db, key.conversation, [*(name for name, _ in order), *rests], prints).known
    for name, is_on in order:
        at: str | None = name
        while at is not None and at in known:
            yield known[at], is_on
            at = next((look.rest for look in prints.get(at, ()) if look.print == known[at].print), None)


def _restate_own(db: apsw.Connection, session: int, told: Sequence[tuple[Known, bool]]) -> int:
    """Let a session's own messages be on its path or off it."""
    come_back(db, session, [one.id for one, is_on in told if is_on])
    off = [one.id for one, is_on in told if not is_on and one.state in ON_PATHS]
    held = leave(db, session, off)
    moves = [(one.id, "active") for one, is_on in told if is_on and one.state == "branch"]
    return set_states(db, [*moves, *((message, "branch") for message in off if message not in held)])


def hold_first(db: apsw.Connection, key: SessionKey, messages: Sequence[int]) -> int:
    """Let messages of others stand before a session's own; returns how many changed their state."""
    rows = [(key.key, message, number) for number, message in enumerate(messages, 1)]
    db.executemany("INSERT OR IGNORE INTO placed VALUES(?, ?, 0, ?, 0)", rows)
    return _hold(db, messages)


def let_go(db: apsw.Connection, messages: Collection[int]) -> int:
    """Let messages that their own sessions have left be off every path, if none holds them any more; returns how many moved."""
    if not messages:
        return 0
    rows: Any = db.execute(
        "SELECT p.session, p.message, m.state FROM placed AS p JOIN messages AS m ON m.id = p.message"
        " WHERE p.is_left AND p.message IN (SELECT value FROM carray(?))"
        " AND NOT EXISTS (SELECT 1 FROM placed AS h WHERE h.message = p.message AND h.session <> p.session)",
        (_carray(messages),),
    ).fetchall()
    for session, message, _ in rows:
        come_back(db, session, [message])
    return set_states(db, [(message, "branch") for _, message, state in rows if state in ON_PATHS])


def let_go_unheld(db: apsw.Connection) -> int:
    """The same of all messages, after sessions have gone."""
    rows = db.execute("SELECT message FROM placed WHERE is_left")
    return let_go(db, [message for (message,) in rows])


def _hold(db: apsw.Connection, others: Collection[int]) -> int:
    """Let messages that their own sessions have left be on a path, for another session's holds them."""
    if not others:
        return 0
    rows: Any = db.execute(
        "SELECT session, id FROM messages WHERE state = 'branch' AND id IN (SELECT value FROM carray(?))",
        (_carray(others),),
    ).fetchall()
    for session, message in rows:
        leave(db, session, [message])
    return set_states(db, [(message, "active") for _, message in rows])


def _held(db: apsw.Connection, messages: Collection[int]) -> set[int]:
    """Which messages stand in another session than their own."""
    rows = db.execute(
        "SELECT DISTINCT p.message FROM placed AS p JOIN messages AS m ON m.id = p.message"
        " WHERE p.message IN (SELECT value FROM carray(?)) AND p.session <> m.session",
        (_carray(messages),),
    )
    return {message for (message,) in rows}


def _placed_in(db: apsw.Connection, session: int) -> dict[int, Place]:
    rows = db.execute("SELECT message, behind, number, is_left FROM placed WHERE session = ?", (session,))
    return {message: Place(behind, number, bool(is_left)) for message, behind, number, is_left in rows}


def _placed(
    db: apsw.Connection,
    key: SessionKey,
    standing: Sequence[int],
    own: set[int],
    before: Mapping[int, Place],
) -> dict[int, Place]:
    """Where messages stand, not all of them in order: each before the next that is, and behind all that was stored before that."""
    in_order = longest_run([message for message in standing if message in own])
    there = set(standing)
    stays = {one: place for one, place in before.items() if one not in there and _is_own(db, one, key.key)}
    left = {one for one, place in before.items() if place.is_left}
    now = stays | {one: Place(one, IN_ORDER, is_left=True) for one in in_order & left}
    if len(in_order) == len(standing):
        return now
    elsewhere = {one for one, place in stays.items() if place.number != IN_ORDER}
    line = sorted(_own(db, key) - (own - in_order) - elsewhere)
    numbers = dict[int, int]()
    for place in stays.values():
        numbers[place.behind] = max(numbers.get(place.behind, 0), place.number)
    for message, following in zip(standing, _following(standing, in_order), strict=True):
        if message not in in_order:
            end = len(line) if following is None else bisect_left(line, following)
            behind = line[end - 1] if end else 0
            numbers[behind] = numbers.get(behind, 0) + 1
            now[message] = Place(behind, numbers[behind], is_left=message in left)
    return now


def _following(standing: Sequence[int], in_order: set[int]) -> list[int | None]:
    """For each the next that stands where it was stored."""
    found: list[int | None] = []
    following = None
    for message in reversed(standing):
        found.append(following)
        following = message if message in in_order else following
    return found[::-1]


def longest_run(numbers: Sequence[int]) -> set[int]:
    """The most of some different numbers that ascend as they stand."""
    ends: list[int] = []
    before: dict[int, int | None] = {}
    for number in numbers:
        length = bisect_left(ends, number)
        ends[length : length + 1] = [number]
        before[number] = ends[length - 1] if length else None
    found, at = set[int](), ends[-1] if ends else None
    while at is not None:
        found.add(at)
        at = before[at]
    return found


def _replace(
    db: apsw.Connection, session: int, before: Mapping[int, Place], now: Mapping[int, Place]
) -> None:
    db.executemany(
        "DELETE FROM placed WHERE session = ? AND message = ?",
        [(session, message) for message in before if message not in now],
    )
    db.executemany(
        "INSERT OR REPLACE INTO placed VALUES(?, ?, ?, ?, ?)",
        [(session, message, *place) for message, place in now.items() if before.get(message) != place],
    )


def _own(db: apsw.Connection, key: SessionKey) -> set[int]:
    rows = db.execute(
        "SELECT id FROM messages WHERE conversation = ? AND session = ?", (key.conversation, key.key)
    )
    return {message for (message,) in rows}


def _is_own(db: apsw.Connection, message: int, session: int) -> bool:
    return bool(db.execute("SELECT session = ? FROM messages WHERE id = ?", (session, message)).get)


def _carray(numbers: Collection[int]) -> Any:  # noqa: ANN401 - apsw's own type has no name
    return apsw.carray(array("q", numbers))
