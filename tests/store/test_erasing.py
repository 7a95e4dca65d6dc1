"""Nothing of a deleted row is left in the bytes of `state.db`, and the log is empty afterwards."""

import random
import re

import apsw
import pytest
from tests.conftest import Clock

from archivist.store import erasing
from archivist.store.connection import open_writer
from archivist.store.deleting import PENDING, Pending
from archivist.store.erasing import clear_residue, fold_log, read_raw
from archivist.store.surroundings import Waiting

DONE = Pending(1, 1)


def waiting(seconds=0.0):
    world = Clock().surroundings()
    return Waiting(seconds, world.monotonic, world.sleep)


@pytest.fixture
def path(tmp_path):
    """A database in which rows of two kinds were mixed, moved by updates, and those of one kind deleted."""
    path = tmp_path / "state.db"
    chance = random.Random(1)
    db, _ = open_writer(path)
    db.execute("CREATE TABLE meta(key PRIMARY KEY, value); INSERT INTO meta VALUES('store_id', 'x')")
    db.execute('INSERT INTO meta VALUES(?, \'{"seq":1,"first":1}\')', (PENDING,))
    db.execute(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, kind INT, client TEXT, text TEXT); CREATE INDEX c ON t(kind, client)"
    )
    with db:
        for number in range(6000):
            kind = chance.randint(1, 50)
            words = " ".join(
                f"GONE{kind}x" if kind < 26 else "stays" for _ in range(chance.choice([1, 3, 20, 20, 800]))
            )
            db.execute(
                "INSERT INTO t(kind, client, text) VALUES(?, ?, ?)",
                (kind, f"GONE{kind}x{chance.random()}", words),
            )
            if not number % 9:
                db.execute("UPDATE t SET text = text || text WHERE id = ?", (chance.randint(1, number + 1),))
    with db:
        for kind in range(1, 26):
            db.execute("DELETE FROM t WHERE kind = ?", (kind,))
    db.close()
    return path


def left(path):
    raw = b"".join(read_raw(path))
    return [word for word in re.findall(rb"GONE(\d+)x", raw) if int(word) < 26]


def test_old_copies_of_moved_rows_are_cleared_and_the_rest_is_as_it_was(path):
    assert left(path), "SQLite has left nothing behind: this test shows nothing any more"
    db = apsw.Connection(str(path))
    before = db.execute("SELECT * FROM t ORDER BY id").fetchall()
    assert clear_residue(path, DONE, waiting())
    assert left(path) == []
    assert db.execute("SELECT * FROM t ORDER BY id").fetchall() == before
    assert db.execute("PRAGMA integrity_check").get == "ok"
    assert db.execute("SELECT count(*) FROM meta WHERE key = ?", (PENDING,)).get == 0


def test_what_is_still_to_be_done_elsewhere_stays_noted(path):
    assert clear_residue(path, None, waiting())
    assert apsw.Connection(str(path)).execute("SELECT count(*) FROM meta WHERE key = ?", (PENDING,)).get == 1


def test_more_was_deleted_meanwhile_stays_noted(path):
    assert clear_residue(path, Pending(0, 1), waiting())
    assert apsw.Connection(str(path)).execute("SELECT count(*) FROM meta WHERE key = ?", (PENDING,)).get == 1


def test_a_reader_of_an_older_state_keeps_the_log_and_it_is_said(path):
    reader, writer = apsw.Connection(str(path)), apsw.Connection(str(path))
    reader.execute("BEGIN; SELECT * FROM meta").fetchall()
    writer.execute("INSERT INTO meta VALUES('new', 1)")
    assert not clear_residue(path, DONE, waiting())
    reader.execute("COMMIT")
    assert clear_residue(path, DONE, waiting())


def test_a_writer_that_holds_the_lock_is_waited_for_and_not_disturbed(path):
    writer = apsw.Connection(str(path))
    writer.execute("BEGIN IMMEDIATE; INSERT INTO meta VALUES('new', 1)")
    assert not clear_residue(path, DONE, waiting())
    writer.execute("COMMIT")
    assert clear_residue(path, DONE, waiting())
    assert writer.execute("SELECT count(*) FROM meta WHERE key = 'new'").get == 1


def test_a_database_without_a_log_is_cleared_too(path):
    apsw.Connection(str(path)).execute("PRAGMA journal_mode = DELETE").fetchall()
    assert clear_residue(path, DONE, waiting())
    assert left(path) == []


def test_folding_empties_the_log(path):
    db = apsw.Connection(str(path))
    db.execute("INSERT INTO meta VALUES('new', 1)")
    assert path.with_name("state.db-wal").stat().st_size
    assert fold_log(db)
    assert not path.with_name("state.db-wal").stat().st_size


def test_a_page_that_somebody_changes_meanwhile_is_cleared_at_the_next_try(path, monkeypatch):
    others, looked = apsw.Connection(str(path)), erasing._pages_with_residue

    def change_meanwhile(file, size):
        pages = list(looked(file, size))
        with others:
            others.execute("UPDATE t SET kind = kind WHERE kind > 25")
            others.execute("UPDATE t SET client = client || 'x' WHERE id % 3 = 0")
        return pages

    monkeypatch.setattr(erasing, "_pages_with_residue", change_meanwhile)
    clear_residue(path, DONE, waiting())
    monkeypatch.undo()
    assert clear_residue(path, DONE, waiting())
    assert left(path) == []
    assert others.execute("PRAGMA integrity_check").get == "ok"
