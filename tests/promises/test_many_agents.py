"""Several agents of one home at once: each conversation is whole, and what each noted is there, or waits for the owner."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from tests.conftest import Clock
from tests.loop.scripted import Scripted, says
from tests.promises.agents import Worker, serving

from archivist import Archivist, check_messages

SPEAKS = """
import sys
sys.path.insert(0, sys.argv[1])
from archivist import Archivist
from archivist.records.approvals import Answer
from tests.promises.agents import responder_at
home, folder, url, first, last = sys.argv[2:]
with Archivist.open(home) as arc:
    agent = arc.agent(responder_at(url, "openai"), cwd=folder, approve=lambda ask: Answer("once"))
    for turn in range(int(first), int(last)):
        assert agent.turn(f"turn {turn}: what do we know of harbour {turn}?").stop == "end"
    agent.close()
"""


def together(tmp_path, agents, turns):
    home, folder = tmp_path / "home", tmp_path / "work"
    folder.mkdir()
    root = str(Path(__file__).parents[2])
    with serving(Worker()) as server:
        running = [
            subprocess.Popen(
                [
                    sys.executable,
                    "-c",
                    SPEAKS,
                    root,
                    home,
                    folder,
                    server.url,
                    str(at * 100),
                    str(at * 100 + turns),
                ],
                stderr=subprocess.PIPE,
                text=True,
            )
            for at in range(agents)
        ]
        for process in running:
            _, told = process.communicate(timeout=300)
            assert (process.returncode, told) == (0, "")
    with Archivist.open(home) as arc:
        found = arc.sessions.browse(source="chat", limit=50).sessions
        assert len(found) == agents
        for one in found:
            session = arc.sessions.get(one.id)
            said = [message.text for message in session.messages("all") if message.role == "user"]
            assert len(said) == turns
            assert not check_messages(session.sent())
        noted = {entry.text for entry in arc.notes.entries("memory", tier="all")}
        noted |= {one.content for waiting in arc.review.list() for one in waiting.operations}
        meant = [
            at * 100 + turn for at in range(agents) for turn in range(turns) if (at * 100 + turn) % 4 == 1
        ]
        asked = [turn for turn in meant if turn % 3]  # those that have a step in which they note
        assert {f"harbour {turn} opens at {turn % 24}:15" for turn in asked} <= noted
        assert arc.verify().problems == ()


def test_two_agents_of_one_home_do_not_disturb_each_other(tmp_path):
    together(tmp_path, agents=2, turns=4)


@pytest.mark.soak
def test_nor_do_eight(tmp_path):
    together(tmp_path, agents=8, turns=8)


@pytest.mark.parametrize("jump", [timedelta(days=-400), timedelta(days=4_000), timedelta(hours=-1)])
def test_a_clock_that_jumps_moves_no_message_and_no_prefix(tmp_path, jump):
    clock = Clock()
    with Archivist.open(tmp_path / "home", clock=clock, environ={}) as arc:
        model = Scripted(says("ok"))
        agent = arc.agent(model, cwd=tmp_path)
        agent.turn("first")
        clock.time += jump
        agent.turn("second")
        sent = model.last.messages
        agent.close()
        again = arc.agent(model, cwd=tmp_path, session=agent.conversation_id)
        again.turn("third")
        assert model.last.messages[: len(sent)] == sent
        assert [message.text for message in again.session.messages("all") if message.role == "user"] == [
            "first",
            "second",
            "third",
        ]
        assert arc.verify().problems == ()
