"""A database of the second schema opens as it was left: nothing of it is lost, and notes can be kept beside it."""

import json

import apsw
import pytest
from tests.store.older import killed_in_migration, rows_of

from archivist.records import Message, Scope
from archivist.records.digest import text_digest
from archivist.records.notes import HOME_SCOPE, Snapshot, SnapshotReport, Use
from archivist.store.frozen import freeze, frozen_of
from archivist.store.migrating import migrate
from archivist.store.preparing import prepare
from archivist.store.schema import MIGRATIONS
from archivist.store.sessions import seal_session
from archivist.store.uses import add_uses, uses_of

SESSIONS = [  # key, id, conversation, parent, link, source, external id, title, origin, undo
    (1, "native", 1, None, None, "cli", None, "Plans", "given", None),
    (2, "native-2", 1, 1, "compaction", "cli", None, None, None, None),
    (3, "ext-1", 3, None, None, "hermes", "ext-1", "Plans (2)", "source", None),
    (4, "fork", 1, 1, "fork", "cli", None, None, None, 1),
]
TABLES = (
    "meta",
    "scopes",
    "sessions",
    "messages",
    "changes",
    "imported",
    "usage",
    "context",
    "undos",
    "undone",
    "spent",
)


@pytest.fixture
def old(tmp_path, clock):
    """The file of a program that knew the first two schemas alone."""
    path = tmp_path / "state.db"
    db = apsw.Connection(str(path))
    migrate(db, path, program="0.1.0", store_id="second", migrations=MIGRATIONS[:2])
    db.execute("INSERT INTO scopes VALUES(1, 'owner', '', 'tide')")
    for key, name, conversation, parent, link, source, external, title, origin, undo in SESSIONS:
        db.execute(
            "INSERT INTO sessions(key, id, conversation, parent, link, source, external_id, scope, title, title_key, title_origin,"
            " undo, started_at, last_active_at, ended_at, prompt, prompt_digest, metadata)"
            " VALUES(?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, 1000, 2000, 3000, 'be kind', ?, ?)",
            (
                key, name, conversation, parent, link, source, external, title, title and title.casefold(), origin, undo,
                text_digest("be kind"), json.dumps({"archived": True}),
            ),
        )  # fmt: skip
        for number in (1, 2):
            message = Message(
                "user" if number == 1 else "assistant", f"{name} says {number}", client_id=f"{name}-{number}"
            )
            row = prepare(message, now=clock(), new_id=str, store_blob=lambda *_: "")
            values = (2 * key + number - 2, key, conversation, *row.values)
            db.execute(f"INSERT INTO messages VALUES({', '.join('?' * len(values))})", values)
    db.execute("INSERT INTO changes(kind, first_message, last_message) VALUES('added', 1, 8)")
    db.execute("INSERT INTO usage VALUES(1, 'm', 'r', 1, 10, 5, 0, 0, 0, 0.5)")
    db.execute("INSERT INTO spent VALUES(1, 'cli', 'm', '2026-01', 1, 10, 5, 0, 0, 0, 0.5)")
    db.execute("INSERT INTO imported VALUES('hermes', '/x', 'f', 5)")
    db.execute("INSERT INTO context VALUES(2, 0, 1, 'shorter')")
    db.execute("INSERT INTO undos VALUES(1, 1, 1, 4000, NULL)")
    db.execute("INSERT INTO undone VALUES(1, 7, 'active')")
    for key, *_ in SESSIONS:
        seal_session(db, key)
    kept = rows_of(db, TABLES)
    db.close()
    return kept


def test_nothing_is_lost(old, open_store):
    store = open_store()
    assert store.schema_version() == len(MIGRATIONS)
    for table, rows in old.items():
        now = store.reader().execute(f"SELECT * FROM {table}").fetchall()
        assert [row[: len(rows[0])] for row in now] == rows, table  # columns may have come behind
    assert store.verify().is_clean


def test_it_is_used_like_any_other(old, open_store, clock):
    store = open_store()
    assert store.session("native-2").scope == Scope("owner", project="tide")
    assert [message.text for message in store.context("native")] == [
        "shorter",
        "native-2 says 1",
        "native-2 says 2",
    ]
    use = Use("entry", clock(), "used", "native")
    snapshot = Snapshot("notes", text_digest("notes"), SnapshotReport())
    store.write(lambda db: add_uses(db, [use]))
    store.write(lambda db: freeze(db, snapshot, scope=HOME_SCOPE, now=clock(), session_id="native"))
    assert store.read(lambda db: uses_of(db, ["entry"])) == {"entry": (use,)}
    assert store.read(lambda db: frozen_of(db, session_id="native")).snapshot == snapshot
    assert store.verify().is_clean


def test_a_kill_in_the_middle_of_the_migration_leaves_it_as_it_was(old, tmp_path):
    path = tmp_path / "state.db"
    db = killed_in_migration(path, 2)
    assert (
        db.execute("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'snapshot%' OR name LIKE 'uses%'").get
        == 0
    )
    assert db.pragma("user_version") == 2
    db.close()
