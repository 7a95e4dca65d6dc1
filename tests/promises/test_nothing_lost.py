"""Nothing acknowledged is lost: always another process is killed, and what it said on its pipe is what must be there."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from archivist import EVERYTHING, Archivist, Message

VICTIM = Path(__file__).with_name("victim.py")
SOAK_KILLS = 10_000


def spawn(kind: str, home: Path, seed: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(VICTIM), kind, str(home), str(seed)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def kill_after(victim: subprocess.Popen[str], lines: int, seconds: float = 0.0) -> list[str]:
    """Kill it that long after it has said so many lines, and return the whole lines that it said until then."""
    assert victim.stdout
    assert victim.stderr
    said = "".join(victim.stdout.readline() for _ in range(lines))
    time.sleep(seconds)
    victim.send_signal(signal.SIGKILL)
    said += victim.stdout.read()  # not communicate(): that passes over what readline() has buffered
    errors = victim.stderr.read()
    victim.wait()
    victim.stdout.close()
    victim.stderr.close()
    assert "Traceback" not in errors, errors
    return [line for line in said.split("\n")[:-1] if line]


def append_and_kill(home: Path, seed: int) -> None:
    chance = random.Random(seed)
    said = kill_after(spawn("append", home, seed), 1, chance.uniform(0, 0.15))
    session_id = said[0].removeprefix("session ")
    acknowledged = [line.removeprefix("stored ") for line in said[1:]]
    with Archivist.open(home) as archivist:
        stored = [message.client_id for message in archivist.sessions.get(session_id).messages("all")]
        assert len(set(stored)) == len(stored)
        assert stored[: len(acknowledged)] == acknowledged
        assert archivist.verify().problems == ()


def write_history(folder: Path, sessions: int = 6, turns: int = 120) -> int:
    """A small history in the form of Claude Code; returns how many messages are in it."""
    project = folder / "projects" / "-src-tide"
    project.mkdir(parents=True)
    for number in range(sessions):
        name, parent, lines = f"0000000{number}-aaaa-4bbb-8ccc-000000000000", None, []
        for turn in range(turns):
            uuid = f"{number:08d}-0000-4000-8000-{turn:012d}"
            role = "assistant" if turn % 2 else "user"
            text = f"message {turn} of talk{number}: the quay lantern needs oil"
            content = [{"type": "text", "text": text}] if role == "assistant" else text
            lines.append({
                "type": role, "uuid": uuid, "parentUuid": parent, "sessionId": name, "isSidechain": False,
                "cwd": "/src/tide", "timestamp": f"2026-03-0{1 + number}T10:{turn // 60:02d}:{turn % 60:02d}.000Z",
                "requestId": f"req-{number}-{turn}",
                "message": {"role": role, "content": content, "id": f"msg-{number}-{turn}", "stop_reason": "end_turn"},
            })  # fmt: skip
            parent = uuid
        (project / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return sessions * turns


def stored_messages(archivist: Archivist) -> int:
    return archivist.counts()["messages"]


@pytest.mark.parametrize("seed", range(8))
def test_every_acknowledged_message_is_there_once_after_a_kill(tmp_path, seed):
    """A prompt was lost when the connection dropped before the reply: NousResearch/hermes-agent#45110."""
    append_and_kill(tmp_path / "home", seed)


def test_kills_one_after_another_leave_one_sound_store(tmp_path):
    for seed in range(4):
        append_and_kill(tmp_path / "home", seed)


def test_an_import_that_was_killed_is_finished_by_the_next_one(tmp_path):
    messages = write_history(tmp_path / "history")
    partial = []
    for files in (1, 2, 3, 4):
        home = tmp_path / f"home{files}" / "h"
        home.parent.mkdir()
        (home.parent / "history").symlink_to(tmp_path / "history")
        kill_after(spawn("import", home, files), files)
        with Archivist.open(home) as archivist:
            assert archivist.verify().problems == ()
            partial.append(stored_messages(archivist))
            archivist.import_history(home.parent / "history", format="claude-code")
            assert stored_messages(archivist) == messages
            assert archivist.import_history(home.parent / "history", format="claude-code").imported == 0
    assert any(0 < stored < messages for stored in partial), partial


def test_a_home_killed_at_any_statement_of_its_making_opens(tmp_path):
    whole = kill_after(spawn("migrate", tmp_path / "whole", 0), 1, 3.0)
    statements = sum(line.startswith("working") for line in whole)
    assert statements > 8, whole
    unfinished = 0
    for statement in range(1, statements + 1, 2):
        home = tmp_path / str(statement)
        said = kill_after(spawn("migrate", home, statement), statement)
        unfinished += not any(line.startswith("opened") for line in said)
        with Archivist.open(home) as archivist:
            archivist.sessions.start("test").append(Message.user("hello"))
            assert archivist.verify().problems == ()
    assert unfinished


def test_an_indexer_killed_on_the_way_is_followed_by_one_that_finishes(tmp_path):
    unfinished = 0
    for step in range(1, 5):
        home = tmp_path / str(step)
        with Archivist.open(home) as archivist:
            session = archivist.sessions.start("test")
            session.append_many(
                [Message.user(f"lantern number{n} burns in the harbour") for n in range(4000)]
            )
        said = kill_after(spawn("index", home, step), step)
        unfinished += not any(line.startswith("all of") for line in said)
        with Archivist.open(home) as archivist:
            assert archivist.catch_up().complete
            assert archivist.recall("number3711").hits[0].text == "lantern number3711 burns in the harbour"
            assert archivist.doctor().is_healthy, archivist.doctor().findings
    assert unfinished


def test_sixteen_processes_append_two_hundred_messages_each_without_an_error(tmp_path):
    home = tmp_path / "home"
    Archivist.open(home).close()
    crowd = [spawn("crowd", home, seed) for seed in range(16)]
    for process in crowd:
        out, errors = process.communicate(timeout=240)
        assert out == "done\n", errors
    with Archivist.open(home) as archivist:
        found = archivist.sessions.browse(scope=EVERYTHING, limit=100).sessions
        assert sorted(session.message_count for session in found) == [200] * 16
        assert archivist.verify().problems == ()


@pytest.mark.soak
def test_ten_thousand_kills(tmp_path):
    """Of appends mostly; every twentieth of an import, a first opening or an indexer."""
    messages = write_history(tmp_path / "history")
    for seed in range(SOAK_KILLS):
        home = tmp_path / str(seed // 50)
        append_and_kill(home, seed)
        if seed % 20 == 0:
            kill_another(tmp_path / f"other{seed}", seed, messages)


def kill_another(folder: Path, seed: int, messages: int) -> None:
    """Kill an import, a first opening and an indexer, one after the other in one home."""
    chance = random.Random(seed)
    folder.mkdir()
    (folder / "history").symlink_to(folder.parent / "history")
    kill_after(spawn("migrate", folder / "h", seed), chance.randint(1, 12))
    kill_after(spawn("import", folder / "h", seed), chance.randint(1, 5), chance.uniform(0, 0.01))
    kill_after(spawn("index", folder / "h", seed), 1, chance.uniform(0, 0.1))
    with Archivist.open(folder / "h") as archivist:
        archivist.import_history(folder / "history", format="claude-code")
        assert stored_messages(archivist) == messages
        assert archivist.catch_up().complete
        assert archivist.verify().problems == ()
        assert archivist.doctor().is_healthy
