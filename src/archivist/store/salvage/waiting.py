"""What waits for the owner, after damage: no backup is needed to know which proposals were there, since an index repeats their ids."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import apsw

from archivist.records import Scope
from archivist.store.connection import open_reader
from archivist.store.identity import identity_in
from archivist.store.scopes import scope_key
from archivist.store.trouble import StoreDamaged, StoreNotOpened

PROPOSALS: Final = "proposals"
IDS: Final = "sqlite_autoindex_proposals_1"
"""The index that has the id of every proposal."""
_COLUMNS: Final = (
    "id, kind, target, state, made_at, expires_at, decided_at, change, reason, operations, evidence, same"
)


def fill_proposals(db: apsw.Connection, backups: Callable[[], Iterable[Path]], *, is_whole: bool) -> int:
    """Copy from backups the proposals that are gone; how many. One that was decided on since waits again.

    Args:
        db: The new database, within a transaction.
        backups: Verified copies of `state.db`, newest first; asked for only where something may be gone.
        is_whole: Whether all proposals could be read.
    """
    return 0 if is_whole else sum(_fill_from(db, path) for path in backups())


def lost_proposals(db: apsw.Connection, known: set[str], erased: frozenset[str]) -> int:
    """How many proposals were there and are nowhere.

    Args:
        db: The new database.
        known: The ids that were read of rows and of the index.
        erased: Those that the owner has erased.
    """
    there = {name for (name,) in db.execute("SELECT id FROM proposals")}
    return len(known - there - erased)


def _fill_from(db: apsw.Connection, path: Path) -> int:
    try:
        backup = open_reader(path)
    except (StoreDamaged, StoreNotOpened, apsw.Error):
        return 0  # another one may be good
    try:
        return _copied(db, backup)
    except (apsw.CorruptError, apsw.NotADBError, apsw.SQLError, UnicodeDecodeError):
        return 0  # such as one that knew no proposals
    finally:
        backup.close()


def _copied(db: apsw.Connection, backup: apsw.Connection) -> int:
    history = db.execute("SELECT value FROM meta WHERE key = 'lineage'").get
    if history is None or history != identity_in(backup).first_id:
        return 0  # it may be of another home
    columns = ", ".join(f"p.{name}" for name in _COLUMNS.split(", "))
    rows: list[Any] = backup.execute(
        f"SELECT sc.user, sc.chat, sc.project, {columns} FROM proposals AS p JOIN scopes AS sc ON sc.key = p.scope ORDER BY p.key"
    ).fetchall()
    copied = 0
    for user, chat, project, *values in rows:
        if not db.execute("SELECT 1 FROM proposals WHERE id = ?", (values[0],)).get:
            scope = scope_key(db, Scope(user or None, chat or None, project or None))
            marks = ", ".join("?" * (1 + len(values)))
            db.execute(
                f"INSERT OR IGNORE INTO proposals(scope, {_COLUMNS}) VALUES({marks})", (scope, *values)
            )
            copied += db.changes()
    return copied


__all__ = ["IDS", "PROPOSALS", "fill_proposals", "lost_proposals"]
