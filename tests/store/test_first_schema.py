"""A database of the first schema opens as it was left: nothing of it is lost, and it can be kept in order as any other."""

import json

import apsw
import pytest
from tests.store.test_undoing import give_back, take_back

from archivist.records import Message, Scope
from archivist.records.digest import text_digest
from archivist.store.migrating import migrate
from archivist.store.naming import rename
from archivist.store.preparing import prepare
from archivist.store.schema import MIGRATIONS
from archivist.store.sessions import require_session
from archivist.store.titles import read_titles

SESSIONS = [  # key, id, conversation, parent, link, source, external id, title, metadata
    (1, "native", 1, None, None, "cli", None, "Plans", None),
    (2, "native-2", 1, 1, "compaction", "cli", None, None, None),
    (3, "ext-1", 3, None, None, "hermes", "ext-1", "Plans", {"archived": True}),
    (4, "ext-2", 4, None, None, "hermes", "ext-2", None, {"archived": False}),
    (5, "agent", 3, 3, "subagent", "hermes", "agent", None, None),
]


@pytest.fixture
def old(tmp_path, clock):
    """The file of a program that knew the first schema alone."""
    path = tmp_path / "state.db"
    db = apsw.Connection(str(path))
    migrate(db, path, program="0.1.0", store_id="first", migrations=MIGRATIONS[:1])
    db.execute("INSERT INTO scopes VALUES(1, 'owner', '', 'tide')")
    for key, name, conversation, parent, link, source, external, title, metadata in SESSIONS:
        db.execute(
            "INSERT INTO sessions(key, id, conversation, parent, link, source, external_id, scope, title, started_at,"
            " last_active_at, prompt, prompt_digest, metadata) VALUES(?, ?, ?, ?, ?, ?, ?, 1, ?, 1000, 2000, 'be kind', ?, ?)",
            (
                key, name, conversation, parent, link, source, external, title, text_digest("be kind"),
                json.dumps(metadata) if metadata else None,
            ),
        )  # fmt: skip
        for number in (1, 2):
            row = prepare(
                Message(
                    "user" if number == 1 else "assistant",
                    f"{name} says {number}",
                    client_id=f"{name}-{number}",
                ),
                now=clock(),
                new_id=str,
                store_blob=lambda *_: "",
            )
            message = 2 * key + number - 2
            values = (message, key, conversation, *row.values)
            db.execute(f"INSERT INTO messages VALUES({', '.join('?' * len(values))})", values)
    db.execute("INSERT INTO changes(kind, first_message, last_message) VALUES('added', 1, 10)")
    kept = {
        table: db.execute(f"SELECT * FROM {table}").fetchall()
        for table in ("scopes", "messages", "changes", "imported", "usage", "context")
    }
    sessions = db.execute("SELECT * FROM sessions").fetchall()
    db.close()
    return kept, sessions


# https://github.com/NousResearch/hermes-agent/issues/79531: after an update a list showed an older database as empty
def test_nothing_is_lost(old, open_store):
    store = open_store()
    assert store.schema_version() == len(MIGRATIONS)
    db = store.reader()
    for table, rows in old[0].items():
        assert db.execute(f"SELECT * FROM {table}").fetchall() == rows
    width = len(old[1][0])
    assert [row[:width] for row in db.execute("SELECT * FROM sessions")] == old[1]
    assert store.verify().is_clean


def test_titles_keep_whose_they_are(old, open_store):
    store = open_store()
    titles = read_titles(store.reader(), [1, 2, 3, 4, 5], None)
    assert {key: (one.title, one.origin) for key, one in titles.items()} == {
        1: ("Plans", "given"),
        2: ("Plans", "given"),
        3: ("Plans", "source"),
        4: ("ext-2 says 1", "derived"),
        5: ("agent says 1", "derived"),
    }


def test_what_was_put_away_elsewhere_is_still_told_and_listed(old, open_store):
    """It was listed before, so that it stays until its owner puts it away here."""
    record = open_store().session("ext-1")
    assert (record.metadata["archived"], record.archived_at) == (True, None)


def test_it_can_be_kept_in_order_like_any_other(old, open_store, clock):
    store = open_store()
    assert store.session("native").scope == Scope("owner", project="tide")
    take_back(store, "native", to=1)
    give_back(store, "native")
    store.write(lambda db: rename(db, require_session(db, "native-2").key, "Other", None))
    store.end("ext-2", "exit")
    assert store.session("native").title == "Other"
    assert store.session("ext-2").title == "ext-2 says 1"
    assert store.verify().is_clean


def test_every_session_is_sealed_so_that_a_changed_one_is_seen(old, open_store, tmp_path):
    store = open_store()
    assert store.verify().is_clean
    db = apsw.Connection(str(tmp_path / "state.db"))
    assert db.execute("SELECT count(*) FROM sessions WHERE digest IS NULL").get == 0
    db.execute("UPDATE sessions SET model = 'another' WHERE id IN ('native', 'agent')")
    db.close()
    assert [problem.split()[1] for problem in store.verify().problems] == ["native", "agent"]


def test_a_title_of_its_program_comes_back_when_its_owners_is_taken_away(old, open_store):
    store = open_store()
    for title in ("Mine", None):
        store.write(lambda db, title=title: rename(db, require_session(db, "ext-1").key, title, None))
    assert store.session("ext-1").title == "Plans (2)"
    assert store.session("ext-1").title_origin == "source"


def test_messages_are_found_by_conversation_and_session(old, open_store):
    rows = (
        open_store()
        .reader()
        .execute("SELECT name FROM pragma_index_info('messages_conversation')")
        .fetchall()
    )
    assert rows == [("conversation",), ("session",)]
