"""Two processes never compact one session at once, and one that is killed holds nothing."""

import os
import signal
import subprocess
import sys
import threading

import pytest
from tests.store.lines import compact
from tests.store.test_undoing import say

from archivist.records import SessionStart
from archivist.store import UnknownSession
from archivist.store.compactions import Compactions
from archivist.store.leasing import BeingCompacted, lock_files

HOLDER = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from functools import partial
from archivist.store.leasing import BeingCompacted, leased
lock = Path(sys.argv[1]) / f"compacting-{sys.argv[2]}.lock"
with leased(lock, partial(BeingCompacted, "s"), now=datetime.now(UTC)):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def chat(store):
    session = store.start(SessionStart("cli"))
    say(store, session, "u1", "a1")
    return session


@pytest.fixture
def compactions(store):
    return Compactions(store, store._world)


def test_another_process_is_refused_until_the_one_that_holds_it_is_killed(store, chat, compactions, tmp_path):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, tmp_path, "1"], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout
    with holder, holder.stdout:
        holder.stdout.readline()
        with (
            pytest.raises(BeingCompacted, match=rf"process {holder.pid} on .* since 20"),
            compactions.lease(chat),
        ):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    with compactions.lease(chat) as tip:
        assert tip == chat
    assert lock_files(tmp_path) == []


def test_another_thread_is_refused_and_other_sessions_are_not(store, chat, compactions):
    other, refused = store.start(SessionStart("cli")), []

    def try_it():
        with pytest.raises(BeingCompacted, match=f"process {os.getpid()} on"), compactions.lease(chat):
            pass
        with compactions.lease(other):
            refused.append(chat)

    with compactions.lease(chat):
        thread = threading.Thread(target=try_it)
        thread.start()
        thread.join()
    assert refused == [chat]


def test_it_is_of_the_session_in_which_the_conversation_goes_on(store, chat, compactions):
    child = compact(store, chat)
    with compactions.lease(chat) as tip:
        assert tip == child
        with pytest.raises(BeingCompacted), compactions.lease(child):
            pass


def test_it_ends_with_the_work_whatever_came_of_it(chat, compactions, tmp_path):
    with pytest.raises(RuntimeError, match="no model"), compactions.lease(chat):
        raise RuntimeError("no model")
    with compactions.lease(chat):
        assert len(lock_files(tmp_path)) == 1
    assert lock_files(tmp_path) == []


def test_a_lock_file_that_tells_nothing_is_one_of_another_process(chat, compactions, tmp_path):
    with compactions.lease(chat):
        (file,) = lock_files(tmp_path)
        file.write_bytes(b"{")
        with pytest.raises(BeingCompacted, match="by another process:"), compactions.lease(chat):
            pass


def test_a_session_that_was_compacted_before_the_lock_was_had_is_left(store, chat, compactions, monkeypatch):
    told = compactions._tip

    def late(session_id):
        found = told(session_id)
        if not made:
            made.append(compact(store, chat))
        return found

    made = []
    monkeypatch.setattr(compactions, "_tip", late)
    with compactions.lease(chat) as tip:
        assert tip == made[0]


def test_an_unknown_session_has_none(compactions, tmp_path):
    with pytest.raises(UnknownSession), compactions.lease("nobody"):
        pass
    assert lock_files(tmp_path) == []
