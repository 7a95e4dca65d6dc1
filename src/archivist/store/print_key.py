"""The key with which it is hashed how messages look at their source, and of what requests were made.

It stands in a file of its own, which no backup and no export holds: a copy of the database tells nobody whether a guess at what was
masked is right. Where the file is gone another key is made, and what was hashed with the first counts as not known.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import apsw

from archivist.files import locked, make_folder, write_atomically
from archivist.records import ArchivistError
from archivist.records.digest import blake2b
from archivist.store.imported import forget_followed
from archivist.store.state import StateStore

MADE_WITH: Final = "raw_prints_key"
"""The key in `meta` that says with which key the hashes were made."""
KEY_IDS: Final = 4
LOCK_SECONDS: Final = 10.0


class PrintKeyUnreadable(ArchivistError):
    """There is a key, and it cannot be read now; another in its place would make everything that was hashed unknown."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(
            f"{path} cannot be read ({reason}), so nothing was stored: put it right, then try again"
        )


def ready_key(store: StateStore, path: Path, new_id: Callable[[], str]) -> bytes:
    """The key of a home, made where there is none; only what was hashed with it counts from now on.

    Args:
        store: The home's.
        path: The key's file.
        new_id: Makes a random id.

    Raises:
        PrintKeyUnreadable: There is one that cannot be read now.
        FileLocked, FileNotWritten: There is none and none can be made.
    """
    key = _read(path) or _make(path, new_id)
    name = blake2b(key, digest_size=8, person=b"name").hexdigest()
    if store.read(_made_with) != name:
        store.write(lambda db: _use(db, name))
    return key


def _read(path: Path) -> bytes:
    """The key; empty where there is none, or something else stands in the file."""
    try:
        return bytes.fromhex(path.read_text("ascii"))
    except (FileNotFoundError, ValueError):
        return b""
    except OSError as error:
        raise PrintKeyUnreadable(path, error.strerror or str(error)) from error


def _make(path: Path, new_id: Callable[[], str]) -> bytes:
    make_folder(path.parent)
    with locked(path.with_name(f"{path.name}.lock"), seconds=LOCK_SECONDS):
        if not _read(path):
            text = "".join(new_id() for _ in range(KEY_IDS))
            write_atomically(path, blake2b(text.encode(), digest_size=32).hexdigest().encode())
        return _read(path)


def _made_with(db: apsw.Connection) -> str | None:
    name: str | None = db.execute("SELECT value FROM meta WHERE key = ?", (MADE_WITH,)).get
    return name


def _use(db: apsw.Connection, name: str) -> None:
    """Let what was hashed with another key count as not known: what is told is taken for what is here."""
    db.execute("DELETE FROM raw_prints WHERE told_as IS NULL")
    db.execute("UPDATE raw_prints SET print = x''")
    db.execute("UPDATE request_blocks SET blocks = x''")
    forget_followed(db)
    db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (MADE_WITH, name))
