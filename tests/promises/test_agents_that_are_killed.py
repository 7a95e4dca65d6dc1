"""An agent that is killed at any moment of a turn goes on where it was, with a history that its provider takes."""

import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.promises.agents import Worker, serving

from archivist import Archivist, check_messages

VICTIM = Path(__file__).with_name("agent_victim.py")


def run(arguments, seconds):
    """Run the victim until it is done, or for so long since it began its first turn.

    Returns:
        The turns that it began, those that it said were done, and how it ended.
    """
    process = subprocess.Popen(
        [sys.executable, VICTIM, *map(str, arguments)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    begun, done, timer = [], [], None
    with process, process.stdout:
        for line in process.stdout:
            what, turn = line.split()
            (begun if what == "begins" else done).append(int(turn))
            if timer is None and seconds is not None:
                timer = threading.Timer(seconds, process.kill)
                timer.start()
    if timer:
        timer.cancel()
    return begun, done, process.returncode


def killed_at_work(tmp_path, wire, turns, kills, seed):
    """A conversation of so many turns, whose process was killed so many times on the way."""
    chance, next_turn, left, asked, done = random.Random(seed), 0, kills, [], []
    home, folder = tmp_path / "home", tmp_path / "work"
    folder.mkdir()
    with serving(Worker()) as server:
        while next_turn < turns:
            seconds = chance.uniform(0.0, 0.35) if left else None
            begun, ended, code = run((home, folder, server.url, wire, next_turn, turns), seconds)
            assert code in {0, -9}
            asked, done, left = asked + begun, done + ended, left - (code == -9)
            next_turn = asked[-1] + 1 if asked else 0
    return home, asked, done, server


def check(home, asked, done, server):
    with Archivist.open(home) as arc:
        (found,) = arc.sessions.browse(source="chat").sessions
        session = arc.sessions.get(found.id)
        stored = session.messages("all")
        said = [message.text for message in stored if message.role == "user"]
        for turn in asked[:-1]:
            assert sum(text.startswith(f"turn {turn}:") for text in said) <= 1
        for turn in done:
            assert any(message.text.startswith(f"Turn {turn} is done.") for message in stored)
            assert any(text.startswith(f"turn {turn}:") for text in said)
        assert not check_messages(session.sent())
        assert arc.verify().problems == ()
    assert len(server.requests) >= len(done)


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_a_killed_agent_goes_on_with_a_history_that_is_taken(tmp_path, wire):
    check(*killed_at_work(tmp_path, wire, turns=14, kills=5, seed=7))


@pytest.mark.soak
@pytest.mark.parametrize("wire", ["openai", "anthropic"])
@pytest.mark.parametrize("seed", range(5))
def test_a_hundred_turns_survive_forty_kills(tmp_path, wire, seed):
    check(*killed_at_work(tmp_path, wire, turns=100, kills=40, seed=seed))
