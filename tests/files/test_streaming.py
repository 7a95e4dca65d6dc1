"""Long files: there whole, or not at all."""

import pytest

from archivist.files import FileNotWritten
from archivist.files.streaming import written_atomically


def test_the_file_is_there_when_the_block_ends(tmp_path):
    path = tmp_path / "new" / "file"
    with written_atomically(path) as file:
        file.write(b"one ")
        assert not path.exists()
        file.write(b"two")
    assert path.read_bytes() == b"one two"
    assert path.stat().st_mode & 0o777 == 0o600


def write_and_fail(path):
    with written_atomically(path) as file:
        file.write(b"new")
        raise ValueError("stop")


def test_a_failure_leaves_what_was_there(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(ValueError, match="stop"):
        write_and_fail(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_is_said(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FileNotWritten), written_atomically(tmp_path / "file" / "below"):
        pass
