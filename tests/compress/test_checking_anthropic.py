"""What Anthropic documents as refused is named: compactions, tools on its servers, instructions on the way, what a block holds."""

import pytest

from archivist import check_messages

USER = {"role": "user", "content": "Look into it."}
SAID = {"role": "assistant", "content": "Done."}
TEXT = {"type": "text", "text": "x"}
IMAGE = {"type": "image", "source": {"type": "url", "url": "https://a.example/a.png"}}
COMPACTION = {"type": "compaction", "content": "The user builds a shop."}
SIGNED = {**COMPACTION, "signature": "EuYB"}
FAILED = {"type": "compaction", "content": None}
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
CALL = {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "ok"}


def user(*blocks):
    return {"role": "user", "content": list(blocks)}


def agent(*blocks):
    return {"role": "assistant", "content": list(blocks)}


def system(content="Be brief.", **more):
    return {"role": "system", "content": content, **more}


def rules(*messages):
    return [one.rule for one in check_messages(messages, "anthropic")]


@pytest.mark.parametrize(
    "messages",
    [
        [USER, agent(COMPACTION, TEXT), USER],
        [USER, agent(FAILED, TEXT), USER],
        [USER, agent(COMPACTION, TEXT), USER, agent({**COMPACTION, "content": "More."}, TEXT)],
        [agent(COMPACTION), USER],
        [agent(COMPACTION)],
        [agent(SIGNED), SAID, USER],
        [agent(SIGNED, TEXT), USER],
        [user(SIGNED, TEXT)],
        [agent({**SIGNED, "tool_changes": [], "cache_control": {"type": "ephemeral"}}), USER],
    ],
)
def test_compaction_blocks_go_back_where_their_kind_belongs(messages):
    """Behind what they stand for those of a threshold, first of all those that are signed.

    https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand
    """
    assert rules(*messages) == []


@pytest.mark.parametrize(
    ("messages", "rule"),
    [
        ([USER, agent(SIGNED, TEXT)], "compaction-place"),
        ([user(TEXT, SIGNED)], "compaction-place"),
        ([agent(SIGNED), USER, agent({**SIGNED, "content": "More."}, TEXT)], "compaction-place"),
        ([agent(SIGNED), USER, agent(COMPACTION, TEXT)], "compaction-place"),
        ([user(COMPACTION, TEXT)], "part"),
        ([USER, agent({**COMPACTION, "content": ""}, TEXT)], "empty"),
        ([USER, agent({**COMPACTION, "citations": None}, TEXT)], "compaction-changed"),
    ],
)
def test_a_compaction_block_elsewhere_or_changed_is_named(messages, rule):
    assert rule in rules(*messages)


@pytest.mark.parametrize(
    "messages",
    [
        [USER, system()],
        [USER, system(), SAID, USER],
        [USER, system(), system([TEXT]), SAID],
        [USER, agent(CALL), user(RESULT), system(), SAID],
        [USER, agent(SEARCH, FOUND), system(), SAID],
        [{"role": "system", "content": [], "output_config": {"effort": "low"}}, USER],
        [USER, agent(CALL), {"role": "system", "output_config": {"effort": "low"}}, user(RESULT)],
    ],
)
def test_instructions_on_the_way_stand_behind_the_user(messages):
    """https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages"""
    assert rules(*messages) == []


@pytest.mark.parametrize(
    ("messages", "rule"),
    [
        ([system(), USER], "role"),
        ([USER, SAID, system()], "system-place"),
        ([USER, system(), USER], "system-place"),
        ([USER, agent(CALL), system(), user(RESULT)], "system-place"),
        ([USER, system([IMAGE])], "part"),
        ([USER, system("")], "empty"),
    ],
)
def test_instructions_elsewhere_are_named(messages, rule):
    assert rule in rules(*messages)


def test_what_a_servers_tool_was_asked_is_answered_by_the_assistant():
    asked_only = [USER, agent(TEXT, SEARCH)]
    assert rules(*asked_only) == []  # the turn was paused, and goes on
    assert rules(*asked_only, USER, SAID) == ["call-without-result"]
    assert rules(USER, agent(FOUND, TEXT)) == ["orphan-result"]
    assert rules(USER, agent(SEARCH, FOUND), USER, agent(SEARCH, FOUND)) == ["call-twice"]


def test_code_that_waits_for_a_tool_is_answered_with_the_result_alone():
    """https://platform.claude.com/docs/en/agents-and-tools/tool-use/programmatic-tool-calling"""
    code = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "code_execution", "input": {}}
    by_code = {**CALL, "caller": {"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}}
    ran = {
        "type": "code_execution_tool_result",
        "tool_use_id": "srvtoolu_1",
        "content": {"type": "code_execution_result"},
    }
    assert rules(USER, agent(code, by_code), user(RESULT), agent(ran, TEXT)) == []
    assert rules(USER, agent(code, by_code), user(RESULT, TEXT)) == ["results-not-alone"]
    assert rules(USER, agent({**CALL, "caller": {"type": "direct"}}), user(RESULT, TEXT)) == []


@pytest.mark.parametrize(
    "block",
    [
        {**RESULT, "content": [IMAGE], "is_error": True},
        {**RESULT, "content": [{"type": "tool_use", "id": "a", "name": "b", "input": {}}]},
        {**RESULT, "content": [{"type": "image"}]},
        {**RESULT, "content": [{"type": "search_result", "source": "s", "title": "t", "content": [IMAGE]}]},
    ],
)
def test_what_a_result_cannot_hold_is_named(block):
    assert rules(USER, agent(CALL), user(block)) == ["part"]


@pytest.mark.parametrize(
    "source",
    [
        {"type": "base64", "media_type": "image/bmp", "data": "AAAA"},
        {"type": "base64", "media_type": "image/png"},
        {"type": "text", "media_type": "text/plain", "data": "x"},
        {"type": "url"},
    ],
)
def test_a_picture_from_nowhere_is_named(source):
    assert rules(user({"type": "image", "source": source})) == ["part"]


def test_ids_of_calls_have_letters_and_digits_alone():
    messages = [
        USER,
        agent({**CALL, "id": "functions.Read:0"}),
        user({**RESULT, "tool_use_id": "functions.Read:0"}),
    ]
    assert rules(*messages) == ["call-id"]


def test_more_than_four_marks_for_the_cache_are_named_and_none_stand_on_thinking():
    """https://platform.claude.com/docs/en/build-with-claude/prompt-caching"""
    marked = {**TEXT, "cache_control": {"type": "ephemeral"}}
    assert rules(user(marked, marked, marked, marked)) == []
    assert rules(user(marked, marked), SAID, user({**marked}, marked, marked)) == ["cache-points"]
    thinking = {"type": "thinking", "thinking": "x", "signature": "y", "cache_control": {"type": "ephemeral"}}
    assert rules(USER, agent(thinking, TEXT)) == ["cache-points"]
