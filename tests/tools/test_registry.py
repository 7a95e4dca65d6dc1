"""Every tool is offered in the same form, and what it answers is what its schema says."""

import inspect
import json
import re

import jsonschema
import pytest

from archivist import Archivist, Message
from archivist.tools import memory
from archivist.tools.agent_tools import AGENT_TOOLS
from archivist.tools.registry import TOOLS, call_tool, tool_named


@pytest.fixture
def archivist(tmp_path):
    with Archivist.open(tmp_path, environ={}) as archivist:
        session = archivist.sessions.start("cli", title="The harbour")
        session.append_many(
            [
                Message.user("Where does the lantern burn?"),
                Message.assistant("The lantern burns at the quay."),
            ]
        )
        archivist.notes.add("memory", "The lantern is lit at dusk")
        archivist.daily.add("Moved the lantern")
        yield archivist


def call(archivist, name, **arguments):
    result = call_tool(name, arguments, archivist.tool_context(trusted=True))
    jsonschema.validate(result, tool_named(name).output)
    assert json.loads(json.dumps(result)) == result
    return result


LONG = "x" * 100_000
BESIDE = [
    {},
    {"action": "add"},
    {"action": "remove"},
    {"action": "replace", "content": "tea"},
    {"query": "tea"},
]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
@pytest.mark.parametrize(
    "value",
    [
        LONG,
        [LONG],
        {LONG: 1},
        [{"action": LONG}],
        [{"action": "add", LONG: 1}],
        [{"action": "add", "content": "c", "target": LONG}],
        [{"action": "add", "content": "c", "target": {LONG: 1}}],
    ],
    ids=["text", "list", "object", "action", "name", "target", "kind of target"],
)
def test_no_answer_repeats_a_wrong_value_whole(archivist, tool, value):
    for name in (*tool.schema["properties"], LONG):
        for beside in BESIDE:
            result = call(archivist, tool.name, **(beside | {name: value}))
            assert len(json.dumps(result)) < 2_000, (name[:20], beside)


def test_the_order_is_fixed():
    assert [tool.name for tool in TOOLS] == ["memory", "recall", "session_search"]
    added = [tool.name for tool in AGENT_TOOLS[len(TOOLS) :]]
    assert AGENT_TOOLS[: len(TOOLS)] == TOOLS
    assert added == ["read_file", "write_file", "patch", "search_files", "terminal"]


@pytest.mark.parametrize("tool", AGENT_TOOLS, ids=lambda tool: tool.name)
def test_a_tool_is_told_in_little_and_its_schemas_are_schemas(tool):
    assert len(tool.description) < 400
    jsonschema.Draft202012Validator.check_schema(tool.schema)
    jsonschema.Draft202012Validator.check_schema(tool.output)
    assert tool.schema["type"] == tool.output["type"] == "object"
    assert not {"scope", "user", "chat", "project", "profile"} & tool.schema["properties"].keys()
    assert tool.is_read_only is (tool.name not in {"memory", "write_file", "patch", "terminal"})
    assert tool.is_destructive is not tool.is_read_only


@pytest.mark.parametrize(
    ("name", "arguments", "success"),
    [
        ("memory", {"action": "add", "content": "The quay is of stone"}, True),
        ("memory", {"action": "replace", "old_text": "dusk", "content": "The lantern is lit at seven"}, True),
        ("memory", {"action": "add", "target": "daily", "content": "Lit it"}, True),
        ("memory", {"action": "remove", "old_text": "walrus"}, False),
        ("memory", {"action": "add", "content": "x", "scope": "ann"}, True),
        ("memory", {}, False),
        ("recall", {"query": "lantern"}, True),
        ("recall", {"query": "walrus"}, True),
        ("recall", {"query": "lantern", "since": "no time at all"}, False),
        ("recall", {}, False),
        ("session_search", {}, True),
        ("session_search", {"query": "lantern"}, True),
        ("session_search", {"query": "walrus"}, True),
        ("session_search", {"session_id": "The harbour"}, True),
        ("session_search", {"session_id": "The harbour", "around_message_id": "1"}, True),
        ("session_search", {"session_id": "The harbour", "around_message_id": 99}, False),
        ("session_search", {"around_message_id": 1}, False),
        ("session_search", {"session_id": "nobody's"}, False),
    ],
)
def test_every_result_is_what_its_schema_says(archivist, name, arguments, success):
    result = call(archivist, name, **arguments)
    assert result["success"] is success
    assert success or result["error"]


def test_a_tool_that_there_is_not_is_refused_by_a_result(archivist):
    result = call_tool("shell", {}, archivist.tool_context())
    assert result == {
        "success": False,
        "error": "there is no tool 'shell': use one of memory, recall, session_search",
    }


@pytest.mark.parametrize("tool", AGENT_TOOLS[len(TOOLS) :], ids=lambda tool: tool.name)
def test_without_a_workspace_nothing_is_read_or_run(archivist, tool):
    assert call_tool(tool.name, {}, archivist.tool_context())["error"].startswith("there is no tool")
    arguments = {"path": "/etc/passwd", "content": "x", "pattern": "x", "command": "ls"}
    given = {name: arguments[name] for name in tool.schema["properties"] if name in arguments}
    result = call_tool(tool.name, given, archivist.tool_context(), AGENT_TOOLS)
    assert result["error"].startswith("there is no workspace here")


def test_arguments_may_be_json_in_a_string(archivist):
    result = call_tool("recall", '{"query": "lantern", "limit": "1"}', archivist.tool_context())
    assert result["count"] == 1


def test_whatever_memory_gives_is_in_its_schema():
    source = inspect.getsource(memory)
    given = set(re.findall(r"(?:result|found)\[\"(\w+)\"\]", source))
    assert len(given) > 5
    assert given <= memory.MEMORY.output["properties"].keys()
