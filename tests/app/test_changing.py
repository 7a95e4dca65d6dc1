"""What an owner does to a conversation, through the door that programs use."""

import pytest
from tests.conftest import Clock
from tests.store.lines import compact, texts

from archivist import (
    EVERYTHING,
    AmbiguousSession,
    Archivist,
    Message,
    NothingToRedo,
    NothingToUndo,
    Scope,
    TitleTaken,
    UnknownSession,
)
from archivist.records import SessionStart

ANN, BOB = Scope("ann"), Scope("bob")


@pytest.fixture
def archivist(tmp_path):
    with Archivist.open(tmp_path / "home", clock=Clock(), environ={}) as opened:
        yield opened


@pytest.fixture
def chat(archivist):
    session = archivist.sessions.start("cli")
    session.append_many(
        [
            Message.user("Where does the lantern stand?"),
            Message.assistant("On the pier."),
            Message.user("And the anchor?"),
            Message.assistant("In the shed."),
        ]
    )
    return session


def found(archivist, words, **asked):
    return {hit.message_id for hit in archivist.sessions.search(words, **asked).hits}


def test_a_conversation_is_named_by_its_title_whatever_its_capitals(archivist, chat):
    assert archivist.sessions.read("where does the LANTERN stand?").session.id == chat.id
    archivist.sessions.rename("Where does the lantern stand?", "Harbour")
    assert archivist.sessions.read(" harbour").session.title == "Harbour"
    with pytest.raises(UnknownSession):
        archivist.sessions.read("Where does the lantern stand?")


def test_an_id_comes_before_a_title_and_a_title_before_the_beginning_of_an_id(archivist, chat):
    other = archivist.sessions.start("cli", title=chat.id)
    assert archivist.sessions.read(chat.id).session.id == chat.id
    archivist.sessions.rename(other.id, chat.id[:6])
    assert archivist.sessions.read(chat.id[:6]).session.id == other.id


def test_a_title_that_two_projects_use_is_answered_with_the_ids(archivist):
    names = [archivist.sessions.start("cli", scope=Scope("owner", project=p), title="Plans").id for p in "xy"]
    with pytest.raises(AmbiguousSession, match=f"2 sessions \\({names[1]}, {names[0]}\\): give the id"):
        archivist.sessions.rename("plans", "Other")
    archivist.sessions.rename("plans", "Other", scope=Scope("owner", project="x"))
    assert archivist.sessions.read("plans").session.id == names[1]


def test_lists_and_readings_show_a_title_though_none_is_stored(archivist, chat):
    (listed,) = archivist.sessions.browse().sessions
    assert (listed.title, listed.title_origin) == ("Where does the lantern stand?", "derived")
    assert archivist.sessions.read(chat.id).session.title == listed.title
    assert archivist.sessions.start("cli").record().title is None
    assert archivist.sessions.browse().sessions[0].title == "Conversation of 2026-03-20"


def test_undo_says_what_was_said_and_the_search_follows(archivist, chat):
    assert found(archivist, "anchor") == {3}
    planned = archivist.sessions.undo(chat.id, dry_run=True)
    assert (planned.key, planned.messages, planned.text) == (None, 2, "And the anchor?")
    assert len(chat.messages()) == 4
    taken = archivist.sessions.undo(chat.id)
    assert (taken.message_id, taken.messages, taken.conversation_id) == (3, 2, chat.id)
    assert len(chat.messages()) == 2
    assert found(archivist, "anchor") == found(archivist, "anchor", branches=True) == set()
    assert archivist.sessions.redo(chat.id).key == taken.key
    assert found(archivist, "anchor") == {3}


def test_what_was_taken_back_can_still_be_read_by_its_id(archivist, chat):
    compact(archivist._store, chat.id)
    chat.append(Message.user("And the rope?"))
    taken = archivist.sessions.undo(chat.id, turns=3)
    chat.append(Message.user("Something else"))
    with pytest.raises(NothingToRedo, match="--around 1"):
        archivist.sessions.redo(chat.id)
    passage = archivist.sessions.read(chat.id, around=taken.message_id, window=50)
    assert [m.text for m in passage.messages][:1] == ["Where does the lantern stand?"]
    assert "And the rope?" in [m.text for m in passage.messages]
    rope = next(m.id for m in passage.messages if m.text == "And the rope?")
    assert rope in [m.id for m in archivist.sessions.read(chat.id, around=rope).messages]


def test_a_person_reads_originals_from_any_id_of_the_line(archivist, chat):
    """The internal summary stood in the place of a reply: NousResearch/hermes-agent#70846."""
    child = compact(archivist._store, chat.id)
    chat.append(Message.user("And the rope?"))
    for name in (chat.id, child):
        passage = archivist.sessions.read(name)
        assert texts(passage.messages) == [
            "Where does the lantern stand?",
            "On the pier.",
            "And the anchor?",
            "In the shed.",
            "And the rope?",
        ]
        assert [one.id for one in passage.line] == [chat.id, child]
    (summary,) = [m.id for m in chat.messages("all") if m.text.startswith("summary")]
    assert summary in [m.id for m in archivist.sessions.read(child, around=summary).messages]


def test_reading_names_forks_and_sub_agents(archivist, chat):
    fork = archivist.sessions.fork(chat.id, at=2)
    store = archivist._store
    agent = store.start(SessionStart("cli", parent_id=chat.id, link="subagent"))
    passage = archivist.sessions.read(chat.id)
    assert [(one.id, one.link) for one in passage.children] == [(fork.id, "fork"), (agent, "subagent")]
    assert [one.id for one in archivist.sessions.read(fork.id).line] == [chat.id, fork.id]
    browsed = archivist.sessions.browse()
    assert ([one.id for one in browsed.sessions], dict(browsed.forks)) == ([chat.id], {chat.id: 1})


def test_a_fork_has_a_title_of_its_own(archivist, chat):
    archivist.sessions.rename(chat.id, "Harbour")
    first, second = archivist.sessions.fork("harbour"), archivist.sessions.fork("harbour")
    assert [one.record().title for one in (first, second)] == ["Harbour (2)", "Harbour (3)"]
    named = archivist.sessions.fork("harbour", title="The other pier")
    assert archivist.sessions.read("the other PIER").session.id == named.id
    with pytest.raises(TitleTaken):
        archivist.sessions.rename(named.id, "harbour")
    archivist.sessions.rename(named.id, "Pier")
    assert archivist.sessions.read(chat.id).session.title == "Harbour"


def test_a_fork_of_a_conversation_without_a_stored_title_gets_a_number_too(archivist, chat):
    assert archivist.sessions.fork(chat.id, at=2).record().title == "Where does the lantern stand? (2)"
    assert archivist.sessions.browse().sessions[0].title == "Where does the lantern stand?"


def test_a_secret_in_a_title_is_masked(archivist, chat):
    secret = "AKIA" + "QYLPMN5HHHFPZAM2"
    assert secret not in archivist.sessions.rename(chat.id, f"rotate {secret}").title


def test_archived_conversations_are_found_by_searches_and_counted_by_lists(archivist, chat):
    archivist.sessions.archive(chat.id)
    browsed = archivist.sessions.browse()
    assert (browsed.sessions, browsed.total, browsed.archived) == ((), 0, 1)
    (shown,) = archivist.sessions.browse(shelf="archived").sessions
    assert shown.archived_at is not None
    assert found(archivist, "lantern") == {1}
    assert archivist.sessions.unarchive(chat.id).archived_at is None
    assert archivist.sessions.pin(chat.id).pinned
    assert not archivist.sessions.unpin(chat.id).pinned


def test_a_handle_is_only_for_who_may_see_the_session(archivist):
    session = archivist.sessions.start("cli", scope=ANN)
    assert archivist.sessions.get(session.id).id == session.id
    for scope in (ANN, EVERYTHING):
        assert archivist.sessions.get(session.id, scope=scope).id == session.id
    with pytest.raises(UnknownSession):
        archivist.sessions.get(session.id, scope=BOB)


ACTS = {
    "rename": lambda sessions, name, scope: sessions.rename(name, "Mine", scope=scope),
    "fork": lambda sessions, name, scope: sessions.fork(name, scope=scope),
    "undo": lambda sessions, name, scope: sessions.undo(name, scope=scope),
    "redo": lambda sessions, name, scope: sessions.redo(name, scope=scope),
    "archive": lambda sessions, name, scope: sessions.archive(name, scope=scope),
    "unarchive": lambda sessions, name, scope: sessions.unarchive(name, scope=scope),
    "pin": lambda sessions, name, scope: sessions.pin(name, scope=scope),
    "unpin": lambda sessions, name, scope: sessions.unpin(name, scope=scope),
}


@pytest.mark.parametrize("act", ACTS)
def test_a_conversation_outside_the_scope_is_unknown_by_id_and_by_title(archivist, act):
    session = archivist.sessions.start("cli", scope=ANN, title="Harbour")
    session.append(Message.user("lantern"))
    before = archivist._store.read(lambda db: db.execute("SELECT * FROM sessions").fetchall())
    for name in (session.id, "harbour", session.id[:5]):
        for scope in (BOB, None):
            with pytest.raises(UnknownSession):
                ACTS[act](archivist.sessions, name, scope)
    assert archivist._store.read(lambda db: db.execute("SELECT * FROM sessions").fetchall()) == before


def test_a_title_of_another_person_is_not_taken(archivist):
    for scope in (ANN, BOB):
        session = archivist.sessions.start("cli", scope=scope)
        assert archivist.sessions.rename(session.id, "Harbour", scope=scope).title == "Harbour"
        assert archivist.sessions.read("harbour", scope=scope).session.id == session.id


def test_an_archived_conversation_of_another_person_is_not_counted(archivist):
    for scope in (ANN, BOB):
        archivist.sessions.archive(archivist.sessions.start("cli", scope=scope).id, scope=scope)
    assert archivist.sessions.browse(scope=ANN).archived == 1


def test_nothing_to_undo_names_how_to_see_what_there_is(archivist):
    session = archivist.sessions.start("cli")
    with pytest.raises(NothingToUndo, match=f"archivist sessions show {session.id}"):
        archivist.sessions.undo(session.id)


# ---- what is given wrong ----


@pytest.mark.parametrize("turns", [0, -1])
def test_less_than_one_turn_is_refused_and_nothing_is_taken_back(archivist, chat, turns):
    with pytest.raises(ValueError, match="give 1 or more"):
        archivist.sessions.undo(chat.id, turns=turns)
    assert len(chat.messages()) == 4


def test_a_message_and_a_number_of_turns_are_not_both_taken(archivist, chat):
    with pytest.raises(ValueError, match="give one of them"):
        archivist.sessions.undo(chat.id, to=3, turns=1)
    assert len(chat.messages()) == 4


def test_undoing_a_fork_that_has_no_turns_of_its_own_says_so(archivist, chat):
    fork = archivist.sessions.fork(chat.id, at=2)
    for asked in ({}, {"to": 1}):
        with pytest.raises(NothingToUndo, match=f"in {fork.id}, a fork without turns of its own"):
            archivist.sessions.undo(fork.id, **asked)
    fork.append(Message.user("And the rope?"))
    with pytest.raises(NothingToUndo) as refused:
        archivist.sessions.undo(fork.id, turns=2)
    assert "a fork" not in str(refused.value)


SLIPS = {
    "browse": (ValueError, lambda it, chat: it.sessions.browse(shelf="bogus"), "'listed', 'archived', 'all'"),
    "usage": (ValueError, lambda it, chat: it.usage(by="bogus"), "'model', 'source', 'month'"),
    "messages": (ValueError, lambda it, chat: chat.messages("bogus"), "'context', 'all'"),
    "recall": (TypeError, lambda it, chat: it.recall(None), "query is None: give a text"),
    "search": (TypeError, lambda it, chat: it.sessions.search(5), "query is of type int: give a text"),
    "read": (TypeError, lambda it, chat: it.sessions.read(None), "named by a text"),
    "rename": (TypeError, lambda it, chat: it.sessions.rename(7, "x"), "named by a text"),
    "rename to": (TypeError, lambda it, chat: it.sessions.rename(chat.id, 7), "title is of type int"),
    "fork to": (TypeError, lambda it, chat: it.sessions.fork(chat.id, title=7), "title is of type int"),
    "get": (TypeError, lambda it, chat: it.sessions.get(None), "session_id is None"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_named_where_it_was_made(archivist, chat, slip):
    kind, call, said = SLIPS[slip]
    with pytest.raises(kind) as refused:
        call(archivist, chat)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_whose_memory_is_asked_is_always_named(archivist, chat):
    for call in (
        lambda: archivist.usage(BOB),
        lambda: archivist.sessions.get(chat.id, BOB),
        lambda: archivist.sessions.fork(chat.id, 2),
        lambda: archivist.sessions.undo(chat.id, 3),
    ):
        with pytest.raises(TypeError, match="positional"):
            call()


def test_a_list_says_what_it_is_sorted_by_and_counts_what_reading_shows(archivist, chat):
    fork = archivist.sessions.fork(chat.id)
    fork.append(Message.user("And the rope?"))
    archivist.sessions.undo(chat.id)
    browsed = archivist.sessions.browse()
    passage = archivist.sessions.read(chat.id)
    assert browsed.counts == {chat.id: len(passage.messages)} == {chat.id: 2}
    assert browsed.active == {chat.id: fork.record().last_active_at}
    whole = archivist.sessions.delete(chat.id, dry_run=True).messages
    assert (passage.left_out, whole) == (3, 5)
    shared = archivist.sessions.read(fork.id)
    assert len(shared.messages) + shared.left_out == whole
