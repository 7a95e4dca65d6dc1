"""What is taken back is gone for the model and stays for its owner; what is given back is exactly what it was."""

import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import Clock
from tests.store.lines import compact, ids, texts

from archivist.records import Message, Scope, SessionStart
from archivist.store import StateStore
from archivist.store.lines import lineage_of
from archivist.store.messages import set_states
from archivist.store.sessions import require_session
from archivist.store.undoing import NothingToRedo, NothingToUndo, plan_undo, redo, undo

START = SessionStart("cli")


def take_back(store, session, *, to=None, turns=1, scopes=None, now=None):
    def change(db):
        key = require_session(db, session).key
        plan = plan_undo(db, key, to=to, turns=turns, scopes=scopes)
        undo(db, plan, now=now or store._world.now())
        return plan

    return store.write(change)


def give_back(store, session, *, scopes=None):
    return store.write(
        lambda db: redo(db, require_session(db, session).key, scopes=scopes, now=store._world.now())
    )


def say(store, session, *said):
    return store.append(
        session, [Message.user(text) if text.startswith("u") else Message.assistant(text) for text in said]
    )


def states(store):
    return dict(store.reader().execute("SELECT id, state FROM messages").fetchall())


@pytest.fixture
def chat(store):
    session = store.start(START)
    say(store, session, "u1", "a1", "u2", "a2")
    return session


def test_the_last_turn_is_taken_back_and_given_back(store, chat):
    plan = take_back(store, chat)
    assert texts(store.context(chat)) == ["u1", "a1"]
    assert (plan.message, plan.taken) == (3, 2)
    assert texts(store.lineage(chat)) == ["u1", "a1", "u2", "a2"]
    assert give_back(store, chat).messages == 2
    assert texts(store.context(chat)) == ["u1", "a1", "u2", "a2"]
    assert store.verify().is_clean


def test_appending_goes_on_after_what_is_left(store, chat):
    take_back(store, chat)
    say(store, chat, "u3")
    assert texts(store.context(chat)) == ["u1", "a1", "u3"]
    with pytest.raises(NothingToRedo, match=f"sessions show {chat} --around 3"):
        give_back(store, chat)


def test_a_message_before_compactions_is_taken_back_with_all_that_they_began(store, chat, clock):
    before = texts(store.context(chat))
    later = say(store, chat, "u3", "a3")
    child = compact(store, chat, keep=1)
    say(store, chat, "u4")
    grandchild = compact(store, chat, keep=2)
    say(store, chat, "u5")
    seen = ids(store.context(chat))
    take_back(store, grandchild, to=later[0])
    assert texts(store.context(grandchild)) == texts(store.context(child)) == before
    assert {state for key, state in states(store).items() if key < later[0]} == {"active"}
    [new] = say(store, child, "u6")
    assert store.lineage(chat)[-1].session_id != child
    assert [m.session_id for m in store.lineage(chat) if m.id == new] == [chat]
    take_back(store, chat)
    give_back(store, chat)
    assert texts(store.context(chat)) == [*before, "u6"]
    take_back(store, chat)
    assert len(seen) == 4
    give_back(store, chat)
    with pytest.raises(NothingToRedo, match="gone on"):
        give_back(store, chat)
    assert store.verify().is_clean


def test_the_line_of_a_session_that_was_taken_back_is_that_of_its_parent(store, chat, clock):
    child = compact(store, chat)
    take_back(store, chat, to=1)
    db = store.reader()
    root = require_session(db, chat).key
    assert lineage_of(db, require_session(db, child).key) == lineage_of(db, root) == [root]
    assert texts(store.context(child)) == []
    assert "summary of what was said" in texts(store.lineage(child))


def test_a_branch_and_what_was_undone_stay_as_they_are(store, chat):
    [extra] = say(store, chat, "u3")
    store.write(lambda db: set_states(db, [(extra, "branch")]))
    take_back(store, chat, to=1)
    assert states(store)[extra] == "branch"
    give_back(store, chat)
    assert states(store)[extra] == "branch"


@pytest.mark.parametrize(("to", "turns"), [(2, 1), (99, 1), (None, 3), (None, 10**6)])
def test_what_is_no_turn_of_the_users_is_refused_and_nothing_changes(store, chat, to, turns):
    with pytest.raises(NothingToUndo, match=f"sessions show {chat}"):
        take_back(store, chat, to=to, turns=turns)
    assert set(states(store).values()) == {"active"}


def test_a_summary_is_no_turn(store, chat, clock):
    compact(store, chat, keep=0)
    plan = take_back(store, chat)
    assert plan.message == 3


def test_with_nothing_taken_back_there_is_nothing_to_redo(store, chat):
    with pytest.raises(NothingToRedo, match="nothing was taken back"):
        give_back(store, chat)
    take_back(store, chat)
    give_back(store, chat)
    with pytest.raises(NothingToRedo, match="nothing was taken back"):
        give_back(store, chat)


def test_a_compaction_since_is_going_on(store, chat, clock):
    take_back(store, chat)
    compact(store, chat)
    with pytest.raises(NothingToRedo, match="gone on"):
        give_back(store, chat)


def test_what_may_not_be_seen_is_not_taken_back(store, clock):
    root = store.start(SessionStart("cli", scope=Scope("ann", project="a")))
    (first,) = say(store, root, "u1")
    child = store.start(
        SessionStart("cli", parent_id=root, link="compaction", scope=Scope("ann", project="b"))
    )
    say(store, child, "u2")
    own = frozenset({store.reader().execute("SELECT scope FROM sessions WHERE id = ?", (child,)).get})
    with pytest.raises(NothingToUndo):
        take_back(store, child, to=first, scopes=own)
    with pytest.raises(NothingToUndo):
        take_back(store, child, turns=2, scopes=own)
    take_back(store, child, scopes=own)
    assert states(store)[first] == "active"


def test_an_import_does_not_bring_back_what_was_taken_back(store):
    start = SessionStart("claude-code", external_id="x")
    told = [
        Message.user("u1", client_id="1"),
        Message.assistant("a1", client_id="2"),
        Message.user("u2", client_id="3"),
    ]
    store.receive(start, told)
    take_back(store, "x", to=1)
    store.receive(start, [*told, Message.assistant("a2", client_id="4")])
    assert texts(store.context("x")) == ["a2"]
    assert [m.state for m in store.lineage("x")] == ["undone", "undone", "undone", "active"]


def test_an_import_of_what_its_program_took_back_is_taken_back(store):
    start = SessionStart("hermes", external_id="x")
    store.receive(
        start, [Message.user("u1", client_id="1"), Message("user", "u2", client_id="2", state="undone")]
    )
    assert texts(store.context("x")) == ["u1"]
    with pytest.raises(NothingToRedo):
        give_back(store, "x")


def test_an_import_does_not_compact_again_what_an_undo_gave_the_model(store):
    start = SessionStart("hermes", external_id="x")
    told = [Message("user", f"u{n}", client_id=str(n), state="compacted") for n in range(3)]
    store.receive(start, [*told, Message.user("u3", client_id="3")])
    take_back(store, "x", to=3)
    assert texts(store.context("x")) == ["u0", "u1"]
    store.receive(start, [*told, Message.user("u3", client_id="3")])
    assert texts(store.context("x")) == ["u0", "u1"]


def test_what_a_source_adds_to_a_session_that_was_taken_back_goes_on_where_the_conversation_does(store):
    parent, child = SessionStart("x", external_id="p"), SessionStart("x", external_id="c", link="compaction")
    store.receive(parent, [Message.user("u1", client_id="1"), Message.user("u2", client_id="2")])
    store.receive(child, [Message.user("u3", client_id="3")], parent_external_id="p")
    take_back(store, "c", to=2)
    store.receive(
        child, [Message.user("u3", client_id="3"), Message.user("u4", client_id="4")], parent_external_id="p"
    )
    assert texts(store.context("c")) == ["u1", "u4"]


# ---- any course of things, beside a plain model ----

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.integers(1, 3)),
        st.tuples(st.just("compact"), st.integers(0, 3)),
        st.tuples(st.just("undo"), st.integers(0, 9)),
        st.tuples(st.just("redo"), st.just(0)),
    ),
    min_size=1,
    max_size=14,
)


class Model:
    """What a conversation is, as plainly as can be: before each message, what was there."""

    def __init__(self) -> None:
        self.context: list[int] = []
        self.states: dict[int, str] = {}
        self.turns: list[int] = []
        self.before: dict[int, tuple[list[int], dict[int, str], list[int]]] = {}
        self.undone: list[tuple[list[int], dict[int, str], list[int]]] = []

    def snapshot(self):
        return list(self.context), dict(self.states), list(self.turns)

    def said(self, key, *, is_turn):
        self.before[key] = self.snapshot()
        self.context.append(key)
        self.states[key] = "active"
        self.undone.clear()
        if is_turn:
            self.turns.append(key)

    def compacted(self, kept, summary):
        self.before[summary] = self.snapshot()
        self.states |= {key: "compacted" for key in self.context if key not in kept}
        self.states[summary] = "active"
        self.context = [summary, *kept]
        self.undone.clear()

    def take_back(self, key):
        self.undone.append(self.snapshot())
        context, then, turns = self.before[key]
        now = {
            one: "undone" if one >= key and state in ("active", "compacted") else then.get(one, state)
            for one, state in self.states.items()
        }
        self.context, self.states, self.turns = list(context), now, list(turns)

    def give_back(self):
        self.context, self.states, self.turns = self.undone.pop()


@contextmanager
def new_store():
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        store = StateStore.open(
            home / "state.db",
            spool=home / "spool",
            media=home / "media",
            program="0.1.0",
            world=clock.surroundings(),
        )
        try:
            yield store
        finally:
            store.close()


@settings(max_examples=40, deadline=None)
@given(steps=STEPS)
def test_states_and_context_are_what_a_plain_model_says(steps):
    with new_store() as store:
        model, session = Model(), store.start(START)
        names = [session]
        for number, (what, count) in enumerate(steps):
            name = names[number % len(names)]
            if what == "say":
                for each in range(count):
                    text = f"{'u' if each % 2 == 0 else 'a'}{number}"
                    model.said(say(store, name, text)[0], is_turn=each % 2 == 0)
            elif what == "compact":
                kept = model.context[max(0, len(model.context) - count) :] if count else []
                names.append(compact(store, name, keep=min(count, len(model.context))))
                model.compacted(kept, max(states(store)))
            elif what == "undo" and model.turns:
                wanted = model.turns[count % len(model.turns)]
                take_back(store, name, to=wanted)
                model.take_back(wanted)
            elif what == "redo" and model.undone:
                give_back(store, name)
                model.give_back()
            elif what == "redo":
                with pytest.raises(NothingToRedo):
                    give_back(store, name)
            assert ids(store.context(name)) == model.context
            assert states(store) == model.states
        assert store.verify().is_clean
