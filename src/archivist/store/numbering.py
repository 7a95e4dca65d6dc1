"""The numbers that a database gives: ids of messages, keys of sessions. None is ever given twice in a home, whatever is restored there.

Else a message of the state that was replaced and one that was stored after the restore would have the same id, and what names them by
it, such as a backup, would mix them up.
"""

from pathlib import Path
from typing import Final

from archivist.records import ArchivistError
from archivist.store.connection import Connection
from archivist.store.identity import opened_copy
from archivist.store.messages import LAST_ID

SPARE: Final = 1_000_000
"""Numbers that the state which is being replaced may still give while a restore is made ready; nobody stores so many meanwhile."""
SPARE_UNKNOWN: Final = 1_000_000_000
"""The same where that state cannot be read."""


def last_numbers(path: Path) -> tuple[int, int] | None:
    """The last id of a message and the last key of a session that a database has given; None where it cannot say."""
    try:
        with opened_copy(path) as db:
            return _last_numbers(db)
    except ArchivistError:
        return None


def go_on_above(db: Connection, given: tuple[int, int] | None) -> None:
    """Let the next numbers lie above all that another state of the home has given; inside a transaction.

    Args:
        db: The database that takes its place.
        given: The last numbers of the other state; None where they are not known.
    """
    own_message, own_session = _last_numbers(db)
    message, session = given or (own_message, own_session)
    spare = SPARE if given else SPARE_UNKNOWN
    passed_over = (own_message + 1, max(own_message, message) + spare)
    for kind in ("added", "removed"):
        db.execute(
            "INSERT INTO changes(kind, first_message, last_message) VALUES(?, ?, ?)", (kind, *passed_over)
        )
    highest = max(own_session, session) + spare
    db.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'sessions'", (highest,))
    if not db.changes():
        db.execute("INSERT INTO sqlite_sequence(name, seq) VALUES('sessions', ?)", (highest,))


def _last_numbers(db: Connection) -> tuple[int, int]:
    session = db.execute(
        "SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'sessions'), 0),"
        " coalesce((SELECT max(key) FROM sessions), 0))"
    ).get
    return int(db.execute(LAST_ID).get), int(session)
