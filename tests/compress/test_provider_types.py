"""The check agrees with the providers' own types: what they know passes, and what lacks a field that they demand is named.

The types are those of the packages `anthropic` and `openai`; the samples hold a block, an item or a message of every kind of theirs.
"""

import copy
from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

anthropic_types = pytest.importorskip("anthropic.types.beta")
openai_chat = pytest.importorskip("openai.types.chat")
openai_items = pytest.importorskip("openai.types.responses.response_input_item_param")

from anthropic.types.beta.beta_content_block_param import BetaContentBlockParam  # noqa: E402
from tests.compress.provider_types import kinds_of, required, takes  # noqa: E402

from archivist import check_messages  # noqa: E402

USER = {"role": "user", "content": "Look into it."}
TEXT = {"type": "text", "text": "x"}
BLOCKS = {
    "text": TEXT,
    "image": {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}},
    "document": {
        "type": "document",
        "title": "t",
        "source": {"type": "text", "media_type": "text/plain", "data": "x"},
    },
    "search_result": {
        "type": "search_result",
        "source": "https://a.example",
        "title": "t",
        "content": [TEXT],
    },
    "thinking": {"type": "thinking", "thinking": "hm", "signature": "EqQB"},
    "redacted_thinking": {"type": "redacted_thinking", "data": "EqQB"},
    "tool_use": {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {}},
    "tool_result": {"type": "tool_result", "tool_use_id": "toolu_1", "content": [TEXT]},
    "server_tool_use": {
        "type": "server_tool_use",
        "id": "srvtoolu_1",
        "name": "web_search",
        "input": {"query": "x"},
    },
    "web_search_tool_result": {
        "type": "web_search_tool_result",
        "tool_use_id": "srvtoolu_1",
        "content": [
            {"type": "web_search_result", "title": "t", "url": "https://a.example", "encrypted_content": "Eo"}
        ],
    },
    "web_fetch_tool_result": {
        "type": "web_fetch_tool_result",
        "tool_use_id": "srvtoolu_1",
        "content": {"type": "web_fetch_tool_result_error", "error_code": "unavailable"},
    },
    "advisor_tool_result": {
        "type": "advisor_tool_result",
        "tool_use_id": "srvtoolu_1",
        "content": {"type": "advisor_result", "text": "x"},
    },
    "code_execution_tool_result": {
        "type": "code_execution_tool_result",
        "tool_use_id": "srvtoolu_1",
        "content": {
            "type": "code_execution_result",
            "stdout": "",
            "stderr": "",
            "return_code": 0,
            "content": [],
        },
    },
    "bash_code_execution_tool_result": {
        "type": "bash_code_execution_tool_result",
        "tool_use_id": "srvtoolu_1",
        "content": {"type": "bash_code_execution_tool_result_error", "error_code": "unavailable"},
    },
    "text_editor_code_execution_tool_result": {
        "type": "text_editor_code_execution_tool_result",
        "tool_use_id": "srvtoolu_1",
        "content": {"type": "text_editor_code_execution_tool_result_error", "error_code": "unavailable"},
    },
    "tool_search_tool_result": {
        "type": "tool_search_tool_result",
        "tool_use_id": "srvtoolu_1",
        "content": {"type": "tool_search_tool_search_result", "tool_references": []},
    },
    "mcp_tool_use": {
        "type": "mcp_tool_use",
        "id": "mcptoolu_1",
        "name": "ask",
        "server_name": "s",
        "input": {},
    },
    "mcp_tool_result": {
        "type": "mcp_tool_result",
        "tool_use_id": "mcptoolu_1",
        "content": [TEXT],
        "is_error": False,
    },
    "mcp_tool_listing": {"type": "mcp_tool_listing", "mcp_server_name": "s", "tools": []},
    "container_upload": {"type": "container_upload", "file_id": "file_1"},
    "compaction": {"type": "compaction", "content": "The user builds a shop.", "encrypted_content": "Eo"},
    "tool_addition": {"type": "tool_addition", "tool": {"type": "tool_reference", "name": "Read"}},
    "tool_removal": {"type": "tool_removal", "tool": {"type": "tool_reference", "name": "Read"}},
    "fallback": {"type": "fallback", "from": {"model": "claude-a"}, "to": {"model": "claude-b"}},
}
OF_USER = {"image", "document", "search_result", "tool_result", "container_upload"}
OF_SYSTEM = {"tool_addition", "tool_removal"}
CALL_FOR = {"tool_result": "tool_use", "mcp_tool_result": "mcp_tool_use"}


def around(kind, block):
    """A conversation in which a block stands where it belongs."""
    if kind in OF_SYSTEM:
        return [USER, {"role": "system", "content": [block]}]
    if kind == "tool_result":
        return [
            USER,
            {"role": "assistant", "content": [BLOCKS["tool_use"]]},
            {"role": "user", "content": [block]},
        ]
    if kind in OF_USER:
        return [{"role": "user", "content": [block]}]
    if kind == "tool_use":
        return [
            USER,
            {"role": "assistant", "content": [block]},
            {"role": "user", "content": [BLOCKS["tool_result"]]},
        ]
    if kind.endswith("_tool_result"):
        call = BLOCKS[CALL_FOR.get(kind, "server_tool_use")]
        return [USER, {"role": "assistant", "content": [call, block]}]
    return [USER, {"role": "assistant", "content": [block, TEXT]}]


def test_there_is_a_sample_of_every_kind_of_block_that_anthropics_types_know():
    assert set(BLOCKS) == {name for name, _ in kinds_of(BetaContentBlockParam)}


@pytest.mark.parametrize("kind", BLOCKS)
def test_every_kind_of_block_passes_where_it_belongs(kind):
    messages = around(kind, BLOCKS[kind])
    assert takes(list[anthropic_types.BetaMessageParam], messages)
    assert check_messages(messages, "anthropic") == ()


@pytest.mark.parametrize("kind", BLOCKS)
def test_a_block_without_a_field_that_its_type_demands_is_named(kind):
    own = dict(kinds_of(BetaContentBlockParam))[kind]
    assert takes(own, BLOCKS[kind])
    for field in required(own):
        broken = {name: value for name, value in BLOCKS[kind].items() if name != field}
        assert not takes(own, broken)
        assert check_messages(around(kind, broken), "anthropic"), (kind, field)


ITEMS = {
    "message": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]},
    "reasoning": {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAAA"},
    "compaction": {"type": "compaction", "encrypted_content": "gAAAAA", "id": "cmp_1"},
    "compaction_trigger": {"type": "compaction_trigger"},
    "function_call": {
        "type": "function_call",
        "call_id": "c",
        "name": "Read",
        "arguments": "{}",
        "id": "fc_1",
    },
    "function_call_output": {"type": "function_call_output", "call_id": "c", "output": "ok"},
    "custom_tool_call": {"type": "custom_tool_call", "call_id": "c", "name": "patch", "input": "free text"},
    "custom_tool_call_output": {
        "type": "custom_tool_call_output",
        "call_id": "c",
        "output": [{"type": "input_text", "text": "x"}],
    },
    "local_shell_call": {
        "type": "local_shell_call",
        "id": "lsh_1",
        "call_id": "c",
        "status": "completed",
        "action": {"type": "exec", "command": ["ls"], "env": {}},
    },
    "local_shell_call_output": {"type": "local_shell_call_output", "id": "c", "output": "{}"},
    "shell_call": {"type": "shell_call", "call_id": "c", "action": {"commands": ["ls"]}},
    "shell_call_output": {"type": "shell_call_output", "call_id": "c", "output": []},
    "apply_patch_call": {
        "type": "apply_patch_call",
        "call_id": "c",
        "status": "completed",
        "operation": {"type": "delete_file", "path": "a.py"},
    },
    "apply_patch_call_output": {"type": "apply_patch_call_output", "call_id": "c", "status": "completed"},
    "computer_call": {
        "type": "computer_call",
        "id": "cu_1",
        "call_id": "c",
        "pending_safety_checks": [],
        "status": "completed",
    },
    "computer_call_output": {
        "type": "computer_call_output",
        "call_id": "c",
        "output": {"type": "computer_screenshot", "file_id": "file_1"},
    },
    "tool_search_call": {"type": "tool_search_call", "arguments": {"query": "x"}},
    "tool_search_output": {"type": "tool_search_output", "tools": []},
    "file_search_call": {"type": "file_search_call", "id": "fs_1", "queries": ["x"], "status": "completed"},
    "web_search_call": {
        "type": "web_search_call",
        "id": "ws_1",
        "status": "completed",
        "action": {"type": "search", "query": "x"},
    },
    "image_generation_call": {
        "type": "image_generation_call",
        "id": "ig_1",
        "result": "AAAA",
        "status": "completed",
    },
    "code_interpreter_call": {
        "type": "code_interpreter_call",
        "id": "ci_1",
        "code": "1",
        "container_id": "cntr_1",
        "outputs": None,
        "status": "completed",
    },
    "mcp_list_tools": {"type": "mcp_list_tools", "id": "mcpl_1", "server_label": "s", "tools": []},
    "mcp_approval_request": {
        "type": "mcp_approval_request",
        "id": "mcpr_1",
        "arguments": "{}",
        "name": "ask",
        "server_label": "s",
    },
    "mcp_approval_response": {
        "type": "mcp_approval_response",
        "approval_request_id": "mcpr_1",
        "approve": True,
    },
    "mcp_call": {"type": "mcp_call", "id": "mcp_1", "arguments": "{}", "name": "ask", "server_label": "s"},
    "additional_tools": {"type": "additional_tools", "role": "developer", "tools": []},
    "configuration_update": {"type": "configuration_update", "reasoning": {"effort": "low"}},
    "program": {"type": "program", "id": "pg_1", "call_id": "c", "code": "1", "fingerprint": "f"},
    "program_output": {
        "type": "program_output",
        "id": "po_1",
        "call_id": "c",
        "result": "1",
        "status": "completed",
    },
}
LOOSER = {"reasoning": {"id"}}
"""What OpenAI's types demand and the server does not: Codex sends encrypted reasoning without its id."""


def with_partner(kind, item):
    """Items in which one has what it belongs with: a call its output, an output its call, reasoning what came of it."""
    answer = {"role": "assistant", "content": "Done."}
    if f"{kind}_output" in ITEMS and kind != "program":
        return [USER, item, ITEMS[f"{kind}_output"]]
    if kind.endswith("_call_output"):
        return [USER, ITEMS[kind.removesuffix("_output")], item]
    return [USER, item, answer]


def test_there_is_a_sample_of_every_kind_of_item_that_openais_types_know():
    assert set(ITEMS) == {name for name, _ in kinds_of(openai_items.ResponseInputItemParam)}


@pytest.mark.parametrize("kind", ITEMS)
def test_every_kind_of_item_passes(kind):
    items = with_partner(kind, ITEMS[kind])
    assert takes(list[openai_items.ResponseInputItemParam], items)
    assert check_messages(items, "responses") == ()


@pytest.mark.parametrize("kind", sorted(ITEMS.keys() - {"message"}))
def test_an_item_without_a_field_that_its_type_demands_is_named(kind):
    own = dict(kinds_of(openai_items.ResponseInputItemParam))[kind]
    assert takes(own, ITEMS[kind])
    for field in required(own) - LOOSER.get(kind, set()):
        broken = {name: value for name, value in ITEMS[kind].items() if name != field}
        assert not takes(own, broken)
        assert check_messages(with_partner(kind, broken), "responses"), (kind, field)


def test_a_reference_to_an_item_need_not_say_its_type_and_may_stand_for_a_call():
    items = [USER, {"id": "fc_9"}, {"type": "function_call_output", "call_id": "c9", "output": "ok"}]
    assert takes(list[openai_items.ResponseInputItemParam], items)
    assert check_messages(items, "responses") == ()


PARTS = [
    TEXT,
    {"type": "image_url", "image_url": {"url": "https://a.example/a.png", "detail": "low"}},
    {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
    {"type": "file", "file": {"file_id": "file-1"}},
    {"type": "file", "file": {"file_data": "data:application/pdf;base64,AAAA", "filename": "a.pdf"}},
]
CALLING = {
    "role": "assistant",
    "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "Read", "arguments": "{}"}},
        {"id": "b", "type": "custom", "custom": {"name": "patch", "input": "free text"}},
    ],
}
CHATS = [
    [{"role": "developer", "content": [TEXT]}, USER],
    [{"role": "system", "content": "Be brief."}, USER],
    [{"role": "user", "content": PARTS, "name": "ada"}],
    [USER, {"role": "assistant", "content": None, "refusal": "No."}],
    [USER, {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}],
    [USER, {"role": "assistant", "audio": {"id": "audio_1"}}],
    [
        USER,
        CALLING,
        {"role": "tool", "tool_call_id": "b", "content": [TEXT]},
        {"role": "tool", "tool_call_id": "a", "content": ""},
    ],
]


@pytest.mark.parametrize("messages", CHATS)
def test_messages_of_chat_completions_pass(messages):
    assert takes(list[openai_chat.ChatCompletionMessageParam], messages)
    assert check_messages(messages) == ()


def broken_chats():
    """Each with one thing that the types refuse."""
    for part in PARTS[1:]:
        kind = part["type"]
        yield [{"role": "user", "content": [{"type": kind}]}]
    yield [{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}]
    yield [{"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "AAAA"}}]}]
    yield [
        {
            "role": "user",
            "content": [{"type": "input_audio", "input_audio": {"data": "AAAA", "format": "ogg"}}],
        }
    ]
    yield [USER, {"role": "assistant", "audio": {}}]
    yield [USER, {"role": "assistant", "content": [{"type": "refusal"}]}]
    for call, field in ((0, "name"), (0, "arguments"), (1, "name"), (1, "input")):
        messages = copy.deepcopy(CHATS[-1])
        made = messages[1]["tool_calls"][call]
        del made[made["type"]][field]
        yield messages
    messages = copy.deepcopy(CHATS[-1])
    messages[1]["tool_calls"][1]["type"] = "spell"
    yield messages


@pytest.mark.parametrize("messages", [*broken_chats()])
def test_what_chat_completions_types_refuse_is_named(messages):
    assert not takes(list[openai_chat.ChatCompletionMessageParam], messages)
    assert check_messages(messages)


@pytest.mark.parametrize("order", [*permutations(["reasoning", "compaction", "function_call"])])
def test_a_response_with_a_compaction_is_sent_back_in_whatever_order_it_came(order):
    """https://developers.openai.com/api/docs/guides/compaction: the output is appended to the input as it is."""
    items = [USER, *(ITEMS[kind] for kind in order), ITEMS["function_call_output"]]
    rules = {one.rule for one in check_messages(items, "responses")}
    assert rules == ({"thinking-last"} if order[-1] == "reasoning" else set())


@st.composite
def answers(draw, number):
    """What the assistant says in one turn, and the results that the user owes for it."""
    said = [BLOCKS["thinking"]] if draw(st.booleans()) else []
    if draw(st.integers(0, 4)) == 0:
        said.insert(0, draw(st.sampled_from([BLOCKS["compaction"], {"type": "compaction", "content": None}])))
    kinds = st.sampled_from(["web_search_tool_result", "mcp_tool_result", "fallback", "text"])
    for at, kind in enumerate(draw(st.lists(kinds, max_size=3))):
        if kind.endswith("_tool_result"):
            call, key = BLOCKS[CALL_FOR.get(kind, "server_tool_use")], f"srvtoolu_{number}_{at}"
            said += [{**call, "id": key}, {**BLOCKS[kind], "tool_use_id": key}]
        else:
            said.append(BLOCKS[kind])
    calls = draw(st.integers(0, 2))
    said += [{**BLOCKS["tool_use"], "id": f"toolu_{number}_{at}"} for at in range(calls)]
    if not calls:
        said.append(TEXT)
    return said, [
        {**BLOCKS["tool_result"], "tool_use_id": f"toolu_{number}_{at}", "is_error": draw(st.booleans())}
        for at in range(calls)
    ]


@st.composite
def conversations(draw):
    """Messages of Anthropic's form by its types and its rules."""
    messages, owed = [], []
    for number in range(draw(st.integers(1, 5))):
        kinds = draw(st.lists(st.sampled_from(sorted(OF_USER - {"tool_result"})), max_size=2))
        messages.append({"role": "user", "content": [*owed, *(BLOCKS[kind] for kind in kinds), TEXT]})
        if draw(st.integers(0, 3)) == 0:
            messages.append({"role": "system", "content": draw(st.sampled_from(["Be brief.", [TEXT]]))})
        said, owed = draw(answers(number))
        messages.append({"role": "assistant", "content": said})
    if owed:
        messages.append({"role": "user", "content": owed})
    return messages


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(conversations())
def test_whatever_conversation_keeps_anthropics_types_and_rules_passes(messages):
    assert takes(list[anthropic_types.BetaMessageParam], messages)
    assert check_messages(messages, "anthropic") == ()


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.sampled_from(sorted(ITEMS)), max_size=8))
def test_whatever_items_keep_openais_types_and_rules_pass(kinds):
    items = []
    for number, kind in enumerate(kinds):
        for item in with_partner(kind, ITEMS[kind]):
            names = {"id", "call_id"} & item.keys()
            items.append(item | {name: f"{item[name]}_{number}" for name in names})
    assert takes(list[openai_items.ResponseInputItemParam], items)
    assert check_messages(items, "responses") == ()
