"""Erasure is complete and stays so: whatever process is killed while it deletes, and whatever is imported afterwards."""

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.promises.forgetting_victim import CONVERSATIONS, fill, word
from tests.promises.test_nothing_lost import write_history

from archivist import Archivist

VICTIM = Path(__file__).with_name("forgetting_victim.py")


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    home = tmp_path_factory.mktemp("filled") / "home"
    fill(home)
    return home


def kill_while(kind: str, home: Path, seconds: float) -> list[str]:
    """Kill a victim so long after it began its work; gives what it had said."""
    victim = subprocess.Popen(
        [sys.executable, str(VICTIM), kind, str(home)], stdout=subprocess.PIPE, text=True
    )
    assert victim.stdout
    said = [victim.stdout.readline()]
    time.sleep(seconds)
    victim.send_signal(signal.SIGKILL)
    said += victim.stdout.read().splitlines()
    victim.wait()
    victim.stdout.close()
    return said


def words_in(home: Path) -> set[str]:
    """The words of conversations that are in any file of a home that nobody has open."""
    content = b"\n".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    return {word(number) for number in range(CONVERSATIONS) if word(number).encode() in content}


def check_after_a_kill(home: Path) -> int:
    """Open the home as the next program would; gives how many conversations are left."""
    with Archivist.open(home, environ={}) as archivist:
        sessions = archivist.sessions.browse(limit=100).sessions
        assert {session.message_count for session in sessions} <= {31}, "a conversation is there in part"
        assert archivist.verify().problems == ()
        assert [one.requests for one in archivist.usage()] == [CONVERSATIONS]
        assert archivist.catch_up().complete
        left = {(session.title or "").removeprefix("about ") for session in sessions}
        for number in range(CONVERSATIONS):
            assert archivist.verify(absent=word(number)).is_absent == (word(number) not in left)
        erased = home / "erased.jsonl"
        named = (
            {json.loads(line)["session_id"] for line in erased.read_text().splitlines()}
            if erased.exists()
            else set()
        )
        assert len(named) == CONVERSATIONS - len(sessions)
        assert not named & {session.id for session in sessions}
        assert archivist.doctor().is_healthy
    assert words_in(home) == left
    return len(left)


@pytest.mark.parametrize("kind", ["delete", "prune"])
def test_after_a_kill_each_conversation_is_whole_or_gone_from_every_file(filled, tmp_path, kind):
    chance = random.Random(kind)
    left = set()
    for attempt in range(8):
        home = tmp_path / f"home{attempt}"
        shutil.copytree(filled, home)
        kill_while(kind, home, chance.uniform(0, 0.25))
        left.add(check_after_a_kill(home))
    assert left - {CONVERSATIONS}, "nothing was ever deleted: this test shows nothing"


def test_what_was_deleted_is_in_no_file_when_the_deletion_returns(filled, tmp_path):
    """A transcript and dumps of requests stayed behind: NousResearch/hermes-agent#55088."""
    home = tmp_path / "home"
    shutil.copytree(filled, home)
    with Archivist.open(home, environ={}) as archivist:
        for session in archivist.sessions.browse(limit=100).sessions:
            own = (session.title or "").removeprefix("about ")
            assert not archivist.verify(absent=own).is_absent
            assert archivist.sessions.delete(session.id).notices == ()
            assert archivist.verify(absent=own).places == ()
    assert words_in(home) == set()
    assert not list((home / "media").glob("*/*"))


def test_a_later_import_does_not_bring_back_what_was_deleted_or_pruned(tmp_path):
    messages = write_history(tmp_path / "history", sessions=3, turns=10)
    with Archivist.open(tmp_path / "home", environ={}) as archivist:
        archivist.import_history(tmp_path / "history", "claude-code")
        first, *_ = archivist.sessions.browse().sessions
        archivist.sessions.delete(first.id)
        grown = next((tmp_path / "history").rglob(f"{first.external_id}.jsonl"))
        lines = grown.read_text().splitlines()
        later = json.loads(lines[-1]) | {"uuid": "later", "parentUuid": json.loads(lines[-1])["uuid"]}
        grown.write_text("\n".join([*lines, json.dumps(later)]) + "\n")
        report = archivist.import_history(tmp_path / "history", "claude-code")
        assert report.reasons["deleted here, stays away"] == 11
        assert report.read == report.imported + report.skipped
        assert archivist.counts()["messages"] == messages - 10
        archivist.sessions.prune(0, dry_run=False)
        for file in (tmp_path / "history").rglob("*.jsonl"):
            file.touch()
        assert archivist.import_history(tmp_path / "history", "claude-code").messages == 0
        assert archivist.counts()["messages"] == 0


def test_an_older_copy_of_the_database_does_not_bring_back_what_was_deleted(filled, tmp_path):
    home = tmp_path / "home"
    shutil.copytree(filled, home)
    with Archivist.open(home, environ={}) as archivist:
        session = archivist.sessions.browse().sessions[0]
        archivist.sessions.delete(session.id)
    shutil.copy(filled / "state.db", home / "state.db")
    with Archivist.open(home, environ={}) as archivist:
        assert archivist.counts()["conversations"] == CONVERSATIONS - 1
    assert words_in(home) == {word(number) for number in range(CONVERSATIONS)} - {
        session.title.removeprefix("about ")
    }


@pytest.mark.soak
def test_five_hundred_kills(filled, tmp_path):
    chance = random.Random(7)
    for attempt in range(500):
        home = tmp_path / str(attempt)
        shutil.copytree(filled, home)
        kill_while(chance.choice(["delete", "prune"]), home, chance.uniform(0, 0.4))
        check_after_a_kill(home)
        shutil.rmtree(home)
