"""However `index.db` is damaged, a search gets the right answer or is told; nothing wrong passes for right."""

import random
import shutil
from collections.abc import Iterable
from pathlib import Path

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archivist.store.index import search_index
from archivist.store.index.opening import leased
from archivist.store.index.pages import PAGE_BYTES
from archivist.store.index.reader import IndexDamaged
from archivist.store.index.tags import visible
from archivist.store.index.words import phrase

WORDS = [
    f"{first}{second}"
    for first in ("red", "blue", "green", "old")
    for second in ("house", "port", "tree", "line", "book")
] + ["天气", "更新", "getUserName", "deploying"]
MESSAGES = 200
UNDONE = range(11, 31)
FILES = ("index.db", "index.db-wal")


class Made:
    """A folder with a store, its texts, and the ids that each word should find."""

    def __init__(self, folder: Path, texts: list[str]) -> None:
        self.folder = folder
        self.words = [text.split() for text in texts]
        self.right = {word: self.matching(word, range(MESSAGES, 0, -1)) for word in WORDS}

    def matching(self, word: str, ids: Iterable[int]) -> list[int]:
        return [key for key in ids if word in self.words[key - 1] and key not in UNDONE]


@pytest.fixture(scope="module")
def made(tmp_path_factory, request):
    """A folder with a store, its index as it was closed, and its index as a killed process left it."""
    folder = tmp_path_factory.mktemp("made")
    store_type = request.getfixturevalue("store_type")
    store = store_type(folder)
    chance = random.Random(5)
    texts = [" ".join(chance.choices(WORDS, k=chance.randint(3, 40))) for _ in range(MESSAGES)]
    for start in range(0, MESSAGES, 25):
        store.add(*texts[start : start + 25])
        store.catch_up()
    store.set_state("undone", UNDONE)
    store.catch_up()
    (folder / "killed").mkdir()
    for name in FILES:
        shutil.copy(folder / name, folder / "killed" / name)
    store.index.close()
    store.db.close()
    (folder / "closed").mkdir()
    shutil.copy(folder / "index.db", folder / "closed" / "index.db")
    return Made(folder, texts)


def answers(store, made: Made) -> tuple[dict[str, list[int]], bool]:
    """What a search that scans the tail itself would find, and whether it was told of damage."""
    told, found = bool(store.index.catch_up(0.0).notices), {}
    for word in WORDS:
        try:
            with store.index.reading() as reader:
                scanned = reader.tail(1000).ids
                indexed = reader.newest(visible(f"text : {phrase(word)}"), 1000)
        except IndexDamaged:
            told, scanned, indexed = True, range(1, MESSAGES + 1), []
        found[word] = sorted({*indexed, *made.matching(word, scanned)}, reverse=True)
    return found, told


def put(folder: Path, made_folder: Path, kind: str, damage) -> None:
    for name in ("index.db", "index.db-wal", "index.db-shm"):
        (folder / name).unlink(missing_ok=True)
    for name in FILES:
        source = made_folder / kind / name
        if source.exists():
            (folder / name).write_bytes(damage(name, source.read_bytes()))


def judge(open_store, made: Made, kind: str, damage) -> bool:
    """Right answers before and after; whether damage was told of, by a search or at least by a check."""
    store = open_store()
    if not store.db.execute("SELECT count(*) FROM messages").get:
        store.index.close()
        store.db.close()
        shutil.copy(made.folder / "state.db", store.state_path)
        store = open_store()
    put(store.folder, made.folder, kind, damage)
    found, told = answers(store, made)
    assert found == made.right
    told |= bool(store.catch_up())
    if store.index.check():  # in a page that no search has touched
        told = True
        store.index.rebuild()
        store.catch_up()
    assert {word: store.find(word) for word in WORDS} == made.right
    assert store.index.check() == []
    store.index.close()
    store.db.close()
    return told


@pytest.mark.parametrize("kind", ["closed", "killed"])
def test_an_index_that_is_whole_answers_and_tells_of_nothing(open_store, made, kind):
    assert not judge(open_store, made, kind, lambda _, content: content)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["closed", "killed"]),
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 7)), min_size=1, max_size=6),
)
def test_flipped_bits_never_change_an_answer(open_store, made, kind, flips):
    def flip(_name: str, content: bytes) -> bytes:
        damaged = bytearray(content)
        for place, bit in flips:
            damaged[int(place * len(damaged))] ^= 1 << bit
        return bytes(damaged)

    judge(open_store, made, kind, flip)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["closed", "killed"]), st.sampled_from(FILES), st.floats(0, 1))
def test_a_file_cut_short_anywhere_never_changes_an_answer(open_store, made, kind, which, place):
    judge(
        open_store,
        made,
        kind,
        lambda name, content: content[: int(place * len(content))] if name == which else content,
    )


def test_every_page_of_the_file_is_proven(open_store, made):
    pages = (made.folder / "closed" / "index.db").stat().st_size // PAGE_BYTES
    for page in range(pages):

        def flip(_name: str, content: bytes, page: int = page) -> bytes:
            damaged = bytearray(content)
            damaged[page * PAGE_BYTES + 4000] ^= 16
            return bytes(damaged)

        assert judge(open_store, made, "closed", flip), page


NO_INDEX = {
    "empty": b"",
    "a beginning": b"SQLite format 3\x00",
    "a letter": b"not a database at all\n" * 1000,
    "zeros": bytes(PAGE_BYTES * 4),
}


@pytest.mark.parametrize("what", NO_INDEX)
def test_what_is_no_index_is_replaced(open_store, made, what):
    assert judge(open_store, made, "closed", lambda _name, _content: NO_INDEX[what])


def test_another_database_in_the_place_of_the_index_is_replaced(store):
    store.add("some words")
    db = apsw.Connection(str(store.index_path))
    db.execute("CREATE TABLE notes(text); INSERT INTO notes VALUES ('mine')")
    db.close()
    assert store.catch_up() == ("index-begun-again",)
    assert store.find("words") == [1]


def test_a_folder_in_the_place_of_the_index_is_moved_aside(store):
    store.add("some words")
    store.index_path.mkdir()
    (store.index_path / "letter").write_text("keep me")
    assert store.find("words") == []
    assert store.catch_up() == ("index-begun-again",)
    assert store.find("words") == [1]
    assert [path.read_text() for path in store.folder.glob("index.db-aside-*/letter")] == ["keep me"]


def test_damage_found_while_another_process_indexes_is_told_and_left_to_it(store):
    store.add("some words")
    store.catch_up()
    store.index.close()
    store.index_path.write_bytes(b"x" * 40_000)
    with leased(store.index_path):
        assert store.find("words") == []
        assert store.index.tail(5).ids == (1,)
        assert {notice.code for notice in store.index.catch_up(1.0).notices} == {"index-unfit"}
        assert store.index_path.read_bytes() == b"x" * 40_000
    assert store.catch_up() == ("index-begun-again",)
    assert store.find("words") == [1]


def test_an_index_that_breaks_while_it_is_written_is_begun_again(store, monkeypatch):
    monkeypatch.setattr(search_index, "SHORT_BATCH_MESSAGES", 10)
    store.add(*(f"message {number}" for number in range(30)))
    store.index.catch_up(0.0)
    store.index.close()
    content = bytearray(store.index_path.read_bytes())
    for page in range(2, len(content) // PAGE_BYTES):
        content[page * PAGE_BYTES + 100] ^= 1
    store.index_path.write_bytes(content)
    assert store.catch_up() == ("index-begun-again",)
    assert len(store.find("message")) == 30


def test_damage_to_the_index_never_stops_a_message(store):
    """NousResearch/hermes-agent#97794."""
    store.add("some words")
    store.catch_up()
    store.index_path.write_bytes(b"")
    (key,) = store.add("stored all the same")
    assert store.db.execute("SELECT text FROM messages WHERE id = ?", (key,)).get == "stored all the same"
    store.catch_up()
    assert store.find("stored") == [key]
