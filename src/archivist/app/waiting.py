"""What a session that begins is told of what waits for the owner, where it is theirs."""

import msgspec

from archivist.notes.places import is_visible
from archivist.records import ArchivistError, Notice, Scope
from archivist.records.notes import HOME_SCOPE, Snapshot
from archivist.store import StateStore, Surroundings
from archivist.store.proposals import waiting
from archivist.store.scopes import scopes_where


def with_waiting(snapshot: Snapshot, store: StateStore, world: Surroundings, scope: Scope) -> Snapshot:
    """A snapshot whose report says how much waits of what is seen in its scope; the bytes stay as they are."""
    if not is_visible(HOME_SCOPE, scope):
        return snapshot
    told = _told(store, world, scope)
    if not told:
        return snapshot
    notices = (*snapshot.report.notices, Notice("waits", told))
    return msgspec.structs.replace(snapshot, report=msgspec.structs.replace(snapshot.report, notices=notices))


def _told(store: StateStore, world: Surroundings, scope: Scope) -> str:
    try:
        return store.read(
            lambda db: waiting(db, world.now(), scopes_where(db, lambda one: is_visible(one, scope)))
        ).text
    except ArchivistError as error:  # the notes are given all the same
        return f"how much waits for you cannot be told: {error}"


__all__ = ["with_waiting"]
