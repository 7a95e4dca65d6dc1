"""The curated memory of one Hermes home or profile: two files of entries between lines that are only `§`."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from archivist.notes.document import Document
from archivist.notes.places import CORE_FILES
from archivist.notes.statements import Statement
from archivist.records.notes import Target
from archivist.transfer.curated import UTF_16, Curated, TextFile, curated_file

MEMORIES = "memories"


def memory_files(folder: Path) -> list[tuple[Target, Path]]:
    """The files of a home or profile."""
    found = ((target, folder / MEMORIES / name) for target, name in CORE_FILES.items())
    return [(target, path) for target, path in found if path.is_file()]


def curated_in(folder: Path, profile: str | None) -> Iterator[Curated]:
    """What a home or profile has noted; other profiles of it are named, for their notes belong into a profile of their own."""
    prefix = f"hermes:profiles/{profile}/" if profile else "hermes:"
    for target, path in memory_files(folder):
        yield curated_file(path, partial(_entries, target, f"{prefix}{MEMORIES}/{path.name}"))
    others = [other for other in sorted(folder.glob("profiles/*")) if memory_files(other)]
    if others:
        yield Curated(path=folder, notices={_elsewhere(other): 1 for other in others})


def _entries(target: Target, name: str, file: TextFile) -> Curated:
    texts = Document.parse(file.text.encode() if file.raw.startswith(UTF_16) else file.raw).texts
    told = [Statement(target, text, f"{name}#{number}", file.at) for number, text in enumerate(texts, 1)]
    return Curated(path=file.path, statements=told)


def _elsewhere(other: Path) -> str:
    return (
        f"what the profile {other.name} has noted was not taken, for it is kept apart:"
        f" `archivist --profile {other.name} import {other}` brings it into a profile of its own"
    )
