"""Daily notes by level: whoever writes one down reads it again, however long the name of their project is."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from archivist import EVERYTHING, Archivist, Person, Scope
from archivist.app.days import Days
from archivist.notes.places import level_of

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
LONG = "git.example.org/team/" + "X" * 60
LONG_CHINESE = "/home/用户/项目/" + "公司内部的记忆系统仓库" * 4


def texts(days: Days, scope=None) -> list[str]:
    return [entry.text for entry in days.read(scope=scope)]


@pytest.mark.parametrize("key", [LONG, LONG_CHINESE, "tide", "Über uns"])
def test_a_project_reads_its_days_whatever_its_key(tmp_path: Path, key: str) -> None:
    with Archivist.open(tmp_path / "home", clock=lambda: NOON, environ={}) as archivist:
        archivist.daily.add("shipped it", scope=Scope(project=key))
        for reader in (
            Scope(user="owner", project=key),
            Scope(project=key),
            Person("owner"),
            None,
            EVERYTHING,
        ):
            assert texts(archivist.daily, reader) == ["shipped it"]
            assert [entry.scope for entry in archivist.daily.read(scope=reader)] == [Scope(project=key)]
            assert archivist.daily.days(scope=reader) == (NOON.date(),)
            assert [hit.text for hit in archivist.recall("shipped", scope=reader).hits] == ["shipped it"]
        assert texts(archivist.daily, Scope(user="ann", project="other")) == []


def days_in(home: Path) -> Days:
    return Days(home / "memories", history=home / "history", now=lambda: NOON, sleep=lambda _: None, zone=UTC)


@pytest.mark.parametrize("field", ["user", "chat", "project"])
def test_days_whose_key_is_lost_are_shown_to_whoever_has_it_until_it_is_written_again(
    tmp_path, field
) -> None:
    mine = Scope(**{field: LONG})
    days = days_in(tmp_path)
    days.add("shipped it", scope=mine)
    file = tmp_path / "memories" / level_of(mine) / ".key"
    file.unlink()
    assert texts(days, mine) == ["shipped it"]
    for reader in (None, EVERYTHING, Person("owner"), Scope(**{field: "another"})):
        assert texts(days, reader) == []
    days.add("rested", scope=mine)
    assert file.read_text("utf-8") == f"{LONG}\n"
    assert texts(days, EVERYTHING) == ["shipped it", "rested"]


def test_a_day_makes_no_folder_of_a_place_that_it_does_not_go_to(tmp_path: Path) -> None:
    days_in(tmp_path).add("rested", scope=Scope(user="ann", project=LONG))
    assert [path.name for path in (tmp_path / "memories").iterdir()] == ["users"]
