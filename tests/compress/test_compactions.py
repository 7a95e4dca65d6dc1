"""What a provider compressed by itself stays as it came, where it came; what stands before it is kept and no longer counted."""

import copy

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.compress.histories import valid
from tests.compress.making import agent, texts, user, work

from archivist import check_messages, compress
from archivist.compress.compactions import in_window, window_start
from archivist.compress.reading import total
from archivist.compress.repairing import repair
from archivist.compress.shedding import shed_pictures
from archivist.compress.summary_form import is_summary

SUMMARY = {
    "type": "compaction",
    "content": "The user builds a web shop; the basket is done.",
    "encrypted_content": "gAAAAB",
}
OPAQUE = {"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAAABx0"}
FAILED = {"type": "compaction", "content": None}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 400}}


def beside(block):
    """As LiteLLM keeps what Anthropic returns."""
    return {"provider_specific_fields": {"compaction_blocks": [block]}}


def with_items(block):
    """As Hermes keeps what OpenAI returns."""
    return {"codex_reasoning_items": [{"type": "reasoning", "encrypted_content": "r"}, block]}


def inside(block):
    return {"content": [block, {"type": "text", "text": "Now the checkout."}]}


CARRIED = [
    agent("Now the checkout.", **beside(SUMMARY)),
    agent("Now the checkout.", **with_items(OPAQUE)),
    agent("", **inside(SUMMARY)),
]


@pytest.mark.parametrize("carrying", CARRIED)
def test_a_pass_leaves_the_block_and_what_stands_before_it_as_they_are(carrying):
    before = [
        {"role": "system", "content": "You are an agent."},
        user("Build a shop."),
        *work(30, chars=2_000),
    ]
    messages = [
        *before,
        carrying,
        user("Never ship to Atlantis."),
        *work(60, start=30, chars=2_000),
        user("Go on."),
    ]
    given_messages = copy.deepcopy(messages)
    done = compress(messages, 1_200)
    assert messages == given_messages
    assert done.messages[: len(before) + 1] == messages[: len(before) + 1]
    (summary,) = [place for place, message in enumerate(done.messages) if is_summary(message)]
    assert summary > len(before)
    assert "Never ship to Atlantis." in texts(done.messages[len(before) + 1 :])
    assert done.report.before < total(messages) * 0.75
    assert done.report.after <= 1_500
    assert abs(done.report.after - total(in_window(done.messages))) < 0.15 * done.report.after


def test_what_the_provider_has_compressed_makes_no_pass_due():
    """The window that a provider reads is small again; the same messages without the block are too long."""
    messages = [user("Build a shop."), *work(60, chars=2_000), CARRIED[0], user("Go on.")]
    done = compress(messages, 6_000)
    assert done.messages == messages
    assert done.report.before < 200
    without = [message for message in messages if message is not CARRIED[0]]
    assert compress(without, 6_000).report.before > 30_000


def test_of_several_blocks_the_last_counts_and_the_others_stay_where_they_are():
    older = agent("Begun.", **beside(SUMMARY))
    newer = agent("Done with the basket.", **beside({**SUMMARY, "content": "All of it."}))
    messages = [
        user("x"),
        older,
        user("y"),
        *work(5),
        newer,
        user("z"),
        *work(40, start=5, chars=2_000),
        user("Go on."),
    ]
    assert window_start(messages) == messages.index(newer)
    done = compress(messages, 4_000).messages
    assert done[: messages.index(newer) + 1] == messages[: messages.index(newer) + 1]


def test_a_block_that_came_to_nothing_hides_nothing():
    messages = [
        user("Build a shop."),
        *work(40, chars=2_000),
        agent("Sorry.", **beside(FAILED)),
        user("Go on."),
    ]
    assert window_start(messages) is None
    done = compress(messages, 4_000)
    assert done.report.before > 20_000
    assert done.report.after < 5_000


def test_calls_made_with_the_block_keep_their_results_behind_it():
    call = {"id": "k1", "type": "function", "function": {"name": "Read", "arguments": "{}"}}
    carrying = {"role": "assistant", "content": None, "tool_calls": [call], **beside(SUMMARY)}
    result = {"role": "tool", "tool_call_id": "k1", "content": "the file\n" * 300}
    messages = [user("x"), *work(3), carrying, result, *work(40, start=3, chars=2_000), user("Go on.")]
    done = compress(messages, 4_000).messages
    at = messages.index(carrying)
    assert done[: at + 2] == messages[: at + 2]
    assert check_messages(done) == ()


def test_a_message_that_is_nothing_but_the_block_is_kept_by_repair():
    alone = {"role": "assistant", "content": None, **beside(SUMMARY)}
    messages = [user("x"), alone, user("y")]
    assert check_messages(messages) == ()
    assert all(one is other for one, other in zip(repair(messages), messages, strict=True))


def test_a_block_whose_message_sheds_its_pictures_stays_whole():
    carrying = {"role": "assistant", "content": [SUMMARY, {"type": "text", "text": "x"}]}
    messages = [{"role": "user", "content": [PICTURE]}, carrying, user("y")]
    shed = shed_pictures(messages, 100)
    assert shed.shed == 1
    assert shed.messages[1] == carrying


def test_chat_completions_have_no_such_part_and_only_what_is_whole_may_be_carried():
    """The provider's own types know no part `compaction` of a chat completion: https://github.com/openai/openai-python."""
    assert [one.rule for one in check_messages([user("x"), agent("", **inside(SUMMARY))])] == ["part"]
    for broken in ({"type": "compaction", "content": ""}, {"type": "compaction", "encrypted_content": ""}):
        found = check_messages([user("x"), agent("y", **beside(broken))])
        assert [one.rule for one in found] == ["compaction-changed"]
    assert check_messages([user("x"), agent("y", **beside(FAILED))]) == ()
    assert [one.rule for one in check_messages([user("x", **beside(SUMMARY))])] == ["compaction-changed"]


@st.composite
def with_a_block(draw):
    """A valid conversation in which the provider compressed once, at some answer."""
    messages = draw(valid(most=60))
    answers = [
        at for at, one in enumerate(messages) if one["role"] == "assistant" and not one.get("tool_calls")
    ]
    if not answers:
        return messages
    at = draw(st.sampled_from(answers))
    block = draw(st.sampled_from([SUMMARY, OPAQUE]))
    messages[at] = {**messages[at], **(beside(block) if block is SUMMARY else with_items(block))}
    return messages


@settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow])
@given(with_a_block(), st.integers(200, 2_000))
def test_wherever_the_block_stands_a_pass_is_valid_and_leaves_it_and_all_before_it(messages, target):
    start = window_start(messages)
    done = compress(messages, target)
    assert check_messages(done.messages) == ()
    if start is not None:
        assert done.messages[: start + 1] == messages[: start + 1]
    again = compress(done.messages, target)
    assert check_messages(again.messages) == ()
    if start is not None:
        assert again.messages[: start + 1] == messages[: start + 1]
