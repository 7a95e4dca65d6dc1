"""Forks: a second line from some point of a conversation on, while the first goes on as it was.

A fork refers to the rows that it shares, as they were sent, and copies none. They stay before it whatever becomes of them in what it
was forked from, except that they are deleted.
"""

from collections.abc import Sequence
from datetime import datetime

import apsw

from archivist.records import ArchivistError, SessionStart
from archivist.store.contexts import Entry, entries_of, listed, messages_of, own_entries, put_list
from archivist.store.lines import lineage_of, path_ids, path_of, visible_end
from archivist.store.rows import clean
from archivist.store.scopes import Scopes, is_seen
from archivist.store.sessions import SessionKey, read_session, seal_session, set_title, start_session
from archivist.store.titles import check_free, free_title, given_title, home_of, read_titles


class NotForkable(ArchivistError):
    """A conversation has no such message to fork it at, or all that may be seen of it was taken back."""

    def __init__(self, session_id: str, message_id: int | None) -> None:
        self.session_id, self.message_id = session_id, message_id
        where = "where it was taken back" if message_id is None else f"at message {message_id}"
        super().__init__(
            f"{session_id} cannot be forked {where}: `archivist sessions show {session_id}` shows its messages"
        )


def fork(
    db: apsw.Connection,
    key: int,
    *,
    at: int | None,
    title: str | None,
    scopes: Scopes,
    session_id: str,
    now: datetime,
) -> SessionKey:
    """Begin a fork of a session's line, inside a transaction.

    Args:
        db: A writing connection.
        key: Any session of the line.
        at: The last message that it shares; all that the model sees now where None.
        title: As its owner gives it, masked already; else the line's own with a number.
        scopes: What may be seen, of which `at` must be.
        session_id: Its id.
        now: When it begins.

    Raises:
        NotForkable: The line has no such message, or it was taken back.
        TitleTaken, TitleNotUsable: See there.
    """
    parent, entries = _shared(db, key, at, scopes)
    record = read_session(db, _id_of(db, parent))
    start = SessionStart(
        record.source,
        model=record.model,
        scope=record.scope,
        cwd=record.cwd,
        prompt=record.prompt,
        parent_id=record.id,
        link="fork",
    )
    begun = start_session(db, start, session_id=session_id, now=now)
    db.execute(
        "UPDATE sessions SET fork_message = ? WHERE key = ?",
        (at if at is not None else max(messages_of(entries), default=None), begun.key),
    )
    put_list(db, begun.key, entries)
    _name(db, begun.key, parent, title)
    seal_session(db, begun.key)
    return begun


def _name(db: apsw.Connection, key: int, parent: int, title: str | None) -> None:
    if title is not None:
        wanted = given_title(clean(title))
        check_free(db, key, wanted)
        set_title(db, key, wanted, "given")
        return
    home = home_of(db, parent)
    own: int = db.execute("SELECT scope FROM sessions WHERE key = ?", (home,)).get
    shown = read_titles(db, [home], frozenset({own}))[home].title
    free = free_title(db, key, shown)
    set_title(db, key, free if free != shown else f"{shown} (2)", "derived")


def _shared(db: apsw.Connection, key: int, at: int | None, scopes: Scopes) -> tuple[int, list[Entry]]:
    """The session that is forked, and what its model saw when the last shared message had been said, as far as it may be seen."""
    parent, entries = _shared_by_model(db, key, at, scopes)
    return parent, _seen(db, entries, scopes)


def _shared_by_model(
    db: apsw.Connection, key: int, at: int | None, scopes: Scopes
) -> tuple[int, list[Entry]]:
    line = lineage_of(db, key)
    if at is None:
        standing = visible_end(db, key, scopes)
        if not standing:
            raise NotForkable(_id_of(db, key), None)
        last = standing[-1]
        return last, entries_of(db, last)
    if at not in path_ids(db, key, scopes, summaries=True):
        raise NotForkable(_id_of(db, key), at)
    session, state = _place(db, at)
    shared = entries_of(db, line[0])
    if session not in line and at in messages_of(shared):
        return session, _up_to(shared, at)
    is_behind = session != _ends(db, key, session) or state != "active"
    own = own_entries(db, session, at, {"active", "compacted"} if is_behind else {"active"})
    return session, [*listed(db, session), *own]


def _ends(db: apsw.Connection, key: int, session: int) -> int:
    """The last session of a line that has not been compacted since, or of the shared part that holds a session."""
    line = lineage_of(db, key)
    if session in line:
        return line[-1]
    stretches = path_of(db, key)
    place = next(number for number, stretch in enumerate(stretches) if session in stretch.sessions)
    owner = stretches[place].fork
    return [stretch.sessions[0] for stretch in stretches if stretch.fork == owner][-1]


def _seen(db: apsw.Connection, entries: Sequence[Entry], scopes: Scopes) -> list[Entry]:
    """A model may have been given more than who forks may see."""
    if scopes is None:
        return list(entries)
    query = "SELECT s.scope FROM messages AS m JOIN sessions AS s ON s.key = m.session WHERE m.id = ?"
    return [entry for entry in entries if is_seen(db.execute(query, (entry.message,)).get, scopes)]


def _up_to(entries: Sequence[Entry], at: int) -> list[Entry]:
    return list(entries[: messages_of(entries).index(at) + 1])


def _place(db: apsw.Connection, message: int) -> tuple[int, str]:
    row = db.execute("SELECT session, state FROM messages WHERE id = ?", (message,)).fetchone()
    assert row is not None
    return row[0], row[1]


def _id_of(db: apsw.Connection, key: int) -> str:
    return str(db.execute("SELECT id FROM sessions WHERE key = ?", (key,)).get)
