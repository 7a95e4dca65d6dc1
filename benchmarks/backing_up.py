"""Backing up a large home: what it costs those who write meanwhile, and how long it takes."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from archivist import Archivist, Message
from benchmarks.figures import Figure

SIZE, BATCH, ALONE_SECONDS = 1_000_000, 2_000, 10.0
WRITER = """
import sys, threading, time
from archivist import Archivist, Message
stop = []
with Archivist.open(sys.argv[1], environ={}) as archivist:
    session, longest = archivist.sessions.start("bench"), 0.0
    print("ready", flush=True)
    threading.Thread(target=lambda: (sys.stdin.readline(), stop.append(1)), daemon=True).start()
    while not stop:
        began = time.perf_counter()
        session.append(Message.user("while it is copied"))
        longest = max(longest, time.perf_counter() - began)
print(longest * 1000)
"""


def figures(size: int = SIZE) -> Iterator[Figure]:
    """The longest append beside a backup and without one; the seconds of a backup beside those of a proof of the home."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        with Archivist.open(home, environ={}) as archivist:
            fill(archivist, size)
            alone = _longest_append(home, lambda: time.sleep(ALONE_SECONDS))
            beside = _longest_append(home, archivist.backup)
            seconds, proof = _seconds(archivist.backup), _seconds(archivist.verify)
    name = f"{size:,} messages"
    yield Figure(
        f"longest append during a backup, {name}", "ms", beside, alone, "≤ 100 ms more", beside - alone <= 100
    )
    yield Figure(f"backup with its proof, {name}", "s", seconds, proof, "≤ 2 × verify", seconds <= 2 * proof)


def fill(archivist: Archivist, size: int) -> None:
    """Short messages in conversations of two thousand."""
    for first in range(0, size, BATCH):
        numbers = range(first, min(size, first + BATCH))
        archivist.sessions.start("bench").append_many(
            Message.user(f"message {n}: the quay lantern needs oil before the tide turns") for n in numbers
        )


def _longest_append(home: Path, work: Callable[[], object]) -> float:
    """Milliseconds of the longest append of a process that appends all the time while the work is done."""
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout
    writer.stdout.readline()
    work()
    said, _ = writer.communicate("stop\n")
    return float(said)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
