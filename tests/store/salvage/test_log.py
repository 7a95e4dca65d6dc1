"""The log read by hand: what SQLite would read of it, and what stands behind a broken frame."""

import shutil

import apsw
import pytest
from tests.damage import flip_byte

from archivist.store.salvage.log import frames_of_log, is_read_to_its_end, pages_not_folded_in, read_log

PAGE, HEAD, FRAME = 4096, 32, 24 + 4096


@pytest.fixture
def killed(tmp_path):
    """A database and its log as a killed process leaves them; ten commits."""
    db = apsw.Connection(str(tmp_path / "live.db"))
    db.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(a)").fetchall()
    for number in range(10):
        db.execute("INSERT INTO t VALUES(?)", (f"{number} " + "x" * 3000,))
    for suffix in ("", "-wal", "-shm"):
        shutil.copy(tmp_path / f"live.db{suffix}", tmp_path / f"x.db{suffix}")
    db.close()
    return tmp_path / "x.db"


def frames(path):
    db = apsw.Connection(str(path))
    db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    db.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    read = db.execute("PRAGMA wal_checkpoint(NOOP)").fetchall()[0][1]
    db.close()
    return read


def wal(path):
    return path.with_name("x.db-wal")


def test_a_whole_log_is_read_as_sqlite_reads_it(killed):
    log = read_log(wal(killed))
    assert (log.broken, log.is_cut, log.is_torn) == (0, False, False)
    assert is_read_to_its_end(wal(killed), frames(killed))
    assert frames_of_log(wal(killed)) == frames(killed)


@pytest.mark.parametrize("place", [24 + 1000, 3, 10, 20], ids=["page", "number", "salt", "sum"])
def test_what_stands_behind_a_broken_frame_is_proven_and_told(killed, place):
    flip_byte(wal(killed), HEAD + 4 * FRAME + place)
    log = read_log(wal(killed))
    assert log.is_cut
    assert 1 <= log.broken <= 2  # whoever breaks a sum breaks what begins with it
    assert not is_read_to_its_end(wal(killed), frames(killed))


@pytest.mark.parametrize("place", range(0, 32, 3))
def test_a_broken_head_costs_one_frame_at_most(killed, place):
    whole = read_log(wal(killed))
    flip_byte(wal(killed), place)
    log = read_log(wal(killed), PAGE)
    assert log.broken <= 1
    assert len(log.places) >= len(whole.places) - 1
    assert not is_read_to_its_end(wal(killed), frames(killed))


def test_a_broken_last_frame_is_a_torn_log(killed):
    flip_byte(wal(killed), wal(killed).stat().st_size - 9)
    log = read_log(wal(killed))
    assert log.is_torn
    assert not log.is_cut


def test_frames_of_an_earlier_log_are_not_read(killed):
    db = apsw.Connection(str(killed))
    db.execute("PRAGMA wal_checkpoint").fetchall()
    db.execute("INSERT INTO t VALUES('after')")  # begins the log again, over the first frames of the old one
    shutil.copy(wal(killed), killed.with_name("copy"))
    read = db.execute("PRAGMA wal_checkpoint(NOOP)").fetchall()[0][1]
    db.close()
    log = read_log(killed.with_name("copy"))
    assert len(log.places) == read
    assert log.broken == 0
    assert is_read_to_its_end(killed.with_name("copy"), read)


def test_the_shared_memory_tells_how_much_a_log_should_have(killed):
    shared = killed.with_name("x.db-shm")
    assert pages_not_folded_in(shared) == frames_of_log(wal(killed))
    wal(killed).write_bytes(wal(killed).read_bytes()[: HEAD + 2 * FRAME])
    assert frames_of_log(wal(killed)) == 2
    shared.write_bytes(b"\xff" * 200)
    assert pages_not_folded_in(shared) == 0
    shared.unlink()
    assert pages_not_folded_in(shared) == 0


def test_no_bytes_can_make_the_reader_fail(tmp_path):
    for raw in (b"", b"x" * 31, b"\0" * 5000, b"\x37\x7f\x06\x82" + b"\xff" * 9000):
        (tmp_path / "w").write_bytes(raw)
        assert read_log(tmp_path / "w").places == {}
        is_read_to_its_end(tmp_path / "w", 0)
