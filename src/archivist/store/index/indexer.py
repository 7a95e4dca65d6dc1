"""One step of bringing `index.db` up to the store: changes followed, new messages added, the mark moved.

A step is one transaction of the index over one snapshot of the store: a killed indexer leaves a mark and rows
that agree. Messages are added in the order of their ids and always as they are now; a change matters only for
messages that are in the index already. Doing a change twice is doing it once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import apsw
import msgspec
from msgspec.structs import replace

from archivist.store.documents import Document, read_document_range
from archivist.store.index.tables import Mark, read_mark, write_mark
from archivist.store.index.tags import filed_as, tags_of
from archivist.store.index.words import FILLER, words_and_extras
from archivist.store.messages import LAST_ID

BATCH_CHARS = 8 << 20
"""Of the text that a step holds in memory at most, but for the last message."""
_CHUNK_IDS = 500
_LOOK_AT_CLOCK = 32  # after so many rows

UNDECODABLE = (msgspec.DecodeError, LookupError, TypeError, AttributeError)
"""What a message raises whose stored JSON is broken or of another shape."""

IsLate = Callable[[], bool]


class IndexOutdated(Exception):
    """The index was made from another store, from a later state of it, or by other rules."""


class StoreWentBack(IndexOutdated):
    """The store is an earlier state of what the index was made from: something that was stored is not there."""


class StoreUnread(Exception):
    """The store, not the index, could not be read."""

    def __init__(self, cause: apsw.Error) -> None:
        self.cause = cause
        super().__init__(str(cause))


class Newest(msgspec.Struct, frozen=True):
    """How far a store is: its id, its last change, and the highest id that a message ever had."""

    store_id: str
    seq: int
    message: int


class Step(msgspec.Struct, frozen=True):
    """What a step left: the mark, how far the store was, and the messages that could not be read."""

    mark: Mark
    newest: Newest
    unreadable: tuple[int, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether nothing was left to do."""
        return self.mark.seq == self.newest.seq and self.mark.through >= self.newest.message


def read_newest(state: apsw.Connection) -> Newest:
    """How far the store is."""
    row = state.execute(
        "SELECT coalesce((SELECT value FROM meta WHERE key = 'store_id'), ''),"
        f" coalesce((SELECT max(seq) FROM changes), 0), ({LAST_ID})"
    ).fetchone()
    assert row is not None
    return Newest(*row)


def checked_mark(mark: Mark | None, newest: Newest) -> Mark:
    """The mark of an index that belongs to a store which is as far as `newest`.

    Raises:
        IndexOutdated: If it does not.
    """
    if mark is None:
        raise IndexOutdated("it was made by another version")
    if mark.store_id != newest.store_id:
        raise IndexOutdated("it was made from another store")
    if mark.seq > newest.seq or mark.through > newest.message:
        raise StoreWentBack("it is ahead of the store")
    return mark


def take_step(state: apsw.Connection, db: apsw.Connection, is_late: IsLate, batch_messages: int) -> Step:
    """Follow changes and add messages, at most a batch and not long after it is late.

    Raises:
        IndexOutdated: If the index does not belong to the store.
        StoreUnread: When the store cannot be read.
        apsw.Error: When the index cannot be read or written.
    """
    with _transaction(db):
        try:
            with of_the_store():
                state.execute("BEGIN")
                newest = read_newest(state)
            mark = _follow_changes(state, db, checked_mark(read_mark(db), newest), newest, is_late)
            batch = _Batch([], mark.through, [])
            if mark.seq == newest.seq:
                before = _before_the_next(state, mark.through, newest)
                batch = _read_batch(state, before, min(newest.message, before + batch_messages))
                mark = _add_messages(db, mark, batch, is_late)
            write_mark(db, mark)
        finally:
            end_transaction(state)
    return Step(mark, newest, tuple(batch.unreadable))


def touched_after(state: apsw.Connection, mark: Mark, newest: Newest) -> Iterator[tuple[int, str, int, int]]:
    """Changes of messages that the index holds, that it has not followed: seq, kind, first id, last id."""
    if not mark.through:
        return iter(())
    return state.execute(
        "SELECT seq, kind, first_message, min(last_message, ?1) FROM changes"
        " WHERE seq > ?2 AND seq <= ?3 AND kind <> 'added' AND first_message <= ?1 ORDER BY seq",
        (mark.through, mark.seq, newest.seq),
    )


def _follow_changes(
    state: apsw.Connection, db: apsw.Connection, mark: Mark, newest: Newest, is_late: IsLate
) -> Mark:
    """Do again what messages in the index have become; "changed" means that a message kept its text."""
    with of_the_store():
        changes = list(touched_after(state, mark, newest))
    for seq, kind, first, last in changes:
        at = max(first, mark.within + 1)
        while at <= last:
            chunk_last = min(last, at + _CHUNK_IDS - 1)
            with of_the_store():
                documents = list(readable_documents(state, at, chunk_last, []))
            mark = _refile(db, mark, documents, (at, chunk_last), keeps_text=kind == "changed")
            mark = replace(mark, seq=seq - 1, within=chunk_last)
            at = chunk_last + 1
            if is_late():
                return replace(mark, seq=seq, within=0) if at > last else mark
        mark = replace(mark, seq=seq, within=0)
    return replace(mark, seq=newest.seq, within=0)


def _never() -> bool:
    return False


def _refile(
    db: apsw.Connection, mark: Mark, documents: Sequence[Document], ids: tuple[int, int], *, keeps_text: bool
) -> Mark:
    """Make the rows of a range of ids what `documents` say; with texts kept, rows under the right tags stay."""
    held = {key for (key,) in db.execute("SELECT id FROM search_docsize WHERE id BETWEEN ? AND ?", ids)}
    kept = _filed_right(db, documents, *ids) if keeps_text else set()
    gone = sorted(held - kept)
    db.executemany("DELETE FROM search WHERE rowid = ?", ((key,) for key in gone))
    average = mark.extras / mark.documents if mark.documents else 0
    mark = replace(
        mark, documents=mark.documents - len(gone), extras=max(0, round(mark.extras - average * len(gone)))
    )
    return _insert(db, mark, [document for document in documents if document.id not in kept], _never)[0]


def _filed_right(db: apsw.Connection, documents: Iterable[Document], first: int, last: int) -> set[int]:
    """Ids of the rows that stand under the tags that their documents have now."""
    wanted: dict[str, set[int]] = {}
    for document in documents:
        wanted.setdefault(tags_of(document), set()).add(document.id)
    return {
        key
        for tags, ids in wanted.items()
        for (key,) in db.execute(
            "SELECT rowid FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ?",
            (filed_as(tags), first, last),
        )
        if key in ids
    }


class _Batch(msgspec.Struct):
    """Documents read from the store, and the id up to which there are no others after the ones before."""

    documents: list[Document]
    read_to: int
    unreadable: list[int]


def _before_the_next(state: apsw.Connection, through: int, newest: Newest) -> int:
    """The last id before the next message: ids that were passed over, however many, are no work."""
    with of_the_store():
        following: int | None = state.execute("SELECT min(id) FROM messages WHERE id > ?", (through,)).get
    return newest.message if following is None else following - 1


def _read_batch(state: apsw.Connection, through: int, last: int) -> _Batch:
    """The documents after `through` that fit a batch."""
    batch, chars = _Batch([], last, []), 0
    with of_the_store():
        for document in readable_documents(state, through + 1, batch.read_to, batch.unreadable):
            batch.documents.append(document)
            chars += len(document.speech) + len(document.work)
            if chars >= BATCH_CHARS:
                batch.read_to = document.id
                break
    return batch


def _add_messages(db: apsw.Connection, mark: Mark, batch: _Batch, is_late: IsLate) -> Mark:
    """Add documents until it is late, at least one, and move the mark over them."""
    mark, inserted = _insert(db, mark, batch.documents, is_late)
    is_whole = inserted == len(batch.documents)
    return replace(mark, through=batch.read_to if is_whole else batch.documents[inserted - 1].id)


def _insert(
    db: apsw.Connection, mark: Mark, documents: Sequence[Document], is_late: IsLate
) -> tuple[Mark, int]:
    """Add rows until it is late, at least one; the mark counts them, and so does the number."""
    extras = inserted = 0

    def rows() -> Iterator[tuple[int, str, str]]:
        nonlocal extras, inserted
        for document in documents:
            sequence, more = words_and_extras(document.text)
            if more:
                sequence = f"{sequence} {FILLER} {' '.join(more)}"
                extras += len(more) + 1
            inserted += 1
            yield document.id, sequence, tags_of(document)
            if not inserted % _LOOK_AT_CLOCK and is_late():
                return

    db.executemany("INSERT INTO search(rowid, text, tags) VALUES (?, ?, ?)", rows())
    return replace(mark, documents=mark.documents + inserted, extras=mark.extras + extras), inserted


def readable_documents(
    state: apsw.Connection, first: int, last: int, unreadable: list[int]
) -> Iterator[Document]:
    """The documents of a range; one that cannot be decoded must not hold up the others, and is noted."""
    at = first
    while at <= last:
        try:
            for document in read_document_range(state, at, last):
                yield document
                at = document.id + 1
        except UNDECODABLE:
            broken = state.execute("SELECT min(id) FROM messages WHERE id >= ?", (at,)).get
            unreadable.append(broken)
            at = broken + 1
        else:
            return


@contextmanager
def of_the_store() -> Iterator[None]:
    """What is read here is the store: its errors are not the index's."""
    try:
        yield
    except apsw.Error as error:
        raise StoreUnread(error) from error


@contextmanager
def _transaction(db: apsw.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    finally:
        end_transaction(db)


def end_transaction(db: apsw.Connection) -> None:
    """Roll back what is open, if anything is."""
    if db.in_transaction:
        db.execute("ROLLBACK")
