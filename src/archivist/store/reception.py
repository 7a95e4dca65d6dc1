"""One foreign session on its way into the store: by batches, each a transaction, the last of which also closes it.

Most sessions fit one batch and so cost one commit. What the owner has deleted stays away, though it is read to its end: whoever tells
it counts it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

import msgspec

from archivist.records import Message, SessionStart, Usage
from archivist.store.adopting import Adopted, altered_ids, naming_missing
from archivist.store.blobs import Blobs, named_parts
from archivist.store.connection import Connection
from archivist.store.erased import Erased
from archivist.store.imported import Mark
from archivist.store.places import Order
from archivist.store.raw_prints import NO_PRINTS, Prints
from archivist.store.receiving import Receipt, finish, settle_told, take
from archivist.store.rows import Row

BATCH_MESSAGES = 500
BATCH_CHARACTERS = 2_000_000

Change = Callable[[Connection], Receipt]
Close = Callable[[Connection, Receipt], Receipt]
"""What is done in the last transaction of a session, given what its last batch gave."""


class Reception(msgspec.Struct, frozen=True):
    """What is needed to take a session in.

    Attributes:
        start: Its beginning, prepared.
        parent_external_id: Its parent by the source's id.
        adopted: What an export of Archivist's own tells of it beside.
        spare_id: Our id for it, should the source's own be taken.
        write: Runs a change in one durable transaction.
        prepare: Makes the row of a message.
        erased: What stays away.
        blobs: Where bytes are.
        now: Tells the time.
        prints: How what is told looks at its source; see `store.raw_prints`.
        order: All that its file holds, in order; see `store.places`.
    """

    start: SessionStart
    parent_external_id: str | None
    adopted: Adopted | None
    spare_id: str
    write: Callable[[Change], Receipt]
    prepare: Callable[[Message], Row]
    erased: Erased
    blobs: Blobs
    now: Callable[[], datetime]
    prints: Mapping[str, Prints] = NO_PRINTS
    order: Order | None = None

    def take_in(self, told: Iterable[Message], usage: Iterable[Usage], mark: Mark | None) -> Receipt:
        """Store what is new of its messages, what it used, and that its file was read to the end."""
        total, waiting = Receipt(), None
        for batch in batches(told, even_empty=self.adopted is not None):
            if waiting is not None:
                total = total.plus(self._store(waiting))
            waiting = batch
        counted = list(usage)

        def close(db: Connection, taken: Receipt) -> Receipt:
            finished = finish(db, self.start, counted, mark, self.now(), self.adopted)
            so_far = total.plus(taken)
            if so_far.is_new and so_far.added == len(self.order or ()):
                return finished  # all of it is its own, and was stored in order
            return finished.plus(settle_told(db, self.start, self.order, self.prints))

        if waiting is None:
            return total.plus(self.write(lambda db: close(db, Receipt())))
        return total.plus(self._store(waiting, close))

    def _store(self, batch: Sequence[Message], close: Close | None = None) -> Receipt:
        is_away = self.erased.names().has(self.start)
        if self.adopted is not None and not is_away:
            batch = naming_missing(batch, lambda name: self.blobs.find(name) is not None)
        rows = [] if is_away else [self.prepare(message) for message in batch]
        kept = [] if is_away else named_parts(batch, rows)
        altered = altered_ids(rows, batch) if self.adopted is not None and rows else ()

        def change(db: Connection) -> Receipt:
            if is_away or self.erased.names().has(self.start):  # it may have been deleted since
                taken = Receipt(stays_away=True)
            else:
                taken = take(
                    db,
                    self.start,
                    rows,
                    parent_external_id=self.parent_external_id,
                    spare_id=self.spare_id,
                    now=self.now(),
                    adopted=self.adopted,
                    altered=altered,
                    prints=self.prints,
                )
                self.blobs.keep(kept)
            return taken.plus(close(db, taken)) if close else taken

        if is_away and close is None:
            return Receipt(stays_away=True)
        return self.write(change)


def batches(told: Iterable[Message], *, even_empty: bool = False) -> Iterator[list[Message]]:
    """Lists of messages small enough for one transaction; where `even_empty`, one list at least."""
    batch: list[Message] = []
    characters = 0
    for message in told:
        batch.append(message)
        characters += len(message.text)
        if len(batch) == BATCH_MESSAGES or characters >= BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
            even_empty = False
    if batch or even_empty:
        yield batch
