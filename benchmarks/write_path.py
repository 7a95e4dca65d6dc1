"""Appending: one message beside a bare commit of the same row, and batches in bulk."""

import resource
import secrets
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import apsw

from archivist import Archivist, Message
from benchmarks.corpus import Corpus
from benchmarks.figures import Figure, cpu_seconds

SINGLE, BULK, BATCH, ROUNDS = 1_000, 20_000, 500, 6


def figures() -> Iterator[Figure]:
    """All figures of the write path."""
    corpus = Corpus()
    texts = [text for text in map(corpus.text, range(SINGLE * 3)) if len(text) < 2_000][:SINGLE]
    with tempfile.TemporaryDirectory() as folder:
        turns = [
            (_append_singly(Path(folder), texts), _commit_bare(Path(folder), texts)) for _ in range(ROUNDS)
        ]
    ours, bare = (min(seconds) / len(texts) * 1e3 for seconds in zip(*turns, strict=True))
    yield Figure(
        "append one message", "ms CPU", ours, bare, "≤ 0.15 ms beyond a bare commit", ours - bare <= 0.15
    )
    rate, grown = _append_in_bulk()
    yield Figure(
        "append_many, batches of 500, masked", "MB/s CPU", rate, None, "≥ 12 MB of text a second", rate >= 12
    )
    yield Figure("memory grown while appending 20,000", "MB", grown, None, "flat (≤ 20 MB)", grown <= 20)


def _append_singly(folder: Path, texts: list[str]) -> float:
    with Archivist.open(folder / "home") as archivist:
        session = archivist.sessions.start("bench")
        return cpu_seconds(lambda: [session.append(Message.user(text)) for text in texts])


def _commit_bare(folder: Path, texts: list[str]) -> float:
    db = apsw.Connection(str(folder / "bare.db"))
    db.execute("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    db.execute(
        "CREATE TABLE IF NOT EXISTS messages(id INTEGER PRIMARY KEY, role TEXT, at INT, text TEXT, client TEXT)"
    )

    def commit(text: str) -> None:
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO messages VALUES(NULL, 'user', 0, ?, ?)", (text, secrets.token_hex(8)))
        db.execute("COMMIT")

    seconds = cpu_seconds(lambda: [commit(text) for text in texts])
    db.close()
    return seconds


def _append_in_bulk() -> tuple[float, float]:
    corpus = Corpus(1)
    stream = corpus.messages(BULK)
    seconds, characters = 0.0, 0
    with tempfile.TemporaryDirectory() as folder, Archivist.open(folder) as archivist:
        session = archivist.sessions.start("bench")
        session.append_many(islice(stream, BATCH))
        before = _peak_megabytes()
        while batch := list(islice(stream, BATCH)):
            characters += sum(len(message.text.encode()) for message in batch)
            seconds += cpu_seconds(lambda batch=batch: session.append_many(batch))
        return characters / 1e6 / seconds, _peak_megabytes() - before


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
