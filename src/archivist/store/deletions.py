"""Deleting conversations from a home: rows first, in one transaction with the lines that keep them away, then every trace of them.

What comes after the transaction (payloads in the spool, blobs, words in the search index, old copies in the log and in pages) is
repeated until it is done: at the end of the deletion, at the next open, in a quiet minute.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from archivist.files import files_below
from archivist.records import Notice
from archivist.store.connection import Connection
from archivist.store.deleting import (
    Outline,
    all_blobs,
    delete_sessions,
    forget_blobs,
    members_of,
    named_blobs,
    note_pending,
    outline,
    pending_blobs,
    read_pending,
)
from archivist.store.erased import Addition, ErasedProposal, ErasedSession, has_followed, mark_followed
from archivist.store.erasing import clear_residue
from archivist.store.index.search_index import SearchIndex
from archivist.store.proposals import erase
from archivist.store.sessions import find_session
from archivist.store.state import StateStore
from archivist.store.surroundings import Waiting

BATCH_SECONDS: Final = 0.03
"""After so long a transaction takes in no other conversation, so that nobody who writes waits long."""
LEASE_SECONDS: Final = 5.0
BLOB_NAME: Final = re.compile(r"[0-9a-f]{64}")

IsMeant = Callable[[Connection, int], bool]


class Batch(msgspec.Struct, frozen=True):
    """What one transaction deleted, and how many of the conversations that it was given it has looked at."""

    gone: tuple[Outline, ...]
    seen: int


def delete_batch(
    store: StateStore,
    conversations: Sequence[int],
    is_meant: IsMeant,
    *,
    now: datetime,
    monotonic: Callable[[], float],
) -> Batch:
    """Delete as many of these conversations as fit one short transaction, at least one; each goes whole or stays whole.

    Args:
        store: Where they are.
        conversations: Their keys, in the order in which they go.
        is_meant: Asked of each within the transaction: it may have changed since it was chosen.
        now: The time, for `erased.jsonl`.
        monotonic: A clock.

    Raises:
        FileLocked, StoreBusy, DiskFull, DiskFailed, StoreReadOnly: Nothing was deleted.
    """
    added: list[Addition] = []

    def change(db: Connection) -> Batch:
        late, gone, names, seen = monotonic() + BATCH_SECONDS, list[Outline](), list[ErasedSession](), 0
        for conversation in conversations:
            seen += 1
            members = members_of(db, conversation) if is_meant(db, conversation) else {}
            if members:
                gone.append(outline(db, conversation))
                delete_sessions(db, members)
                names += members.values()
            if monotonic() >= late:
                break
        _keep_away(db, store, names, now, added)
        return Batch(tuple(gone), seen)

    return store.write(change, lambda: _take_back(store, added))


def erase_proposals(store: StateStore, names: Collection[str], *, now: datetime) -> list[str]:
    """Erase proposals, with the lines that keep them away from a copy of the database that is older; which of these were there.

    Args:
        store: Where they are.
        names: Their ids.
        now: The time, for `erased.jsonl`.

    Raises:
        FileLocked, StoreBusy, DiskFull, DiskFailed, StoreReadOnly: Nothing was erased.
    """
    added: list[Addition] = []

    def change(db: Connection) -> list[str]:
        gone = erase(db, names)
        if gone:
            note_pending(db)
            _keep_away(db, store, [ErasedProposal(name) for name in gone], now, added)
        return gone

    return store.write(change, lambda: _take_back(store, added))


def _keep_away(
    db: Connection,
    store: StateStore,
    gone: Sequence[ErasedSession | ErasedProposal],
    now: datetime,
    added: list[Addition],
) -> None:
    """Write down what goes, synced, before the transaction is committed in which it does."""
    if gone:
        was_followed = has_followed(db, store.erased)
        added.append(store.erased.add(gone, now.isoformat()))
        if was_followed:
            mark_followed(db, added[-1].look)


def _take_back(store: StateStore, added: list[Addition]) -> None:
    while added:
        store.erased.take_back(added.pop())


def finish_erasures(store: StateStore, index: SearchIndex, waiting: Waiting) -> tuple[Notice, ...]:
    """Remove what deletions left outside the rows; what could not be done now is said, and done the next time.

    Raises:
        StoreBusy, DiskFull, DiskFailed, StoreDamaged: It stays to be done.
    """
    pending = store.read(read_pending)
    if pending is None:
        return ()
    _remove_payloads(store)
    _remove_blobs(store)
    with store.naming_trouble():
        is_unfiled = index.erase(pending.first, waiting, lease_seconds=LEASE_SECONDS)
    is_cleared = clear_residue(store.path, pending if is_unfiled else None, waiting)
    if is_unfiled and is_cleared:
        return ()
    where = "the search index" if not is_unfiled else "the log"
    text = (
        f"deleted words stay in {where} until whoever reads or writes it now has ended:"
        " `archivist index` finishes it, and so does the next opening"
    )
    return (Notice("erasure-unfinished", text),)


def _remove_payloads(store: StateStore) -> None:
    if store.spool.is_empty():
        return
    erased = store.erased.names().sessions
    for payload in store.spool.waiting():
        name = payload.session_id
        if name in erased and store.read(lambda db, name=name: find_session(db, name)) is None:  # type: ignore[misc]  # a default of a lambda has no type
            store.spool.remove(payload)


def _remove_blobs(store: StateStore) -> None:
    """Remove the blobs that were noted and that nobody needs.

    The messages are looked through beforehand; with the write lock held only those that came meanwhile, and the spool. Whoever
    stores a message with bytes puts them again with that lock held, or after they are in the spool: see `Blobs.keep`.
    """
    names = set(store.read(pending_blobs))
    if names:
        _remove_unneeded(store, names)


def remove_orphans(store: StateStore, media: Path, *, older_than: float) -> None:
    """Remove blobs of which no message was ever written, because its writer was killed.

    A row that is damaged names its blobs no more, so nothing is removed unless every row can be read.

    Args:
        store: Where messages would be.
        media: The folder of blobs.
        older_than: Blobs that were put later, in seconds since 1970, may still get their message.

    Raises:
        StoreBusy, DiskFull, DiskFailed, StoreReadOnly: They stay.
    """
    names = set(_old_blobs(media, older_than))
    if not names or store.spool.unreadable():
        return
    orphans = names - store.read(all_blobs)
    if orphans and store.verify().is_database_clean:
        _remove_unneeded(store, orphans)


def _old_blobs(media: Path, older_than: float) -> Iterator[str]:
    for entry in files_below(media, skips_unreadable=True):
        name = entry.name.rpartition("/")[2].removeprefix(".")[:64]
        with suppress(OSError):
            if BLOB_NAME.fullmatch(name) and (media / entry.name).stat().st_mtime < older_than:
                yield name


def _remove_unneeded(store: StateStore, names: set[str]) -> None:
    newest, needed = store.read(lambda db: (_newest(db), named_blobs(db, names)))

    def change(db: Connection) -> None:
        staying = needed | named_blobs(db, names, after=newest)
        store.blobs.set_aside(names - staying)
        waiting = "".join(row.parts or "" for payload in store.spool.waiting() for row in payload.rows)
        store.blobs.settle(staying | {name for name in names if name in waiting})
        forget_blobs(db, names)

    store.write(change)


def _newest(db: Connection) -> int:
    return int(db.execute("SELECT coalesce(max(id), 0) FROM messages").get)
