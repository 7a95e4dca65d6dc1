"""What the first session said is known at the start of the second: a host's events as it sends them, hooks as they were installed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.surfaces.hooks.host import Host

from archivist import Archivist, Scope
from archivist.app.hosts.claude_code.installing import Places, install
from archivist.app.hosts.starting import Starting
from archivist.config.projects import project_of

REMOTE = "git@example.org:mira/harbour.git"


@pytest.fixture
def host(tmp_path: Path) -> Host:
    folder = tmp_path / "harbour"
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    subprocess.run(["git", "-C", str(folder), "remote", "add", "origin", REMOTE], check=True)
    config, home = tmp_path / ".claude", tmp_path / "home"
    install(Places(config), Starting(sys.executable, ("--home", str(home))))
    return Host(config, folder, home, {"HOME": str(tmp_path)})


def first_session(host: Host) -> None:
    """The owner says something, the model notes it with its tool, and the session ends."""
    host.tell("SessionStart", "first", source="startup")
    host.tell("UserPromptSubmit", "first", prompt="Staging moves to port 8443. Remember it.")
    host.say("first", "Staging moves to port 8443. The old port was taken by the proxy.", "Noted.")
    with Archivist.open(host.home) as archivist:
        scope = Scope(user="owner", project=project_of(host.folder))
        archivist.notes.add("memory", "Staging listens on port 8443", scope=scope, origin="agent")
    host.tell("Stop", "first")
    host.end("first")


def test_what_the_first_session_said_is_known_in_the_second(host):
    first_session(host)
    began = host.tell("SessionStart", "second", source="startup")
    assert "Staging listens on port 8443" in began.context
    told = host.tell(
        "UserPromptSubmit", "second", prompt="who had taken the old port, do you remember?"
    ).context
    assert "The old port was taken by the proxy" in told
    assert "Staging listens on port 8443" not in told  # which it has before it already


def test_another_checkout_of_the_project_knows_it_and_another_project_does_not(host, tmp_path):
    first_session(host)
    other = tmp_path / "elsewhere"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    assert not host.tell("SessionStart", "other", source="startup", cwd=str(other)).context
    asked = {"prompt": "who had taken the old port, do you remember?", "cwd": str(other)}
    assert not host.tell("UserPromptSubmit", "other", **asked).context
    subprocess.run(["git", "-C", str(other), "remote", "add", "origin", REMOTE], check=True)
    assert "8443" in host.tell("SessionStart", "same", source="startup", cwd=str(other)).context


def test_nothing_that_was_given_is_taken_for_something_that_was_said(host):
    first_session(host)
    given = host.tell("SessionStart", "second", source="startup").context
    host.say("second", "go on", "yes")
    with host.transcript("second").open("a") as file:
        file.write(attachment("second", given) + "\n")
    host.tell("Stop", "second")
    host.end("second")
    with Archivist.open(host.home) as archivist:
        said = archivist.sessions.of_host("claude-code", "second").messages("all")
        assert [message.text for message in said] == ["go on", "yes"]
        assert len([hit for hit in archivist.recall("port 8443").hits if hit.kind == "note"]) == 1


def attachment(session: str, context: str) -> str:
    """How the host writes down what a hook gave it."""
    inside = {"type": "hook_additional_context", "content": [context], "hookEvent": "SessionStart"}
    line = {"type": "attachment", "uuid": "given", "parentUuid": f"{session}-1", "sessionId": session}
    return json.dumps(
        line | {"attachment": inside, "timestamp": "2026-03-20T12:01:00.000Z", "isSidechain": False}
    )
