"""The tools that sessions were begun with, as they are sent: each list is kept once, under the hash of its JSON.

Functions over a connection; those that write are called inside a transaction.
"""

from typing import Any

import apsw

from archivist.records.digest import text_digest
from archivist.store.sessions import require_session


def keep_tools(db: apsw.Connection, session_id: str, tools: str, at: int) -> None:
    """Let a session have begun with these tools.

    Args:
        db: A connection.
        session_id: Our id.
        tools: As JSON.
        at: The time, in milliseconds.

    Raises:
        UnknownSession: There is none.
    """
    key, name = require_session(db, session_id).key, text_digest(tools)
    db.execute("INSERT OR IGNORE INTO tool_lists(first_at, sha256, tools) VALUES(?, ?, ?)", (at, name, tools))
    db.execute("INSERT OR REPLACE INTO session_tools VALUES(?, ?)", (key, name))


def read_tools(db: apsw.Connection, session_id: str) -> str | None:
    """The tools that a session was begun with, as JSON; None where nobody knows any more."""
    tools: str | None = db.execute(
        "SELECT l.tools FROM sessions AS s JOIN session_tools AS t ON t.session = s.key"
        " JOIN tool_lists AS l ON l.sha256 = t.sha256 WHERE s.id = ?",
        (session_id,),
    ).get
    return tools


def unsound_tools(db: apsw.Connection) -> list[int]:
    """Keys of lists that are not what was stored."""
    rows: list[Any] = db.execute("SELECT key, sha256, CAST(tools AS BLOB) FROM tool_lists").fetchall()
    return [key for key, name, tools in rows if text_digest(bytes(tools).decode("utf-8", "replace")) != name]


def drop_unsound_tools(db: apsw.Connection) -> None:
    """After damage: remove what cannot be sent again; its session takes the tools of today."""
    db.executemany("DELETE FROM tool_lists WHERE key = ?", [(key,) for key in unsound_tools(db)])
    db.execute("DELETE FROM session_tools WHERE sha256 NOT IN (SELECT sha256 FROM tool_lists)")
    db.execute("DELETE FROM tool_lists WHERE sha256 NOT IN (SELECT sha256 FROM session_tools)")


def copy_tools(db: apsw.Connection, backup: apsw.Connection, session: int) -> None:
    """Copy from a backup the list that a session of it was begun with."""
    for row in backup.execute(
        "SELECT l.first_at, l.sha256, l.tools FROM session_tools AS t JOIN tool_lists AS l ON l.sha256 = t.sha256"
        " WHERE t.session = ?",
        (session,),
    ):
        db.execute("INSERT OR IGNORE INTO tool_lists(first_at, sha256, tools) VALUES(?, ?, ?)", row)


__all__ = ["copy_tools", "drop_unsound_tools", "keep_tools", "read_tools", "unsound_tools"]
