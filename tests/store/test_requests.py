"""What requests shared is kept as numbers, goes with its conversation, and is read with what the provider counted."""

import pytest
from tests.store.lines import compact
from tests.store.test_undoing import say, take_back

from archivist import UnknownSession
from archivist.records import Message, SessionStart, Usage
from archivist.store.deleting import delete_sessions
from archivist.store.requests import (
    RequestRow,
    Used,
    add_request,
    before,
    counted_conversations,
    is_undone_since,
    read_requests,
    read_used,
    sessions_of,
)
from archivist.store.sessions import require_session
from archivist.store.tool_lists import keep_tools, read_tools


def row(at=1_000, **more):
    kept = {"epoch": 1, "began": None, "blocks": 3, "tokens": 30, "before_blocks": 2, "before_tokens": 20}
    return RequestRow(at, "anthropic", "m", f"req-{at}", shared_blocks=2, shared_tokens=20, **(kept | more))


def add(store, session, *rows, blocks=b"kept"):
    for one in rows:
        store.write(lambda db, one=one: add_request(db, session, one, blocks))


def keys(store, *sessions):
    return [store.read(lambda db, one=one: require_session(db, one).key) for one in sessions]


def found(store, *sessions):
    return store.read(lambda db: read_requests(db, keys(store, *sessions)))


@pytest.fixture
def session(store):
    return store.start(SessionStart("chat"))


def test_a_request_is_read_as_it_was_kept_with_what_its_provider_counted(store, session):
    add(store, session, row(), row(2_000, broke="tools", broke_at=3, broke_why="added"))
    store.add_usage(session, [Usage("m", "req-2000", input=5, output=7, cache_read=90, cost_usd=0.5)])
    first, second = found(store, session)
    assert (first.session_id, first.row, first.used) == (session, row(), None)
    assert second.row.broke_why == "added"
    assert second.used == Used(1, 5, 7, 90, 0, 0.5)
    assert store.read(lambda db: read_used(db, keys(store, session))).cache_read == 90
    assert store.verify().is_clean


def test_only_the_newest_request_of_a_session_keeps_what_it_was_made_of(store, session):
    add(store, session, row(), blocks=b"one")
    add(store, session, row(2_000, epoch=2), blocks=b"two")
    kept = store.read(lambda db: before(db, session))
    assert (kept.epoch, kept.at, kept.blocks) == (2, 2_000, b"two")
    assert store.reader().execute("SELECT count(*) FROM request_blocks").get == 1


def test_a_compactions_child_and_a_fork_go_on_from_what_was_sent_before_them(store, session):
    say(store, session, "u1", "u2", "u3")
    add(store, session, row(), blocks=b"one")
    child = compact(store, session, keep=1)
    fork = store.start(SessionStart("chat", parent_id=session, link="fork"))
    sub = store.start(SessionStart("chat", parent_id=session, link="subagent"))
    assert store.read(lambda db: before(db, child)).blocks == b"one"
    assert store.read(lambda db: before(db, fork)).blocks == b"one"
    assert [store.read(lambda db, one=one: before(db, one)).is_forked for one in (child, fork)] == [
        False,
        True,
    ]
    assert store.read(lambda db: before(db, sub)) is None
    assert store.read(lambda db: before(db, "nobody")) is None


def test_sessions_that_lead_back_to_themselves_end(store, session):
    (key,) = keys(store, session)
    store.write(lambda db: db.execute("UPDATE sessions SET parent = ?1 WHERE key = ?1", (key,)))
    assert store.read(lambda db: before(db, session)) is None


def test_a_session_that_is_not_there_is_refused(store):
    with pytest.raises(UnknownSession):
        add(store, "nobody", row())


def test_no_text_stands_in_what_is_kept(store, session):
    texts = [
        name
        for table in ("requests", "request_blocks")
        for _, name, kind, *_ in store.reader().execute(f"PRAGMA table_info({table})")
        if kind == "TEXT"
    ]
    assert texts == ["provider", "model", "request_id", "began", "broke", "broke_why"]


def test_all_of_it_goes_with_its_conversation_and_what_it_cost_stays(store, session):
    other = store.start(SessionStart("chat"))
    for one in (session, other):
        add(store, one, row())
        store.write(lambda db, one=one: keep_tools(db, one, '["shared"]', 1))
    store.write(lambda db: keep_tools(db, session, '["own"]', 1))
    store.add_usage(session, [Usage("m", "req-1000", input=5)])
    store.write(lambda db: delete_sessions(db, keys(store, session)))
    assert [one.session_id for one in found(store, other)] == [other]
    assert store.reader().execute("SELECT tools FROM tool_lists").get == '["shared"]'
    for table in ("requests", "request_blocks", "session_tools"):
        assert store.reader().execute(f"SELECT count(*) FROM {table}").get == 1, table
    assert store.reader().execute("SELECT input FROM spent").get == 5


def test_equal_tools_are_kept_once(store, session):
    other = store.start(SessionStart("chat"))
    for one in (session, other, session):
        store.write(lambda db, one=one: keep_tools(db, one, '["t"]', 1))
    assert store.reader().execute("SELECT count(*) FROM tool_lists").get == 1
    assert store.read(lambda db: read_tools(db, other)) == '["t"]'
    assert store.read(lambda db: read_tools(db, "nobody")) is None


def test_an_undo_since_a_time_is_known(store, session, clock):
    store.append(session, [Message.user("u1"), Message.assistant("a1")])
    at = int(clock().timestamp() * 1000)
    assert not store.read(lambda db: is_undone_since(db, session, at))
    clock.advance(minutes=1)
    take_back(store, session)
    assert store.read(lambda db: is_undone_since(db, session, at))
    assert not store.read(lambda db: is_undone_since(db, session, at + 61_000))


def test_conversations_with_requests_or_usage_are_listed_newest_first(store, session, clock):
    silent = store.start(SessionStart("chat"))
    clock.advance(minutes=1)
    imported = store.start(SessionStart("claude-code", external_id="x"))
    store.add_usage(imported, [Usage("m", "r", input=1)])
    add(store, session, row())
    assert silent
    listed = store.read(lambda db: counted_conversations(db, None, 9))
    assert listed == keys(store, imported, session)
    assert store.read(lambda db: counted_conversations(db, frozenset(), 9)) == []
    assert store.read(lambda db: sessions_of(db, listed[0], None)) == keys(store, imported)


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("UPDATE requests SET shared_blocks = 9", "shares more than there is"),
        ("UPDATE requests SET broke = 'moon'", "shares more than there is"),
        ("UPDATE tool_lists SET tools = '[]'", "the list of tools"),
        ("DELETE FROM tool_lists", "began with tools that are not there"),
    ],
)
def test_verify_names_what_is_damaged(store, session, damage, told):
    add(store, session, row())
    store.write(lambda db: keep_tools(db, session, '["t"]', 1))
    assert store.verify().is_clean
    store.write(lambda db: db.execute(damage))
    assert any(told in problem for problem in store.verify().problems)
