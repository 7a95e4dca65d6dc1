"""A file of a workspace is opened and replaced where it really is, whole or not at all."""

import os
import stat
import subprocess
import sys
import time

import pytest

from archivist.files import FileChangedMeanwhile, FileNotWritten, read_beneath, write_beneath


def test_what_is_written_is_read(tmp_path):
    path = tmp_path.resolve() / "a/b/c"
    write_beneath(path, b"one", None)
    assert read_beneath(path, 3) == b"one"
    write_beneath(path, b"two", b"one")
    assert [entry.name for entry in path.parent.iterdir()] == ["c"]
    assert path.read_bytes() == b"two"


@pytest.mark.parametrize("expected", [None, b"", b"on", b"ones", b"two"])
def test_what_is_not_expected_is_not_replaced(tmp_path, expected):
    path = tmp_path.resolve() / "a"
    path.write_bytes(b"one")
    with pytest.raises(FileChangedMeanwhile):
        write_beneath(path, b"new", expected)
    assert path.read_bytes() == b"one"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]


def test_no_link_on_the_way_is_followed(tmp_path):
    tmp_path = tmp_path.resolve()
    (tmp_path / "real").mkdir()
    (tmp_path / "real/a").write_bytes(b"one")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "file").symlink_to(tmp_path / "real/a")
    for path in (tmp_path / "link/a", tmp_path / "file"):
        with pytest.raises(OSError, match=r"[Nn]ot a directory|symbolic"):
            read_beneath(path, 10)
        with pytest.raises(FileNotWritten):
            write_beneath(path, b"new", b"one")
    with pytest.raises(FileNotWritten):
        write_beneath(tmp_path / "link/new", b"x", None)
    assert (tmp_path / "real/a").read_bytes() == b"one"


def test_a_mode_stays_and_a_new_file_has_the_usual_one(tmp_path):
    path = tmp_path.resolve() / "a"
    before = os.umask(0o022)
    try:
        write_beneath(path, b"one", None)
        assert stat.S_IMODE(path.stat().st_mode) == 0o644
        path.chmod(0o4750)
        write_beneath(path, b"two", b"one")
        assert stat.S_IMODE(path.stat().st_mode) == 0o4750
    finally:
        os.umask(before)


def test_what_is_no_file_is_refused_without_waiting(tmp_path):
    tmp_path = tmp_path.resolve()
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, "/dev/zero"):
        with pytest.raises(OSError, match=r"regular|folder"):
            read_beneath(type(tmp_path)(path), 10)
    with pytest.raises(FileNotWritten, match="regular"):
        write_beneath(tmp_path / "pipe", b"x", b"")
    (tmp_path / "big").write_bytes(b"x" * 11)
    with pytest.raises(OSError, match="more than"):
        read_beneath(tmp_path / "big", 10)


WRITER = """
import sys
from pathlib import Path
from archivist.files import write_beneath
path, one, other = Path(sys.argv[1]), b"1" * 300_000, b"2" * 300_000
while True:
    write_beneath(path, other, one)
    write_beneath(path, one, other)
"""


def test_a_kill_at_any_moment_leaves_the_one_or_the_other(tmp_path):
    path = tmp_path.resolve() / "a"
    path.write_bytes(b"1" * 300_000)
    for number in range(4):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)]) as writer:
            before = path.stat().st_ino
            until = time.monotonic() + 10
            while path.stat().st_ino == before and writer.poll() is None and time.monotonic() < until:
                time.sleep(0.001)
            time.sleep(number * 0.003)
            writer.kill()
        content = path.read_bytes()
        assert content in {b"1" * 300_000, b"2" * 300_000}
        path.write_bytes(b"1" * 300_000)
