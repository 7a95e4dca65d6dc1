"""What was rendered by other code is rendered anew, though the version is the same."""

import os
import shutil
from pathlib import Path

import pytest

import archivist
from archivist import Archivist
from archivist.app import freezing
from archivist.app.own_code import ROOMS, look_of


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for room in ROOMS:
        shutil.copytree(Path(archivist.__file__).parent / room, tmp_path / "p" / room)
    return tmp_path / "p"


def test_it_is_the_same_as_long_as_nothing_changed(package: Path) -> None:
    assert look_of(package) == look_of(package)


@pytest.mark.parametrize("name", ["guard/scanning/frames.py", "guard/token_formats.py", "prompt/snapshot.py"])
def test_an_edit_of_what_decides_is_another_look(package: Path, name: str) -> None:
    before, path = look_of(package), package / name
    status = path.stat()
    path.write_bytes(path.read_bytes()[:-1] + b" ")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    assert look_of(package) != before


def test_where_there_is_no_folder_the_version_decides(tmp_path: Path) -> None:
    assert look_of(tmp_path / "archive.zip") == look_of(tmp_path / "other.zip")


def test_a_session_is_given_what_the_code_of_now_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Archivist.open(tmp_path / "home", environ={}) as home:
        home.notes.add("memory", "the port is 6390")
        first, second, third = (home.sessions.start("cli").id for _ in range(3))
        made: list[object] = []
        rendered = freezing._rendered
        monkeypatch.setattr(freezing, "_rendered", lambda *a, **k: made.append(a) or rendered(*a, **k))
        home.snapshot(session=first)
        home.snapshot(session=second)
        assert len(made) == 1
        monkeypatch.setattr(freezing, "look_of_rendering", lambda: "another")
        home.snapshot(session=third)
        assert len(made) == 2
