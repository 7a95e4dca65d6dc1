"""A home that cannot be used is said in each answer, and used as soon as it can be; several servers share one."""

import os
import shutil
import threading

import pytest
from tests.surfaces.mcp.wire import ERAS, command, read_call, served, trusted
from tests.transfer.conftest import Transcript
from tests.transfer.conftest import call as used

from archivist import Archivist, Message
from archivist.records import OWNER
from archivist.surfaces.mcp.opened import LateHome, Place


@pytest.mark.parametrize("era", ERAS)
def test_a_home_that_cannot_be_opened_is_told_in_each_answer_until_it_can_be(tmp_path, era):
    home = tmp_path / "home"
    home.write_text("a file")
    with served(home, era=era) as wire:
        assert wire.ask("tools/list")["tools"]
        for tool, arguments in (
            ("recall", {"query": "tea"}),
            ("session_search", {}),
            ("memory", {"action": "add", "content": "Prefers tea"}),
        ):
            result = wire.call(tool, **arguments)
            assert not result["success"]
            assert "it is not a folder" in result["error"]
        assert "it is not a folder" in wire.refused("resources/read", uri="memory://notes/user")["message"]
        assert (
            "it is not a folder"
            in wire.refused("prompts/get", name="recall", arguments={"question": "x"})["message"]
        )
        home.unlink()
        trusted(home)
        assert wire.call("memory", action="add", content="Prefers tea")["success"]
        assert wire.call("recall", query="tea")["count"] == 1


def test_settings_that_cannot_be_read_are_told_and_read_again(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text("colour = 'red'")
    with served(home) as wire:
        assert "unknown key 'colour'" in wire.call("recall", query="tea")["error"]
        (home / "config.toml").write_text("")
        assert wire.call("recall", query="tea")["success"]
        (home / "config.toml").write_text("colour = 'red'")
        assert "unknown key 'colour'" in wire.call("recall", query="tea")["error"]


def test_a_profile_that_can_be_none_is_told(tmp_path):
    first, *_ = command(tmp_path / "home")
    with served(
        tmp_path / "home", program=[first, "--home", str(tmp_path / "home"), "--profile", "../x", "mcp"]
    ) as wire:
        assert "cannot name a profile" in wire.call("recall", query="tea")["error"]


def test_what_was_found_at_opening_is_told_once(tmp_path):
    home = tmp_path / "home"
    with Archivist.open(home, environ={}) as archivist:
        archivist.sessions.start().append(Message.user("The lantern burns at the quay."))
        archivist.catch_up()
    (home / "state.db").unlink()
    with Archivist.open(home, environ={}) as archivist:
        told = [notice.text for notice in archivist.notices]
    assert told
    (home / "state.db").unlink()
    with served(home) as wire:
        assert wire.call("recall", query="lantern")["notices"][: len(told)] == told
        assert told[0] not in wire.call("recall", query="lantern").get("notices", ())


def test_a_database_that_nothing_can_be_read_of_is_told_in_each_answer(tmp_path):
    home = tmp_path / "home"
    Archivist.open(home, environ={}).close()
    (home / "state.db").write_bytes(b"damaged" * 1000)
    with served(home) as wire:
        for _ in range(2):
            assert "state.db is damaged" in wire.call("recall", query="lantern")["error"]


def test_two_servers_share_a_home_at_once(tmp_path):
    home = trusted(tmp_path / "home")
    with served(home) as one, served(home, era=ERAS[1]) as other:
        wires = (one, other)
        asked = [
            (
                wire,
                wire.send(
                    "tools/call",
                    name="memory",
                    arguments={"action": "add", "content": f"Server {n} listens at {8000 + n}"},
                ),
            )
            for n in range(30)
            for wire in (wires[n % 2],)
        ]
        for wire, number in asked:
            assert read_call(wire.wait(number)["result"])["success"]
        for wire in wires:
            found = wire.call("recall", query="server listens", limit=20, kinds=["note"])
            assert found["count"] == 20
        assert one.call("memory", action="remove", old_text="listens at 8003")["success"]
        assert other.call("recall", query="8003", kinds=["note"])["count"] == 0


def test_a_server_that_is_killed_has_what_it_answered_and_a_retry_doubles_nothing(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text("[notes]\nmemory_limit = 100000\n[hosts.mcp]\ntrusted = true\n")
    contents = [f"Server {n} listens at {8000 + n}" for n in range(24)]
    for cut in (1, 9):
        answered = []
        with served(home) as wire:
            asked = [
                wire.send("tools/call", name="memory", arguments={"action": "add", "content": content})
                for content in contents
            ]
            for number in asked[:cut]:
                assert read_call(wire.wait(number)["result"])["success"]
                answered.append(number)
            wire.process.kill()
            wire.process.wait()
        with Archivist.open(home, environ={}) as archivist:
            texts = [entry.text for entry in archivist.notes.entries("memory", "all")]
            assert len(set(texts)) == len(texts)
            assert {contents[number - asked[0]] for number in answered} <= set(texts)
    with served(home) as wire:
        for content in contents:
            assert wire.call("memory", action="add", content=content)["success"]
    with Archivist.open(home, environ={}) as archivist:
        assert sorted(entry.text for entry in archivist.notes.entries("memory", "all")) == sorted(contents)


def test_a_restarted_server_goes_on_where_the_other_was(tmp_path):
    home = trusted(tmp_path / "home")
    with served(home) as wire:
        noted = wire.call("memory", action="add", content="The staging port is 8443")
        before = wire.ask("resources/read", uri="memory://snapshot/current")["contents"]
        tools = wire.ask("tools/list")
    with served(home) as wire:
        assert wire.ask("resources/read", uri="memory://snapshot/current")["contents"] == before
        assert wire.ask("tools/list") == tools
        assert wire.call("memory", action="remove", old_text=noted["message"].split()[-1].rstrip("."))[
            "success"
        ]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_home_that_may_only_be_read_is_read_with_a_notice(tmp_path):
    home = tmp_path / "home"
    with Archivist.open(home, environ={}) as archivist:
        archivist.notes.add("user", "Prefers tea")
    for path in [home, *home.rglob("*")]:
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        with served(home) as wire:
            assert wire.call("recall", query="tea")["notices"]
            assert not wire.call("memory", action="add", content="x y z")["success"]
    finally:
        for path in [home, *home.rglob("*")]:
            path.chmod(0o700)


def test_a_home_that_is_taken_away_is_made_anew(tmp_path):
    home = trusted(tmp_path / "home")
    with served(home) as wire:
        assert wire.call("memory", action="add", content="The staging port is 8443")["success"]
        shutil.rmtree(home)
        trusted(home)
        result = wire.call("memory", action="add", content="The staging port is 9443")
        assert result["success"], result
        assert wire.call("recall", query="9443")["count"] == 1
    assert "9443" in (home / "memories" / "MEMORY.md").read_text()


def test_a_restore_while_it_serves_is_followed(tmp_path):
    home = tmp_path / "home"
    with served(home) as wire:
        assert wire.call("memory", action="add", content="The staging port is 8443")["success"]
        with Archivist.open(home, environ={}) as archivist:
            archivist.sessions.start().append(Message.user("The lantern burns at the quay."))
            archivist.backup(tmp_path / "copy")
            archivist.sessions.start().append(Message.user("The lantern burns at the mole."))
        assert wire.call("recall", query="lantern")["count"] == 2
        with Archivist.open(home, environ={}) as archivist:
            archivist.restore(tmp_path / "copy", dry_run=False)
        found = wire.call("recall", query="lantern")
        assert [hit["text"] for hit in found["hits"]] == ["The lantern burns at the quay."]


def test_a_call_that_runs_while_the_home_is_exchanged_is_answered_from_what_it_began_with(
    tmp_path, monkeypatch
):
    monkeypatch.delenv("ARCHIVIST_PROFILE", raising=False)
    home, closed = tmp_path / "home", []
    with Archivist.open(home, environ={}) as archivist:
        archivist.sessions.start().append(Message.user("The lantern burns at the quay."))
    served_home = LateHome(Place(str(home), None, "mcp", OWNER))
    close = Archivist.close
    monkeypatch.setattr(Archivist, "close", lambda archivist: (closed.append(archivist), close(archivist)))
    began, go_on, found = threading.Barrier(3), threading.Event(), []

    def slow(archivist, reader):
        began.wait(60)
        go_on.wait(60)
        found.append((archivist, len(archivist.recall("lantern", scope=reader).hits)))

    calls = [threading.Thread(target=served_home.asked, args=(slow,)) for _ in range(2)]
    for call in calls:
        call.start()
    began.wait(60)
    shutil.copy(home / "state.db", home / "copy.db")
    (home / "copy.db").replace(home / "state.db")
    now_there = served_home.asked(lambda archivist, _: archivist)
    assert closed == []
    go_on.set()
    for call in calls:
        call.join()
    (former, hits), (same, _) = found
    assert (former is same, former is now_there, hits) == (True, False, 1)
    assert closed == [former]
    served_home.close()
    assert closed == [former, now_there]


def test_messages_that_others_store_meanwhile_are_found_from_many_calls_at_once(tmp_path):
    home = tmp_path / "home"
    stop = threading.Event()

    def store():
        with Archivist.open(home, environ={}) as archivist:
            session = archivist.sessions.start()
            number = 0
            while not stop.is_set():
                session.append(Message.user(f"The lantern {number} burns at the quay."))
                number += 1

    writer = threading.Thread(target=store)
    with served(home) as wire:
        writer.start()
        try:
            for _ in range(5):
                asked = [
                    wire.send("tools/call", name="recall", arguments={"query": "lantern quay"})
                    for _ in range(20)
                ]
                assert all(read_call(wire.wait(number)["result"])["success"] for number in asked)
        finally:
            stop.set()
            writer.join()
        assert wire.call("recall", query="lantern quay")["count"] > 0


def test_what_a_client_notes_that_tells_nothing_of_its_conversation_waits_until_its_owner_trusts_it(tmp_path):
    home = tmp_path / "home"
    with served(home) as wire:
        told = wire.call("memory", action="add", content="The staging port is 8443")
        assert told["waits"]
        assert any("trusted = true under [hosts.mcp]" in note for note in told["notes"])
        assert wire.call("recall", query="staging port")["count"] == 0
        trusted(home)
        assert "waits" not in wire.call("memory", action="add", content="The staging port is 8443")
        assert wire.call("recall", query="staging port")["count"] == 1


def test_a_note_of_claude_code_is_judged_by_the_transcript_that_has_the_call(tmp_path):
    home, made = tmp_path / "home", Transcript()
    made.person("look at https://x.example")
    made.answer("r1", used("t1", "WebFetch", url="https://x.example"), stop="tool_use")
    made.result("t1", "The staging port is 8443")
    note = {"action": "add", "content": "The staging port is 8443"}
    made.answer("r2", used("toolu_2", "mcp__archivist__memory", **note), stop="tool_use")
    made.write(tmp_path / ".claude" / "projects" / "-home-someone-tide")
    with served(home) as wire:
        number = wire.send(
            "tools/call", name="memory", arguments=note, _meta={"claudecode/toolUseId": "toolu_2"}
        )
        told = read_call(wire.wait(number)["result"])
        assert any("a web page was read" in one for one in told["notes"]), told
    made.result("toolu_2", "waits")
    made.person("yes: the staging port is 8443")
    made.answer("r3", used("toolu_3", "mcp__archivist__memory", **note), stop="tool_use")
    made.write(tmp_path / ".claude" / "projects" / "-home-someone-tide")
    with served(home, "--host", "claude-code", "--host-session", made.session) as wire:
        assert "waits" not in wire.call("memory", **note)
