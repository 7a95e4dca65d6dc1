"""Migrations: each runs once, whole, in order."""

import apsw
import pytest

from archivist.store.migrating import migrate, schema_version
from archivist.store.schema import MIGRATIONS


def tables(db):
    return {row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def add_colour(db):
    """A column, and an index on it: in this order, or an old database cannot be opened."""
    db.execute(
        "ALTER TABLE sessions ADD COLUMN colour TEXT; CREATE INDEX sessions_colour ON sessions(colour)"
    )


def fail_half_way(db):
    db.execute("CREATE TABLE half(way)")
    raise OSError("killed")


def run(path, migrations):
    db = apsw.Connection(str(path))
    try:
        return (
            migrate(db, path, program="0.1.0", store_id="s", migrations=migrations),
            tables(db),
            schema_version(db),
        )
    finally:
        db.close()


def test_a_new_database_gets_every_table_and_a_store_id(tmp_path):
    ran, found, version = run(tmp_path / "x.db", MIGRATIONS)
    assert (ran, version) == (len(MIGRATIONS), len(MIGRATIONS))
    assert {"sessions", "messages", "context", "changes", "usage", "imported", "scopes", "meta"} <= found


def test_a_second_opening_changes_nothing(tmp_path):
    run(tmp_path / "x.db", MIGRATIONS)
    assert run(tmp_path / "x.db", MIGRATIONS)[0] == 0


def test_an_older_database_gets_what_it_lacks_in_order(tmp_path):
    """An index on a new column was made before the column: NousResearch/hermes-agent#28844."""
    run(tmp_path / "x.db", MIGRATIONS)
    ran, _, version = run(tmp_path / "x.db", [*MIGRATIONS, add_colour])
    assert (ran, version) == (1, len(MIGRATIONS) + 1)


def test_a_migration_that_fails_leaves_the_schema_before_it(tmp_path):
    run(tmp_path / "x.db", MIGRATIONS)
    with pytest.raises(OSError, match="killed"):
        run(tmp_path / "x.db", [*MIGRATIONS, fail_half_way])
    ran, found, version = run(tmp_path / "x.db", MIGRATIONS)
    assert (ran, version) == (0, len(MIGRATIONS))
    assert "half" not in found


def test_the_store_id_of_a_database_stays(tmp_path):
    run(tmp_path / "x.db", MIGRATIONS)
    db = apsw.Connection(str(tmp_path / "x.db"))
    migrate(db, tmp_path / "x.db", program="0.2.0", store_id="other", migrations=[*MIGRATIONS, add_colour])
    assert db.execute("SELECT value FROM meta WHERE key = 'store_id'").get == "s"
    db.close()
