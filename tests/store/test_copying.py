"""Copies of `state.db`: one moment each, complete in one file, comparable, of a known history."""

import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime

import apsw
import pytest

from archivist.records import Message, SessionStart
from archivist.store import NotOurs, StoreDamaged, StoreNotOpened, connection
from archivist.store.comparing import Difference, difference
from archivist.store.copying import copy_database, shrink_log
from archivist.store.counting import count_rows
from archivist.store.exchanging import prepare_copy
from archivist.store.identity import identify, opened_copy, renew_store_id
from archivist.store.soundness import problems_of_copy

NOW = datetime(2026, 11, 30, tzinfo=UTC)

START = SessionStart("cli", title="Ports")
HAMMER = """
import sys
from archivist import Archivist, Message
with Archivist.open(sys.argv[1], environ={}) as archivist:
    session = archivist.sessions.start("hammer")
    print("ready", flush=True)
    number = 0
    while True:
        session.append_many([Message.user(f"{number} of a pair"), Message.user(f"{number} of a pair too")])
        number += 1
"""


def fill(store, count=20):
    session = store.start(START)
    store.append(session, [Message.user(f"line {n}", client_id=f"c{n}") for n in range(count)])
    return session


def copied(store, target):
    copy_database(store.reader(), target)
    return target


def test_a_copy_is_one_file_that_needs_no_log_and_is_private(store, tmp_path):
    fill(store)
    (tmp_path / "out").mkdir()
    path = copied(store, tmp_path / "out" / "copy.db")
    with opened_copy(path) as db:
        assert count_rows(db, None) == {"conversations": 1, "sessions": 1, "messages": 20}
    assert [found.name for found in (tmp_path / "out").iterdir()] == ["copy.db"]
    assert path.stat().st_mode & 0o777 == 0o600
    assert problems_of_copy(path, tmp_path / "media") == []


def test_a_copy_made_while_another_process_writes_is_one_moment(open_store, tmp_path):
    fill(open_store(tmp_path / "home" / "state.db"), 5000)
    home = tmp_path / "home"
    hammer = subprocess.Popen([sys.executable, "-c", HAMMER, str(home)], stdout=subprocess.PIPE, text=True)
    try:
        assert hammer.stdout.readline() == "ready\n"
        store, sizes = open_store(home / "state.db"), []
        for number in range(5):
            path = copied(store, tmp_path / f"copy{number}.db")
            shrink_log(store.path)
            assert problems_of_copy(path, home / "media") == []
            with opened_copy(path) as db:
                sizes.append(count_rows(db, None)["messages"])
        assert hammer.poll() is None
    finally:
        hammer.kill()
        hammer.communicate()
    assert all(size % 2 == 0 for size in sizes), sizes
    assert sizes == sorted(sizes)
    assert sizes[-1] > sizes[0]


def test_a_rollback_journal_is_copied_in_steps_between_which_others_commit(open_store, tmp_path, monkeypatch):
    monkeypatch.setattr(connection, "file_system_of", lambda _path: "nfs4")
    store = open_store()
    session = fill(store, 3000)
    steps = []

    def write_meanwhile(pages, of):
        steps.append((pages, of))
        if len(steps) == 1:
            store.append(session, [Message.user("meanwhile")])

    copy_database(store.reader(), tmp_path / "copy.db", on_pages=write_meanwhile)
    assert len(steps) > 2
    with opened_copy(tmp_path / "copy.db") as db:
        assert count_rows(db, None)["messages"] == 3001
    assert problems_of_copy(tmp_path / "copy.db", tmp_path / "media") == []


def test_a_copy_that_others_keep_from_ending_makes_them_wait_at_last(open_store, tmp_path, monkeypatch):
    monkeypatch.setattr(connection, "file_system_of", lambda _path: "nfs4")
    store = open_store()
    session = fill(store, 3000)

    def write(pages, of):
        if pages < of:
            store.append(session, [Message.user("again")])

    copy_database(store.reader(), tmp_path / "copy.db", on_pages=write)
    assert problems_of_copy(tmp_path / "copy.db", tmp_path / "media") == []


def test_the_log_is_folded_after_a_copy_without_a_writer(store, tmp_path):
    fill(store, 3000)
    shrink_log(store.path)
    with closing(apsw.Connection(str(store.path))) as db:
        _, in_log, moved = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()[0]
    assert in_log == moved
    shrink_log(tmp_path / "nothing.db")
    assert not (tmp_path / "nothing.db").exists()


def test_a_new_store_id_keeps_the_first_id(store, tmp_path):
    first = identify(store.path)
    path = copied(store, tmp_path / "copy.db")
    assert identify(path) == first
    assert first.first_id == first.store_id
    for number in (1, 2):
        prepare_copy(
            path, program="0.1.0", store_id=f"new{number}", erased=tmp_path / "none", given=None, now=NOW
        )
        found = identify(path)
        assert (found.store_id, found.first_id) == (f"new{number}", first.store_id)
    store.write(lambda db: renew_store_id(db, "renewed"))
    assert identify(store.path).first_id == first.store_id


def test_two_states_are_told_apart_by_what_only_one_of_them_has(store, tmp_path):
    session = fill(store)
    path = copied(store, tmp_path / "copy.db")
    assert difference(path, store.path) == difference(store.path, path) == Difference(0, 0)
    store.append(session, [Message.user("newer"), Message.user("newest")])
    other = store.start(SessionStart("cli", title="Tea"))
    store.append(other, [Message.user("green")])
    assert difference(store.path, path) == Difference(1, 3, ((session, "Ports"), (other, "Tea"))) or (
        difference(store.path, path).examples == ((other, "Tea"), (session, "Ports"))
    )
    assert difference(store.path, path).messages == 3
    assert difference(path, store.path) == Difference(0, 0)


def test_what_is_no_database_of_ours_is_named_and_not_a_byte_of_it_changes(tmp_path):
    with closing(apsw.Connection(str(tmp_path / "foreign.db"))) as foreign:
        foreign.execute("CREATE TABLE t(a)")
    (tmp_path / "garbage.db").write_bytes(b"garbage" * 1000)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with closing(apsw.Connection(str(tmp_path / "bare.db"))) as bare:
        bare.execute("PRAGMA application_id = 0x41524356; CREATE TABLE meta(key, value)")
    with closing(apsw.Connection(str(tmp_path / "empty.db"))) as empty:
        empty.execute("PRAGMA application_id = 0x41524356; CREATE TABLE t(a)")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for name in ("bare.db", "empty.db"):
        with pytest.raises(StoreDamaged):
            identify(tmp_path / name)
    with pytest.raises(NotOurs):
        identify(tmp_path / "foreign.db")
    with pytest.raises(StoreDamaged):
        identify(tmp_path / "garbage.db")
    with pytest.raises(StoreNotOpened):
        identify(tmp_path / "nothing.db")
    assert problems_of_copy(tmp_path / "garbage.db", tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_damaged_page_is_a_problem_of_the_copy(store, tmp_path):
    fill(store, 400)
    path = copied(store, tmp_path / "copy.db")
    whole = path.read_bytes()
    pages = [at for at in range(0, len(whole), 4096) if b"line 1" in whole[at : at + 4096]]
    assert len(pages) > 3
    for at in (pages[0], pages[-1]):
        content = bytearray(whole)
        content[at + 100 : at + 4000] = b"\xff" * 3900
        path.write_bytes(content)
        assert problems_of_copy(path, tmp_path / "media")
