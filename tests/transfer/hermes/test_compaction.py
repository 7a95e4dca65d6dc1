"""Telling messages, summaries and copies apart."""

from hypothesis import given
from hypothesis import strategies as st

from archivist.transfer.hermes.compaction import LightRow, plan


def rows(*told):
    """Rows from (key, time, state); a key that begins with S is a summary, with more letters words beside it."""
    return [
        LightRow(number, key.removeprefix("S"), time, state, key.startswith("S"), key != "S")
        for number, (key, time, state) in enumerate(told, 1)
    ]


def test_a_kept_tail_is_one_message_each_and_still_live():
    made = plan(
        rows(
            *[(key, time, "compacted") for time, key in enumerate("abcd")],
            ("S", 1000, "active"),
            ("c", 1000, "active"),
            ("d", 1000, "active"),
            ("e", 1060, "active"),
        )
    )
    assert made.states == {1: "compacted", 2: "compacted", 3: "active", 4: "active", 8: "active"}
    assert (made.summaries, made.copies, made.live) == ({5}, {6, 7}, ["c", "d", "e"])


def test_a_kept_head_is_recognised_too():
    made = plan(
        rows(
            *[(key, time, "compacted") for time, key in enumerate("abcd")],
            ("a", 1000, "active"),
            ("S", 1000, "active"),
            ("d", 1000, "active"),
        )
    )
    assert made.states == {1: "active", 2: "compacted", 3: "compacted", 4: "active"}
    assert made.copies == {5, 7}


def test_two_compactions_follow_each_other():
    made = plan(
        rows(
            *[(key, time, "compacted") for time, key in enumerate("abc")],
            ("S", 1000, "compacted"),
            ("c", 1000, "compacted"),
            ("d", 1060, "compacted"),
            ("S", 2000, "active"),
            ("c", 2000, "active"),
            ("d", 2000, "active"),
        )
    )
    assert made.states == {1: "compacted", 2: "compacted", 3: "active", 6: "active"}
    assert made.copies == {5, 8, 9}


def test_the_same_words_said_again_later_are_a_message():
    made = plan(rows(("yes", 0, "compacted"), ("S", 1000, "active"), ("yes", 1060, "active")))
    assert made.states == {1: "compacted", 3: "active"}


def test_words_said_twice_before_are_two_messages():
    made = plan(
        rows(("yes", 0, "compacted"), ("yes", 9, "compacted"), ("S", 1000, "active"), ("yes", 1000, "active"))
    )
    assert sorted(made.states) == [1, 2]
    assert made.copies == {4}


def test_a_summary_in_front_of_a_kept_message_hides_no_message():
    made = plan(
        rows(("a", 0, "compacted"), ("b", 1, "compacted"), ("Sb", 1000, "active"), ("c", 1060, "active"))
    )
    assert made.states == {1: "compacted", 2: "active", 4: "active"}
    assert made.copies == {3}


def test_words_that_only_a_summary_row_holds_are_a_message_and_the_tail_behind_them_is_known():
    made = plan(
        rows(("a", 0, "compacted"), ("b", 1, "compacted"), ("Snew", 1000, "active"), ("b", 1000, "active"))
    )
    assert made.states == {1: "compacted", 2: "active", 3: "active"}
    assert made.copies == {4}


def test_a_summary_written_twice_is_two_summaries():
    """NousResearch/hermes-agent#97321: the same summary row twice after one compaction."""
    made = plan(rows(("a", 0, "compacted"), ("S", 9, "active"), ("S", 9, "active"), ("a", 9, "active")))
    assert (made.summaries, made.copies, made.states) == ({2, 3}, {4}, {1: "active"})


def test_a_kept_message_that_was_taken_back_is_taken_back():
    made = plan(rows(("a", 0, "compacted"), ("S", 9, "active"), ("a", 9, "undone")))
    assert made.states == {1: "undone"}


def test_a_split_session_begins_with_what_its_parent_ended_with():
    made = plan(rows(("S", 9, "active"), ("y", 9, "active"), ("z", 70, "active")), ["x", "y"])
    assert (made.copies, made.states) == ({2}, {3: "active"})


KEYS = st.sampled_from(["a", "b", "c", "S", "Sa"])
ROWS = st.lists(
    st.tuples(KEYS, st.none() | st.integers(0, 20), st.sampled_from(["active", "compacted", "undone"]))
)


@given(ROWS, st.lists(st.sampled_from("abc"), max_size=4))
def test_every_row_is_exactly_one_thing(told, inherited):
    made = plan(rows(*told), inherited)
    assert sorted([*made.states, *made.summaries, *made.copies]) == list(range(1, len(told) + 1))


def test_a_message_that_was_taken_back_is_not_the_one_that_was_kept():
    made = plan(rows(("yes", 0, "compacted"), ("yes", 5, "undone"), ("S", 9, "active"), ("yes", 9, "active")))
    assert made.states == {1: "active", 2: "undone"}
    made = plan(rows(("a", 0, "undone"), ("b", 5, "compacted"), ("S", 9, "active"), ("a", 9, "active")))
    assert made.states == {1: "undone", 2: "compacted", 4: "active"}
