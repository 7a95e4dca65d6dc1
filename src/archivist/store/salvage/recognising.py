"""Whether a database whose head says otherwise is Archivist's all the same."""

from pathlib import Path
from typing import Final

import apsw

from archivist.store.salvage.harvest import Harvest
from archivist.store.salvage.image import Image

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
