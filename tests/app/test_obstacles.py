"""What stands in the way of a restore is seen before it, and never written through; the home opens whatever happens."""

import pytest
from tests.app.test_backing_up import say, write_texts

from archivist import Archivist, BackupNotMade, PlaceTaken
from archivist.app import swapping


@pytest.fixture
def archivist(tmp_path):
    with Archivist.open(tmp_path / "home", environ={}) as opened:
        write_texts(tmp_path / "home", {"SOUL.md": "then", "wiki/deep/a.md": "then"})
        say(opened, "kept")
        opened.backup()
        say(opened, "newer")
        yield opened


def _move_away(path):
    path.rename(path.with_name(f"{path.name}-away"))
    return path


def a_file(path, _outside):
    _move_away(path).write_text("a file now")


def a_dangling_link(path, outside):
    _move_away(path).symlink_to(outside / "nowhere")


def a_link(path, outside):
    _move_away(path).symlink_to(outside)


OBSTACLES = [
    (a_file, "wiki"),
    (a_file, "wiki/deep"),
    (a_dangling_link, "wiki"),
    (a_link, "wiki"),
    (a_link, "wiki/deep"),
    (a_link, "SOUL.md"),
    (a_dangling_link, "SOUL.md"),
]


@pytest.mark.parametrize(("put", "name"), OBSTACLES)
def test_what_is_in_the_way_is_named_before_anything_changes(archivist, tmp_path, put, name):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_text("precious")
    put(tmp_path / "home" / name, outside)
    with pytest.raises(PlaceTaken) as caught:
        archivist.restore(dry_run=False)
    assert caught.value.path == tmp_path / "home" / name
    assert archivist.counts()["messages"] == 2
    assert not list((tmp_path / "home" / "aside").glob("*"))


@pytest.mark.parametrize(("put", "name"), OBSTACLES)
def test_what_comes_into_the_way_later_is_set_aside_and_not_written_through(
    archivist, tmp_path, monkeypatch, put, name
):
    outside, home, place = tmp_path / "outside", tmp_path / "home", swapping._place_texts
    outside.mkdir()
    (outside / "a.md").write_text("precious")

    def obstructed(*arguments):
        put(home / name, outside)
        return place(*arguments)

    monkeypatch.setattr(swapping, "_place_texts", obstructed)
    done = archivist.restore(dry_run=False)
    assert ((home / "SOUL.md").read_text(), (home / "wiki/deep/a.md").read_text()) == ("then", "then")
    assert not (home / name).is_symlink()
    assert {path.name: path.read_text() for path in outside.iterdir()} == {"a.md": "precious"}
    assert any(path.name.startswith(name.rpartition("/")[2]) for path in done.set_aside.rglob("*"))
    assert archivist.counts()["messages"] == 1


def test_a_text_that_the_system_does_not_let_in_is_kept_and_named(archivist, tmp_path, monkeypatch):
    move = swapping.move_durably

    def refused(source, target):
        if target == tmp_path / "home" / "SOUL.md":
            raise PermissionError(1, "Operation not permitted")
        move(source, target)

    monkeypatch.setattr(swapping, "move_durably", refused)
    (tmp_path / "home" / "SOUL.md").write_text("now")
    done = archivist.restore(dry_run=False)
    assert [path.read_text() for path in done.texts_not_placed] == ["then"]
    assert (tmp_path / "home" / "SOUL.md").read_text() == "now"
    archivist.close()
    with Archivist.open(tmp_path / "home", environ={}) as again:
        assert again.counts()["messages"] == 1


@pytest.mark.parametrize("name", ["media", "spool"])
def test_a_folder_that_is_a_link_is_named_as_such(archivist, tmp_path, name):
    place = tmp_path / "home" / name
    place.mkdir(exist_ok=True)
    place.rename(tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BackupNotMade, match=f"{name} is a link"):
        archivist.backup()
    with pytest.raises(PlaceTaken, match=f"{name} is a link"):
        archivist.restore(dry_run=False)
