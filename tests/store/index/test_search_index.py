"""The index follows the store, is replaced when it cannot be right, and never answers with what is no longer so."""

import shutil
from datetime import UTC, datetime

import apsw
import pytest

from archivist.store.index import indexer, search_index, tags
from archivist.store.index.opening import leased
from archivist.store.index.words import phrase


def codes(coverage) -> list[str]:
    return [notice.code for notice in coverage.notices]


def test_what_was_said_is_found_after_catching_up(store):
    first, second = store.add("We moved staging to port 8443", "nothing here")
    assert store.find("staging") == []
    store.catch_up()
    assert store.find("moved staging") == [first]
    assert store.find("here") == [second]
    assert store.index.check() == []


def test_a_store_without_messages_is_complete_at_once_and_leaves_no_file(store):
    coverage = store.index.catch_up(0.0)
    assert coverage.complete
    assert not store.index_path.exists()
    assert store.index.check() == []


def test_work_is_found_like_speech(store):
    (key,) = store.add(
        "",
        role="assistant",
        calls='[{"id": "1", "name": "run_shell", "arguments": "{\\"cmd\\": \\"make deploy\\"}"}]',
    )
    store.catch_up()
    assert store.find("make deploy") == [key]
    assert store.find("run_shell") == [key]


def test_filters_are_terms_of_the_index(store):
    (old,) = store.add("deploy", at=1_600_000_000_000)
    (guest,) = store.add("deploy", session=2)
    (tool,) = store.add("deploy", role="tool")
    store.catch_up()
    word = f"text : {phrase('deploy')}"
    since = int(datetime(2025, 1, 1, tzinfo=UTC).timestamp() * 1000)
    with store.index.reading() as reader:
        assert reader.newest(tags.all_of(word, tags.days(since, None)), 9) == [tool, guest]
        assert reader.newest(tags.all_of(word, tags.scopes([2])), 9) == [guest]
        assert reader.newest(tags.all_of(word, tags.sources(["claude-code"])), 9) == [guest]
        assert reader.newest(tags.all_of(word, tags.roles(["tool"]), tags.conversation(1)), 9) == [tool]
        assert reader.newest(tags.all_of(word, tags.days(None, since)), 9) == [old]


def test_an_undone_message_is_hidden_at_once_and_told_from_a_shown_one_later(store):
    kept, undone = store.add("keep the port", "change the port")
    store.catch_up()
    store.set_state("undone", [undone])
    assert store.find("port") == [kept]
    with store.index.reading() as reader:
        assert reader.newest(f"text : {phrase('port')}", 9) == [kept]
        assert reader.tail(9).ids == (undone,)
        assert not reader.is_complete
    store.catch_up()
    assert store.find("port") == [kept]
    with store.index.reading() as reader:
        assert reader.newest(f"text : {phrase('port')}", 9) == [undone, kept]
        assert reader.tail(9).ids == ()
    store.set_state("active", [undone])
    store.catch_up()
    assert store.find("port") == [undone, kept]
    assert store.index.check() == []


def test_a_removed_message_is_gone_at_once(store):
    ids = store.add("secret plan", "secret table", "open plan")
    store.catch_up()
    store.remove(ids[:2])
    assert store.find("secret") == []
    assert store.find("plan") == [ids[2]]
    coverage = store.index.catch_up()
    assert (coverage.documents_done, coverage.complete) == (1, True)
    assert store.find("secret") == []
    assert store.index.check() == []


def test_the_newest_message_may_be_removed(store):
    ids = store.add("one", "two")
    store.catch_up()
    store.remove(ids[1:])
    store.catch_up()
    assert store.find("one") == ids[:1]
    assert store.add("three") == [3]
    store.catch_up()
    assert store.find("three") == [3]


def test_a_message_that_was_compacted_keeps_its_row(store, monkeypatch):
    ids = store.add(*(f"message {number} of many" for number in range(20)))
    store.catch_up()
    store.set_state("compacted", ids)
    monkeypatch.setattr(indexer, "words_and_extras", pytest.fail)
    store.catch_up()
    assert store.find("message") == ids[::-1]


def test_a_change_of_many_messages_is_followed_in_steps(store, monkeypatch):
    monkeypatch.setattr(indexer, "_CHUNK_IDS", 7)
    ids = store.add(*(f"message {number}" for number in range(50)))
    store.catch_up()
    store.set_state("undone", ids[3:40])
    store.set_state("active", ids[10:12])
    shown = [*ids[:3], *ids[10:12], *ids[40:]]
    steps = 0
    while not store.index.catch_up(0.0).complete:
        steps += 1
        found = store.find("message")
        assert set(found) <= set(shown)
        with store.index.reading() as reader:
            assert set(found) | set(reader.tail(100).ids) >= set(shown)
    assert steps >= 37 // 7
    assert store.find("message") == shown[::-1]
    assert store.index.check() == []


def test_changes_before_a_message_is_indexed_cost_nothing_and_change_nothing(store):
    ids = store.add("alpha", "beta", "gamma")
    store.set_state("undone", ids[:1])
    store.remove(ids[1:2])
    coverage = store.index.catch_up()
    assert coverage.documents_done == 2
    assert store.find("alpha") == []
    assert store.find("gamma") == ids[2:]
    assert store.index.check() == []


def test_late_work_stops_and_goes_on_where_it_was(store, monkeypatch):
    monkeypatch.setattr(search_index, "SHORT_BATCH_MESSAGES", 40)
    ids = store.add(*(f"message {number}" for number in range(300)))
    coverages = [store.index.catch_up(0.0)]
    while not coverages[-1].complete:
        coverages.append(store.index.catch_up(0.0))
    done = [coverage.documents_done for coverage in coverages]
    assert done == sorted(set(done))
    assert len(done) > 5
    assert [coverage.documents_waiting for coverage in coverages] == [300 - number for number in done]
    assert store.find("message") == ids[::-1]


def test_a_batch_ends_after_much_text_too(store, monkeypatch):
    monkeypatch.setattr(indexer, "BATCH_CHARS", 1000)
    ids = store.add(*("long " * 150 for _ in range(9)))
    assert store.index.catch_up(0.0).documents_done < 9
    store.catch_up()
    assert store.find("long") == ids[::-1]


@pytest.mark.parametrize("broken", ["[{", '[{"id": "1"}]', "[1]", '{"a": 1}'])
def test_a_message_that_cannot_be_decoded_is_named_and_holds_up_no_other(store, broken):
    ids = store.add("first", "second", "third")
    store.db.execute("UPDATE messages SET tool_calls = ? WHERE id IN (?, ?)", (broken, ids[1], ids[2]))
    store.add("fourth")
    coverage = store.index.catch_up()
    assert coverage.complete
    assert codes(coverage) == ["message-unread", "message-unread"]
    assert store.find("first") == [1]
    assert store.find("fourth") == [4]
    assert store.index.check() == []


def test_a_store_of_another_id_gets_an_index_of_its_own(store):
    store.add("from the first life")
    store.catch_up()
    store.db.execute("UPDATE meta SET value = 'second' WHERE key = 'store_id'")
    assert store.find("life") == []
    assert "index-begun-again" in store.catch_up()
    assert store.find("life") == [1]


def test_a_store_that_was_replaced_by_an_older_copy_gets_an_index_of_its_own(store, open_store, tmp_path):
    store.add("kept")
    store.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    shutil.copy(store.state_path, tmp_path / "backup")
    store.add("lost")
    store.catch_up()
    store.db.close()
    for name in ("state.db-wal", "state.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / "backup").replace(store.state_path)
    assert store.find("lost") == []
    again = open_store()
    again.catch_up()
    assert again.find("lost") == []
    assert again.find("kept") == [1]


@pytest.mark.parametrize("column", ["schema", "words_version"])
@pytest.mark.parametrize("difference", [-1, 1])
def test_an_index_of_another_version_is_made_again(store, column, difference):
    store.add("some words")
    store.catch_up()
    with store.index.reading() as reader:
        reader.close()
        reader._db.execute(f"UPDATE meta SET {column} = {column} + ?", (difference,))
    assert store.find("words") == []
    assert store.index.tail(5).ids == (1,)
    assert store.catch_up() == ("index-begun-again",)
    assert store.find("words") == [1]


@pytest.mark.parametrize("mark", ["seq = 1000", "through = 1000"])
def test_an_index_that_is_ahead_of_the_store_is_made_again(store, mark):
    store.add("some words")
    store.catch_up()
    with store.index.reading() as reader:
        reader.close()
        reader._db.execute(f"UPDATE meta SET {mark}")
    assert store.catch_up() == ("history-went-back", "index-begun-again")
    assert store.find("words") == [1]


@pytest.mark.parametrize("table", ["search", "meta", "search_data"])
def test_an_index_without_a_table_is_made_again(store, table):
    """NousResearch/hermes-agent#97794."""
    store.add("some words")
    store.catch_up()
    with store.index.reading() as reader:
        reader.close()
        reader._db.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
        reader._db.execute(f"DROP TABLE {table}")
    store.add("more words")
    assert "index-begun-again" in store.catch_up()
    assert store.find("words") == [2, 1]


def test_a_deleted_index_is_made_again_without_a_word(store):
    store.add("some words")
    store.catch_up()
    for name in ("index.db", "index.db-wal", "index.db-shm"):
        (store.folder / name).unlink(missing_ok=True)
    assert store.find("words") == []
    assert store.catch_up() == ()
    assert store.find("words") == [1]


def test_rebuilding_empties_the_index_and_says_so(store):
    store.add("some words")
    store.catch_up()
    store.index.rebuild()
    assert store.find("words") == []
    assert store.catch_up() == ("index-begun-again",)
    assert store.find("words") == [1]


def test_another_process_may_replace_the_file_under_an_open_one(open_store):
    mine, theirs = open_store(), open_store()
    mine.add("some words")
    mine.catch_up()
    assert theirs.find("words") == [1]
    mine.index.rebuild()
    assert theirs.find("words") == []
    theirs.catch_up()
    assert mine.find("words") == [1]
    assert mine.index.check() == []


def test_closing_an_index_that_was_replaced_leaves_the_new_one_alone(open_store):
    mine, theirs, third = open_store(), open_store(), open_store()
    mine.add("some words")
    mine.catch_up()
    assert theirs.find("words") == [1]
    mine.index.rebuild()
    mine.add("more words")
    mine.catch_up()
    theirs.index.close()
    assert mine.find("words") == [2, 1]
    assert third.find("words") == [2, 1]
    assert third.index.check() == []


def test_only_one_works_at_a_time_and_the_other_returns_at_once(open_store):
    mine, theirs = open_store(), open_store()
    mine.add("some words")
    with leased(mine.index_path):
        coverage = theirs.index.catch_up(5.0)
        assert (coverage.complete, coverage.documents_done, coverage.documents_waiting) == (False, 0, 1)
        assert codes(coverage) == []
        assert theirs.index.merge(1.0) is False
    assert theirs.catch_up() == ()


def test_writers_of_the_store_never_wait_for_the_index(store):
    store.add("some words")
    store.db.set_busy_timeout(0)
    store.catch_up()
    with store.index.reading() as reader:
        store.add("written while someone reads")
        assert reader.newest(f"text : {phrase('words')}", 5) == [1]
    with leased(store.index_path):
        store.add("written while someone indexes")


def test_a_folder_that_cannot_be_written_costs_a_notice_only(store, monkeypatch):
    store.add("some words")

    def refuse(*_):
        raise PermissionError("read-only file system")

    monkeypatch.setattr("archivist.store.index.opening.begin_again", refuse)
    coverage = store.index.catch_up()
    assert codes(coverage) == ["index-not-written"]
    assert not coverage.complete
    assert store.find("words") == []
    assert store.index.tail(5).ids == (1,)


def test_a_store_that_cannot_be_read_is_the_stores_error_and_leaves_the_index(store, monkeypatch):
    store.add("some words")
    store.catch_up()
    before = store.index_path.stat().st_ino

    def fail(*_):
        raise apsw.CorruptError("a page of state.db")

    monkeypatch.setattr(indexer, "read_document_range", fail)
    for change in (lambda: store.add("more words"), lambda: store.set_state("undone", [1])):
        change()
        with pytest.raises(apsw.CorruptError, match=r"state\.db"):
            store.index.catch_up()
    assert store.index_path.stat().st_ino == before
    assert store.index.tail(5).ids == (2, 1)


def test_a_damaged_store_is_never_taken_for_a_damaged_index(store, monkeypatch):
    store.add("some words")
    store.catch_up()
    before = store.index_path.stat().st_ino

    def fail(*_):
        raise apsw.CorruptError("a page of state.db")

    monkeypatch.setattr(search_index, "read_newest", fail)
    for ask in (store.index.catch_up, store.index.tail):
        with pytest.raises(apsw.CorruptError, match=r"state\.db"):
            ask(1)
    monkeypatch.undo()
    monkeypatch.setattr("archivist.store.index.checking.readable_documents", fail)
    with pytest.raises(apsw.CorruptError, match=r"state\.db"):
        store.index.check()
    assert store.find("words") == [1]
    assert store.index_path.stat().st_ino == before


def test_an_outdated_index_is_left_alone_while_another_process_indexes(store):
    store.add("some words")
    store.catch_up()
    store.db.execute("UPDATE meta SET value = 'second' WHERE key = 'store_id'")
    with leased(store.index_path):
        for _ in range(2):
            assert store.find("words") == []
            assert store.index.tail(5).ids == (1,)
    assert set(store.catch_up()) == {"index-unfit", "index-begun-again"}
    assert store.find("words") == [1]


def test_a_disk_that_is_full_costs_a_notice_and_the_index_goes_on_later(store, monkeypatch):
    store.add("some words")
    store.catch_up()
    store.add("more words")

    def fail(*_):
        raise apsw.FullError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(indexer, "write_mark", fail)
        coverage = store.index.catch_up()
    assert codes(coverage) == ["index-not-written"]
    assert store.find("words") == [1]
    assert store.index.tail(5).ids == (2,)
    assert store.catch_up() == ()
    assert store.find("words") == [2, 1]
    assert store.index.check() == []


def test_a_quiet_minute_leaves_one_file_without_free_pages(store):
    for start in range(0, 1000, 50):
        store.add(
            *(f"message {number} word{number % 7} 天气{number % 9}好" for number in range(start, start + 50))
        )
        store.catch_up()
    assert store.index.merge(30.0)
    assert not (store.folder / "index.db-wal").stat().st_size
    with store.index.reading() as reader:
        assert reader._db.pragma("freelist_count") == 0
    assert len(store.find("word3")) == len(range(3, 1000, 7))
    assert store.index.check() == []


def test_the_index_of_tool_output_is_no_larger_than_the_text(store):
    """NousResearch/hermes-agent#22478, #43690."""
    rows = [
        "{"
        + ", ".join(
            f'"field{n}": {{"path": "src/mod{n}/file{row}.py", "size": {n * row}}}' for n in range(150)
        )
        + "}"
        for row in range(300)
    ]
    store.add(*rows, role="tool")
    store.catch_up()
    store.index.merge(30.0)
    assert store.index_path.stat().st_size <= sum(map(len, rows))


def test_threads_read_and_index_at_once(store, run_threads):
    store.add(*(f"message {number}" for number in range(500)))

    def work() -> int:
        store.index.catch_up()
        while not store.index.catch_up(1.0).complete:
            pass
        return len(store.find("message"))

    assert run_threads(work, 6) == [500] * 6
    assert store.index.check() == []


def test_an_index_that_cannot_be_opened_now_is_opened_later(store, monkeypatch):
    store.add("some words")
    store.catch_up()
    before = store.index_path.stat().st_ino

    def fail(*_):
        raise apsw.CantOpenError("too many open files")

    with monkeypatch.context() as patch:
        patch.setattr(search_index, "read_mark", fail)
        assert store.find("words") == []
        assert store.index.tail(5).ids == (1,)
    assert store.find("words") == [1]
    assert store.catch_up() == ("index-not-read",)
    assert store.index_path.stat().st_ino == before
