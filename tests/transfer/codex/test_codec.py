"""What becomes of each kind of line of a rollout."""

import base64
import json
import sys
from datetime import UTC, datetime
from importlib import import_module

import pytest

from archivist.transfer import (
    Reading,
    codec_named,
    detect_format,
    find_histories,
    has_news,
    import_history,
    read_history,
)

PIXEL = base64.b64encode(b"\x89PNG one pixel").decode()
OTHER = "019e0000-0000-7000-8000-000000000002"
THIRD = "019e0000-0000-7000-8000-000000000003"


def texts(memory, session):
    return [(message.role, message.text) for message in memory.of(session)]


@pytest.mark.parametrize("first", ["model", "screen"])
def test_each_text_is_stored_once_whichever_view_tells_it_first(rollout, home, memory, codex, first):
    for person, answer in (("fix the test", "fixed"), ("thanks", "gladly"), ("fix the test", "fixed")):
        steps = [rollout.heard, rollout.typed], [rollout.gave, rollout.shown]
        for pair, text in zip(steps, (person, answer), strict=True):
            for tell in pair if first == "model" else reversed(pair):
                tell(text)
    report = codex.imported(rollout.write(home), memory)
    said = ["fix the test", "fixed", "thanks", "gladly", "fix the test", "fixed"]
    assert [text for _, text in texts(memory, codex.FIRST)] == said
    assert report.reasons["repeated in the source"] == 6


@pytest.mark.parametrize("view", ["model", "screen"])
def test_a_file_with_one_view_only_loses_nothing(rollout, home, memory, codex, view):
    tell, reply = (rollout.heard, rollout.gave) if view == "model" else (rollout.typed, rollout.shown)
    for turn in range(3):
        tell("go on")
        reply(f"step {turn}")
    codex.imported(rollout.write(home), memory)
    assert texts(memory, codex.FIRST) == [
        line for turn in range(3) for line in (("user", "go on"), ("assistant", f"step {turn}"))
    ]


def test_completed_items_tell_the_same_texts(rollout, home, memory, codex):
    rollout.heard("plan it")
    rollout.event(
        "item_completed", item={"type": "UserMessage", "content": [{"type": "text", "text": "plan it"}]}
    )
    rollout.event("item_completed", item={"type": "Plan", "text": "1. dig"})
    rollout.event(
        "item_completed", item={"type": "AgentMessage", "content": [{"type": "Text", "text": "Here it is."}]}
    )
    rollout.gave("Here it is.\n<proposed_plan>\n1. dig\n</proposed_plan>")
    rollout.event("item_completed", item={"type": "CommandExecution", "command": ["ls"]})
    codex.imported(rollout.write(home), memory)
    assert texts(memory, codex.FIRST) == [
        ("user", "plan it"), ("assistant", "1. dig"), ("assistant", "Here it is."),
    ]  # fmt: skip


def test_a_plan_that_only_the_model_tells_is_kept(rollout, home, memory, codex):
    rollout.shown("Here it is.")
    rollout.gave("Here it is.\n<proposed_plan>1. dig</proposed_plan>")
    codex.imported(rollout.write(home), memory)
    assert texts(memory, codex.FIRST) == [("assistant", "Here it is."), ("assistant", "1. dig")]


def test_a_message_names_its_line_and_its_session(rollout, home, memory, codex):
    number = rollout.heard("hello")
    codex.imported(rollout.write(home), memory)
    [message] = memory.of(codex.FIRST)
    assert message.client_id.startswith(f"codex:{codex.FIRST}:")
    assert message.metadata["source_ids"] == [f"{codex.FIRST}:{number}"]


@pytest.mark.parametrize(
    "text",
    [
        "# AGENTS.md instructions for /home/someone/tide\n\n<INSTRUCTIONS>\nRun the tests.\n</INSTRUCTIONS>",
        "<environment_context>\n  <cwd>/home/someone/tide</cwd>\n</environment_context>",
        "<user_instructions>\nbe brief\n</user_instructions>",
        "<permissions instructions>\nno network\n</permissions instructions>",
        "<turn_aborted>\nthe person interrupted\n</turn_aborted>",
        '<new_kind_of_context version="2">x</new_kind_of_context>',
        "Another language model started to solve this problem and produced a summary of its thinking process. x",
    ],
)
def test_what_the_program_puts_before_the_model_is_no_message(rollout, home, memory, codex, text):
    rollout.event("task_started")
    rollout.heard(text, "real words")
    rollout.heard(text)
    rollout.heard("be careful", role="developer")
    report = codex.imported(rollout.write(home), memory)
    assert texts(memory, codex.FIRST) == [("user", "real words")]
    assert report.reasons["written by the program: instructions"] == 1
    whole = [why for why in report.reasons if why != "written by the program: instructions"]
    assert [why.startswith(("written", "compaction")) for why in whole if "bookkeeping" not in why] == [True]


def test_words_about_tags_are_words(rollout, home, memory, codex):
    said = ["why does <environment_context> appear?", "<div>\ncentre this\n</div>", "<my_tag>typed</my_tag>"]
    for text in said[:2]:
        rollout.heard(text)
    rollout.heard(said[2])
    rollout.typed(said[2])
    codex.imported(rollout.write(home), memory)
    assert [text for _, text in texts(memory, codex.FIRST)] == said


def test_the_frame_of_an_editor_is_taken_off(rollout, home, memory, codex):
    rollout.person(
        "# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\nrename it\n"
    )
    codex.imported(rollout.write(home), memory)
    assert texts(memory, codex.FIRST) == [("user", "rename it")]


def test_old_events_that_are_no_words_say_so(rollout, home, memory, codex):
    rollout.typed("cwd: /tide", kind="environment_context")
    rollout.typed("hello", kind="plain")
    codex.imported(rollout.write(home), memory)
    assert texts(memory, codex.FIRST) == [("user", "hello")]


def test_calls_and_results_are_paired_and_failures_flagged(rollout, home, memory, codex):
    rollout.call("c1", arguments=json.dumps({"command": ["grep", "潮汐"]}))
    rollout.result("c1", json.dumps({"output": "41: tide", "metadata": {"exit_code": 0}}))
    rollout.item("custom_tool_call", call_id="c2", name="apply_patch", input="*** Begin Patch")
    rollout.item(
        "custom_tool_call_output", call_id="c2", output='{"output":"no such file","metadata":{"exit_code":1}}'
    )
    rollout.item(
        "local_shell_call", call_id="c3", status="completed", action={"type": "exec", "command": ["ls"]}
    )
    rollout.result("c3", "Exit code: 2\nWall time: 0.1 seconds\nOutput:\nExit code: 0")
    rollout.item("web_search_call", id="c4", action={"type": "search", "query": "tides"})
    rollout.call("c5", "exec_command")
    rollout.event("exec_command_end", call_id="c5", exit_code=3)
    rollout.result("c5", "gone")
    rollout.result("c6", {"content": "lost", "success": False})
    codex.imported(rollout.write(home), memory)
    messages = memory.of(codex.FIRST)
    calls = [call for message in messages for call in message.tool_calls]
    assert [call.name for call in calls] == [
        "shell",
        "apply_patch",
        "local_shell",
        "web_search",
        "exec_command",
    ]
    assert "潮汐" in calls[0].arguments
    assert json.loads(calls[1].arguments) == {"input": "*** Begin Patch"}
    assert json.loads(calls[3].arguments)["query"] == "tides"
    results = [message for message in messages if message.role == "tool"]
    assert [(one.tool_call_id, one.tool_name, one.metadata.get("is_error", False)) for one in results] == [
        ("c1", "shell", False), ("c2", "apply_patch", True), ("c3", "local_shell", True),
        ("c5", "exec_command", True), ("c6", None, True),
    ]  # fmt: skip
    assert results[0].text == "41: tide"
    assert results[4].text == "lost"


def test_a_result_of_several_pieces_keeps_its_images(rollout, home, memory, codex):
    rollout.call("c1", "view_image")
    image = {"type": "input_image", "image_url": f"data:image/png;base64,{PIXEL}"}
    rollout.result("c1", [{"type": "input_text", "text": "a chart"}, image])
    codex.imported(rollout.write(home), memory)
    result = memory.of(codex.FIRST)[1]
    assert result.text == "a chart"
    assert [part.data for part in result.parts if part.kind == "image"] == [base64.b64decode(PIXEL)]


def test_reasoning_goes_with_the_next_answer_and_can_be_sent_again(rollout, home, memory, codex):
    rollout.person("why?")
    thought = rollout.think("I look", encrypted_content="c2VjcmV0")
    rollout.event("agent_reasoning", text="I look")
    call = rollout.call("c1")
    rollout.event("agent_reasoning", text="shown alone")
    rollout.answer("because")
    rollout.think("never answered")
    rollout.person("next")
    report = codex.imported(rollout.write(home), memory)
    messages = memory.of(codex.FIRST)
    [kept] = json.loads(messages[1].reasoning)
    assert kept["encrypted_content"] == "c2VjcmV0"
    assert messages[1].metadata["source_ids"] == [f"{codex.FIRST}:{thought}", f"{codex.FIRST}:{call}"]
    assert json.loads(messages[2].reasoning)[0]["summary"][0]["text"] == "shown alone"
    assert report.reasons["reasoning without an answer after it"] == 1


def test_a_compaction_repeats_nothing_and_hides_nothing(rollout, home, memory, codex):
    rollout.person("before")
    rollout.answer("done before")
    history = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "before"}]}]
    rollout.line("compacted", message="the summary", replacement_history=history)
    rollout.event("context_compacted")
    rollout.person("before")
    report = codex.imported(rollout.write(home), memory)
    assert [text for _, text in texts(memory, codex.FIRST)] == ["before", "done before", "before"]
    assert {message.state for message in memory.of(codex.FIRST)} == {"active"}
    assert report.reasons["compaction summary"] == 1


def test_what_openai_made_of_a_conversation_is_kept_to_the_letter_where_it_stood(
    rollout, home, memory, codex
):
    """https://developers.openai.com/api/docs/guides/compaction: the item goes back as it came."""
    block = {"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAAAAB" + "x_-=" * 50}
    history = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "before"}]},
        block,
    ]
    rollout.heard("before")
    rollout.gave("done before")
    rollout.item("compaction", **{name: value for name, value in block.items() if name != "type"})
    rollout.line("compacted", message="", replacement_history=history)
    rollout.line("compacted", message="", replacement_history=[*history, {**block, "encrypted_content": ""}])
    rollout.heard("and now?")
    report = codex.imported(rollout.write(home), memory)
    assert [text for _, text in texts(memory, codex.FIRST)] == ["before", "done before", "", "and now?"]
    kept = memory.of(codex.FIRST)[2]
    assert kept.role == "assistant"
    assert json.loads(kept.reasoning) == [block]
    assert report.reasons["repeated in the source"] == 2
    assert report.read == report.imported + report.skipped


def test_turns_that_were_rolled_back_are_undone(rollout, home, memory, codex):
    for turn in ("one", "two", "three"):
        rollout.person(turn)
        rollout.call(turn)
        rollout.result(turn)
        rollout.answer(f"answer to {turn}")
    rollout.event("thread_rolled_back", num_turns=2)
    rollout.person("two")
    rollout.answer("another answer")
    codex.imported(rollout.write(home), memory)
    active = [message.text for message in memory.of(codex.FIRST) if message.state == "active"]
    assert active == ["one", "", "ok", "answer to one", "two", "another answer"]
    assert sum(message.state == "undone" for message in memory.of(codex.FIRST)) == 8


def test_a_rollback_after_a_rollback_counts_what_is_left(rollout, home, memory, codex):
    for turn in ("one", "two", "three"):
        rollout.person(turn)
    rollout.event("thread_rolled_back", num_turns=1)
    rollout.event("thread_rolled_back", num_turns=1)
    rollout.event("thread_rolled_back")
    codex.imported(rollout.write(home), memory)
    assert [message.state for message in memory.of(codex.FIRST)] == ["active", "undone", "undone"]


def test_more_turns_than_there_are_leave_nothing(rollout, home, memory, codex):
    rollout.person("one")
    rollout.event("thread_rolled_back", num_turns=9)
    codex.imported(rollout.write(home), memory)
    assert [message.state for message in memory.of(codex.FIRST)] == ["undone"]


def test_running_totals_are_counted_once(rollout, home, memory, codex):
    rollout.line("turn_context", model="gpt-x", cwd="/home/someone/tide")
    one = {
        "input_tokens": 5000,
        "cached_input_tokens": 4000,
        "output_tokens": 100,
        "reasoning_output_tokens": 60,
    }
    two = {
        "input_tokens": 9000,
        "cached_input_tokens": 7000,
        "output_tokens": 300,
        "reasoning_output_tokens": 90,
    }
    rollout.person("x")
    for total in (one, one, two, two):
        rollout.tokens(total)
    rollout.tokens({"input_tokens": 10}, {"input_tokens": 7, "output_tokens": 2})
    rollout.event("token_count", info=None)
    codex.imported(rollout.write(home), memory)
    told = [(use.input, use.cache_read, use.output, use.reasoning) for use in memory.usage.values()]
    assert told == [(1000, 4000, 100, 60), (1000, 3000, 200, 30), (7, 0, 2, 0)]
    assert {use.model for use in memory.usage.values()} == {"gpt-x"}


def test_a_session_is_described_by_what_its_file_says(rollout, home, memory, codex):
    rollout.line("turn_context", model="gpt-x")
    rollout.person("x")
    rollout.write(home)
    other = codex.Rollout(OTHER, cwd="/home/someone/dyke")
    other.person("y")
    other.event("thread_name_updated", thread_name="Dyke work")
    other.write(home, "archived_sessions")
    index = [{"id": codex.FIRST, "thread_name": "first"}, {"id": codex.FIRST, "thread_name": "Tide table"}]
    (home / "session_index.jsonl").write_text("".join(json.dumps(one) + "\n" for one in index) + "damaged\n")
    codex.imported(home, memory, project_of=lambda cwd: cwd.rsplit("/", 1)[-1])
    first, second = memory.starts[codex.FIRST], memory.starts[OTHER]
    assert (first.title, first.model, first.cwd) == ("Tide table", "gpt-x", "/home/someone/tide")
    assert (first.scope.project, first.metadata["git_branch"]) == ("tide", "main")
    assert (first.archived, second.archived, second.title) == (False, True, "Dyke work")


def test_a_name_given_later_is_news(rollout, home, memory, codex):
    rollout.person("x")
    rollout.write(home)
    codex.imported(home, memory)
    (home / "session_index.jsonl").write_text(json.dumps({"id": codex.FIRST, "thread_name": "Tide"}) + "\n")
    assert has_news(home, memory, format="codex")
    codex.imported(home, memory)
    assert memory.starts[codex.FIRST].title == "Tide"


def test_a_session_that_is_put_away_is_the_same_session(rollout, home, memory, codex):
    rollout.person("x")
    path = rollout.write(home)
    codex.imported(home, memory)
    (home / "archived_sessions").mkdir()
    path.rename(home / "archived_sessions" / path.name)
    assert codex.imported(home, memory).changed_nothing


def forked(codex, parent, session=OTHER, *, restamped, day=2, **facts):
    """A fork with its parent's lines, with their times or with the time of the fork."""
    begin = datetime(2026, 3, day, 9, 0, tzinfo=UTC)
    fork = codex.Rollout(session, begin=begin, **{"forked_from_id": parent.session} | facts)
    for raw in parent.lines[1:]:
        line = json.loads(raw)
        copied_at = f"2026-03-{day:02}T09:00:02Z" if restamped else line["timestamp"]
        fork.line(line["type"], time=copied_at, **line["payload"])
    fork.seconds = 300
    return fork


@pytest.mark.parametrize("restamped", [True, False])
def test_a_fork_holds_only_what_was_said_in_it(rollout, home, memory, codex, restamped):
    rollout.person("lay the table")
    rollout.answer("laid")
    fork = forked(codex, rollout, restamped=restamped)
    rollout.person("lay the table")
    fork.person("lay the table")
    fork.answer("laid otherwise")
    grandchild = forked(codex, fork, THIRD, restamped=restamped, day=3, cwd="/elsewhere")
    grandchild.person("enough")
    for made in (grandchild, fork, rollout):
        made.write(home)
    report = codex.imported(home, memory)
    assert texts(memory, OTHER) == [("user", "lay the table"), ("assistant", "laid otherwise")]
    assert texts(memory, THIRD) == [("user", "enough")]
    assert memory.parents == {codex.FIRST: None, OTHER: codex.FIRST, THIRD: OTHER}
    assert memory.starts[OTHER].link == "fork"
    assert report.reasons["already in the session it came from"] >= 12
    assert memory.starts[THIRD].cwd == "/elsewhere"
    assert codex.imported(home, memory).changed_nothing


def test_a_fork_whose_origin_is_gone_tells_what_it_has_of_it(rollout, home, memory, codex):
    rollout.person("lay the table")
    fork = forked(codex, rollout, restamped=False)
    fork.person("otherwise")
    fork.write(home)
    codex.imported(home, memory)
    assert [text for _, text in texts(memory, codex.FIRST)] == ["lay the table"]
    assert [text for _, text in texts(memory, OTHER)] == ["otherwise"]
    assert memory.parents[OTHER] == codex.FIRST


def test_a_fork_does_not_take_over_its_origin_when_that_is_deleted(rollout, home, memory, codex):
    rollout.person("lay the table")
    fork = forked(codex, rollout, restamped=False)
    origin = rollout.write(home)
    fork.write(home)
    codex.imported(home, memory)
    origin.unlink()
    fork.person("otherwise")
    fork.write(home)
    codex.imported(home, memory)
    assert [text for _, text in texts(memory, OTHER)] == ["otherwise"]


def test_a_rollback_in_a_fork_may_reach_behind_it(rollout, home, memory, codex):
    for turn in ("one", "two"):
        rollout.person(turn)
        rollout.answer(f"answer to {turn}")
    fork = forked(codex, rollout, restamped=True)
    fork.event("thread_rolled_back", num_turns=1)
    fork.person("three")
    fork.event("thread_rolled_back", num_turns=2)
    fork.person("four")
    rollout.write(home)
    fork.write(home)
    codex.imported(home, memory)
    assert [(message.text, message.state) for message in memory.of(OTHER)] == [
        ("three", "undone"),
        ("four", "active"),
    ]
    assert {message.state for message in memory.of(codex.FIRST)} == {"active"}


def test_totals_of_the_origin_are_not_spent_again(rollout, home, memory, codex):
    rollout.person("one")
    rollout.tokens({"input_tokens": 100}, {"input_tokens": 100})
    fork = forked(codex, rollout, restamped=True)
    fork.person("two")
    fork.tokens({"input_tokens": 130}, {"input_tokens": 30})
    rollout.write(home)
    fork.write(home)
    codex.imported(home, memory)
    assert sorted(use.input for use in memory.usage.values()) == [30, 100]


@pytest.mark.parametrize(
    "facts",
    [
        {
            "source": {
                "subagent": {"thread_spawn": {"parent_thread_id": "019e0000-0000-7000-8000-000000000001"}}
            }
        },
        {"source": {"subagent": "review"}, "forked_from_id": "019e0000-0000-7000-8000-000000000001"},
        {"parent_thread_id": "019e0000-0000-7000-8000-000000000001", "thread_source": "subagent"},
    ],
)
def test_a_sub_agent_is_a_session_of_the_one_that_called_it(rollout, home, memory, codex, facts):
    agent = codex.Rollout(OTHER, **facts)
    agent.person("look for the cause")
    agent.write(home)
    rollout.person("find it")
    rollout.write(home)
    codex.imported(home, memory)
    assert memory.parents[OTHER] == codex.FIRST
    assert memory.starts[OTHER].link == "subagent"


def test_a_task_in_the_words_of_the_person_is_the_sub_agents_own(rollout, home, memory, codex):
    rollout.person("find the cause")
    rollout.write(home)
    later = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": codex.FIRST}}}
    fresh = codex.Rollout(OTHER, begin=later, source=spawned)
    told_all = codex.Rollout(THIRD, begin=later, source=spawned)
    told_all.line("session_meta", id=codex.FIRST)
    for made in (fresh, told_all):
        made.person("find the cause")
        made.answer("the clock")
        made.write(home)
    codex.imported(home, memory)
    assert [text for _, text in texts(memory, OTHER)] == ["find the cause", "the clock"]
    assert [text for _, text in texts(memory, THIRD)] == ["the clock"]


def test_sessions_that_name_each_other_stop_nothing(home, memory, codex):
    for one, other in ((codex.FIRST, OTHER), (OTHER, codex.FIRST), (THIRD, THIRD)):
        made = codex.Rollout(one, forked_from_id=other)
        made.person(f"words of {one}")
        made.write(home)
    codex.imported(home, memory)
    assert len(memory.messages) == 3


def test_two_files_of_one_session_are_one_session(rollout, home, memory, codex):
    rollout.person("one")
    rollout.write(home)
    again = codex.Rollout(begin=datetime(2026, 3, 3, 9, 0, tzinfo=UTC))
    again.person("two")
    again.write(home, "sessions/2026/03/03")
    codex.imported(home, memory)
    assert sorted(message.text for _, message in memory.messages.values()) == ["one", "two"]
    assert list(memory.starts) == [codex.FIRST]


def test_images_become_bytes_once(rollout, home, memory, codex):
    url = f"data:image/png;base64,{PIXEL}"
    picture = [
        "<image name=[Image #1]>",
        {"type": "input_image", "image_url": url},
        "</image>",
        "what is it?",
    ]
    rollout.heard(*picture)
    rollout.typed("what is it?", images=[url])
    rollout.answer("a pixel")
    rollout.typed("and now?", images=[], local_images=["/tmp/a.png"])
    rollout.heard(*picture[:3], "and now?")
    codex.imported(rollout.write(home), memory)
    images = [
        [part.data for part in message.parts if part.kind == "image"] for message in memory.of(codex.FIRST)
    ]
    assert images == [[base64.b64decode(PIXEL)], [], [], [base64.b64decode(PIXEL)]]
    assert [text for _, text in texts(memory, codex.FIRST)] == ["what is it?", "a pixel", "and now?", ""]


def test_the_oldest_files_have_items_without_an_envelope(home, memory, codex):
    lines = [
        {"id": codex.FIRST, "timestamp": "2025-05-01T10:00:00Z", "instructions": None},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]},
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "hi"}]},
    ]
    path = home / "sessions" / "2025" / "05" / "01" / f"rollout-2025-05-01-{codex.FIRST}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    codex.imported(home, memory)
    assert texts(memory, codex.FIRST) == [("user", "hello"), ("assistant", ""), ("assistant", "hi")]
    assert memory.of(codex.FIRST)[0].created_at == datetime(2025, 5, 1, 10, tzinfo=UTC)


def test_missing_times_come_from_the_line_before(rollout, home, memory, codex):
    rollout.heard("one")
    rollout.line("response_item", time=None, type="message", role="assistant", content="two")
    codex.imported(rollout.write(home), memory)
    one, two = memory.of(codex.FIRST)
    assert two.created_at == one.created_at
    assert two.metadata["time"] == "inferred"


def test_times_before_any_are_those_of_the_name(home, memory, codex):
    made = codex.Rollout(meta=False)
    made.line("event_msg", time=None, type="user_message", message="one")
    codex.imported(made.write(home), memory)
    [one] = memory.of(codex.FIRST)
    assert one.created_at == codex.BEGIN


def test_damage_and_news_of_the_format_are_counted_by_name(rollout, home, memory, codex):
    rollout.person("Muller")
    rollout.line("world_state", note="x")
    rollout.item("dream")
    rollout.event("applause")
    rollout.lines += [b"not json", b"", b"[1]", b'{"type":"response_item","payload":7}\r']
    content = rollout.bytes().replace(b"Muller", b"M\xfcller")
    path = rollout.write(home)
    path.write_bytes(content + b'{"timestamp":"2026-03-01T10:00:00Z","type":"event_m')
    report = codex.imported(path, memory)
    assert [text for _, text in texts(memory, codex.FIRST)] == ["M\ufffdller"]
    for reason in ("unknown line type: world_state", "unknown line type: dream", "torn line"):
        assert report.reasons[reason] == 1
    assert report.reasons["bookkeeping: applause"] == 1
    assert report.reasons["invalid JSON"] == 2
    assert report.notices["bytes that were no UTF-8 were replaced in a line"] == 2


def packed(path):
    """The same file as the program packs it."""
    other = path.with_name(f"{path.name}.zst")
    zstd = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    other.write_bytes(zstd.compress(path.read_bytes()))
    path.unlink()
    return other


def test_a_packed_file_gives_what_the_plain_one_gives(rollout, home, memory, kit, codex):
    rollout.person("one")
    rollout.think("hm")
    rollout.call("c")
    rollout.result("c")
    rollout.answer("two")
    path = rollout.write(home)
    plain = kit.Memory()
    codex.imported(home, plain)
    packed(path)
    assert detect_format(home) == "codex"
    codex.imported(home, memory)
    assert memory.everything() == plain.everything()
    assert codex.imported(home, plain).changed_nothing


def test_a_fork_of_a_packed_session_holds_only_what_was_said_in_it(rollout, home, memory, codex):
    rollout.person("lay the table")
    fork = forked(codex, rollout, restamped=True)
    fork.person("otherwise")
    packed(rollout.write(home))
    packed(fork.write(home))
    codex.imported(home, memory)
    assert texts(memory, OTHER) == [("user", "otherwise")]


@pytest.mark.parametrize(
    "damage", [lambda raw: raw[:20], lambda raw: b"no frame" + raw, lambda raw: raw[:-4] + b"????"]
)
def test_a_packed_file_that_is_damaged_is_named_and_stops_nothing_else(rollout, home, memory, codex, damage):
    rollout.person("one " * 400)
    other = codex.Rollout(OTHER)
    other.person("two")
    other.write(home)
    path = packed(rollout.write(home))
    path.write_bytes(damage(path.read_bytes()))
    report = import_history(home, memory)
    assert [problem.path for problem in report.problems] == [path]
    assert texts(memory, OTHER) == [("user", "two")]


@pytest.mark.parametrize(
    "text",
    [
        "# Bug report\nThe login page crashes on port 8443.\n## My request:\nfix it",
        "# Bug report\n## My request for Codex:\nfix it",
        "<skill>\nname: deploy\nsteps: run make on port 8443\n</skill>",
        "<environment_context>\nwhat is this?\n</environment_context>",
        "# AGENTS.md instructions are what I want to talk about",
        "<user_story>\nAs an admin …\n</user_story>",
    ],
)
def test_what_was_typed_is_believed_as_it_was_shown(rollout, home, memory, codex, text):
    rollout.person(text)
    codex.imported(rollout.write(home), memory)
    assert texts(memory, codex.FIRST) == [("user", text)]


def test_of_an_editors_frame_only_the_frame_is_taken_off(rollout, home, memory, codex):
    request = "Rewrite this doc:\n## My request for Codex:\nkeep it short"
    rollout.person(
        f"# Context from my IDE setup:\n\n## Active file: a\n\n## My request for Codex:\n{request}"
    )
    rollout.person("# Files mentioned by the user:\n\n## a.py\n\nno request stands here")
    codex.imported(rollout.write(home), memory)
    [first, second] = texts(memory, codex.FIRST)
    assert first == ("user", request)
    assert second[1].startswith("# Files mentioned")


def test_in_a_file_without_the_shown_view_an_unknown_tag_is_a_persons(rollout, home, memory, codex):
    rollout.heard("<user_story>\nAs an admin …\n</user_story>")
    codex.imported(rollout.write(home), memory)
    assert texts(memory, codex.FIRST) == [("user", "<user_story>\nAs an admin …\n</user_story>")]


def test_what_an_agent_told_a_sub_agent_says_so(rollout, home, memory, codex):
    rollout.person("lay the table")
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": rollout.session, "depth": 1}}}
    agent = codex.Rollout(OTHER, source=spawn)
    agent.person("find the forks")
    agent.answer("found")
    for made in (rollout, agent):
        made.write(home)
    codex.imported(home, memory)
    assert [message.metadata.get("by") for message in memory.of(OTHER)] == ["agent", None]
    assert "by" not in memory.of(codex.FIRST)[0].metadata


def test_a_long_chain_of_forks_is_put_in_order_at_once(tmp_path, codex):
    files = []
    for number in range(3000):
        made = codex.Rollout(f"s{number}", **({"forked_from_id": f"s{number + 1}"} if number < 2999 else {}))
        files.append(made.write(tmp_path, "sessions"))
    history = codec_named("codex").open(tmp_path, Reading())
    assert [file.path for file in history.in_order(history.files)] == files[::-1]


def test_histories_are_found_and_recognised_by_every_path(rollout, home, tmp_path):
    rollout.person("one")
    path = rollout.write(home)
    (home / "history.jsonl").write_text('{"session_id":"x","ts":1,"text":"one"}\n')
    [found] = find_histories(tmp_path, {})
    assert (found.format, found.path, found.sessions) == ("codex", home, 1)
    assert [one.path for one in find_histories(tmp_path / "no", {"CODEX_HOME": str(home)})] == [home]
    for place in (home, home / "sessions", path.parent.parent.parent, path.parent, path):
        assert detect_format(place) == "codex"
        assert [one.start.external_id for one in read_history(place)] == [rollout.session]
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(path.read_bytes())
    assert detect_format(copy) == "codex"
    assert [one.start.external_id for one in read_history(copy)] == [rollout.session]


def test_the_source_is_left_as_it_is(rollout, home, memory, kit, codex):
    rollout.person("one")
    rollout.write(home)
    before = kit.digests(home)
    codex.imported(home, memory)
    assert kit.digests(home) == before
