"""What summaries stand for: the rows that a compaction left out, read back from its session's list (`store.contexts`).

Functions over a connection.
"""

from collections.abc import Callable, Collection

import apsw

from archivist.store.contexts import left_out
from archivist.store.lines import IS_SUMMARY

StandsFor = Callable[[int], list[int]]
"""Gives what a message stands for directly; nothing for one that is no summary."""


def stands_for(db: apsw.Connection, message: int) -> list[int]:
    """The messages that a summary took the place of, in order, an earlier summary among them."""
    session: int | None = db.execute(
        f"SELECT m.session FROM messages AS m WHERE m.id = ? AND {IS_SUMMARY}", (message,)
    ).get
    return [] if session is None else left_out(db, session)


def originals(db: apsw.Connection, message: int) -> list[int]:
    """What was said that a summary stands for, in order: what the summaries among that stand for in their places."""
    found, waiting, met = list[int](), stands_for(db, message)[::-1], {message}
    while waiting:
        one = waiting.pop()
        if one in met:  # in a damaged database summaries may stand for one another
            continue
        met.add(one)
        rows = stands_for(db, one)
        waiting += rows[::-1]
        if not rows:
            found.append(one)
    return found


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


__all__ = ["StandsFor", "is_told", "originals", "stands_for"]
