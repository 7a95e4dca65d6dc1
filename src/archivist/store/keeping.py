"""Whole conversations put away and kept: a mark in every session's row that may be seen, so that it holds whichever is asked."""

from array import array
from collections.abc import Collection
from datetime import datetime
from typing import Any, Literal

import apsw
import msgspec

from archivist.store.rows import milliseconds
from archivist.store.scopes import Scopes, within
from archivist.store.sessions import seal_session

Mark = Literal["archived_at", "pinned_at"]


class Marks(msgspec.Struct, frozen=True):
    """When a conversation was put away and pinned, in milliseconds; None where it was not."""

    archived_at: int | None
    pinned_at: int | None


def mark(db: apsw.Connection, key: int, what: Mark, *, when: datetime | None, scopes: Scopes) -> None:
    """Set or take away a mark of a session's conversation; one that is set stays as it was. Inside a transaction."""
    seen, keys = within(scopes)
    time = None if when is None else milliseconds(when)
    changed: Any = db.execute(
        f"UPDATE sessions AS s SET {what} = ? WHERE conversation = (SELECT conversation FROM sessions WHERE key = ?)"
        f" AND {seen} AND (s.{what} IS NULL) <> ? RETURNING key",
        (time, key, *keys, time is None),
    ).fetchall()
    for (session,) in changed:
        seal_session(db, session)


def read_marks(db: apsw.Connection, sessions: Collection[int], scopes: Scopes) -> dict[int, Marks]:
    """The marks of sessions' conversations, by session."""
    if not sessions:
        return {}
    seen, keys = within(scopes, "first.scope")
    rows = db.execute(
        "SELECT wanted.value, first.archived_at, first.pinned_at FROM carray(?) AS wanted"
        " JOIN sessions AS own ON own.key = wanted.value JOIN sessions AS first ON first.key ="
        f" (SELECT min(first.key) FROM sessions AS first WHERE first.conversation = own.conversation AND {seen})",
        (apsw.carray(array("q", sessions)), *keys),
    )
    return {key: Marks(archived, pinned) for key, archived, pinned in rows}
