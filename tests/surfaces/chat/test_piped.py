"""`archivist chat` in scripts: answers on standard output, all else beside, and an exit code that tells."""

import json
import subprocess
import sys
from pathlib import Path

from tests.model_server import calls, fails, says

from archivist import Archivist

PROGRAM = str(Path(sys.executable).with_name("archivist"))


def test_a_question_is_answered_once(chat, model):
    model(says("The port is 8443."))
    done = chat("-q", "which port?")
    assert done.out == "The port is 8443.\n"
    assert "\x1b" not in done.out + done.err


def test_without_a_model_it_notes_and_quotes(chat):
    chat("-q", "remember that the staging port is 8443")
    assert "8443" in chat("-q", "what is the staging port?").out
    assert "8443" in chat("-q", "暂存端口 staging 是什么？").out


def test_only_the_last_words_of_a_turn_are_the_answer(chat, model):
    model(calls("recall", {"query": "port"}, text="Let me look."), says("It is 8443."))
    done = chat("-q", "which port?")
    assert done.out == "It is 8443.\n"
    assert "recall: port … " in done.err


def test_json_tells_all_of_it(chat, model):
    model(calls("recall", {"query": "port"}), says("It is 8443."))
    shown = json.loads(chat("-q", "which port?", "--json").out)
    assert set(shown) == {"text", "session", "usage", "stop", "calls", "error", "notices"}
    assert (shown["text"], shown["stop"], shown["usage"]["requests"]) == ("It is 8443.", "end", 2)
    assert [(one["name"], one["failed"]) for one in shown["calls"]] == [("recall", False)]


def test_each_line_is_a_turn_of_one_conversation(chat, model):
    server = model(lambda body: says(f"heard: {body['messages'][-1]['content']}"))
    lines = "one\n\n  二号 \n".encode()
    assert chat(stdin=lines).out == "heard: one\nheard: 二号\n"
    assert [message["role"] for message in server.requests[-1].body["messages"]][1:] == [
        "user",
        "assistant",
        "user",
    ]
    shown = [json.loads(line) for line in chat("--json", stdin=lines).out.splitlines()]
    assert [one["text"] for one in shown] == ["heard: one", "heard: 二号"]
    assert len({one["session"] for one in shown}) == 1


def test_all_of_the_input_may_be_one_message(chat, model):
    model(lambda body: says(f"{body['messages'][-1]['content']!r}"))
    assert chat("-q", "-", stdin=b"\xef\xbb\xbfone\n\xff two\n").out == repr("one\n\ufffd two") + "\n"


def test_a_model_that_fails_is_an_exit_code_and_a_line(chat, model):
    model(fails(401, "no such key"))
    done = chat("-q", "hi", status=1)
    assert done.out == ""
    assert len([line for line in done.err.splitlines() if not line.startswith("note:")]) == 1


def test_a_wait_is_told_beside_the_answer_and_in_json(chat, model):
    limit = fails(429, "rate limit reached", headers=(("retry-after", "1"),))
    server = model(limit, says("It is 8443."))
    done = chat("-q", "which port?", "--json")
    shown = json.loads(done.out)
    assert (shown["text"], len(server.requests)) == ("It is 8443.", 2)
    told = "openai/test-model: rate limited: waiting 1 s"
    assert told in [one["text"] for one in shown["notices"]]
    assert f"note: {told}" in done.err


def test_a_kill_while_it_waits_for_a_model_leaves_a_conversation_that_goes_on(chat, model, environ, stored):
    server = model(fails(503, "busy", headers=(("retry-after", "500"),)), says("It is 8443."))
    waiting = subprocess.Popen([PROGRAM, "chat", "-q", "which port?"], env=environ, stderr=subprocess.PIPE)
    while b"waiting 8 min" not in waiting.stderr.readline():
        assert waiting.poll() is None
    waiting.kill()
    waiting.communicate(timeout=20)
    assert chat("-c", "-q", "well?").out == "It is 8443.\n"
    assert stored() == ["which port?", "well?", "It is 8443."]
    assert len(server.requests) == 2


def test_nothing_to_say_is_misuse(chat):
    assert "empty" in chat("-q", " ", status=2).err
    assert "not both" in chat("-q", "x", "-c", "--resume", "y", status=2).err
    assert "leave it out" in chat("-q", "x", "--yes", "--approve", "ask", status=2).err


def test_an_answer_that_cannot_be_written_is_a_failure(environ, tmp_path):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [PROGRAM, "chat", "-q", "hi"],
            env=environ,
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
        )
    assert done.returncode == 1
    assert b"check the disk" in done.stderr


def test_nothing_on_standard_input_is_no_turn(chat, environ):
    assert chat().out == ""
    with Archivist.open(environ["ARCHIVIST_HOME"], environ={}) as archivist:
        assert archivist.counts()["sessions"] == 0


def test_continue_goes_on_in_this_folder_first(chat, tmp_path):
    (tmp_path / "other").mkdir()
    chat("-q", "remember that wicks are long")
    chat("--folder", "other", "-q", "remember that lamps are green")
    assert "wicks are long" in chat("-c", "-q", "hi").err
    assert ", held in" not in chat("-c", "-q", "hi").err


def test_continue_elsewhere_says_which_it_is(chat, tmp_path):
    (tmp_path / "other").mkdir()
    assert "leave --continue out" in chat("-c", "-q", "hi", status=1).err
    chat("--folder", "other", "-q", "remember that lamps are green")
    assert f", held in {tmp_path / 'other'}" in chat("-c", "-q", "hi").err


def test_resume_takes_an_id_and_a_title(chat, environ):
    name = json.loads(chat("-q", "remember that wicks are long", "--json").out)["session"]
    assert json.loads(chat("--resume", name, "-q", "hi", "--json").out)["session"] == name
    with Archivist.open(environ["ARCHIVIST_HOME"], environ={}) as archivist:
        archivist.sessions.rename(name, "The lamp")
    assert json.loads(chat("--resume", "The lamp", "-q", "hi", "--json").out)["session"] == name
    assert "sessions list" in chat("--resume", "nothing", "-q", "hi", status=1).err


def test_what_tries_to_steer_a_terminal_does_not(chat, model):
    model(says("red \x1b[31mwords\x1b]0;title\x07\x07 and \u202eturned"))
    assert chat("-q", "hi").out == "red words and turned\n"


def test_json_without_a_question_is_for_pipes(chat):
    assert chat("--json").out == ""


def test_a_model_may_be_offered_no_tools(chat, model):
    server = model(says("yes"))
    chat("-q", "hi", "--no-tools")
    chat("-q", "hi")
    assert [bool(request.body.get("tools")) for request in server.requests] == [False, True]


def test_in_a_project_only_its_own_is_found_unless_the_owner_wants_it(chat, tmp_path):
    for name in ("lamp", "wick"):
        (tmp_path / name).mkdir()
    chat("--folder", "lamp", "-q", "remember that the staging port is 8443")
    ask = ("-q", "what is the staging port?")
    assert "8443" not in chat("--folder", "wick", *ask).out
    assert "8443" in chat("--folder", "lamp", *ask).out
    assert "8443" in chat(*ask).out
    (tmp_path / "home" / "config.toml").write_text('[hosts.chat]\nread = "owner"\n')
    assert "8443" in chat("--folder", "wick", *ask).out


def test_a_conversation_that_goes_on_works_in_the_folder_in_which_it_was_held(chat, model, tmp_path):
    (tmp_path / "other").mkdir()
    model(*[says("hi"), calls("terminal", {"command": "touch here"}), says("done")] * 2)
    chat("--folder", "other", "-q", "hi")
    chat("-c", "-q", "go", "--yes")
    assert (tmp_path / "other" / "here").exists()
    chat("--folder", "other", "-q", "hi")
    chat("-c", "-q", "go", "--yes", "--folder", ".")
    assert (tmp_path / "here").exists()


def test_a_fork_goes_on_in_its_own_line(chat, model, environ):
    server = model(says("heard"))
    begun = json.loads(chat("-q", "the first words", "--json").out)["session"]
    chat("--resume", begun, "-q", "the old way")
    with Archivist.open(environ["ARCHIVIST_HOME"], environ={}) as archivist:
        said = archivist.sessions.get(begun).messages("context")
        fork = archivist.sessions.fork(begun, at=said[1].id, title="Another way").id
    for name in ("Another way", fork):
        shape = json.loads(chat("--resume", name, "-q", f"on by {name}", "--json").out)
        assert shape["session"] == fork
        assert "the first words" in server.requests[-1].words
        assert "the old way" not in server.requests[-1].words
    assert "Another way" in chat("--continue", "-q", "on").err
    assert "the old way" not in server.requests[-1].words
    chat("--resume", begun, "-q", "on in the first")
    assert "the old way" in server.requests[-1].words
    assert "on by" not in server.requests[-1].words
