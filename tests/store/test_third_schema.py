"""A database of the third schema opens as it was left: what was imported into it is known again, and can be followed from then on."""

import apsw
import pytest
from tests.store.older import rows_of, store_message

from archivist.records import Message, SessionStart
from archivist.records.digest import text_digest
from archivist.store.following import Followed, Following, Step, Telling
from archivist.store.migrating import migrate
from archivist.store.preparing import prepare
from archivist.store.raw_prints import Look
from archivist.store.schema import MIGRATIONS
from archivist.store.sessions import seal_session

START = SessionStart("claude-code", external_id="ext-1")
TABLES = (
    "scopes",
    "sessions",
    "messages",
    "changes",
    "imported",
    "usage",
    "uses",
    "snapshot_texts",
    "snapshots",
)


@pytest.fixture
def old(tmp_path, clock):
    """The file of a program that knew the first three schemas alone."""
    path = tmp_path / "state.db"
    db = apsw.Connection(str(path))
    migrate(db, path, program="0.1.0", store_id="third", migrations=MIGRATIONS[:3])
    db.execute("INSERT INTO scopes VALUES(1, 'owner', '', '')")
    db.execute(
        "INSERT INTO sessions(key, id, conversation, source, external_id, scope, started_at, last_active_at)"
        " VALUES(1, 'ext-1', 1, 'claude-code', 'ext-1', 1, 1000, 2000)"
    )
    row = prepare(Message.user("hello", client_id="cc:1"), now=clock(), new_id=str, store_blob=lambda *_: "")
    store_message(db, 1, 1, row)
    db.execute("INSERT INTO changes(kind, first_message, last_message) VALUES('added', 1, 1)")
    db.execute("INSERT INTO imported VALUES('claude-code', 'x.jsonl', 'f', 5)")
    db.execute("INSERT INTO usage VALUES(1, 'm', 'r', 1, 10, 5, 0, 0, 0, 0.5)")
    db.execute("INSERT INTO uses VALUES(1, 'entry', 5, 'used', 'ext-1')")
    db.execute("INSERT INTO snapshot_texts VALUES(1, 5, ?, 'notes', '{}')", (text_digest("notes"),))
    db.execute("INSERT INTO snapshots VALUES(1, 'claude-code', 'ext-1', NULL, 1, 5, 1, NULL, NULL, NULL)")
    seal_session(db, 1)
    kept = rows_of(db, TABLES)
    db.close()
    return kept


def test_nothing_is_lost(old, open_store):
    store = open_store()
    assert store.schema_version() == len(MIGRATIONS)
    for table, rows in old.items():
        assert store.reader().execute(f"SELECT * FROM {table}").fetchall() == rows, table
    assert store.verify().is_clean


def test_what_was_stored_without_a_hash_is_known_and_gets_one(old, open_store, clock):
    assert old
    store = open_store()
    following = Following(store, clock.surroundings(), "claude-code")

    def tell(text, print_):
        known = following.file("/x.jsonl")
        message = Message.user(text, client_id="cc:1", created_at=clock())
        telling = Telling(START, messages=[message], prints={"cc:1": (Look(print_),)})
        return following.advance(Step(Followed(0, "/x.jsonl", revision=known.revision), [telling]))

    assert tell("hello", b"first").added == 0
    assert tell("hello", b"first").added == 0
    assert tell("other", b"other").added == 1
    assert [(one.text, one.state) for one in store.lineage("ext-1")] == [
        ("hello", "branch"),
        ("other", "active"),
    ]
    assert store.verify().is_clean


def test_a_step_on_a_file_that_another_has_moved_on_is_refused(open_store, clock):
    store = open_store()
    following = Following(store, clock.surroundings(), "claude-code")
    step = Step(Followed(0, "/x.jsonl", offset=7), [])
    assert following.advance(step) is not None
    assert following.advance(step) is None
    assert following.file("/x.jsonl").offset == 7
