"""The numbers that a database gives: ids of messages, keys of sessions. None is ever given twice in a home, whatever is restored there.

Else a message of the state that was replaced and one that was stored after the restore would have the same id, and what names them by
it, such as a backup, would mix them up.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from archivist.records import ArchivistError
from archivist.store.connection import Connection
from archivist.store.gaps import Run, go_on_after, pass_over
from archivist.store.identity import opened_copy
from archivist.store.messages import LAST_ID

SPARE: Final = 1_000_000
"""Numbers that the state which is being replaced may still give while a restore is made ready; nobody stores so many meanwhile."""


def last_numbers(path: Path) -> Run | None:
    """The last id of a message and the last key of a session that a database has given; None where it cannot say."""
    try:
        with opened_copy(path) as db:
            return _last_numbers(db)
    except ArchivistError:
        return None


def go_on_above(db: Connection, given: Run | None, now: datetime) -> None:
    """Let the next numbers lie above all that another state of the home has given; inside a transaction.

    Args:
        db: The database that takes its place.
        given: The last numbers of the other state. None where they are not known: then the time in microseconds since 1970 is above
            them, since nobody stores a million messages a second, and above what was given after any restore before.
        now: When that is.
    """
    own_message, own_session = _last_numbers(db)
    message, session = (number + SPARE for number in given) if given else (_microseconds(now),) * 2
    message, session = max(own_message + SPARE, message), max(own_session + SPARE, session)
    pass_over(db, own_message + 1, message, session=session)
    go_on_after(db, message)
    db.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'sessions'", (session,))
    if not db.changes():
        db.execute("INSERT INTO sqlite_sequence(name, seq) VALUES('sessions', ?)", (session,))


def _microseconds(now: datetime) -> int:
    return int(now.astimezone(UTC).timestamp() * 1_000_000)


def _last_numbers(db: Connection) -> Run:
    session = db.execute(
        "SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'sessions'), 0),"
        " coalesce((SELECT max(key) FROM sessions), 0))"
    ).get
    return int(db.execute(LAST_ID).get), int(session)
