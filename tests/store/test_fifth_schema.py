"""A database of the fifth schema opens as it was left, and what forks in it repeat is placed when their files are read again."""

import apsw
import pytest
from tests.store.older import rows_of, store_message

from archivist.records import Message, SessionStart
from archivist.store.following import Followed, Following, Step, Telling
from archivist.store.migrating import migrate
from archivist.store.preparing import prepare
from archivist.store.raw_prints import Look
from archivist.store.schema import MIGRATIONS
from archivist.store.sessions import seal_session

TABLES = (
    "scopes",
    "sessions",
    "messages",
    "changes",
    "context",
    "followed",
    "followed_parts",
    "raw_prints",
    "proposals",
)
SAID = [("cc:1", 1, "active"), ("cc:2", 1, "branch"), ("cc:3", 2, "active")]


@pytest.fixture
def old(tmp_path, clock):
    """The file of a program that knew the first five schemas alone: a session that was rewound, and a fork that had repeated it before."""
    path = tmp_path / "state.db"
    db = apsw.Connection(str(path))
    migrate(db, path, program="0.1.0", store_id="fifth", migrations=MIGRATIONS[:5])
    db.execute("INSERT INTO scopes VALUES(1, 'owner', '', '')")
    for key, name, parent, link in ((1, "origin", None, None), (2, "fork", 1, "fork")):
        db.execute(
            "INSERT INTO sessions(key, id, conversation, parent, link, source, external_id, scope, started_at, last_active_at)"
            " VALUES(?1, ?2, 1, ?3, ?4, 'claude-code', ?2, 1, 1000, 2000)",
            (key, name, parent, link),
        )
    for number, (client_id, session, state) in enumerate(SAID, 1):
        message = Message("user", f"says {number}", client_id=client_id, state=state)
        row = prepare(message, now=clock(), new_id=str, store_blob=lambda *_: "")
        store_message(db, number, session, row)
        db.execute("INSERT INTO raw_prints VALUES(?, ?, NULL)", (number, b"%d" % number))
    db.execute("INSERT INTO changes(kind, first_message, last_message) VALUES('added', 1, 3)")
    db.execute(
        "INSERT INTO followed VALUES(1, 'claude-code', '/f.jsonl', 'look', 9, 'edges', 1, 1, 'r', 'fork', x'80', 0, 5, NULL)"
    )
    db.execute("INSERT INTO followed_parts VALUES(1, 1, x'90')")
    for key in (1, 2):
        seal_session(db, key)
    kept = rows_of(db, TABLES)
    db.close()
    return kept


def test_nothing_is_lost(old, open_store):
    store = open_store()
    assert store.schema_version() == len(MIGRATIONS)
    for table, rows in old.items():
        assert store.reader().execute(f"SELECT * FROM {table}").fetchall() == rows, table
    assert store.verify().is_clean


def test_a_fork_holds_what_it_repeats_from_then_on(old, open_store, clock):
    assert old
    store = open_store()
    prints = {name: (Look(b"%d" % number),) for number, (name, *_) in enumerate(SAID, 1)}
    start = SessionStart("claude-code", external_id="fork", link="fork")
    telling = Telling(start, "origin", prints=prints, order=[(name, True) for name, *_ in SAID])
    step = Step(Followed(1, "/f.jsonl", revision=1), [telling], is_anew=True)
    assert Following(store, clock.surroundings(), "claude-code").advance(step).restated == 1
    assert [one.text for one in store.context("fork")] == ["says 1", "says 2", "says 3"]
    assert [one.text for one in store.context("origin")] == ["says 1"]
    assert store.verify().is_clean
