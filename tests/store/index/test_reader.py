"""A reader gives ids in order, spread if wanted, and says what it cannot answer for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.store.index.reader import IndexReader, _joined
from archivist.store.index.words import phrase, split_words

PORT = f"text : {phrase('port')}"


@pytest.fixture
def filled(store):
    store.add(*("the port" if number % 3 == 0 else "no match" for number in range(300)))
    store.catch_up()
    return store


MATCHING = [1 + number for number in range(0, 300, 3)]


def test_newest_and_oldest_give_ids_in_order(filled):
    with filled.index.reading() as reader:
        assert reader.newest(PORT, 5) == MATCHING[:-6:-1]
        assert reader.newest(PORT, 5, below=100) == [97, 94, 91, 88, 85]
        assert reader.oldest(PORT, 3) == [1, 4, 7]
        assert reader.newest(PORT, 0) == []


def test_spread_takes_from_every_part(filled):
    with filled.index.reading() as reader:
        found = reader.spread(PORT, 20, 4)
        assert len(found) == 20
        assert found == sorted(found, reverse=True)
        assert [sum(low < key <= low + 75 for key in found) for low in (0, 75, 150, 225)] == [5, 5, 5, 5]
        assert reader.spread("text : absent", 20, 4) == []
        assert set(reader.spread(PORT, 1000, 7)) == set(MATCHING)


def test_a_reader_knows_how_many_and_how_long_the_messages_are(filled):
    with filled.index.reading() as reader:
        assert reader.documents == 300
        assert reader.average_words == 2.0


def test_the_average_counts_words_as_they_are_split(store):
    texts = ["getUserName called port8443", "天气很好 今天", "plain words only here", "更新fooapi接口"]
    store.add(*texts)
    store.catch_up()
    with store.index.reading() as reader:
        assert reader.average_words == sum(len(split_words(text)) for text in texts) / len(texts)


def test_without_an_index_everything_is_the_tail(store):
    store.add(*(f"message {number}" for number in range(30)))
    with store.index.reading() as reader:
        assert reader.newest(PORT, 5) == []
        assert reader.oldest(PORT, 5) == []
        assert reader.spread(PORT, 5, 2) == []
        assert (reader.documents, reader.average_words, reader.is_complete) == (0, 0.0, False)
        tail = reader.tail(10)
        assert tail.ids == tuple(range(30, 20, -1))
        assert tail.more == 20
        assert reader.tail(100) == store.index.tail(100)
        assert reader.tail(100).more == 0


def test_the_tail_is_what_was_said_or_changed_since(filled):
    filled.add("a new port")
    filled.set_state("undone", [10, 11, 12])
    filled.set_state("undone", [200])
    filled.remove([20, 21])
    with filled.index.reading() as reader:
        tail = reader.tail(100)
        assert tail.ids == (301, 200, 12, 11, 10)
        assert tail.more == 0
        assert reader.tail(2).ids == (301, 200)
        assert reader.tail(2).more >= 3
        assert set(MATCHING) - set(reader.newest(PORT, 1000)) == {10}
        assert reader.waiting == 7


def test_messages_said_while_a_reader_is_open_are_in_its_tail(filled):
    with filled.index.reading() as reader:
        filled.add("a new port")
        filled.index._own.__dict__.clear()
        filled.catch_up()
        assert reader.newest(PORT, 1) == [298]
        assert reader.tail(10).ids == (301,)


RANGES = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 9)).map(lambda pair: (pair[0], pair[0] + pair[1]))
)


@given(RANGES)
def test_overlapping_ranges_become_one(ranges):
    members = {key for first, last in ranges for key in range(first, last + 1)}
    joined = _joined(ranges)
    assert [key for first, last in joined for key in range(first, last + 1)] == sorted(members)
    reader = IndexReader.__new__(IndexReader)
    reader._touched = joined
    assert {key for key in range(-1, 80) if reader._is_touched(key)} == members
