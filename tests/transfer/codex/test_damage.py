"""Rollouts in which a field is of another kind than it should be: it costs itself or its line, and nothing beside."""

import copy
import json

import pytest

from archivist import Archivist
from archivist.transfer import codec_named
from archivist.transfer.foreign import Reading

ODD = (None, True, 7, -1, 10**25, 10**400, 2**63, 1.5, "odd", [], [7], [[7]], {}, {"type": 7}, {"odd": [7]})


def told(rollout):
    """Lines of every kind that becomes a message or says something of one."""
    rollout.person("one")
    rollout.typed("two", images=["data:image/png;base64,aGk="], kind="plain")
    rollout.think("a thought")
    rollout.answer("three")
    rollout.call("c1")
    rollout.event("exec_command_end", call_id="c1", exit_code=1, success=False)
    rollout.result("c1", json.dumps({"output": "four", "metadata": {"exit_code": 1}}))
    rollout.item("custom_tool_call", name="patch", input="x", call_id="c2")
    rollout.item("custom_tool_call_output", call_id="c2", output={"content": "five", "success": True})
    rollout.item("image_generation_call", id="i", result="aGk=", revised_prompt="p")
    rollout.event("agent_reasoning", text="shown")
    rollout.event("item_completed", item={"type": "Reasoning", "summary_text": ["shown too"]})
    rollout.event("item_completed", item={"type": "Plan", "text": "a plan"})
    counts = {"input_tokens": 5, "output_tokens": 2, "cached_input_tokens": 1}
    rollout.event("token_count", info={"total_token_usage": counts, "last_token_usage": counts})
    rollout.line("turn_context", cwd="/x", model="m")
    rollout.person("six")
    rollout.answer("seven")
    rollout.event("thread_rolled_back", num_turns=0)
    rollout.event("thread_name_updated", thread_name="named")
    rollout.answer("last")


def places(value, path=()):
    """Where something stands in a JSON value."""
    if path:
        yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield from places(inner, (*path, key))


def with_odd(line, path, odd):
    changed = copy.deepcopy(line)
    at = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = odd
    return json.dumps(changed).encode()


def read(path):
    history = codec_named("codex").open(path, Reading())
    content = history.read(history.files[0], None)
    [session] = content.sessions
    messages = [one.message for one in session.messages]
    assert session.read == sum(session.skipped.values()) + sum(one.records for one in session.messages)
    return session, messages


def test_a_field_of_another_kind_costs_its_line_at_most(rollout, home):
    told(rollout)
    path, lines = rollout.write(home), list(rollout.lines)
    usual = len(read(path)[1])
    for number, raw in enumerate(lines):
        line = json.loads(raw)
        for place in places(line):
            for odd in ODD:
                path.write_bytes(
                    b"\n".join([*lines[:number], with_odd(line, place, odd), *lines[number + 1 :]]) + b"\n"
                )
                _, messages = read(path)
                assert len(messages) >= usual - 1, (line, place, odd)
                assert messages[-1].text == "last" or number >= len(lines) - 2, (line, place, odd)


@pytest.mark.parametrize("odd", [2**63, 2**64 - 1, 10**25, 10**400, -(10**25)])
def test_a_number_of_a_size_that_no_count_has_stops_no_import(rollout, home, tmp_path, odd):
    told(rollout)
    rollout.event("token_count", info={"last_token_usage": {"input_tokens": odd, "output_tokens": odd}})
    rollout.event("thread_rolled_back", num_turns=odd if odd < 0 else -odd)
    rollout.answer("after it")
    path = rollout.write(home)
    with Archivist.open(tmp_path / "archivist", environ={"HOME": str(tmp_path)}) as archivist:
        report = archivist.import_history(path)
        assert (report.problems, archivist.verify().problems) == ((), ())
        query = "SELECT text FROM messages ORDER BY id DESC LIMIT 1"
        assert archivist._store.read(lambda db: db.execute(query).get) == "after it"
