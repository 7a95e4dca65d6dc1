"""What a caller may ask of what requests shared, and what it cost."""

from typing import TYPE_CHECKING

from archivist.app.held import Held
from archivist.records import OWNER_EVERYWHERE, Reader
from archivist.store.connection import Connection
from archivist.store.scopes import Scopes, visible_scopes

if TYPE_CHECKING:
    from archivist.app.cache_report import CacheUse


class Caching(Held):
    """What each request of a conversation shared with the one before."""

    def cache(self, conversation: str, *, scope: Reader | None = None) -> "CacheUse":
        """What the requests of a conversation shared, one by one, what broke that, and what it cost.

        Args:
            conversation: Its id, its title or the beginning of an id.
            scope: Who asks; the owner in all projects where unset.

        Raises:
            UnknownSession, AmbiguousSession: There is none for this reader, or there are several.
        """
        key = self._key(conversation, scope)
        reader = scope or OWNER_EVERYWHERE
        return self._store.read(lambda db: _told(db, key, visible_scopes(db, reader), each=True))

    def caches(self, *, limit: int = 20, scope: Reader | None = None) -> "tuple[CacheUse, ...]":
        """The same of the conversations of which anything is known, in sums alone, the one last active first.

        Args:
            limit: How many at most.
            scope: Who asks; the owner in all projects where unset.
        """
        from archivist.store.requests import counted_conversations  # noqa: PLC0415 - seldom asked

        reader = scope or OWNER_EVERYWHERE

        def read(db: Connection) -> "tuple[CacheUse, ...]":
            scopes = visible_scopes(db, reader)
            keys = counted_conversations(db, scopes, max(0, min(limit, 1 << 62)))
            return tuple(_told(db, key, scopes, each=False) for key in keys)

        return self._store.read(read)


def _told(db: Connection, key: int, scopes: Scopes, *, each: bool) -> "CacheUse":
    from archivist.app.cache_report import report  # noqa: PLC0415 - seldom asked
    from archivist.store.conversations import read_sessions  # noqa: PLC0415 - as above
    from archivist.store.requests import read_requests, read_used, sessions_of  # noqa: PLC0415 - as above

    keys = sessions_of(db, key, scopes)
    sessions = read_sessions(db, keys, scopes)
    return report(sessions, read_requests(db, keys), read_used(db, keys), each=each)


__all__ = ["Caching"]
