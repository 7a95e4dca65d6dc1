"""What summaries stand for: the rows that a compaction left out, read back from its session's list (`store.contexts`).

Functions over a connection.
"""

from collections.abc import Callable, Collection, Iterator

import apsw

from archivist.store.contexts import left_out
from archivist.store.lines import IS_SUMMARY

StandsFor = Callable[[int], list[int]]
"""Gives what a message stands for directly; nothing for one that is no summary."""


def stands_for(db: apsw.Connection, message: int) -> list[int]:
    """The messages that a summary took the place of, in order, an earlier summary among them."""
    return list(_named(db, message))


def originals(db: apsw.Connection, message: int) -> list[int]:
    """What was said that a summary stands for, in order: what the summaries among that stand for in their places."""
    return [one for one, _, is_original in _opened(db, message) if is_original]


def told_by(db: apsw.Connection, message: int) -> set[int]:
    """All that a summary stands for, the summaries among it too."""
    return {one for one, *_ in _opened(db, message)}


def cited(db: apsw.Connection, message: int, number: int) -> int | None:
    """The message that a number means in the words of a summary; None where it means none of those that the summary stands for.

    It is the message's own id, but in a home into which the conversation was imported.
    """
    return next((one for one, named, _ in _opened(db, message) if named == number), None)


def _opened(db: apsw.Connection, message: int) -> Iterator[tuple[int, int, bool]]:
    """All that a summary stands for, in order: ids, the numbers by which its words name them, whether they stand for nothing."""
    waiting, met = [*_named(db, message).items()][::-1], {message}
    while waiting:
        one, number = waiting.pop()
        if one in met:  # in a damaged database summaries may stand for one another
            continue
        met.add(one)
        rows = _named(db, one)
        waiting += [*rows.items()][::-1]
        yield one, number, not rows


def _named(db: apsw.Connection, message: int) -> dict[int, int]:
    """By message, the numbers by which a summary names those that it took the place of; nothing for any other message."""
    session: int | None = db.execute(
        f"SELECT m.session FROM messages AS m WHERE m.id = ? AND {IS_SUMMARY}", (message,)
    ).get
    return {} if session is None else left_out(db, session)


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


__all__ = ["StandsFor", "cited", "is_told", "originals", "stands_for", "told_by"]
