"""The commands of a conversation."""

from pathlib import Path

import click
import pytest
from tests.model_server import calls, fails, says

from archivist import Archivist
from archivist.surfaces.cli.chat.slash.table import (
    COMMANDS,
    completions,
    find,
    helped,
    is_command,
)


def heard(body):
    return says(f"heard: {body['messages'][-1]['content']}")


@pytest.mark.parametrize(
    "line", ["/help", "/undo", "/recall the port", "/memory add a\nb", "/nonsense", "/q"]
)
def test_what_begins_with_a_word_behind_a_slash_is_a_command(line):
    assert is_command(line)


@pytest.mark.parametrize(
    "line", ["/usr/bin is full", "/usr", "/tmp has room?", "//help", "/ or not", "a /help", "/"]
)
def test_paths_and_other_words_are_none(line):
    assert not is_command(line)


@pytest.mark.parametrize(("line", "near"), [("/memorx", "/memory"), ("/res", "/resume"), ("/hlep", "/help")])
def test_an_unknown_one_names_what_is_near(line, near):
    with pytest.raises(click.UsageError, match=near):
        find(line)


def test_a_beginning_is_completed():
    assert completions("/re") == ["/recall", "/redo", "/resume"]
    assert completions("re") == []


def test_what_stands_behind_a_name_is_its_own(terminal, model):
    assert find("/recall  which\nport ")[1] == "which\nport"


def test_the_help_names_each(terminal, model):
    model(heard)
    terminal.start()
    terminal.type("/hel", enter=False)
    terminal.keys("Tab")
    terminal.wait(lambda: terminal.lines[-1] == "> /help")
    terminal.keys("Enter")
    terminal.wait("Ctrl-C stops")
    words = " ".join(terminal.screen.split())
    assert all(f"/{one.name} {one.arguments}".rstrip() + f" {one.line}" in words for one in COMMANDS.values())
    terminal.type("/memorx")
    terminal.wait("did you mean /memory?")


@pytest.mark.parametrize("columns", [40, 60, 71, 80, 200])
def test_no_line_of_the_help_is_wider_than_the_window(columns):
    for one in COMMANDS.values():
        lines = helped(one, columns)
        assert max(map(len, lines)) <= columns
        assert " ".join(" ".join(lines).split()) == f"/{one.name} {one.arguments}".rstrip() + f" {one.line}"


def test_a_turn_is_taken_back_said_otherwise_and_never_sent_again(terminal, model, stored):
    server = model(heard)
    terminal.start()
    terminal.type("first")
    terminal.wait("heard: first")
    terminal.type("scond")
    terminal.wait("heard: scond")
    terminal.type("/undo")
    terminal.wait(lambda: terminal.lines[-1] == "> scond")
    terminal.keys("C-u")
    terminal.type("second")
    terminal.wait("heard: second")
    terminal.wait_for_prompt()
    assert stored() == ["first", "heard: first", "second", "heard: second"]
    assert "scond" not in server.requests[-1].words
    terminal.type("/redo")
    terminal.wait("archivist: ")


def test_what_was_taken_back_is_given_back(terminal, model, stored):
    model(heard)
    terminal.start()
    terminal.type("first")
    terminal.wait("heard: first")
    terminal.type("/undo")
    terminal.wait(lambda: terminal.lines[-1] == "> first")
    terminal.keys("C-c")
    terminal.wait_for_prompt()
    assert stored() == []
    terminal.type("/redo")
    terminal.wait("2 messages given back")
    assert stored() == ["first", "heard: first"]


def test_what_a_turn_did_besides_is_not_taken_back_with_its_words_and_that_is_said(terminal, model):
    note = {"action": "add", "target": "memory", "content": "the port is 8443"}
    model(calls("memory", note), says("noted it"))
    terminal.start()
    terminal.type("note the port")
    terminal.wait("noted it")
    terminal.type("/undo")
    terminal.wait("/memory undo takes the latest change back")
    assert "what commands did" not in terminal.screen


def test_without_a_model_no_window_and_no_cost_is_told_of(terminal):
    terminal.start()
    terminal.type("remember that the port is 8443")
    terminal.wait("Noted in")
    terminal.type("/cost")
    terminal.wait("nothing yet: ")
    terminal.type("/context")
    terminal.wait("none is set, and nothing is sent")
    assert "of none" not in terminal.screen


def test_notes_are_shown_changed_and_recalled(terminal, model):
    model(heard)
    terminal.start()
    terminal.type("/memory add the staging port is 8443")
    terminal.wait("noted: ")
    terminal.type("/memory")
    terminal.wait("user [0%")
    assert any(line.endswith("  the staging port is 8443") for line in terminal.lines)
    terminal.type("/recall which staging port?")
    terminal.wait("memory blame")
    terminal.type("/memory undo")
    terminal.wait("taken back: ")
    terminal.type("/memory what")
    terminal.wait("/memory shows what is noted")


def test_a_conversation_is_named_left_and_gone_on_in(terminal, model, stored):
    server = model(heard)
    terminal.start()
    terminal.type("/title")
    terminal.wait("nothing was said here yet")
    terminal.type("the first one")
    terminal.wait("heard: the first one")
    terminal.type("/title")
    terminal.wait("“the first one”")
    terminal.type("/title Lamps")
    terminal.wait("“Lamps”")
    terminal.type("/new")
    terminal.wait("a new conversation")
    terminal.type("the second one")
    terminal.wait("heard: the second one")
    terminal.wait_for_prompt()
    assert len(server.requests[-1].body["messages"]) == 2
    terminal.type("/resume")
    terminal.wait("/resume NUMBER")
    terminal.type("/resume 1")
    terminal.wait("this is that conversation")
    terminal.type("/resume 2")
    terminal.wait("in “Lamps” again")
    terminal.type("third")
    terminal.wait("heard: third")
    terminal.wait_for_prompt()
    assert stored() == ["the first one", "heard: the first one", "third", "heard: third"]


def test_the_window_the_cost_and_the_tools_are_shown(terminal, model):
    model(heard)
    terminal.start()
    terminal.type("hello")
    terminal.wait("heard: hello")
    terminal.wait_for_prompt()
    terminal.type("/context")
    terminal.wait("there is room")
    assert any(line.strip().startswith("system prompt") for line in terminal.lines)
    terminal.type("/cost")
    terminal.wait("in all: ")
    terminal.type("/tools")
    terminal.wait("session_search")
    terminal.type("/compress the port")
    terminal.wait("it stays as it is")
    terminal.type("/approve edits")
    terminal.wait("what runs is asked about")


def test_another_model_answers_from_now_on(terminal, model):
    server = model(heard)
    terminal.start()
    terminal.type("hello")
    terminal.wait("heard: hello")
    terminal.type("/model openai/other-model")
    terminal.wait("sent in full")
    terminal.wait_for_prompt()
    terminal.type("and you?")
    terminal.wait("heard: and you?")
    assert [request.body["model"] for request in server.requests] == ["test-model", "other-model"]


def test_who_is_in_a_conversation_that_was_deleted_begins_another(terminal, model, environ):
    model(says("one"), says("two"))
    terminal.start()
    terminal.type("hi")
    terminal.wait("tokens in (")
    with Archivist.open(environ["ARCHIVIST_HOME"], environ={}) as archivist:
        archivist.sessions.delete(archivist.sessions.browse(limit=1).sessions[0].id)
    terminal.type("more")
    terminal.wait("was deleted while it was open")
    terminal.type("/new")
    terminal.wait("a new conversation")
    terminal.type("and now?")
    terminal.wait("two")
    terminal.keys("C-d")
    terminal.wait_for_shell()


def test_who_stands_by_is_shown_and_until_when_who_failed_is_left_alone(terminal, model, environ):
    first, second = model(fails(402, "no credit")), model(says("Here I am."))
    home = Path(environ["ARCHIVIST_HOME"])
    home.mkdir(parents=True)
    (home / "config.toml").write_text(
        f'[model]\nname = "one"\nprovider = "acme"\nbase_url = "{first.url}/v1"\n'
        f'fallback = [{{ name = "two", provider = "other", base_url = "{second.url}/v1" }}]\n'
    )
    for name in ("ARCHIVIST_MODEL", "ARCHIVIST_BASE_URL", "ARCHIVIST_API_KEY"):
        del environ[name]
    terminal.start()
    terminal.type("/model")
    terminal.wait("stands by: other/two")
    terminal.type("hi")
    terminal.wait("Here I am.")
    terminal.type("/model")
    terminal.wait("stands by: acme/one, not asked before")
    terminal.type("/status")
    terminal.wait("acme/one")
    terminal.wait("empty")  # as the log has it
    terminal.wait("in all:")
