"""Head and tail stay; no bound falls between a call and its result; the newest request is among what stays."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.compress.histories import valid
from tests.compress.making import agent, exchange, read, user, work

from archivist.compress.bounding import find_bounds
from archivist.prompt.fence import fenced

SYSTEM = {"role": "system", "content": "You are an agent."}


def test_the_system_prompt_and_the_first_three_messages_are_the_head():
    messages = [SYSTEM, user("a"), agent("b"), user("c"), *work(20), user("now?"), agent("yes")]
    assert (
        find_bounds(read(messages), 2_000).head_end == 3
    )  # a summary of the user's may not follow a user's message


def test_the_head_ends_behind_the_results_of_its_last_call():
    messages = [SYSTEM, user("a"), *exchange("t", "ok"), agent("b"), *work(20), user("now?")]
    bounds = find_bounds(read(messages), 2_000)
    assert messages[bounds.head_end - 1]["role"] == "tool"


def test_a_head_that_costs_too_much_is_shorter():
    messages = [SYSTEM, user("x" * 9_000), agent("b"), *work(20), user("now?"), agent("yes")]
    assert find_bounds(read(messages), 2_000).head_end == 1


def test_the_tail_is_the_last_exchanges_that_fit_and_never_begins_with_a_result():
    messages = [SYSTEM, user("a"), agent("b"), user("c"), *work(40)]
    bounds = find_bounds(read(messages), 4_000)
    assert messages[bounds.tail_start]["role"] == "assistant"
    assert 2 <= len(messages) - bounds.tail_start < 30


def test_the_newest_request_is_carried_to_the_tail_when_its_turn_has_outgrown_it():
    messages = [SYSTEM, user("a"), agent("b"), *work(5), user("now do B"), *work(40, start=5)]
    bounds = find_bounds(read(messages), 3_000)
    assert messages[bounds.request]["content"] == "now do B"
    assert bounds.request < bounds.tail_start


def test_what_only_tells_the_model_something_is_no_request_of_the_users():
    messages = [SYSTEM, user("a"), agent("b"), *work(5), user("now do B"), *work(40, start=5)]
    messages.insert(30, user(fenced("Your last reply had no words.")))
    bounds = find_bounds(read(messages), 3_000)
    assert messages[bounds.request]["content"] == "now do B"


def test_a_delegated_session_of_one_request_and_two_hundred_steps_keeps_its_request():
    """NousResearch/hermes-agent PR 59122: all of the user's turns fell in the middle, and a history without any was refused."""
    messages = [SYSTEM, user("do it all"), *work(100)]
    bounds = find_bounds(read(messages), 3_000)
    assert bounds.is_request_above
    assert bounds.head_end >= 2


@pytest.mark.parametrize("first", [[user("a"), agent("b")], [user("a")], [user("a"), agent("b"), user("c")]])
@pytest.mark.parametrize("last", [[user("z")], [agent("y")], [user("z"), agent("y")]])
def test_nobody_speaks_twice_in_a_row_around_a_summary(first, last):
    """NousResearch/hermes-agent PR 1720: a summary of the user's stood beside a message of the user's, and was refused."""
    messages = [SYSTEM, *first, *work(30), *last]
    bounds = find_bounds(read(messages), 2_000)
    before = messages[bounds.head_end - 1]["role"]
    after = messages[bounds.tail_start]["role"]
    assert bounds.role not in {before, after}


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(valid(), st.integers(50, 4_000))
def test_bounds_hold_for_every_conversation(messages, target):
    bounds = find_bounds(read(messages), target)
    assert 0 <= bounds.head_end <= bounds.tail_start <= len(messages)
    for end in (bounds.head_end, bounds.tail_start):
        assert end == len(messages) or messages[end]["role"] != "tool"
    newest = max(at for at, message in enumerate(messages) if message["role"] == "user")
    assert newest < bounds.head_end or newest >= bounds.tail_start or newest == bounds.request
