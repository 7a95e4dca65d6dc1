"""The prefix holds still: within an epoch every request begins with all of the one before, to the byte, whatever happens meanwhile.

The model is asked by its provider's own client over a socket, and what is compared are the bodies that came in there.
"""

import json
import subprocess
import sys
from itertools import pairwise

import pytest
from tests.promises.agents import FORMS, Worker, lists, responder, serving

from archivist import Archivist
from archivist.loop.events import Compressed, Said
from archivist.records.approvals import Answer

TURNS = 60
IDENTITY = "You keep the books of a harbour. " * 1_500
"""With the tools about thirteen thousand tokens, as agents have before anything is said."""
ANOTHER = """
import sys
from archivist import Archivist
from archivist.loop.events import Compressed, Said
with Archivist.open(sys.argv[1]) as arc:
    for line in sys.stdin:
        arc.notes.add("memory", line.strip())
        print("noted", flush=True)
"""

each_wire = pytest.mark.parametrize("wire", ["openai", "anthropic"])


@pytest.fixture
def home(tmp_path):
    (tmp_path / "home").mkdir(mode=0o700)
    (tmp_path / "home" / "SOUL.md").write_text(IDENTITY)
    (tmp_path / "work").mkdir()
    return tmp_path / "home"


@pytest.fixture
def another(home):
    """Another process, which notes something each time that it is told to."""
    with Archivist.open(home):
        pass
    process = subprocess.Popen(
        [sys.executable, "-c", ANOTHER, home], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin
    assert process.stdout

    def note(text):
        process.stdin.write(f"{text}\n")
        process.stdin.flush()
        assert process.stdout.readline() == "noted\n"

    yield note
    process.stdin.close()
    process.wait()
    process.stdout.close()


def open_agent(arc, server, wire, folder, window=128_000, **more):
    return arc.agent(
        responder(server, wire, window=window),
        cwd=folder,
        approve=lambda ask: Answer("once"),
        recall="on",
        **more,
    )


def stopping(agent):
    """Stops a turn when the first words of its reply have come."""
    return lambda event: agent.interrupt() if isinstance(event, Said) else None


def begins_with(requests):
    """The first place at which a request does not begin with all of the one before; None where each does."""
    for number, (before, after) in enumerate(pairwise(requests)):
        if after[: len(before)] != before:
            broken = next(
                (at for at, (x, y) in enumerate(zip(before, after, strict=False)) if x != y), len(after)
            )
            return number + 1, broken, before[broken][:300], after[broken : broken + 1]
    return None


def last_words(server):
    """What the newest request has behind the newest words of the model."""
    messages = server.requests[-1].body["messages"]
    behind = next(
        at for at in range(len(messages), 0, -1) if at == 1 or messages[at - 1]["role"] == "assistant"
    )
    return json.dumps(messages[behind if behind > 1 else 0 :], ensure_ascii=False)


@each_wire
def test_whatever_is_noted_called_recalled_stopped_and_resumed(home, another, tmp_path, wire):
    """Sixty turns of it; what anybody noted meanwhile stands at the tail, and the cost is that of a perfect freeze within 3 %."""
    clock = [1_000.0]
    with serving(Worker(pauses={20: 0.02, 41: 0.02}), clock=lambda: clock[0]) as server:
        arc = Archivist.open(home)
        agent = open_agent(arc, server, wire, tmp_path / "work")
        for turn in range(TURNS):
            clock[0] += 7
            fresh = f"crane {turn} is called number {turn * 3 + 1}"
            if turn % 6 == 3:
                another(fresh)
            elif turn % 6 == 5:
                arc.notes.add("memory", fresh)
            agent.on_event = stopping(agent) if turn in {20, 41} else lambda _: None
            if turn in {30, 45}:
                agent.close()
                arc.close()
                arc = Archivist.open(home)
                agent = open_agent(arc, server, wire, tmp_path / "work", session=agent.conversation_id)
            ended = agent.turn(f"turn {turn}: what do we know of harbour {turn} and crane {turn - 1}?")
            assert ended.stop == ("interrupted" if turn in {20, 41} else "end"), ended
            if turn % 6 in {3, 5} and turn % 3 == 0:
                assert fresh in last_words(server)
        agent.close()
        arc.close()
    assert begins_with(lists(server, wire)) is None
    assert len(server.requests) >= TURNS
    assert server.cost <= 1.03 * server.perfect_cost


@pytest.mark.parametrize("wire", ["anthropic", "deepseek"])
def test_thoughts_do_not_move_what_stands_around_them(home, tmp_path, wire):
    """Signed thoughts are sent again as they came; those that a provider ignores on later turns are no part of the list."""
    with serving(Worker(thinks=True)) as server, Archivist.open(home) as arc:
        agent = open_agent(arc, server, wire, tmp_path / "work")
        for turn in range(12):
            assert agent.turn(f"turn {turn}: go on").stop == "end"
        agent.close()
        agent = open_agent(arc, server, wire, tmp_path / "work", session=agent.conversation_id)
        agent.turn("turn 13: go on")
    if wire == "anthropic":
        assert begins_with(lists(server, wire)) is None
        assert json.dumps(server.requests[-1].body).count('"thinking"') > 12
    else:
        assert begins_with([without_thoughts(request.body) for request in server.requests]) is None
        assert any("reasoning_content" in message for message in server.requests[-1].body["messages"])


def without_thoughts(body):
    return [
        {name: value for name, value in message.items() if name != "reasoning_content"}
        for message in body["messages"]
    ]


@each_wire
def test_a_compression_begins_an_epoch_and_nothing_else_does(home, tmp_path, wire):
    compressed = []
    with serving(Worker()) as server, Archivist.open(home) as arc:
        agent = open_agent(arc, server, wire, tmp_path / "work", window=80_000)

        def look(event):
            if isinstance(event, Compressed):
                compressed.append(len([one for one in server.requests if "tools" in one.body]))

        agent.on_event = look
        for turn in range(24):
            assert agent.turn(f"turn {turn}: " + f"the ledger of quay {turn} says it. " * 300).stop == "end"
    told = [request for request in server.requests if "tools" not in request.body]
    assert len(told) >= len(compressed) > 0  # a model was asked for each summary, beside the conversation
    requests = [FORMS[wire].blocks(one.body) for one in server.requests if one not in told]
    breaks = [number for number, (one, two) in enumerate(pairwise(requests), 1) if two[: len(one)] != one]
    assert breaks == compressed


@each_wire
def test_what_is_taken_back_leaves_what_stands_before_it(home, tmp_path, wire):
    """An undo cannot hold the prefix still, but all before it is read from the cache as before."""
    with serving(Worker()) as server, Archivist.open(home) as arc:
        agent = open_agent(arc, server, wire, tmp_path / "work")
        for turn in range(6):
            agent.turn(f"turn {turn}: go on")
        kept = lists(server, wire)[-1]
        agent.turn("turn 6: no, this was wrong")
        arc.sessions.undo(agent.conversation_id)
        agent.turn("turn 9: rather this")
    last = lists(server, wire)[-1]
    assert last[: len(kept)] == kept
    assert "this was wrong" not in json.dumps(last)
