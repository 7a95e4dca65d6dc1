"""What compressions have saved of a conversation, kept with its sessions, so that every process knows when another is of no use.

Functions over a connection; those that write are called inside a transaction.
"""

from array import array
from collections.abc import Iterator, Mapping
from typing import Any, Final

import apsw

from archivist.store.lines import lineage_of
from archivist.store.rows import mapping_from_json, to_json
from archivist.store.sessions import find_session, seal_session

PASSED: Final = "compression"
"""The key in the metadata of a session that a compression began, under which stands what it saved."""
IN_VAIN: Final = "compressed_in_vain"
"""The key under which stand the passes over a session that saved so little that nothing was written."""


def passes_of(db: apsw.Connection, session_id: str) -> list[tuple[int, int]]:
    """Tokens before and after each pass over a session's line, the newest last."""
    found = find_session(db, session_id)
    line = [] if found is None else lineage_of(db, found.key)
    return [one for key in line for one in _passes_in(_metadata(db, key))]


def note_in_vain(db: apsw.Connection, session_id: str, before: int, after: int) -> None:
    """Remember a pass over a session after which nothing was written."""
    found = find_session(db, session_id)
    if found is not None:
        metadata = _metadata(db, found.key)
        passes = [*_pairs(metadata.get(IN_VAIN)), (before, after)]
        db.execute(
            "UPDATE sessions SET metadata = ? WHERE key = ?",
            (to_json({**metadata, IN_VAIN: [list(one) for one in passes]}), found.key),
        )
        seal_session(db, found.key)


def counts_of(db: apsw.Connection, session_id: str) -> dict[str, int]:
    """Tokens that a provider counted of what was sent, by request, of a session's line; what nobody told is not among them.

    Whoever has the handle of an earlier session of the line tells of it there.
    """
    found = find_session(db, session_id)
    if found is None:
        return {}
    rows: Any = db.execute(
        "SELECT request_id, sum(input + cache_read + cache_write) FROM usage WHERE session IN (SELECT value FROM carray(?))"
        " AND request_id <> '' GROUP BY request_id",
        (apsw.carray(array("q", lineage_of(db, found.key))),),
    ).fetchall()
    return dict(rows)


def _metadata(db: apsw.Connection, key: int) -> Mapping[str, Any]:
    return mapping_from_json(db.execute("SELECT metadata FROM sessions WHERE key = ?", (key,)).get)


def _passes_in(metadata: Mapping[str, Any]) -> Iterator[tuple[int, int]]:
    told = metadata.get(PASSED)
    if isinstance(told, dict):
        yield from _pairs([[told.get("before"), told.get("after")]])
    yield from _pairs(metadata.get(IN_VAIN))


def _pairs(told: object) -> Iterator[tuple[int, int]]:
    for one in told if isinstance(told, list) else ():
        if isinstance(one, list) and len(one) == 2 and all(isinstance(number, int) for number in one):
            yield one[0], one[1]


__all__ = ["IN_VAIN", "PASSED", "counts_of", "note_in_vain", "passes_of"]
