"""Sessions that go take all that is theirs along, and nothing that is not."""

import pytest
from msgspec.structs import replace
from tests.store.lines import compact

from archivist.records import EVERYTHING, Message, Part, Scope, SessionStart, Usage
from archivist.store.deleting import (
    apply_erased,
    delete_sessions,
    is_whole,
    members_of,
    outline,
    pending_blobs,
    read_pending,
)
from archivist.store.erased import ErasedSession, has_followed
from archivist.store.messages import set_states
from archivist.store.scopes import visible_scopes
from archivist.store.sessions import find_session
from archivist.store.spending import total_spending

TABLES = ("sessions", "messages", "context", "usage", "undos", "undone")


def tell(store, *texts, **start):
    session = store.start(SessionStart("test", **start))
    store.append(session, [Message.user(text) for text in texts])
    return session


def conversation(store, session):
    return store.read(lambda db: find_session(db, session).conversation)


def remove(store, session):
    key = conversation(store, session)
    store.write(lambda db: delete_sessions(db, members_of(db, key)))


def rows(store):
    return {
        table: store.read(lambda db, t=table: db.execute(f"SELECT count(*) FROM {t}").get) for table in TABLES
    }


def family(store):
    """A conversation of a root, its compaction, a fork, a sub-agent; with context, usage, an undo and turns of every state."""
    root = tell(store, "one", "two", "three", title="Root")
    parts = [
        tell(store, f"of the {link}", parent_id=root, link=link)
        for link in ("compaction", "fork", "subagent")
    ]
    ids = [message.id for message in store.lineage(root)]
    store.write(lambda db: set_states(db, [(ids[0], "compacted"), (ids[1], "undone"), (ids[2], "branch")]))
    for session in (root, *parts):
        store.add_usage(session, [Usage("model", f"request-{session}", 1, 10, 5)])

    def relate(db):
        tip = find_session(db, parts[0]).key
        db.execute("INSERT INTO context(session, position, message) VALUES(?, 0, ?)", (tip, ids[0]))
        db.execute(
            "INSERT INTO undos(conversation, session, made_at) VALUES(?, ?, 0)",
            (conversation(store, root), tip),
        )
        db.execute("INSERT INTO undone VALUES(1, ?, 'active')", (ids[1],))

    store.write(relate)
    return root


def test_every_row_of_a_conversation_goes_and_every_row_of_another_stays(store):
    other = tell(store, "stays", title="Other")
    store.add_usage(other, [Usage("model", "r", 1, 1, 1)])
    before = rows(store)
    root = family(store)
    remove(store, root)
    assert rows(store) == before
    assert store.verify().problems == ()
    assert [message.text for message in store.lineage(other)] == ["stays"]


@pytest.mark.parametrize("by", ["model", "source", "month"])
def test_totals_of_usage_are_the_same_before_and_after(store, by):
    tell(store, "x")
    root = family(store)
    store.add_usage(root, [Usage("other", "r2", 2, 7, 7, 3, 2, 1, 0.25)])
    total = store.read(lambda db: total_spending(db, None, by))
    remove(store, root)
    assert store.read(lambda db: total_spending(db, None, by)) == total
    remove(store, family(store))
    doubled = store.read(lambda db: total_spending(db, None, by))
    assert sum(one.requests for one in doubled) == sum(one.requests for one in total) + 4


def test_ids_of_messages_that_are_gone_are_never_given_again(store):
    last = store.append(tell(store, "a"), [Message.user("b")])[0]
    session = tell(store, "c")
    remove(store, session)
    assert store.append(tell(store), [Message.user("d")])[0] > last + 1


def test_foreign_keys_are_enforced_again_afterwards(store):
    remove(store, family(store))
    assert store.write(lambda db: db.pragma("foreign_keys")) == 1


def test_what_is_left_to_do_is_noted_until_it_is_done(store):
    session = tell(store, "text")
    store.append(
        session, [replace(Message.user("pic"), parts=(Part("image", data=b"bytes", media_type="image/png"),))]
    )
    [part] = store.lineage(session)[-1].parts
    remove(store, session)
    assert store.read(pending_blobs) == [part.blob]
    assert store.read(read_pending).first == 1


def test_a_conversation_in_several_scopes_is_whole_only_for_who_sees_all(store):
    root = tell(store, "a", scope=Scope(user="ann"))
    tell(store, "b", parent_id=root, link="fork", scope=Scope(user="ben"))
    key = conversation(store, root)
    for reader, expected in ((EVERYTHING, True), (Scope(user="ann"), False), (Scope(user="ben"), False)):
        assert store.read(lambda db, r=reader: is_whole(db, key, visible_scopes(db, r))) is expected


def test_an_outline_counts_all_sessions(store):
    found = store.read(lambda db: outline(db, conversation(store, family(store))))
    assert (found.sessions, found.messages, found.title) == (4, 6, "Root")
    assert found.bytes == len("onetwothree" + "of the compactionof the forkof the subagent")


# ---- following the file ----


def test_an_older_copy_of_the_database_loses_again_what_was_deleted(open_store, tmp_path):
    store = open_store()
    kept, session = tell(store, "stays"), tell(store, "goes", external_id="e1")
    store.erased.add([ErasedSession("test", "e1", session)], "now")
    assert not store.read(lambda db: has_followed(db, store.erased))
    store.close()
    again = open_store()
    assert again.counts()["sessions"] == 1
    assert again.session(kept).id == kept
    assert again.read(lambda db: has_followed(db, again.erased))
    assert again.verify().problems == ()


def test_applying_the_file_twice_changes_nothing_more(store):
    session = tell(store, "goes")
    store.erased.add([ErasedSession("test", None, session)], "now")
    assert [store.write(lambda db: apply_erased(db, store.erased)) for _ in range(2)] == [1, 0]


def test_what_remains_of_a_conversation_whose_root_is_named_stands_by_itself(store):
    root = family(store)
    store.erased.add([ErasedSession("test", None, root)], "now")
    store.write(lambda db: apply_erased(db, store.erased))
    assert store.verify().problems == ()
    assert store.counts() == {"conversations": 1, "sessions": 3, "messages": 3}
    remaining = store.read(lambda db: [row[0] for row in db.execute("SELECT id FROM sessions ORDER BY key")])
    assert store.session(remaining[0]).parent_id is None


def test_a_summary_that_has_words_of_a_session_that_goes_goes_with_it(store):
    root = tell(store, "one", "two", "three")
    first = compact(store, root, child="first")
    store.append(first, [Message.user("four"), Message.user("five")])
    second = compact(store, first, child="second")
    store.append(second, [Message.user("six")])
    store.erased.add([ErasedSession("test", None, root)], "now")
    store.write(lambda db: apply_erased(db, store.erased))
    assert store.read(lambda db: [row[0] for row in db.execute("SELECT text FROM messages ORDER BY id")]) == [
        "four",
        "five",
        "six",
    ]
    assert store.verify().problems == ()
    assert store.read(read_pending) is not None


def test_what_was_deleted_is_not_received_again_and_new_children_are_their_own(store):
    start = SessionStart("claude-code", external_id="e1")
    told = [Message.user("a", client_id="a")]
    session = store.receive(start, told).session_id
    store.erased.add([ErasedSession("claude-code", "e1", session)], "now")
    store.write(lambda db: apply_erased(db, store.erased))
    again = store.receive(start, [*told, Message.user("b", client_id="b")])
    assert (again.stays_away, again.added, store.counts()["sessions"]) == (True, 0, 0)
    child = store.receive(replace(start, external_id="e2", link="subagent"), told, parent_external_id="e1")
    assert store.session(child.session_id).parent_id is None


def test_a_receiver_that_is_not_done_when_its_session_is_deleted_does_not_make_it_anew(store):
    start = SessionStart("claude-code", external_id="e1")

    def told():
        for number in range(1200):
            if number == 700:
                store.erased.add([ErasedSession("claude-code", "e1", "e1")], "now")
                store.write(lambda db: apply_erased(db, store.erased))
            yield Message.user(f"text {number}", client_id=str(number))

    assert store.receive(start, told()).stays_away
    assert store.counts()["messages"] == 0
