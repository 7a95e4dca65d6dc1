"""Taking turns back, and giving them back: an undo rewinds a line to just before something its user said, a redo is its opposite.

What is taken back becomes `undone`, whatever compactions lie between; sessions that compactions began since are taken back with it, and
what those had moved to `compacted` is active again, so that a model sees what it saw then. Every former state is recorded, and a redo
gives back just those.
"""

from array import array
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import apsw
import msgspec

from archivist.records import ArchivistError, Redone, Undone
from archivist.store.lines import IS_SUMMARY, IS_TOLD, visible_end
from archivist.store.messages import set_states
from archivist.store.rows import milliseconds
from archivist.store.scopes import Scopes, is_seen
from archivist.store.sessions import seal_session

LIVE: Final = frozenset({"active", "compacted"})


class NothingToUndo(ArchivistError):
    """There is no such turn to take back."""

    def __init__(self, session_id: str, wanted: str, *, is_bare_fork: bool = False) -> None:
        self.session_id = session_id
        why = ", a fork without turns of its own" if is_bare_fork else ""
        super().__init__(
            f"{wanted} can be taken back in {session_id}{why}: `archivist sessions show {session_id}` shows its messages"
        )


class NothingToRedo(ArchivistError):
    """No undo can be taken back."""

    def __init__(self, session_id: str, first_undone: int | None) -> None:
        self.session_id, self.first_undone = session_id, first_undone
        reason = "nothing was taken back"
        if first_undone is not None:
            command = f"archivist sessions show {session_id} --around {first_undone}"
            reason = f"the conversation has gone on since; `{command}` shows what was taken back"
        super().__init__(f"there is nothing to redo in {session_id}: {reason}")


class UndoPlan(msgspec.Struct, frozen=True):
    """What an undo will do.

    Attributes:
        session: The session that the line is rewound into.
        message: What the user said, the first message to be taken back.
        states: Messages to be moved: id, state now, state then.
        sessions: Sessions that are taken back whole.
    """

    session: int
    message: int
    states: tuple[tuple[int, str, str], ...]
    sessions: tuple[int, ...]

    @property
    def taken(self) -> int:
        """How many messages are taken back."""
        return sum(after == "undone" for _, _, after in self.states)


class _Said(msgspec.Struct, frozen=True):
    id: int
    session: int
    role: str
    state: str
    is_nobodys: bool


def plan_undo(db: apsw.Connection, key: int, *, to: int | None, turns: int, scopes: Scopes) -> UndoPlan:
    """What taking turns back in a session's line would do.

    Args:
        db: A connection.
        key: Any session of the line.
        to: The user's message to take back, with all that follows.
        turns: How many of the user's messages, where none is named.
        scopes: What may be touched: never anything that the owner of these may not see.

    Raises:
        NothingToUndo: There is no such message.
    """
    line = visible_end(db, key, scopes)
    said = _said(db, line)
    turned = [one for one in said if one.role == "user" and one.state in LIVE and not one.is_nobodys]
    chosen = [one for one in turned if one.id == to] if to is not None else turned[-turns:][:1]
    if not chosen or (to is None and len(turned) < turns):
        is_bare_fork = not turned and _is_fork(db, line)
        raise NothingToUndo(_id_of(db, key), _wanted(to, turns, len(turned)), is_bare_fork=is_bare_fork)
    (first,) = chosen
    place = said.index(first)
    gone = line[line.index(first.session) + 1 :]
    taken = [(one.id, one.state, "undone") for one in said[place:] if one.state in LIVE]
    was_moved = bool(gone) or first.state == "compacted"
    again = _as_then(db, said[:place], first.session, gone) if was_moved else []
    return UndoPlan(first.session, first.id, (*again, *taken), tuple(gone))


def _as_then(
    db: apsw.Connection, before: Sequence[_Said], session: int, gone: Sequence[int]
) -> list[tuple[int, str, str]]:
    """What stays, as a session's model had it: active again what was compacted since, compacted again what was restored since."""
    had = _listed_whole(db, [session])
    restored = _listed_whole(db, gone) - had
    moves = []
    for one in before:
        is_had = one.session == session or one.id in had
        if one.state == "compacted" and is_had:
            moves.append((one.id, one.state, "active"))
        elif one.state == "active" and not is_had and one.id in restored:
            moves.append((one.id, one.state, "compacted"))
    return moves


def undo(db: apsw.Connection, plan: UndoPlan, *, now: datetime) -> int:
    """Do what was planned, inside the same transaction, and return the undo's key."""
    key: int = db.execute(
        "INSERT INTO undos(conversation, session, made_at) SELECT conversation, key, ? FROM sessions WHERE key = ?"
        " RETURNING key",
        (milliseconds(now), plan.session),
    ).get
    db.executemany(
        "INSERT INTO undone(undo, message, state) VALUES(?, ?, ?)",
        ((key, message, before) for message, before, _ in plan.states),
    )
    set_states(db, [(message, after) for message, _, after in plan.states])
    for session in plan.sessions:
        db.execute("UPDATE sessions SET undo = ? WHERE key = ?", (key, session))
        seal_session(db, session)
    return key


def describe(db: apsw.Connection, plan: UndoPlan, key: int | None) -> Undone:
    """What an undo has done, or would do."""
    row: Any = db.execute(
        "SELECT s.id, root.id, m.text FROM messages AS m, sessions AS s JOIN sessions AS root ON root.key = s.conversation"
        " WHERE m.id = ? AND s.key = ?",
        (plan.message, plan.session),
    ).fetchone()
    return Undone(key, row[0], row[1], plan.message, plan.taken, row[2])


def redo(db: apsw.Connection, key: int, *, scopes: Scopes, now: datetime) -> Redone:
    """Take the newest undo of a session's line back; inside a transaction.

    Raises:
        NothingToRedo: There is none, or something was said since.
    """
    line = visible_end(db, key, scopes)
    newest = db.execute(
        "SELECT key, session FROM undos WHERE redone_at IS NULL AND session IN (SELECT value FROM carray(?))"
        " AND conversation = (SELECT conversation FROM sessions WHERE key = ?) ORDER BY key DESC LIMIT 1",
        (_carray(line), key),
    ).fetchone()
    if newest is None:
        raise NothingToRedo(_id_of(db, key), None)
    undo_key, session = newest
    moved = _moved(db, undo_key, scopes)
    if moved is None:
        raise NothingToRedo(_id_of(db, key), None)
    first, last = _bounds(db, undo_key)
    if line[-1] != session or _has_gone_on(db, session, last):
        raise NothingToRedo(_id_of(db, key), first)
    set_states(db, moved)
    db.execute("UPDATE undos SET redone_at = ? WHERE key = ?", (milliseconds(now), undo_key))
    taken: Any = db.execute(
        "UPDATE sessions SET undo = NULL WHERE undo = ? RETURNING key", (undo_key,)
    ).fetchall()
    for (again,) in taken:
        seal_session(db, again)
    tip = visible_end(db, session, scopes)[-1]
    return Redone(undo_key, _id_of(db, tip), _root_id(db, tip), len(moved))


def _moved(db: apsw.Connection, undo_key: int, scopes: Scopes) -> list[tuple[int, str]] | None:
    """Messages that are still as an undo left them, with the states of before; None where any of it may not be seen."""
    rows: Any = db.execute(
        "SELECT u.message, u.state, m.state, s.scope FROM undone AS u JOIN messages AS m ON m.id = u.message"
        " JOIN sessions AS s ON s.key = m.session WHERE u.undo = ?",
        (undo_key,),
    ).fetchall()
    ended: Any = db.execute("SELECT DISTINCT scope FROM sessions WHERE undo = ?", (undo_key,)).fetchall()
    if not all(is_seen(scope, scopes) for *_, scope in [*rows, *ended]):
        return None
    return [
        (message, before)
        for message, before, state, _ in rows
        if state == "undone" or {state, before} == LIVE
    ]


def _bounds(db: apsw.Connection, undo_key: int) -> tuple[int | None, int]:
    """The first and the last message that an undo took back."""
    row: Any = db.execute(
        "SELECT min(m.id), coalesce(max(u.message), 0) FROM undone AS u LEFT JOIN messages AS m ON m.id = u.message"
        " AND m.state = 'undone' WHERE u.undo = ?",
        (undo_key,),
    ).fetchone()
    return row[0], row[1]


def _has_gone_on(db: apsw.Connection, session: int, last: int) -> bool:
    return bool(
        db.execute(
            "SELECT EXISTS (SELECT 1 FROM sessions AS s JOIN messages AS m ON m.conversation = s.conversation"
            " AND m.session = s.key WHERE s.key = ? AND m.id > ? AND m.state IN ('active', 'compacted'))",
            (session, last),
        ).get
    )


def _said(db: apsw.Connection, line: Sequence[int]) -> list[_Said]:
    """The messages of a line, in order."""
    if not line:
        return []
    rows = db.execute(
        "SELECT m.id, m.session, m.role, CASE WHEN p.is_left THEN 'branch' ELSE m.state END,"
        f" coalesce({IS_SUMMARY}, 0) OR coalesce({IS_TOLD}, 0), coalesce(p.behind, m.id), coalesce(p.number, 0) FROM messages AS m"
        " LEFT JOIN placed AS p ON p.session = m.session AND p.message = m.id"
        " WHERE m.conversation = (SELECT conversation FROM sessions WHERE key = ?)"
        " AND m.session IN (SELECT value FROM carray(?))",
        (line[0], _carray(line)),
    )
    place = {session: number for number, session in enumerate(line)}
    in_order = sorted(rows, key=lambda row: (place[row[1]], *row[5:]))
    return [_Said(*row[:5]) for row in in_order]


def _listed_whole(db: apsw.Connection, sessions: Sequence[int]) -> frozenset[int]:
    """What the models of sessions have of earlier ones, unshortened: active until a later compaction."""
    if not sessions:
        return frozenset()
    rows = db.execute(
        "SELECT message FROM context WHERE session IN (SELECT value FROM carray(?)) AND is_left_out IS NULL"
        " AND text_as_sent IS NULL AND parts_as_sent IS NULL AND calls_as_sent IS NULL",
        (_carray(sessions),),
    )
    return frozenset(message for (message,) in rows)


def _is_fork(db: apsw.Connection, line: Sequence[int]) -> bool:
    return bool(line and db.execute("SELECT link IS 'fork' FROM sessions WHERE key = ?", (line[0],)).get)


def _wanted(to: int | None, turns: int, there: int) -> str:
    if to is not None:
        return f"no message {to} of its user's"
    return f"no turn of {turns}" if not there else f"only {there} of {turns} turns"


def _id_of(db: apsw.Connection, key: int) -> str:
    return str(db.execute("SELECT id FROM sessions WHERE key = ?", (key,)).get)


def _root_id(db: apsw.Connection, key: int) -> str:
    return str(
        db.execute(
            "SELECT root.id FROM sessions AS s JOIN sessions AS root ON root.key = s.conversation WHERE s.key = ?",
            (key,),
        ).get
    )


def _carray(keys: Sequence[int]) -> Any:  # noqa: ANN401 - apsw's own type has no name
    return apsw.carray(array("q", keys))
