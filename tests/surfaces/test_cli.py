"""The command line as a person or a script meets it: real processes, real files."""

import json
import os
import subprocess
import sys
from pathlib import Path

import apsw
import pytest
from tests.docs.transcript import write_history

from archivist import Archivist, Message, Scope

PROGRAM = str(Path(sys.executable).with_name("archivist"))


@pytest.fixture
def call(tmp_path):
    """Runs the program in a home folder with a Claude Code history in it."""
    write_history(tmp_path)
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ARCHIVIST", "CLAUDE", "HERMES"))
    }
    environ = {**kept, "HOME": str(tmp_path), "TZ": "UTC", "LC_ALL": "C.UTF-8"}

    def run(*arguments, stdin="", status=0):
        done = subprocess.run(
            [PROGRAM, *arguments],
            env=environ,
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == status, done.stderr
        return done

    return run


def test_without_a_command_it_finds_imports_and_answers(call):
    done = call("--yes", stdin="which port is staging on?\n")
    assert "sessions: 3 new" in done.stdout
    assert "8443" in done.stdout
    assert "8 messages in 3 conversations." in done.stderr


def test_a_new_home_says_how_to_begin_also_where_nobody_types(call, tmp_path):
    (tmp_path / ".claude").rename(tmp_path / "elsewhere")
    done = call()
    assert done.stdout == ""
    assert "To begin:" in done.stderr
    assert "`archivist import PATH` brings a history in" in done.stderr


def test_without_a_yes_and_without_a_person_nothing_is_imported(call):
    done = call()
    assert "Run `archivist --yes` to import them." in done.stderr
    assert done.stdout == ""
    assert json.loads(call("sessions", "list", "--json").stdout)["sessions"] == []


def test_importing_adds_up_and_again_brings_nothing(call):
    first = json.loads(call("import", "--auto", "--json").stdout)["imports"][0]
    assert first["read"] == first["imported"] + first["skipped"]
    assert first["messages"] == 8
    again = json.loads(call("import", ".claude", "--json").stdout)["imports"][0]
    assert (again["messages"], again["files_unchanged"]) == (0, 3)


def test_an_import_of_which_no_record_could_be_read_fails(call, tmp_path):
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"type":"header","format":"archivist","version":1}\n' + "{broken\n" * 27)
    done = call("import", str(broken), status=1)
    assert "27  invalid JSON" in done.stdout


def test_recall_prints_hits_with_the_way_to_read_on(call):
    call("import", "--auto")
    done = call("recall", "评审会", "几点")
    assert "16:00" in done.stdout or "下午四点" in done.stdout
    command = (
        next(line for line in done.stdout.splitlines() if "archivist sessions show" in line)
        .split(",")[0]
        .split()
    )
    assert "评审会" in call(*command[1:]).stdout


def test_json_has_one_stable_shape(call):
    call("import", "--auto")
    page = json.loads(call("recall", "port staging", "--json").stdout)
    assert set(page) == {"hits", "notices"}
    assert {
        "text",
        "date",
        "source",
        "conversation_id",
        "message_id",
        "role",
        "score",
        "why",
        "title",
    } <= set(page["hits"][0])
    assert page == json.loads(call("--json", "recall", "port staging").stdout)
    assert json.loads(call("sessions", "search", "port", "--role", "user", "--json").stdout)["hits"]
    assert json.loads(call("doctor", "--json").stdout)["healthy"] is True
    assert json.loads(call("verify", "--json").stdout)["clean"] is True
    assert json.loads(call("index", "--rebuild", "--json").stdout)["complete"] is True


def test_times_bound_what_is_found(call):
    call("import", "--auto")
    inside = call("recall", "staging", "--since", "2026-03-17", "--until", "2026-03-17")
    assert "8443" in inside.stdout
    outside = call("recall", "staging", "--since", "2026-03-18")
    assert "8443" not in outside.stdout


def test_a_conversation_is_shown_by_the_beginning_of_its_id(call):
    call("import", "--auto")
    shown = call("sessions", "show", "5c1d0a52").stdout
    assert "Move staging off the old port" in shown
    assert "Never restart the worker during office hours." in shown


@pytest.mark.parametrize(
    ("owners", "scopes"),
    [
        ((), {"one": "7", "two": "8"}),
        (("--owner", "7"), {"one": "owner", "two": "8"}),
        (("--owner", "7", "--owner", "8"), {"one": "owner", "two": "owner"}),
        (("--owner", "9"), {"one": "7", "two": "8"}),
    ],
)
def test_an_import_is_told_under_which_ids_the_owner_writes(call, tmp_path, owners, scopes):
    folder = tmp_path / ".hermes"
    folder.mkdir()
    db = apsw.Connection(str(folder / "state.db"))
    db.execute("CREATE TABLE sessions(id TEXT PRIMARY KEY, source TEXT, user_id TEXT, chat_type TEXT)")
    db.execute("CREATE TABLE messages(id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT)")
    for session, person in (("one", "7"), ("two", "8")):
        db.execute("INSERT INTO sessions VALUES(?, 'telegram', ?, 'private')", (session, person))
        db.execute("INSERT INTO messages(session_id, role, content) VALUES(?, 'user', 'hello')", (session,))
    db.close()
    call("import", ".hermes", *owners)
    with Archivist.open(tmp_path / ".archivist", environ={"HOME": str(tmp_path)}) as archivist:
        for session, user in scopes.items():
            assert archivist.sessions.get(session, scope=Scope(user=user))


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("nonsense",), 2, "No such command"),
        (("recal", "x"), 2, "No such command 'recal': did you mean 'recall'? (see archivist --help)"),
        (("export",), 2, "No such command 'export': did you mean 'sessions export'?"),
        (("show",), 2, "did you mean 'memory show' or 'review show' or 'sessions show'?"),
        (("memory", "shw"), 2, "did you mean 'show'? (see archivist memory --help)"),
        (("recall",), 2, "Missing argument"),
        (("import",), 2, "give a PATH, or --auto"),
        (("import", "/no/such/place"), 1, "there is nothing at /no/such/place"),
        (("import", "/etc/hostname"), 1, "no history of a known format"),
        (("import", ".claude", "--format", "diary"), 1, "use one of"),
        (("sessions", "show", "nobody"), 1, "archivist sessions list"),
        (("recall", "x", "--since", "a fish"), 1, "a fish"),
        (("--profile", "../x", "doctor"), 1, "cannot name a profile"),
    ],
)
def test_an_error_is_one_line_with_the_right_exit_code(call, arguments, status, message):
    done = call(*arguments, status=status)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    if status == 1:
        assert done.stderr.count("\n") == 1


def test_stored_text_cannot_steer_the_terminal(call, tmp_path):
    with Archivist.open(tmp_path / ".archivist") as archivist:
        session = archivist.sessions.start("test", title="\x1b]0;owned\x07title")
        session.append(Message.user("beware \x1b[2J\x1b[31mred\x07 lantern"))
    for shown in (call("recall", "lantern").stdout, call("sessions", "show", session.id).stdout):
        assert "\x1b" not in shown
        assert "\x07" not in shown
        assert "beware red lantern" in shown


def test_a_damaged_database_is_one_line(call, tmp_path):
    (tmp_path / ".archivist").mkdir()
    (tmp_path / ".archivist" / "state.db").write_bytes(b"garbage" * 1000)
    done = call("recall", "x", status=1)
    assert "is damaged" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_help_imports_neither_the_database_nor_the_records():
    code = (
        "import sys\nfrom archivist.surfaces.cli.root import root, run\nrun(root, ['--help'])\n"
        "bad = {'apsw', 'msgspec', 'rich', 'archivist.records', 'archivist.store'} & set(sys.modules)\nassert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
