"""A parent that comes late: its children join it, and nothing is lost on the way."""

from datetime import UTC

import pytest
from msgspec.structs import replace
from tests.store.test_undoing import give_back, take_back

from archivist.recall.request import SearchRequest
from archivist.recall.search import search
from archivist.records import EVERYTHING, Message, Scope, SessionStart
from archivist.store.index.search_index import SearchIndex

PARENT = SessionStart("claude-code", external_id="parent")
CHILD = SessionStart("claude-code", external_id="child", link="compaction")
GRANDCHILD = SessionStart("claude-code", external_id="grandchild", link="subagent")


def told(*texts):
    return [Message.user(text, client_id=f"id-{text}") for text in texts]


def conversations(store):
    rows = store.reader().execute(
        "SELECT s.id, root.id, parent.id, s.link FROM sessions AS s JOIN sessions AS root ON root.key = s.conversation"
        " LEFT JOIN sessions AS parent ON parent.key = s.parent"
    )
    return {name: rest for name, *rest in rows}


JOINED = {
    "parent": ["parent", None, None],
    "child": ["parent", "parent", "compaction"],
    "grandchild": ["parent", "child", "subagent"],
}


@pytest.fixture
def children(store):
    """A child and a grandchild whose parent is not here."""
    store.receive(CHILD, told("c1", "c2"), parent_external_id="parent")
    store.receive(GRANDCHILD, told("g1"), parent_external_id="child")
    return store


def test_the_parents_arrival_attaches_its_children_though_they_are_not_received_again(children):
    children.receive(PARENT, told("p1"))
    assert conversations(children) == JOINED
    assert [m.text for m in children.lineage("child")] == ["p1", "c1", "c2"]
    assert children.session("child").metadata == {}
    assert children.verify().is_clean


def test_a_child_that_is_received_again_is_attached(children, store):
    """As where an earlier version did not remember what a child waits for."""
    store.write(lambda db: db.execute("DELETE FROM meta WHERE key LIKE 'waiting%'"))
    store.receive(PARENT, told("p1"))
    assert conversations(store)["child"] == ["child", None, None]
    receipt = store.receive(CHILD, told("c1", "c2", "c3"), parent_external_id="parent")
    assert (receipt.added, receipt.known) == (1, 2)
    assert conversations(store) == JOINED
    assert store.verify().is_clean


@pytest.mark.parametrize(
    "order",
    [("grandchild", "child", "parent"), ("grandchild", "parent", "child"), ("child", "grandchild", "parent")],
)
def test_any_order_ends_the_same(store, order):
    for _ in range(2):
        for name in order:
            start, texts, parent = {
                "parent": (PARENT, ("p1",), None),
                "child": (CHILD, ("c1", "c2"), "parent"),
                "grandchild": (GRANDCHILD, ("g1",), "child"),
            }[name]
            store.receive(start, told(*texts), parent_external_id=parent)
    assert conversations(store) == JOINED
    assert store.counts()["messages"] == 4
    assert store.verify().is_clean


def test_two_messages_under_one_client_id_both_stay(store):
    store.receive(CHILD, told("same", "c1"), parent_external_id="parent")
    store.receive(PARENT, told("same", "p1"))
    assert [m.text for m in store.lineage("parent")] == ["same", "p1", "same", "c1"]
    assert [m.client_id for m in store.lineage("parent")] == ["id-same", "id-p1", "id-same~child", "id-c1"]
    receipt = store.receive(CHILD, told("same", "c1"), parent_external_id="parent")
    assert (receipt.added, receipt.known) == (0, 2)
    assert store.verify().is_clean


def test_people_do_not_join(store):
    store.receive(replace(CHILD, scope=Scope("ann")), told("c1"), parent_external_id="parent")
    store.receive(replace(PARENT, scope=Scope("bob")), told("p1"))
    store.receive(replace(CHILD, scope=Scope("ann")), told("c1"), parent_external_id="parent")
    assert conversations(store)["child"] == ["child", None, None]
    assert [m.text for m in store.lineage("child")] == ["c1"]


def test_each_session_keeps_its_own_project(store):
    store.receive(replace(CHILD, scope=Scope("ann", project="x")), told("c1"), parent_external_id="parent")
    store.receive(replace(PARENT, scope=Scope("ann", project="y")), told("p1"))
    assert conversations(store)["child"][0] == "parent"
    assert store.session("child").scope == Scope("ann", project="x")


def test_sessions_that_name_each_other_do_not_go_in_circles(store):
    one, two = (SessionStart("x", external_id=name, link="compaction") for name in ("one", "two"))
    for _ in range(3):
        store.receive(one, told("1"), parent_external_id="two")
        store.receive(two, told("2"), parent_external_id="one")
        store.receive(one, told("1"), parent_external_id="one")
    assert sorted(m.text for m in store.lineage("one")) == ["1", "2"]
    assert store.verify().is_clean


def test_the_index_follows(store, tmp_path, clock):
    store.receive(CHILD, told("word c1", "word c2"), parent_external_id="parent")
    store.receive(GRANDCHILD, told("word g1"), parent_external_id="child")
    index = SearchIndex(tmp_path / "index.db", store.reader)
    try:
        index.catch_up(None)
        store.receive(PARENT, told("word p1"))
        index.catch_up(None)
        request = SearchRequest(
            "word", reader=EVERYTHING, conversation="parent", limit=9, now=clock(), zone=UTC
        )
        assert len(search(store.reader(), index, request).hits) == 4
    finally:
        index.close()


def test_what_was_taken_back_in_a_child_can_be_given_back_after_it_joined(children, store):
    take_back(store, "child")
    store.receive(PARENT, told("p1"))
    assert [m.text for m in store.context("parent")] == ["c1"]
    give_back(store, "child")
    assert [m.text for m in store.context("parent")] == ["c1", "c2"]
    assert store.verify().is_clean
