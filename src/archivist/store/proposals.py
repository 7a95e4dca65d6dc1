"""What waits for the owner to decide. Functions over a connection.

An expired proposal is told by its time: nothing has to run for it to expire. A decision is taken on the state that it was taken on: of
two at the same moment one is first.
"""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from archivist.records import ArchivistError, Scope
from archivist.records.proposals import (
    ASKED_FOR,
    Evidence,
    Kept,
    Proposal,
    ProposalState,
    ProposedOperation,
    Waiting,
)
from archivist.store.connection import Connection
from archivist.store.rows import clean, instant, milliseconds, to_json
from archivist.store.scopes import Scopes, scope_key, within

STATES: Final = ("open", "accepted", "rejected")
_COLUMNS: Final = (
    "p.id, p.kind, p.target, p.operations, p.evidence, p.reason, p.made_at, p.same, sc.user, sc.chat, sc.project,"
    " p.expires_at, p.state, p.decided_at, p.change"
)
_TABLES: Final = "proposals AS p JOIN scopes AS sc ON sc.key = p.scope"
SOON: Final = timedelta(days=7)
MOST_OPEN: Final = 200
"""Proposals of one origin about one owner's notes that wait at a time: nobody reads more, and a page must not bury one under many."""
MOST_BYTES: Final = 8 << 20
"""Of the same, all that they say."""
_ORIGIN: Final = "CASE WHEN json_valid(p.evidence) THEN p.evidence ->> '$.asker.origin' END"
_OPEN: Final = "p.state = 'open' AND (p.expires_at IS NULL OR p.expires_at > ?)"
LOOKED: Final = "review_looked_at"
"""Under which it is kept when the owner last looked."""
SEEN: Final = "review_seen"
"""Under which it is kept which of those that wait the owner has been shown whole."""
_WAITING: Final = """
    SELECT count(*) FILTER (WHERE p.expires_at IS NULL OR p.expires_at > ?),
           count(*) FILTER (WHERE p.expires_at > ? AND p.expires_at <= ?),
           count(*) FILTER (WHERE p.expires_at > ? AND p.expires_at <= ?)
    FROM proposals AS p WHERE p.state = 'open' AND """


class ReviewFull(ArchivistError):
    """So much of one origin waits for the owner already that no more may."""

    def __init__(self, origin: str | None) -> None:
        of = f"writes by {origin}" if origin else "contradictions"
        super().__init__(
            f"as many {of} as may wait for the owner already: they decide on some of them first (`archivist review list`)"
        )


def file(db: Connection, proposal: Proposal) -> bool:
    """Keep a proposal, inside a transaction; whether it is new: the same is not filed twice, decided or not.

    Raises:
        ReviewFull: No more may wait of its origin; the transaction is to be undone.
    """
    scope, asker = scope_key(db, proposal.scope), proposal.evidence.asker
    is_new = _insert(db, proposal, scope)
    origin = asker.origin if asker is not None else None
    if is_new and _is_full(db, scope, origin, proposal.made_at):
        raise ReviewFull(origin)
    return is_new


def _is_full(db: Connection, scope: int, origin: str | None, now: datetime) -> bool:
    """Whether more waits of an origin, about these notes, than may."""
    found: Any = db.execute(
        "SELECT count(*), coalesce(sum(octet_length(p.operations) + octet_length(p.evidence)), 0) FROM proposals AS p"
        f" WHERE {_OPEN} AND p.scope = ? AND {_ORIGIN} IS ?",
        (milliseconds(now), scope, origin),
    ).get
    count, size = map(int, found)
    return count > MOST_OPEN or (count > 1 and size > MOST_BYTES)


def _full_in(db: Connection, now: datetime, condition: str, values: tuple[Any, ...]) -> tuple[str, ...]:
    """Of which origins no more may wait, somewhere."""
    rows: list[Any] = db.execute(
        f"SELECT DISTINCT origin FROM (SELECT coalesce({_ORIGIN}, '') AS origin FROM proposals AS p WHERE {_OPEN} AND {condition}"
        " GROUP BY p.scope, 1 HAVING count(*) >= ?) ORDER BY 1",
        (milliseconds(now), *values, MOST_OPEN),
    ).fetchall()
    return tuple(origin for (origin,) in rows)


def _insert(db: Connection, proposal: Proposal, scope: int) -> bool:
    values = (
        proposal.id,
        proposal.kind,
        proposal.target,
        scope,
        "open",
        milliseconds(proposal.made_at),
        None if proposal.expires_at is None else milliseconds(proposal.expires_at),
        clean(proposal.reason),
        _stored(proposal.operations),
        _stored(proposal.evidence),
        clean(proposal.same),
    )
    found = db.execute(
        "INSERT OR IGNORE INTO proposals(id, kind, target, scope, state, made_at, expires_at, reason, operations, evidence, same)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING 1",
        values,
    ).get
    return bool(found)


def keep(db: Connection, proposal: Proposal) -> Kept:
    """Let a write wait, inside a transaction; where the same waits already, or was rejected, that is named.

    What has expired waits anew. What was accepted was done: if it is asked for again, it was taken back since, and is a new question.

    Raises:
        ReviewFull: No more may wait of its origin; the transaction is to be undone.
    """
    same = proposal.same
    while not file(db, replace(proposal, same=same)):
        name, state = db.execute("SELECT id, state FROM proposals WHERE same = ?", (clean(same),)).get
        if state != "accepted":
            _ask_again(db, name, proposal.expires_at)
            return Kept(name, state)
        same = f"{proposal.same} after {name}"
    return Kept(proposal.id, "open")


def proposals(
    db: Connection, scopes: Scopes, *, now: datetime, state: ProposalState | None = "open"
) -> list[Proposal]:
    """Those that a reader may see, the oldest first.

    Args:
        db: A connection.
        scopes: Of the reader.
        now: The time: what is open and past its time is expired.
        state: Only these; all where unset.
    """
    condition, values = within(scopes, "p.scope")
    rows = db.execute(f"SELECT {_COLUMNS} FROM {_TABLES} WHERE {condition} ORDER BY p.made_at, p.key", values)
    found = (_proposal(row, now) for row in rows)
    return [one for one in found if state in {None, one.state}]


def proposal(db: Connection, name: str, scopes: Scopes, *, now: datetime) -> Proposal | None:
    """A proposal by its id; None where the reader can see none of it."""
    condition, values = within(scopes, "p.scope")
    query = f"SELECT {_COLUMNS} FROM {_TABLES} WHERE p.id = ? AND {condition}"
    row: Any = db.execute(query, (clean(name), *values)).fetchone()
    return None if row is None else _proposal(row, now)


def waiting(db: Connection, now: datetime, scopes: Scopes = None) -> Waiting:
    """How many wait, expire soon, and have expired since their owner last looked.

    Args:
        db: A connection.
        now: The time.
        scopes: Of whoever is told; all where None.
    """
    condition, values = within(scopes, "p.scope")
    looked: Any = db.execute("SELECT value FROM meta WHERE key = ?", (LOOKED,)).get
    at, soon = milliseconds(now), milliseconds(now + SOON)
    since = int(looked or -1)
    if since > at:  # the clock was ahead when they looked: what expires until then would be said to nobody
        since = -1
    found: Any = db.execute(_WAITING + condition, (at, at, soon, since, at, *values)).get
    counted = Waiting(*found)
    is_near = counted.open >= MOST_OPEN
    return replace(counted, full=_full_in(db, now, condition, tuple(values))) if is_near else counted


def looked(db: Connection, now: datetime) -> None:
    """Remember that the owner looks at what waits, inside a transaction: what has expired until now is not told again."""
    db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (LOOKED, str(milliseconds(now))))


def seen_whole(db: Connection) -> frozenset[str]:
    """Ids of those that the owner has been shown whole."""
    stored: Any = db.execute("SELECT value FROM meta WHERE key = ?", (SEEN,)).get
    try:
        return frozenset(msgspec.json.decode(stored or "[]", type=list[str]))
    except (msgspec.DecodeError, UnicodeError):  # after damage they are shown again
        return frozenset()


def saw(db: Connection, names: Collection[str]) -> None:
    """Remember that the owner has been shown these whole, inside a transaction; what waits no longer is forgotten."""
    waits = {name for (name,) in db.execute("SELECT id FROM proposals WHERE state = 'open'")}
    kept = sorted((seen_whole(db) | {clean(name) for name in names}) & waits)
    db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (SEEN, to_json(kept)))


def decide(
    db: Connection,
    before: Proposal,
    state: ProposalState,
    *,
    now: datetime,
    change: str | None = None,
    operations: tuple[ProposedOperation, ...] | None = None,
) -> bool:
    """Write down a decision, or that it was taken back, inside a transaction; False where somebody has decided otherwise meanwhile.

    Args:
        db: A connection.
        before: The proposal on which it was decided.
        state: `open` takes a decision back: it waits again, anew where its time is over or nearly so.
        now: The time.
        change: Of the notes, by which it was done.
        operations: What was done, where it is not what was proposed.
    """
    is_taken_back = state == "open" and before.state in {"accepted", "rejected"}
    until = before.expires_at
    if is_taken_back and until is not None and until <= now + SOON:
        until = now + ASKED_FOR
    found = db.execute(
        "UPDATE proposals SET state = ?, decided_at = ?, expires_at = ?, change = ?, operations = ? WHERE id = ? AND state = ?"
        " RETURNING 1",
        (
            state,
            None if state == "open" else milliseconds(now),
            None if until is None else milliseconds(until),
            change,
            _stored(before.operations if operations is None else operations),
            before.id,
            "open" if before.state == "expired" else before.state,
        ),
    ).get
    return bool(found)


def _ask_again(db: Connection, name: str, expires_at: datetime | None) -> None:
    """What is asked for once more waits for longer."""
    until = None if expires_at is None else milliseconds(expires_at)
    db.execute("UPDATE proposals SET expires_at = ? WHERE id = ? AND state = 'open'", (until, name))


def leave_quotes(db: Connection, session_ids: Collection[str]) -> None:
    """Take the words of sessions that go out of what proposals rest on, inside a transaction."""
    gone = {clean(name) for name in session_ids}
    rows: list[Any] = db.execute(
        "SELECT key, evidence FROM proposals WHERE instr(evidence, 'session_id')"
    ).fetchall()
    for key, stored in rows if gone else ():
        evidence = _decoded(stored)
        left = _without(evidence, gone)
        if left != evidence:
            db.execute("UPDATE proposals SET evidence = ? WHERE key = ?", (to_json(left), key))


def _without(evidence: Evidence, gone: Collection[str]) -> Evidence:
    quotes = tuple(quote for quote in evidence.quotes if quote.session_id not in gone)
    asker = evidence.asker
    if asker is not None:
        sources = tuple(quote for quote in asker.sources if quote.session_id not in gone)
        asker = replace(asker, sources=sources)
    return replace(evidence, quotes=quotes, asker=asker)


def erase(db: Connection, names: Collection[str]) -> list[str]:
    """Remove proposals with every word of them, inside a transaction; which of these were there."""
    found = [name for name in names if db.execute("SELECT 1 FROM proposals WHERE id = ?", (clean(name),)).get]
    db.executemany("DELETE FROM proposals WHERE id = ?", [(clean(name),) for name in found])
    return found


def unreadable(db: Connection) -> Iterator[str]:
    """Ids of proposals that cannot be read."""
    rows: list[Any] = db.execute("SELECT id, operations, evidence FROM proposals").fetchall()
    for name, operations, evidence in rows:
        try:
            msgspec.json.decode(operations, type=tuple[ProposedOperation, ...])
            msgspec.json.decode(evidence, type=Evidence)
        except (msgspec.DecodeError, UnicodeError, TypeError):
            yield str(name)


def drop_unreadable(db: Connection) -> None:
    """After damage: remove what cannot be shown, and what is of no known scope."""
    db.executemany("DELETE FROM proposals WHERE id = ?", [(name,) for name in unreadable(db)])
    states = ", ".join(f"'{state}'" for state in STATES)
    db.execute(
        f"DELETE FROM proposals WHERE state NOT IN ({states}) OR scope NOT IN (SELECT key FROM scopes)"
    )


def _proposal(row: Any, now: datetime) -> Proposal:  # noqa: ANN401 - columns
    (
        name,
        kind,
        target,
        operations,
        evidence,
        reason,
        made_at,
        same,
        user,
        chat,
        project,
        expires,
        state,
        decided,
        change,
    ) = row
    expires_at = None if expires is None else instant(expires)
    is_late = state == "open" and expires_at is not None and expires_at <= now
    return Proposal(
        id=name,
        kind=kind,
        target=target,
        operations=msgspec.json.decode(operations, type=tuple[ProposedOperation, ...]),
        evidence=_decoded(evidence),
        reason=reason,
        made_at=instant(made_at),
        same=same,
        scope=Scope(user or None, chat or None, project or None),
        expires_at=expires_at,
        state="expired" if is_late else state,
        decided_at=None if decided is None else instant(decided),
        change=change,
    )


def _stored(value: object) -> str:
    """JSON of a value; halves of characters, which no JSON holds, are replaced."""
    try:
        return to_json(value)
    except UnicodeEncodeError:
        return to_json(_cleaned(msgspec.to_builtins(value)))


def _cleaned(value: object) -> object:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {name: _cleaned(one) for name, one in value.items()}
    return [_cleaned(one) for one in value] if isinstance(value, list | tuple) else value


def _decoded(stored: str) -> Evidence:
    return msgspec.json.decode(stored, type=Evidence)
