"""The scopes that a reader may see, as keys, and as a condition of a query.

Every function that reads for somebody takes them, and asks here what they admit.
"""

from collections.abc import Callable, Collection
from typing import Any

from archivist.records import Everything, Reader, Scope
from archivist.store.connection import Connection

Scopes = frozenset[int] | None
"""Keys of the scopes that a reader may see; None for all that there are and will be."""


def visible_scopes(db: Connection, reader: Reader) -> Scopes:
    """The scopes that a reader may see.

    None is only for who may see everything: a stranger's scope may be new a moment later.
    """
    if isinstance(reader, Everything):
        return None
    return scopes_where(db, lambda scope: scope.is_visible_to(reader))


def scopes_of(db: Connection, session: int) -> Scopes:
    """The scopes that may be seen in a session, by whom it is with."""
    row: Any = db.execute(
        "SELECT sc.user, sc.chat, sc.project FROM sessions AS s JOIN scopes AS sc ON sc.key = s.scope WHERE s.key = ?",
        (session,),
    ).fetchone()
    return visible_scopes(db, Scope(*(one or None for one in row)) if row is not None else Scope())


def scopes_where(db: Connection, holds: Callable[[Scope], bool]) -> frozenset[int]:
    """The scopes of which something holds."""
    rows: list[Any] = db.execute("SELECT key, user, chat, project FROM scopes").fetchall()
    return frozenset(
        key for key, user, chat, project in rows if holds(Scope(user or None, chat or None, project or None))
    )


def are_all_scopes(db: Connection, scopes: Scopes) -> bool:
    """Whether there are no others at this moment."""
    return scopes is None or bool(db.execute("SELECT count(*) <= ? FROM scopes", (len(scopes),)).get)


def is_seen(scope: int | None, scopes: Scopes) -> bool:
    """Whether something of a scope may be shown."""
    return scopes is None or scope in scopes


def within(scopes: Scopes, column: str = "s.scope") -> tuple[str, tuple[int, ...]]:
    """The same as a condition of a query, and the values to bind in it."""
    if scopes is None:
        return "1", ()
    return f"{column} IN ({', '.join('?' * len(scopes))})", tuple(sorted(scopes))


def scope_key(db: Connection, scope: Scope) -> int:
    """The key of a scope, made where it is new; inside a transaction."""
    db.execute("INSERT OR IGNORE INTO scopes(user, chat, project) VALUES(?, ?, ?)", _columns(scope))
    key = known_scope_key(db, scope)
    assert key is not None
    return key


def known_scope_key(db: Connection, scope: Scope) -> int | None:
    """The same; None where nothing is kept of that scope."""
    key: int | None = db.execute(
        "SELECT key FROM scopes WHERE user = ? AND chat = ? AND project = ?", _columns(scope)
    ).get
    return key


def _columns(scope: Scope) -> tuple[str, str, str]:
    return scope.user or "", scope.chat or "", scope.project or ""


def sessions_seen(db: Connection, scopes: Scopes, session_ids: Collection[str]) -> frozenset[str]:
    """Those of some sessions that are there and may be seen."""
    condition, values = within(scopes)
    query = f"SELECT 1 FROM sessions AS s WHERE s.id = ? AND {condition}"
    return frozenset(name for name in session_ids if db.execute(query, (name, *values)).get)
