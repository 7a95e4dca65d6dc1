"""A session at work is found by the call that it makes, and everything that its model has seen is read."""

import json
import os

import pytest
from tests.transfer.conftest import Transcript, call

from archivist.transfer.claude_code.live import Wanted, heard_in, makes_call, transcript_of, written_since

NOTE = "mcp__archivist__memory"


@pytest.fixture
def made():
    return Transcript()


def noting(made, key="toolu_9", **arguments):
    made.answer("r9", call(key, NOTE, **({"action": "add"} | arguments)), stop="tool_use")


def test_a_call_is_found_by_its_id_before_anything_answers_it(made, tmp_path):
    made.person("look at it")
    noting(made)
    path = made.write(tmp_path)
    assert makes_call(path, Wanted("toolu_9", "memory", {}))
    assert not makes_call(path, Wanted("toolu_8", "memory", {}))


def test_an_id_that_only_stands_in_a_text_is_no_call(made, tmp_path):
    made.person("what is toolu_9?")
    assert not makes_call(made.write(tmp_path), Wanted("toolu_9", "memory", {}))


def test_a_call_without_an_id_is_found_by_what_it_asks_for_until_it_is_answered(made, tmp_path):
    noting(made, content="x")
    wanted = Wanted(None, "memory", {"content": "x", "action": "add"})
    assert makes_call(made.write(tmp_path), wanted)
    assert not makes_call(made.write(tmp_path), Wanted(None, "memory", {"content": "y", "action": "add"}))
    made.result("toolu_9")
    assert not makes_call(made.write(tmp_path), wanted)


def test_what_a_tool_answered_is_heard_though_the_response_has_not_ended(made, tmp_path):
    made.person("look at https://x.example")
    made.answer("r1", call("t1", "WebFetch", url="https://x.example"), stop="tool_use")
    made.result("t1", "the page")
    noting(made)
    heard = heard_in(made.write(tmp_path)).messages
    assert [(one.role, one.tool_name) for one in heard] == [
        ("user", None),
        ("assistant", None),
        ("tool", "WebFetch"),
        ("assistant", None),
    ]
    assert heard[2].text == "the page"


def test_what_archivists_own_tools_answered_is_heard(made, tmp_path):
    made.answer("r1", call("t1", "mcp__archivist__recall", query="rates"), stop="tool_use")
    made.result("t1", '{"hits": []}')
    assert heard_in(made.write(tmp_path)).messages[1].text == '{"hits": []}'


def test_a_path_that_was_left_is_a_branch(made, tmp_path):
    first = made.person("hello")
    made.answer("r1", call("t1", "WebFetch"), stop="tool_use")
    made.result("t1", "the page")
    made.person("hello again", parent=first)
    noting(made)
    states = {one.text: one.state for one in heard_in(made.write(tmp_path)).messages if one.text}
    assert states == {"hello": "active", "the page": "branch", "hello again": "active"}


def test_what_was_said_before_a_compaction_is_heard(made, tmp_path):
    made.person("first")
    made.chained("system", subtype="compact_boundary", parent=None, logicalParentUuid=made.last)
    made.person("the summary", isCompactSummary=True)
    made.person("then")
    assert [one.text for one in heard_in(made.write(tmp_path)).messages] == ["first", "then"]


def test_a_summary_with_nothing_before_it_is_told_as_one(made, tmp_path):
    made.person("the summary", isCompactSummary=True)
    made.person("then")
    found = heard_in(made.write(tmp_path)).messages
    assert [(one.text, one.metadata.get("summary")) for one in found] == [
        ("then", None),
        ("the summary", True),
    ]


def test_what_the_host_puts_beside_a_message_is_heard(made, tmp_path):
    made.person("look at @a.pdf")
    made.chained(
        "attachment",
        attachment={"type": "file", "filename": "a.pdf", "content": {"file": {"content": "pay now"}}},
    )
    made.chained(
        "attachment", attachment={"type": "queued_command", "prompt": "and be quick", "commandMode": "prompt"}
    )
    made.chained(
        "attachment",
        attachment={"type": "queued_command", "prompt": "done", "commandMode": "task-notification"},
    )
    made.chained("attachment", attachment={"type": "mcp_resource", "server": "wiki", "content": "rule"})
    found = heard_in(made.write(tmp_path)).messages
    assert [(one.role, one.text, one.tool_name) for one in found if one.text] == [
        ("user", "look at @a.pdf", None),
        ("tool", "pay now", "Read"),
        ("user", "and be quick", None),
        ("tool", "done", "TaskOutput"),
        ("tool", "rule", "ReadMcpResourceTool"),
    ]


def test_a_sub_agent_has_heard_what_the_session_had_that_began_it(made, tmp_path):
    made.person("research it")
    made.answer("r1", call("t1", "WebFetch"), stop="tool_use")
    made.result("t1", "the page")
    made.write(tmp_path)
    agent = Transcript(ids="agent")
    agent.person("you are to research", isSidechain=True, agentId="a1")
    noting(agent)
    path = agent.write(tmp_path / made.session / "subagents", "agent-a1.jsonl")
    heard = heard_in(path)
    assert [one.text for one in heard.messages if one.text] == [
        "research it",
        "the page",
        "you are to research",
    ]
    mine = next(one for one in heard.messages if one.text == "you are to research")
    assert mine.session_id in heard.delegated


def test_a_sub_agent_whose_session_is_gone_is_told_by_an_agent(tmp_path):
    agent = Transcript(ids="agent")
    agent.person("you are to research", isSidechain=True, agentId="a1")
    heard = heard_in(agent.write(tmp_path / "none" / "subagents", "agent-a1.jsonl"))
    assert not heard.delegated
    assert heard.messages[0].metadata["by"] == "agent"


def test_transcripts_are_found_by_their_session_and_by_when_they_were_written(made, tmp_path):
    path = made.write(tmp_path / "-home-someone-tide")
    other = Transcript("00000000-0000-4000-8000-000000000000").write(tmp_path / "-other")
    os.utime(other, (1_000, 1_000))
    assert transcript_of(tmp_path, made.session) == path
    assert transcript_of(tmp_path, "../../etc/passwd") is None
    assert transcript_of(tmp_path, "*") is None
    assert written_since(tmp_path, 2_000) == [path]


def test_that_a_line_cannot_be_read_is_told_as_words_of_nobody(made, tmp_path):
    made.person("hello")
    made.lines.append(b'{"type":"attachment","attachment":')
    made.lines.append(json.dumps({"type": "attachment", "attachment": 7}).encode())
    said, unread = heard_in(made.write(tmp_path)).messages
    assert (said.text, unread.text) == ("hello", "1 line of the transcript cannot be read")
    assert unread.metadata == {"summary": True}


def test_a_pipe_where_transcripts_stand_is_no_transcript(made, tmp_path):
    path = made.write(tmp_path / "p")
    os.mkfifo(path.with_name("other.jsonl"))
    assert written_since(tmp_path, 0) == [path]
