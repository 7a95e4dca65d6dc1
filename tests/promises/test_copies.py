"""A backup is whole or is none; a restore leaves the old state or the new one, and nothing acknowledged is in neither."""

import shutil
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from archivist import Archivist, Message
from archivist.app.backups import find_backups, look_at
from archivist.config import Home
from archivist.records import SessionStart

VICTIM = Path(__file__).with_name("safety_victim.py")
TEXTS = {"SOUL.md": "kind", "memories/MEMORY.md": "tea", "wiki/index.md": "- tea"}
LATER = {"SOUL.md": "later", "memories/MEMORY.md": "coffee", "wiki/new.md": "new"}


def spawn(kind: str, home: Path, number: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(VICTIM), kind, str(home), str(number)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run_until_killed(kind: str, home: Path, number: int) -> bool:
    """Whether it ended before it was killed."""
    said, errors = spawn(kind, home, number).communicate(timeout=120)
    assert "Traceback" not in errors, errors
    return said.endswith("done\n")


def write(home: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)


def texts_of(home: Path) -> dict[str, str]:
    names = {"SOUL.md", "memories/MEMORY.md", "wiki/index.md", "wiki/new.md"}
    return {name: (home / name).read_text() for name in names if (home / name).exists()}


def messages_of(path: Path) -> list[str]:
    with closing(apsw.Connection(str(path))) as db:
        return [client for (client,) in db.execute("SELECT client_id FROM messages ORDER BY id")]


@pytest.fixture
def home(tmp_path):
    """A home with a backup of 20 messages, ten more since, and other texts."""
    path = tmp_path / "home"
    write(path, TEXTS)
    with Archivist.open(path, environ={}) as archivist:
        archivist._store.start(SessionStart("test"), session_id="hammered")
        session = archivist.sessions.get("hammered")
        session.append_many(Message.user(f"old {n}", client_id=f"old-{n}") for n in range(20))
        archivist.backup()
        session.append_many(Message.user(f"new {n}", client_id=f"new-{n}") for n in range(10))
    shutil.rmtree(path / "wiki")
    write(path, LATER)
    return path


def test_a_backup_killed_at_any_step_is_not_called_one_and_the_next_clears_it_away(home):
    number, whole = 1, False
    while not whole:
        whole = run_until_killed("backup", home, number)
        found = find_backups(home / "backups", Home(home), check=True)
        assert all(backup.is_sound for backup in found), found
        number += 3
    assert number > 20
    with Archivist.open(home, environ={}) as archivist:
        archivist.backup()
    assert not list((home / "backups").glob("*.partial"))


def test_a_restore_killed_at_any_step_leaves_the_old_state_or_the_new(home, tmp_path):
    old, new, number, whole = [], [], 1, False
    while not whole:
        place = tmp_path / f"try{number}"
        shutil.copytree(home, place)
        whole = run_until_killed("restore", place, number)
        with Archivist.open(place, environ={}) as archivist:
            count = len(archivist.sessions.get("hammered").messages("all"))
            assert archivist.verify().is_clean
            archivist.sessions.get("hammered").append(Message.user("goes on"))
        if count == 20:
            assert texts_of(place) == TEXTS
            new.append(number)
            [aside] = (path for path in (place / "aside").iterdir() if path.name.startswith("restored-"))
            assert look_at(aside, Home(place), check=True).is_sound
            assert len(messages_of(aside / "state.db")) == 30
            assert texts_of(aside) == LATER
        else:
            assert count == 30
            assert texts_of(place) == LATER
            old.append(number)
        assert not (place / "aside" / "restoring.json").exists()
        shutil.rmtree(place)
        number += 2
    assert old
    assert len(new) > 3
    assert max(old) < min(new)


def test_a_damaged_state_whose_restore_is_killed_at_any_step_is_restored_by_the_next(home, tmp_path):
    number, whole, finished = 1, False, 0
    garbage = b"garbage" * 1000
    while not whole:
        place = tmp_path / f"try{number}"
        shutil.copytree(home, place)
        (place / "state.db").write_bytes(garbage)
        whole = run_until_killed("restore", place, number)
        finished += (place / "aside" / "restoring.json").exists()
        assert run_until_killed("restore", place, 100_000)
        with Archivist.open(place, environ={}) as archivist:
            assert len(archivist.sessions.get("hammered").messages("all")) == 20
            assert archivist.verify().is_clean
        assert texts_of(place) == TEXTS
        kept = [path.read_bytes() for path in (place / "aside").rglob("state.db*")]
        assert garbage in kept
        shutil.rmtree(place)
        number += 4
    assert finished


def test_what_is_acknowledged_while_restores_run_is_in_the_new_state_or_in_one_set_aside(home):
    """A database was swapped beneath a program that had it open, and sessions vanished: NousResearch/hermes-agent#100960."""
    hammers = [spawn("hammer", home, number) for number in range(2)]
    assert [hammer.stdout.readline() for hammer in hammers] == ["ready\n"] * 2
    for _ in range(4):
        time.sleep(0.1)  # so that something is written between
        assert run_until_killed("restore", home, 100_000)
    time.sleep(0.1)
    said = []
    for hammer in hammers:
        assert hammer.poll() is None, hammer.stderr.read()
        hammer.kill()
        out, errors = hammer.communicate()
        assert "Traceback" not in errors, errors
        said += [line for line in out.split("\n")[:-1] if line]
    with Archivist.open(home, environ={}) as archivist:
        assert archivist.verify().is_clean
    states = [home / "state.db", *(home / "aside").glob("restored-*/state.db")]
    assert len(states) == 5
    kept = {name for path in states for name in messages_of(path)}
    assert len(said) > 50
    assert set(said) <= kept
    assert all(look_at(path.parent, Home(home), check=True).is_sound for path in states[1:])
