"""Keeping up with a transcript: whole processes beside a bare interpreter, in turn, on a file of some megabytes."""

import json
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from archivist.app.hosts.starting import Starting
from benchmarks.cold_start import PROGRAM, _milliseconds
from benchmarks.corpus import Corpus
from benchmarks.figures import Figure
from benchmarks.importing import _line

ROUNDS = 9
BEFORE_BYTES, NEW_BYTES = 8_000_000, 1_000_000
BARE = [sys.executable, "-c", "pass"]
NAME = "00000000-0000-4000-8000-000000000000"


def figures() -> Iterator[Figure]:
    """A megabyte more, by command and by hook, and nothing new."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        before, new = _transcript()
        path = folder / "projects" / "-src-bench" / f"{NAME}.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(before)
        kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        environ = {**kept, "HOME": name, "CLAUDE_CONFIG_DIR": name, "ARCHIVIST_HOME": str(folder / "home")}
        command = [PROGRAM, "ingest", "--deadline", "25", "--transcript", str(path)]
        _milliseconds(command, environ)
        shutil.copytree(folder / "home", folder / "as-it-was")
        hook = Starting(sys.executable, ("--home", str(folder / "home"))).hook("Stop")
        told = json.dumps({"session_id": NAME, "transcript_path": str(path), "hook_event_name": "Stop"})
        times: tuple[list[float], ...] = ([], [], [], [])
        for _ in range(ROUNDS):
            _restore(folder, path, before, new)
            times[0].append(_milliseconds(command, environ))
            times[1].append(_milliseconds(command, environ))
            _restore(folder, path, before, new)
            times[2].append(_milliseconds(hook, environ, told.encode()))
            times[3].append(_milliseconds(BARE, environ))
    grown, idle, ended, bare = map(statistics.median, times)
    yield Figure(
        "ingest, 1 MB more on 8 MB", "ms wall", grown, bare, "≤ 12 × a bare interpreter", grown <= 12 * bare
    )
    yield Figure(
        "hook: end of a turn, 1 MB more on 8 MB",
        "ms wall",
        ended,
        bare,
        "≤ 12 × a bare interpreter",
        ended <= 12 * bare,
    )
    yield Figure("ingest, nothing new", "ms wall", idle, bare, "≤ 6 × a bare interpreter", idle <= 6 * bare)


def _restore(folder: Path, path: Path, before: bytes, new: bytes) -> None:
    """The file as it was read, in place, and what was written since."""
    shutil.rmtree(folder / "home")
    shutil.copytree(folder / "as-it-was", folder / "home")
    with path.open("r+b") as file:
        file.truncate(len(before))
        file.seek(0, os.SEEK_END)
        file.write(new)


def _transcript() -> tuple[bytes, bytes]:
    corpus, parts, parent, number = Corpus(4), [], None, 0
    for size in (BEFORE_BYTES, NEW_BYTES):
        lines: list[bytes] = []
        written = 0
        while written < size:
            uuid = f"00000000-0000-4000-8000-{number:012d}"
            line = _line(corpus.message(number % 10_000).text * 3, 0, number % 1440, uuid, parent)
            line |= {"requestId": f"req_{number}", "toolUseResult": "x" * 400}
            lines.append(json.dumps(line, ensure_ascii=False).encode() + b"\n")
            written, parent, number = written + len(lines[-1]), uuid, number + 1
        parts.append(b"".join(lines))
    return parts[0], parts[1]
