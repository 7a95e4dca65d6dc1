"""Bytes added at the end of a file that others have open."""

import os

import pytest

from archivist.files import FileNotWritten
from archivist.files.appending import append, take_back


def test_bytes_stand_behind_what_is_there_and_a_new_file_is_the_owners_alone(tmp_path):
    path = tmp_path / "new" / "file"
    assert append(path, b"one") == 0
    assert append(path, b"two") == 3
    assert path.read_bytes() == b"onetwo"
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_link_stays_one(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "file")
    append(tmp_path / "link", b"one")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"one"


@pytest.mark.parametrize("written", [0, 1, 3])
def test_a_disk_that_refuses_leaves_the_file_as_it_was(tmp_path, monkeypatch, written):
    path = tmp_path / "file"
    path.write_bytes(b"before")
    write, left = os.write, [written]

    def full(handle, content):
        if not left[0]:
            raise OSError(28, "No space left on device")
        done, left[0] = write(handle, content[: left[0]]), 0
        return done

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(FileNotWritten, match="No space left"):
        append(path, b"four")
    assert path.read_bytes() == b"before"


def test_what_somebody_wrote_behind_bytes_is_not_taken_back_with_them(tmp_path):
    path = tmp_path / "file"
    begin = append(path, b"one")
    with path.open("ab") as other:
        other.write(b"theirs")
    take_back(path, begin, b"one")
    assert path.read_bytes() == b"onetheirs"
