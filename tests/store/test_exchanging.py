"""A copy takes the place of `state.db`: for everybody at once, or not at all."""

import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

from archivist.records import Message, Patience, SessionStart
from archivist.store import DiskFailed, NotOurs, StoreBusy, connection
from archivist.store.copying import copy_database
from archivist.store.exchanging import can_exchange_content, exchange_content, prepare_copy
from archivist.store.identity import identify
from archivist.store.messages import set_states

NOW = datetime(2026, 11, 30, tzinfo=UTC)

START = SessionStart("cli")


@pytest.fixture
def world(clock):
    return clock.surroundings()


def texts(store, session):
    return [message.text for message in store.context(session)]


def prepared(store, target, erased):
    copy_database(store.reader(), target)
    prepare_copy(target, program="0.1.0", store_id="renewed", erased=erased, given=None, now=NOW)
    return target


def exchanged(store, content, world, set_aside=lambda _db: None, patience=5.0):
    exchange_content(store.path, content, set_aside=set_aside, world=world, patience=Patience(patience))


def test_everyone_who_has_it_open_sees_the_new_content_and_writes_to_it(open_store, tmp_path, world):
    store, other = open_store(), open_store()
    session = store.start(START)
    store.append(session, [Message.user("kept")])
    content = prepared(store, tmp_path / "content.db", tmp_path / "none")
    store.append(session, [Message.user("goes")])
    assert texts(other, session) == ["kept", "goes"]
    assert can_exchange_content(store.path)
    seen = []
    exchanged(store, content, world, lambda db: seen.append(db.execute("SELECT count(*) FROM messages").get))
    assert seen == [2]
    assert identify(store.path).store_id == "renewed"
    assert texts(other, session) == texts(store, session) == ["kept"]
    other.append(session, [Message.user("later")])
    assert texts(store, session) == ["kept", "later"]
    assert store.verify().is_clean


def test_nobody_writes_between_the_copy_of_the_old_content_and_the_new_one(open_store, tmp_path, world):
    store = open_store()
    session = store.start(START)
    content = prepared(store, tmp_path / "content.db", tmp_path / "none")
    busy = open_store(patience=0.05)
    outcome = []

    def set_aside(_db):
        try:
            busy.write(lambda db: set_states(db, []))
        except StoreBusy as error:
            outcome.append(error)

    exchanged(store, content, world, set_aside)
    assert outcome
    busy.write(lambda db: set_states(db, []))
    assert texts(store, session) == []


def test_a_failure_while_the_old_content_is_set_aside_changes_nothing(open_store, tmp_path, world):
    store = open_store()
    session = store.start(START)
    content = prepared(store, tmp_path / "content.db", tmp_path / "none")
    store.append(session, [Message.user("stays")])

    def fail(_db):
        raise DiskFailed(tmp_path, "as it happens")

    with pytest.raises(DiskFailed, match="as it happens"):
        exchanged(store, content, world, fail)
    assert texts(store, session) == ["stays"]
    store.append(session, [Message.user("more")])
    assert store.verify().is_clean


def test_a_writer_that_never_ends_is_named_after_the_patience(open_store, tmp_path, world):
    store = open_store()
    content = prepared(store, tmp_path / "content.db", tmp_path / "none")
    blocker = apsw.Connection(str(store.path))
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy):
        exchanged(store, content, world, patience=0.2)
    blocker.close()
    exchanged(store, content, world)
    assert identify(store.path).store_id == "renewed"


def test_pages_of_another_size_are_made_to_fit(open_store, tmp_path, world):
    store = open_store()
    session = store.start(START)
    store.append(session, [Message.user("kept")])
    content = prepared(store, tmp_path / "content.db", tmp_path / "none")
    resized = apsw.Connection(str(content))
    resized.execute("PRAGMA page_size = 8192; VACUUM").fetchall()
    resized.close()
    exchanged(store, content, world)
    assert texts(store, session) == ["kept"]
    assert store.verify().is_clean


def test_what_cannot_be_exchanged_is_told_and_another_programs_database_is_left_alone(
    tmp_path, open_store, monkeypatch
):
    for name, content in (("nothing", None), ("empty", b""), ("garbage", b"garbage" * 1000)):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        assert not can_exchange_content(tmp_path / name)
    foreign = apsw.Connection(str(tmp_path / "foreign"))
    foreign.execute("CREATE TABLE t(a)")
    with pytest.raises(NotOurs):
        can_exchange_content(tmp_path / "foreign")
    foreign.close()
    monkeypatch.setattr(connection, "file_system_of", lambda _path: "nfs4")
    assert not can_exchange_content(open_store().path)


EXCHANGER = """
import sys
from pathlib import Path
from archivist.app.world import real_world
from archivist.records import Patience
from archivist.store.exchanging import exchange_content
print("go", flush=True)
exchange_content(Path(sys.argv[1]), Path(sys.argv[2]), set_aside=lambda db: print("held", flush=True),
    world=real_world(), patience=Patience())
print("done", flush=True)
"""


def test_a_kill_on_the_way_leaves_the_old_content_or_the_new(open_store, tmp_path):
    store = open_store(tmp_path / "home" / "state.db")
    session = store.start(START)
    store.append(session, [Message.user(f"old {n} " + "x" * 300) for n in range(4000)])
    copy_database(store.reader(), tmp_path / "content.db")
    prepare_copy(
        tmp_path / "content.db",
        program="0.1.0",
        store_id="renewed",
        erased=tmp_path / "none",
        given=None,
        now=NOW,
    )
    old = identify(store.path).store_id
    store.close()
    found = []
    for pause in (0.0, 0.002, 0.005, 0.01, 0.02, 0.2):
        process = subprocess.Popen(
            [sys.executable, "-c", EXCHANGER, str(store.path), str(tmp_path / "content.db")],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert [process.stdout.readline() for _ in range(2)] == ["go\n", "held\n"]
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        again = open_store(Path(store.path))
        assert again.verify().is_clean
        assert len(texts(again, session)) == 4000
        found.append(identify(store.path).store_id)
        again.write(lambda db: db.execute("UPDATE meta SET value = ? WHERE key = 'store_id'", (old,)))
        again.close()
    assert set(found) <= {old, "renewed"}
    assert found[0] == old or "renewed" in found
