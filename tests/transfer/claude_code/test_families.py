"""Files that repeat the lines of others: resumed and forked conversations."""

import pytest

from archivist.transfer import import_history

FORK = "22222222-2222-4222-8222-222222222222"
THIRD = "33333333-3333-4333-8333-333333333333"


@pytest.fixture
def resumed(transcript, kit, tmp_path):
    """A session, and a later file that repeats it and goes on, by another session's name."""
    transcript.person("root")
    transcript.answer("r1", "answer", stop="end_turn")
    transcript.write(tmp_path)
    fork = kit.Transcript(FORK)
    fork.lines = [line.replace(kit.SESSION.encode(), FORK.encode()) for line in transcript.lines]
    fork.number, fork.last = 10, transcript.last
    fork.person("goes on")
    fork.answer("r2", "and on", stop="end_turn")
    fork.write(tmp_path)
    return fork


@pytest.mark.usefixtures("resumed")
def test_lines_of_two_files_belong_to_the_one_that_had_them_first(memory, tmp_path, kit):
    report = import_history(tmp_path, memory)
    assert [m.text for m in memory.of()] == ["root", "answer"]
    assert [(m.text, m.state) for m in memory.of(FORK)] == [("goes on", "active"), ("and on", "active")]
    assert memory.parents[FORK] == kit.SESSION
    assert memory.starts[FORK].link == "fork"
    assert report.reasons == {"already in the session it came from": 2}
    assert report.read == report.imported + report.skipped == 6


@pytest.mark.usefixtures("resumed")
def test_a_file_resumed_after_an_import_adds_only_its_own_lines(memory, tmp_path, kit):
    fork = tmp_path / f"{FORK}.jsonl"
    content = fork.read_bytes()
    fork.unlink()
    import_history(tmp_path, memory)
    fork.write_bytes(content)
    report = import_history(tmp_path, memory)
    assert (report.messages, report.files_unchanged) == (2, 1)
    assert [m.text for m in memory.of(FORK)] == ["goes on", "and on"]
    assert memory.parents[FORK] == kit.SESSION
    assert import_history(tmp_path, memory).changed_nothing


@pytest.mark.usefixtures("resumed")
def test_the_first_session_may_be_the_longer_file(transcript, memory, tmp_path, kit):
    for number in range(20):
        transcript.person(f"went on here too {number}")
    transcript.write(tmp_path)
    import_history(tmp_path, memory)
    assert len(memory.of()) == 22
    assert [m.text for m in memory.of(FORK)] == ["goes on", "and on"]
    assert memory.parents[FORK] == kit.SESSION


def test_a_fork_of_a_fork_goes_on_from_it(resumed, memory, tmp_path, kit):
    third = kit.Transcript(THIRD)
    third.lines, third.number, third.last = list(resumed.lines), 30, resumed.last
    third.person("third")
    third.write(tmp_path)
    import_history(tmp_path, memory)
    assert [m.text for m in memory.of(THIRD)] == ["third"]
    assert (memory.parents[FORK], memory.parents[THIRD]) == (kit.SESSION, FORK)
    assert len(memory.messages) == 5


def test_an_answer_knows_its_tool_even_when_the_call_is_in_the_other_file(transcript, memory, tmp_path, kit):
    transcript.person("root")
    transcript.answer("r1", kit.call("t1", "Edit"), stop="tool_use")
    transcript.write(tmp_path)
    fork = kit.Transcript(FORK)
    fork.lines, fork.number, fork.last = list(transcript.lines), 10, transcript.last
    fork.result("t1", "changed")
    fork.write(tmp_path)
    import_history(tmp_path, memory)
    [message] = memory.of(FORK)
    assert (message.tool_name, message.state) == ("Edit", "active")


def test_a_sub_agent_that_begins_with_its_parents_lines_does_not_say_them_again(
    transcript, memory, tmp_path, kit
):
    transcript.person("root")
    transcript.answer("r1", "answer", stop="end_turn")
    transcript.write(tmp_path)
    agent = kit.Transcript(kit.SESSION, ids="agent", isSidechain=True)
    agent.lines, agent.last = list(transcript.lines), transcript.last
    agent.person("task")
    agent.write(tmp_path / kit.SESSION / "subagents", "agent-1.jsonl")
    report = import_history(tmp_path, memory)
    assert [m.text for m in memory.of(f"{kit.SESSION}/agent-1")] == ["task"]
    assert report.reasons == {"already in the session it came from": 2}


def test_shared_lines_are_known_even_when_they_are_damaged(transcript, memory, tmp_path, kit):
    transcript.person("root")
    transcript.person("smile SURROGATE")
    transcript.lines[-1] = transcript.lines[-1].replace(b"SURROGATE", b"\\ud83d")
    transcript.write(tmp_path)
    fork = kit.Transcript(FORK)
    fork.lines, fork.number, fork.last = list(transcript.lines), 10, transcript.last
    fork.person("goes on")
    fork.write(tmp_path)
    import_history(tmp_path, memory)
    assert [m.text for m in memory.of(FORK)] == ["goes on"]


def test_sessions_that_number_their_lines_alike_are_no_copies(transcript, memory, tmp_path, kit):
    other = kit.Transcript(FORK, ids=kit.SESSION[:8])
    agent = kit.Transcript(kit.SESSION, isSidechain=True)
    for made, words in ((transcript, "mine"), (other, "other"), (agent, "task")):
        made.person(f"{words} first")
        made.person(f"{words} second")
    transcript.write(tmp_path)
    other.write(tmp_path)
    agent.write(tmp_path / kit.SESSION / "subagents", "agent-1.jsonl")
    report = import_history(tmp_path, memory)
    assert report.imported == report.messages == len(memory.messages) == 6
    assert memory.parents[FORK] is None
    assert [m.text for m in memory.of(f"{kit.SESSION}/agent-1")] == ["task first", "task second"]
