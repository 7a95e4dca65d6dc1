"""`verify` notices what is no longer as it was stored."""

import apsw
import pytest

from archivist.records import Message, Part, SessionStart
from archivist.store.messages import record_changes, set_states


@pytest.fixture
def stored(store):
    session = store.start(SessionStart("cli"))
    picture = Part("image", media_type="image/png", data=b"\x89PNG")
    store.append(session, [Message.user("one"), Message.user("two", parts=[picture]), Message.user("three")])
    return store


def damage(store, sql):
    db = apsw.Connection(str(store.path))
    db.execute(sql)
    db.close()
    return store.verify().problems


def test_a_sound_store_is_clean(stored):
    found = stored.verify()
    assert (found.messages, found.sessions, found.blobs, found.is_clean) == (3, 1, 1, True)


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        ("UPDATE messages SET text = 'One' WHERE id = 1", "message 1 is not what was stored"),
        ("UPDATE messages SET created_at = created_at + 1 WHERE id = 2", "message 2 is not what was stored"),
        ("UPDATE messages SET parts = '{' WHERE id = 2", "message 2 is not what was stored"),
        ("UPDATE messages SET digest = 'x' WHERE id = 3", "message 3 is not what was stored"),
        ("UPDATE messages SET session = 9 WHERE id = 1", "message 1 is of a session that is not there"),
        ("UPDATE messages SET conversation = 9 WHERE id = 1", "message 1 is counted to another conversation"),
        ("DELETE FROM changes", "message 1 was never announced as a change"),
        ("DELETE FROM messages WHERE id = 2", "message 2 was stored and is gone"),
        ("UPDATE messages SET state = 'cctive' WHERE id = 1", "message 1 has a state that there is none of"),
        ("UPDATE sessions SET scope = 99", "has a scope that is not there"),
        ("UPDATE sessions SET started_at = 'abc'", "has times that are none"),
        ("DROP INDEX messages_client", "messages_client is missing"),
        ("UPDATE messages SET text = CAST(x'e1ff' AS TEXT) WHERE id = 2", "message 2 is not what was stored"),
        (
            "INSERT INTO context(session, position, message) VALUES(1, 1, 99)",
            "shows its model a message that is not there",
        ),
        (
            "INSERT INTO context(session, position, message, parts_as_sent) VALUES(1, 1, 1, '[')",
            "in the place of a message cannot be read",
        ),
    ],
)
def test_each_damage_is_named(stored, sql, problem):
    assert any(problem in found for found in damage(stored, sql)), stored.verify().problems


def test_a_state_may_change_without_being_damage(stored):
    stored.write(lambda db: set_states(db, [(1, "undone")]))
    assert stored.verify().is_clean


def test_a_missing_and_a_changed_blob_are_named(stored, tmp_path):
    [file] = [path for path in (tmp_path / "media").rglob("*") if path.is_file()]
    file.write_bytes(b"other")
    assert "is not what was stored" in stored.verify().problems[0]
    file.unlink()
    assert "is missing" in stored.verify().problems[0]


def test_what_was_removed_on_purpose_is_no_damage(stored):
    stored.write(
        lambda db: (db.execute("DELETE FROM messages WHERE id = 1"), record_changes(db, "removed", [1]))
    )
    assert stored.verify().is_clean


def test_bytes_that_go_with_their_message_meanwhile_are_not_told_as_lost(stored, monkeypatch):
    real, calls = type(stored.blobs).damaged, []

    def damaged(self, names):
        if not calls:  # a deletion, between the rows and their blobs
            db = apsw.Connection(str(stored.path))
            db.execute("UPDATE messages SET parts = NULL")
            db.close()
            self.set_aside(names)
        calls.append(names)
        return real(self, names)

    monkeypatch.setattr(type(stored.blobs), "damaged", damaged)
    assert stored.verify().problems == ()
    assert [len(names) for names in calls] == [1, 0]
