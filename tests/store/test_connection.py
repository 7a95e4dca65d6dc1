"""Opening the database on the disks that people really have."""

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import apsw
import pytest

from archivist import Archivist
from archivist.records import Message, SessionStart
from archivist.store import (
    NotOurs,
    SchemaTooNew,
    StoreClosed,
    StoreDamaged,
    StoreReadOnly,
    connection,
    opening,
)
from archivist.store.connection import file_system_of, is_remote, open_writer
from archivist.store.migrating import APPLICATION_ID
from archivist.store.schema import MIGRATIONS


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
    with pytest.raises(StoreDamaged, match="move the file away"):
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


def test_a_newer_schema_that_only_adds_to_this_one_is_no_damage_whatever_version_wrote_it(
    open_store, tmp_path
):
    open_store().close()
    db = apsw.Connection(str(tmp_path / "state.db"))
    db.execute(f"CREATE TABLE later(id INTEGER PRIMARY KEY); PRAGMA user_version = {len(MIGRATIONS) + 1}")
    db.close()
    with pytest.raises(SchemaTooNew, match="written by Archivist"):
        open_store()
    assert not (tmp_path / "aside").exists()


def test_a_read_only_database_is_read_and_refuses_writes_with_a_reason(open_store, tmp_path, monkeypatch):
    first = open_store()
    session = first.start(SessionStart("cli"))
    first.append(session, [Message.user("hello")])
    first.close()

    def refuse(path):
        raise apsw.ReadOnlyError

    monkeypatch.setattr("archivist.store.opening.connect_to_write", refuse)
    store = open_store()
    assert [notice.code for notice in store.notices] == ["read-only"]
    assert [message.text for message in store.context(session)] == ["hello"]
    with pytest.raises(StoreReadOnly, match="make the file and its folder writable"):
        store.append(session, [Message.user("more")])


def test_every_commit_is_synced_to_disk(tmp_path):
    db, _ = open_writer(tmp_path / "x.db")
    assert db.pragma("synchronous") == 2
    db.close()


LOCKS = Path("/proc/locks")


def locks_on(path):
    """The locks that the system knows of on a file."""
    lines = LOCKS.read_text().splitlines()
    return [
        line.partition(": ")[2] for line in lines if f":{path.stat().st_ino} " in line
    ]  # their numbers change


@pytest.mark.skipif(not LOCKS.exists(), reason="the system does not tell its locks")
def test_a_home_that_is_opened_by_a_second_name_keeps_the_locks_of_the_first(open_store, tmp_path):
    """To close a file that SQLite has locked ends its locks, under whatever name it was opened."""
    store = open_store(tmp_path / "home" / "state.db")
    store.append(store.start(SessionStart("cli")), [Message.user("x")])
    (tmp_path / "link").symlink_to(tmp_path / "home")
    shared = tmp_path / "home" / "state.db-shm"
    assert locks_on(shared)
    again = open_store(tmp_path / "link" / "state.db")
    assert locks_on(shared)
    again.close()
    assert locks_on(shared)


@pytest.mark.skipif(not LOCKS.exists(), reason="the system does not tell its locks")
def test_the_locks_of_a_thread_that_is_opening_are_kept_too(open_store, tmp_path, monkeypatch):
    first = open_store(tmp_path / "home" / "state.db")
    first.append(first.start(SessionStart("cli")), [Message.user("x")])
    shared = tmp_path / "home" / "state.db-shm"
    migrating, go_on, migrate = threading.Event(), threading.Event(), opening.migrate

    def slow(db, *arguments, **named):
        migrate(db, *arguments, **named)
        migrating.set()
        assert go_on.wait(30)

    monkeypatch.setattr(opening, "migrate", slow)
    opener = threading.Thread(target=open_store, args=[tmp_path / "home" / "state.db"])
    opener.start()
    assert migrating.wait(30)
    first.close()  # what is half open is all that there is now
    monkeypatch.setattr(opening, "migrate", migrate)
    before = locks_on(shared)
    opening._notice_missing_log(tmp_path / "home" / "state.db")
    assert locks_on(shared) == before != []
    go_on.set()
    opener.join()


def test_who_is_connected_is_known_until_the_connection_is_closed_or_given_up(tmp_path):
    path = tmp_path / "state.db"
    first, second = (connection.open_writer(path)[0] for _ in range(2))

    def is_closed():
        with connection.OPEN_FILES.kept_closed(path) as found:
            return found

    assert not is_closed()
    first.close()
    first.close()
    assert not is_closed()
    del second
    assert is_closed()


def test_a_home_can_be_closed_while_another_thread_reads(open_store):
    store = open_store()
    reading, go_on, met = threading.Event(), threading.Event(), []

    def wait():
        reading.set()
        assert go_on.wait(30)
        return 1

    def read():
        db = store.reader()
        db.create_scalar_function("wait", wait)
        store.read(lambda db: db.execute("SELECT wait()").fetchall())
        try:
            store.counts()
        except StoreClosed as error:
            met.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    assert reading.wait(30)
    store.close()
    go_on.set()
    reader.join()
    assert len(met) == 1


def test_a_database_that_is_refused_is_left_to_the_byte(open_store, tmp_path):
    path = tmp_path / "state.db"
    db = apsw.Connection(str(path))
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}; CREATE TABLE theirs(a)")
    db.close()
    before = path.read_bytes(), path.stat().st_mtime_ns
    with pytest.raises(NotOurs):
        open_store()
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


READ_ONLY = """
import sys
from archivist import Archivist, Message, StoreReadOnly
with Archivist.open(sys.argv[1], environ={}) as archivist:
    assert [notice.code for notice in archivist.notices] == ["read-only"], archivist.notices
    page = archivist.recall("harbour")
    assert [hit.text for hit in page.hits] == ["harbour light"] and not page.notices, page
    [session] = archivist.sessions.browse().sessions
    assert archivist.sessions.read(session.id).messages
    try:
        archivist.sessions.start("test")
    except StoreReadOnly:
        print("refused")
"""


@pytest.mark.parametrize("is_folder_closed", [True, False])
def test_a_home_that_may_only_be_read_is_read_and_searched(tmp_path, is_folder_closed):
    home = tmp_path / "home"
    with Archivist.open(home, environ={}) as archivist:
        archivist.sessions.start("test").append(Message.user("harbour light"))
        archivist.catch_up()
    for file in home.rglob("*"):
        if file.is_file():
            file.chmod(0o400)
    home.chmod(0o500 if is_folder_closed else 0o700)
    as_anybody = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    if as_anybody and not shutil.which("setpriv"):
        pytest.skip("this machine has nothing that gives up the rights of its owner")
    command = [*as_anybody, sys.executable, "-c", READ_ONLY, str(home)]
    done = subprocess.run(command, capture_output=True, text=True)
    home.chmod(0o700)
    assert (done.stdout.strip(), done.stderr) == ("refused", "")
