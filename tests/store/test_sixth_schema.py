"""A database of the sixth schema opens as it was left: what its models were sent stays, and it is compacted like any other."""

import apsw
import pytest
from tests.store.lines import compact, texts
from tests.store.older import killed_in_migration, rows_of, store_message

from archivist.records import Message
from archivist.store.compactions import Compactions
from archivist.store.migrating import migrate
from archivist.store.preparing import prepare
from archivist.store.schema import MIGRATIONS
from archivist.store.sessions import seal_session

TABLES = ("scopes", "sessions", "messages", "changes", "context", "placed", "undos", "undone")
SAID = [("u1", 1, "compacted"), ("a1", 1, "active"), ("u2", 1, "compacted"), ("u3", 2, "active")]


@pytest.fixture
def old(tmp_path, clock):
    """The file of a program that knew the first six schemas alone: a session whose compaction left one message whole and shortened one."""
    path = tmp_path / "state.db"
    db = apsw.Connection(str(path))
    migrate(db, path, program="0.1.0", store_id="sixth", migrations=MIGRATIONS[:6])
    db.execute("INSERT INTO scopes VALUES(1, 'owner', '', '')")
    for key, name, parent, link in ((1, "root", None, None), (2, "child", 1, "compaction")):
        db.execute(
            "INSERT INTO sessions(key, id, conversation, parent, link, source, scope, started_at, last_active_at)"
            " VALUES(?, ?, 1, ?, ?, 'cli', 1, 1000, 2000)",
            (key, name, parent, link),
        )
        seal_session(db, key)
    for number, (text, session, state) in enumerate(SAID, 1):
        row = prepare(
            Message("user", text, state=state),
            now=clock(),
            new_id=lambda text=text: text,
            store_blob=lambda *_: "",
        )
        store_message(db, number, session, row)
    db.execute("INSERT INTO changes(kind, first_message, last_message) VALUES('added', 1, 4)")
    db.execute("INSERT INTO context VALUES(2, 0, 2, NULL), (2, 1, 3, 'u…')")
    kept = rows_of(db, TABLES)
    db.close()
    return kept


def test_nothing_is_lost(old, open_store):
    store = open_store()
    assert store.schema_version() == len(MIGRATIONS)
    for table, rows in old.items():
        now = store.reader().execute(f"SELECT * FROM {table}").fetchall()
        assert [row[: len(rows[0])] for row in now] == rows if rows else not now, table
    assert store.verify().is_clean


def test_it_is_compacted_and_restored_like_any_other(old, open_store):
    assert old
    store = open_store()
    assert texts(store.context("root")) == ["a1", "u…", "u3"]
    compact(store, "root", keep=1)
    assert texts(store.context("root")) == ["summary of what was said", "u3"]
    Compactions(store, store._world).restore("root")
    assert texts(store.context("root")) == ["a1", "u2", "u3"]
    assert store.verify().is_clean


def test_a_kill_in_the_middle_of_the_migration_leaves_it_as_it_was(old, tmp_path):
    path = tmp_path / "state.db"
    db = killed_in_migration(path, 6)
    assert db.execute("SELECT * FROM context").fetchall() == old["context"]
    assert db.pragma("user_version") == 6
    db.close()
