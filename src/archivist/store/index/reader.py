"""One moment of the index, for one search: ids of messages that match, and of those that the index cannot answer for.

A reader holds a snapshot of `index.db`. Messages that were said, changed or removed after it are not answered
from it: the new and the changed ones are the tail, which a search reads itself, and rows of changed or removed
ones are left out. No query here sorts by FTS5's rank, which would read every posting of a common word.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import islice

import apsw
import msgspec

from archivist.records import ArchivistError
from archivist.store.index.indexer import Newest, touched_after
from archivist.store.index.tables import Mark, read_totals

DAMAGE = (apsw.CorruptError, apsw.NotADBError, apsw.FormatError)

IdRange = tuple[int, int]
"""First and last id, both included."""


class IndexDamaged(ArchivistError):
    """The index turned out to be damaged while it was read."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"the search index is damaged ({reason}): it is made again from the conversations, search once more"
        )


class Tail(msgspec.Struct, frozen=True):
    """Messages that the index cannot answer for.

    Attributes:
        ids: Newest first; some may have been removed meanwhile.
        more: At most how many there are beyond those.
    """

    ids: tuple[int, ...]
    more: int


class IndexReader:
    """What the index answers; without a connection it is an empty index, and all messages are its tail.

    Match expressions are FTS5's, made of `phrase()` and of tags; ids are those of messages.
    """

    def __init__(
        self, db: apsw.Connection | None, state: apsw.Connection, mark: Mark, newest: Newest
    ) -> None:
        self._db, self._state = db, state
        self._mark, self._newest = mark, newest
        self._touched = _joined([(first, last) for _, _, first, last in touched_after(state, mark, newest)])

    @property
    def documents(self) -> int:
        """Messages in the index."""
        return self._mark.documents

    @cached_property
    def average_words(self) -> float:
        """Words of a message on average, as `split_words` counts them."""
        if self._db is None:
            return 0.0
        with _damage_named():
            rows, words = read_totals(self._db)
        return max(0, words - self._mark.extras) / rows if rows else 0.0

    @property
    def mark(self) -> Mark:
        """How far the index was when this reader began."""
        return self._mark

    @property
    def newest_of_store(self) -> Newest:
        """How far the store was when this reader began."""
        return self._newest

    @property
    def waiting(self) -> int:
        """At most how many messages the index cannot answer for."""
        touched = sum(last - first + 1 for first, last in self._touched)
        return max(0, self._newest.message - self._mark.through) + touched

    @property
    def is_complete(self) -> bool:
        """Whether nothing was left to do when this reader began."""
        return self._mark.seq == self._newest.seq and self._mark.through >= self._newest.message

    def newest(self, match: str, limit: int, *, below: int | None = None) -> list[int]:
        """Ids that match, descending; with `below`, only smaller ones.

        Raises:
            IndexDamaged: See there.
        """
        if below is None:
            return self._ids("ORDER BY rowid DESC", match, (), limit)
        return self._ids("AND rowid < ? ORDER BY rowid DESC", match, (below,), limit)

    def oldest(self, match: str, limit: int) -> list[int]:
        """Ids that match, ascending.

        Raises:
            IndexDamaged: See there.
        """
        return self._ids("ORDER BY rowid", match, (), limit)

    def spread(self, match: str, limit: int, slices: int) -> list[int]:
        """Ids that match, descending: the newest of each of some equal ranges between the first and the last.

        Raises:
            IndexDamaged: See there.
        """
        ends = [*self.oldest(match, 1), *self.newest(match, 1)]
        if not ends:
            return []
        first, last = ends
        share, width = -(-limit // slices), -(-(last - first + 1) // slices)
        found: list[int] = []
        for number in reversed(range(slices)):
            low = first + number * width
            ids = self._ids(
                "AND rowid BETWEEN ? AND ? ORDER BY rowid DESC", match, (low, low + width - 1), share
            )
            found += ids
        return found[:limit]

    def tail(self, limit: int) -> Tail:
        """Messages that were said or changed after the index's mark, the newest said first."""
        added = self._state.execute(
            "SELECT id FROM messages WHERE id > ? ORDER BY id DESC LIMIT ?", (self._mark.through, limit)
        )
        ids = [key for (key,) in added]
        for first, last in reversed(self._touched):
            changed = self._state.execute(
                "SELECT id FROM messages WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT ?",
                (first, last, limit - len(ids)),
            )
            ids += [key for (key,) in changed]
        if len(ids) < limit:
            return Tail(tuple(ids), 0)
        return Tail(tuple(ids), max(0, self.waiting - len(ids)))

    def close(self) -> None:
        """End the snapshot; whoever began it calls this."""
        if self._db is not None and self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def _ids(self, order: str, match: str, bounds: Sequence[int], limit: int) -> list[int]:
        if self._db is None or limit <= 0:
            return []
        sql = f"SELECT rowid FROM search WHERE search MATCH ? {order}"
        with _damage_named():
            if not self._touched:
                return [key for (key,) in self._db.execute(f"{sql} LIMIT ?", (match, *bounds, limit))]
            rows = self._db.execute(sql, (match, *bounds))
            return list(islice((key for (key,) in rows if not self._is_touched(key)), limit))

    def _is_touched(self, key: int) -> bool:
        at = bisect_right(self._touched, (key, 1 << 63)) - 1
        return at >= 0 and key <= self._touched[at][1]


def _joined(ranges: Sequence[IdRange]) -> list[IdRange]:
    """The ranges in order, those that overlap as one."""
    joined: list[IdRange] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


@contextmanager
def _damage_named() -> Iterator[None]:
    try:
        yield
    except (*DAMAGE, apsw.IOError) as error:
        raise IndexDamaged(str(error)) from error
