"""One request asks the index at one moment, and what the index does not know is read, counted and named within scope."""

import importlib

import pytest

from archivist.recall.filters import Filters
from archivist.recall.query import read_query
from archivist.recall.scanning import Scanner
from archivist.records import EVERYTHING, Scope
from archivist.store.index.reader import IndexDamaged, IndexReader
from archivist.store.index.search_index import Coverage

ANN, BOB = Scope("ann"), Scope("bob")


@pytest.fixture
def behind(archive, monkeypatch):
    """An archive whose index is never brought up to date."""
    monkeypatch.setattr(archive.index, "catch_up", lambda seconds: Coverage(0, 0, 0, 0, complete=False))
    return archive


QUESTIONS = (
    "lantern",
    '"copper kettle"',
    "lantern -burns",
    "lantern last week",
    "kettle AND burns",
    "nought",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_catches_up_once_and_opens_the_index_once(archive, monkeypatch, question):
    archive.say("the lantern burns", "a copper kettle", session=archive.begin())
    calls = []
    for name in ("catch_up", "reading"):
        real = getattr(archive.index, name)
        monkeypatch.setattr(
            archive.index, name, lambda *given, real=real, name=name: (calls.append(name), real(*given))[1]
        )
    archive.search(question, roles=("user",))
    assert calls == ["catch_up", "reading"]


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_message_is_prepared_once_for_all_that_a_question_asks(behind, monkeypatch, question):
    behind.say("the lantern burns", "a copper kettle", session=behind.begin())
    prepared = []
    real = Scanner._terms_of
    monkeypatch.setattr(
        Scanner,
        "_terms_of",
        lambda self, document: (prepared.append(document.id), real(self, document))[1],
    )
    behind.search(question, roles=("user",))
    assert sorted(prepared) == [1, 2]


@pytest.mark.parametrize(
    "question", [*QUESTIONS, "lantern OR kettle", "copper lant*", "kettle yesterday", "-burns"]
)
def test_a_question_finds_the_same_whether_the_index_knows_the_messages_or_not(
    archive, monkeypatch, question
):
    archive.say("the lantern burns", "a copper kettle", "lantern and copper kettle", "a kettle burns")
    with monkeypatch.context() as patch:
        patch.setattr(archive.index, "catch_up", lambda seconds: Coverage(0, 0, 0, 0, complete=False))
        unknown = archive.search(question, roles=("user",))
    known = archive.search(question, roles=("user",))
    assert {hit.message_id for hit in unknown.hits} == {hit.message_id for hit in known.hits}
    assert unknown.notices == known.notices


def test_what_the_index_does_not_know_yet_stays_in_its_scope(behind):
    (ours,) = behind.say("the lantern burns", session=behind.begin(scope=ANN))
    behind.say("the kettle burns", session=behind.begin(scope=BOB))
    assert behind.find("burns", reader=ANN) == [ours]
    assert behind.search("kettle", reader=ANN).notices == behind.search("nought", reader=ANN).notices


def test_strangers_messages_that_were_not_read_are_not_told_of(behind, monkeypatch):
    behind.say("the lantern burns", session=behind.begin(scope=ANN))
    behind.say(*(f"kettle {number}" for number in range(250)), session=behind.begin(scope=BOB))
    (notice,) = behind.search("kettle", reader=EVERYTHING, seconds=0).notices
    assert notice.text.startswith("151 of the newest messages are not searched yet")
    (notice,) = behind.search("kettle", reader=ANN, seconds=0).notices[-1:]
    assert notice.text.startswith("Some of the newest")
    assert "index-behind" not in behind.codes("kettle", reader=Scope("eve"), seconds=0)


def test_how_much_a_broken_index_leaves_unread_is_told_to_who_may_see_all(archive, monkeypatch):
    archive.say(*(f"kettle {number}" for number in range(120)), session=archive.begin(scope=BOB))

    def damaged(*given):
        raise IndexDamaged("torn page")

    monkeypatch.setattr(IndexReader, "newest", damaged)
    page = archive.search("kettle", seconds=0)
    assert len(page.hits) == 5
    assert page.notices[-1].text.endswith("the newest 100 messages were read instead, 20 were not.")
    told = archive.search("kettle", reader=ANN, seconds=0).notices
    assert not any(character.isdigit() for notice in told for character in notice.text)


def test_a_scan_that_ran_out_of_time_goes_on_where_it_stopped(archive):
    keys = archive.say(*(f"kettle {number}" for number in range(250)))
    query = read_query("kettle")
    scanner = Scanner(archive.store.reader(), keys, query, lambda: True)
    nothing = Filters(roles=frozenset({"tool"}))
    assert (scanner.find(query, nothing).read, list(scanner.left)) == (100, keys[100:])
    assert sorted(scanner.find(query, Filters()).known) == keys[:200]


@pytest.mark.parametrize("place", ["finding", "pages"])
def test_what_goes_while_it_is_found_is_left_out(archive, monkeypatch, place):
    (goes,) = archive.say("the lantern burns", session=archive.begin())
    (stays,) = archive.say("the lantern is lit", session=archive.begin())
    module = importlib.import_module(f"archivist.recall.{place}")
    real = module.read_cards

    def read_cards(db, sessions, *rest, **named):
        """As after a restore to a time when there was only the second session."""
        return {key: card for key, card in real(db, sessions, *rest, **named).items() if key == max(sessions)}

    assert set(archive.find("lantern")) == {goes, stays}
    monkeypatch.setattr(module, "read_cards", read_cards)
    assert archive.find("lantern") == [stays]


@pytest.mark.parametrize("text", ['"数据库连接池"', '"数据库" AND 连接池', '"数据库连接" -超时'])
def test_a_long_row_of_chinese_is_found_where_texts_are_read_one_by_one(archive, text):
    keys = archive.say("我们的数据库连接池上限是20", "数据在库里，连接慢")
    query = read_query(text)
    scanner = Scanner(archive.store.reader(), keys, query, lambda: False)
    assert list(scanner.find(query, Filters()).known) == keys[:1]
