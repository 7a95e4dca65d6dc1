"""Rows that a backup still has and the damaged database has not: copied when their hash is right and nobody removed them since."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import apsw

from archivist.records import Scope
from archivist.store.connection import open_reader
from archivist.store.losses import missing, removed
from archivist.store.messages import runs
from archivist.store.rows import COLUMNS, Row, digest_of
from archivist.store.salvage.mending import STAND_IN
from archivist.store.sessions import scope_key, session_digest
from archivist.store.trouble import StoreDamaged, StoreNotOpened

TABLES_OF_A_SESSION: Final = ("usage", "context")


def fill_from(db: apsw.Connection, backups: Iterable[Path], wrong: set[int]) -> tuple[int, set[int]]:
    """Copy from backups what is missing or wrong; the newest backup comes first.

    Args:
        db: The new database, within a transaction.
        backups: Verified copies of `state.db`, or folders that hold one.
        wrong: Ids of messages whose content and hash differ; those that were replaced are taken out.

    Returns:
        How many messages came from them, and the keys of the sessions that did.
    """
    copied, sessions = 0, set[int]()
    for folder in backups:
        try:
            backup = open_reader(folder / "state.db" if folder.is_dir() else folder)
        except (StoreDamaged, StoreNotOpened, apsw.Error):
            continue  # another one may be good
        try:
            more, of_sessions = _Backup(db, backup).fill(wrong)
        except (apsw.CorruptError, apsw.NotADBError, apsw.SQLError, UnicodeDecodeError):
            more, of_sessions = 0, set[int]()
        finally:
            backup.close()
        copied += more
        sessions |= of_sessions
    return copied, sessions


class _Backup:
    """One backup beside the new database; keys and ids mean the same in both, as neither is ever given twice."""

    def __init__(self, db: apsw.Connection, backup: apsw.Connection) -> None:
        self._db, self._backup, self._sessions = db, backup, set[int]()
        names: Any = db.execute("SELECT name FROM pragma_table_info('sessions')").fetchall()
        self._columns = [name for (name,) in names if name not in {"key", "scope"}]

    def fill(self, wrong: set[int]) -> tuple[int, set[int]]:
        if not self._is_of_same_history():
            return 0, set()  # its ids mean other messages
        self._fill_stand_ins()
        copied = sum(self._copy(*values) for values in self._lacking(wrong))
        self._fill_stand_ins()
        return copied, self._sessions

    def _is_of_same_history(self) -> bool:
        """Whether both began as one; a database that cannot say any more takes the backup's word."""
        theirs = self._backup.execute(
            "SELECT value FROM meta WHERE key IN ('lineage', 'store_id') ORDER BY key LIMIT 1"
        ).get
        self._db.execute("INSERT OR IGNORE INTO meta VALUES('lineage', ?)", (theirs,))
        return bool(self._db.execute("SELECT value = ? FROM meta WHERE key = 'lineage'", (theirs,)).get)

    def _fill_stand_ins(self) -> None:
        """Copy the sessions that are gone, and those whose hash is wrong."""
        rows: Any = self._db.execute(
            "SELECT key, source, digest FROM sessions WHERE digest IS NOT NULL"
        ).fetchall()
        for key, source, digest in rows:
            if source == STAND_IN or digest != session_digest(self._db, key):
                self._copy_session(key)

    def _lacking(self, wrong: set[int]) -> Iterator[tuple[Any, ...]]:
        gone = removed(self._db)
        ranges = [*missing(self._db, with_known=True), *runs(sorted(wrong))]
        for first, last in ranges:
            query = f"SELECT id, session, conversation, {COLUMNS} FROM messages WHERE id BETWEEN ? AND ?"
            for key, session, conversation, *values in self._backup.execute(query, (first, last)):
                row = Row(*values)
                if key not in gone and digest_of(row) == row.digest:
                    wrong.discard(key)
                    yield key, session, conversation, *values

    def _copy(self, key: int, session: int, conversation: int, *values: Any) -> bool:  # noqa: ANN401 - columns
        for needed in (conversation, session):
            if not self._db.execute("SELECT 1 FROM sessions WHERE key = ?", (needed,)).get:
                self._copy_session(needed)
        marks = ", ".join("?" * (3 + len(values)))
        self._db.execute("DELETE FROM messages WHERE id = ?", (key,))
        self._db.execute(
            f"INSERT OR IGNORE INTO messages VALUES({marks})", (key, session, conversation, *values)
        )
        return self._db.changes() > 0

    def _copy_session(self, key: int) -> None:
        """Put a session in its place, with what belongs to it alone; its scope is found by what it says, not by its key."""
        row = self._backup.execute(
            f"SELECT sc.user, sc.chat, sc.project, {', '.join(f's.{name}' for name in self._columns)}"
            " FROM sessions AS s JOIN scopes AS sc ON sc.key = s.scope WHERE s.key = ?",
            (key,),
        ).fetchone()
        if row is None or row[3 + self._columns.index("digest")] != session_digest(self._backup, key):
            return
        user, chat, project, *values = row
        scope = scope_key(self._db, Scope(user or None, chat or None, project or None))
        names, marks = ", ".join(self._columns), ", ".join("?" * (2 + len(values)))
        self._db.execute("DELETE FROM sessions WHERE key = ?", (key,))
        self._db.execute(
            f"INSERT OR REPLACE INTO sessions(key, scope, {names}) VALUES({marks})", (key, scope, *values)
        )
        self._sessions.add(key)
        for table in TABLES_OF_A_SESSION:
            self._copy_rows(table, key)

    def _copy_rows(self, table: str, session: int) -> None:
        for row in self._backup.execute(f"SELECT * FROM {table} WHERE session = ?", (session,)):
            self._db.execute(f"INSERT OR IGNORE INTO {table} VALUES({', '.join('?' * len(row))})", row)
