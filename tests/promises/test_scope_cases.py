"""Nothing leaves its scope: ways in which something could, each by itself."""

import pytest
from tests.promises.test_scope import NOON, A, B, World, new_world

from archivist import EVERYTHING, Message, NotForkable, NothingToRedo, Scope
from archivist.records import SessionStart
from archivist.store import conversations, titles


@pytest.fixture
def world():
    with new_world() as made:
        yield made


def texts(messages):
    return [message.text for message in messages]


def row_of(world: World, session: str) -> object:
    query = "SELECT * FROM sessions WHERE id = ?"
    return world.archivist._store.read(lambda db: db.execute(query, (session,)).fetchone())


# ---- handles ----


def test_a_handle_shows_what_may_be_seen_by_whoever_asked_for_it(world):
    parent = world.begin(B)
    theirs = world.say(parent)
    child = world.begin(A, parent, "compaction")
    world.keep_in_context(child, theirs)
    ours = world.say(child)
    handle = world.archivist.sessions.get(child, scope=A)
    assert texts(handle.messages("all")) == texts(handle.messages()) == [ours.text]
    assert handle.record().parent_id is None
    whole = world.archivist.sessions.get(child)
    assert texts(whole.messages("all")) == texts(whole.messages()) == [theirs.text, ours.text]
    assert whole.record().parent_id == parent


def test_the_handle_of_what_one_began_shows_nothing_that_others_go_on_with(world):
    handle = world.archivist.sessions.start(scope=A)
    handle.append(Message.user("ours"))
    world.scopes[handle.id], world.roots[handle.id] = A, handle.id
    world.say(world.begin(B, handle.id, "compaction"))
    assert texts(handle.messages("all")) == ["ours"]


# ---- client ids ----


@pytest.mark.parametrize("theirs", ["ours", "theirs"], ids=["the same words", "other words"])
def test_a_client_id_that_others_have_used_is_free(world, theirs):
    """Even for the same words: else what is said here would be nowhere, and its id that of a message of others."""
    parent = world.begin(A)
    world.archivist._store.append(world.begin(B, parent, "compaction"), [Message.user(theirs, client_id="1")])
    handle = world.archivist.sessions.get(parent, scope=A)
    said = handle.append(Message.user("ours", client_id="1"))
    assert handle.append(Message.user("ours", client_id="1")) == said
    assert [(message.id, message.text) for message in handle.messages("all")] == [(said, "ours")]
    assert world.archivist.counts(EVERYTHING)["messages"] == 2
    assert world.archivist.verify().is_clean


# ---- what is forked, taken back and given back ----


def test_a_fork_is_of_what_may_be_seen(world):
    ours = world.begin(A)
    said = world.say(ours)
    world.say(world.begin(B, ours, "compaction"))
    fork = world.archivist.sessions.fork(ours, scope=A)
    assert fork.record().scope == A
    assert fork.record().parent_id == ours
    assert texts(fork.messages()) == [said.text]


def test_a_fork_shares_nothing_that_only_the_model_was_given(world):
    parent = world.begin(B)
    theirs = world.say(parent)
    child = world.begin(A, parent, "compaction")
    world.keep_in_context(child, theirs)
    ours = world.say(child)
    fork = world.archivist.sessions.fork(child, scope=A)
    assert texts(world.archivist.sessions.get(fork.id).messages()) == [ours.text]
    assert fork.record().fork_message == ours.id


def test_a_fork_of_what_others_took_back_is_refused(world):
    parent = world.begin(B)
    world.say(parent)
    ours = world.begin(A, parent, "compaction")
    world.archivist.sessions.undo(parent, scope=EVERYTHING)
    with pytest.raises(NotForkable, match=f"^{ours} cannot be forked where it was taken back"):
        world.archivist.sessions.fork(ours, scope=A)


def test_a_fork_names_no_message_of_others(world):
    ours = world.begin(B)
    said = world.say(ours)
    fork = world.archivist.sessions.fork(ours, scope=B)
    store = world.archivist._store
    store.write(
        lambda db: (
            db.execute(
                "UPDATE sessions SET scope = (SELECT key FROM scopes WHERE user = 'bob') WHERE id = ?",
                (ours,),
            )
            if db.execute("INSERT INTO scopes(user) VALUES('bob')")
            else None
        )
    )
    assert world.archivist.sessions.read(fork.id, scope=B).session.fork_message is None
    assert world.archivist.sessions.get(fork.id, scope=B).record().fork_message is None
    assert world.archivist.sessions.get(fork.id).record().fork_message == said.id


def test_one_takes_back_what_one_said_though_others_went_on_with_it(world):
    ours = world.begin(A)
    said = world.say(ours)
    theirs = world.begin(B, ours, "compaction")
    world.say(theirs)
    world.archivist.sessions.undo(theirs, scope=B)
    before = row_of(world, theirs)
    taken = world.archivist.sessions.undo(ours, scope=A)
    assert (taken.message_id, taken.messages) == (said.id, 1)
    back = world.archivist.sessions.redo(ours, scope=A)
    assert (back.session_id, back.messages) == (ours, 1)
    assert row_of(world, theirs) == before


def test_a_redo_gives_back_no_session_of_others(world):
    ours = world.begin(A)
    world.say(ours)
    theirs = world.begin(B, ours, "compaction")
    world.archivist.sessions.undo(ours, scope=EVERYTHING)
    before = row_of(world, theirs)
    with pytest.raises(NothingToRedo, match="nothing was taken back"):
        world.archivist.sessions.redo(ours, scope=A)
    assert row_of(world, theirs) == before


# ---- titles ----


def test_newer_sessions_of_others_hide_no_title(world, monkeypatch):
    monkeypatch.setattr(titles, "UNTITLED_READ", 2)
    monkeypatch.setattr(conversations, "TITLES_READ", 2)
    named, unnamed = world.begin(A, title="Abdication"), world.begin(A)
    world.say(named)
    said = world.say(unnamed)
    for number in range(3):
        world.say(world.begin(B))
        world.say(world.begin(B, title=f"Other {number}"))
    shown = world.archivist.sessions.read(unnamed, scope=A).session.title
    assert world.archivist.sessions.read(shown, scope=A).messages[0].id == said.id
    (hit,) = world.search("abdication", A).hits
    assert (hit.title, hit.why) == ("Abdication", ("title",))


def test_a_title_of_others_in_the_line_does_not_keep_one_from_having_a_title(world):
    parent = world.begin(B, title="Abdication")
    child = world.begin(A, parent, "compaction")
    said = world.say(child)
    world.archivist.sessions.get(child, scope=A).end("over")
    assert said.word in str(row_of(world, child))
    assert [hit.why for hit in world.search(said.text, A).hits] != []
    assert world.archivist.sessions.get(child, scope=A).record().title == said.text


# ---- parents that never come ----


def test_who_cannot_join_a_parent_that_came_does_not_go_on_naming_it(world):
    store = world.archivist._store
    child = SessionStart("hermes", external_id="child", scope=Scope("ann"), link="subagent", started_at=NOON)
    store.receive(child, [Message.user("a", client_id="a")], parent_external_id="of bob")
    assert store.session("child").metadata["parent_external_id"] == "of bob"
    parent = SessionStart("hermes", external_id="of bob", scope=Scope("bob"), started_at=NOON)
    store.receive(parent, [Message.user("b", client_id="b")])
    assert not store.session("child").metadata
    assert world.archivist.verify().is_clean


@pytest.mark.parametrize("theirs", [Scope("bob"), Scope("ann", "a group"), Scope(None, "a group")], ids=str)
def test_a_child_never_joins_a_known_parent_of_another_person_or_group(world, theirs):
    """As it never joins one that comes late."""
    store = world.archivist._store
    parent = SessionStart("hermes", external_id="of bob", scope=theirs, started_at=NOON)
    store.receive(parent, [Message.user("b", client_id="b")])
    child = SessionStart("hermes", external_id="child", scope=Scope("ann"), link="subagent", started_at=NOON)
    for _ in range(2):
        store.receive(child, [Message.user("a", client_id="a")], parent_external_id="of bob")
        found = store.session("child")
        assert (found.conversation_id, found.parent_id, found.link, dict(found.metadata)) == (
            "child",
            None,
            None,
            {},
        )
    assert world.archivist.verify().is_clean


def test_a_child_joins_a_known_parent_of_its_person_in_another_project(world):
    store = world.archivist._store
    parent = SessionStart("hermes", external_id="root", scope=Scope("ann", project="x"), started_at=NOON)
    store.receive(parent, [Message.user("b", client_id="b")])
    child = SessionStart("hermes", external_id="child", scope=Scope("ann"), link="subagent", started_at=NOON)
    store.receive(child, [Message.user("a", client_id="a")], parent_external_id="root")
    assert store.session("child").parent_id == "root"


# ---- counts ----


def test_counts_are_of_what_may_be_seen(world):
    world.say(world.begin(A, world.begin(B), "compaction"))
    own = world.begin(Scope("owner", project="tide"))
    world.say(own)
    counts = world.archivist.counts
    assert counts() == {"conversations": 1, "sessions": 1, "messages": 1}
    assert counts(A) == {"conversations": 1, "sessions": 1, "messages": 1}
    assert counts(B) == {"conversations": 1, "sessions": 1, "messages": 0}
    assert counts(EVERYTHING) == {"conversations": 2, "sessions": 3, "messages": 2}
