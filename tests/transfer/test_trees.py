"""Trees of messages: every node once, parents first, whatever the parents are."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from archivist.transfer.trees import Node, Tree, parents_first

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def tree(**parents):
    """Nodes by name, a second apart."""
    nodes = {
        key: Node(parent, BEGIN + timedelta(seconds=number))
        for number, (key, parent) in enumerate(parents.items())
    }
    return Tree(nodes, BEGIN)


names = st.sampled_from("abcdefghij")
times = st.none() | st.integers(0, 5).map(lambda n: BEGIN + timedelta(seconds=n))
forests = st.dictionaries(names, st.builds(Node, st.none() | names | st.just("lost"), times))


@given(forests, st.none() | names)
def test_any_parents_make_a_tree_with_every_node_once_and_parents_first(nodes, leaf):
    made = Tree(nodes, BEGIN)
    assert sorted(made.order) == sorted(nodes)
    places = {key: place for place, key in enumerate(made.order)}
    assert all(places[parent] < places[key] for key, parent in made.parents.items() if parent)
    assert all(made.times[key] == node.time for key, node in nodes.items() if node.time)
    leaf = leaf if leaf in nodes else next(made.leaves(), None)
    path = made.path_to(leaf)
    assert path <= set(nodes)
    assert not nodes or leaf in path
    assert all(made.parents[key] in {None, *path} for key in path)
    assert all(key in nodes for key in made.leaves())


@given(forests, st.lists(st.tuples(names.map(str.upper), names), max_size=4))
def test_a_tree_that_grows_adds_at_the_end(nodes, grown):
    later = {
        key: Node(parent, BEGIN + timedelta(days=number + 1))
        for number, (key, parent) in enumerate(dict(grown).items())
    }
    later = {key: node for key, node in later.items() if node.parent in nodes}
    before = Tree(nodes, BEGIN).order
    assert Tree(nodes | later, BEGIN).order[: len(before)] == before


def test_a_circle_is_opened_and_its_nodes_stay():
    made = tree(a=None, b="a", x="z", y="x", z="y", me="me")
    assert sorted(made.order) == sorted(["a", "b", "x", "y", "z", "me"])
    assert made.path_to("b") == {"a", "b"}


def test_a_missing_parent_hides_nothing_that_came_before():
    assert tree(a=None, b="a", c="lost", d="c").path_to("d") == {"a", "b", "c", "d"}
    left = tree(a=None, b="a", old="a", new="a", c="lost", d="c")
    assert left.path_to("d") == {"a", "new", "c", "d"}


def test_a_time_comes_from_above():
    nodes = {"a": Node(None, None), "b": Node("a", BEGIN), "c": Node("b", None), "d": Node("c", None)}
    unknown = datetime(1970, 1, 1, tzinfo=UTC)
    assert list(Tree(nodes, unknown).times.values()) == [unknown, BEGIN, BEGIN, BEGIN]


def test_a_chain_of_any_length_needs_no_recursion():
    made = tree(**{f"n{number}": f"n{number - 1}" if number else None for number in range(100_000)})
    assert len(made.path_to("n99999")) == 100_000
    assert made.order[-1] == "n99999"
    assert sum(1 for _ in made.above("n99999")) == 99_999


@given(st.dictionaries(names, st.none() | names | st.just("lost")))
def test_keys_stand_behind_their_parents_and_each_circle_is_opened_once(parents):
    order, let_go = parents_first(parents)
    assert sorted(order) == sorted(parents)
    places = {key: place for place, key in enumerate(order)}
    kept = {key: parent for key, parent in parents.items() if parent and key not in let_go}
    assert all(places[parent] < places[key] for key, parent in kept.items())
    missing = {key for key, parent in parents.items() if parent is not None and parent not in parents}
    assert missing <= let_go
    for key in let_go - missing:
        at = parents[key]
        while at != key:  # what was let go without being missing closes a circle
            at = parents[at]


def test_a_chain_of_twenty_thousand_parents_is_put_in_order():
    chain = {f"n{number}": f"n{number + 1}" for number in range(19_999)} | {"n19999": None}
    order, let_go = parents_first(chain)
    assert (order[0], order[-1], let_go) == ("n19999", "n0", set())
