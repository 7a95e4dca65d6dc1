"""A move stays after a crash, and takes no name that something has."""

from archivist.files import free_name, move_durably, moving


def test_both_folders_are_synced(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(moving, "sync_folder", synced.append)
    source, target = tmp_path / "a" / "file", tmp_path / "b" / "file"
    for folder in (source.parent, target.parent):
        folder.mkdir()
    source.write_text("x")
    move_durably(source, target)
    assert target.read_text() == "x"
    assert synced == [target.parent, source.parent]
    move_durably(target, target.with_name("other"))
    assert synced[2:] == [target.parent]


def test_a_free_name_is_one_that_nothing_has(tmp_path):
    path = tmp_path / "name"
    assert free_name(path) == path
    path.write_text("x")
    (tmp_path / "name-2").symlink_to("nowhere")
    assert free_name(path) == tmp_path / "name-3"
