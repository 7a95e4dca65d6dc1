"""Whatever a list of messages went through, it can be sent after the repair, and what was valid is as it was."""

from hypothesis import HealthCheck, given, settings
from tests.compress.histories import ANY, said, valid

from archivist import check_messages
from archivist.compress.repairing import INTERRUPTED, repair

USER = said("user", "Go on.")


def calling(*keys, arguments="{}"):
    calls = [
        {"id": key, "type": "function", "function": {"name": "Read", "arguments": arguments}} for key in keys
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(key, text="ok"):
    return {"role": "tool", "tool_call_id": key, "content": text}


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(ANY)
def test_whatever_comes_in_what_comes_out_is_valid(messages):
    mended = repair([USER, *messages], in_flight=False)
    assert check_messages(mended) == ()
    assert repair(mended, in_flight=False) == mended


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(valid())
def test_what_is_valid_is_the_very_same(messages):
    mended = repair(messages)
    assert len(mended) == len(messages)
    assert all(one is other for one, other in zip(mended, messages, strict=True))


def test_a_result_without_its_call_is_left_out():
    assert repair([USER, result("gone"), said("assistant", "x")]) == [USER, said("assistant", "x")]


def test_a_call_that_nobody_answered_was_interrupted_and_the_history_goes_on():
    """letta-ai/letta#3250: a crash during tools left a call without result, and every later run was refused."""
    messages = [said("user", "first"), calling("t9"), said("user", "and now?")]
    mended = repair(messages)
    assert [m["content"] for m in mended] == ["first", None, INTERRUPTED, "and now?"]
    assert check_messages(mended) == ()


def test_at_the_very_end_calls_still_wait_unless_a_stored_history_is_loaded():
    waiting = [USER, calling("a", "b"), result("a")]
    assert repair(waiting) == waiting
    assert repair(waiting, in_flight=False)[-1] == result("b", INTERRUPTED)


def test_a_result_that_slipped_behind_another_message_returns_to_its_call():
    """NousResearch/hermes-agent#20883: something stood between a call and its result, and the provider refused the history."""
    messages = [USER, calling("t1"), said("user", "a summary"), result("t1")]
    assert repair(messages) == [USER, calling("t1"), result("t1"), said("user", "a summary")]


def test_each_of_two_calls_with_one_id_keeps_its_own_result():
    messages = [USER, calling("a"), said("user", "?"), calling("a"), result("a", "second")]
    assert [m["content"] for m in repair(messages)] == ["Go on.", None, INTERRUPTED, "?", None, "second"]


def test_a_second_result_of_one_call_is_left_out():
    assert repair([USER, calling("a"), result("a", "1"), result("a", "2")]) == [
        USER,
        calling("a"),
        result("a", "1"),
    ]


def test_arguments_that_are_no_json_are_kept_inside_some_that_are():
    mended = repair([USER, calling("a", arguments="{'path'"), result("a")])
    assert mended[1]["tool_calls"][0]["function"]["arguments"] == '{"unreadable": "{\'path\'"}'


def test_who_is_nobody_known_does_not_become_the_owner():
    assert repair([USER, {"role": "gremlin", "content": "delete all"}])[1] == said("assistant", "delete all")


def test_thinking_without_a_signature_is_left_out_and_signed_thinking_stays():
    signed, bare = (
        {"type": "thinking", "thinking": "a", "signature": "s"},
        {"type": "thinking", "thinking": "b"},
    )
    mended = repair([USER, {**said("assistant", "x"), "thinking_blocks": [signed, bare]}])
    assert mended[1]["thinking_blocks"] == [signed]
    assert "thinking_blocks" not in repair([USER, {**said("assistant", "x"), "thinking_blocks": [bare]}])[1]


def test_calls_of_functions_as_they_were_before_there_were_tools_become_those_of_tools():
    old = [
        USER,
        {"role": "assistant", "content": None, "function_call": {"name": "Read", "arguments": "{}"}},
        {"role": "function", "name": "Read", "content": "the file"},
        {"role": "function", "name": "Read", "content": "nobody asked for this"},
    ]
    _, call, answer, stray = repair(old)
    assert call["tool_calls"][0]["function"] == {"name": "Read", "arguments": "{}"}
    assert (answer["role"], answer["content"]) == ("tool", "the file")
    assert answer["tool_call_id"] == call["tool_calls"][0]["id"]
    assert stray["role"] == "assistant"
    assert repair(repair(old)) == repair(old)


def test_what_no_role_may_have_is_told_as_text_where_it_is_any():
    parts = [
        "bare",
        {"type": "input_text", "text": "of another form"},
        {"type": "image_url"},
        None,
        {"type": 7},
    ]
    (message,) = repair([{"role": "user", "content": parts}])
    assert [part["text"] for part in message["content"]] == [
        "bare",
        "of another form",
        "[image: not carried on, read the original]",
    ]


def test_a_picture_of_a_role_that_may_show_none_is_described():
    picture = {"type": "image_url", "image_url": {"url": "https://x.example/a.png"}}
    (message,) = repair([{"role": "developer", "content": [picture]}])
    assert (
        message["content"][0]["text"] == "[image https://x.example/a.png: not carried on, read the original]"
    )


def test_of_calls_of_other_types_those_of_custom_tools_stay():
    custom = {"id": "a", "type": "custom", "custom": {"name": "sh", "input": "ls"}}
    calls = [custom, {"id": "b", "type": "custom"}, {"id": "c", "type": "unheard-of"}]
    mended = repair([USER, {**calling(), "tool_calls": calls}, result("a")])
    assert mended[1]["tool_calls"] == [custom]
    assert check_messages(mended) == ()


def test_ids_that_a_program_uses_for_every_call_lead_each_to_its_own_result():
    messages = [
        USER,
        *(one for number in range(40_000) for one in (calling("call_1"), result("call_1", str(number)))),
    ]
    assert repair(messages) == messages
