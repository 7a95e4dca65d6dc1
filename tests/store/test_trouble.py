"""What goes wrong with a database is named, and costs what it broke and nothing more."""

import gc
import os
import random
import subprocess
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import apsw
import pytest

from archivist import Archivist
from archivist.records import Message, Part, SessionStart, ToolCall, Usage
from archivist.store import (
    ClientIdReused,
    MessageNotStorable,
    NotOurs,
    StoreBusy,
    StoreClosed,
    StoreDamaged,
    StoreNotOpened,
    UnknownSession,
    WriteSpooled,
    connection,
)
from archivist.store.trouble import (
    DiskFailed,
    DiskFull,
    StoreLinked,
    StoreReadOnly,
    StoreReplaced,
    naming_trouble,
)

START = SessionStart("cli")


def texts(messages):
    return [message.text for message in messages]


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (apsw.BusyError, StoreBusy),
        (apsw.LockedError, StoreBusy),
        (apsw.FullError, DiskFull),
        (apsw.ReadOnlyError, StoreReadOnly),
        (apsw.CantOpenError, StoreReadOnly),
        (apsw.IOError, DiskFailed),
        (apsw.CorruptError, StoreDamaged),
        (apsw.NotADBError, StoreDamaged),
        (apsw.ConnectionClosedError, StoreClosed),
    ],
)
def test_each_error_of_the_driver_becomes_one_that_says_what_to_do(tmp_path, theirs, ours):
    with pytest.raises(ours, match=r"state\.db"), naming_trouble(tmp_path / "state.db"):
        raise theirs("as SQLite says it")


def test_closing_folds_the_log_into_the_file(open_store, tmp_path):
    store = open_store()
    session = store.start(START)
    store.append(session, [Message.user("hello")])
    assert texts(store.context(session)) == ["hello"]
    store.close()
    assert not list(tmp_path.glob("state.db-*"))
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "state.db").write_bytes((tmp_path / "state.db").read_bytes())
    assert texts(open_store(copy / "state.db").context(session)) == ["hello"]


def test_a_closed_store_says_so_for_reads_and_writes(store):
    session = store.start(START)
    store.close()
    for use in (
        store.counts,
        lambda: store.context(session),
        lambda: store.append(session, [Message.user("x")]),
    ):
        with pytest.raises(StoreClosed, match="open it again"):
            use()


def test_a_forked_child_is_told_to_open_its_own(store):
    session = store.start(START)
    child = os.fork()
    if not child:
        code = 1
        try:
            store.append(session, [Message.user("from the child")])
        except StoreClosed:
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert status == 0
    assert texts(store.context(session)) == []


def test_threads_that_have_ended_leave_no_open_files(store):
    session = store.start(START)
    store.append(session, [Message.user("x")])

    def look():
        assert store.counts()["messages"] == 1

    def open_files():
        return sum(1 for _ in Path("/proc/self/fd").iterdir())

    look()
    before = open_files()
    for _ in range(30):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    gc.collect()
    assert open_files() <= before + 2


def test_a_commit_on_a_rollback_journal_waits_for_readers(open_store, tmp_path, monkeypatch):
    monkeypatch.setattr(connection, "file_system_of", lambda _path: "nfs4")
    store = open_store(patience=5)
    session = store.start(START)
    store.append(session, [Message.user(str(n)) for n in range(50)])
    reader = apsw.Connection(str(tmp_path / "state.db"))
    rows = reader.execute("SELECT * FROM messages")
    next(rows)
    release = threading.Timer(0.5, rows.close)
    release.start()
    store.append(session, [Message.user("patient")])
    release.join()
    reader.close()
    assert texts(store.context(session))[-1] == "patient"


def test_a_payload_that_the_database_refuses_blocks_nobody(open_store, tmp_path):
    store = open_store(patience=0.2)
    session = store.start(START)
    blocker = apsw.Connection(str(tmp_path / "state.db"))
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(WriteSpooled):
        store.append(session, [Message.user("mine", client_id="c1")])
    [file] = store.spool.files()
    kept = file.read_bytes()
    file.unlink()
    blocker.execute("ROLLBACK")
    blocker.close()
    store.append(session, [Message.user("another", client_id="c1")])
    file.write_bytes(kept)
    again = open_store()
    assert [notice.code for notice in again.notices] == ["spool-refused"]
    again.append(session, [Message.user("later")])
    assert texts(again.context(session)) == ["another", "later"]
    assert file.exists()


def test_a_store_with_damaged_pages_never_shows_an_error_of_the_driver(open_store, tmp_path):
    first = open_store()
    session = first.start(START)
    first.append(session, [Message.user(f"message {n} " + "x" * 300) for n in range(400)])
    first.close()
    whole = (tmp_path / "state.db").read_bytes()
    chance = random.Random(5)
    named = 0
    for _ in range(25):
        damaged = bytearray(whole)
        for _ in range(40):
            damaged[chance.randrange(4096, len(damaged))] ^= 1 << chance.randrange(8)
        (tmp_path / "state.db").write_bytes(damaged)
        try:
            store = open_store()
            problems = store.verify().problems
            texts(store.lineage(session))
            store.counts()
        except (StoreDamaged, UnknownSession):
            named += 1
        else:
            named += bool(problems or store.notices)
        for leftover in tmp_path.glob("state.db-*"):
            leftover.unlink()
    assert named == 25


FIELDS = ["text", "tool_call_id", "tool_name", "speaker"]


@pytest.mark.parametrize("field", FIELDS)
def test_characters_that_no_database_can_hold_are_replaced_in_every_field(store, field):
    session = store.start(
        SessionStart("s\udcff", model="m\udcff", cwd="/a\udcff", title="t\udcff", end_reason="\udcff")
    )
    values = {"text": "x", field: "a\udcffb"}
    store.append(session, [Message("user", **values)])
    [read] = store.context(session)
    assert getattr(read, field) == "a\ufffdb"
    assert store.session(session).cwd == "/a\ufffd"


def test_client_ids_that_differ_in_lone_surrogates_alone_stay_two(store):
    session = store.start(START)
    names = ["a\ud800", "a\ud801", "a\ufffd"]
    ids = [store.append(session, [Message.user(name, client_id=name)]) for name in names for _ in range(2)]
    assert ids[0::2] == ids[1::2]  # each again is the same
    assert len(store.context(session)) == 3


def test_a_home_whose_database_is_a_link_is_read_and_not_salvaged_through_it(open_store, tmp_path):
    store = open_store()
    session = store.start(START)
    store.append(session, [Message.user("hello")])
    store.close()
    real = tmp_path / "elsewhere.db"
    (tmp_path / "state.db").rename(real)
    (tmp_path / "state.db").symlink_to(real)
    again = open_store()
    assert texts(again.context(session)) == ["hello"]
    with pytest.raises(StoreLinked, match=r"move .*elsewhere\.db into its place"):
        again.salvage()
    assert (tmp_path / "state.db").is_symlink()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs to mount")
def test_a_home_on_a_full_disk_can_be_read_and_written_again_once_there_is_room(open_store, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(disk)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("this machine does not let us mount")
    try:
        store = open_store(disk / "state.db")
        session = store.start(START)
        store.append(session, [Message.user("hello")])
        store.close()
        room = os.statvfs(disk)
        (disk / "filling").write_bytes(bytes(room.f_bavail * room.f_bsize - 4096))
        again = open_store(disk / "state.db")
        assert [notice.code for notice in again.notices] == ["disk-full"]
        assert texts(again.context(session)) == ["hello"]
        with pytest.raises(DiskFull):
            again.append(session, [Message.user("more")])
        (disk / "filling").unlink()
        again.append(session, [Message.user("more")])
        assert texts(again.context(session)) == ["hello", "more"]
        again.close()
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_secret_in_any_field_is_masked(store, tmp_path):
    secret = "AKIA" + "QYLPMN5HHHFPZAM2"
    session = store.start(SessionStart("cli", cwd=f"/srv/{secret}", metadata={"note": secret}))
    message = Message(
        "tool",
        secret,
        parts=(Part("file", text=secret, name=f"{secret}.txt"),),
        tool_calls=(ToolCall("c", "t", f'{{"k": "{secret}"}}'),),
        tool_name=secret,
        speaker=secret,
        metadata={"deep": [{"er": secret}], secret: 1},
        reasoning=f'[{{"thinking": "{secret}"}}]',
    )
    store.append(session, [message])
    store.end(session, f"the key was {secret}")
    store.close()
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or secret.encode() not in path.read_bytes(), path


@pytest.mark.parametrize(
    "message",
    [
        Message("robot", "x"),
        Message("user", "x", metadata={"a": object()}),
        Message("user", "x", state="odd"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_a_reason(store, message):
    session = store.start(START)
    with pytest.raises(MessageNotStorable, match="cannot be stored"):
        store.append(session, [Message.user("before"), message])
    assert texts(store.context(session)) == []


def test_a_home_that_was_moved_or_removed_acknowledges_nothing(open_store, tmp_path):
    store = open_store(tmp_path / "home" / "state.db")
    session = store.start(START)
    (tmp_path / "home").rename(tmp_path / "elsewhere")
    with pytest.raises(StoreReplaced, match="nothing was written"):
        store.append(session, [Message.user("lost?")])


def test_a_client_id_that_waits_in_the_spool_is_not_taken_for_other_content(open_store, tmp_path):
    store = open_store(patience=0.1)
    session = store.start(START)
    blocker = apsw.Connection(str(tmp_path / "state.db"))
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(WriteSpooled):
        store.append(session, [Message.user("one", client_id="turn-1")])
    with pytest.raises(WriteSpooled):
        store.append(session, [Message.user("one", client_id="turn-1")])
    with pytest.raises(ClientIdReused, match="in the spool"):
        store.append(session, [Message.user("two", client_id="turn-1")])
    blocker.close()
    assert texts(open_store().context(session)) == ["one"]


@pytest.mark.parametrize(
    "content", [b"[" * 100_000, b'{"session": "s", "rows": [[null]]}', b'{"session": 3}', b"\xff", b""]
)
def test_no_file_in_the_spool_can_keep_a_home_from_opening(open_store, tmp_path, content):
    open_store().close()
    (tmp_path / "spool").mkdir(exist_ok=True)
    (tmp_path / "spool" / "0.spooled").write_bytes(content)
    (tmp_path / "spool" / "1.spooled").mkdir()
    store = open_store()
    session = store.start(START)
    store.append(session, [Message.user("hello")])
    assert [notice.code for notice in store.notices] == ["spool-unreadable"]


def test_an_empty_database_beside_a_full_log_keeps_the_log(open_store, tmp_path):
    (tmp_path / "state.db").touch()
    (tmp_path / "state.db-wal").write_bytes(b"someone's messages")
    [notice] = open_store().notices
    [aside] = tmp_path.glob("state.db-wal-aside-*")
    assert aside.read_bytes() == b"someone's messages"
    assert str(aside) in notice.text


def test_another_programs_database_is_refused_without_a_byte_of_it_changing(open_store, tmp_path):
    db = apsw.Connection(str(tmp_path / "state.db"))
    db.execute("CREATE TABLE sessions(id TEXT)")
    db.close()
    before = (tmp_path / "state.db").read_bytes()
    with pytest.raises(NotOurs):
        open_store()
    assert (tmp_path / "state.db").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["state.db"]


def test_no_patience_still_means_one_try(open_store):
    store = open_store(patience=0)
    session = store.start(START)
    assert store.append(session, [Message.user("hello")])


def test_absurd_numbers_of_a_source_are_bounded(store):
    session = store.start(START)
    store.add_usage(session, [Usage("m", "r", input=10**30, output=-5), Usage("m", "s", input=10**30)])
    [total] = store.usage(session)
    assert (total.input, total.output) == (2 * 10**15, 0)


def test_times_at_the_edge_of_the_calendar_can_be_shown_in_every_zone(store):
    session = store.start(START)
    edges = [datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC)]
    store.append(session, [Message.user("x", created_at=time) for time in edges])
    for message in store.context(session):
        for hours in (-14, 14):
            message.created_at.astimezone(timezone(timedelta(hours=hours)))


def test_a_blob_is_named_by_its_hash_or_not_at_all(store):
    session = store.start(START)
    with pytest.raises(MessageNotStorable, match="no SHA-256"):
        store.append(session, [Message.user("x", parts=[Part("file", blob="../../etc/passwd")])])


@pytest.mark.skipif(os.geteuid() != 0, reason="needs to mount")
def test_a_home_on_a_read_only_disk_can_be_read(open_store, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "none", str(disk)], capture_output=True).returncode:
        pytest.skip("this machine does not let us mount")
    try:
        store = open_store(disk / "state.db")
        session = store.start(START)
        store.append(session, [Message.user("hello")])
        store.close()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        again = open_store(disk / "state.db")
        assert texts(again.context(session)) == ["hello"]
        assert [notice.code for notice in again.notices] == ["read-only"]
        with pytest.raises(StoreReadOnly):
            again.append(session, [Message.user("more")])
        again.close()
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.parametrize("name", ["state.db", "state.db-wal", "state.db-replacing"])
@pytest.mark.parametrize("is_empty", [True, False])
def test_a_folder_in_the_place_of_a_file_is_called_one(tmp_path, name, is_empty):
    if name != "state.db":
        Archivist.open(tmp_path, environ={}).close()
    (tmp_path / name).mkdir()
    if not is_empty:
        (tmp_path / name / "x").touch()
    with pytest.raises(StoreNotOpened, match=f"{name} is a folder.*move .*{name} away, then try again"):
        Archivist.open(tmp_path, environ={})
    assert (tmp_path / name).is_dir()
