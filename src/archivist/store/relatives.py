"""The sessions around one: those that make up its line, and those that began in it; and the line of a conversation's root."""

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from archivist.records import Relative
from archivist.store.connection import Connection
from archivist.store.lines import MEMBER_COLUMNS, Lines, Member, path_of, read_lines
from archivist.store.rows import instant
from archivist.store.scopes import Scopes, is_seen
from archivist.store.titles import read_titles


def read_line(db: Connection, session: int, scopes: Scopes) -> list[Relative]:
    """The sessions that a session's conversation is read from, in order; before them those whose messages stand in them."""
    keys = [one for stretch in path_of(db, session) for one in stretch.sessions]
    rows = db.execute(
        "SELECT DISTINCT m.session FROM carray(?) AS wanted CROSS JOIN placed AS p ON p.session = wanted.value"
        " JOIN messages AS m ON m.id = p.message ORDER BY m.session",
        (apsw.carray(array("q", keys)),),
    )
    shared = [key for (key,) in rows if key not in keys]
    return _relatives(db, [*shared, *keys], scopes)


def read_children(db: Connection, session: int, scopes: Scopes) -> list[Relative]:
    """Sessions that began in a session's line and are not of it: forks, branches, sub-agents, what was taken back."""
    lines = read_lines(db, session)
    return _relatives(db, lines.begun_in(lines.line(session)), scopes)


def main_lines(db: Connection, conversations: Sequence[int], scopes: Scopes) -> dict[int, list[int]]:
    """By conversation, its sessions that may be seen, in order: those along the compactions of its root.

    Where none of those may be, the others, those of sub-agents only where there is nothing else.
    """
    if not conversations:
        return {}
    rows: list[Any] = db.execute(
        f"SELECT s.conversation, {MEMBER_COLUMNS} FROM sessions AS s"
        " WHERE s.conversation IN (SELECT value FROM carray(?)) ORDER BY s.key",
        (apsw.carray(array("q", conversations)),),
    ).fetchall()
    members = [(conversation, Member(*row)) for conversation, *row in rows]
    lines = Lines(member for _, member in members)
    seen: dict[int, dict[int, str | None]] = {key: {} for key in conversations}
    for conversation, member in members:
        if is_seen(member.scope, scopes):
            seen[conversation][member.key] = member.link
    return {
        conversation: _chosen(links, lines.line(conversation))
        for conversation, links in seen.items()
        if links
    }


def _chosen(links: Mapping[int, str | None], line: Sequence[int]) -> list[int]:
    """Of sessions, given with how each came from its parent, the ones in the line, else all but sub-agents', else all."""
    own = sorted(key for key, link in links.items() if link != "subagent")
    return [key for key in line if key in links] or own or sorted(links)


def _relatives(db: Connection, keys: Sequence[int], scopes: Scopes) -> list[Relative]:
    if not keys:
        return []
    rows: list[Any] = db.execute(
        "SELECT s.key, s.scope, s.id, s.link, s.started_at, s.undo IS NOT NULL, (SELECT count(*) FROM messages AS m"
        " WHERE m.conversation = s.conversation AND m.session = s.key) FROM carray(?) AS wanted"
        " JOIN sessions AS s ON s.key = wanted.value",
        (apsw.carray(array("q", keys)),),
    ).fetchall()
    titles = read_titles(db, [row[0] for row in rows if is_seen(row[1], scopes)], scopes, derived=False)
    found = {
        key: Relative(
            name, link, titles[key].title if key in titles else None, instant(begun), count, bool(undone)
        )
        for key, scope, name, link, begun, undone, count in rows
        if is_seen(scope, scopes)
    }
    return [found[key] for key in keys if key in found]
