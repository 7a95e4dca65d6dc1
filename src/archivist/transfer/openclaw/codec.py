"""OpenClaw's histories as sessions.

Older versions wrote a file a session, newer ones keep the same entries in a database; a session has the same id in both, and so has
each of its messages. A dated note is a session of its own, each entry of it a message that is known by its words.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from archivist.transfer.databases import is_sqlite, naming_damage, opened_copy
from archivist.transfer.foreign import Found, Reading, SourceUnreadable
from archivist.transfer.openclaw.database import AgentRows
from archivist.transfer.openclaw.home import Home
from archivist.transfer.openclaw.messages import SOURCE
from archivist.transfer.openclaw.places import (
    DATABASE,
    Item,
    is_root,
    is_transcript,
    look_at,
    roots,
)

COUNTED_BYTES = 32 * 1024 * 1024
"""Up to this size a database is opened only to say how many sessions it holds."""


@dataclass(frozen=True, slots=True)
class OpenClaw:
    """The codec.

    Attributes:
        with_deleted: Whether transcripts that the owner has deleted, but the program still keeps, are read too.
    """

    with_deleted: bool = False

    @property
    def name(self) -> str:
        """The format's name."""
        return SOURCE

    def find(self, home: Path, environ: Mapping[str, str]) -> list[Found]:
        """The program's folders, profiles included."""
        return [found for root in roots(home, environ) if (found := self._found(root)) is not None]

    def recognises(self, path: Path) -> bool:
        """The program's folder, a folder of sessions, a transcript or an agent's database."""
        if path.is_dir():
            return is_root(path) or any(_is_openclaw(item) for item in look_at(path).items)
        return any(_is_openclaw(item) for item in look_at(path).items)

    def open(self, path: Path, reading: Reading) -> Home:
        """Open a root, a folder of sessions or a file."""
        return Home(look_at(path), reading, with_deleted=self.with_deleted)

    def _found(self, root: Path) -> Found | None:
        items = [item for item in look_at(root).items if item.kind != "places"]
        told = [item for item in items if item.kind in {"transcript", "database", "daily"}]
        if not told:
            return None
        size = sum(item.path.stat().st_size for item in told)
        return Found(SOURCE, root, _count_sessions(told) if size <= COUNTED_BYTES else None, size)


def _is_openclaw(item: Item) -> bool:
    if item.kind == "transcript":
        return is_transcript(item.path)
    if item.kind != "database":
        return False
    if item.path.name == DATABASE:
        return is_sqlite(item.path)
    try:
        return _sessions_in(item.path) is not None
    except SourceUnreadable:
        return False


def _count_sessions(items: Sequence[Item]) -> int | None:
    files = sum(item.kind == "transcript" and item.state != "deleted" for item in items)
    try:
        return files + sum(_sessions_in(item.path) or 0 for item in items if item.kind == "database")
    except SourceUnreadable:
        return None


def _sessions_in(path: Path) -> int | None:
    with opened_copy(path) as db, naming_damage(path):
        rows = AgentRows(db, "main")
        return None if rows.missing else len(rows.sessions())
