"""Locks between processes."""

import subprocess
import sys

import pytest

from archivist.files import FileLocked, locked

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
