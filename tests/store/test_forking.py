"""A fork shares what was said and copies none of it; neither line disturbs the other."""

import pytest
from tests.store.lines import compact, ids, texts
from tests.store.test_undoing import give_back, say, take_back

from archivist.records import Message, SessionStart
from archivist.store import ClientIdReused
from archivist.store.forking import NotForkable, fork
from archivist.store.lines import path_ids
from archivist.store.messages import record_changes
from archivist.store.sessions import require_session


def begin_fork(store, session, *, at=None, title=None, scopes=None):
    name, now = store._world.new_session_id(), store._world.now()
    store.write(
        lambda db: fork(
            db, require_session(db, session).key, at=at, title=title, scopes=scopes, session_id=name, now=now
        )
    )
    return name


def shown(store, session):
    """Texts as a person reads them."""
    db = store.reader()
    found = {m.id: m.text for m in store.lineage(session)}
    return [found[key] for key in path_ids(db, require_session(db, session).key, None)]


@pytest.fixture
def chat(store):
    session = store.start(SessionStart("cli", model="m", prompt="You are kind.", cwd="/src", title="Plans"))
    say(store, session, "u1", "a1", "u2", "a2")
    return session


def test_a_fork_shares_what_was_said_up_to_a_message_and_copies_nothing(store, chat):
    made = begin_fork(store, chat, at=2)
    assert ids(store.context(made)) == [1, 2]
    assert store.counts() == {"conversations": 1, "sessions": 2, "messages": 4}
    record = store.session(made)
    assert (record.link, record.parent_id, record.conversation_id, record.fork_message) == (
        "fork",
        chat,
        chat,
        2,
    )
    assert (record.model, record.prompt, record.cwd, record.source) == ("m", "You are kind.", "/src", "cli")


def test_each_line_goes_on_by_itself(store, chat):
    made = begin_fork(store, chat, at=2)
    say(store, made, "u3")
    say(store, chat, "u4")
    assert texts(store.context(made)) == ["u1", "a1", "u3"]
    assert texts(store.context(chat)) == ["u1", "a1", "u2", "a2", "u4"]
    assert texts(store.lineage(made)) == shown(store, made) == ["u1", "a1", "u3"]
    assert store.verify().is_clean


def test_without_a_message_it_shares_all_that_the_model_sees(store, chat, clock):
    child = compact(store, chat, keep=1)
    made = begin_fork(store, chat)
    assert texts(store.context(made)) == texts(store.context(child)) == ["summary of what was said", "a2"]
    say(store, made, "u9")
    assert shown(store, made) == ["u1", "a1", "u2", "a2", "u9"]
    assert shown(store, chat) == ["u1", "a1", "u2", "a2"]


def test_a_fork_before_a_compaction_sees_what_the_model_saw_then(store, chat, clock):
    child = compact(store, chat, keep=1)
    say(store, child, "u3")
    made = begin_fork(store, child, at=2)
    assert texts(store.context(made)) == ["u1", "a1"]
    assert store.session(made).parent_id == chat


def test_what_a_fork_shares_stays_in_it_when_it_is_taken_back_in_its_parent(store, chat, clock):
    compact(store, chat, keep=1)
    made = begin_fork(store, chat)
    seen, read = texts(store.context(made)), shown(store, made)
    take_back(store, chat, to=1)
    assert (texts(store.context(made)), shown(store, made)) == (seen, read)
    assert texts(store.context(chat)) == []
    say(store, made, "u9")
    assert texts(store.context(made)) == [*seen, "u9"]
    give_back(store, chat)
    assert texts(store.context(chat)) == seen


def test_what_was_taken_back_before_is_not_shared(store, chat, clock):
    take_back(store, chat)
    clock.advance(seconds=1)
    say(store, chat, "u3")
    made = begin_fork(store, chat)
    assert texts(store.context(made)) == shown(store, made) == ["u1", "a1", "u3"]
    with pytest.raises(NotForkable, match="message 3"):
        begin_fork(store, chat, at=3)


def test_a_fork_of_a_fork_shares_with_both(store, chat):
    first = begin_fork(store, chat, at=2)
    say(store, first, "u3", "a3")
    second = begin_fork(store, first, at=5)
    say(store, second, "u4")
    assert texts(store.context(second)) == shown(store, second) == ["u1", "a1", "u3", "u4"]
    from_shared = begin_fork(store, second, at=1)
    assert texts(store.context(from_shared)) == shown(store, from_shared) == ["u1"]
    take_back(store, chat, to=1)
    take_back(store, first)
    assert texts(store.context(second)) == shown(store, second) == ["u1", "a1", "u3", "u4"]
    again = begin_fork(store, second, at=5)
    assert texts(store.context(again)) == shown(store, again) == ["u1", "a1", "u3"]


def test_a_fork_is_compacted_and_taken_back_like_any_line(store, chat, clock):
    made = begin_fork(store, chat, at=2)
    say(store, made, "u3", "a3")
    child = compact(store, made, keep=2)
    say(store, made, "u4")
    assert texts(store.context(made)) == ["summary of what was said", "u3", "a3", "u4"]
    assert shown(store, child) == ["u1", "a1", "u3", "a3", "u4"]
    take_back(store, made, turns=2)
    assert texts(store.context(child)) == ["u1", "a1"]
    assert texts(store.context(chat)) == ["u1", "a1", "u2", "a2"]
    give_back(store, made)
    assert texts(store.context(made)) == ["summary of what was said", "u3", "a3", "u4"]


def test_what_a_compaction_kept_of_the_shared_part_stays_when_the_parent_takes_it_back(store, chat, clock):
    made = begin_fork(store, chat)
    compact(store, made, keep=2)
    take_back(store, chat, to=1)
    assert texts(store.context(made)) == ["summary of what was said", "u2", "a2"]


def test_a_client_id_of_the_other_line_is_refused_rather_than_lost(store, chat):
    made = begin_fork(store, chat, at=2)
    store.append(chat, [Message.user("same", client_id="turn-3")])
    with pytest.raises(ClientIdReused, match="another line"):
        store.append(made, [Message.user("same", client_id="turn-3")])
    assert store.append(chat, [Message.user("same", client_id="turn-3")]) == [5]


def test_a_retry_after_an_undo_of_a_compaction_is_still_a_retry(store, chat, clock):
    compact(store, chat)
    [key] = store.append(chat, [Message.user("u", client_id="c")])
    take_back(store, chat, to=3)
    assert store.append(chat, [Message.user("u", client_id="c")]) == [key]


@pytest.mark.parametrize("at", [99, 0])
def test_a_message_that_is_not_there_is_refused(store, chat, at):
    with pytest.raises(NotForkable):
        begin_fork(store, chat, at=at)


def test_a_message_of_another_conversation_is_refused(store, chat):
    [other] = say(store, store.start(SessionStart("cli")), "u1")
    with pytest.raises(NotForkable):
        begin_fork(store, chat, at=other)


def test_an_empty_conversation_can_be_forked(store):
    session = store.start(SessionStart("cli"))
    made = begin_fork(store, session)
    say(store, session, "u1")
    say(store, made, "u2")
    assert shown(store, made) == ["u2"]


def test_what_is_deleted_leaves_the_fork_too(store, chat):
    made = begin_fork(store, chat)
    store.write(
        lambda db: (
            db.execute("DELETE FROM context WHERE message = 2"),
            db.execute("DELETE FROM messages WHERE id = 2"),
            record_changes(db, "removed", [2]),
        )
    )
    assert texts(store.context(made)) == shown(store, made) == ["u1", "u2", "a2"]
    assert store.verify().is_clean


def test_what_the_first_line_says_where_an_undo_has_led_it_back_is_not_said_in_the_fork(store, chat):
    child = compact(store, chat, keep=1)
    say(store, child, "u3")
    made = begin_fork(store, child)
    take_back(store, chat, to=3)
    say(store, chat, "u4")
    assert shown(store, chat) == ["u1", "a1", "u4"]
    assert shown(store, made) == ["u1", "a1", "u2", "a2", "u3"]
    assert texts(store.lineage(made)) == ["u1", "a1", "u2", "a2", "summary of what was said", "u3"]
