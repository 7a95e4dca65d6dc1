"""No number is given twice in a home, whatever is restored there."""

from archivist import Archivist, Message


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
