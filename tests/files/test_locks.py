"""Locks between processes."""

import os
import re
import subprocess
import sys
import threading
from contextlib import suppress

import pytest

from archivist.files import FileLocked, FileNotWritten, locked

HOLDER = "import sys, filelock; l = filelock.FileLock(sys.argv[1]); l.acquire(); print('held', flush=True); sys.stdin.read()"


def test_a_lock_that_another_process_holds_is_waited_for_and_then_named(tmp_path):
    path = tmp_path / "lock"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(FileLocked, match="wait for it to end"), locked(path, seconds=0.1):
        pass
    holder.kill()
    holder.communicate()
    with locked(path, seconds=5):
        pass


def test_threads_take_turns(tmp_path):
    path, inside, most = tmp_path / "lock", [], []

    def work() -> None:
        for _ in range(20):
            with locked(path, seconds=30):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(most) == 80
    assert set(most) == {1}


def test_a_lock_file_that_was_removed_and_made_again_is_the_one_that_counts(tmp_path):
    path = tmp_path / "lock"
    with locked(path, seconds=5):
        path.unlink()
        with locked(path, seconds=5), pytest.raises(FileLocked), locked(path, seconds=0):
            pass


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_fork_holds_nothing_of_what_its_parent_held(tmp_path):
    path, (asks, answers) = tmp_path / "lock", os.pipe()
    with locked(path, seconds=5):
        child = os.fork()
        if not child:
            os.close(answers)
            with suppress(BaseException):
                os.read(asks, 1)
            os._exit(0)
    with locked(path, seconds=0):
        pass
    os.close(answers)
    os.waitpid(child, 0)
    os.close(asks)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_fork_that_leaves_the_block_too_closes_nothing_else(tmp_path):
    path, other = tmp_path / "lock", tmp_path / "other"
    with locked(path, seconds=5):
        child = os.fork()
        if not child:
            file = other.open("w")  # gets the number that the lock had
    if not child:
        try:
            file.write("whole")
            file.close()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert other.read_text() == "whole"


@pytest.mark.parametrize(
    "make",
    [lambda path: path.mkdir(parents=True), lambda path: path.parent.write_text("a file")],
    ids=["folder", "in a file"],
)
def test_a_lock_that_cannot_be_opened_is_named(tmp_path, make):
    path = tmp_path / "away" / "lock"
    make(path)
    with pytest.raises(FileNotWritten, match=re.escape(str(path))) as raised, locked(path, seconds=5):
        pass
    assert raised.value.path == path
