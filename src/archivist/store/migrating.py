"""Bringing a database's tables to this program's schema.

Each migration runs in one transaction with the number that says that it ran, so that a kill leaves the schema before it or after
it. A database of a newer program is refused, with the version that wrote it.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import apsw

from archivist.records import ArchivistError
from archivist.store.schema import MIGRATIONS, Migration

APPLICATION_ID = 0x41524356  # "ARCV": tells `file` and us whose database it is


class SchemaTooNew(ArchivistError):
    """A later version of Archivist wrote the file."""

    def __init__(self, path: Path, found: int, known: int, written_by: str) -> None:
        self.path, self.found, self.known = path, found, known
        super().__init__(
            f"{path} has schema {found}, written by Archivist {written_by}; this version knows schema {known}:"
            f" open it with the one that wrote it, or a later one"
        )


class NotOurs(ArchivistError):
    """A database of another program stands in the place of ours."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(
            f"{path} is another program's database: import it with `archivist import`, or set ARCHIVIST_HOME elsewhere"
        )


def migrate(
    db: apsw.Connection,
    path: Path,
    *,
    program: str,
    store_id: str,
    migrations: Sequence[Migration] = MIGRATIONS,
    beginning: Callable[[apsw.Connection], None] | None = None,
) -> int:
    """Run what has not run yet and return how many ran.

    Args:
        db: A connection outside any transaction.
        path: For messages.
        program: This program's version, recorded as the last that changed the schema.
        store_id: The random id that a new database gets.
        migrations: In order.
        beginning: Done in the transaction that makes the first tables of a new database.

    Raises:
        SchemaTooNew: A later program wrote it.
        NotOurs: It has tables of another program.
    """
    if schema_version(db) == len(migrations):
        return 0
    ran = 0
    while _migrate_one(db, path, program, store_id, migrations, beginning):
        ran += 1
    return ran


def schema_version(db: apsw.Connection) -> int:
    """How many migrations the database has seen."""
    return int(db.pragma("user_version"))


def check_version(db: apsw.Connection, path: Path, known: int = len(MIGRATIONS)) -> None:
    """Refuse a newer or a foreign database.

    Raises:
        SchemaTooNew, NotOurs: See there.
    """
    version = schema_version(db)
    if version and db.pragma("application_id") != APPLICATION_ID:
        raise NotOurs(path)
    if version > known:
        written_by = db.execute("SELECT value FROM meta WHERE key = 'program'").get
        raise SchemaTooNew(path, version, known, written_by or "a later version")
    if not version and db.execute("SELECT count(*) FROM sqlite_schema").get:
        raise NotOurs(path)


def _migrate_one(
    db: apsw.Connection,
    path: Path,
    program: str,
    store_id: str,
    migrations: Sequence[Migration],
    beginning: Callable[[apsw.Connection], None] | None,
) -> bool:
    db.execute("BEGIN IMMEDIATE")
    try:
        check_version(db, path, len(migrations))
        version = schema_version(db)
        if version == len(migrations):
            db.execute("COMMIT")
            return False
        migrations[version](db)
        db.execute("INSERT OR IGNORE INTO meta VALUES('store_id', ?)", (store_id,))
        db.execute("INSERT OR REPLACE INTO meta VALUES('program', ?)", (program,))
        if beginning and not version:
            beginning(db)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {version + 1}")
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
    return True
