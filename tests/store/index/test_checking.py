"""A check finds what is wrong with an index, also what no page can show."""

import apsw
import pytest

from archivist.store.index.pages import PAGE_BYTES


@pytest.fixture
def filled(store):
    store.add(*(f"message {number} 天气{number} getUserName{number} done" for number in range(120)))
    store.catch_up()
    return store


def change(store, sql: str, *bindings: object) -> None:
    """Write to the index as the program itself would."""
    with store.index.reading() as reader:
        reader.close()
        reader._db.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
        reader._db.execute(sql, bindings)


def test_a_right_index_has_no_faults_whatever_happened_to_it(filled):
    assert filled.index.check() == []
    filled.set_state("undone", [5, 6, 7])
    filled.remove([9, 10])
    assert filled.index.check() == []
    filled.catch_up()
    filled.add("behind")
    assert filled.index.check() == []
    filled.catch_up()
    filled.index.merge(10.0)
    assert filled.index.check() == []


def test_a_damaged_page_is_a_fault_and_rebuilding_cures_it(filled):
    """NousResearch/hermes-agent#33865."""
    filled.index.merge(10.0)
    filled.index.close()
    content = bytearray(filled.index_path.read_bytes())
    content[-PAGE_BYTES // 2] ^= 1
    filled.index_path.write_bytes(content)
    assert ["damaged" in fault for fault in filled.index.check()] == [True]
    filled.index.rebuild()
    filled.catch_up()
    assert filled.index.check() == []
    assert len(filled.find("message")) == 120


def test_a_row_that_is_missing_is_a_fault(filled):
    change(filled, "DELETE FROM search WHERE rowid = 50")
    change(filled, "UPDATE meta SET documents = documents - 1")
    assert filled.index.check() == ["the search index lacks 1 message and holds 0 that are not stored"]


def test_a_row_too_many_is_a_fault(filled):
    change(filled, "INSERT INTO search(rowid, text, tags) VALUES (900, 'ghost', '')")
    assert "its mark says" in filled.index.check()[0]
    change(filled, "UPDATE meta SET documents = documents + 1")
    assert filled.index.check() == ["the search index lacks 0 messages and holds 1 that are not stored"]


def test_a_message_under_the_wrong_words_is_a_fault(filled):
    change(filled, "DELETE FROM search WHERE rowid = 50")
    change(filled, "INSERT INTO search(rowid, text, tags) VALUES (50, 'something else', '')")
    (fault,) = filled.index.check()
    assert "words that they do not contain" in fault


def test_a_broken_row_of_the_full_text_tables_is_a_fault(filled):
    change(filled, "UPDATE search_data SET block = x'00000004' WHERE id = (SELECT max(id) FROM search_data)")
    assert filled.index.check()


def test_an_index_of_another_store_is_a_fault(filled):
    filled.db.execute("UPDATE meta SET value = 'second' WHERE key = 'store_id'")
    (fault,) = filled.index.check()
    assert "another store" in fault


def test_a_file_that_is_no_database_is_a_fault(filled):
    filled.index.close()
    filled.index_path.write_bytes(b"hello" * 10_000)
    assert len(filled.index.check()) == 1
    filled.index_path.unlink()
    filled.index_path.mkdir()
    assert len(filled.index.check()) == 1


def test_a_sample_of_a_large_index_finds_what_is_wrong_there(filled, monkeypatch):
    monkeypatch.setattr("archivist.store.index.checking.WHOLE_MESSAGES", 10)
    monkeypatch.setattr("archivist.store.index.checking.SAMPLE_STRETCHES", 3)
    found = filled.index.spot_check()
    assert (found.faults, found.messages) == ([], 96)
    change(filled, "DELETE FROM search WHERE rowid = 118")
    change(filled, "INSERT INTO search(rowid, text, tags) VALUES (118, 'something else', '')")
    assert "words that they do not contain" in filled.index.spot_check().faults[0]
    change(filled, "DELETE FROM search WHERE rowid = 118")
    change(filled, "UPDATE meta SET documents = documents - 1")
    assert filled.index.spot_check().faults == [
        "the search index lacks 1 message and holds 0 that are not stored"
    ]


def test_a_small_index_is_checked_whole(filled):
    assert filled.index.spot_check().messages is None
