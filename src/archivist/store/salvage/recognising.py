"""Whether a database whose head says otherwise, or of which only the log is left, is Archivist's all the same."""

from pathlib import Path
from typing import Final

import apsw

from archivist.store.connection import PAGE_BYTES
from archivist.store.rows import Row, digest_of
from archivist.store.salvage.building import BEFORE_ROW
from archivist.store.salvage.harvest import Found, Harvest
from archivist.store.salvage.image import Image
from archivist.store.trouble import StoreDamaged

OURS: Final = frozenset(
    {"meta", "scopes", "sessions", "messages", "changes", "messages_client", "sessions_external"}
)
"""Tables and indexes that no other program has all of."""


def has_our_tables(path: Path) -> bool:
    """Whether the schema names all of them; nothing but the file is read."""
    try:
        image = Image(path)
    except apsw.Error:
        return False
    try:
        return set(Harvest(image).roots) >= OURS
    finally:
        image.close()


def insist_on_log(path: Path, reason: str) -> None:
    """Let a lost database whose messages stand in its log be salvaged from that.

    Args:
        path: `state.db`, which is there, though blank.
        reason: How it was lost, as the end of a sentence.

    Raises:
        StoreDamaged: They do. The file has a page by then: with none, SQLite would remove the log.
    """
    log = path.with_name(f"{path.name}-wal")
    if log.is_file() and log.stat().st_size and has_our_messages(path):
        path.write_bytes(bytes(PAGE_BYTES))
        raise StoreDamaged(path, f"it {reason}, and its log is left")


def has_our_messages(path: Path) -> bool:
    """Whether the file or its log holds a message that its hash proves; nothing but these is read.

    Raises:
        apsw.Error: The file cannot be read.
    """
    image = Image(path)
    try:
        return any(map(_is_proven_message, Harvest(image).rows()))
    finally:
        image.close()


def _is_proven_message(found: Found) -> bool:
    if found.shape.name != "messages":
        return False
    row = Row(*found.values[BEFORE_ROW:])  # type: ignore[arg-type]  # the shape has looked at the types
    return digest_of(row) == row.digest
