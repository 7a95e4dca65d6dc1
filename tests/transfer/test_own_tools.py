"""What Archivist's own tools were asked and answered is not told a second time, whichever host wrote it down.

Facts that were recalled and then taken in again as new ones multiply: https://github.com/mem0ai/mem0/issues/4573.
"""

import json

import pytest

from archivist.records import Message, ToolCall
from archivist.transfer import import_history
from archivist.transfer.own_commands import asks_only_archivist
from archivist.transfer.own_tools import is_own, kept_of, name_of

FACT = "The narwhal listens on 7171"
ANSWER = json.dumps({"success": True, "hits": [{"text": FACT}]})
OWN = "mcp__plugin_archivist_archivist__recall"


@pytest.mark.parametrize(
    "name",
    [
        OWN, "mcp__archivist__memory", "mcp__archivist__session_search", "mcp__My-Archivist-2__recall", "mcp_archivist_memory",
        "archivist__recall", "archivist.session_search", "archivist-memory",
    ],
)  # fmt: skip
def test_the_names_that_hosts_give_the_tools_are_known(name):
    assert is_own(name)


@pytest.mark.parametrize(
    "name",
    [None, "", "Bash", "recall", "memory", "session_search", "mcp__mem0__memory", "mcp__archivist__deploy", "archivistrecall"],
)  # fmt: skip
def test_other_tools_are_others(name):
    assert not is_own(name)


def test_a_name_of_any_length_is_judged_at_once():
    assert is_own("archivist_" * 200_000 + "recall")
    assert not is_own("archivist_" * 200_000 + "recalled")


@pytest.mark.parametrize("tool", ["ReadMcpResourceTool", "read_mcp_resource"])
def test_a_resource_goes_by_the_server_that_was_asked(tool):
    def named(arguments):
        return is_own(name_of(ToolCall("t", tool, arguments)))

    assert named('{"server": "plugin:archivist:archivist", "uri": "memory://notes/memory"}')
    assert not named('{"server": "github", "uri": "memory://archivist"}')
    assert not any(
        map(named, ["{}", "", "[", '{"server": 5}', "[" * 10_000, '"archivist"', '{"server": "\ud800"}'])
    )


def test_only_what_was_asked_of_archivist_is_cut_from_a_message():
    calls = (ToolCall("t1", OWN, f'{{"query": "{FACT}"}}'), ToolCall("t2", "Bash", '{"command": "ls"}'))
    kept = kept_of(Message("assistant", "I look.", tool_calls=calls))
    assert (kept.text, kept.tool_calls) == ("I look.", (ToolCall("t1", OWN, "{}"), calls[1]))
    said = Message("user", f"archivist says {FACT}", tool_name=OWN)
    assert kept_of(said) is said


@pytest.mark.parametrize(
    "command",
    [
        "archivist recall narwhal",
        "/opt/venv/bin/archivist memory show --archive",
        "archivist --home /h --profile w sessions show abc --all",
        "ARCHIVIST_HOME=/h archivist recall 'a | b && c; d' 2>&1",
        'archivist memory add "it\'s > 5"',
        "archivist --json recall x | jq .hits | head -5",
        "archivist snapshot",
        "archivist daily 'met Kim'",
    ],
)
def test_a_command_that_asks_archivist_alone_is_known(command):
    assert asks_only_archivist(command)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "archivist",
        "archivist doctor",
        "archivist --home recall",
        "make archivist recall",
        "cat archivist/recall.py",
        "archivist recall x; ls",
        "archivist recall x && make test",
        "cat a.py | archivist memory add",
        "archivist recall x > out.txt",
        "echo $(archivist recall x)",
        "archivist recall x\nls",
        "archivist recall 'not closed",
        "archivist recall x | tee out.txt",
        "(archivist recall x)",
        "| archivist recall x",
        "archivist recall x |",
        "archivist recall x & ls",
        "archivist recall " + "x" * 30_000,
    ],
)
def test_a_command_that_does_anything_besides_is_another(command):
    assert not asks_only_archivist(command)


def asked(transcript, kit, call):
    transcript.person("which port?")
    transcript.answer("r1", "I look.", call, kit.call("t2", command="ls"), stop="tool_use")
    results = [
        ("t1", [{"type": "text", "text": ANSWER}, {"type": "document", "source": {"data": FACT}}]),
        ("t2", "a.py"),
    ]
    blocks = [{"type": "tool_result", "tool_use_id": key, "content": content} for key, content in results]
    transcript.person([*blocks, {"type": "text", "text": "and go on"}])
    transcript.answer("r2", "Done.", stop="end_turn")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        (OWN, {"query": FACT}),
        ("mcp__archivist__memory", {"action": "add", "content": FACT}),
        ("ReadMcpResourceTool", {"server": "archivist", "uri": "memory://notes/memory", "because": FACT}),
        ("Bash", {"command": f"archivist recall '{FACT}'", "description": "asks memory"}),
    ],
)
def test_a_claude_code_transcript_keeps_that_a_tool_was_asked_and_nothing_of_it(
    transcript, kit, memory, tmp_path, name, arguments
):
    asked(transcript, kit, kit.call("t1", name=name, **arguments))
    import_history(transcript.write(tmp_path), memory)
    told = memory.of()
    assert [one.text for one in told] == ["which port?", "I look.", "", "a.py", "and go on", "Done."]
    assert [call.arguments for call in told[1].tool_calls] == ["{}", '{"command": "ls"}']
    assert told[1].tool_calls[0].name == name
    assert (told[2].parts, told[2].tool_call_id, told[2].metadata["kept_elsewhere"]) == ((), "t1", True)
    assert "kept_elsewhere" not in told[3].metadata
    assert FACT not in repr(told)


def test_codex_tells_the_server_in_the_name_or_beside_it(rollout_like, memory):
    first = rollout_like("function_call", name="mcp__archivist__recall", arguments=f'{{"query": "{FACT}"}}')
    import_history(first, memory)
    second = rollout_like(
        "function_call", name="recall", namespace="mcp__archivist__", arguments=f'{{"query": "{FACT}"}}'
    )
    import_history(second, memory)
    assert [one.tool_name for one in memory.of() if one.role == "tool"] == ["mcp__archivist__recall"]
    told = [message for _, message in memory.messages.values()]
    assert len(told) == 6
    assert FACT not in repr(told)


@pytest.fixture
def rollout_like(tmp_path, kit):
    """A rollout of one call and its result, written to a file of its own."""
    sessions = iter([kit.SESSION, "22222222-2222-4222-8222-222222222222"])

    def write(kind, **payload):
        session = next(sessions)
        items = [
            ("session_meta", {"id": session, "timestamp": "2026-03-01T09:00:00Z", "cwd": "/src/tide"}),
            (
                "response_item",
                {
                    "type": "message",
                    "role": "user",
                    "content": [{"type": "input_text", "text": "which port?"}],
                },
            ),
            ("response_item", {"type": kind, "call_id": "c1", **payload}),
            ("response_item", {"type": f"{kind}_output", "call_id": "c1", "output": ANSWER}),
        ]
        path = tmp_path / f"rollout-2026-03-01T09-00-00-{session}.jsonl"
        lines = [
            {"timestamp": "2026-03-01T09:00:01Z", "type": kind, "payload": payload} for kind, payload in items
        ]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    return write


def test_a_result_that_names_no_tool_is_known_by_its_call(hermes, memory):
    calls = [
        {"id": "c1", "function": {"name": "mcp_archivist_recall", "arguments": json.dumps({"query": FACT})}}
    ]
    hermes.session()
    hermes.say("user", "which port?")
    hermes.say("assistant", "", tool_calls=json.dumps(calls))
    hermes.say("tool", ANSWER, tool_call_id="c1")
    hermes.say("tool", "a.py", tool_call_id="c2", tool_name="terminal")
    import_history(hermes.folder, memory)
    told = [message for _, message in memory.messages.values()]
    assert [one.text for one in told if one.role == "tool"] == ["", "a.py"]
    assert FACT not in repr(told)


def test_a_shell_in_which_archivist_was_asked_is_known_although_its_result_names_the_shell(hermes, memory):
    command = json.dumps({"command": f"archivist recall '{FACT}' | head -3"})
    hermes.session()
    hermes.say("user", "which port?")
    calls = [{"id": "c1", "function": {"name": "terminal", "arguments": command}}]
    hermes.say("assistant", "", tool_calls=json.dumps(calls))
    hermes.say("tool", ANSWER, tool_call_id="c1", tool_name="terminal")
    import_history(hermes.folder, memory)
    told = [message for _, message in memory.messages.values()]
    assert [one.tool_name for one in told if one.role == "tool"] == ["terminal"]
    assert FACT not in repr(told)
