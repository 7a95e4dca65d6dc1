"""Whose memory a server reads and writes is decided by how it was started, never by what a model asks for."""

import os
import subprocess
import sys

import pytest
from tests.surfaces.mcp.wire import ERAS, PATIENCE, command, served, trusted

from archivist import EVERYTHING, Archivist, Message, Scope
from archivist.config.projects import project_of
from archivist.records import SessionStart


@pytest.fixture
def home(tmp_path):
    """A home in which every place has a word of its own."""
    for name in ("tide", "mill"):
        (tmp_path / name / "src").mkdir(parents=True)
        (tmp_path / name / ".git").mkdir()
    with Archivist.open(tmp_path / "home", environ={}) as archivist:
        for word, scope in (
            ("wordtide", Scope("owner", project=project_of(tmp_path / "tide"))),
            ("wordmill", Scope("owner", project=project_of(tmp_path / "mill"))),
            ("wordkey", Scope("owner", project="github.com/quay/lantern")),
            ("wordnone", Scope("owner")),
            ("wordann", Scope("ann")),
            ("wordgroup", Scope(chat="group-1")),
        ):
            archivist.sessions.start("cli", scope=scope, title=f"Of {word}").append(
                Message.user(f"The lantern of {word} burns")
            )
            archivist.notes.add("memory", f"A lantern of {word} is lit", scope=scope)
    return tmp_path / "home"


def seen(wire):
    """The words that a server shows, by every way of asking."""
    shown = [
        wire.call(
            "recall",
            query="lantern",
            limit=20,
            scope="everything",
            user="ann",
            project="mill",
            reader="owner",
        ),
        wire.call("session_search", query="lantern", limit=10, chat="group-1"),
        wire.call("session_search", limit=50, profile="other"),
        wire.ask("resources/read", uri="memory://notes/memory"),
        wire.ask("resources/read", uri="memory://snapshot/current"),
        wire.ask("prompts/get", name="recall", arguments={"question": "lantern", "scope": "everything"}),
    ]
    words = {"wordtide", "wordmill", "wordkey", "wordnone", "wordann", "wordgroup"}
    return [{word for word in words if word in str(one)} for one in shown]


def check(wire, conversations, snapshot=None):
    recalled, found, listed, notes, given, prompt = seen(wire)
    assert recalled == found == listed == prompt == conversations
    assert notes == conversations
    assert given == (conversations if snapshot is None else snapshot)


@pytest.mark.parametrize("era", ERAS)
def test_the_working_folder_is_the_project(home, tmp_path, era):
    trusted(home)
    with served(home, cwd=tmp_path / "tide" / "src", era=era) as wire:
        check(wire, {"wordtide", "wordnone"})
        assert wire.call("memory", action="add", content="The tide turns at six", project="mill")["success"]
    with Archivist.open(home, environ={}) as archivist:
        mine = archivist.notes.entries(scope=Scope("owner", project=project_of(tmp_path / "tide")))
        assert "The tide turns at six" in [entry.text for entry in mine]
        others = archivist.notes.entries(scope=Scope("owner", project=project_of(tmp_path / "mill")))
        assert "The tide turns at six" not in [entry.text for entry in others]


def test_a_project_that_is_named_comes_before_the_working_folder(home, tmp_path):
    with served(home, "--project", str(tmp_path / "mill"), cwd=tmp_path / "tide") as wire:
        check(wire, {"wordmill", "wordnone"})
    with served(home, "--project", "github.com/quay/lantern", cwd=tmp_path / "tide") as wire:
        check(wire, {"wordkey", "wordnone"})


def test_the_session_of_claude_code_is_in_its_project_wherever_the_server_is_started(home, tmp_path):
    """Started in the home folder, as told in anthropics/claude-code, number 75266."""
    folder = str(tmp_path / "tide")
    with served(home, "--host", "claude-code", cwd=tmp_path, CLAUDE_PROJECT_DIR=folder) as wire:
        check(wire, {"wordtide", "wordnone"})
    with served(home, "--host", "claude-code", cwd=tmp_path, CLAUDE_PROJECT_DIR=f"{folder}-gone") as wire:
        check(wire, {"wordnone"})
    with served(home, "--host", "codex", cwd=tmp_path / "mill", CLAUDE_PROJECT_DIR=folder) as wire:
        check(wire, {"wordmill", "wordnone"})


def test_a_folder_that_an_editor_did_not_fill_in_names_no_project(home, tmp_path):
    noise = "archivist mcp: ${workspaceFolder} was not filled in"
    with served(home, "--project", "${workspaceFolder}", cwd=tmp_path / "tide", noise=noise) as wire:
        check(wire, {"wordtide", "wordnone"})
    with served(home, "--project", "${workspaceFolder}", cwd=tmp_path, noise=noise) as wire:
        check(wire, {"wordnone"})


@pytest.mark.parametrize("folder", ["/", "home"])
def test_a_folder_that_is_nobodys_is_no_project_when_it_is_named_either(home, tmp_path, folder):
    named = str(tmp_path) if folder == "home" else "/"
    with served(home, "--project", named, cwd=tmp_path / "tide") as wire:  # HOME is the folder above
        check(wire, {"wordnone"})


@pytest.mark.parametrize("folder", ["/", "home", "gone"])
def test_a_folder_that_is_nobodys_is_no_project(home, tmp_path, folder):
    if folder == "gone":
        script = "import os, sys; os.mkdir('x'); os.chdir('x'); os.rmdir('../x'); os.execv(sys.argv[1], sys.argv[1:])"
        with served(home, cwd=tmp_path, program=[sys.executable, "-c", script, *command(home)]) as wire:
            check(wire, {"wordnone"})
        return
    cwd = tmp_path if folder == "home" else "/"
    with served(home, cwd=cwd) as wire:  # HOME is the folder above
        check(wire, {"wordnone"})


def test_a_link_to_the_home_folder_is_the_home_folder(home, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(tmp_path, target_is_directory=True)
    with served(home, cwd=tmp_path, HOME=str(link)) as wire:
        check(wire, {"wordnone"})


def test_a_host_that_reads_as_its_owner_reads_all_projects_and_notes_where_it_works(home, tmp_path):
    (home / "config.toml").write_text('[hosts.claude-code]\nread = "owner"\n')
    everything = {"wordtide", "wordmill", "wordkey", "wordnone"}
    with served(home, "--host", "claude-code", cwd=tmp_path / "tide") as wire:
        check(wire, everything, snapshot={"wordtide", "wordnone"})
        assert wire.call("memory", action="add", content="The tide turns at six")["success"]
        (home / "config.toml").write_text("")
        check(wire, {"wordtide", "wordnone"})
    with served(home, cwd=tmp_path / "mill") as wire:
        assert wire.call("recall", query="when does the tide turn", kinds=["note"])["count"] == 0
    (home / "config.toml").write_text('[hosts.claude-code]\nread = "owner"\n')
    with served(home, cwd=tmp_path / "mill") as wire:
        check(wire, {"wordmill", "wordnone"})


def test_what_the_session_that_is_served_says_is_not_recalled_to_it_and_notes_rest_on_it(home, tmp_path):
    scope = Scope("owner", project=project_of(tmp_path / "tide"))
    with Archivist.open(home, environ={}) as archivist:
        start = SessionStart("claude-code", external_id="their-id", scope=scope)
        archivist._store.receive(
            start, [Message.user("Our beacon at the mole is lit by gas.", client_id="one")], []
        )
        key = archivist.sessions.of_host("claude-code", "their-id").id
    trusted(home, "claude-code")
    served_session = ("--host", "claude-code", "--host-session", "their-id")
    with served(home, *served_session, cwd=tmp_path / "tide") as wire:
        assert wire.call("recall", query="beacon at the mole")["count"] == 0
        assert wire.call("session_search", query="beacon at the mole")["count"] == 0
        noted = wire.call("memory", action="add", content="The beacon at the mole is lit by gas")
    with Archivist.open(home, environ={}) as archivist:
        entry = archivist.notes.entry(noted["message"].split()[1].rstrip("."), scope=scope)
        assert [quote.text for quote in entry.sources] == ["Our beacon at the mole is lit by gas."]
        assert entry.sources[0].session_id == key
    for options, environ in (
        (("--host", "claude-code", "--host-session", "another"), {}),
        (("--host", "cursor"), {"CLAUDE_CODE_SESSION_ID": "their-id"}),
        (("--host", "claude-code"), {}),
    ):
        with served(home, *options, cwd=tmp_path / "tide", **environ) as wire:
            assert wire.call("recall", query="beacon at the mole", kinds=["message"])["count"] == 1
    with served(
        home, "--host", "claude-code", cwd=tmp_path / "tide", CLAUDE_CODE_SESSION_ID="their-id"
    ) as wire:
        assert wire.call("recall", query="beacon at the mole", kinds=["message"])["count"] == 0
        with Archivist.open(home, environ={}) as archivist:
            archivist.sessions.end_of_host("claude-code", "their-id", "clear")
        assert wire.call("recall", query="beacon at the mole", kinds=["message"])["count"] == 1


@pytest.mark.parametrize("name", ["wordmill", "wordann", "wordgroup"])
def test_others_conversations_are_as_if_there_were_none(home, tmp_path, name):
    with Archivist.open(home, environ={}) as archivist:
        by_title = {one.title: one.id for one in archivist.sessions.browse(scope=EVERYTHING).sessions}
    other = by_title[f"Of {name}"]
    with served(home, cwd=tmp_path / "tide") as wire:
        for known in (other, f"Of {name}"):
            told = wire.call("session_search", session_id=known)["error"]
            assert told.replace(known, "nobody") == wire.call("session_search", session_id="nobody")["error"]
            told = wire.refused("resources/read", uri=f"memory://sessions/{known}".replace(" ", "%20"))[
                "message"
            ]
            assert (
                told.replace(known, "nobody")
                == wire.refused("resources/read", uri="memory://sessions/nobody")["message"]
            )


def test_profiles_are_homes_of_their_own(home, tmp_path):
    first, *_ = command(home)
    trusted(home / "profiles" / "work")
    with served(
        home, program=[first, "--home", str(home), "--profile", "work", "mcp"], cwd=tmp_path / "tide"
    ) as wire:
        check(wire, set())
        assert wire.call("memory", action="add", target="user", content="Prefers tea")["success"]
    assert (home / "profiles" / "work" / "memories" / "USER.md").exists()
    assert not (home / "memories" / "USER.md").exists()


def test_misuse_is_one_line(home, tmp_path):
    for options in (["--project", " "], ["--nonsense"]):
        done = subprocess.run(
            command(home, *options), input=b"", capture_output=True, cwd=tmp_path, timeout=PATIENCE
        )
        assert done.returncode == 2
        assert done.stdout == b""
        assert len(done.stderr.splitlines()) == 1


def test_without_its_extra_the_command_says_how_to_get_it(home, tmp_path):
    script = (
        "import sys, importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'mcp' else find(name, *more)\n"
        "sys.argv = ['archivist', 'mcp']\n"
        "from archivist.surfaces.cli import main; main()"
    )
    environ = {**os.environ, "ARCHIVIST_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", script], input=b"", capture_output=True, env=environ, timeout=PATIENCE
    )
    assert done.returncode == 1
    assert done.stdout == b""
    (line,) = done.stderr.decode().splitlines()
    assert f"{sys.executable} -m pip install " in line
    assert "[mcp]" in line
