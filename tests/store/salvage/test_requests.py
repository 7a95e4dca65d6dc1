"""What is known of requests comes back with a damaged file, and is let go where it leads nowhere."""

import shutil
from contextlib import closing

import apsw
import pytest
from tests.damage import pages_of, spoil
from tests.store.test_requests import add, found, row
from tests.store.test_undoing import say

from archivist.records import EVERYTHING, SessionStart
from archivist.store import StateStore
from archivist.store.tool_lists import keep_tools, read_tools

TOOLS = '[{"name":"recall"}]'
TABLES = ("requests", "request_blocks", "session_tools", "tool_lists")


@pytest.fixture
def lived(open_store, tmp_path):
    store = open_store()
    session = store.start(SessionStart("chat"))
    say(store, session, "u1", "u2")
    add(store, session, *(row(at) for at in range(1_000, 1_300)), blocks=b"x" * 5_000)
    store.write(lambda db: keep_tools(db, session, TOOLS, 1))
    kept = found(store, session)
    store.close()
    shutil.copy(tmp_path / "state.db", tmp_path / "backup.db")
    return tmp_path / "state.db", session, kept


def damaged(path, table):
    pages = pages_of(path, table)
    spoil(path, pages[0])
    return path


def test_rows_come_back_where_only_the_head_of_the_file_is_gone(lived, open_store):
    path, session, kept = lived
    spoil(path, 1)
    store = open_store()
    assert found(store, session) == kept
    assert store.read(lambda db: read_tools(db, session)) == TOOLS
    assert store.verify().is_clean


@pytest.mark.parametrize("table", TABLES)
def test_whatever_is_lost_of_it_conversations_stay_and_nothing_leads_nowhere(lived, open_store, table):
    path, session, kept = lived
    damaged(path, table)
    store = open_store()
    store.salvage()
    assert {one.row for one in found(store, session)} <= {one.row for one in kept}
    assert store.read(lambda db: read_tools(db, session)) in (TOOLS, None)
    assert store.verify().is_clean


@pytest.mark.parametrize("is_older", [False, True], ids=["of this schema", "of an older one"])
def test_a_session_that_a_backup_gives_back_brings_its_requests(lived, tmp_path, clock, is_older):
    path, session, kept = lived
    if is_older:
        make_older(tmp_path / "backup.db")
    damaged(path, "sessions")
    with closing(open_with_backup(tmp_path, clock)) as store:
        assert store.session(session, EVERYTHING).source == "chat"
        assert {one.row for one in found(store, session)} == {one.row for one in kept}
        assert store.read(lambda db: read_tools(db, session)) == TOOLS
        assert store.verify().is_clean


def test_requests_that_are_lost_with_their_session_come_from_the_backup(lived, tmp_path, clock):
    path, session, kept = lived
    spoil(path, *(page for table in ("sessions", *TABLES) for page in pages_of(path, table)))
    with closing(open_with_backup(tmp_path, clock)) as store:
        store.salvage()
        assert found(store, session) == kept
        assert store.read(lambda db: read_tools(db, session)) == TOOLS
        assert store.verify().is_clean


def make_older(path):
    """Take from a copy what the schema before did not have."""
    db = apsw.Connection(str(path))
    for table in TABLES:
        db.execute(f"DROP TABLE {table}")
    db.execute("PRAGMA user_version = 7")
    db.close()


def open_with_backup(folder, clock):
    return StateStore.open(
        folder / "state.db",
        spool=folder / "spool",
        media=folder / "media",
        program="0.1.0",
        world=clock.surroundings(),
        backups=lambda: [folder / "backup.db"],
    )
