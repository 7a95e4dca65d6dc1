"""An agent of a home works on the files of its folder, as its settings and its person allow."""

import json

import apsw
import pytest
from tests.conftest import Clock
from tests.loop.scripted import Scripted, calls, says

from archivist import Archivist
from archivist.config import find_home
from archivist.records.approvals import Answer


@pytest.fixture
def work(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def archivist(tmp_path):
    with Archivist.open(tmp_path / "home", environ={}) as archivist:
        yield archivist


def yes(_ask):
    return Answer("once")


def call(name, **arguments):
    return calls((name, json.dumps(arguments)))


def results(agent):
    return [message.text for message in agent.session.messages("all") if message.role == "tool"]


def test_an_agent_changes_a_file_and_runs_a_command_on_a_yes(archivist, work):
    asked = []

    def person(ask):
        asked.append(ask.title)
        return Answer("once")

    script = Scripted(
        call("write_file", path="a.py", content="print(6 * 7)\n"),
        call("terminal", command="python3 a.py"),
        says("42"),
    )
    agent = archivist.agent(script, cwd=work, approve=person)
    assert agent.turn("What is six times seven?").text == "42"
    assert asked == ["make a.py (+1 -0)", "run: python3 a.py"]
    assert results(agent)[1].endswith("\n42")
    agent.close()


def test_without_anybody_to_ask_nothing_is_done_and_the_model_hears_it(archivist, work):
    agent = archivist.agent(
        Scripted(call("write_file", path="a", content="x"), says("I could not.")), cwd=work
    )
    agent.turn("Write it")
    assert "nobody is here" in results(agent)[0]
    assert list(work.iterdir()) == []
    agent.close()


def test_the_settings_say_what_is_done_unasked(archivist, work):
    archivist.home.config_file.write_text('[agent]\napproval = "edits"\n')
    script = Scripted(
        call("write_file", path="a", content="x"), call("terminal", command="touch b"), says("Done.")
    )
    agent = archivist.agent(script, cwd=work)
    agent.turn("Do both")
    assert [path.name for path in work.iterdir()] == ["a"]
    agent.close()


def test_what_was_read_in_one_turn_may_be_replaced_in_the_next(archivist, work):
    (work / "a").write_text("old")
    script = Scripted(
        call("read_file", path="a"), says("Read."), call("write_file", path="a", content="new"), says("Done.")
    )
    agent = archivist.agent(script, cwd=work, approve=lambda _: Answer("once"))
    agent.turn("Read it")
    agent.turn("Replace it")
    assert (work / "a").read_text() == "new"
    agent.close()


def test_a_long_output_is_read_on_after_a_restart(archivist, work):
    agent = archivist.agent(
        Scripted(call("terminal", command="seq 1 30000"), says("Long.")),
        cwd=work,
        approve=lambda _: Answer("once"),
    )
    agent.turn("Count")
    key = results(agent)[0].partition("path=output:")[2].partition("]")[0]
    again = agent.conversation_id
    agent.close()
    script = Scripted(call("read_file", path=f"output:{key}", offset=15_000, limit=1), says("Yes."))
    agent = archivist.agent(script, session=again, cwd=work)
    agent.turn("And in the middle?")
    assert results(agent)[-1].startswith(" 15000\t15000")
    agent.close()


def test_the_home_is_never_written(archivist, tmp_path):
    script = Scripted(call("write_file", path="home/config.toml", content="x"), says("No."))
    agent = archivist.agent(script, cwd=tmp_path, approve=lambda _: Answer("session"))
    agent.turn("Set it")
    assert "Archivist's own" in results(agent)[0]
    assert not archivist.home.config_file.exists()
    agent.close()


def test_an_output_that_is_kept_is_masked(archivist, work):
    secret = f"sk-ant-api03-{'Ab3dEf6hIj' * 9}-AA"
    (work / "a").write_text(f"{secret}\n" + "filler\n" * 5_000)

    def reads_on(request):
        key = request.messages[-1]["content"].partition("path=output:")[2].partition("]")[0]
        return call("read_file", path=f"output:{key}", limit=2)

    script = Scripted(call("terminal", command="cat a"), reads_on, says("Read."))
    agent = archivist.agent(script, cwd=work)
    agent.turn("Show it")
    first, second = results(agent)
    assert secret not in first + second
    assert second.endswith(
        "filler\n[cut, 4,999 more lines: read_file path=output:" + second.rpartition("output:")[2]
    )
    agent.close()


def test_the_key_of_the_model_is_in_no_commands_environment(archivist, work, monkeypatch):
    monkeypatch.setenv("HARBOUR", "canary-value")
    archivist.home.config_file.write_text('[model]\nname = "openai/gpt-5"\nkey_env = "HARBOUR"\n')
    agent = archivist.agent(
        Scripted(call("terminal", command="env; true"), says("ok")), cwd=work, approve=yes
    )
    agent.turn("Show it")
    assert "PATH=" in results(agent)[0]
    assert "canary-value" not in results(agent)[0]
    agent.close()


def long_output(archivist, work):
    """The id of an output that was kept, and of its conversation."""
    agent = archivist.agent(
        Scripted(call("terminal", command="seq 1 30000"), says("Long.")), cwd=work, approve=yes
    )
    agent.turn("Count")
    agent.close()
    return results(agent)[0].partition("path=output:")[2].partition("]")[0], agent.conversation_id


def test_an_output_of_another_conversation_is_not_read(archivist, work):
    key, _ = long_output(archivist, work)
    others = [key, key[:8], "", "0" * 16, f"../{key}", key.upper()]
    script = Scripted(
        calls(*(("read_file", json.dumps({"path": f"output:{one}"})) for one in others)), says("No.")
    )
    agent = archivist.agent(script, cwd=work)
    agent.turn("Read it")
    assert len(results(agent)) == len(others)
    assert all("no output" in result for result in results(agent))
    agent.close()


def test_an_output_goes_with_its_conversation(archivist, work):
    key, conversation = long_output(archivist, work)
    media = archivist.home.path / "media"
    assert [path for path in media.rglob("*") if path.name.startswith(key)]
    archivist.sessions.delete(conversation)
    assert [path for path in media.rglob("*") if path.is_file()] == []


def test_an_output_is_read_on_while_the_database_takes_nothing(tmp_path, work):
    def reads_on(request):
        key = request.messages[-1]["content"].partition("path=output:")[2].partition("]")[0]
        return call("read_file", path=f"output:{key}", offset=15_000, limit=1)

    place = find_home(tmp_path / "home", environ={})
    with Archivist.at(place, Clock(), environ={}, patience=0.05) as archivist:
        script = Scripted(says("Hi."), call("terminal", command="seq 1 30000"), reads_on, says("Yes."))
        agent = archivist.agent(script, cwd=work, approve=yes)
        agent.turn("Hi")
        other = apsw.Connection(str(place.state_file))
        other.execute("BEGIN IMMEDIATE")
        agent.turn("Count")
        other.execute("ROLLBACK")
        other.close()
        assert script.last.messages[-1]["content"].startswith(" 15000\t15000")
        agent.close()
