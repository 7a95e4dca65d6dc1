"""A number that no program can hold costs nothing: the message stays, and is counted as imported."""

import json

import pytest
from tests.transfer.codex.conftest import Rollout

from archivist.transfer import import_history

NUMBERS = ["1e999", "-1e999", "7" * 5000]
MARK = "the place of a number"


def codex(_kit):
    made = Rollout()
    made.person("one")
    made.call("c1")
    made.result("c1", "ok")
    made.answer("two")
    return made.name, "", "\n", [line.decode() for line in made.lines]


def claude_code(kit):
    made = kit.Transcript()
    made.person([{"type": "text", "text": "one"}])
    picture = {"type": "base64", "media_type": "image/png", "data": "aGk="}
    made.person([{"type": "text", "text": "see"}, {"type": "image", "source": picture}])
    made.answer("r1", {"type": "thinking", "thinking": "x"}, "two", kit.call("t1", n=1), stop="tool_use")
    made.result("t1", [{"type": "text", "text": "ok"}])
    return f"{made.session}.jsonl", "", "\n", [line.decode() for line in made.lines]


def chatgpt(_kit):
    def node(key, parent, role):
        content = {"content_type": "text", "parts": [key]}
        told = {"id": key, "author": {"role": role}, "create_time": 1.7e9, "content": content, "metadata": {}}
        return {"id": key, "parent": parent, "message": told}

    nodes = {"a": node("a", None, "user"), "b": node("b", "a", "assistant")}
    told = {"id": "c", "title": "T", "mapping": nodes, "current_node": "b"}
    return "conversations.json", "[", ",", [json.dumps(told)]


def claude(_kit):
    said = {"uuid": "m1", "sender": "human", "text": "one", "content": [{"type": "text", "text": "one"}]}
    said |= {"created_at": "2026-01-01T00:00:00Z", "attachments": [{"file_name": "a", "file_size": 1}]}
    return "conversations.json", "[", ",", [json.dumps({"uuid": "c", "name": "N", "chat_messages": [said]})]


def letta(_kit):
    said = {"role": "user", "content": [{"type": "text", "text": "one"}], "id": "message-0"}
    call = {"id": "t", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    call = {"role": "assistant", "content": [], "tool_calls": [call], "id": "message-1"}
    agent = {"id": "agent-0", "name": "n", "messages": [said, call]}
    return "x.af", "", "", [json.dumps({"agents": [agent]})]


def objects(value, path=()):
    if isinstance(value, dict):
        yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield from objects(inner, (*path, key))


def with_number(line, path, number):
    """The line with a number more at a place."""
    changed = json.loads(line)
    at = changed
    for key in path:
        at = at[key]
    at["more"] = MARK
    return json.dumps(changed).replace(json.dumps(MARK), number)


@pytest.mark.parametrize("number", NUMBERS, ids=["huge", "negative", "long"])
@pytest.mark.parametrize("make", [codex, claude_code, chatgpt, claude, letta])
def test_a_number_beyond_all_bounds_costs_no_message(kit, tmp_path, make, number):
    name, begin, between, lines = make(kit)
    path = tmp_path / name
    end = "]" if begin else "\n"

    def told():
        memory = kit.Memory()
        report = import_history(path, memory)
        assert not report.problems
        assert report.read == report.imported + report.skipped
        return [(message.text, len(message.parts)) for _, message in memory.messages.values()]

    path.write_text(begin + between.join(lines) + end)
    wanted = told()
    assert wanted
    for place, line in enumerate(lines):
        for at in objects(json.loads(line)):
            changed = [*lines[:place], with_number(line, at, number), *lines[place + 1 :]]
            path.write_text(begin + between.join(changed) + end)
            assert told() == wanted, (place, at)
