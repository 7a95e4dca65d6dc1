"""`archivist backup` and `restore` as a person or a script meets them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from archivist import Archivist, Message
from archivist.surfaces.cli.agents import SIGNS

PROGRAM = str(Path(sys.executable).with_name("archivist"))


@pytest.fixture
def call(tmp_path):
    own = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("ARCHIVIST") and name not in SIGNS
    }
    environ = {**own, "HOME": str(tmp_path), "TZ": "UTC", "LC_ALL": "C.UTF-8"}

    def run(*arguments, status=0, **variables):
        done = subprocess.run(
            [PROGRAM, *map(str, arguments)], env=environ | variables, cwd=tmp_path, input="", capture_output=True, text=True, timeout=60
        )  # fmt: skip
        assert done.returncode == status, (done.stdout, done.stderr)
        return done

    return run


@pytest.fixture
def home(tmp_path):
    path = tmp_path / ".archivist"
    say(path, "kept")
    return path


def say(home, text, **start):
    with Archivist.open(home, environ={}) as archivist:
        archivist.sessions.start("test", **start).append(Message.user(text))


def test_a_restore_where_nothing_was_says_so(call, home, tmp_path):
    say(home, "kept")
    call("backup", tmp_path / "out")
    done = call("--home", tmp_path / "new", "restore", tmp_path / "out", "--yes").stdout
    assert "nothing was here before" in done
    assert "what was here before" not in done


def test_a_backup_is_made_listed_and_gone_back_to(call, home, tmp_path):
    (home / ".env").write_text("KEY=1")
    made = call("backup").stdout
    assert "1 message" in made
    assert "left out: .env: credentials" in made
    say(home, "newer", title="After \x1b[31mit\x07")
    assert "sound" in call("backup", "--list", "--check").stdout
    plan = call("restore", "--dry-run").stdout
    assert "goes (newer than the backup, or deleted from it): 1 message, 1 whole conversation" in plan
    assert "After it" in plan
    assert "\x1b" not in plan
    assert "nothing was changed" in call("restore", status=1).stderr
    assert "newer" in call("recall", "newer").stdout
    done = call("restore", "--yes").stdout
    assert "restored: 1 message in 1 conversation" in done
    aside = done.partition("what was here before: ")[2].split("\n")[0]
    assert json.loads(call("restore", aside, "-y", "--json").stdout)["counts"]["messages"] == 2


def test_json_has_a_stable_shape(call, home, tmp_path):
    made = json.loads(call("backup", tmp_path / "out", "--keep", "1", "--secrets", "--json").stdout)
    assert {"path", "made_at", "counts", "bytes", "sound", "problems", "left_out", "removed"} <= set(made)
    [listed] = json.loads(call("backup", tmp_path / "out", "--list", "--json").stdout)["backups"]
    assert listed == made
    plan = json.loads(call("restore", tmp_path / "out", "--dry-run", "--json").stdout)
    assert plan["backup"]["path"] == made["path"]
    assert (plan["is_done"], plan["goes"]["messages"]) == (False, 0)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("backup", ".archivist"), 1, "part of the home itself"),
        (("backup", ".archivist/media"), 1, "part of the home itself"),
        (("backup", "/proc/nowhere"), 1, "no backup was made"),
        (("backup", "--keep", "0"), 2, "--keep"),
        (("backup", "--check"), 2, "--list"),
        (("backup", "--list", "--secrets"), 2, "--list"),
        (("restore", "/no/such/place"), 1, "no backup that can be used"),
        (("restore",), 1, "no backup that can be used"),
    ],
)
def test_a_failure_is_one_line_with_the_right_exit_code(call, home, arguments, status, message):
    done = call(*arguments, status=status)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    if status == 1:
        assert done.stderr.count("\n") == 1


def test_a_damaged_backup_is_never_offered(call, home):
    """The snapshot that was offered for repair was damaged too: NousResearch/hermes-agent#88587."""
    call("backup", "--json")
    bad = json.loads(call("backup", "--json").stdout)["path"]
    (Path(bad) / "state.db").write_bytes(b"")
    listed = call("backup", "--list", status=1).stdout
    assert "DAMAGED" in listed
    plan = call("restore", "--dry-run").stdout
    assert f"damaged, passed over: {bad}" in plan
    assert call("restore", bad, status=1).stderr.count("\n") == 1


def test_a_home_whose_database_does_not_open_can_be_listed_and_restored(call, home):
    call("backup")
    (home / "state.db").write_bytes(b"garbage" * 1000)
    (home / "config.toml").write_text("not = [toml")
    assert "looks whole" in call("backup", "--list").stdout
    assert "sound" in call("backup", "--list", "--check").stdout
    assert "cannot be compared" in call("restore", "--dry-run").stdout
    assert "restored: 1 message" in call("restore", "--yes").stdout
    assert "kept" in call("recall", "kept").stdout


def test_names_that_are_no_text_are_shown(call, home):
    (home / "memories").mkdir()
    call("backup")
    (home / "memories" / os.fsdecode(b"caf\xe9.md")).write_text("x")
    assert "caf\ufffd.md" in call("restore", "--dry-run").stdout
    assert "caf\ufffd.md" in call("restore", "--dry-run", "--json").stdout
    assert "restored" in call("restore", "--yes").stdout


def test_an_agents_shell_only_shows_what_a_restore_would_change(call, home):
    """What notes are in a backup nobody has judged: a page could have led to it."""
    call("backup")
    say(home, "newer")
    assert call("restore", "--dry-run", CLAUDECODE="1").stdout == call("restore", "--dry-run").stdout
    done = call("restore", "--yes", status=1, CLAUDECODE="1")
    assert "is the owner's alone" in done.stderr
    with Archivist.open(home, environ={}) as archivist:
        assert archivist.counts()["messages"] == 2
    call("restore", "--yes")
