"""What is gone is counted from the changes, whatever numbers stand in them, and told as new only once."""

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.records import Message, SessionStart
from archivist.store.losses import Ranges, known_losses, missing, record_losses

START = SessionStart("cli")
PAIRS = st.lists(
    st.tuples(st.integers(1, 60), st.integers(0, 12)).map(lambda pair: (pair[0], pair[0] + pair[1]))
)


@given(PAIRS, st.integers(1, 70), st.integers(0, 40))
def test_ranges_answer_as_a_set_would(pairs, first, length):
    ranges = Ranges(pairs)
    ids = {key for low, high in pairs for key in range(low, high + 1)}
    asked = range(first, first + length)
    assert [key in ranges for key in asked] == [key in ids for key in asked]
    outside = ranges.outside(first, first + length - 1)
    assert [key for low, high in outside for key in range(low, high + 1)] == [
        key for key in asked if key not in ids
    ]
    assert all(low <= high for low, high in outside)


@given(st.sets(st.integers(1, 40)), PAIRS, PAIRS)
def test_missing_is_what_was_added_and_is_neither_there_nor_accounted_for(there, added, gone):
    db = apsw.Connection(":memory:")
    db.execute("CREATE TABLE changes(seq INTEGER PRIMARY KEY, kind, first_message, last_message)")
    db.execute("CREATE TABLE messages(id INTEGER PRIMARY KEY)")
    db.execute("CREATE TABLE imported(source, path, fingerprint, imported_at)")
    db.execute("CREATE TABLE followed(key)")
    db.execute("CREATE TABLE followed_parts(file)")
    db.execute("CREATE TABLE meta(key PRIMARY KEY, value)")
    db.executemany("INSERT INTO messages VALUES(?)", [(key,) for key in there])
    for kind, pairs in (("added", added), ("removed", gone)):
        db.executemany(f"INSERT INTO changes VALUES(NULL, '{kind}', ?, ?)", pairs)
    wanted = (
        {k for a, b in added for k in range(a, b + 1)} - there - {k for a, b in gone for k in range(a, b + 1)}
    )
    assert [key for low, high in missing(db) for key in range(low, high + 1)] == sorted(wanted)
    assert record_losses(db) == len(wanted)
    assert list(missing(db)) == []
    assert known_losses(db) == len(wanted)
    db.close()


def test_a_range_of_absurd_length_is_no_work(store):
    session = store.start(START)
    store.append(session, [Message.user("hello")])
    store.write(lambda db: db.execute("UPDATE changes SET last_message = 1 << 60"))
    assert len(store.verify().problems) == 100


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        (
            "UPDATE sessions SET title = 'forged' WHERE key = 1",
            "is not what was stored: its row and its hash differ",
        ),
        (
            "UPDATE sessions SET source = 'forged' WHERE key = 1",
            "is not what was stored: its row and its hash differ",
        ),
        ("UPDATE scopes SET user = 'forged'", "is not what was stored: its row and its hash differ"),
        ("UPDATE sessions SET undo = 7 WHERE key = 1", "goes back to an undo that is not there"),
        ("INSERT INTO undos VALUES(1, 1, 99, 0, NULL)", "undo 1 is of a session that is not there"),
        (
            "INSERT INTO undos VALUES(1, 1, 1, 0, NULL); INSERT INTO undone VALUES(1, 99, 'active')",
            "undo 1 moved a message",
        ),
        ("INSERT INTO undone VALUES(5, 1, 'active')", "undo 5 is not there"),
        ("UPDATE sessions SET parent = 77 WHERE key = 1", "continues a session that is not there"),
    ],
)
def test_verify_follows_what_forks_and_undos_refer_to_and_derives_hashes_of_sessions(store, sql, problem):
    session = store.start(START)
    store.append(session, [Message.user("hello")])
    store.end(session, "done")
    assert store.verify().problems == ()

    def harm(db):
        db.execute("PRAGMA defer_foreign_keys = ON")
        db.execute(sql).fetchall()

    path = store.path
    store.close()
    db = apsw.Connection(str(path))
    harm(db)
    db.close()
    from archivist.store.blobs import Blobs
    from archivist.store.connection import open_reader
    from archivist.store.verifying import verify

    reader = open_reader(path)
    found = verify(reader, Blobs(path.parent / "media")).problems
    reader.close()
    assert any(problem in line for line in found), found


def test_a_session_without_a_hash_is_a_problem(store):
    """Every session has one, those of the first schema since it was migrated."""
    session = store.start(START)
    store.write(lambda db: db.execute("UPDATE sessions SET digest = NULL"))
    [problem] = store.verify().problems
    assert problem == f"session {session} is not what was stored: its row and its hash differ"
