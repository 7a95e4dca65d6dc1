"""Whole-file writes: there or not, synced, private."""

import os

import pytest

from archivist.files import FileNotWritten, make_folder, remove_durably, write_atomically


def test_the_bytes_are_there_and_readable_by_their_owner_alone(tmp_path):
    path = tmp_path / "new" / "deep" / "a.txt"
    old = os.umask(0)
    try:
        write_atomically(path, b"hello")
    finally:
        os.umask(old)
    assert path.read_bytes() == b"hello"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_second_write_replaces_the_first_and_leaves_nothing_beside(tmp_path):
    path = tmp_path / "a.txt"
    write_atomically(path, b"one")
    write_atomically(path, b"two")
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]
    assert path.read_bytes() == b"two"


def test_a_write_that_fails_says_why_and_leaves_the_old_bytes(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    write_atomically(path, b"old")

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileNotWritten, match="No space left on device"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_a_folder_that_is_a_file_is_named(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FileNotWritten, match="was not written"):
        write_atomically(tmp_path / "file" / "a.txt", b"x")


def test_making_a_folder_twice_and_removing_nothing_are_fine(tmp_path):
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    remove_durably(tmp_path / "a" / "absent")
