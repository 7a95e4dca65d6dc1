"""What goes for good is asked for twice on the command line, and shown before it goes."""

import json
import os
import pty
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from archivist import Archivist, Message, Usage

PROGRAM = str(Path(sys.executable).with_name("archivist"))


@pytest.fixture
def home(tmp_path):
    """A home with an old conversation and a new one."""
    with Archivist.open(tmp_path / "home", environ={}) as archivist:
        for title, days in (("Old lantern", 100), ("New harbour", 0)):
            at = datetime.now(UTC) - timedelta(days=days)
            session = archivist.sessions.start("test", title=title, started_at=at)
            session.append(Message.user(f"zyq{title[:3].lower()} words", created_at=at))
            session.add_usage(Usage("model", "r", 1, 1000, 10, cost_usd=0.25))
    return tmp_path / "home"


def call(home, *arguments, status=0):
    done = subprocess.run(
        [PROGRAM, "--home", str(home), *arguments],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )
    assert done.returncode == status, (done.stdout, done.stderr)
    return done


def titles(home):
    return {one["title"] for one in json.loads(call(home, "sessions", "list", "--json").stdout)["sessions"]}


def conversation(home, title):
    found = json.loads(call(home, "sessions", "list", "--json").stdout)["sessions"]
    return next(one["id"] for one in found if one["title"] == title)


def test_without_a_terminal_and_without_yes_nothing_is_deleted(home):
    done = call(home, "sessions", "delete", conversation(home, "Old lantern"), status=2)
    assert "--yes" in done.stderr
    assert "Old lantern" in titles(home)


def test_a_dry_run_shows_and_yes_deletes_for_good(home):
    name = conversation(home, "Old lantern")
    assert "would delete" in call(home, "sessions", "delete", name, "--dry-run").stdout
    assert call(home, "verify", "--absent", "zyqold", status=1).stdout.count("state.db: message")
    removal = json.loads(call(home, "sessions", "delete", name, "--yes", "--json").stdout)
    assert (removal["title"], removal["dry_run"]) == ("Old lantern", False)
    assert "nowhere" in call(home, "verify", "--absent", "zyqold").stdout
    assert json.loads(call(home, "verify", "--absent", "zyqold", "--json").stdout)["absent"] is True
    assert titles(home) == {"New harbour"}


@pytest.mark.parametrize(("answer", "left"), [("n", 2), ("y", 1)])
def test_at_a_terminal_it_asks(home, answer, left):
    name = conversation(home, "Old lantern")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [PROGRAM, "--home", str(home), "sessions", "delete", name],
        stdin=theirs,
        stdout=subprocess.PIPE,
        text=True,
    )
    os.write(ours, f"{answer}\n".encode())
    said, _ = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert "Old lantern" in said
    assert "for good?" in said
    assert len(titles(home)) == left


def test_prune_shows_and_yes_deletes(home):
    shown = call(home, "sessions", "prune", "--older-than", "90d").stdout
    assert "Old lantern" in shown
    assert "1 conversation, 1 message" in shown
    assert len(titles(home)) == 2
    pruning = json.loads(call(home, "sessions", "prune", "--older-than", "3m", "--yes", "--json").stdout)
    assert [one["title"] for one in pruning["removals"]] == ["Old lantern"]
    assert titles(home) == {"New harbour"}


@pytest.mark.parametrize("age", ["90", "d", "-5d", "1.5d", "9999999d", ""])
def test_an_unreadable_age_is_misuse(home, age):
    assert "archivist: " in call(home, "sessions", "prune", f"--older-than={age}", status=2).stderr


def test_usage_is_the_same_after_a_deletion(home):
    before = call(home, "sessions", "usage", "--by", "model", "--json").stdout
    assert json.loads(before)[0]["input"] == 2000
    call(home, "sessions", "delete", conversation(home, "Old lantern"), "--yes")
    assert call(home, "sessions", "usage", "--by", "model", "--json").stdout == before
    assert "2 requests" in call(home, "sessions", "usage", "--by", "source").stdout


def test_compacting_says_what_it_saved(home):
    assert "smaller" in call(home, "sessions", "compact").stdout


def test_doctor_shows_sizes_by_kind(home):
    findings = json.loads(call(home, "doctor", "--json").stdout)["findings"]
    [size] = [finding for finding in findings if finding["subject"] == "size"]
    assert size["numbers"]["text"] > 0
    assert size["numbers"]["total"] >= size["numbers"]["text"]


def test_before_a_fork_is_deleted_it_is_said_what_else_goes(home):
    root = conversation(home, "Old lantern")
    assert "fork" not in call(home, "sessions", "delete", root, "--dry-run").stdout
    fork = json.loads(call(home, "sessions", "fork", root, "--json").stdout)["id"]
    assert "and 1 fork" in call(home, "sessions", "delete", root, "--dry-run").stdout
    said = "the conversation that it was forked from, and 1 fork"
    assert said in call(home, "sessions", "delete", fork, "--dry-run").stdout
    assert said in call(home, "sessions", "delete", fork, "--yes").stdout
    assert titles(home) == {"New harbour"}
