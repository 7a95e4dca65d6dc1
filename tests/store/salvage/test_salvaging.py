"""A salvage is done whole or not at all, and not where it cannot help."""

import errno
import os
import shutil
import subprocess

import apsw
import msgspec
import pytest
from tests.damage import spoil

from archivist.records import EVERYTHING, Message, Scope, SessionStart, Usage
from archivist.store import DiskFailed, DiskFull, StoreDamaged
from archivist.store.deleting import delete_sessions
from archivist.store.salvage import rescue, salvaging
from archivist.store.scopes import visible_scopes
from archivist.store.spending import total_spending

START = SessionStart("cli")


@pytest.fixture
def damaged(open_store, tmp_path):
    """A store of forty messages whose first page is gone; gives its file and the session."""
    store = open_store()
    session = store.start(START)
    store.append(session, [Message.user(f"message {n} " + "x" * 300, client_id=f"c{n}") for n in range(40)])
    store.close()
    spoil(tmp_path / "state.db", 1)
    return tmp_path / "state.db", session


def test_everything_comes_back_and_the_damaged_file_is_kept(damaged, open_store, tmp_path):
    path, session = damaged
    before = path.read_bytes()
    store = open_store()
    assert len(store.context(session)) == 40
    [folder] = (tmp_path / "aside").iterdir()
    assert (folder / "state.db").read_bytes() == before
    assert b'"messages_from_file": 40' in (folder / "report.json").read_bytes()
    assert store.verify().problems == ()
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("place", "error", "named"),
    [
        ("fill", apsw.FullError("full"), DiskFull),
        ("replace_file", OSError(errno.ENOSPC, "full"), DiskFull),
        ("mend", apsw.IOError("disk I/O error"), DiskFailed),
        ("_prove", OSError(errno.EIO, "broken"), DiskFailed),
    ],
)
def test_a_disk_that_fails_meanwhile_changes_nothing(
    damaged, open_store, tmp_path, monkeypatch, place, error, named
):
    path, session = damaged
    before = path.read_bytes()

    def fail(*_arguments, **_options):
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(salvaging, place, fail)
        with pytest.raises(named):
            open_store()
    assert path.read_bytes() == before
    assert not list(tmp_path.glob("state.db-salvag*"))
    assert not list((tmp_path / "aside").glob("*"))
    assert len(open_store().context(session)) == 40


def test_where_nothing_can_be_written_nothing_is_salvaged(damaged, open_store, monkeypatch):
    path, _ = damaged
    before = path.read_bytes()
    monkeypatch.setattr(rescue.os, "access", lambda *_: False)
    with pytest.raises(StoreDamaged, match="archivist salvage"):
        open_store()
    assert path.read_bytes() == before


@pytest.mark.skipif(os.geteuid() != 0, reason="needs to mount")
def test_what_can_be_read_on_a_read_only_disk_is_read(open_store, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "none", str(disk)], capture_output=True).returncode:
        pytest.skip("this machine does not let us mount")
    try:
        store = open_store(disk / "state.db")
        first, second = store.start(START), store.start(START)
        store.append(first, [Message.user("hello")])
        store.append(second, [Message.user(f"{n} " + "x" * 900) for n in range(40)])
        store.close()
        db = apsw.Connection(str(disk / "state.db"))
        query = "SELECT pageno FROM dbstat WHERE name = 'messages' AND pagetype = 'leaf' ORDER BY path DESC LIMIT 1"
        last = db.execute(query).get
        db.close()
        spoil(disk / "state.db", last)
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        again = open_store(disk / "state.db")
        assert {notice.code for notice in again.notices} == {"read-only", "damaged"}
        assert [message.text for message in again.context(first)] == ["hello"]
        with pytest.raises(StoreDamaged):
            again.context(second)
        again.close()
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_an_error_of_the_disk_is_no_damage(open_store, tmp_path):
    store = open_store()
    session = store.start(START)

    def fail(_db):
        raise apsw.IOError("disk I/O error")

    with pytest.raises(DiskFailed):
        store.read(fail)
    assert not (tmp_path / "aside").exists()
    store.append(session, [Message.user("goes on")])


def test_damage_that_stays_is_salvaged_once_and_then_told(open_store, tmp_path):
    store = open_store()
    session = store.start(START)
    store.append(session, [Message.user("hello")])
    calls = 0

    def fail(_db):
        nonlocal calls
        calls += 1
        raise apsw.CorruptError("malformed")

    with pytest.raises(StoreDamaged):
        store.read(fail)
    assert calls == 2
    assert len(list((tmp_path / "aside").iterdir())) == 1
    assert [message.text for message in store.context(session)] == ["hello"]


def test_spooled_messages_are_counted_and_taken_in(damaged, open_store, tmp_path):
    _, session = damaged
    store = open_store()
    rows = [store.prepare(Message.user("waited", client_id="w"))]
    store.spool.keep(session, rows)
    store.close()
    spoil(tmp_path / "state.db", 1)
    again = open_store()
    assert [message.text for message in again.context(session)][-1] == "waited"
    assert b'"messages_from_spool": 1' in b"".join(
        p.read_bytes() for p in (tmp_path / "aside").glob("*/report.json")
    )


def test_a_trial_changes_nothing(damaged, open_store, tmp_path):
    store = open_store()
    assert store.salvage(is_trial=True).set_aside is not None  # what was done when it was opened
    store.close()
    store = open_store()
    store.write(lambda db: db.execute("DROP INDEX messages_client"))
    spoiled = {file.name for file in tmp_path.rglob("*")}
    report = store.salvage(is_trial=True)
    assert (report.messages, report.is_trial, report.is_whole, report.set_aside) == (40, True, True, None)
    assert {file.name for file in tmp_path.rglob("*")} == spoiled


def test_sequences_and_keys_go_on(damaged, open_store):
    _, session = damaged
    store = open_store()
    new = store.append(session, [Message.user("new")])
    assert new[0] > 40
    later = store.start(START)
    assert store.read(lambda db: db.execute("SELECT key FROM sessions WHERE id = ?", (later,)).get) > 1


def test_a_lost_session_and_its_messages_come_back_from_a_backup(open_store, tmp_path):
    store = open_store()
    session = store.start(SessionStart("cli", title="lantern", scope=Scope(user="ann")))
    store.append(session, [Message.user(f"message {n}") for n in range(5)])
    store.close()
    (tmp_path / "backup").mkdir()
    shutil.copy(tmp_path / "state.db", tmp_path / "backup" / "state.db")
    store = open_store()
    later = store.append(session, [Message.user("after the backup")])
    store.close()
    db = apsw.Connection(str(tmp_path / "state.db"))
    pages = db.execute("SELECT pageno FROM dbstat WHERE name IN ('sessions', 'messages')").fetchall()
    db.close()
    for (page,) in pages:
        spoil(tmp_path / "state.db", page)
    store = open_store()
    plan = store._live._rescue()._plan
    store._live._rescuer = rescue.Rescue(
        msgspec.structs.replace(plan, backups=lambda: [tmp_path / "backup" / "state.db"])
    )
    report = store.salvage()
    assert store.session(session).title == "lantern"
    assert [message.text for message in store.context(session)] == [f"message {n}" for n in range(5)]
    assert report.messages_from_backup == 5
    assert store.verify().known_losses == 1
    assert store.verify().problems == ()
    assert store.append(session, [Message.user("new")])[0] > later[0]


@pytest.mark.parametrize("is_another_left", [True, False])
def test_what_was_spent_in_a_scope_that_is_lost_is_nobodys_later(open_store, tmp_path, is_another_left):
    store = open_store()
    for user, used in (("ann", 5), ("bob", 7)):
        session = store.start(SessionStart("cli", scope=Scope(user=user)))
        store.add_usage(session, [Usage(model="m", request_id="r", input=used)])
        store.write(lambda db: delete_sessions(db, [db.execute("SELECT max(key) FROM sessions").get]))
    store.close()
    db = apsw.Connection(str(tmp_path / "state.db"))
    db.execute(
        "PRAGMA foreign_keys = OFF; DELETE FROM scopes WHERE user <> 'bob'"
        if is_another_left
        else "DELETE FROM scopes"
    )
    db.close()
    store = open_store()
    assert any("is of a scope that is not there" in problem for problem in store.verify().problems)
    store.salvage()
    for user in ("carol", "dan", "eve"):
        store.start(SessionStart("cli", scope=Scope(user=user)))
        seen = store.read(lambda db, user=user: visible_scopes(db, Scope(user=user)))
        assert store.read(lambda db, seen=seen: total_spending(db, seen, "model")) == []
    [total] = store.read(lambda db: total_spending(db, visible_scopes(db, EVERYTHING), "model"))
    assert total.input == 12
    assert store.verify().is_clean
