"""Several processes index, write and die at once, and the index is right in the end."""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from archivist.store.index.reader import IndexDamaged
from archivist.store.index.tags import visible

SCRIPT = Path(__file__).with_name("process.py")


@pytest.fixture
def start() -> Iterator:
    """Starts a process of the script and waits until it has begun; none outlives the test."""
    running: list[subprocess.Popen[str]] = []

    def start_one(store, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(SCRIPT), str(store.folder), *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        running.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        return process

    yield start_one
    for process in running:
        process.kill()
        process.wait()
        process.stdout.close()


def active_ids(store) -> set[int]:
    return {key for (key,) in store.db.execute("SELECT id FROM messages WHERE state = 'active'")}


def expect_right(store) -> None:
    store.catch_up()
    assert store.find("message", 100_000) == sorted(active_ids(store), reverse=True)
    assert store.index.check() == []


def test_an_indexer_killed_at_any_instant_leaves_a_mark_that_is_true(store, start):
    chance = random.Random(3)
    store.add(*(f"message {number} 天气{number} and some more words" for number in range(4000)))
    ends = []
    for _ in range(10):
        process = start(store, "index")
        time.sleep(chance.uniform(0, 0.06))
        process.kill()
        ends.append(process.wait())
        with store.index.reading() as reader:
            rows = (
                []
                if not reader.documents
                else reader._db.execute("SELECT id FROM search_docsize ORDER BY id").fetchall()
            )
            assert [key for (key,) in rows] == list(range(1, reader.mark.through + 1))
            assert reader.documents == reader.mark.through
            assert len(reader.newest("text : message", 10_000)) == reader.documents
    assert ends.count(-9) >= 5
    expect_right(store)


def test_several_processes_that_index_at_once_all_end_well(store, start):
    store.add(*(f"message {number}" for number in range(1500)))
    processes = [start(store, "index") for _ in range(3)]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    with store.index.reading() as reader:
        assert reader.documents == 1500
    expect_right(store)


def test_an_index_that_is_destroyed_again_and_again_while_four_processes_write_is_right_in_the_end(
    store, start
):
    chance = random.Random(4)
    writers = [start(store, "write", "150") for _ in range(4)]
    indexers = [start(store, "index")]
    while any(writer.poll() is None for writer in writers):
        destroy(store.index_path, chance)
        before = active_ids(store)
        try:
            with store.index.reading() as reader:
                covered = {*reader.newest(visible("text : message"), 100_000), *reader.tail(100_000).ids}
        except IndexDamaged:
            covered = before
        assert before & active_ids(store) <= covered
        time.sleep(0.02)
        indexers.append(start(store, "index"))
    assert [writer.wait() for writer in writers] == [0] * 4
    assert {process.wait(60) for process in indexers} == {0}
    assert store.db.execute("SELECT count(*) FROM messages").get == 600
    while not store.index.catch_up().complete:
        time.sleep(0.01)
    if store.index.check():
        store.index.rebuild()
    expect_right(store)


def destroy(path: Path, chance: random.Random) -> None:
    """What may happen to a file while processes have it open."""
    try:
        content = bytearray(path.read_bytes())
    except FileNotFoundError:
        return
    way = chance.randrange(3)
    if way == 0:
        path.unlink(missing_ok=True)
    elif way == 1 and content:
        with path.open("r+b") as file:
            file.seek(chance.randrange(len(content)))
            file.write(b"\xff")
    else:
        replacement = path.with_name("replacement")
        replacement.write_bytes(content[: chance.randrange(len(content) + 1)])
        replacement.replace(path)
