"""What the requests of our own agent had in common with those before them: numbers and digests, never a text.

Functions over a connection; those that write are called inside a transaction. A compaction's child and a fork go on from what their
parent was sent, so that what was sent before is sought along the parents.
"""

from array import array
from collections.abc import Collection, Sequence
from typing import Any, Final

import apsw
import msgspec

from archivist.store.rows import clean_id
from archivist.store.scopes import Scopes, within
from archivist.store.sessions import MOST_TOKENS, require_session

_COLUMNS: Final = (
    "r.at, r.provider, r.model, r.request_id, r.epoch, r.began, r.blocks, r.tokens, r.before_blocks, r.before_tokens,"
    " r.shared_blocks, r.shared_tokens, r.broke, r.broke_at, r.broke_why"
)
_MOST_PARENTS: Final = 10_000
"""Sessions that lead back to one another in a damaged database are followed no further."""


class RequestRow(msgspec.Struct, frozen=True):
    """One request.

    Attributes:
        at: Milliseconds since 1970.
        request_id: The provider's, by which its usage is found; empty where it gave none.
        epoch: Which one in its conversation, from 1.
        began: Why an epoch begins with it; None where one goes on.
        blocks: Tools, prompt and messages in it.
        tokens: Of these, by an estimate.
        before_blocks: Of the request before in its conversation; 0 where there is none.
        shared_blocks: That both begin with.
        broke: What left the one before: "tools", "system" or "message".
        broke_at: Which one of that kind.
        broke_why: How.
    """

    at: int
    provider: str
    model: str
    request_id: str
    epoch: int
    began: str | None
    blocks: int
    tokens: int
    before_blocks: int
    before_tokens: int
    shared_blocks: int
    shared_tokens: int
    broke: str | None = None
    broke_at: int | None = None
    broke_why: str | None = None


class Before(msgspec.Struct, frozen=True):
    """The request before.

    Attributes:
        epoch: In which it was made.
        at: When, in milliseconds.
        blocks: What it was made of, as it was kept; empty where that can be compared no more.
        is_forked: Whether it was made in a session of which the one that is asked about is a fork.
        provider: Who was asked; empty where that is not known.
        model: Which answered; likewise.
    """

    epoch: int
    at: int
    blocks: bytes
    is_forked: bool = False
    provider: str = ""
    model: str = ""


class Used(msgspec.Struct, frozen=True):
    """What a provider counted of one request, or of several under one name."""

    requests: int
    input: int
    output: int
    cache_read: int
    cache_write: int
    cost_usd: float


class Seen(msgspec.Struct, frozen=True):
    """A request as it is read: in which session, and what its provider counted, where it did."""

    session_id: str
    row: RequestRow
    used: Used | None


def before(db: apsw.Connection, session_id: str) -> Before | None:
    """The newest request of a session, or of what it came from."""
    key: int | None = db.execute("SELECT key FROM sessions WHERE id = ?", (session_id,)).get
    is_forked = False
    for _ in range(_MOST_PARENTS):
        if key is None:
            return None
        found: Any = db.execute(
            "SELECT b.epoch, coalesce(r.at, 0), b.blocks, coalesce(r.provider, ''), coalesce(r.model, '') FROM request_blocks AS b"
            " LEFT JOIN requests AS r ON r.session = b.session AND r.number = b.number WHERE b.session = ?",
            (key,),
        ).fetchone()
        if found is not None:
            epoch, at, blocks, *named = found
            return Before(epoch, at, blocks, is_forked, *named)
        origin: Any = db.execute(
            "SELECT parent, link IS 'fork' FROM sessions WHERE key = ? AND link IS NOT 'subagent'", (key,)
        ).fetchone()
        key, is_forked = (None, False) if origin is None else (origin[0], is_forked or bool(origin[1]))
    return None


def is_undone_since(db: apsw.Connection, session_id: str, at: int) -> bool:
    """Whether something of the conversation of a session was taken back, or given back, since a time in milliseconds."""
    key = require_session(db, session_id).conversation
    query = "SELECT EXISTS (SELECT 1 FROM undos WHERE conversation = ?1 AND max(made_at, coalesce(redone_at, 0)) >= ?2)"
    return bool(db.execute(query, (key, at)).get)


def add_request(db: apsw.Connection, session_id: str, row: RequestRow, blocks: bytes) -> None:
    """Keep a request and what it was made of, in place of what the one before in its session was.

    Raises:
        UnknownSession: There is none.
    """
    key = require_session(db, session_id).key
    number = db.execute("SELECT coalesce(max(number), 0) + 1 FROM requests WHERE session = ?", (key,)).get
    sizes = (
        row.blocks,
        row.tokens,
        row.before_blocks,
        row.before_tokens,
        row.shared_blocks,
        row.shared_tokens,
    )
    db.execute(
        "INSERT INTO requests VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            key,
            number,
            row.at,
            clean_id(row.provider),
            clean_id(row.model),
            clean_id(row.request_id),
            row.epoch,
            row.began,
            *(min(size, MOST_TOKENS) for size in sizes),
            row.broke,
            row.broke_at,
            row.broke_why,
        ),
    )
    db.execute("INSERT OR REPLACE INTO request_blocks VALUES(?, ?, ?, ?)", (key, number, row.epoch, blocks))


def read_requests(db: apsw.Connection, sessions: Collection[int]) -> list[Seen]:
    """The requests of sessions in order, each with what its provider counted."""
    rows: list[Any] = db.execute(
        f"SELECT s.id, {_COLUMNS}, u.requests, u.input, u.output, u.cache_read, u.cache_write, u.cost_usd"
        " FROM requests AS r JOIN sessions AS s ON s.key = r.session"
        " LEFT JOIN (SELECT session, request_id, sum(requests) AS requests, sum(input) AS input, sum(output) AS output,"
        " sum(cache_read) AS cache_read, sum(cache_write) AS cache_write, sum(cost_usd) AS cost_usd FROM usage"
        " WHERE session IN (SELECT value FROM carray(?1)) AND request_id <> '' GROUP BY session, request_id) AS u"
        " ON u.session = r.session AND u.request_id = r.request_id"
        " WHERE r.session IN (SELECT value FROM carray(?1)) ORDER BY r.at, r.session, r.number",
        (apsw.carray(array("q", sessions)),),
    ).fetchall()
    places = len(RequestRow.__struct_fields__) + 1
    return [
        Seen(row[0], RequestRow(*row[1:places]), None if row[places] is None else Used(*row[places:]))
        for row in rows
    ]


def read_used(db: apsw.Connection, sessions: Collection[int]) -> Used:
    """What all requests of sessions used, whoever made them."""
    sums = ", ".join(f"coalesce(sum({name}), 0)" for name in Used.__struct_fields__)
    query = f"SELECT {sums} FROM usage WHERE session IN (SELECT value FROM carray(?))"
    return Used(*db.execute(query, (apsw.carray(array("q", sessions)),)).get)


def sessions_of(db: apsw.Connection, session: int, scopes: Scopes) -> list[int]:
    """The sessions of a session's conversation that may be seen."""
    seen, keys = within(scopes)
    rows = db.execute(
        "SELECT s.key FROM sessions AS s WHERE s.conversation = (SELECT conversation FROM sessions WHERE key = ?)"
        f" AND {seen} ORDER BY s.key",
        (session, *keys),
    )
    return [key for (key,) in rows]


def counted_conversations(db: apsw.Connection, scopes: Scopes, limit: int) -> list[int]:
    """A session of each conversation of which requests or usage are known, the one last active first."""
    seen, keys = within(scopes)
    rows = db.execute(
        "SELECT min(s.key) FROM sessions AS s"
        " WHERE (EXISTS (SELECT 1 FROM requests AS r WHERE r.session = s.key)"
        f" OR EXISTS (SELECT 1 FROM usage AS u WHERE u.session = s.key)) AND {seen}"
        " GROUP BY s.conversation ORDER BY max(s.last_active_at) DESC, s.conversation DESC LIMIT ?",
        (*keys, limit),
    )
    return [key for (key,) in rows]


def forget_requests(db: apsw.Connection, sessions: Sequence[int] | Collection[int]) -> None:
    """Remove what is known of the requests of sessions that go, and the tools that no other began with."""
    for table in ("requests", "request_blocks", "session_tools"):
        db.execute(
            f"DELETE FROM {table} WHERE session IN (SELECT value FROM carray(?))",
            (apsw.carray(array("q", sessions)),),
        )
    db.execute("DELETE FROM tool_lists WHERE sha256 NOT IN (SELECT sha256 FROM session_tools)")


__all__ = [
    "Before",
    "RequestRow",
    "Seen",
    "Used",
    "add_request",
    "before",
    "counted_conversations",
    "forget_requests",
    "is_undone_since",
    "read_requests",
    "read_used",
    "sessions_of",
]
