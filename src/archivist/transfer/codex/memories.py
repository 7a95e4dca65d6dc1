"""Codex's own memory: a summary that its prompt carries, and the statements that the summary was made of."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from archivist.notes.kinds import belongs_to
from archivist.notes.statements import Statement
from archivist.transfer.curated import Curated, TextFile, curated_file, statements_in

MEMORIES: Final = "memories"
FILES: Final = ("memory_summary.md", "MEMORY.md")
BESIDE: Final = ("session_index.jsonl", "history.jsonl")
"""Files of a home beside its memories."""
DERIVED: Final = "what Codex made its memory of (raw memories, summaries of sessions): not read"


def curated_in(path: Path) -> Iterator[Curated]:
    """What is noted in a home."""
    folder = path / MEMORIES
    for name in FILES:
        if (folder / name).is_file():
            yield curated_file(folder / name, partial(_read, f"codex:{MEMORIES}/{name}"))
    others = [each for each in folder.rglob("*.md") if each.is_file() and each.name not in FILES]
    if others:
        yield Curated(path=folder, notices={DERIVED: len(others)})


def is_noted_home(path: Path) -> bool:
    """Whether a folder is a home that has noted something: by its name, or by what only this program's home holds."""
    summary, index = (path / MEMORIES / name for name in FILES)
    if not (summary.is_file() or index.is_file()):
        return False
    is_named = path.name.startswith(".codex")
    return is_named or summary.is_file() or any((path / name).is_file() for name in BESIDE)


def _read(name: str, file: TextFile) -> Curated:
    """What is plainly about the person goes to the person."""
    told = statements_in(file.text, "memory", name, observed_at=file.at)
    statements = [
        Statement(belongs_to(one.text) or one.target, one.text, one.place, one.observed_at) for one in told
    ]
    return Curated(path=file.path, statements=statements)
