"""Starting cold: whole processes beside a bare interpreter, in turn."""

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from archivist import Archivist
from benchmarks.figures import Figure
from benchmarks.indexing import fill

ROUNDS = 15
PROGRAM = str(Path(sys.executable).with_name("archivist"))


def figures() -> Iterator[Figure]:
    """The help, a recall, and the import of the package."""
    with tempfile.TemporaryDirectory() as home:
        with Archivist.open(home) as archivist:
            fill(archivist, 10_000)
            archivist.catch_up()
        kept = {
            name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
        }  # people cache bytecode
        environ = {**kept, "ARCHIVIST_HOME": home}
        bare = [sys.executable, "-c", "pass"]
        for name, command, most in (
            ("archivist --help, cold", [PROGRAM, "--help"], 5),
            ("archivist recall, cold, 10,000 messages", [PROGRAM, "recall", "server", "error"], 12),
        ):
            ours, reference = _paired(command, bare, environ)
            yield Figure(
                name, "ms wall", ours, reference, f"≤ {most} × a bare interpreter", ours <= most * reference
            )
        ours, reference = _paired([sys.executable, "-c", "import archivist"], bare, environ)
        yield Figure(
            "import archivist", "ms wall", ours, reference, "≤ 60 ms more than bare", ours - reference <= 60
        )


def _paired(first: list[str], second: list[str], environ: dict[str, str]) -> tuple[float, float]:
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for command, kept in ((first, times[0]), (second, times[1])):
            kept.append(_milliseconds(command, environ))
    return statistics.median(times[0]), statistics.median(times[1])


def _milliseconds(command: list[str], environ: dict[str, str], told: bytes = b"") -> float:
    from time import perf_counter

    start = perf_counter()
    subprocess.run(
        command,
        input=told,
        env=environ,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return (perf_counter() - start) * 1e3
