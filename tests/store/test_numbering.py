"""No number is given twice in a home, whatever is restored there."""

import apsw
import pytest

from archivist import Archivist, Message
from archivist.app.restoring import restore
from archivist.app.world import real_world
from archivist.config import Home


def say(archivist, text):
    session = archivist.sessions.start()
    return session.id, session.append(Message.user(text))


def test_what_is_stored_after_a_restore_has_ids_that_nothing_had_before(tmp_path):
    with Archivist.open(tmp_path / "home") as archivist:
        say(archivist, "kept")
        backup = archivist.backup().path
        _, given = say(archivist, "taken away by the restore")
        archivist.restore(backup, dry_run=False)
        _, after = say(archivist, "after it")
        assert after > given
        assert archivist.verify().problems == ()
        assert archivist.verify().known_losses == 0
        archivist.catch_up()
        assert archivist.recall("after").hits


def test_keys_of_sessions_are_not_given_twice_either(tmp_path):
    with Archivist.open(tmp_path / "home") as archivist:
        say(archivist, "kept")
        backup = archivist.backup().path
        gone, _ = say(archivist, "taken away by the restore")
        key = "SELECT key FROM sessions WHERE id = ?"
        given = archivist._store.read(lambda db: db.execute(key, (gone,)).get)
        archivist.restore(backup, dry_run=False)
        after, _ = say(archivist, "after it")
        assert archivist._store.read(lambda db: db.execute(key, (after,)).get) > given


def test_a_salvage_never_fills_a_hole_with_what_another_branch_of_history_had_there(tmp_path):
    home = tmp_path / "home"
    with Archivist.open(home) as archivist:
        say(archivist, "base")
        first = archivist.backup(tmp_path / "first").path
        session = archivist.sessions.start(title="left behind")
        session.append_many([Message.user(f"OLD {number} " + "o" * 300) for number in range(40)])
        archivist.backup()
        archivist.restore(first, dry_run=False)
        session = archivist.sessions.start(title="goes on")
        session.append_many([Message.user(f"NEW {number} " + "n" * 300) for number in range(40)])
        state = archivist.home.state_file
    raw = bytearray(state.read_bytes())
    for at in range(4096, len(raw), 4096):
        if b"NEW 3" in raw[at : at + 4096]:
            raw[at : at + 4096] = bytes(4096)
    state.write_bytes(raw)
    with Archivist.open(home) as archivist:
        archivist.salvage()
        for listed in archivist.sessions.browse().sessions:
            texts = [message.text for message in archivist.sessions.get(listed.id).messages("all")]
            assert not any("OLD" in text for text in texts)
        assert archivist.verify().problems == ()


NOISE = b"\xa5" * 70_000


def put_noise_in_place_of(state):
    state.write_bytes(NOISE)
    for suffix in ("-wal", "-shm"):
        state.with_name(state.name + suffix).unlink(missing_ok=True)


def test_two_restores_over_what_nobody_can_read_do_not_give_the_same_numbers(tmp_path):
    home, given = tmp_path / "home", []
    with Archivist.open(home, environ={}) as archivist:
        session, _ = say(archivist, "kept")
        backup = archivist.backup().path
    for _ in range(2):
        put_noise_in_place_of(home / "state.db")
        restore(Home(home), backup, world=real_world())
        with Archivist.open(home, environ={}) as archivist:
            given.append(archivist.sessions.get(session).append(Message.user("after it")))
            archivist.catch_up()
            assert len(archivist.recall("after").hits) == 1
    assert given[1] > given[0] + 1


@pytest.mark.parametrize("table", ["messages", "changes"])
def test_a_salvage_after_a_restore_over_what_nobody_can_read_loses_only_what_was_damaged(tmp_path, table):
    home = tmp_path / "home"
    with Archivist.open(home, environ={}) as archivist:
        session, _ = say(archivist, "kept")
        backup = archivist.backup().path
    put_noise_in_place_of(home / "state.db")
    restore(Home(home), backup, world=real_world())
    with Archivist.open(home, environ={}) as archivist:
        handle = archivist.sessions.get(session)
        last = [handle.append(Message.user(f"word {number} " + "w" * 200)) for number in range(300)][-1]
    erase_leaf(home / "state.db", table)
    with Archivist.open(home, environ={}) as archivist:
        report = archivist.salvage()
        assert report.messages_lost < 40
        assert report.messages + report.messages_lost == 301
        assert archivist.sessions.get(session).append(Message.user("goes on")) > last
        assert archivist.verify().problems == ()


def test_numbers_of_removed_messages_are_not_given_again_though_the_changes_are_damaged(tmp_path):
    home = tmp_path / "home"
    with Archivist.open(home, environ={}) as archivist:
        say(archivist, "kept")
        session = archivist.sessions.start()
        last = [session.append(Message.user(f"gone {number}")) for number in range(300)][-1]
        archivist.sessions.delete(session.id)
    erase_leaf(home / "state.db", "changes")
    with Archivist.open(home, environ={}) as archivist:
        archivist.salvage()
        assert say(archivist, "after it")[1] > last


def erase_leaf(state, table):
    """Overwrite the first leaf of a table, as a bad sector would."""
    db = apsw.Connection(str(state))
    query = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path LIMIT 1"
    page, size = db.execute(query, (table,)).get, db.pragma("page_size")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    db.close()
    with state.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xa5" * size)
