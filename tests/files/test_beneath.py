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


def test_what_its_owner_made_read_only_stays(tmp_path):
    path = tmp_path.resolve() / "a"
    path.write_bytes(b"one")
    path.chmod(0o444)
    with pytest.raises(FileNotWritten, match="read-only"):
        write_beneath(path, b"two", b"one")
    assert path.read_bytes() == b"one"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only the superuser may")
def test_owner_and_group_stay(tmp_path):
    path = tmp_path.resolve() / "a"
    path.write_bytes(b"one")
    os.chown(path, 1234, 2345)
    path.chmod(0o4750)
    write_beneath(path, b"two", b"one")
    found = path.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (1234, 2345, 0o4750)


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="there are no attributes here")
def test_attributes_stay(tmp_path):
    path = tmp_path.resolve() / "a"
    path.write_bytes(b"one")
    try:
        os.setxattr(path, "user.note", b"mine")
    except OSError:
        pytest.skip("this file system has no attributes")
    write_beneath(path, b"two", b"one")
    assert os.getxattr(path, "user.note") == b"mine"


ADDER = """
import sys
from pathlib import Path
from archivist.files import FileChangedMeanwhile, read_beneath, write_beneath
path, done = Path(sys.argv[1]), 0
while done < 100:
    before = read_beneath(path, 100)
    try:
        write_beneath(path, str(int(before) + 1).encode(), before)
        done += 1
    except FileChangedMeanwhile:
        pass
"""
MAKER = """
import sys
from pathlib import Path
from archivist.files import FileChangedMeanwhile, write_beneath
made = 0
for number in range(100):
    try:
        write_beneath(Path(sys.argv[1]) / str(number), b"x", None)
        made += 1
    except FileChangedMeanwhile:
        pass
print(made)
"""


def several(code, argument, number=3):
    begun = [
        subprocess.Popen([sys.executable, "-c", code, str(argument)], stdout=subprocess.PIPE)
        for _ in range(number)
    ]
    return [one.communicate(timeout=60)[0] for one in begun]


def test_of_agents_that_change_a_file_at_once_none_loses_what_another_wrote(tmp_path):
    path = tmp_path.resolve() / "n"
    path.write_bytes(b"0")
    several(ADDER, path)
    assert path.read_bytes() == b"300"


def test_of_agents_that_make_a_file_at_once_one_does(tmp_path):
    assert sum(map(int, several(MAKER, tmp_path.resolve()))) == 100


def test_a_disk_that_takes_no_more_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path.resolve() / "a"
    path.write_bytes(b"one")
    code = (
        "import resource, sys; from pathlib import Path; from archivist.files import FileNotWritten, write_beneath\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))\n"
        "try: write_beneath(Path(sys.argv[1]), b'x' * 5_000, b'one')\n"
        "except FileNotWritten as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    assert "File too large" in done.stdout
    assert path.read_bytes() == b"one"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]
