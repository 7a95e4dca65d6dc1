"""The lines of a conversation: one way to make them of rows, whatever rows a damaged database holds."""

from itertools import pairwise

import apsw
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.store.lines import compact
from tests.store.test_forking import begin_fork
from tests.store.test_undoing import say, take_back

from archivist.records import Message, SessionStart
from archivist.store.counting import count_of_conversation
from archivist.store.lines import Lines, Member, count_shown, lineage_of, path_ids, read_lines, tip_of
from archivist.store.listing import recent_conversations
from archivist.store.relatives import read_children
from archivist.store.schema import MIGRATIONS
from archivist.store.sessions import SESSION_COLUMNS, SESSION_TABLES, require_session, require_tip

LINKS = (None, "compaction", "fork", "branch", "subagent")
SESSIONS = st.lists(
    st.tuples(
        st.integers(0, 6),
        st.sampled_from(LINKS),
        st.integers(1, 2),
        st.booleans(),
        st.none() | st.integers(1, 9),
    ),
    min_size=1,
    max_size=7,
)
"""Parent (0 for none; in a damaged database any session, itself too), link, scope, whether undone, last shared message."""
LOOP = [(2, "compaction", 1, False, None), (1, "compaction", 1, True, None), (3, "fork", 1, False, 1)]


def members(rows):
    return [
        Member(key, parent or None, link, scope, undone, fork)
        for key, (parent, link, scope, undone, fork) in enumerate(rows, 1)
    ]


@pytest.fixture(scope="module")
def empty():
    db = apsw.Connection(":memory:")
    for migration in MIGRATIONS:
        migration(db)
    db.execute("INSERT INTO scopes(key, user) VALUES(1, 'ann'), (2, 'bob')")
    yield db
    db.close()


def stored(db, rows):
    """One conversation of these sessions."""
    db.execute("DELETE FROM sessions")
    for one in members(rows):
        db.execute(
            "INSERT INTO sessions(key, id, conversation, parent, link, source, scope, started_at, last_active_at, undo,"
            " fork_message) VALUES(?, ?, 1, ?, ?, 'test', ?, 0, 0, ?, ?)",
            (
                one.key, f"s{one.key}", one.parent, one.link, one.scope, 1 if one.is_undone else None, one.fork_message,
            ),
        )  # fmt: skip
    return db


@given(SESSIONS)
@example(LOOP)
def test_the_quick_way_to_where_an_append_goes_agrees_with_the_lines(empty, rows):
    db = stored(empty, rows)
    lines = Lines(members(rows))
    for key in range(1, len(rows) + 1):
        assert require_tip(db, f"s{key}").key == tip_of(db, key) == lines.tip(key)
        assert lineage_of(db, key) == lines.line(key)


@given(SESSIONS)
@example(LOOP)
def test_a_line_has_no_session_twice_and_each_of_it_continues_the_one_before(rows):
    lines, known = Lines(members(rows)), {one.key: one for one in members(rows)}
    for key in known:
        line = lines.line(key)
        assert len(set(line)) == len(line)
        assert lines.standing(key) in line
        for before, after in pairwise(line):
            assert (known[after].parent, known[after].link) == (before, "compaction")
        path = lines.path(key, taken_back=True)
        own = [part.sessions[0] for part in path]
        assert own[len(own) - len(line) :] == line
        assert len(set(own)) == len(own)
        assert not {*lines.begun_in(line)} & {*line}


def test_a_conversation_whose_sessions_lead_back_to_themselves_is_read_and_written(open_store, tmp_path):
    store = open_store()
    first = store.start(SessionStart("cli"))
    say(store, first, "u1", "a1")
    second = compact(store, first, keep=1)
    db = apsw.Connection(str(tmp_path / "state.db"))
    keys = [require_session(db, name).key for name in (first, second)]
    db.execute("UPDATE sessions SET parent = ?, link = 'compaction' WHERE key = ?", keys[::-1])
    db.close()
    assert store.append(first, [Message.user("goes on")])
    assert {m.text for m in store.lineage(second)} >= {"u1", "a1", "goes on"}
    assert recent_conversations(store.reader(), scopes=None, source=None, limit=5, offset=0)[1].total == 1
    assert read_children(store.reader(), keys[0], None) == []


# ---- how many messages there are ----


def test_a_list_counts_what_reading_shows(store, clock):
    chat = store.start(SessionStart("cli", title="Plans"))
    say(store, chat, "u1", "a1", "u2", "a2", "u3", "a3")
    take_back(store, chat)
    tip = compact(store, chat, keep=1)
    say(store, tip, "u4")
    fork = begin_fork(store, chat)
    say(store, fork, "u5", "a5")
    db = store.reader()
    keys = [require_session(db, name).key for name in (chat, tip, fork)]
    assert count_shown(db, keys, None) == {key: len(path_ids(db, key, None)) for key in keys}
    assert count_shown(db, [], None) == {}
    (listed,), _ = recent_conversations(db, scopes=None, source=None, limit=5, offset=0)
    assert listed.shown == len(path_ids(db, keys[0], None)) == 5
    assert count_of_conversation(db, keys[0], None) == store.counts()["messages"] == 10


def test_a_list_is_dated_by_what_it_is_sorted_by(store, clock):
    chat = store.start(SessionStart("cli", title="Plans"))
    say(store, chat, "u1", "a1")
    fork = begin_fork(store, chat)
    clock.advance(days=3)
    say(store, fork, "u2")
    (listed,), _ = recent_conversations(store.reader(), scopes=None, source=None, limit=5, offset=0)
    assert listed.session.id == chat
    assert listed.active == clock.time
    assert store.session(chat).last_active_at < clock.time


# ---- how they are found ----


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT {SESSION_COLUMNS} FROM {SESSION_TABLES} WHERE s.key = 1",
        "SELECT count(*) FROM sessions AS s JOIN messages AS m ON m.conversation = s.conversation AND m.session = s.key WHERE s.id = 'a'",
        "SELECT count(*) FROM messages WHERE conversation = 1 AND session IN (1, 2)",
    ],
)
def test_the_messages_of_a_session_are_found_without_those_of_its_conversation(store, query):
    plan = [row[3] for row in store.reader().execute(f"EXPLAIN QUERY PLAN {query}")]
    assert any("messages_conversation (conversation=? AND session=?)" in step for step in plan), plan


def test_the_lines_of_a_family_are_read_by_one_query(store):
    root = store.start(SessionStart("cli"))
    for _ in range(30):
        store.start(SessionStart("cli", parent_id=root, link="subagent"))
    db, asked = store.reader(), []
    db.exec_trace = lambda cursor, statement, bindings: asked.append(statement) or True
    assert len(read_lines(db, 1).begun_in([1])) == 30
    db.exec_trace = None
    assert len(asked) == 1
