"""Which of some messages are not what was stored: their hashes derived again, for the few that an answer shows."""

from array import array
from collections.abc import Collection

import apsw

from archivist.store.connection import Connection
from archivist.store.rows import COLUMNS, ROLES, STATES, Row, is_as_stored


def damaged_among(db: Connection, ids: Collection[int]) -> list[int]:
    """Ids of the messages whose content and hash differ, or that are of no known role or state."""
    if not ids:
        return []
    rows = db.execute(
        f"SELECT id, {COLUMNS} FROM messages WHERE id IN (SELECT value FROM carray(?)) ORDER BY id",
        (apsw.carray(array("q", ids)),),
    )
    return [key for key, *values in rows if not _is_sound(Row(*values))]


def _is_sound(row: Row) -> bool:
    return row.role in ROLES and row.state in STATES and is_as_stored(row)
