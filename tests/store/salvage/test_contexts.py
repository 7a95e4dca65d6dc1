"""What models were sent survives damage where the rows do, and comes back from a backup where they do not."""

import shutil

import apsw
import pytest
from tests.damage import pages_of, spoil
from tests.store.lines import compact, texts
from tests.store.test_compacting import sent
from tests.store.test_undoing import say

from archivist.records import Message, Part, SessionStart, ToolCall
from archivist.store import StateStore
from archivist.store.compacting import Compaction, Sent
from archivist.store.compactions import Compactions


def seen(store, session):
    return [(one.text, one.parts, one.tool_calls, one.state) for one in store.context(session)]


@pytest.fixture
def lived(open_store, tmp_path):
    """The file of a closed store, what its model saw, and the sessions of its one line: compacted three times, the last by shortening."""
    store = open_store()
    session = store.start(SessionStart("cli"))
    say(store, session, *(f"u{number} " + "x" * 300 for number in range(30)))
    line = [session, compact(store, session, keep=6, head=1)]
    store.append(session, [Message.assistant("called", tool_calls=[ToolCall("c", "t", '{"a":"long"}')])])
    line.append(compact(store, session, keep=4))
    compactions = Compactions(store, store._world)
    tip, messages = compactions.context(session)
    ids = tuple(one.id for one in messages)
    cut = (ToolCall("c", "t", '{"a":"l…"}'),)
    tail = (*sent(*ids[:-2]), Sent(ids[-2], "u…", (Part("text", "u…"),)), Sent(ids[-1], tool_calls=cut))
    line.append(compactions.compact(tip, Compaction(ids, tail=tail)))
    before = seen(store, session)
    store.close()
    shutil.copy(tmp_path / "state.db", tmp_path / "backup.db")
    return tmp_path / "state.db", before, line


def test_lists_come_back_whole_with_what_was_shortened(lived, open_store):
    path, before, line = lived
    spoil(path, 1)
    store = open_store()
    assert seen(store, line[0]) == before
    compactions = Compactions(store, store._world)
    compactions.restore(line[0])
    compactions.restore(line[0])
    compactions.restore(line[0])
    assert [text[:3].strip() for text in texts(store.context(line[0]))] == [
        *(f"u{n}" for n in range(30)),
        "cal",
    ]
    assert store.verify().is_clean


def make_older(path):
    """Take from a copy what the schema before could not hold: parts, calls, and what summaries stand for."""
    db = apsw.Connection(str(path))
    db.execute("DELETE FROM context WHERE is_left_out")
    for column in ("parts_as_sent", "calls_as_sent", "is_left_out", "cited_as"):
        db.execute(f"ALTER TABLE context DROP COLUMN {column}")
    db.execute("PRAGMA user_version = 6")
    db.close()


@pytest.fixture
def with_backup(tmp_path):
    """Opens the store with the copy that was made of it as its backup."""

    def open_it(clock):
        return StateStore.open(
            tmp_path / "state.db",
            spool=tmp_path / "spool",
            media=tmp_path / "media",
            program="0.1.0",
            world=clock.surroundings(),
            backups=lambda: [tmp_path / "backup.db"],
        )

    return open_it


@pytest.mark.parametrize("is_older", [False, True], ids=["of this schema", "of an older one"])
def test_a_list_that_is_lost_comes_back_from_a_backup(lived, with_backup, tmp_path, clock, is_older):
    path, before, line = lived
    if is_older:
        make_older(tmp_path / "backup.db")
    spoil(path, *pages_of(path, "context"))
    store = with_backup(clock)
    try:
        store.verify()
        assert [text for text, *_ in seen(store, line[0])] == [text for text, *_ in before]
        assert is_older or seen(store, line[0]) == before
    finally:
        store.close()


def test_without_its_list_nothing_that_was_said_is_lost(lived, open_store):
    path, _, line = lived
    spoil(path, *pages_of(path, "context"))
    store = open_store()
    store.verify()
    said = [one for one in store.lineage(line[0]) if not one.metadata.get("summary")]
    assert len(said) == 31
    say(store, line[0], "u99")
    assert texts(store.context(line[0]))[-1] == "u99"
    assert store.verify().is_clean
