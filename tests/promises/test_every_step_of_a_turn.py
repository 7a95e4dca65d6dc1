"""At every step of a turn the agent is killed, or its disk is full: what was acknowledged stays, and the conversation goes on."""

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.promises.agents import Worker, serving

from archivist import Archivist, check_messages

VICTIM = Path(__file__).with_name("fault_points.py")
MOST = 500


@contextmanager
def meeting(tmp_path, wire):
    """Gives what makes one kind of trouble at one point of a turn, and tells how that ended and whether the point was reached."""
    home, folder = tmp_path / "home", tmp_path / "work"
    folder.mkdir()
    with (
        serving(Worker()) as server,
        subprocess.Popen(
            [sys.executable, VICTIM, home, folder, server.url, wire],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process,
    ):

        def meet(trouble, point):
            process.stdin.write(f"{trouble} {point}\n")
            process.stdin.flush()
            how, _, reached = process.stdout.readline().rpartition(" ")
            return how, reached.strip() == "True"

        yield meet
        process.stdin.close()


def look(home, endings):
    """Nothing that was acknowledged is missing, nothing is there twice, nothing is broken."""
    with Archivist.open(home) as arc:
        (found,) = arc.sessions.browse(source="chat").sessions
        session = arc.sessions.get(found.id)
        stored = session.messages("all")
        asked = [message for message in stored if message.role == "user"]
        done = [message for message in stored if message.text.startswith("Turn 17 is done.")]
        assert endings.count("end") <= len(done) <= len(asked) <= len(endings)
        assert not check_messages(session.sent())
        assert arc.verify().problems == ()
        assert [entry.text for entry in arc.notes.entries("memory")].count("harbour 17 opens at 17:15") == 1


def check(tmp_path, wire, trouble, step, first=1):
    endings = []
    with meeting(tmp_path, wire) as meet:
        for point in range(first, MOST, step):
            how, reached = meet(trouble, point)
            endings.append(how)
            if not reached:
                break
        assert not reached
        assert meet("kill", MOST * 10) == ("end", False)
    look(tmp_path / "home", [*endings, "end"])
    return endings


def test_a_kill_at_any_step_costs_that_step_at_most(tmp_path):
    endings = check(tmp_path, "openai", "kill", 41, first=5)
    assert set(endings[:-1]) == {"killed"}


def test_a_disk_that_is_full_from_any_step_on_loses_nothing(tmp_path):
    endings = check(tmp_path, "anthropic", "full", 61, first=3)
    assert all(how == "end" or how.startswith("refused ") for how in endings)


@pytest.mark.soak
@pytest.mark.parametrize("wire", ["openai", "anthropic"])
@pytest.mark.parametrize("trouble", ["kill", "full", "once full"])
def test_every_step_of_a_turn_may_fail(tmp_path, trouble, wire):
    endings = check(tmp_path, wire, trouble, 1)
    assert "raised" not in endings
