"""Which messages were stored and are not there: told from the changes, in runs of ids, so that no number in a damaged row is dear."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

import apsw

from archivist.store.gaps import note_run, passed_over
from archivist.store.imported import forget_files


def missing(db: apsw.Connection, *, with_known: bool = False) -> Iterator[tuple[int, int]]:
    """Runs of ids that were given to messages which are not there and were not removed.

    Args:
        db: Any connection.
        with_known: Also those that were told as lost before.
    """
    gone: Any = db.execute(
        "SELECT first_message, last_message FROM changes WHERE kind = 'removed' OR kind = 'lost' AND NOT ?",
        (with_known,),
    ).fetchall()
    accounted = Ranges([*gone, *passed_over(db).messages])
    added = db.execute(
        "SELECT first_message, last_message FROM changes WHERE kind = 'added' ORDER BY first_message, last_message"
    )
    there = db.execute("SELECT id FROM messages ORDER BY id")
    present, covered = next(there, (None,))[0], 0
    for first, last in added:
        at = max(first, covered + 1)
        covered = max(covered, last)
        while at <= last:
            while present is not None and present < at:
                present = next(there, (None,))[0]
            end = last if present is None or present > last else present - 1
            yield from accounted.outside(at, end)
            at = end + 2


def record_losses(db: apsw.Connection) -> int:
    """Write down what is gone for good; returns how many messages."""
    lost = list(missing(db))
    for first, last in lost:
        note_run(db, "lost", first, last)
    if lost:
        forget_files(db)
    return count(lost)


def known_losses(db: apsw.Connection) -> int:
    """How many messages an earlier salvage wrote down as lost, and still are."""
    rows: Any = db.execute("SELECT first_message, last_message FROM changes WHERE kind = 'lost'").fetchall()
    return sum(
        last
        - first
        + 1
        - int(db.execute("SELECT count(*) FROM messages WHERE id BETWEEN ? AND ?", (first, last)).get)
        for first, last in rows
    )


def count(found: Sequence[tuple[int, int]]) -> int:
    """How many ids there are in runs."""
    return sum(last - first + 1 for first, last in found)


def removed(db: apsw.Connection) -> "Ranges":
    """The messages that were removed on purpose, and the ids that were passed over."""
    rows: Any = db.execute(
        "SELECT first_message, last_message FROM changes WHERE kind = 'removed'"
    ).fetchall()
    return Ranges([*rows, *passed_over(db).messages])


class Ranges:
    """Ids in ranges that do not overlap."""

    def __init__(self, pairs: Sequence[tuple[int, int]]) -> None:
        self._firsts: list[int] = []
        self._lasts: list[int] = []
        for first, last in sorted(pairs):
            if self._lasts and first <= self._lasts[-1] + 1:
                self._lasts[-1] = max(self._lasts[-1], last)
            elif last >= first:
                self._firsts.append(first)
                self._lasts.append(last)

    def __contains__(self, key: int) -> bool:
        at = bisect_right(self._firsts, key) - 1
        return at >= 0 and key <= self._lasts[at]

    def outside(self, first: int, last: int) -> list[tuple[int, int]]:
        """What of a range no range covers."""
        found = []
        at = max(bisect_right(self._firsts, first) - 1, 0)
        while first <= last and at < len(self._firsts):
            if self._lasts[at] >= first:
                if self._firsts[at] > last:
                    break
                if self._firsts[at] > first:
                    found.append((first, self._firsts[at] - 1))
                first = self._lasts[at] + 1
            at += 1
        return [*found, (first, last)] if first <= last else found
