"""Databases of older schemas, as the programs left them that knew no other."""

import apsw
import pytest

from archivist.store.migrating import migrate
from archivist.store.schema import MIGRATIONS


def rows_of(db, tables):
    """By table, all its rows."""
    return {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in tables}


def store_message(db, number, session, row):
    """A row of a message, in a conversation of the first session."""
    values = (number, session, 1, *row.values)
    db.execute(f"INSERT INTO messages VALUES({', '.join('?' * len(values))})", values)


def killed_in_migration(path, number):
    """The database after a kill in the middle of one of the migrations, of which all earlier ones have run."""
    db = apsw.Connection(str(path))

    def killed(connection):
        MIGRATIONS[number](connection)
        raise OSError("killed")

    with pytest.raises(OSError, match="killed"):
        migrate(db, path, program="0.2.0", store_id="x", migrations=[*MIGRATIONS[:number], killed])
    return db
