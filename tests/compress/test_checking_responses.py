"""What OpenAI's responses refuse of input items is named: pairs of every kind, reasoning, compactions, references, parts."""

import pytest

from archivist import check_messages

USER = {"role": "user", "content": "Look into it."}
SAID = {"role": "assistant", "content": "Done."}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAAA"}
COMPACTION = {"type": "compaction", "encrypted_content": "gAAAAA"}
CALL = {"type": "function_call", "call_id": "c", "name": "Read", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "c", "output": "ok"}
SHELL = {
    "type": "local_shell_call",
    "id": "lsh_1",
    "call_id": "c",
    "action": {"type": "exec"},
    "status": "completed",
}


def rules(*items, **more):
    return [one.rule for one in check_messages(items, "responses", **more)]


@pytest.mark.parametrize(
    "items",
    [
        [USER, SAID, COMPACTION, USER],
        [COMPACTION, USER],
        [USER, COMPACTION, THOUGHT, CALL, OUTPUT, SAID],
        [USER, THOUGHT, {**THOUGHT, "id": "rs_2"}, SAID],
        [USER, {**THOUGHT, "id": None}, CALL, OUTPUT],
        [USER, SHELL, {"type": "local_shell_call_output", "id": "c", "output": "{}"}],
        [USER, SHELL, {"type": "local_shell_call_output", "id": "lsho_1", "call_id": "c", "output": "{}"}],
        [USER, {"type": "item_reference", "id": "fc_1"}, OUTPUT],
    ],
)
def test_what_is_whole_passes(items):
    assert rules(*items) == []


@pytest.mark.parametrize(
    ("items", "rule"),
    [
        ([USER, {"type": "compaction", "id": "cmp_1"}], "compaction-changed"),
        ([USER, {"type": "compaction", "encrypted_content": ""}], "compaction-changed"),
        ([USER, THOUGHT, USER], "thinking-last"),
        ([USER, THOUGHT, OUTPUT], "thinking-last"),
        ([USER, SAID, THOUGHT], "thinking-last"),
        ([USER, {**THOUGHT, "id": None, "encrypted_content": None}, SAID], "unsigned-thinking"),
        ([USER, {"type": "spell", "id": "x"}], "item"),
        ([USER, CALL, CALL, OUTPUT], "call-twice"),
        ([USER, {**SAID, "id": "msg_1"}, {**SAID, "id": "msg_1"}], "item-twice"),
        ([USER, SHELL, OUTPUT], "orphan-result"),
        ([USER, SHELL, USER], "call-without-result"),
        ([USER, CALL, {"type": "function_call_output", "output": "ok"}], "no-call-id"),
        ([USER, CALL, {**OUTPUT, "output": [{"type": "output_text", "text": "x"}]}], "part"),
        ([{"role": "user", "content": [{"type": "input_image"}]}], "part"),
        ([{"role": "user", "content": [{"type": "input_audio", "input_audio": {}}]}], "part"),
        ([USER, {"role": "assistant", "content": [{"type": "input_text", "text": "x"}]}], "part"),
    ],
)
def test_what_is_refused_is_named(items, rule):
    assert rule in rules(*items)
