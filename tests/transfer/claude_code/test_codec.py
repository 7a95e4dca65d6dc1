"""What a Claude Code history gives, trap by trap."""

import base64
import json
from datetime import timedelta

import pytest

from archivist.records import Scope
from archivist.transfer import Reading, codec_named, import_history, read_history


def read(path, **reading):
    """The sessions by id, their counts checked."""
    sessions = {}
    for session in read_history(path, reading=Reading(**reading)):
        messages = list(session.messages)
        assert session.read == sum(m.records for m in messages) + sum(session.skipped.values())
        sessions[session.start.external_id] = (session, [m.message for m in messages])
    return sessions


@pytest.fixture
def only(transcript, tmp_path, kit):
    """The session and the messages of the transcript as it is now."""
    return lambda: read(transcript.write(tmp_path))[kit.SESSION]


def test_lines_of_one_request_are_one_message(transcript, only, kit):
    transcript.person("why is it flaky?")
    ids = [
        transcript.answer("r1", {"type": "thinking", "thinking": "hm", "signature": "c2ln"}),
        transcript.answer("r1", "I look."),
        transcript.answer("r1", kit.call("t1", command="pytest"), stop="tool_use"),
    ]
    transcript.result("t1", "4 failed")
    _, messages = only()
    answer = messages[1]
    assert (answer.role, answer.text, answer.tool_calls[0].name) == ("assistant", "I look.", "Bash")
    assert answer.metadata["source_ids"] == ids
    assert json.loads(answer.reasoning) == [{"type": "thinking", "thinking": "hm", "signature": "c2ln"}]
    assert (messages[2].role, messages[2].text, messages[2].tool_name) == ("tool", "4 failed", "Bash")


def test_usage_is_counted_once_a_request_with_the_largest_output(transcript, only):
    transcript.person("go")
    transcript.answer("r1", "a", output=7)
    transcript.answer("r1", "b", output=90)
    transcript.answer("r1", "c", output=90)
    session, _ = only()
    assert [(u.request_id, u.output, u.input, u.cache_read) for u in session.usage] == [("r1", 90, 4, 900)]


def test_an_edit_leaves_a_branch(transcript, only):
    root = transcript.person("retry it")
    transcript.answer("r1", "That hides the fault.", stop="end_turn")
    transcript.person("freeze the clock", parent=None)
    transcript.answer("r2", "Done.", stop="end_turn")
    _, messages = only()
    assert root.endswith("0001")
    assert [m.state for m in messages] == ["branch", "branch", "active", "active"]


def test_parallel_calls_and_their_answers_are_no_branches(transcript, only, kit):
    transcript.person("both")
    first = transcript.answer("r1", kit.call("t1"))
    transcript.result("t1", "one")
    transcript.answer("r1", kit.call("t2"), parent=first, stop="tool_use")
    transcript.result("t2", "two")
    transcript.answer("r2", "Both done.", stop="end_turn")
    _, messages = only()
    assert [(m.role, m.state) for m in messages] == [
        ("user", "active"),
        ("assistant", "active"),
        ("tool", "active"),
        ("tool", "active"),
        ("assistant", "active"),
    ]
    assert [c.id for c in messages[1].tool_calls] == ["t1", "t2"]


def test_lines_of_a_response_beside_each_other_are_no_branches(transcript, only, kit):
    root = transcript.person("both")
    transcript.answer("r1", "first I look", parent=root)
    transcript.answer("r1", kit.call("t1"), parent=root, stop="tool_use")
    transcript.result("t1", "one")
    _, messages = only()
    assert [m.state for m in messages] == ["active"] * 3


def test_a_result_before_its_call_has_no_tool_yet_and_never_gets_one(transcript, only, kit):
    transcript.result("t1", "early")
    transcript.answer("r1", kit.call("t1"), stop="tool_use")
    transcript.result("t1", "late")
    _, messages = only()
    assert [m.tool_name for m in messages] == [None, None, "Bash"]


def test_a_compaction_hides_nothing(transcript, only):
    transcript.person("the fault")
    end = transcript.answer("r1", "found", stop="end_turn")
    transcript.chained("system", subtype="compact_boundary", parent=None, logicalParentUuid=end)
    transcript.person("Summary of the earlier part", isCompactSummary=True)
    transcript.person("now the version")
    session, messages = only()
    assert [(m.text, m.state) for m in messages] == [
        ("the fault", "active"),
        ("found", "active"),
        ("now the version", "active"),
    ]
    assert session.skipped["compaction summary"] == 1


@pytest.mark.parametrize("damage", [b'{"type":"user","uu', b"\x00\x00\x00", b"not json"])
def test_a_damaged_line_in_the_middle_does_not_turn_the_past_into_a_branch(transcript, only, damage):
    transcript.person("first")
    transcript.answer("r1", "lost later", stop="end_turn")
    transcript.lines[-1] = damage
    transcript.person("second")
    session, messages = only()
    assert [(m.text, m.state) for m in messages] == [("first", "active"), ("second", "active")]
    assert session.skipped["invalid JSON"] == 1


def test_a_circle_of_parents_ends(transcript, only):
    transcript.person("a", uuid="a", parent="b")
    transcript.person("b", uuid="b", parent="a")
    _, messages = only()
    assert [m.state for m in messages] == ["active", "active"]


def test_what_the_program_wrote_itself_is_skipped_with_a_reason(transcript, only):
    transcript.line(type="file-history-snapshot", messageId="x", snapshot={})
    transcript.person("<local-command-stdout>Set model</local-command-stdout>", isMeta=True)
    transcript.person("<system-reminder>\nnothing else\n</system-reminder>")
    transcript.person("[Request interrupted by user]")
    transcript.chained("attachment", attachment={"type": "todo"})
    transcript.line(type="widget-state-v9", sessionId=transcript.session)
    transcript.chained("assistant", isApiErrorMessage=True, message={"content": "API Error"})
    transcript.answer("r0", "No response requested.", model="<synthetic>")
    transcript.person("hello")
    session, messages = only()
    assert [m.text for m in messages] == ["hello"]
    assert session.skipped == {
        "bookkeeping: file-history-snapshot": 1,
        "written by the program: hidden": 1,
        "nothing left after the program's own words": 2,
        "bookkeeping: attachment": 1,
        "unknown line type: widget-state-v9": 1,
        "written by the program: no model answered": 2,
    }


def test_recalled_memory_is_not_what_the_person_said(transcript, only):
    transcript.person('fix it\n<memory-context source="archivist">\nport 6390\n</memory-context>')
    _, messages = only()
    assert messages[0].text == "fix it"


def test_words_beside_a_tool_result_are_a_message_of_their_own(transcript, only, kit):
    transcript.answer("r1", kit.call("t1"), stop="tool_use")
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "denied", "is_error": True}
    transcript.person([{"type": "text", "text": "no, use the other file"}, result])
    _, messages = only()
    assert [(m.role, m.text) for m in messages[1:]] == [
        ("tool", "denied"),
        ("user", "no, use the other file"),
    ]
    assert messages[1].metadata["is_error"] is True
    assert len({m.client_id for m in messages}) == 3


def test_images_and_documents_become_bytes(transcript, only, kit):
    png = base64.b64encode(b"\x89PNG").decode()
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": png}}
    pdf = {
        "type": "document",
        "title": "plan.pdf",
        "source": {**image["source"], "media_type": "application/pdf"},
    }
    transcript.person([{"type": "text", "text": "look"}, image, pdf])
    transcript.answer("r1", kit.call("t1"), stop="tool_use")
    transcript.result("t1", [{"type": "text", "text": "a picture"}, image])
    _, messages = only()
    assert [(p.kind, p.media_type, p.name, p.data) for p in messages[0].parts[1:]] == [
        ("image", "image/png", "", b"\x89PNG"),
        ("file", "application/pdf", "plan.pdf", b"\x89PNG"),
    ]
    assert (messages[0].text, messages[2].text, messages[2].parts[1].data) == (
        "look",
        "a picture",
        b"\x89PNG",
    )


def test_words_and_images_keep_their_order(transcript, only):
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    transcript.person([{"type": "text", "text": "left"}, image, {"type": "text", "text": "right"}])
    _, [message] = only()
    assert [part.kind for part in message.parts] == ["text", "image", "text"]
    assert message.text == "left\nright"


def test_blocks_of_an_unknown_kind_are_kept(transcript, only):
    transcript.answer("r1", "searching", {"type": "server_tool_use", "id": "s1", "input": {"query": "你好"}})
    _, [message] = only()
    assert message.parts[1].kind == "server_tool_use"
    assert "你好" in message.parts[1].text


def test_escaped_arguments_are_real_characters(transcript, only, kit):
    transcript.answer("r1", kit.call("t1", command="写作"))
    transcript.lines[-1] = json.dumps(json.loads(transcript.lines[-1])).encode()
    assert b"\\u5199" in transcript.lines[-1]
    _, [message] = only()
    assert message.tool_calls[0].arguments == '{"command":"写作"}'


def test_bytes_that_are_no_utf8_and_lone_surrogates_keep_their_message(transcript, only):
    transcript.person("corner caf\u00e9")
    transcript.lines[-1] = transcript.lines[-1].replace("é".encode(), b"\xe9")
    transcript.person("smile SURROGATE")
    transcript.lines[-1] = transcript.lines[-1].replace(b"SURROGATE", b"\\ud83d")
    session, messages = only()
    assert [m.text for m in messages] == ["corner caf\ufffd", "smile \ufffd"]
    assert session.notices == {"bytes that were no UTF-8 were replaced in a line": 1}


def test_fields_of_the_wrong_kind_do_not_cost_the_words(transcript, only):
    transcript.person("still here", isMeta="no", cwd=["x"], gitBranch=7)
    transcript.answer("r1", "me too", output="many")
    _, messages = only()
    assert [m.text for m in messages] == ["still here", "me too"]


def test_a_missing_time_comes_from_a_neighbour(transcript, only, kit):
    transcript.person("first", time=None)
    transcript.person("second")
    transcript.person("third")
    transcript.person("fourth", time="no time")
    _, messages = only()
    assert [m.created_at - kit.BEGIN for m in messages] == [timedelta(seconds=n) for n in (2, 2, 3, 3)]
    assert [m.metadata.get("time") for m in messages] == ["inferred", None, None, "inferred"]


def test_titles_rank_by_who_gave_them(transcript, only):
    leaf = transcript.person("hello")
    transcript.line(type="summary", summary="of another file", leafUuid="elsewhere")
    assert only()[0].start.title is None
    transcript.line(type="summary", summary="A summary", leafUuid=leaf)
    assert only()[0].start.title == "A summary"
    transcript.line(type="ai-title", aiTitle="A title", sessionId=transcript.session)
    assert only()[0].start.title == "A title"
    transcript.line(type="custom-title", customTitle="Mine", sessionId=transcript.session)
    transcript.line(type="ai-title", aiTitle="Another", sessionId=transcript.session)
    transcript.person("and on")
    assert only()[0].start.title == "Mine"


def test_a_title_in_the_middle_of_a_file_is_its_title(transcript, only):
    transcript.person("hello")
    transcript.line(type="ai-title", aiTitle="A title", sessionId=transcript.session)
    transcript.person("and on")
    assert only()[0].start.title == "A title"


def test_a_sub_agent_is_a_session_of_its_own(transcript, tmp_path, kit):
    transcript.person("find the places")
    transcript.write(tmp_path)
    agent = kit.Transcript(transcript.session, agentId="7f3c", isSidechain=True)
    agent.person("list them")
    agent.answer("s1", "three places", stop="end_turn")
    agent.write(tmp_path / transcript.session / "subagents", "agent-7f3c.jsonl")
    sessions = read(tmp_path)
    session, messages = sessions[f"{transcript.session}/agent-7f3c"]
    assert (session.parent_external_id, session.start.link) == (transcript.session, "subagent")
    assert [m.text for m in messages] == ["list them", "three places"]
    assert list(sessions) == [transcript.session, f"{transcript.session}/agent-7f3c"]


def test_sub_agents_inside_an_older_file_are_sessions_of_their_own(transcript, tmp_path, kit):
    transcript.person("find the places")
    main = transcript.answer("r1", kit.call("t1", "Task"), stop="tool_use")
    one = transcript.person("first task", isSidechain=True, parent=None)
    two = transcript.person("second task", isSidechain=True, parent=None)
    transcript.answer("s1", "of one", isSidechain=True, parent=one, stop="end_turn")
    transcript.answer("s2", "of two", isSidechain=True, parent=two, stop="end_turn")
    transcript.result("t1", "both done", parent=main)
    sessions = read(transcript.write(tmp_path))
    assert {key: [m.text for m in messages] for key, (_, messages) in sessions.items()} == {
        kit.SESSION: ["find the places", "", "both done"],
        f"{kit.SESSION}/agent-{one}": ["first task", "of one"],
        f"{kit.SESSION}/agent-{two}": ["second task", "of two"],
    }
    assert all(m.state == "active" for _, messages in sessions.values() for m in messages)


def test_scope_is_the_owners_and_the_projects(transcript, tmp_path, kit):
    transcript.person("hello")
    path = transcript.write(tmp_path)
    assert read(path)[kit.SESSION][0].start.scope == Scope(user="owner", project="/home/someone/tide")
    sessions = read(path, project_of=lambda folder: f"key of {folder}")
    assert sessions[kit.SESSION][0].start.scope.project == "key of /home/someone/tide"


def test_a_line_that_comes_twice_is_imported_once(transcript, only):
    transcript.person("once")
    transcript.lines.append(transcript.lines[-1])
    session, messages = only()
    assert len(messages) == 1
    assert session.skipped == {"repeated in the source": 1}


def test_two_lines_with_one_id_and_different_words_are_both_kept(transcript, only):
    transcript.person("first words")
    transcript.lines.append(transcript.lines[-1].replace(b"first words", b"second words"))
    transcript.lines.append(transcript.lines[-1])
    session, messages = only()
    assert sorted(message.text for message in messages) == ["first words", "second words"]
    assert len({message.client_id for message in messages}) == 2
    assert session.skipped == {"repeated in the source": 1}


def test_a_line_of_absurd_length_is_counted_and_passed_over(transcript, only, monkeypatch):
    monkeypatch.setattr("archivist.transfer.json_lines.LONGEST_LINE_BYTES", 2_000)
    transcript.person("before")
    transcript.person("x" * 5_000)
    transcript.person("after")
    session, messages = only()
    assert [m.text for m in messages] == ["before", "after"]
    assert session.skipped == {"line over 64 MB": 1}


def test_a_file_of_no_messages_makes_no_session(transcript, tmp_path, memory):
    transcript.line(type="summary", summary="of another file", leafUuid="elsewhere")
    report = import_history(transcript.write(tmp_path), memory)
    assert (report.sessions_new, report.read, report.skipped, memory.starts) == (0, 1, 1, {})


def test_what_an_agent_told_a_sub_agent_says_so(transcript, kit, tmp_path, memory):
    transcript.person("ask somebody")
    transcript.person("inside the file", isSidechain=True, parent=None, agentId="a1")
    transcript.write(tmp_path)
    agent = kit.Transcript(transcript.session, ids="agent", isSidechain=True)
    agent.person("find the forks")
    agent.answer("r", "found", stop="end_turn")
    agent.write(tmp_path / transcript.session / "subagents", "agent-2.jsonl")
    import_history(tmp_path, memory)
    told = {message.text: message.metadata.get("by") for _, message in memory.messages.values()}
    assert told == {
        "ask somebody": None,
        "inside the file": "agent",
        "find the forks": "agent",
        "found": None,
    }


def test_a_file_that_vanishes_does_not_hide_the_others(transcript, tmp_path, monkeypatch):
    transcript.person("hello")
    folder = tmp_path / ".claude" / "projects" / "-home"
    path = transcript.write(folder)
    gone = folder / "gone.jsonl"
    codec = codec_named("claude-code")
    monkeypatch.setattr(type(codec), "paths", lambda *_: [gone, path])
    [found] = codec.find(tmp_path, {})
    assert found.bytes == path.stat().st_size
