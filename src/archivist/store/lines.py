"""Lines of a conversation: sessions that continue one another by compactions, and what each shares with what it was forked from.

A root, a fork and a sub-agent begin a line; a compaction's child goes on with it. What an undo took back is of no line until a redo:
it hangs where it was and can still be read.
"""

from array import array
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

import apsw
import msgspec

from archivist.store.scopes import Scopes, is_seen, within

SHOWN: Final = "m.state IN ('active', 'compacted')"
SUMMARY: Final = "summary"
"""The key in a message's metadata, true for what a compaction wrote to stand for others: for the model, not for people."""
IS_SUMMARY: Final = (
    "instr(m.metadata, '\"summary\":true') > 0 AND json_extract(m.metadata, '$.summary') = 1 AND m.role <> 'tool'"
    " AND EXISTS (SELECT 1 FROM sessions AS begun WHERE begun.key = m.session AND begun.link = 'compaction')"
)

IS_TOLD: Final = (
    "m.text = '' AND json_valid(m.parts) AND m.parts <> '[]'"
    " AND NOT EXISTS (SELECT 1 FROM json_each(m.parts) AS part WHERE part.value ->> 'kind' <> 'context')"
)
"""Of a message under a user's name, that it only tells the model something: nobody said it."""


class Member(msgspec.Struct, frozen=True):
    """A session of a conversation, as far as lines are made of it."""

    key: int
    parent: int | None
    link: str | None
    scope: int
    is_undone: bool
    fork_message: int | None = None


MEMBER_COLUMNS: Final = "s.key, s.parent, s.link, s.scope, s.undo IS NOT NULL, s.fork_message"
"""What a `Member` is read from."""


class Stretch(msgspec.Struct, frozen=True):
    """A part of what is read as one conversation.

    Attributes:
        sessions: One that stands, and those that were taken back and hang on it.
        until: The last message that belongs here, of this stretch or of a later one; None for all.
        fork: The session that shares it with its parent by being forked from it; None for a line's own.
    """

    sessions: tuple[int, ...]
    until: int | None = None
    fork: int | None = None


class Lines:
    """The lines of whole conversations, made of the rows of their sessions.

    In a damaged database sessions may lead back to themselves: no session is followed twice.
    """

    __slots__ = ("_continuing", "_members", "_next")

    def __init__(self, members: Iterable[Member]) -> None:
        self._members = {member.key: member for member in members}
        self._continuing: dict[int, list[Member]] = {}
        self._next: dict[int, Member] = {}
        for key in sorted(self._members):
            self._follow(self._members[key])

    def _follow(self, member: Member) -> None:
        """Let a compaction's child continue its parent: the newest one, of its parent's scope if there is one."""
        parent = self._parent(member)
        if parent is None or member.link != "compaction":
            return
        self._continuing.setdefault(parent.key, []).append(member)
        if member.is_undone:
            return
        before = self._next.get(parent.key)
        if before is None or member.scope == parent.scope or before.scope != parent.scope:
            self._next[parent.key] = member

    def standing(self, key: int) -> int:
        """A session, or what it continued if an undo took it back."""
        seen = {key}
        while (member := self._members.get(key)) is not None and member.is_undone:
            parent = self._parent(member)
            if parent is None or parent.key in seen:
                break
            key = parent.key
            seen.add(key)
        return key

    def tip(self, key: int) -> int:
        """Where the conversation of a session goes on: along its line, never into another scope."""
        key = self.standing(key)
        seen = {key}
        while (child := self._next.get(key)) is not None and child.key not in seen:
            if child.scope != self._members[key].scope:
                break
            key = child.key
            seen.add(key)
        return key

    def line(self, key: int) -> list[int]:
        """The sessions of a session's line, from its first to its last, whatever their scopes."""
        line = self.ancestry(self.standing(key))
        seen = set(line)
        while (child := self._next.get(line[-1])) is not None and child.key not in seen:
            line.append(child.key)
            seen.add(child.key)
        return line

    def ancestry(self, key: int) -> list[int]:
        """The first session of a session's line, and those that lead from it to this one."""
        keys, seen = [key], {key}
        while (member := self._members.get(keys[-1])) is not None and member.link == "compaction":
            parent = self._parent(member)
            if parent is None or parent.key in seen:
                break
            keys.append(parent.key)
            seen.add(parent.key)
        return keys[::-1]

    def path(self, key: int, *, taken_back: bool = False) -> list[Stretch]:
        """What is read as a session's conversation: what its line shares with those that it was forked from, then the line.

        Args:
            key: Any session of the line.
            taken_back: Also the sessions that an undo took back, beside the one that they continued.
        """
        line = self.line(key)
        path = [Stretch((one, *(self._taken_back(one) if taken_back else ()))) for one in line]
        first, seen = self._members.get(line[0]), {line[0]}
        while first is not None and (parent := self._forked_from(first)) is not None:
            line = self.ancestry(parent)
            if not seen.isdisjoint(line):
                break
            path[:0] = [Stretch((one,), first.fork_message, first.key) for one in line]
            first = self._members.get(line[0])
            seen |= set(line)
        return path

    def begun_in(self, line: Collection[int]) -> list[int]:
        """The sessions that began in those of a line and are not of it, in order."""
        own = set(line)
        return sorted(
            member.key for member in self._members.values() if member.parent in own and member.key not in own
        )

    def scope_of(self, key: int) -> int | None:
        """The scope of a session; None where there is none of that key."""
        member = self._members.get(key)
        return None if member is None else member.scope

    def _parent(self, member: Member) -> Member | None:
        return None if member.parent is None else self._members.get(member.parent)

    def _forked_from(self, member: Member) -> int | None:
        """Of a fork, the session that it was forked from."""
        parent = self._parent(member)
        is_fork = member.link == "fork" and member.fork_message is not None
        return parent.key if is_fork and parent is not None else None

    def _taken_back(self, key: int) -> list[int]:
        """Sessions that continued this one until they were taken back, and those that continued them."""
        gone = [one.key for one in self._continuing.get(key, ()) if one.is_undone]
        for parent in gone:
            gone += [one.key for one in self._continuing.get(parent, ()) if one.key not in {*gone, key}]
        return gone


def read_lines(db: apsw.Connection, *keys: int) -> Lines:
    """The lines of sessions' conversations."""
    rows = db.execute(
        f"SELECT {MEMBER_COLUMNS} FROM sessions AS s WHERE s.conversation IN"
        " (SELECT conversation FROM sessions WHERE key IN (SELECT value FROM carray(?)))",
        (apsw.carray(array("q", keys)),),
    )
    return Lines(Member(*row) for row in rows)


def tip_of(db: apsw.Connection, key: int) -> int:
    """The newest compaction child of a session, or itself: where the conversation goes on, never into another scope."""
    return read_lines(db, key).tip(key)


def standing(db: apsw.Connection, key: int) -> int:
    """A session, or what it continued if an undo took it back."""
    is_undone = db.execute("SELECT undo IS NOT NULL FROM sessions WHERE key = ?", (key,)).get
    return read_lines(db, key).standing(key) if is_undone else key


def lineage_of(db: apsw.Connection, key: int) -> list[int]:
    """The sessions of a session's line, from its first to its last, whatever their scopes."""
    return read_lines(db, key).line(key)


def visible_end(db: apsw.Connection, key: int, scopes: Scopes) -> list[int]:
    """The last sessions of a session's line that may be seen, as far as they follow one another.

    What others go on with after them is not there for who may not see it.
    """
    lines, found = read_lines(db, key), list[int]()
    for session in reversed(lines.line(key)):
        if is_seen(lines.scope_of(session), scopes):
            found.insert(0, session)
        elif found:
            break
    return found


def path_of(db: apsw.Connection, key: int, *, taken_back: bool = False) -> list[Stretch]:
    """What is read as a session's conversation; see `Lines.path`."""
    return read_lines(db, key).path(key, taken_back=taken_back)


def path_ids(
    db: apsw.Connection, key: int, scopes: Scopes, *, hidden: bool = False, summaries: bool = False
) -> list[int]:
    """Ids of what is read as a session's conversation and may be seen, in order.

    Args:
        db: A connection.
        key: Any session of the line.
        scopes: Whose rows may be seen; a line may run through several scopes.
        hidden: Also what stands on paths that were left, and what was taken back.
        summaries: Also what a compaction wrote to stand for others.
    """
    path = path_of(db, key, taken_back=hidden)
    rows = _rows_by_session(db, [one for stretch in path for one in stretch.sessions], scopes)
    found: list[int] = []
    for stretch in path:
        kept = _kept_for(db, stretch.fork) if stretch.fork is not None and not hidden else frozenset()
        in_order = sorted(row for one in stretch.sessions for row in rows[one])
        found += [
            message
            for _, _, message, is_shown, is_summary in _up_to(in_order, stretch.until)
            if (hidden or is_shown or message in kept) and (summaries or not is_summary)
        ]
    return found


_Standing = tuple[int, int, int, bool, bool]
"""A message in a session, sorted as they are read: its place (`store.places`), its id, whether it is shown, whether it is a summary."""


def _up_to(rows: Sequence[_Standing], until: int | None) -> Sequence[_Standing]:
    """Messages up to one of them; of which that one is gone, those that were stored before."""
    if until is None:
        return rows
    last = next((place for place, row in enumerate(rows, 1) if row[2] == until), None)
    return [row for row in rows if row[2] <= until] if last is None else rows[:last]


def count_shown(db: apsw.Connection, keys: Collection[int], scopes: Scopes) -> dict[int, int]:
    """By session, how many messages are read as its conversation: as many as `path_ids` gives."""
    if not keys:
        return {}
    lines = read_lines(db, *keys)
    paths = {key: lines.path(key) for key in keys}
    counts = _count_by_session(
        db, {one for path in paths.values() for part in path for one in part.sessions}, scopes
    )
    return {
        key: len(path_ids(db, key, scopes))
        if path[0].fork is not None  # what it shares ends somewhere and depends on what became of it
        else sum(counts.get(one, 0) for part in path for one in part.sessions)
        for key, path in paths.items()
    }


def _count_by_session(db: apsw.Connection, sessions: Collection[int], scopes: Scopes) -> dict[int, int]:
    """By session, how many of its own are shown, with those of others that stand in it, without those that it has left to others."""
    seen, keys = within(scopes)
    wanted = apsw.carray(array("q", sessions))
    rows = db.execute(
        "SELECT s.key, count(*) FROM carray(?) AS wanted CROSS JOIN sessions AS s ON s.key = wanted.value"
        " CROSS JOIN messages AS m ON m.conversation = s.conversation AND m.session = s.key"
        f" WHERE {seen} AND {SHOWN} AND (s.link IS NOT 'compaction' OR NOT coalesce({IS_SUMMARY}, 0)) GROUP BY s.key"
        f" UNION ALL SELECT p.session, (m.session <> p.session) - (p.is_left AND {SHOWN}) FROM carray(?) AS wanted"
        " CROSS JOIN placed AS p ON p.session = wanted.value JOIN messages AS m ON m.id = p.message"
        f" JOIN sessions AS s ON s.key = m.session WHERE {seen}",
        (wanted, *keys, wanted, *keys),
    )
    counts: dict[int, int] = {}
    for session, count in rows:
        counts[session] = counts.get(session, 0) + count
    return counts


def _rows_by_session(
    db: apsw.Connection, sessions: Sequence[int], scopes: Scopes
) -> dict[int, list[_Standing]]:
    """By session, what is read in it: its messages, and those of others that stand in it (`store.places`)."""
    found: dict[int, list[_Standing]] = {one: [] for one in sessions}
    own, others = _placed_in(db, sessions)
    rows = db.execute(
        f"SELECT m.session, s.scope, m.id, {SHOWN}, coalesce({IS_SUMMARY}, 0) FROM messages AS m"
        " JOIN sessions AS s ON s.key = m.session"
        " WHERE m.conversation = (SELECT conversation FROM sessions WHERE key = ?)"
        " AND m.session IN (SELECT value FROM carray(?))",
        (sessions[0], apsw.carray(array("q", sessions))),
    )
    for session, scope, message, is_shown, is_summary in rows:
        if is_seen(scope, scopes):
            behind, number, is_left = own.get(message, (message, 0, 0))
            shown = bool(is_shown and not is_left)
            found[session].append((behind, number, message, shown, bool(is_summary)))
    for session, scope, *place in others:
        if is_seen(scope, scopes):
            found[session].append((*place, True, False))  # type: ignore[arg-type]  # three of them
    return found


def _placed_in(
    db: apsw.Connection, sessions: Sequence[int]
) -> tuple[dict[int, tuple[int, int, int]], list[tuple[int, ...]]]:
    """By message, those of the sessions' own that are placed; and those of others, each with where it stands and its scope."""
    rows: Any = db.execute(
        "SELECT p.session = m.session, p.session, s.scope, p.behind, p.number, p.message, p.is_left FROM placed AS p"
        " JOIN messages AS m ON m.id = p.message JOIN sessions AS s ON s.key = m.session"
        " WHERE p.session IN (SELECT value FROM carray(?))",
        (apsw.carray(array("q", sessions)),),
    ).fetchall()
    own = {message: (behind, number, left) for is_own, _, _, behind, number, message, left in rows if is_own}
    return own, [tuple(row[1:6]) for row in rows if not row[0]]


def _kept_for(db: apsw.Connection, fork: int) -> frozenset[int]:
    """Messages that a fork shares whatever became of them since in what it was forked from."""
    rows = db.execute(
        "SELECT message FROM context WHERE session = :fork UNION SELECT u.message FROM sessions AS f"
        " JOIN undos AS o ON o.conversation = f.conversation AND o.made_at >= f.started_at"
        " JOIN undone AS u ON u.undo = o.key WHERE f.key = :fork",
        {"fork": fork},
    )
    return frozenset(message for (message,) in rows)
