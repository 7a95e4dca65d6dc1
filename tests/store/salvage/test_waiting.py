"""Damage among what waits for the owner is told, and made good from a backup: nothing waits no more in silence."""

import shutil
from pathlib import Path

import pytest
from tests.damage import pages_of, spoil

from archivist import Archivist
from archivist.records import EVERYTHING
from archivist.store.salvage.waiting import IDS
from archivist.surfaces.cli.root import root, run

SETTINGS = '[approval]\nmode = "automatic"\n'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home in which forty writes wait, on several pages."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "config.toml").write_text(SETTINGS)
    with Archivist.open(folder, environ={}) as archivist:
        archivist.sessions.start("cli")
        for number in range(40):
            archivist.notes.add("memory", f"host {number} listens on port {6000 + number}", origin="agent")
    return folder


def spoil_some(home: Path, table: str = "proposals") -> None:
    pages = pages_of(home / "state.db", table)
    assert len(pages) > 2
    spoil(home / "state.db", pages[-1])


def texts(archivist: Archivist) -> list[str]:
    return [one.operations[0].content or "" for one in archivist.review_for(EVERYTHING).list()]


def test_what_is_lost_is_counted_and_told(home: Path) -> None:
    spoil_some(home)
    with Archivist.open(home, environ={}) as archivist:
        left = len(texts(archivist))
        assert 0 < left < 40
        (told,) = [
            one.text for one in (*archivist.notices, *archivist.take_notices()) if one.code == "salvaged"
        ]
        assert f"{40 - left} of what waits for you or was decided lost" in told
        assert archivist.verify().problems == ()


def test_where_not_even_their_ids_are_known_that_is_told(home: Path) -> None:
    spoil(home / "state.db", *pages_of(home / "state.db", "proposals"), *pages_of(home / "state.db", IDS))
    with Archivist.open(home, environ={}) as archivist:
        assert texts(archivist) == []
        (told,) = [
            one.text for one in (*archivist.notices, *archivist.take_notices()) if one.code == "salvaged"
        ]
        assert "what waited for you may be missing" in told


def test_a_backup_gives_back_what_is_gone_and_not_what_was_erased(home: Path) -> None:
    with Archivist.open(home, environ={}) as archivist:
        before = texts(archivist)
        archivist.backup()
        gone = archivist.review.list()[-1]
        archivist.review.erase(gone.id)
    spoil_some(home)
    with Archivist.open(home, environ={}) as archivist:
        assert sorted(texts(archivist)) == sorted(before[:-1])
        (told,) = [
            one.text for one in (*archivist.notices, *archivist.take_notices()) if one.code == "salvaged"
        ]
        assert "lost" not in told.replace("none lost", "")


def test_a_backup_of_another_home_gives_nothing(home: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "config.toml").write_text(SETTINGS)
    with Archivist.open(other, environ={}) as archivist:
        archivist.notes.add("memory", "another home", origin="agent")
        archivist.backup()
    shutil.copytree(other / "backups", home / "backups")
    spoil_some(home)
    with Archivist.open(home, environ={}) as archivist:
        assert "another home" not in texts(archivist)


def test_a_command_that_meets_the_damage_says_so(
    home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    spoil_some(home)
    monkeypatch.setenv("ARCHIVIST_HOME", str(home))
    monkeypatch.delenv("CLAUDECODE", raising=False)
    run(root, ["review", "list"])
    assert "of what waits for you or was decided lost" in capfd.readouterr().err
