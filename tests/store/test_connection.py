"""Opening the database on the disks that people really have."""

import apsw
import pytest

from archivist.records import Message, SessionStart
from archivist.store import NotOurs, SchemaTooNew, StoreDamaged, StoreReadOnly, connection
from archivist.store.connection import file_system_of, is_remote, open_writer


def test_a_local_disk_gets_a_write_ahead_log(store):
    assert store.reader().pragma("journal_mode") == "wal"


@pytest.mark.parametrize(
    ("kind", "remote"), [("nfs4", True), ("fuse.sshfs", True), ("9p", True), ("ext4", False), ("", False)]
)
def test_network_file_systems_are_recognised(kind, remote):
    assert is_remote(kind) is remote


def test_the_file_system_of_a_path_is_that_of_the_deepest_mount(tmp_path):
    mounts = tmp_path / "mounts"
    deep = tmp_path / "with space"
    deep.mkdir()
    escaped = str(deep).replace(" ", "\\040")
    mounts.write_text(f"/dev/a / ext4 rw 0 0\nserver:/x {escaped} nfs4 rw 0 0\nbroken\n")
    assert file_system_of(deep / "state.db", mounts) == "nfs4"
    assert file_system_of(tmp_path / "state.db", mounts) == "ext4"
    assert file_system_of(tmp_path / "state.db", tmp_path / "absent") == ""


def test_a_home_on_a_network_share_works_and_says_what_it_does(open_store, monkeypatch):
    """A log that the share refused made titles and search vanish without a word: NousResearch/hermes-agent#22032."""
    monkeypatch.setattr(connection, "file_system_of", lambda _path: "nfs4")
    store = open_store()
    session = store.start(SessionStart("cli"))
    store.append(session, [Message.user("hello")])
    assert [message.text for message in store.context(session)] == ["hello"]
    assert [notice.code for notice in store.notices] == ["rollback-journal"]
    assert store.reader().pragma("journal_mode") == "delete"


def test_a_log_that_is_refused_is_replaced_by_a_rollback_journal(tmp_path):
    db = apsw.Connection(str(tmp_path / "x.db"), vfs=_no_shared_memory_vfs())
    notices = connection._choose_journal(db, tmp_path / "x.db")
    assert [notice.code for notice in notices] == ["rollback-journal"]
    assert db.pragma("journal_mode") == "delete"
    db.close()


def _no_shared_memory_vfs():
    """SQLite's own file system without locks has no shared memory, so it refuses a log as a share does."""
    return "unix-none"


def test_a_file_that_is_no_database_is_named_and_left_alone(open_store, tmp_path):
    file = tmp_path / "state.db"
    file.write_bytes(b"not a database, but someone's notes" * 100)
    before = file.read_bytes()
    with pytest.raises(StoreDamaged, match="copy it aside"):
        open_store()
    assert file.read_bytes() == before


def test_another_programs_database_is_refused_and_left_alone(open_store, tmp_path):
    db = apsw.Connection(str(tmp_path / "state.db"))
    db.execute("CREATE TABLE sessions(id TEXT)")
    db.close()
    with pytest.raises(NotOurs, match="archivist import"):
        open_store()


def test_a_newer_schema_is_refused_with_the_version_that_wrote_it(open_store, tmp_path):
    open_store().close()
    db = apsw.Connection(str(tmp_path / "state.db"))
    db.execute("PRAGMA user_version = 99; UPDATE meta SET value = '7.1.0' WHERE key = 'program'")
    db.close()
    with pytest.raises(SchemaTooNew, match=r"schema 99, written by Archivist 7\.1\.0"):
        open_store()


def test_a_read_only_database_is_read_and_refuses_writes_with_a_reason(open_store, tmp_path, monkeypatch):
    first = open_store()
    session = first.start(SessionStart("cli"))
    first.append(session, [Message.user("hello")])
    first.close()

    def refuse(path):
        raise apsw.ReadOnlyError

    monkeypatch.setattr("archivist.store.opening.open_writer", refuse)
    store = open_store()
    assert [notice.code for notice in store.notices] == ["read-only"]
    assert [message.text for message in store.context(session)] == ["hello"]
    with pytest.raises(StoreReadOnly, match="make the file and its folder writable"):
        store.append(session, [Message.user("more")])


def test_every_commit_is_synced_to_disk(tmp_path):
    db, _ = open_writer(tmp_path / "x.db")
    assert db.pragma("synchronous") == 2
    db.close()
