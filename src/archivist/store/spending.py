"""What requests cost: of conversations that are here and of those that are gone, in one sum.

Functions over a connection. What a conversation used is added to `spent` before the conversation goes, in the same transaction, so
no total ever changes by a deletion.
"""

from array import array
from collections.abc import Collection
from typing import Final, Literal

import apsw
import msgspec

from archivist.store.scopes import Scopes, within

By = Literal["model", "source", "month"]

_MONTH: Final = "strftime('%Y-%m', s.started_at / 1000, 'unixepoch')"
_SUMS: Final = "sum(u.requests), sum(u.input), sum(u.output), sum(u.cache_read), sum(u.cache_write), sum(u.reasoning), sum(u.cost_usd)"
_COUNTED: Final = ("requests", "input", "output", "cache_read", "cache_write", "reasoning", "cost_usd")
_COLUMNS: Final = {
    "model": ("u.model", "u.model"),
    "source": ("s.source", "u.source"),
    "month": (_MONTH, "u.month"),
}
_ADDED: Final = ", ".join(f"{name} = {name} + excluded.{name}" for name in _COUNTED)


class Spending(msgspec.Struct, frozen=True):
    """What was used in all under one name: a model, a source or a month such as 2026-11, in UTC."""

    name: str
    requests: int
    input: int
    output: int
    cache_read: int
    cache_write: int
    reasoning: int
    cost_usd: float


def total_spending(db: apsw.Connection, scopes: Scopes, by: By) -> list[Spending]:
    """What was used in the scopes that may be seen, by conversations that are here and that are gone."""
    here, gone = _COLUMNS[by]
    seen, keys = within(scopes)
    gone_seen, _ = within(scopes, "u.scope")
    rows = db.execute(
        f"SELECT u.name, {_SUMS} FROM (SELECT {here} AS name, {', '.join(f'u.{name}' for name in _COUNTED)}"
        f" FROM usage AS u JOIN sessions AS s ON s.key = u.session WHERE {seen}"
        f" UNION ALL SELECT {gone}, {', '.join(f'u.{name}' for name in _COUNTED)} FROM spent AS u WHERE {gone_seen})"
        " AS u GROUP BY 1 ORDER BY 1",
        (*keys, *keys),
    )
    return [Spending(*row) for row in rows]


def keep_spending(db: apsw.Connection, sessions: Collection[int]) -> None:
    """Add what these sessions used to what remains when they are gone, and remove it from them."""
    wanted = (apsw.carray(array("q", sessions)),)
    chosen = "u.session IN (SELECT value FROM carray(?))"
    db.execute(
        f"INSERT INTO spent SELECT s.scope, s.source, u.model, {_MONTH}, {_SUMS} FROM usage AS u"
        f" JOIN sessions AS s ON s.key = u.session WHERE {chosen} GROUP BY 1, 2, 3, 4"
        f" ON CONFLICT(scope, source, model, month) DO UPDATE SET {_ADDED}",
        wanted,
    )
    db.execute(f"DELETE FROM usage AS u WHERE {chosen}", (apsw.carray(array("q", sessions)),))


def hide_spending(db: apsw.Connection, scope: int, lacking: str) -> None:
    """Count to another scope what was used in scopes of which nothing is known any more; all of them in one sum.

    Args:
        db: A connection, inside a transaction.
        scope: The key of the scope that nobody but the owner sees.
        lacking: Which rows of `spent`, as a condition.
    """
    sums = ", ".join(f"sum({name})" for name in _COUNTED)
    rows = db.execute(
        f"SELECT source, model, month, {sums} FROM spent WHERE {lacking} GROUP BY 1, 2, 3"
    ).fetchall()
    db.execute(f"DELETE FROM spent WHERE {lacking}")
    db.executemany(
        f"INSERT INTO spent VALUES(?, ?, ?, ?{', ?' * len(_COUNTED)})"
        f" ON CONFLICT(scope, source, model, month) DO UPDATE SET {_ADDED}",
        [(scope, *row) for row in rows],
    )
