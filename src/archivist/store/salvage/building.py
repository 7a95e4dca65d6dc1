"""A new database from the rows of a damaged one: each message proven by its hash, each id given once."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import apsw
import msgspec

from archivist.store.connection import PAGE_BYTES, connect
from archivist.store.identity import remember_former
from archivist.store.losses import Ranges, removed
from archivist.store.migrating import APPLICATION_ID, migrate
from archivist.store.rows import Row, digest_of
from archivist.store.salvage.harvest import CHANGES, Found, Harvest
from archivist.store.salvage.waiting import IDS
from archivist.store.schema import MIGRATIONS

BEFORE_ROW: Final = 3
"""Columns of `messages` before those of a row: id, session, conversation."""
ANNOUNCED_AT_ONCE: Final = 10_000_000
"""No transaction stores more messages: a change that says so is damaged."""


class Tally(msgspec.Struct):
    """What was read, by where it came from.

    Attributes:
        wrong: Ids of messages whose content and hash differ.
        session_ids: By key, ids of sessions as an index repeats them.
        scopes: By key, scopes as an index repeats them.
        proposals: Ids of proposals, as rows and an index have them.
    """

    from_file: int = 0
    from_log: int = 0
    others: int = 0
    wrong: set[int] = msgspec.field(default_factory=set)
    session_ids: dict[int, str] = msgspec.field(default_factory=dict)
    scopes: dict[int, tuple[str, str, str]] = msgspec.field(default_factory=dict)
    proposals: set[str] = msgspec.field(default_factory=set)


def create(path: Path, version: int) -> apsw.Connection:
    """An empty database with the tables of a schema, made quickly: its file is synced when it is whole.

    Raises:
        apsw.Error: It cannot be made there.
    """
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    db = connect(path)
    db.execute(
        f"PRAGMA page_size = {PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL"
    )  # as any new file has them
    db.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON").fetchall()
    db.execute("PRAGMA foreign_keys = OFF; PRAGMA cache_size = -32768")
    db.execute("BEGIN")
    for migration in MIGRATIONS[:version]:
        migration(db)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {version}")
    return db


def fill(db: apsw.Connection, harvest: Harvest) -> Tally:
    """Put every row that can be read into a new database."""
    filling = _Filling(db)
    for found in harvest.rows():
        filling.take(found)
    return filling.tally


def bring_up_to_date(db: apsw.Connection, path: Path, *, program: str, store_id: str) -> None:
    """Run the migrations that the damaged database had not seen, and give the new one its own id."""
    db.execute("COMMIT")
    migrate(db, path, program=program, store_id=store_id)
    db.execute("BEGIN")
    db.execute(
        "INSERT OR IGNORE INTO meta SELECT 'lineage', value FROM meta WHERE key = 'store_id' AND value <> ?",
        (store_id,),
    )
    remember_former(db, store_id)
    for name, value in (("store_id", store_id), ("program", program)):
        db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (name, value))


class _Filling:
    """Rows on their way into the new database."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db, self.tally = db, Tally()
        self._removed: Ranges | None = None

    def take(self, found: Found) -> None:
        name = found.shape.name
        if name == "messages":
            self._take_message(found)
        elif name == "sqlite_autoindex_sessions_1":
            if not found.is_orphan:  # an index of titles has rows of the same form
                self.tally.session_ids[_key(found)] = str(found.values[0])
        elif name == "sqlite_autoindex_scopes_1":
            user, chat, project, key = found.values
            self.tally.scopes[int(key or 0)] = (str(user), str(chat), str(project))
        elif name == IDS:
            if not found.is_orphan:  # other indexes have rows of the same form
                self.tally.proposals.add(str(found.values[0]))
        elif found.shape.is_table:
            self.tally.others += self._insert(name, found.values)

    def _take_message(self, found: Found) -> None:
        key = _key(found)
        if found.is_orphan and self._is_removed(key):
            return
        row = Row(*found.values[BEFORE_ROW:])  # type: ignore[arg-type]  # the shape has looked at the types
        is_right = digest_of(row) == row.digest and found.in_order
        if not self._insert("messages", found.values):
            if not is_right or not self._makes_room(found):
                return
        elif found.is_from_log:
            self.tally.from_log += 1
        else:
            self.tally.from_file += 1
        if not is_right:
            self.tally.wrong.add(key)

    def _makes_room(self, found: Found) -> bool:
        """Put a proven row into the place of one that is not; whether there was one."""
        if _key(found) not in self.tally.wrong:
            return False
        self._db.execute("DELETE FROM messages WHERE id = ?", (_key(found),))
        self.tally.wrong.discard(_key(found))
        return self._insert("messages", found.values)

    def _is_removed(self, key: int) -> bool:
        """Whether a message was removed on purpose: its row may still stand on a page that is free."""
        if self._removed is None:
            drop_implausible_changes(self._db)
            self._removed = removed(self._db)
        return key in self._removed

    def _insert(self, table: str, values: Sequence[Any]) -> bool:
        marks = ", ".join("?" * len(values))
        try:
            self._db.execute(f"INSERT OR IGNORE INTO {table} VALUES({marks})", values)
        except (apsw.ConstraintError, apsw.MismatchError):
            return False
        return self._db.changes() > 0


def _key(found: Found) -> int:
    """The number by which a row is known: its key, or that of the row which an index leads to."""
    value = found.values[found.shape.key]
    assert isinstance(value, int)
    return value


def drop_implausible_changes(db: apsw.Connection) -> int:
    """Forget changes that cannot have been: of ids that run backwards, or far ahead of what follows; returns how many."""
    db.execute(
        f"DELETE FROM {CHANGES} WHERE seq < 1 OR first_message < 1 OR last_message < first_message"
        " OR last_message - first_message > ? OR kind NOT IN ('added', 'changed', 'removed', 'lost', 'mended')",
        (ANNOUNCED_AT_ONCE,),
    )
    dropped = db.changes()
    db.execute(
        f"DELETE FROM {CHANGES} WHERE kind = 'added' AND last_message >= (SELECT next.first_message FROM {CHANGES} AS next"
        f" WHERE next.kind = 'added' AND next.seq > {CHANGES}.seq ORDER BY next.seq LIMIT 1)"
        " AND last_message > first_message"
    )
    return dropped + db.changes()
