"""Whatever goes wrong, a hook says one line, ends with 0, in time, and prints nothing but the host's JSON."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import apsw
import pytest
from tests.surfaces.hooks.host import Host

from archivist import Archivist, StoreDamaged
from archivist.app import recalled
from archivist.app.hosts.traces import Traces
from archivist.records import OWNER
from archivist.surfaces.hooks.answering import answer
from archivist.surfaces.hooks.declining import declined
from archivist.surfaces.hooks.event import Answer, Event

EVENTS = ["SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SubagentStop", "SessionEnd"]


def one_line(told) -> str:
    """What was said, on one line, in the place that the host shows."""
    assert told.code == 0
    said = told.message or told.stderr.strip()
    assert said.startswith("archivist: ")
    assert "\n" not in said
    assert "Traceback" not in told.stderr
    return said


@pytest.mark.parametrize(
    "payload",
    [b"", b"{", b"[]", b"null", b'{"session_id": 7}', b'{"session_id": ""}', b"\xff\xfe\x00", b"[" * 100_000],
    ids=["nothing", "half", "list", "null", "number", "empty", "bytes", "deep"],
)
def test_what_cannot_be_understood_is_said(host: Host, payload):
    assert "nothing was remembered" in one_line(host.send("SessionStart", payload))


def test_no_input_at_all_is_said_at_every_event(host: Host):
    for event in EVENTS:
        one_line(host.send(event, None))


def test_an_input_beyond_all_measure_is_read_to_its_end_and_left_out(host: Host):
    payload = json.dumps({"session_id": "s-1", "prompt": "x" * (33 << 20)}).encode()
    assert "more than 32 MB" in one_line(host.send("UserPromptSubmit", payload))


def test_a_long_prompt_is_looked_at(host: Host, noted):
    pasted = "\n" * 2_000_000 + "the end of what was pasted"
    told = host.tell("UserPromptSubmit", prompt=f"which port did we choose for the staging server?{pasted}")
    assert noted in told.context


@pytest.mark.parametrize(
    "fields",
    [
        {"cwd": None, "transcript_path": None},
        {"cwd": 7, "transcript_path": [], "source": {}, "prompt": 3, "trigger": None, "reason": 1},
        {"cwd": "/no/such/folder\x00", "transcript_path": "\x00", "prompt": "remember \ud800?"},
        {"cwd": "relative", "source": "a newer kind", "trigger": "?", "some_new_field": {"a": 1}},
    ],
    ids=["missing", "kinds", "characters", "newer"],
)
def test_odd_fields_do_no_harm(host: Host, noted, fields):
    for event in ("SessionStart", "UserPromptSubmit", "SessionEnd"):
        told = host.tell(event, **fields)
        assert told.code == 0
        assert "Error" not in told.message + told.stderr
        told.output  # noqa: B018 - is valid


def test_an_event_of_a_newer_host_is_left_alone(host: Host):
    assert host.tell("SessionStart", hook_event_name="SomethingNew").stdout == b""


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "PreCompact", "Stop"])
def test_a_home_that_is_a_file_is_said(host: Host, home, event):
    home.write_text("not a folder")
    host.say("s-1", "hello", "hi")
    assert "not a folder" in one_line(
        host.tell(event, source="startup", prompt="remember?", trigger="manual")
    )


def test_settings_that_cannot_be_followed_are_said(host: Host, home):
    home.mkdir()
    (home / "config.toml").write_text("[hosts.claude-code]\nrecal = 'on'\n")
    assert "unknown key 'recal'" in one_line(host.tell("SessionStart", source="startup"))


def test_a_database_of_another_program_is_said(host: Host, home):
    home.mkdir()
    with apsw.Connection(str(home / "state.db")) as other:
        other.execute("CREATE TABLE theirs(a)")
    other.close()
    one_line(host.tell("SessionStart", source="startup"))


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_home_that_cannot_be_written_is_said(host: Host, home, noted):
    home.chmod(0o500)
    try:
        assert "state.db" in one_line(host.tell("SessionStart", source="startup"))
    finally:
        home.chmod(0o700)


@contextmanager
def held(home) -> Iterator[None]:
    """Another program writes all the time."""
    holder = apsw.Connection(str(home / "state.db"))
    holder.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        holder.execute("ROLLBACK")
        holder.close()


def test_what_is_noted_is_given_although_a_busy_database_cannot_keep_what_was_given(host: Host, home, noted):
    with held(home):
        told = host.tell("SessionStart", source="startup")
    assert noted in told.context
    assert "was busy" in one_line(told)
    assert told.message.endswith("what is noted was given all the same")


@pytest.mark.parametrize("source", ["startup", "resume"])
@pytest.mark.parametrize("is_noted", [True, False])
def test_how_much_waits_is_said_although_a_busy_database_takes_nothing(host: Host, home, source, is_noted):
    with Archivist.open(home) as archivist:
        archivist.notes.add("memory", "The port is 6390", origin="web")
        if is_noted:
            archivist.notes.add("memory", "The host is tide.example")
        if source == "resume":
            archivist.snapshot(OWNER, host="claude-code", host_session="s-1")
            archivist.notes.add("memory", "Deploys happen on Tuesdays")
    with held(home):
        told = host.tell("SessionStart", source=source)
    assert "1 proposal waits for you" in one_line(told)
    assert "was busy" in one_line(told)
    assert ("tide.example" in told.context) == (is_noted and source == "startup")


def test_what_was_given_and_could_not_be_kept_is_not_given_twice(host: Host, home, noted):
    with held(home):
        host.carry("s-1", host.tell("SessionStart", source="startup").context)
    assert not host.tell("UserPromptSubmit", prompt="go on").context
    with Archivist.open(home) as archivist:
        archivist.notes.add("memory", "Deploys happen on Tuesdays")
    told = host.tell("UserPromptSubmit", prompt="and now").context
    assert "Deploys" in told
    assert noted not in told


def test_a_prompt_is_answered_from_memory_although_news_cannot_be_told(host: Host, home, noted):
    host.tell("SessionStart", source="startup")
    with Archivist.open(home) as archivist:
        archivist.notes.add("memory", "The quay is called Harrow")
    with held(home):
        told = host.tell("UserPromptSubmit", prompt="what did we decide to call the quay?")
    assert "Harrow" in told.context
    assert 'part="recalled"' in told.context
    assert "was busy" in one_line(told)


def test_what_changed_is_told_although_nothing_can_be_recalled(home, noted, monkeypatch):
    """News is told once: a recall that fails does not take it along, and one that takes too long is not ahead of it."""
    with Archivist.open(home) as archivist:
        archivist.snapshot(OWNER, host="claude-code", host_session="s-1")
        archivist.notes.add("memory", "Deploys happen on Tuesdays")

    def fails(*_: object, **__: object) -> None:
        raise StoreDamaged(home / "state.db", "a page is torn")

    monkeypatch.setattr(recalled, "found", fails)
    event = Event("claude-code", "UserPromptSubmit", "s-1", prompt="what did we decide about the quay?")
    told = answer(event, str(home), None, Traces(str(home), "claude-code"), 4.0)
    assert "Deploys happen on Tuesdays" in told.context
    assert "torn" in told.message
    assert told.is_trouble


@pytest.mark.parametrize("damage", ["newer", "theirs", "garbage"])
def test_what_is_noted_is_given_although_the_database_cannot_be_used(host: Host, home, noted, damage):
    (home / "state.db").unlink()
    if damage == "garbage":
        (home / "state.db").write_bytes(os.urandom(100_000))
    else:
        with apsw.Connection(str(home / "state.db")) as other:
            other.execute("CREATE TABLE theirs(a)")
            other.execute(f"PRAGMA user_version = {99 if damage == 'newer' else 0}")
        other.close()
    told = host.tell("SessionStart", source="startup")
    assert noted in told.context
    assert "state.db" in one_line(told)
    assert not host.tell("UserPromptSubmit", prompt="go on").context


@pytest.mark.parametrize(("trigger", "is_blocked"), [("manual", True), ("auto", False)])
def test_a_compaction_that_waits_for_memory_waits_for_a_database_that_cannot_be_opened(
    host: Host, home, trigger, is_blocked
):
    home.mkdir()
    (home / "state.db").write_bytes(os.urandom(100_000))
    (home / "config.toml").write_text("[hosts.claude-code]\nblock_compaction = true\n")
    host.say("s-1", "hello", "hi")
    told = host.tell("PreCompact", trigger=trigger).output
    assert (told.get("decision") == "block") is is_blocked
    assert "state.db" in told["reason" if is_blocked else "systemMessage"]


def test_what_takes_too_long_before_a_compaction_is_declined_as_all_other_trouble(tmp_path):
    event, late = Event("claude-code", "PreCompact", "s-1", trigger="manual"), Answer(message="late")
    assert declined(event, str(tmp_path), None, late) is late
    (tmp_path / "config.toml").write_text("[hosts.claude-code]\nblock_compaction = true\n")
    assert declined(event, str(tmp_path), None, late).refusal.startswith("late; ")
    for other in (
        Event("claude-code", "Stop", "s-1"),
        Event("claude-code", "PreCompact", "s-1", trigger="auto"),
    ):
        assert declined(other, str(tmp_path), None, late) is late
    (tmp_path / "config.toml").write_text("[hosts")
    assert declined(event, str(tmp_path), None, late) is late


def test_a_busy_database_is_not_waited_for_longer_than_the_host_waits(host: Host, home, noted):
    holder = apsw.Connection(str(home / "state.db"))
    holder.execute("BEGIN EXCLUSIVE")
    try:
        told = host.tell("UserPromptSubmit", prompt="what did we decide?")
    finally:
        holder.execute("ROLLBACK")
        holder.close()
    assert told.code == 0


def test_a_closed_standard_output_does_no_harm(host: Host, noted):
    command, _ = host.command("SessionStart")
    values = json.dumps({"session_id": "s-1", "source": "startup"})
    words = [
        sys.executable,
        "-c",
        "import os, sys; os.close(1); os.execv(sys.argv[1], sys.argv[1:])",
        *command,
    ]
    ran = subprocess.run(
        words, input=values.encode(), stderr=subprocess.PIPE, cwd="/", env={"PATH": os.defpath}
    )
    assert ran.returncode == 0
    assert b"Traceback" not in ran.stderr


def test_the_folder_and_the_environment_of_a_session_do_not_say_what_is_imported(host: Host, noted, tmp_path):
    trap = tmp_path / "trap"
    for name in ("archivist", "json", "msgspec"):
        (trap / name).mkdir(parents=True)
        (trap / name / "__init__.py").write_text("raise SystemExit(9)")
    host.environ |= {"PYTHONPATH": str(trap), "PYTHONHOME": "", "PYTHONSTARTUP": str(trap), "PWD": str(trap)}
    command, seconds = host.command("SessionStart")
    values = json.dumps({"session_id": "s-1", "source": "startup", "cwd": str(trap)}).encode()
    ran = subprocess.run(
        command,
        input=values,
        cwd=trap,
        env={"PATH": os.defpath, **host.environ},
        capture_output=True,
        timeout=seconds,
    )
    assert ran.returncode == 0
    assert noted in ran.stdout.decode()


def test_many_hooks_at_once_lose_nothing(host: Host, home, noted):
    for number in range(6):
        host.say(f"s-{number}", f"word number {number}", "yes")

    def turn(number: int) -> tuple[str, bytes]:
        begun = host.tell("SessionStart", f"s-{number}", source="startup")
        return begun.context, host.tell("Stop", f"s-{number}").stdout

    with ThreadPoolExecutor(6) as pool:
        for context, stopped in pool.map(turn, range(6)):
            assert noted in context
            assert stopped == b""
    with Archivist.open(home) as archivist:
        assert archivist.counts()["messages"] == 12


def test_a_hook_that_is_killed_is_made_up_for_by_the_next(host: Host, home):
    host.say("s-1", *[f"line {number} of a long turn " + "word " * 200 for number in range(400)])
    command, _ = host.command("Stop")
    values = json.dumps({"session_id": "s-1", "transcript_path": str(host.transcript("s-1"))}).encode()
    for seconds in (0.05, 0.2, 0.4):
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd="/", env={})
        child.stdin.write(values)
        child.stdin.close()
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
    host.tell("Stop")
    with Archivist.open(home) as archivist:
        assert archivist.counts()["messages"] == 400
        assert archivist.verify().is_clean


def test_a_line_of_a_transcript_that_cannot_be_read_is_said_once_and_blocks_no_compaction(host: Host, home):
    home.mkdir()
    (home / "config.toml").write_text("[hosts.claude-code]\nblock_compaction = true\n")
    host.say("s-1", "hello", "hi")
    with host.transcript("s-1").open("ab") as file:
        file.write(b"\0\0\0\n")
    told = host.tell("PreCompact", trigger="manual")
    assert "decision" not in told.output
    assert one_line(told).endswith("1 line could not be read and is not kept (1 invalid JSON)")
    assert host.tell("PreCompact", trigger="manual").stdout == b""
    with Archivist.open(home) as archivist:
        assert archivist.counts()["messages"] == 2
