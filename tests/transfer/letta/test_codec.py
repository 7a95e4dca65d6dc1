"""What becomes of each kind of message in an agent file."""

import base64
import json
import tracemalloc

import pytest

from archivist.transfer import (
    FormatNotRecognised,
    detect_format,
    find_histories,
    import_history,
    read_history,
)

ID = "keeper.af#agent-0"


def texts(memory, session=ID):
    return [(message.role, message.text) for message in memory.of(session)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "agents" / "keeper.af"


def test_what_was_said_is_imported_and_the_prompt_kept_with_the_session(agent, path, memory, letta):
    agent.say("system", "you keep seeds")
    agent.say("user", "lupins need scarification")
    agent.say("assistant", "noted")
    report = letta.imported(letta.write(path, agent), memory)
    assert texts(memory) == [("user", "lupins need scarification"), ("assistant", "noted")]
    start = memory.starts[ID]
    assert (start.title, start.prompt) == ("Seed keeper", "you keep seeds")
    assert report.reasons["written by the program: system prompt"] == 1
    assert memory.of(ID)[0].metadata["source_ids"] == ["message-1"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"type": "login", "last_login": "Never", "time": "now"}', None),
        ('{"type": "system_alert", "message": "Earlier messages were summarised"}', None),
        (
            '{"type": "error", "time": "now", "msg": "disk full"}',
            '{"type": "error", "time": "now", "msg": "disk full"}',
        ),
        ('{"type": "user_message", "message": "hello", "time": "now"}', "hello"),
        ('{"type": "module", "name": "tide"}', '{"type": "module", "name": "tide"}'),
        ('{"type": "login"', '{"type": "login"'),
        # another program's block was pasted by the person
        (
            "<system-reminder>\nbe brief\n</system-reminder>",
            "<system-reminder>\nbe brief\n</system-reminder>",
        ),
    ],
)
def test_events_in_a_persons_name_are_not_their_words(agent, path, memory, letta, text, words):
    agent.say("user", text)
    agent.say("user", [{"type": "text", "text": text}, {"type": "text", "text": "and this"}])
    letta.imported(letta.write(path, agent), memory)
    told = [text for _, text in texts(memory)]
    assert told == ([words, f"{words}\nand this"] if words else ["and this"])


def test_calls_and_results_are_paired_and_failures_flagged(agent, path, memory, letta):
    agent.call("c1", "core_memory_append", "I note it.", label="seeds", content="羽扇豆")
    agent.result("c1")
    agent.call("c2", "core_memory_replace")
    agent.result("c2", "no such text", status="error")
    agent.say("tool", '{"status": "Failed", "message": "no"}', tool_call_id="c3", tool_returns=None)
    several = [{"tool_call_id": "c4", "status": "success", "func_response": "four"},
               {"tool_call_id": "c5", "status": "error", "func_response": "five"}]  # fmt: skip
    agent.say("tool", "four and five", tool_returns=several)
    letta.imported(letta.write(path, agent), memory)
    messages = memory.of(ID)
    assert "羽扇豆" in messages[0].tool_calls[0].arguments
    results = [
        (one.tool_call_id, one.tool_name, one.text, one.metadata.get("is_error", False))
        for one in messages
        if one.role == "tool"
    ]
    assert results == [
        ("c1", "core_memory_append", "ok", False),
        ("c2", "core_memory_replace", "no such text", True),
        ("c3", None, '{"status": "Failed", "message": "no"}', True),
        ("c4", None, "four", False),
        ("c5", None, "five", True),
    ]


def test_an_answer_through_the_reply_tool_is_the_answer(agent, path, memory, letta):
    agent.call("c1", "send_message", "They sound tired.", message="Rest now.")
    agent.call("c2", "send_message", message=7)
    letta.imported(letta.write(path, agent), memory)
    first, second = memory.of(ID)
    assert (first.text, first.tool_calls[0].name) == ("Rest now.", "send_message")
    assert "They sound tired." in first.reasoning
    assert second.text == ""


def test_what_a_background_agent_is_told_is_kept_as_an_agents_words(path, memory, letta):
    agent = letta.Agent(agent_type="sleeptime_agent")
    agent.say("user", "Messages:\nuser: hello\nassistant: hi")
    agent.say("assistant", "The person says hello.")
    letta.imported(letta.write(path, agent), memory)
    assert texts(memory) == [
        ("user", "Messages:\nuser: hello\nassistant: hi"),
        ("assistant", "The person says hello."),
    ]
    assert [message.metadata.get("by") for message in memory.of(ID)] == ["agent", None]


def test_bytes_that_are_no_utf8_are_said(agent, path, memory, letta):
    agent.say("user", "Muller")
    file = letta.write(path, agent)
    file.write_bytes(file.read_bytes().replace(b"Muller", b"M\xfcller"))
    report = letta.imported(file, memory)
    assert texts(memory) == [("user", "M\ufffdller")]
    assert report.notices["bytes that were no UTF-8 were replaced in a line"] == 1


def test_reasoning_and_images_are_kept(agent, path, memory, letta):
    thought = {"type": "reasoning", "reasoning": "hm", "signature": "abc", "is_native": True}
    agent.say("assistant", [thought, {"type": "omitted_reasoning"}, {"type": "text", "text": "yes"}])
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(b"png").decode()}
    agent.say("user", [{"type": "image", "source": source}])
    letta.imported(letta.write(path, agent), memory)
    answer, picture = memory.of(ID)
    assert json.loads(answer.reasoning) == [thought]
    assert picture.parts[0].data == b"png"


def test_what_left_the_context_is_history(path, memory, letta):
    agent = letta.Agent(in_context_message_ids=["message-2"])
    for number in range(3):
        agent.say("user", f"words {number}")
    letta.imported(letta.write(path, agent), memory)
    assert [message.state for message in memory.of(ID)] == ["compacted", "compacted", "active"]


def test_missing_times_come_from_neighbours(agent, path, memory, letta):
    agent.say("user", "one", time=None)
    agent.say("user", "two")
    agent.say("user", "three", time="never")
    letta.imported(letta.write(path, agent), memory)
    one, two, three = memory.of(ID)
    assert one.created_at == two.created_at == three.created_at
    assert [message.metadata.get("time") for message in (one, two, three)] == ["inferred", None, "inferred"]


def test_every_agent_is_a_session(agent, path, memory, letta):
    guide = letta.Agent("agent-1", "温室向导")
    agent.say("user", "one")
    guide.say("user", "温室周一闭馆")
    report = letta.imported(letta.write(path, agent, guide, skills=[{"name": "s"}]), memory)
    assert texts(memory, "keeper.af#agent-1") == [("user", "温室周一闭馆")]
    assert memory.starts["keeper.af#agent-1"].title == "温室向导"
    assert list(report.notices.values()) == [1]
    assert report.read == 2


def test_the_older_flat_shape(tmp_path, memory, letta):
    function = {"name": "send_message", "arguments": '{"message": "Compost only."}'}
    path = letta.write_flat(
        tmp_path / "old.af",
        {"role": "system", "text": "you garden", "created_at": "2025-03-31T18:00:00+00:00"},
        {"role": "user", "text": "no peat", "created_at": "2025-03-31T18:01:00+00:00"},
        {
            "role": "assistant",
            "text": None,
            "tool_calls": [{"id": "c", "type": "function", "function": function}],
        },
        {"role": "tool", "text": '{"status": "OK"}', "tool_call_id": "c"},
        in_context_message_indices=[0, 2, 3],
    )
    letta.imported(path, memory)
    messages = memory.of("old.af")
    assert [(message.role, message.text, message.state) for message in messages] == [
        ("user", "no peat", "compacted"),
        ("assistant", "Compost only.", "active"),
        ("tool", '{"status": "OK"}', "active"),
    ]
    assert [message.metadata["source_ids"] for message in messages] == [
        ["old.af:1"],
        ["old.af:2"],
        ["old.af:3"],
    ]
    assert messages[2].tool_name == "send_message"


def test_a_file_that_is_json_inside_json_is_read(agent, path, memory, letta):
    agent.say("user", "hello")
    letta.write(path, agent)
    path.write_text(json.dumps(path.read_text()))
    letta.imported(path, memory)
    assert texts(memory) == [("user", "hello")]


def test_secrets_beside_the_conversation_are_not_read(agent, path, memory, letta):
    agent.say("user", "hello")
    letta.write(path, agent)
    [session] = read_history(path)
    assert "never-read-this" not in repr((session, list(session.messages)))


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b'"x"', b'{"agents": 7}', b'{"agents": [', b"\xff\xfe"]
)
def test_a_file_that_is_none_is_named(path, memory, content):
    path.parent.mkdir()
    path.write_bytes(content)
    [problem] = import_history(path, memory, format="letta").problems
    assert problem.path == path
    assert "export the agent again" in problem.reason


def test_histories_are_found_and_recognised(agent, tmp_path, letta):
    agent.say("user", "hello")
    path = letta.write(tmp_path / ".letta" / "keeper.af", agent)
    [found] = find_histories(tmp_path, {})
    assert (found.format, found.path) == ("letta", tmp_path / ".letta")
    assert detect_format(path) == detect_format(path.parent) == "letta"


def test_the_source_is_left_as_it_is(agent, path, memory, kit, letta):
    agent.say("user", "hello")
    letta.write(path, agent)
    before = kit.digests(path.parent)
    letta.imported(path, memory)
    assert kit.digests(path.parent) == before


def test_a_field_that_is_nested_too_deeply_costs_itself(agent, path, memory, letta):
    agent.say("user", "one")
    agent.say("user", "two")
    letta.write(path, agent)
    deep = '{"a":[' * 5000 + "1" + "]}" * 5000
    path.write_text(path.read_text().replace('"role"', f'"odd":{deep},"role"', 1))
    letta.imported(path, memory)
    assert [text for _, text in texts(memory)] == ["one", "two"]


@pytest.mark.parametrize("name", ["keeper.json", "keeper.af.json", "keeper.af.txt", "keeper"])
@pytest.mark.parametrize("shape", ["present", "flat", "json in json"])
def test_a_renamed_file_is_known_by_what_it_holds(agent, path, memory, letta, name, shape):
    agent.fields |= {"agent_type": "letta_v1_agent", "llm_config": {"model": "m"}}
    agent.say("user", "lupins")
    if shape == "flat":
        said = {"role": "user", "content": [{"type": "text", "text": "lupins"}], "created_at": None}
        path.parent.mkdir()
        letta.write_flat(path, said, agent_type="memgpt_agent", llm_config={"model": "m"})
    else:
        letta.write(path, agent)
    if shape == "json in json":
        path.write_text(json.dumps(path.read_text()))
    renamed = path.rename(path.with_name(name))
    assert detect_format(renamed) == "letta"
    import_history(renamed, memory)
    assert [message.text for _, message in memory.messages.values()] == ["lupins"]


@pytest.mark.parametrize(
    "content", ['{"agents": []}', '{"agents": 1, "agent_type": "x"}', '{"messages": []}']
)
def test_a_file_of_another_program_is_not_taken_for_one_by_its_beginning(path, content):
    path.parent.mkdir()
    path = path.with_suffix(".json")
    path.write_text(content)
    with pytest.raises(FormatNotRecognised):
        detect_format(path)


ODD = (None, True, 7, "x", [], [None], [True], ["x"], [[]], {}, {"a": 1}, 10**400)


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("where", ["agents", "an agent", "messages", "a message"])
def test_what_is_not_of_its_kind_is_named_or_counted(agent, path, memory, letta, where, odd):
    agent.say("user", "lupins")
    letta.write(path, agent)
    told = json.loads(path.read_text())
    if where == "agents":
        told["agents"] = odd
    elif where == "an agent":
        told["agents"][0] = odd
    elif where == "messages":
        told["agents"][0]["messages"] = odd
    else:
        told["agents"][0]["messages"][0] = odd
    path.write_text(json.dumps(told))
    report = import_history(path, memory)
    assert report.read == report.imported + report.skipped
    assert report.problems or report.reasons or report.notices
    assert all("\n" not in problem.reason for problem in report.problems)
    assert not memory.messages


def test_an_agent_that_is_none_costs_itself(agent, path, memory, letta):
    agent.say("user", "lupins")
    letta.write(path, agent)
    told = json.loads(path.read_text())
    told["agents"].insert(0, True)
    path.write_text(json.dumps(told))
    report = letta.imported(path, memory)
    assert (report.messages, report.reasons["damaged record"]) == (1, 1)
    assert letta.imported(path, memory).changed_nothing


def test_a_large_file_is_never_held_as_values_or_text(path, memory):
    path.parent.mkdir()
    said = "lüpins " * 40_000
    with path.open("w", encoding="utf-8") as file:
        file.write('{"agents": [{"id": "agent-0", "messages": [')
        for number in range(80):
            message = {
                "role": "user",
                "content": f"{number} {said}",
                "created_at": f"2026-05-02T09:14:{number % 60:02}Z",
            }
            file.write(("," if number else "") + json.dumps(message, ensure_ascii=False))
        file.write("]}]}\n")
    tracemalloc.start()
    try:
        told = sum(1 for session in read_history(path) for _ in session.messages)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert told == 80
    assert peak < 1.5 * path.stat().st_size
