"""A page that is not what was written is refused when it is read."""

import apsw
import pytest

from archivist.store.index import pages
from archivist.store.index.pages import PAGE_BYTES, close_proven, open_proven

READ_WRITE = apsw.SQLITE_OPEN_READWRITE
CREATE = READ_WRITE | apsw.SQLITE_OPEN_CREATE


@pytest.fixture(params=["wal", "delete"])
def path(request, tmp_path):
    path = tmp_path / "pages.db"
    db = open_proven(str(path), CREATE)
    db.execute(f"PRAGMA page_size = {PAGE_BYTES}; PRAGMA journal_mode = {request.param}").fetchall()
    with db:
        db.execute("CREATE TABLE numbers(key INTEGER PRIMARY KEY, text TEXT)")
        db.executemany(
            "INSERT INTO numbers(text) VALUES (?)", ((f"text of row {n}" * 30,) for n in range(1000))
        )
    db.close()
    return path


def read_all(path) -> int:
    db = open_proven(str(path), READ_WRITE)
    try:
        return db.execute("SELECT count(*) FROM numbers WHERE length(text) > 0").get
    finally:
        db.close()


def test_what_was_written_is_read(path):
    assert read_all(path) == 1000


@pytest.mark.parametrize("place", [0, 17, 20, 27, 100, 5000])
def test_a_flipped_bit_is_noticed_on_every_page(path, place):
    content = path.read_bytes()
    for page in range(0, len(content) // PAGE_BYTES, 7):
        damaged = bytearray(content)
        damaged[page * PAGE_BYTES + place] ^= 4
        path.write_bytes(damaged)
        with pytest.raises((apsw.CorruptError, apsw.NotADBError)):
            read_all(path)


def test_a_page_in_the_place_of_another_is_noticed(path):
    content = bytearray(path.read_bytes())
    content[3 * PAGE_BYTES : 4 * PAGE_BYTES], content[4 * PAGE_BYTES : 5 * PAGE_BYTES] = (
        content[4 * PAGE_BYTES : 5 * PAGE_BYTES],
        content[3 * PAGE_BYTES : 4 * PAGE_BYTES],
    )
    path.write_bytes(content)
    with pytest.raises(apsw.CorruptError):
        read_all(path)


@pytest.mark.parametrize("kept", [100, 4096, PAGE_BYTES - 1, PAGE_BYTES, 3 * PAGE_BYTES, 3 * PAGE_BYTES + 5])
def test_a_file_that_was_cut_short_is_noticed(path, kept):
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises((apsw.CorruptError, apsw.NotADBError)):
        read_all(path)


def test_a_page_that_another_program_wrote_is_noticed(path):
    db = apsw.Connection(str(path))
    db.execute("UPDATE numbers SET text = 'changed' WHERE key = 500")
    db.close()
    with pytest.raises(apsw.CorruptError):
        read_all(path)


def test_a_write_that_was_rolled_back_leaves_pages_that_prove_themselves(path):
    db = open_proven(str(path), READ_WRITE)
    db.execute("PRAGMA cache_size = 5; BEGIN; UPDATE numbers SET text = 'x' || text; ROLLBACK")
    db.close()
    assert read_all(path) == 1000


def test_it_closes_on_a_full_disk_and_loses_nothing(path, monkeypatch):
    db = open_proven(str(path), READ_WRITE)
    db.execute("INSERT INTO numbers(text) VALUES ('last')")

    def full(*_given):
        raise apsw.FullError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(pages._ProvenFile, "xWrite", full)
        told = close_proven(db)
    assert told in {"", "database or disk is full"}  # without a log there is nothing to move
    assert read_all(path) == 1001
