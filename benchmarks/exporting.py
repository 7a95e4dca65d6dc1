"""Exporting conversations, and bringing them back."""

import io
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from archivist import EVERYTHING, Archivist
from benchmarks.corpus import Corpus
from benchmarks.figures import Figure, best, cpu_seconds

SESSIONS, TURNS = 20, 1_000
FORMATS = ("jsonl", "json", "markdown")


def figures() -> Iterator[Figure]:
    """The rates in text, the plain writing of the same rows beside them."""
    with tempfile.TemporaryDirectory() as folder, Archivist.open(Path(folder) / "home") as archivist:
        megabytes = fill(archivist) / 1e6
        plain = megabytes / best(lambda: cpu_seconds(lambda: dump(archivist)), 3)
        for name in FORMATS:
            path = Path(folder) / f"export.{name}"
            seconds = best(lambda name=name, path=path: cpu_seconds(lambda: export(archivist, path, name)), 3)
            rate = megabytes / seconds
            yield Figure(f"export, {name}", "MB/s CPU", rate, plain, "≥ 8 MB of text a second", rate >= 8)
            with Archivist.open(Path(folder) / f"home-{name}") as other:
                rate = megabytes / cpu_seconds(lambda path=path, other=other: other.import_history(path))
            is_bound = name != "markdown"  # which is for people
            budget = "≥ 8 MB of text a second" if is_bound else "—"
            yield Figure(
                f"import of an export, {name}", "MB/s CPU", rate, None, budget, rate >= 8 or not is_bound
            )


def fill(archivist: Archivist) -> int:
    """Keep conversations; returns the bytes of text in them."""
    corpus, written = Corpus(5), 0
    for number in range(SESSIONS):
        session = archivist.sessions.start("bench")
        told = [corpus.message(number * TURNS + turn) for turn in range(TURNS)]
        session.append_many(told)
        written += sum(len(message.text.encode()) for message in told)
    return written


def export(archivist: Archivist, path: Path, name: str) -> None:
    """Write everything to a file."""
    archivist.sessions.export(None, path, name, scope=EVERYTHING, replace=True)


def dump(archivist: Archivist) -> None:
    """What a script would do: read every row and write it with the standard library."""
    with io.TextIOWrapper(io.BytesIO(), "utf-8") as file:
        for session in archivist.sessions.browse(limit=SESSIONS, scope=EVERYTHING).sessions:
            for message in archivist.sessions.get(session.id).messages("all"):
                row = {name: getattr(message, name) for name in message.__slots__}
                json.dump(row | {"metadata": dict(message.metadata)}, file, ensure_ascii=False, default=str)
                file.write("\n")
