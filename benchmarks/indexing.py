"""Catch-up beside a plain FTS5 table with porter over the same text, and how much disk it takes."""

import sqlite3
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from archivist import Archivist
from benchmarks.corpus import Corpus
from benchmarks.figures import Figure, cpu_seconds

SIZE, BATCH = 100_000, 1_000


def figures(size: int = SIZE) -> Iterator[Figure]:
    """Rate and size."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        with Archivist.open(home) as archivist:
            megabytes = fill(archivist, size)
            ours = megabytes / cpu_seconds(archivist.catch_up)
            archivist.tidy(60)
        plain = megabytes / _plain_fts5(size, Path(folder) / "plain.db")
        disk = sum(path.stat().st_size for path in home.glob("*.db*")) / 1e6 / megabytes
    budget = "≥ 6 MB a CPU second, ≥ 0.5 × plain FTS5"
    yield Figure(
        f"index catch-up, {size:,} messages",
        "MB/s CPU",
        ours,
        plain,
        budget,
        ours >= 6 and ours >= 0.5 * plain,
    )
    yield Figure("state.db + index.db", "× the text", disk, None, "≤ 2.4 × the text", disk <= 2.4)


def fill(archivist: Archivist, size: int) -> float:
    """Append the corpus in conversations of a hundred messages; returns megabytes of text."""
    stream, characters = Corpus(3).messages(size), 0
    while batch := list(islice(stream, BATCH)):
        for first in range(0, len(batch), 100):
            archivist.sessions.start("bench").append_many(batch[first : first + 100])
        characters += sum(len(message.text.encode()) for message in batch)
    return characters / 1e6


def _plain_fts5(size: int, path: Path) -> float:
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("CREATE VIRTUAL TABLE t USING fts5(text, content='', tokenize='porter unicode61')")
    seconds, stream = 0.0, Corpus(3).messages(size)

    def insert(batch: list[tuple[str]]) -> None:
        with db:
            db.executemany("INSERT INTO t(text) VALUES(?)", batch)

    while batch := [(message.text,) for message in islice(stream, 2_000)]:
        seconds += cpu_seconds(lambda batch=batch: insert(batch))
    db.close()
    return seconds
