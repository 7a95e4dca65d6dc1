"""OpenClaw's histories as sessions.

Older versions wrote a file a session, newer ones keep the same entries in a database; a session has the same id in both, and so has
each of its messages. A dated note is a session of its own, each entry of it a message that is known by its words.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from archivist.transfer.databases import count_sessions, is_sqlite, naming_damage, opened_copy, size_of
from archivist.transfer.foreign import Found, Reading, SourceUnreadable
from archivist.transfer.openclaw.database import Database
from archivist.transfer.openclaw.home import Home
from archivist.transfer.openclaw.messages import SOURCE
from archivist.transfer.openclaw.places import DATABASE, Item, is_root, look_at, own_folders, roots
from archivist.transfer.openclaw.transcripts import is_transcript


class OpenClaw:
    """The codec."""

    name = SOURCE

    def find(self, home: Path, environ: Mapping[str, str]) -> list[Found]:
        """The program's folders, profiles included."""
        return [found for root in roots(home, environ) if (found := self._found(root)) is not None]

    def recognises(self, path: Path) -> bool:
        """The program's folder, a folder of sessions, a transcript or an agent's database."""
        return is_root(path) or any(_is_openclaw(item) for item in look_at(path).items)

    def owned(self, path: Path) -> Sequence[Path]:
        """The program's folder; of one that is known by what is in it alone, only that."""
        return own_folders(path)

    def open(self, path: Path, reading: Reading) -> Home:
        """Open a root, a folder of sessions or a file."""
        return Home(look_at(path), reading)

    def _found(self, root: Path) -> Found | None:
        places = look_at(root)
        items = [item for item in places.items if item.kind != "notices"]
        if not items and not places.curated:
            return None
        size = size_of(item.path for item in items)
        databases = [item.path for item in items if item.kind == "database"]
        counted = count_sessions(databases, _sessions_in, size)
        files = sum(item.kind == "transcript" for item in items)
        return Found(SOURCE, root, None if counted is None else files + counted, size)


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


def _sessions_in(path: Path) -> int | None:
    with opened_copy(path) as db, naming_damage(path):
        database = Database(db, Item(path, path.name, "database"))
        return None if database.missing else len(database.sessions())
