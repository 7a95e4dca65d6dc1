"""What summaries stand for: the rows that a compaction left out, read back from its session's list (`store.contexts`).

Functions over a connection.
"""

from array import array
from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

import apsw

from archivist.store.contexts import LEFT_OUT
from archivist.store.lines import IS_SUMMARY

StandsFor = Callable[[int], list[int]]
"""Gives what a message stands for directly; nothing for one that is no summary."""


def stands_for(db: apsw.Connection, message: int) -> list[int]:
    """The messages that a summary took the place of, in order, an earlier summary among them."""
    return [one for one, *_ in _told_in(db, _home_of(db, message))]


def originals(db: apsw.Connection, message: int) -> list[int]:
    """What was said that a summary stands for, in order: what the summaries among that stand for in their places."""
    return [one for one, is_original in _opened(db, message) if is_original]


def told_by(db: apsw.Connection, message: int) -> set[int]:
    """All that a summary stands for, the summaries among it too."""
    return {one for one, _ in _opened(db, message)}


def summaries_among(db: apsw.Connection, messages: Collection[int]) -> frozenset[int]:
    """Which of some messages a compaction wrote to stand for others."""
    if not messages:
        return frozenset()
    rows = db.execute(
        f"SELECT m.id FROM messages AS m WHERE m.id IN (SELECT value FROM carray(?)) AND {IS_SUMMARY}",
        (apsw.carray(array("q", messages)),),
    )
    return frozenset(key for (key,) in rows)


class _Told(NamedTuple):
    """A message that a summary stands for.

    Attributes:
        home: The session that began with it, if it is a summary itself.
    """

    message: int
    home: int | None


def _opened(db: apsw.Connection, message: int) -> Iterator[tuple[int, bool]]:
    """All that a summary stands for, in order, each with whether it stands for nothing itself."""
    waiting, met = _told_in(db, _home_of(db, message))[::-1], {message}
    while waiting:
        one = waiting.pop()
        if one.message in met:  # in a damaged database summaries may stand for one another
            continue
        met.add(one.message)
        rows = _told_in(db, one.home)
        waiting += rows[::-1]
        yield one.message, not rows


def _home_of(db: apsw.Connection, message: int) -> int | None:
    """The session that began with a summary; None of any other message."""
    home: int | None = db.execute(
        f"SELECT m.session FROM messages AS m WHERE m.id = ? AND {IS_SUMMARY}", (message,)
    ).get
    return home


def _told_in(db: apsw.Connection, session: int | None) -> list[_Told]:
    """What the summary of a session stands for, in order."""
    if session is None:
        return []
    rows: Any = db.execute(
        f"SELECT c.message, CASE WHEN {IS_SUMMARY} THEN m.session END FROM context AS c JOIN messages AS m ON m.id = c.message"
        f" WHERE c.session = ? AND c.is_left_out = {LEFT_OUT} ORDER BY c.position",
        (session,),
    ).fetchall()
    return [_Told(*row) for row in rows]


def is_told(stood: StandsFor, message: int, there: Collection[int]) -> bool:
    """Whether a summary stands for something, and all of that is there, or is a summary of which that holds."""
    met, waiting = {message}, stood(message)
    if not waiting:
        return False
    waiting = list(waiting)
    while waiting:
        one = waiting.pop()
        if one in there or one in met:
            continue
        met.add(one)
        rows = stood(one)
        if not rows:
            return False
        waiting += rows
    return True


__all__ = ["StandsFor", "is_told", "originals", "stands_for", "summaries_among", "told_by"]
