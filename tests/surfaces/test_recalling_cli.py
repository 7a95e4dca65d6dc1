"""`archivist recall` over notes, daily notes and conversations, as a person or a script meets it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from archivist import Archivist, Message, Scope
from archivist.config.projects import project_of
from archivist.surfaces.cli.root import root


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with Archivist.open(tmp_path / "home") as archivist:
        archivist.sessions.start("cli").append(Message.user("is the lantern of the quay lit?"))
        archivist.notes.add("user", "Prefers the lantern of the quay lit")
        archivist.daily.add("Filled the lantern of the quay")
    return tmp_path / "home"


@pytest.fixture
def call(home: Path):
    def run(*arguments: str) -> str:
        done = CliRunner().invoke(root, ["--home", str(home), *arguments], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    return run


def command_in(shown: str, home: Path) -> list[str]:
    """The command that a hit prints last, without the name of the program."""
    line = next(line for line in shown.splitlines() if line.strip().startswith("archivist "))
    words = line.split()
    assert words[:3] == ["archivist", "--home", str(home)]
    return words[3:]


def test_a_note_is_shown_with_what_it_is_where_it_stands_and_the_command_that_opens_it(call, home):
    shown = call("recall", "lantern", "--kind", "note")
    assert shown.splitlines()[0].split("  ")[1:] == ["preference, core", "USER.md"]
    assert "Prefers the lantern of the quay lit" in shown
    command = command_in(shown, home)
    assert command[:2] == ["memory", "blame"]
    assert "Prefers the lantern of the quay lit" in call(*command)


def test_what_an_agent_noted_is_by_it_and_not_words_of_another(call, home):
    with Archivist.open(home) as archivist:
        archivist.notes.add("memory", "The beacon is lit at dusk", origin="agent")
    (first, *_) = call("recall", "beacon", "--kind", "note").splitlines()
    assert first.split("  ")[1:] == ["fact, core, by agent", "MEMORY.md"]


def test_where_nothing_is_asked_for_there_is_more_than_what_is_listed(home):
    told = CliRunner().invoke(root, ["--home", str(home), "recall", "", "-n", "1"])
    assert "There is more than these; ask for something or a larger limit." in told.stderr
    ranged = CliRunner().invoke(root, ["--home", str(home), "recall", "", "--since", "2020", "-n", "1"])
    assert "There is more in that range; give a narrower one or a larger limit." in ranged.stderr


def test_a_daily_note_is_shown_with_its_file_and_the_command_that_opens_its_day(call, home):
    shown = call("recall", "lantern", "--kind", "daily")
    (first, *_) = shown.splitlines()
    assert "daily note" in first
    assert "daily/" in first
    command = command_in(shown, home)
    assert command[:2] == ["daily", "--day"]
    assert "Filled the lantern of the quay" in call(*command)


def test_kinds_can_be_given_again_and_again(call):
    page = json.loads(call("recall", "lantern", "--kind", "note", "--kind", "message", "--json"))
    assert {hit["kind"] for hit in page["hits"]} == {"note", "message"}
    assert {hit["kind"] for hit in json.loads(call("recall", "lantern", "--json"))["hits"]} == {
        "note",
        "daily",
        "message",
    }


def test_the_kinds_have_one_shape_in_json(call):
    page = json.loads(call("recall", "lantern", "--json"))
    shapes = {frozenset(hit) for hit in page["hits"]} | {frozenset(hit["source"]) for hit in page["hits"]}
    assert len(shapes) == 2
    note = next(hit for hit in page["hits"] if hit["kind"] == "note")
    assert (note["tier"], note["target"], note["entry_kind"]) == ("core", "user", "preference")
    assert note["source"]["file"] == "USER.md"


@pytest.fixture
def shared(home):
    with Archivist.open(home) as archivist:
        for scope, word in (
            (Scope("owner", project="tide"), "tide"),
            (Scope("ann"), "ann"),
            (Scope("ann", project="tide"), "both"),
            (Scope("owner", chat="crew"), "crew"),
        ):
            archivist.sessions.start("codex", scope=scope).append(Message.user(f"the beacon of {word}"))
        archivist.notes.add("memory", "The beacon of the project", scope=Scope(project="tide"))
        archivist.notes.add("user", "The beacon of herself", scope=Scope("ann"))
    return home


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), {"tide", "ann", "both", "crew", "project", "herself"}),
        (("--user", "owner"), set()),
        (("--project", "tide"), {"project"}),
        (("--user", "owner", "--project", "tide"), {"tide", "project"}),
        (("--user", "ann"), {"ann", "herself"}),
        (("--user", "ann", "--project", "tide"), {"ann", "both", "project", "herself"}),
        (("--chat", "crew", "--user", "owner"), {"crew"}),
        (("--user", "bob"), set()),
    ],
)
def test_recall_can_be_asked_as_somebody_else(call, shared, options, words):
    page = json.loads(call("recall", "beacon", *options, "--json"))
    assert {hit["text"].split()[-1] for hit in page["hits"]} == words


def test_a_folder_names_its_project(call, shared, tmp_path, monkeypatch):
    folder = tmp_path / "work"
    folder.mkdir()
    with Archivist.open(shared) as archivist:
        archivist.notes.add("memory", "The beacon of the folder", scope=Scope(project=project_of(folder)))
    monkeypatch.chdir(folder)
    page = json.loads(call("recall", "beacon", "--project", ".", "--json"))
    assert [hit["text"] for hit in page["hits"]] == ["The beacon of the folder"]


def test_only_what_comes_from_a_program(call, shared):
    page = json.loads(call("recall", "lantern", "beacon", "--source", "codex", "--json"))
    assert {hit["source"]["name"] for hit in page["hits"]} == {"codex"}
    page = json.loads(call("recall", "lantern", "beacon", "--source", "notes", "--source", "cli", "--json"))
    assert {hit["source"]["name"] for hit in page["hits"]} == {"cli", "notes"}


def test_a_snapshot_is_shown_as_of_a_person_in_a_project(call, shared):
    shown = call("snapshot", "--user", "ann", "--project", "tide")
    assert "The beacon of the project" in shown
    assert "The beacon of herself" in shown
    assert "The beacon of the project" not in call("snapshot", "--user", "ann")


@pytest.mark.parametrize("command", ["recall", "snapshot"])
@pytest.mark.parametrize("option", ["--project", "--user", "--chat"])
def test_an_empty_reader_is_misuse(home, command, option):
    done = CliRunner().invoke(
        root, ["--home", str(home), command, *(["x"] if command == "recall" else []), option, " "]
    )
    assert done.exit_code == 2
    assert f"{option} is empty" in done.stderr


def test_words_that_stand_nowhere_are_told(home):
    done = CliRunner().invoke(root, ["--home", str(home), "recall", "lantern", "kubernetes"])
    assert "“kubernetes”" in done.stderr
    assert "lantern" in done.stdout


def test_as_of_shows_what_was_there(call):
    assert json.loads(call("recall", "lantern", "--as-of", "2020-01-01", "--json"))["hits"] == []
    assert len(json.loads(call("recall", "lantern", "--as-of", "today", "--json"))["hits"]) == 3


def test_stored_text_does_not_steer_the_terminal(call, home):
    with Archivist.open(home) as archivist:
        archivist.notes.add("memory", "the beacon \x1b]0;taken\x07 glows", scope=Scope(project="a\x1b[31mb"))
    shown = call("recall", "beacon", "--kind", "note")
    assert "beacon" in shown
    assert "\x1b" not in shown


def test_opening_an_archived_entry_counts_as_a_use_and_opening_one_of_the_core_does_not(call, home):
    with Archivist.open(home) as archivist:
        core = archivist.notes.entries("user")[0]
        archived = archivist.notes.add("memory", "The beacon is blue").entry
        archivist.notes.demote(archived.id)
    call("memory", "blame", core.id)
    call("memory", "show", core.id)
    assert "archive" in call("recall", "beacon")
    call("memory", "blame", archived.id)
    call("memory", "show", archived.id)
    with Archivist.open(home) as archivist:
        uses = archivist.notes.uses_of([core.id, archived.id])
    assert [use.kind for use in uses.get(archived.id, ())] == ["opened"]
    assert core.id not in uses
