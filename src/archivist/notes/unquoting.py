"""The words of deleted conversations leave the journal: an entry stays, and names no more what it rests on there."""

from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

import msgspec

from archivist.files import locked, write_atomically
from archivist.notes.journal import JOURNAL
from archivist.notes.ledger import LOCK_SECONDS, lock_file

SOURCES: Final = b'"sources"'


def drop_quotes(folder: Path, sessions: Collection[str]) -> int:
    """Take the quotes from some sessions out of every line of the journal; how many lines had one.

    Args:
        folder: `memories/`; may be missing.
        sessions: Their ids.

    Raises:
        FileLocked, FileNotWritten, OSError: The journal is as it was.
    """
    journal = folder / JOURNAL
    if not sessions or not journal.exists():
        return 0
    with locked(lock_file(folder), seconds=LOCK_SECONDS):
        lines = journal.read_bytes().split(b"\n")
        cleared = [_without(line, sessions) for line in lines]
        changed = sum(one is not other for one, other in zip(lines, cleared, strict=True))
        if changed:
            write_atomically(journal, b"\n".join(cleared))
        return changed


def _without(line: bytes, sessions: Collection[str]) -> bytes:
    """A line without those quotes; the same object where it has none."""
    if SOURCES not in line:
        return line
    try:
        read: Any = msgspec.json.decode(line)
        steps = [step for step in read.get("steps", ()) if _drops(step, sessions)]
    except (msgspec.DecodeError, AttributeError, TypeError, RecursionError):
        return line
    return msgspec.json.encode(read) if steps else line


def _drops(step: dict[str, Any], sessions: Collection[str]) -> bool:
    """Take them out of a step; whether there were any."""
    sources = step.get("sources", [])
    kept = [quote for quote in sources if quote.get("session_id") not in sessions]
    if len(kept) == len(sources):
        return False
    if kept:
        step["sources"] = kept
    else:
        del step["sources"]
    return True
