"""What a session that begins is told of what waits for the owner, where it is theirs."""

import msgspec

from archivist.notes.places import is_visible
from archivist.records import Notice, Scope
from archivist.records.notes import HOME_SCOPE, Snapshot
from archivist.store import StateStore, Surroundings
from archivist.store.proposals import waiting
from archivist.store.scopes import scopes_where


def with_waiting(snapshot: Snapshot, store: StateStore, world: Surroundings, scope: Scope) -> Snapshot:
    """A snapshot whose report says how much waits of what is seen in its scope; the bytes stay as they are."""
    if not is_visible(HOME_SCOPE, scope):
        return snapshot
    found = store.read(
        lambda db: waiting(db, world.now(), scopes_where(db, lambda one: is_visible(one, scope)))
    )
    if not found.text:
        return snapshot
    notices = (*snapshot.report.notices, Notice("waits", found.text))
    return msgspec.structs.replace(snapshot, report=msgspec.structs.replace(snapshot.report, notices=notices))


__all__ = ["with_waiting"]
