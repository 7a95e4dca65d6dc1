"""What a provider would refuse is told, with the place and the rule; what it would take is not."""

import pytest

from archivist import UnknownProvider, check_messages

USER = {"role": "user", "content": "Look into it."}


def call(key="c1", name="Read", arguments="{}"):
    return {"id": key, "type": "function", "function": {"name": name, "arguments": arguments}}


def calling(*calls):
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def result(key="c1", text="ok"):
    return {"role": "tool", "tool_call_id": key, "content": text}


def rules(messages, provider="openai", **more):
    return [one.rule for one in check_messages(messages, provider, **more)]


def test_a_conversation_with_parallel_calls_and_pictures_is_valid():
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "What is this?"}, picture]},
        calling(call("a"), call("b")),
        result("b"),
        result("a"),
        {"role": "assistant", "content": "A cat."},
    ]
    assert check_messages(messages) == ()


@pytest.mark.parametrize(
    ("messages", "rule"),
    [
        ([USER, result()], "orphan-result"),
        ([USER, calling(call()), USER, result()], "call-without-result"),
        ([USER, calling(call())], "call-without-result"),
        ([USER, calling(call(arguments="{'a': 1}")), result()], "arguments"),
        ([USER, calling(call(arguments='"a"')), result()], "arguments"),
        ([USER, calling(call(), call()), result()], "call-twice"),
        ([USER, calling(), {"role": "assistant", "content": "x"}], "calls"),
        ([USER, {"role": "assistant", "content": ""}], "empty"),
        ([USER, {"role": "user", "content": None}], "empty"),
        ([USER, {"role": "robot", "content": "x"}], "role"),
        ([{"role": "assistant", "content": "x"}], "no-user"),
        ([{**USER, "tool_calls": [call()]}, result()], "calls-of-others"),
        ([USER, {"role": "user", "content": [{"type": "image_url"}]}], "part"),
        ([USER, {"role": "system", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}], "part"),
        (
            [USER, {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}],
            "unsigned-thinking",
        ),
        ([USER, "hello"], "not-a-message"),
    ],
)
def test_what_chat_completions_refuse_is_named(messages, rule):
    assert rule in rules(messages)


def test_ids_of_calls_may_be_used_again_once_they_are_answered():
    assert rules([USER, calling(call()), result(), calling(call()), result()]) == []


def test_calls_at_the_end_may_wait_only_where_that_is_said():
    waiting = [USER, calling(call("a"), call("b")), result("a")]
    assert rules(waiting) == ["call-without-result"]
    assert rules(waiting, in_flight=True) == []


def test_who_speaks_twice_in_a_row_is_told_where_turns_must_alternate():
    messages = [USER, USER, {"role": "assistant", "content": "x"}]
    assert rules(messages) == []
    assert rules(messages, alternating=True) == ["same-speaker"]


def use(key="t1", **more):
    return {"type": "tool_use", "id": key, "name": "Read", "input": {}} | more


def given(key="t1"):
    return {"type": "tool_result", "tool_use_id": key, "content": "ok"}


def test_anthropics_blocks_with_signed_thinking_are_valid():
    thinking = {"type": "thinking", "thinking": "hm", "signature": "EqQB"}
    messages = [
        USER,
        {"role": "assistant", "content": [thinking, use("a"), use("b")]},
        {"role": "user", "content": [given("a"), given("b"), {"type": "text", "text": "go on"}]},
        {"role": "assistant", "content": "Done."},
    ]
    assert check_messages(messages, "anthropic") == ()


@pytest.mark.parametrize(
    ("messages", "rule"),
    [
        ([{"role": "system", "content": "x"}, USER], "role"),
        ([{"role": "assistant", "content": "x"}, USER], "first-not-user"),
        ([USER, {"role": "assistant", "content": [use()]}, USER], "call-without-result"),
        ([{"role": "user", "content": [given()]}], "orphan-result"),
        (
            [
                USER,
                {"role": "assistant", "content": [use(input="{}")]},
                {"role": "user", "content": [given()]},
            ],
            "arguments",
        ),
        (
            [
                USER,
                {"role": "assistant", "content": [use()]},
                {"role": "user", "content": [{"type": "text", "text": "x"}, given()]},
            ],
            "results-not-first",
        ),
        (
            [USER, {"role": "assistant", "content": [{"type": "thinking", "thinking": "x"}, use()]}],
            "unsigned-thinking",
        ),
        (
            [
                USER,
                {"role": "assistant", "content": [{"type": "thinking", "thinking": "x", "signature": "y"}]},
            ],
            "thinking-last",
        ),
        ([USER, {"role": "assistant", "content": "x "}], "trailing-space"),
        ([USER, {"role": "assistant", "content": ""}, USER], "empty"),
        ([{"role": "user", "content": [{"type": "text", "text": " "}]}], "empty"),
    ],
)
def test_what_anthropics_messages_refuse_is_named(messages, rule):
    assert rule in rules(messages, "anthropic")


def test_an_id_of_anthropics_is_used_once_in_a_conversation():
    exchange = [{"role": "assistant", "content": [use()]}, {"role": "user", "content": [given()]}]
    assert rules([USER, *exchange, *exchange], "anthropic") == ["call-twice"]


def item(kind, **more):
    return {"type": kind, **more}


def test_items_of_responses_are_paired_by_their_ids():
    made = item("function_call", call_id="c", name="shell", arguments="{}")
    answer = item("function_call_output", call_id="c", output="ok")
    reasoning = item("reasoning", id="rs_1", summary=[])
    assert rules([USER, reasoning, made, answer], "responses") == []
    assert rules([USER, answer], "responses") == ["orphan-result"]
    assert rules([USER, made, {"role": "user", "content": "and?"}], "responses") == ["call-without-result"]
    assert rules([USER, made], "responses", in_flight=True) == []
    assert rules([USER, {**made, "arguments": "x"}, answer], "responses") == ["arguments"]
    assert rules([USER, item("reasoning", summary=[]), made, answer], "responses") == ["unsigned-thinking"]


def test_a_form_that_nobody_has_described_is_refused_by_name():
    with pytest.raises(UnknownProvider, match="responses"):
        check_messages([USER], "smoke-signals")


def test_every_violation_says_where_and_why():
    (found,) = check_messages([USER, result("zz")])
    assert (found.place, found.rule) == (1, "orphan-result")
    assert "zz" in str(found)
