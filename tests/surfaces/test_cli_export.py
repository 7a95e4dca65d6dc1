"""`archivist sessions export` as a person or a script meets it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from archivist import Archivist, Message

PROGRAM = str(Path(sys.executable).with_name("archivist"))


@pytest.fixture
def call(tmp_path):
    with Archivist.open(tmp_path / ".archivist") as home:
        session = home.sessions.start("cli", title="Trip")
        session.append_many([Message.user("plan a trip"), Message.assistant("to Oslo \x1b[2J")])
        name = session.id
    environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC"}

    def run(*arguments, status=0):
        done = subprocess.run(
            [PROGRAM, *arguments], env=environ, cwd=tmp_path, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == status, done.stderr
        return done

    run.session = name
    return run


def test_jsonl_goes_to_the_standard_output(call):
    lines = [json.loads(line) for line in call("sessions", "export", call.session).stdout.splitlines()]
    assert [line["type"] for line in lines] == ["header", "session", "message", "message"]


def test_the_ending_of_a_file_says_the_format(call, tmp_path):
    done = call("sessions", "export", "--all", "-o", "trip.md")
    assert "1 conversation, 1 session, 2 messages" in done.stdout
    assert "# Trip" in (tmp_path / "trip.md").read_text()
    report = json.loads(call("sessions", "export", "--all", "-o", "trip.json", "--json").stdout)
    assert (report["format"], report["messages"]) == ("json", 2)
    assert json.loads((tmp_path / "trip.json").read_text())["format"] == "archivist"


def test_a_file_is_not_overwritten_without_force(call, tmp_path):
    (tmp_path / "trip.md").write_text("mine")
    assert "--force" in call("sessions", "export", "--all", "-o", "trip.md", status=1).stderr
    assert (tmp_path / "trip.md").read_text() == "mine"
    call("sessions", "export", "--all", "-o", "trip.md", "--force")
    assert (tmp_path / "trip.md").read_text() != "mine"


def test_what_to_export_must_be_said(call):
    assert "--all" in call("sessions", "export", status=2).stderr
    assert "--all" in call("sessions", "export", call.session, "--all", status=2).stderr
    assert "no conversation 'nowhere'" in call("sessions", "export", "nowhere", status=1).stderr


def test_an_export_is_brought_into_another_home(call):
    call("sessions", "export", "--all", "-o", "all.jsonl")
    done = call("--profile", "copy", "import", "all.jsonl")
    assert "2 new messages" in done.stdout
    again = call("--profile", "copy", "sessions", "export", "--all").stdout
    assert again == call("sessions", "export", "--all").stdout


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals here")
def test_on_a_terminal_stored_words_cannot_steer_it(call, tmp_path):
    ours, theirs = os.openpty()
    environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    command = [PROGRAM, "sessions", "export", "--all", "--format", "markdown"]
    subprocess.run(command, env=environ, stdout=theirs, check=True, timeout=60)
    os.close(theirs)
    shown = os.read(ours, 100_000)
    os.close(ours)
    assert b"to Oslo" in shown
    assert b"\x1b" not in shown


@pytest.mark.parametrize("more", [["--all"], ["--all", "--format", "markdown"], ["--all", "--json"]])
def test_a_closed_standard_output_is_said(call, tmp_path, more):
    environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    closing = ["sh", "-c", 'exec "$@" >&-', "sh", PROGRAM, "sessions", "export", *more]
    done = subprocess.run(closing, env=environ, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 2
    assert "archivist: the standard output is closed: give -o FILE" in done.stderr
    assert "Traceback" not in done.stderr
