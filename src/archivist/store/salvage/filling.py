"""Rows that a backup still has and the damaged database has not: copied when their hash is right and nobody removed them since."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import apsw

from archivist.records import Scope
from archivist.store.connection import open_reader
from archivist.store.identity import former_stores, identity_in
from archivist.store.losses import missing, removed
from archivist.store.messages import runs
from archivist.store.rows import COLUMNS, Row, digest_of
from archivist.store.salvage.mending import STAND_IN
from archivist.store.scopes import scope_key
from archivist.store.sessions import session_digest
from archivist.store.tool_lists import copy_tools
from archivist.store.trouble import StoreDamaged, StoreNotOpened

NEWEST: Final = (1 << 62) - 1
"""No message has a higher id."""
TABLES_OF_A_SESSION: Final = ("usage", "context", "placed", "requests", "request_blocks", "session_tools")


def fill_from(db: apsw.Connection, backups: Iterable[Path], wrong: set[int]) -> tuple[int, set[int]]:
    """Copy from backups what is missing or wrong; the newest backup comes first.

    Args:
        db: The new database, within a transaction.
        backups: Verified copies of `state.db`.
        wrong: Ids of messages whose content and hash differ; those that were replaced are taken out.

    Returns:
        How many messages came from them, and the keys of the sessions that did.
    """
    copied, sessions = 0, set[int]()
    for path in backups:
        try:
            backup = open_reader(path)
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
    """One backup beside the new database.

    A message's id means the same in both only as far as they have one history: up to the last id under which both have the same message,
    before the first under which they differ; beyond it only if the backup was made of this very store.
    """

    def __init__(self, db: apsw.Connection, backup: apsw.Connection) -> None:
        self._db, self._backup, self._sessions = db, backup, set[int]()
        names: Any = db.execute("SELECT name FROM pragma_table_info('sessions')").fetchall()
        self._columns = [name for (name,) in names if name not in {"key", "scope"}]
        self._trusted = self._trusted_through()

    def fill(self, wrong: set[int]) -> tuple[int, set[int]]:
        if not self._trusted:
            return 0, set()  # its ids mean other messages
        self._fill_stand_ins()
        copied = sum(self._copy(*values) for values in self._lacking(wrong))
        self._fill_stand_ins()
        self._fill_lists()
        return copied, self._sessions

    def _trusted_through(self) -> int:
        """The last id that means the same message in both; 0 for none."""
        its = identity_in(self._backup)
        history = self._db.execute("SELECT value FROM meta WHERE key = 'lineage'").get
        if history is not None and history != its.first_id:
            return 0
        agreed, differs = _common_history(self._db, self._backup)
        if agreed and history is None:
            self._db.execute("INSERT OR IGNORE INTO meta VALUES('lineage', ?)", (its.first_id,))
        return NEWEST if its.store_id in former_stores(self._db) and not differs else agreed

    def _fill_stand_ins(self) -> None:
        """Copy the sessions that are gone, those whose scope is, and those whose hash is wrong."""
        rows: Any = self._db.execute(
            "SELECT s.key, s.source = ?1 OR (sc.user, sc.chat, sc.project) = ('', ?1, ''), s.digest"
            " FROM sessions AS s JOIN scopes AS sc ON sc.key = s.scope WHERE s.digest IS NOT NULL",
            (STAND_IN,),
        ).fetchall()
        for key, is_hidden, digest in rows:
            is_lacking = is_hidden or digest != session_digest(self._db, key)
            if is_lacking and self._is_same_session(key) and not self._is_stand_in_there(key):
                self._copy_session(key)

    def _fill_lists(self) -> None:
        """Copy what is gone of what sessions' models were given when they began: a list never changes."""
        begun: Any = self._db.execute(
            "SELECT key FROM sessions WHERE link IN ('compaction', 'fork')"
        ).fetchall()
        for (key,) in begun:
            if self._is_same_session(key):
                self._copy_rows("context", key, f"message <= {self._trusted}")

    def _is_stand_in_there(self, key: int) -> bool:
        """Whether the backup has no more than a stand-in either."""
        return bool(
            self._backup.execute(
                "SELECT s.source = ?1 OR (sc.user, sc.chat, sc.project) = ('', ?1, '')"
                " FROM sessions AS s JOIN scopes AS sc ON sc.key = s.scope WHERE s.key = ?2",
                (STAND_IN, key),
            ).get
        )

    def _lacking(self, wrong: set[int]) -> Iterator[tuple[Any, ...]]:
        gone = removed(self._db)
        ranges = [*missing(self._db, with_known=True), *runs(sorted(wrong))]
        for first, last in ((first, min(last, self._trusted)) for first, last in ranges):
            query = f"SELECT id, session, conversation, {COLUMNS} FROM messages WHERE id BETWEEN ? AND ?"
            for key, session, conversation, *values in self._backup.execute(query, (first, last)):
                row = Row(*values)
                if key not in gone and digest_of(row) == row.digest and self._is_same_session(session):
                    wrong.discard(key)
                    yield key, session, conversation, *values

    def _is_same_session(self, key: int) -> bool:
        """Whether a key means the same session in both: told by its id, of one whose row is gone by a message that both have of it."""
        row: Any = self._db.execute("SELECT id, source FROM sessions WHERE key = ?", (key,)).fetchone()
        if row is not None and row[1] != STAND_IN:
            return bool(self._backup.execute("SELECT id = ? FROM sessions WHERE key = ?", (row[0], key)).get)
        of_it = "SELECT id, client_id FROM messages WHERE session = ? ORDER BY id LIMIT 1"
        known: Any = self._db.execute(of_it, (key,)).fetchone()
        if known is None:
            return True  # nothing of it is here that could be another's
        same = "SELECT session = ? AND client_id = ? FROM messages WHERE id = ?"
        return bool(self._backup.execute(same, (key, known[1], known[0])).get)

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
        if self._has("tool_lists"):
            copy_tools(self._db, self._backup, key)

    def _has(self, table: str) -> bool:
        """Whether the backup has a table: an older one has fewer."""
        return bool(self._backup.execute("SELECT 1 FROM pragma_table_info(?) LIMIT 1", (table,)).get)

    def _copy_rows(self, table: str, session: int, condition: str = "1") -> None:
        if not self._has(table):
            return
        names: Any = self._backup.execute("SELECT name FROM pragma_table_info(?)", (table,)).fetchall()
        columns = ", ".join(name for (name,) in names)  # an older backup has fewer
        for row in self._backup.execute(
            f"SELECT {columns} FROM {table} WHERE session = ? AND {condition}", (session,)
        ):
            marks = ", ".join("?" * len(row))
            self._db.execute(f"INSERT OR IGNORE INTO {table}({columns}) VALUES({marks})", row)


def _common_history(one: apsw.Connection, other: apsw.Connection) -> tuple[int, bool]:
    """The last id under which both have the same message before the first under which they differ, and whether they do."""
    query = "SELECT id, client_id FROM messages ORDER BY id"
    mine, theirs = iter(one.execute(query)), iter(other.execute(query))
    left, right = next(mine, None), next(theirs, None)
    agreed = 0
    while left is not None and right is not None:
        if left[0] == right[0]:
            if left[1] != right[1]:
                return agreed, True
            agreed = int(left[0])
            left, right = next(mine, None), next(theirs, None)
        elif left[0] < right[0]:
            left = next(mine, None)
        else:
            right = next(theirs, None)
    return agreed, False
