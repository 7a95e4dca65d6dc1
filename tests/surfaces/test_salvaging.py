"""`archivist salvage` on the command line."""

import json
import random
import shutil

from click.testing import CliRunner
from tests.damage import flip_byte, pages_with, spoil

from archivist import Archivist, Message, NothingToSalvage
from archivist.surfaces.cli.root import root


def damaged_home(path):
    with Archivist.open(path, environ={}) as archivist:
        session = archivist.sessions.start("test", title="lantern")
        session.append_many([Message.user(f"harbour {n} " + "x" * 2000) for n in range(20)])
    state = path / "state.db"
    flip_byte(state, state.read_bytes().index(b"harbour 7"))


def run(*arguments):
    return CliRunner().invoke(root, [str(argument) for argument in arguments], standalone_mode=False)


def test_it_says_in_plain_lines_what_came_back_and_what_did_not(tmp_path):
    damaged_home(tmp_path / "home")
    done = run("--home", tmp_path / "home", "salvage")
    assert done.return_value == 1
    assert "20 messages came back: 20 from the file" in done.output
    assert "1 message is damaged, kept" in done.output
    assert "no message is lost" in done.output
    assert "aside/state.db-damaged-" in done.output.replace("\n", "")


def test_what_is_kept_damaged_is_told_as_known_from_then_on_and_fails_nothing(tmp_path):
    damaged_home(tmp_path / "home")
    assert run("--home", tmp_path / "home", "verify").return_value == 1
    run("--home", tmp_path / "home", "salvage")
    known = "1 message is damaged and known; nothing better was found on 20"
    for _ in range(2):
        again = run("--home", tmp_path / "home", "salvage")
        assert again.return_value == 0
        assert "nothing new is damaged: 20 messages, nothing was changed" in again.output
        assert known in again.output
        assert ": message 8" in again.output
    assert len(list((tmp_path / "home" / "aside").iterdir())) == 1
    proven = run("--home", tmp_path / "home", "verify")
    assert proven.return_value == 0
    assert known in proven.output
    assert "everything else is as it was stored" in proven.output
    looked = run("--home", tmp_path / "home", "doctor")
    assert (looked.return_value, looked.output.count(known)) == (0, 1)
    made = run("--home", tmp_path / "home", "backup")
    assert made.return_value == 0
    assert "what is damaged and known is in it as it is: message 8" in made.output
    assert "message 8" in run("--home", tmp_path / "home", "backup", "--list").output
    assert json.loads(run("--home", tmp_path / "home", "verify", "--json").stdout)["known_damage"]["messages"]


def test_json_and_a_trial(tmp_path):
    damaged_home(tmp_path / "home")
    done = run("--home", tmp_path / "home", "salvage", "--dry-run", "--json")
    report = json.loads(done.stdout)
    assert (report["messages_from_file"], report["messages_damaged"], report["is_trial"]) == (20, 1, True)
    assert not (tmp_path / "home" / "aside").exists()


def test_a_salvage_that_opening_has_done_is_told(tmp_path):
    with Archivist.open(tmp_path / "home", environ={}) as archivist:
        session = archivist.sessions.start("test")
        session.append_many([Message.user(f"harbour {n} " + "x" * 2000) for n in range(20)])
    state = tmp_path / "home" / "state.db"
    spoil(state, pages_with(state, b"harbour 7")[0], filling=b"\0")
    flip_byte(state, 0, 0xFF)
    done = run("--home", tmp_path / "home", "salvage")
    assert done.return_value == 1
    assert "lost" in done.output
    assert len(list((tmp_path / "home" / "aside").iterdir())) == 1
    again = run("--home", tmp_path / "home", "salvage")
    assert "nothing is damaged" in again.output
    assert "lost before" in again.output


def test_of_a_file_of_noise_the_way_back_is_told(tmp_path):
    home = tmp_path / "home"
    with Archivist.open(home, environ={}) as archivist:
        archivist.sessions.start("test").append(Message.user("hello"))
        made = archivist.backup()
    (home / "state.db").write_bytes(random.Random(3).randbytes(50_000))
    told = run("--home", home, "salvage").exception
    assert isinstance(told, NothingToSalvage)
    assert f"`archivist restore` goes back to {made.path}" in str(told)
    shutil.rmtree(made.path)
    assert "no backup of it is known here" in str(run("--home", home, "salvage").exception)


def test_a_sound_home_is_left_as_it_is(tmp_path):
    with Archivist.open(tmp_path / "home", environ={}) as archivist:
        archivist.sessions.start("test").append(Message.user("hello"))
    done = run("--home", tmp_path / "home", "salvage")
    assert done.return_value == 0, done.output
    assert "nothing is damaged" in done.output
    assert not (tmp_path / "home" / "aside").exists()
