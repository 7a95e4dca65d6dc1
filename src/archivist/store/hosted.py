"""Sessions that other programs hold, by the ids that those have for them."""

from datetime import datetime

from archivist.records import SessionStart
from archivist.store import sessions
from archivist.store.connection import Connection
from archivist.store.rows import clean_id
from archivist.store.state import StateStore


def find_hosted(store: StateStore, source: str, external_id: str) -> str | None:
    """Our id of a session by its program's id; None where nothing of it is stored."""
    found = store.read(lambda db: sessions.find_external(db, source, clean_id(external_id)))
    return None if found is None else found[1]


def end_hosted(store: StateStore, source: str, external_id: str, reason: str, now: datetime) -> bool:
    """Record that a program's session has ended, again where it went on since; whether anything of it is stored."""
    ended = SessionStart(source, ended_at=now, end_reason=store.masked(reason))

    def change(db: Connection) -> bool:
        found = sessions.find_external(db, source, clean_id(external_id))
        if found is not None:
            sessions.update_session(db, found[0].key, ended)
        return found is not None

    return store.write(change)


__all__ = ["end_hosted", "find_hosted"]
