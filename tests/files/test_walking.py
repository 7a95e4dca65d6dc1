"""A folder is walked as it is, whatever others do to it meanwhile."""

import os
import shutil

import pytest

from archivist.files import files_below, walk


def test_files_are_told_by_their_place_and_links_are_not_followed(tmp_path):
    (tmp_path / "b" / "deep").mkdir(parents=True)
    (tmp_path / "b" / "deep" / "file").write_text("four")
    (tmp_path / "a").write_text("x")
    (tmp_path / "link").symlink_to("b")
    (tmp_path / "self").symlink_to(".")
    os.mkfifo(tmp_path / "pipe")
    found = {entry.name: (entry.kind, entry.size if entry.kind == "file" else 0) for entry in walk(tmp_path)}
    assert found == {
        "a": ("file", 1),
        "b/deep/file": ("file", 4),
        "link": ("link", 0),
        "self": ("link", 0),
        "pipe": ("other", 0),
    }
    assert [entry.parts for entry in files_below(tmp_path)] == [("a",), ("b", "deep", "file")]


def test_a_folder_that_is_not_entered_is_not_looked_into(tmp_path):
    for name in ("in/x", "out/x"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("x")
    assert [entry.name for entry in walk(tmp_path, enters=lambda name: name != "out")] == ["in/x"]


def test_what_vanishes_meanwhile_is_passed_over(tmp_path):
    for folder in ("a", "b", "c"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "file").write_text("x")
    found = []
    for entry in files_below(tmp_path):
        found.append(entry.name)
        shutil.rmtree(tmp_path / "b", ignore_errors=True)
    assert found == ["a/file", "c/file"]
    assert list(files_below(tmp_path / "nowhere")) == []


@pytest.mark.skipif(
    os.name == "nt" or os.geteuid() == 0, reason="nothing is unreadable to the system's owner"
)
def test_a_folder_that_may_not_be_read_is_said_unless_it_is_to_be_skipped(tmp_path):
    (tmp_path / "closed").mkdir(mode=0)
    with pytest.raises(PermissionError):
        list(files_below(tmp_path))
    assert list(files_below(tmp_path, skips_unreadable=True)) == []
