"""Marks of whole conversations: one act, whichever session is named, and never another's rows."""

import pytest
from tests.store.lines import compact
from tests.store.test_forking import begin_fork

from archivist.records import Message, Scope, SessionStart
from archivist.store.keeping import mark, read_marks
from archivist.store.listing import recent_conversations
from archivist.store.sessions import require_session


def put(store, session, what, when, scopes=None):
    store.write(lambda db: mark(db, require_session(db, session).key, what, when=when, scopes=scopes))


def marks(store, session, scopes=None):
    db = store.reader()
    return read_marks(db, [key := require_session(db, session).key], scopes)[key]


def listed(store, shelf, scopes=None):
    found, counted = recent_conversations(
        store.reader(), scopes=scopes, source=None, limit=10, offset=0, shelf=shelf
    )
    return [one.session.conversation_id for one in found], counted.total, counted.archived


@pytest.mark.parametrize("what", ["archived_at", "pinned_at"])
def test_a_mark_holds_for_the_whole_conversation_and_for_what_begins_later(store, clock, what):
    root = store.start(SessionStart("cli"))
    store.append(root, [Message.user("u")])
    made = begin_fork(store, root)
    put(store, made, what, clock())
    child = compact(store, root)
    for name in (root, made, child):
        assert getattr(marks(store, name), what) is not None
    put(store, child, what, None)
    for name in (root, made, child):
        assert getattr(marks(store, name), what) is None
    assert store.verify().is_clean


def test_a_mark_that_is_set_again_keeps_its_time(store, clock):
    root = store.start(SessionStart("cli"))
    put(store, root, "archived_at", clock())
    first = marks(store, root)
    clock.advance(days=1)
    put(store, root, "archived_at", clock())
    assert marks(store, root) == first


def test_lists_leave_out_what_was_put_away_and_count_it(store, clock):
    one, two = store.start(SessionStart("cli")), store.start(SessionStart("cli"))
    put(store, one, "archived_at", clock())
    assert listed(store, "listed") == ([two], 1, 1)
    assert listed(store, "archived") == ([one], 1, 1)
    assert listed(store, "all") == ([two, one], 2, 1)


def test_another_readers_rows_are_not_marked(store, clock):
    root = store.start(SessionStart("cli", scope=Scope("bob")))
    child = store.start(SessionStart("cli", parent_id=root, link="compaction", scope=Scope("ann")))
    db = store.reader()
    ann, bob = (
        frozenset({db.execute("SELECT scope FROM sessions WHERE id = ?", (name,)).get})
        for name in (child, root)
    )
    put(store, child, "archived_at", clock(), ann)
    assert listed(store, "listed", ann) == ([], 0, 1)
    assert listed(store, "listed", bob) == ([root], 1, 0)
    assert marks(store, root, bob).archived_at is None


def test_what_another_program_put_away_arrives_so_once(store):
    start = SessionStart("hermes", external_id="x", archived=True)
    store.receive(start, [Message.user("u", client_id="1")])
    assert marks(store, "x").archived_at is not None
    put(store, "x", "archived_at", None)
    store.receive(start, [Message.user("u", client_id="1"), Message.user("v", client_id="2")])
    assert marks(store, "x").archived_at is None
