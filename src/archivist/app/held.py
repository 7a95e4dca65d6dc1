"""What every part of the conversations' facade works with."""

from datetime import tzinfo
from typing import Final

from archivist.recall.reading import resolve_session
from archivist.records import Person, Reader
from archivist.records.scopes import OWNER
from archivist.store import StateStore, Surroundings
from archivist.store.index.search_index import SearchIndex
from archivist.store.scopes import visible_scopes

OWNER_EVERYWHERE: Final = Person(OWNER.user or "")
"""What an unset scope reads: everything of the owner's, in every project, in no group."""


class Held:
    """The store, the index and the world, held for the methods of a part."""

    def __init__(self, store: StateStore, index: SearchIndex, *, zone: tzinfo, world: Surroundings) -> None:
        self._store, self._index, self._zone, self._world = store, index, zone, world

    def _key(self, name: str, scope: Reader | None) -> int:
        """The store's key of the session that a name means, for who may see it; the owner in all projects where unset.

        Raises:
            UnknownSession, AmbiguousSession: There is none for this reader, or there are several.
        """
        return self._store.read(
            lambda db: resolve_session(db, name, visible_scopes(db, scope or OWNER_EVERYWHERE))
        )
