"""The commands by which an owner keeps conversations in order, as a person or a script meets them."""

import json

import pytest

from archivist import Archivist, Message
from archivist.surfaces.cli.root import root, run

SAID = ("Where does the lantern stand?", "On the pier.", "And the anchor?", "In the shed.")


@pytest.fixture
def home(tmp_path):
    with Archivist.open(tmp_path / "home", environ={}) as archivist:
        session = archivist.sessions.start("cli", title="Harbour")
        for number, text in enumerate(SAID):
            session.append(Message.assistant(text) if number % 2 else Message.user(text))
    return tmp_path / "home", session.id


@pytest.fixture
def call(home, capsys):
    def it(*arguments, status=0):
        assert run(root, ["--home", str(home[0]), *arguments]) == status
        return capsys.readouterr()

    return it


def test_a_rename_is_one_line_and_the_new_title_is_a_name(call, home):
    done = call("sessions", "rename", "harbour", "The pier")
    assert done.out == f"{home[1]} is called “The pier” now\n"
    assert "lantern" in call("sessions", "show", "THE PIER").out
    assert "Where does the lantern stand?" in call("sessions", "rename", home[1]).out


def test_undo_shows_what_was_said_and_redo_gives_it_back(call, home):
    planned = call("sessions", "undo", "harbour", "--dry-run").out
    assert "2 messages would be taken back" in planned
    done = call("sessions", "undo", "harbour", "--turns", "1").out
    assert "2 messages taken back" in done
    assert "And the anchor?" in done
    assert "anchor" not in call("sessions", "show", "harbour").out
    assert "2 messages given back" in call("sessions", "redo", "harbour").out
    assert "4 messages taken back" in call("sessions", "undo", "harbour", "--to", "1").out


def test_a_fork_names_itself_and_is_shown_under_its_conversation(call, home):
    done = json.loads(
        call("sessions", "fork", "harbour", "--at", "2", "--title", "Another pier", "--json").out
    )
    assert (done["title"], done["link"], done["fork_message"]) == ("Another pier", "fork", 2)
    assert "(1 fork)" in call("sessions", "list").out
    shown = call("sessions", "show", "harbour").out
    assert f"forks: {done['id']} “Another pier”" in shown
    fork = call("sessions", "show", "another pier").out
    assert f"sessions: {home[1]}, {done['id']}" in fork
    assert "On the pier." in fork
    assert "anchor" not in fork


def test_lists_say_how_many_are_put_away(call, home):
    assert "is put away" in call("sessions", "archive", "harbour").out
    listed = call("sessions", "list")
    assert "Harbour" not in listed.out
    assert "1 archived conversation is not shown" in listed.err
    assert "Harbour  (archived)" in call("sessions", "list", "--archived").out
    call("sessions", "pin", "harbour")
    assert "Harbour  (pinned, archived)" in call("sessions", "list", "--all").out
    assert "listed again" in call("sessions", "unarchive", "harbour").out
    assert "may be pruned" in call("sessions", "unpin", "harbour").out
    assert json.loads(call("sessions", "list", "--json").out)["archived"] == 0


@pytest.mark.parametrize("act", ["rename", "fork", "undo", "archive", "unarchive", "pin", "unpin"])
def test_every_command_prints_json(call, act):
    done = json.loads(call("sessions", act, "harbour", "--json").out)
    assert done["conversation_id"]


def test_redo_prints_json(call):
    call("sessions", "undo", "harbour")
    assert json.loads(call("sessions", "redo", "harbour", "--json").out)["messages"] == 2


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("rename", "nobody", "x"), 1, "archivist sessions list"),
        (("rename", "harbour", "x" * 300), 1, "200 are the most"),
        (("redo", "harbour"), 1, "nothing was taken back"),
        (("undo", "harbour", "--to", "2"), 1, "no message 2"),
        (("undo", "harbour", "--to", "2", "--turns", "2"), 2, "not both"),
        (("undo", "harbour", "--turns", "0"), 2, "0"),
        (("fork", "harbour", "--at", "99"), 1, "cannot be forked"),
        (("fork",), 2, "Missing argument"),
        (("list", "--archived", "--all"), 2, "not both"),
    ],
)
def test_an_error_is_one_line_with_the_right_exit_code(call, arguments, status, message):
    done = call("sessions", *arguments, status=status)
    assert message in done.err
    assert "Traceback" not in done.err
    if status == 1:
        assert done.err.count("\n") == 1


def test_stored_text_cannot_steer_the_terminal(call, home):
    with Archivist.open(home[0], environ={}) as archivist:
        session = archivist.sessions.start("cli")
        session.append(Message.user("\x1b[2J\x1b[31mred\x07 lantern"))
    out = call("sessions", "undo", session.id).out
    assert "red lantern" in out
    assert "\x1b" not in out


def test_renaming_a_fork_names_the_fork(call):
    fork = json.loads(call("sessions", "fork", "harbour", "--at", "2", "--json").out)["id"]
    assert call("sessions", "rename", fork, "Pier").out == f"{fork} is called “Pier” now\n"


def test_putting_a_fork_away_names_the_whole_conversation(call, home):
    fork = json.loads(call("sessions", "fork", "harbour", "--at", "2", "--json").out)["id"]
    done = call("sessions", "archive", fork).out
    assert done == f"{home[1]} with its forks is put away: lists leave it out\n"
    assert call("sessions", "pin", "harbour").out == f"{home[1]} “Harbour” is kept whatever is pruned\n"


def test_list_and_show_count_alike_and_what_is_not_shown_is_said(call, home):
    fork = json.loads(call("sessions", "fork", "harbour", "--json").out)["id"]
    with Archivist.open(home[0], environ={}) as archivist:
        archivist.sessions.get(fork).append(Message.user("And the rope?"))
    call("sessions", "undo", "harbour")
    assert "   2  Harbour" in call("sessions", "list").out
    assert "· 2 messages and 3 not shown ·" in call("sessions", "show", "harbour").out
    assert "5 messages" in call("sessions", "delete", "harbour", "--dry-run").out
