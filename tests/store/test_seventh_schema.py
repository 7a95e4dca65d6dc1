"""A database of the seventh schema opens as it was left; of its requests nothing is known, and those to come are kept."""

import apsw
import pytest
from tests.store.older import killed_in_migration, rows_of, store_message
from tests.store.test_requests import add, found, row

from archivist.records import Message
from archivist.store.migrating import migrate
from archivist.store.preparing import prepare
from archivist.store.requests import before
from archivist.store.schema import MIGRATIONS
from archivist.store.sessions import seal_session

TABLES = ("scopes", "sessions", "messages", "changes", "usage")


@pytest.fixture
def old(tmp_path, clock):
    """The file of a program that knew the first seven schemas alone."""
    path = tmp_path / "state.db"
    db = apsw.Connection(str(path))
    migrate(db, path, program="0.1.0", store_id="seventh", migrations=MIGRATIONS[:7])
    db.execute("INSERT INTO scopes VALUES(1, 'owner', '', '')")
    db.execute(
        "INSERT INTO sessions(key, id, conversation, source, scope, started_at, last_active_at)"
        " VALUES(1, 'root', 1, 'chat', 1, 1000, 2000)"
    )
    seal_session(db, 1)
    said = prepare(Message("user", "u1"), now=clock(), new_id=lambda: "u1", store_blob=lambda *_: "")
    store_message(db, 1, 1, said)
    db.execute("INSERT INTO changes(kind, first_message, last_message) VALUES('added', 1, 1)")
    db.execute("INSERT INTO usage VALUES(1, 'm', 'req-1000', 1, 5, 7, 90, 3, 0, 0.5)")
    kept = rows_of(db, TABLES)
    db.close()
    return kept


def test_nothing_is_lost_and_requests_are_kept_from_now_on(old, open_store):
    store = open_store()
    assert store.schema_version() == len(MIGRATIONS)
    for table, rows in old.items():
        now = store.reader().execute(f"SELECT * FROM {table}").fetchall()
        assert [row[: len(rows[0])] for row in now] == rows, table
    assert found(store, "root") == []
    assert store.read(lambda db: before(db, "root")) is None
    add(store, "root", row())
    assert found(store, "root")[0].used.cache_read == 90
    assert store.verify().is_clean


def test_a_kill_in_the_middle_of_the_migration_leaves_it_as_it_was(old, tmp_path):
    db = killed_in_migration(tmp_path / "state.db", 7)
    assert db.execute("SELECT * FROM usage").fetchall() == old["usage"]
    assert db.pragma("user_version") == 7
    db.close()
