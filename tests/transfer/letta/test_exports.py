"""The same agent exported again, other agents in files of the same name, and files of any shape."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archivist.transfer import has_news

ID = "agent.af#agent-0"


def spoken(agent, *words):
    for number, word in enumerate(words):
        agent.say("assistant" if number % 2 else "user", word)
    return agent


def said(memory):
    return {session: [message.text for message in memory.of(session)] for session in memory.starts}


def test_an_agent_exported_again_only_grows(tmp_path, memory, letta):
    one, other = letta.Agent(), letta.Agent("agent-1")
    spoken(one, "a", "b")
    spoken(other, "x", "y")
    letta.imported(letta.write(tmp_path / "agent.af", one, other), memory)
    spoken(one, "c", "d")
    spoken(other, "z")
    report = letta.imported(letta.write(tmp_path / "agent.af", one, other), memory)
    assert report.messages == 3
    assert said(memory) == {ID: ["a", "b", "c", "d"], "agent.af#agent-1": ["x", "y", "z"]}


def test_what_an_export_leaves_out_stays(tmp_path, memory, letta):
    agent = spoken(letta.Agent(begin=letta.BEGIN.replace(microsecond=41)), "a", "b", "c", "d")
    letta.imported(letta.write(tmp_path / "agent.af", agent), memory)
    del agent.messages[:3]
    agent.begin = letta.BEGIN.replace(hour=12)
    spoken(agent, "e")
    letta.imported(letta.write(tmp_path / "agent.af", agent), memory)
    assert said(memory) == {ID: ["a", "b", "c", "d", "e"]}


def test_what_leaves_the_context_later_becomes_history(tmp_path, memory, letta):
    agent = spoken(letta.Agent(), "a", "b")
    letta.imported(letta.write(tmp_path / "agent.af", agent), memory)
    agent.fields["in_context_message_ids"] = ["message-1"]
    report = letta.imported(letta.write(tmp_path / "agent.af", agent), memory)
    assert (report.messages, report.restated) == (0, 1)


def test_an_older_export_adds_nothing(tmp_path, memory, letta):
    agent = spoken(letta.Agent(), "a", "b", "c", "d")
    letta.imported(letta.write(tmp_path / "agent.af", agent), memory)
    del agent.messages[2:]
    assert letta.imported(letta.write(tmp_path / "old" / "agent.af", agent), memory).changed_nothing
    assert letta.imported(letta.write(tmp_path / "agent.af", agent), memory).changed_nothing


def test_a_last_answer_made_anew_stands_beside_the_first(tmp_path, memory, letta):
    agent = spoken(letta.Agent(), "a", "b", "c", "d")
    letta.imported(letta.write(tmp_path / "agent.af", agent), memory)
    agent.messages.pop()
    agent.say("assistant", "d, better")
    letta.imported(letta.write(tmp_path / "agent.af", agent), memory)
    assert said(memory) == {ID: ["a", "b", "c", "d", "d, better"]}


def test_agents_that_changed_places_are_the_same(tmp_path, memory, letta):
    one, other = spoken(letta.Agent("agent-0"), "a", "b"), spoken(letta.Agent("agent-1"), "x", "y")
    letta.imported(letta.write(tmp_path / "agent.af", one, other), memory)
    one.key, other.key = "agent-1", "agent-0"
    assert letta.imported(letta.write(tmp_path / "agent.af", other, one), memory).changed_nothing


def test_a_file_that_was_moved_is_the_same(tmp_path, memory, letta):
    agent = spoken(letta.Agent(), "a", "b")
    path = letta.write(tmp_path / "agent.af", agent)
    letta.imported(path, memory)
    (tmp_path / "kept" / "here").mkdir(parents=True)
    moved = path.rename(tmp_path / "kept" / "here" / "agent.af")
    assert letta.imported(tmp_path / "kept", memory).changed_nothing
    assert letta.imported(moved, memory).changed_nothing


@pytest.mark.parametrize("at_once", [True, False])
def test_other_agents_in_files_of_the_same_name_are_kept_apart(tmp_path, memory, letta, at_once):
    """Their ids and their times are the same, and so is an answer."""
    agents = {folder: spoken(letta.Agent(), f"I am {folder}", "ok") for folder in ("a", "b", "c")}
    for folder, agent in agents.items():
        path = letta.write(tmp_path / folder / "agent.af", agent)
        if not at_once:
            letta.imported(path, memory)
    letta.imported(tmp_path, memory)
    told = said(memory)
    assert told.pop(ID) == ["I am a", "ok"]
    assert sorted(told.values()) == [["I am b", "ok"], ["I am c", "ok"]]
    assert not has_news(tmp_path, memory, format="letta")
    spoken(agents["b"], "more")
    letta.write(tmp_path / "b" / "agent.af", agents["b"])
    assert letta.imported(tmp_path, memory).messages == 1
    for folder in agents:
        assert letta.imported(tmp_path / folder, memory).changed_nothing
    assert sorted(map(len, said(memory).values())) == [2, 2, 3]


def test_agents_with_the_same_beginning_that_went_different_ways_are_kept_apart(tmp_path, memory, letta):
    begin = [f"shared {number}" for number in range(8)]
    one, other = (spoken(letta.Agent(), *begin) for _ in range(2))
    spoken(one, "north", "ice", "bear", "seal")
    spoken(other, "south", "rock", "penguin", "whale")
    letta.imported(letta.write(tmp_path / "agent.af", one), memory)
    letta.imported(letta.write(tmp_path / "copy" / "agent.af", other), memory)
    assert said(memory)[ID][-4:] == ["north", "ice", "bear", "seal"]
    assert len(memory.starts) == 2


def survives(kit, letta, content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "agent.af"
        path.write_text(json.dumps(content))
        memory = kit.Memory()
        letta.imported(path, memory)
        assert letta.imported(path, memory).changed_nothing
        return memory


FIELDS = st.sampled_from(
    """type id role content text tool_calls tool_call_id tool_returns created_at name function arguments message status
    func_response reasoning source data media_type time""".split()
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | st.text(max_size=5)
    | st.sampled_from(["text", "reasoning", "image", "tool_call", "tool_return", "send_message", '{"type":"login"}']),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4),
    max_leaves=8,
)  # fmt: skip
ROLES = st.sampled_from(["user", "assistant", "tool", "system", "approval", "summary", "dream"])
MESSAGES = st.lists(VALUES | st.fixed_dictionaries({"role": ROLES, "content": VALUES}, optional={
    "tool_calls": VALUES, "tool_returns": VALUES, "created_at": VALUES, "text": VALUES, "id": VALUES,
}), max_size=6)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(messages=MESSAGES, flat=st.booleans(), seen=VALUES)
def test_messages_of_any_shape_are_counted(kit, letta, messages, flat, seen):
    last = {
        "role": "user",
        "text": "last words",
        "content": "last words",
        "created_at": "2026-05-02T10:00:00Z",
    }
    agent = {
        "id": "agent-0",
        "messages": [*messages, last],
        "in_context_message_ids": seen,
        "llm_config": seen,
    }
    memory = survives(kit, letta, agent if flat else {"agents": [agent, seen], "blocks": seen})
    assert [message.text for _, message in memory.messages.values()].count("last words") == 1


@settings(max_examples=100, deadline=None)
@given(
    words=st.lists(st.sampled_from("abc"), min_size=1, max_size=12),
    cuts=st.lists(st.integers(1, 12), max_size=4),
)
def test_growing_ends_as_the_whole_does(kit, letta, words, cuts):
    with tempfile.TemporaryDirectory() as folder:
        path, grown, once = Path(folder) / "agent.af", kit.Memory(), kit.Memory()
        for cut in (*sorted(cuts), len(words)):
            letta.imported(letta.write(path, spoken(letta.Agent(), *words[:cut])), grown)
        letta.imported(path, once)
        assert grown.everything() == once.everything()
        assert [message.text for message in once.of(ID)] == words
