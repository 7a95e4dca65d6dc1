"""A conversation in a real terminal: what is typed, pasted, stopped and seen."""

import re
import signal
import sys
import time
from pathlib import Path

import pytest
from tests.model_server import calls, fails, says

from archivist import Archivist

PROGRAM = str(Path(sys.executable).with_name("archivist"))


def heard(body):
    content = body["messages"][-1]["content"]
    text = content if isinstance(content, str) else content[0]["text"]
    return says(f"heard: {text}")


def test_words_are_answered_and_what_they_used_is_shown(terminal, model):
    model(heard)
    terminal.start()
    terminal.type("hello 你好")
    terminal.wait("tokens in (")
    assert "heard: hello 你好" in terminal.lines
    terminal.wait_for_prompt()
    terminal.keys("C-d")
    terminal.wait_for_shell()


def test_calls_are_told_in_a_dim_line(terminal, model):
    model(calls("recall", {"query": "the port"}, text="Let me look."), says("It is 8443."))
    terminal.start()
    terminal.type("which port?")
    terminal.wait("It is 8443.")
    call = next(line for line in terminal.lines if line.startswith("recall: the port … "))
    assert call.endswith(" s")
    assert "\x1b[2m" in terminal.raw


@pytest.mark.parametrize(("start", "options"), [("NO_COLOR=1", ""), ("TERM=dumb", ""), ("", "--no-color")])
def test_where_no_colours_are_wanted_there_are_none(terminal, model, environ, tmp_path, start, options):
    model(calls("recall", {"query": "port"}), says("It is 8443."))
    terminal.type(f"export {start or 'A=1'}; script -qc '{PROGRAM} chat {options}' typed; clear")
    terminal.wait_for_prompt()
    terminal.type("which port?")
    terminal.wait("It is 8443.")
    terminal.wait_for_prompt()
    terminal.keys("C-d")
    terminal.wait_for_shell()
    assert b"\x1b[2m" not in (tmp_path / "typed").read_bytes()


def test_a_paste_of_many_lines_is_one_message(terminal, model, stored):
    model(heard)
    terminal.start()
    terminal.paste("one\n\ttwo 二\nthree")
    terminal.wait("three")
    terminal.keys("Enter")
    terminal.wait("heard: one")
    assert stored()[0] == "one\n\ttwo 二\nthree"


def test_lines_that_go_on_and_blocks_are_one_message(terminal, model, stored):
    model(heard)
    terminal.start()
    terminal.type("one \\")
    terminal.type("two")
    terminal.wait("heard: one")
    terminal.wait_for_prompt()
    for line in ('"""', "a", "", "b", '"""'):
        terminal.type(line)
    terminal.wait("heard: a")
    terminal.wait_for_prompt()
    assert stored()[::2] == ["one \ntwo", "a\n\nb"]


def test_ctrl_c_stops_the_turn_and_the_conversation_goes_on(terminal, model, stored):
    model(says("long " * 400, pause=0.05), says("short"))
    terminal.start()
    terminal.type("tell me")
    terminal.wait("long long")
    terminal.keys("C-c")
    terminal.wait("stopped")
    terminal.type("and now?")
    terminal.wait("short")
    terminal.wait_for_prompt()
    said = stored()
    assert (said[0], said[2:]) == ("tell me", ["and now?", "short"])
    assert said[1].startswith("long long")


def test_ctrl_c_clears_the_line_and_twice_ends(terminal, model):
    model(heard)
    terminal.start()
    for _ in range(3):
        terminal.type("words", enter=False)
        terminal.wait(lambda: terminal.lines[-1] == "> words")
        terminal.keys("C-c")
        terminal.wait_for_prompt()
    terminal.keys("C-c")
    terminal.wait("once more")
    terminal.keys("C-c")
    terminal.wait_for_shell()


def test_a_wait_for_a_model_is_told_and_ends_at_once(terminal, model):
    server = model(fails(503, "busy", headers=(("retry-after", "500"),)), says("here again"))
    terminal.start()
    terminal.type("hi")
    terminal.wait("waiting 8 min")
    terminal.keys("C-c")
    terminal.wait("stopped")
    terminal.type("again")
    terminal.wait("here again")
    assert len(server.requests) == 2


def test_a_model_that_fails_is_told_and_can_be_asked_again(terminal, model):
    model(fails(401, "no such key"), says("here again"))
    terminal.start()
    terminal.type("hi")
    terminal.wait(lambda: any("key" in line for line in terminal.lines[3:]))
    terminal.type("again")
    terminal.wait("here again")


@pytest.mark.parametrize(("number", "during_turn"), [(signal.SIGTERM, True), (signal.SIGHUP, False)])
def test_a_process_that_is_told_to_end_keeps_what_was_said(terminal, model, stored, number, during_turn):
    model(says("long " * 400, pause=0.05) if during_turn else says("short"))
    terminal.start()
    terminal.type("tell me")
    terminal.wait("long long" if during_turn else "tokens in (")
    terminal.end(number)
    terminal.wait_for_shell()
    terminal.type("echo status $?")
    terminal.wait(f"status {128 + number}")
    said = stored()
    assert said[0] == "tell me"
    assert said[1].startswith("long long" if during_turn else "short")


def test_a_terminal_that_is_closed_ends_the_program_and_keeps_what_was_said(terminal, model, stored, environ):
    model(says("long " * 400, pause=0.05))
    terminal.start()
    terminal.type("tell me")
    terminal.wait("long long")
    process = terminal.program
    terminal.close()
    terminal_gone(process)
    assert stored()[0] == "tell me"
    with Archivist.open(environ["ARCHIVIST_HOME"], environ={}) as archivist:
        agent = archivist.agent(session=archivist.sessions.browse(limit=1).sessions[0].id)
        assert agent.session.id
        agent.close()


def terminal_gone(process):
    until = time.monotonic() + 30
    while (status := Path(f"/proc/{process}/stat")).exists() and " Z " not in status.read_text():
        assert time.monotonic() < until
        time.sleep(0.03)


def test_ctrl_z_puts_it_aside(terminal, model):
    model(heard)
    terminal.start()
    terminal.type("begun and ", enter=False)
    terminal.wait("> begun and")
    terminal.keys("C-z")
    terminal.wait("Stopped")
    terminal.type("fg")
    terminal.wait(lambda: terminal.lines[-1] == "> begun and", "the line")
    terminal.type("ended")
    terminal.wait("heard: begun and ended")
    assert "> begun and ended" in terminal.lines
    assert "ended" not in terminal.lines, "shown twice"


@pytest.mark.parametrize("name", ["C", "POSIX"])
def test_in_a_locale_without_letters_chinese_is_typed_edited_and_brought_back(
    terminal, model, chat, stored, name
):
    model(heard)
    chat("-q", "早先说过的话")
    terminal.type(f"LC_ALL={name} {PROGRAM} chat")
    terminal.wait_for_prompt()
    terminal.keys("Up")
    terminal.wait(lambda: terminal.lines[-1] == "> 早先说过的话", "what was said before")
    terminal.keys("C-u")
    terminal.type("你好世", enter=False)
    terminal.keys("BSpace", "BSpace")
    terminal.type("们")
    terminal.wait("heard: 你们")
    assert stored()[0] == "你们"


def test_a_conversation_that_is_open_elsewhere_is_refused(terminal, model, chat):
    model(heard)
    terminal.start()
    terminal.type("hello")
    terminal.wait("heard: hello")
    assert "is open in process" in chat("-c", "-q", "me too", status=1).err
    terminal.wait_for_prompt()
    terminal.keys("C-d")
    terminal.wait_for_shell()
    assert chat("-c", "-q", "and now").out == "heard: and now\n"


def test_who_goes_on_sees_what_was_said_last(terminal, model, chat):
    model(heard)
    chat("-q", "the wick is long")
    terminal.start("chat -c")
    assert "you: the wick is long" in terminal.lines
    assert "agent: heard: the wick is long" in terminal.lines
    terminal.keys("Up")
    terminal.wait(lambda: terminal.lines[-1] == "> the wick is long")


def test_archivist_alone_opens_a_conversation_and_says_once_how_a_model_is_set(terminal):
    terminal.start("")
    terminal.type("remember that the staging port is 8443")
    terminal.wait("Noted in MEMORY.md")
    terminal.wait_for_prompt()
    terminal.type("what is the staging port?")
    terminal.wait("word for word")
    terminal.wait_for_prompt()
    assert terminal.screen.count("archivist model set") == 1
    terminal.type("exit")
    terminal.wait_for_shell()


def test_a_command_is_asked_about_before_it_runs(terminal, model, tmp_path):
    script = [calls("terminal", {"command": f"touch {name}; exit 3"}) for name in ("one", "two", "three")]
    server = model(script[0], says("ran"), script[1], says("not run"), script[2], says("never"))
    terminal.start()
    terminal.type("go")
    terminal.wait("allow?")
    assert not (tmp_path / "one").exists()
    terminal.type("y")
    terminal.wait("\nran")
    assert (tmp_path / "one").exists()
    assert any(line.startswith("terminal: touch one") and line.endswith("exit 3") for line in terminal.lines)
    terminal.type("go on")
    terminal.wait(lambda: terminal.screen.count("allow?") == 2)
    terminal.type("n use a list")
    terminal.wait("not run")
    assert "use a list" in server.requests[-1].words
    terminal.type("go on")
    terminal.wait(lambda: terminal.screen.count("allow?") == 3)
    terminal.keys("C-c")
    terminal.wait("stopped")
    terminal.wait_for_prompt()
    assert [(tmp_path / name).exists() for name in ("two", "three")] == [False, False]
    assert "never" not in terminal.screen


def test_the_time_that_a_person_takes_for_a_yes_is_none_of_the_call(terminal, model):
    model(calls("terminal", {"command": "touch one"}), says("ran"))
    terminal.start()
    terminal.type("go")
    terminal.wait("allow?")
    until = time.monotonic() + 2.5
    terminal.wait(lambda: time.monotonic() > until)
    terminal.type("y")
    terminal.wait("\nran")
    line = next(line for line in terminal.lines if line.startswith("terminal: touch one") and "exit" in line)
    assert float(re.search(r"([\d.]+) s", line)[1]) < 2.0


def test_what_was_typed_before_a_question_is_no_answer_to_it(terminal, model, tmp_path):
    model(calls("terminal", {"command": "touch one"}, text="wait " * 20, pause=0.05), says("ran"))
    terminal.start()
    terminal.type("go")
    terminal.wait("wait wait")
    terminal.type("y")
    terminal.wait("allow?")
    terminal.wait(lambda: terminal.lines[-1].endswith("(and why):"), "the question")
    assert not (tmp_path / "one").exists()
    terminal.type("y")
    terminal.wait("\nran")
    assert (tmp_path / "one").exists()


def test_what_is_typed_while_a_turn_runs_is_said_next(terminal, model, stored):
    model(says("wait " * 20, pause=0.05), heard({"messages": [{"content": "next"}]}))
    terminal.start()
    terminal.type("go")
    terminal.wait("wait wait")
    terminal.type("next 下一个")
    terminal.wait("heard: next")
    assert stored()[2] == "next 下一个"


def test_between_pipes_nothing_runs_that_would_be_asked_about(chat, model, tmp_path):
    model(*[calls("terminal", {"command": "touch one"}), says("done")] * 2)
    done = chat("-q", "go")
    assert not (tmp_path / "one").exists()
    assert "the user did not allow it" not in done.err
    assert "not allowed, since nobody can be asked: run: touch one. --approve" in done.err
    chat("-q", "go", "--yes")
    assert (tmp_path / "one").exists()
