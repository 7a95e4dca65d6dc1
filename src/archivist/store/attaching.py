"""Parents that come late: a session whose parent was not here when it was received joins it when it is.

A child that waits says so in its metadata; a row of `meta` leads from the parent's name to it, so that a parent finds its children
without looking at all sessions. Joining moves the child's whole conversation into the parent's; every message stays, under its id.
"""

from array import array
from collections.abc import Sequence
from typing import Any, Final

import apsw
import msgspec

from archivist.records import Link, Scope
from archivist.store.messages import record_changes
from archivist.store.rows import COLUMNS, Row, digest_of, from_json, to_json
from archivist.store.sessions import find_external, seal_session

PARENT: Final = "parent_external_id"
LINK: Final = "parent_link"
"""Keys of a waiting child's metadata: its parent by the source's id, and how it came from it."""


def await_parent(db: apsw.Connection, key: int, source: str, parent: str, link: Link | None) -> None:
    """Let a session wait for its parent; inside a transaction."""
    metadata = _metadata(db, key)
    _put_metadata(db, key, {**metadata, PARENT: parent, LINK: link})
    name = _waiting_name(source, parent)
    children = {*_waiting(db, name), key}
    db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (name, to_json(sorted(children))))


def attach_waiting(db: apsw.Connection, key: int, source: str, external_id: str) -> None:
    """Attach the sessions that wait for this one, all of whose messages are here; inside a transaction.

    Not earlier: a message whose client id a child has too would be taken for one that is here already.
    """
    name = _waiting_name(source, external_id)
    children = _waiting(db, name)
    if not children:
        return
    for child in children:
        metadata = _metadata(db, child)
        if metadata.get(PARENT) == external_id and not attach(db, child, key, metadata.get(LINK)):
            _wait_no_longer(db, child)  # nor name what may be somebody else's
    db.execute("DELETE FROM meta WHERE key = ?", (name,))


def attach_again(
    db: apsw.Connection, key: int, source: str, parent_external_id: str, link: Link | None
) -> None:
    """Attach a session that is received again, where it has no parent and that is here by now; inside a transaction."""
    if db.execute("SELECT parent FROM sessions WHERE key = ?", (key,)).get is not None:
        return
    if found := find_external(db, source, parent_external_id):
        attach(db, key, found[0].key, link)
    elif _metadata(db, key).get(PARENT) != parent_external_id:
        await_parent(db, key, source, parent_external_id, link)


def attach(db: apsw.Connection, child: int, parent: int, link: str | None) -> bool:
    """Make a root the child of another session; inside a transaction.

    Never of another person's or group's session, and never of one that descends from it.
    """
    old, new = _conversation(db, child), _conversation(db, parent)
    if old != child or new in (None, old) or not _are_one_owners(db, child, parent):
        return False
    sessions = [key for (key,) in db.execute("SELECT key FROM sessions WHERE conversation = ?", (old,))]
    messages = [
        key for (key,) in db.execute("SELECT id FROM messages WHERE conversation = ? ORDER BY id", (old,))
    ]
    _part_client_ids(db, old, new, child)
    db.execute("UPDATE messages SET conversation = ? WHERE conversation = ?", (new, old))
    db.execute("UPDATE undos SET conversation = ? WHERE conversation = ?", (new, old))
    db.execute("UPDATE sessions SET conversation = ? WHERE conversation = ?", (new, old))
    db.execute("UPDATE sessions SET parent = ?, link = ? WHERE key = ?", (parent, link, child))
    _wait_no_longer(db, child)
    for session in sessions:
        seal_session(db, session)
    record_changes(db, "changed", messages)
    return True


def _wait_no_longer(db: apsw.Connection, key: int) -> None:
    metadata = _metadata(db, key)
    _put_metadata(db, key, {name: value for name, value in metadata.items() if name not in (PARENT, LINK)})


def _part_client_ids(db: apsw.Connection, old: int, new: int, child: int) -> None:
    """Give the messages whose client ids both conversations have other ones, so that both messages stay."""
    suffix = f"~{db.execute('SELECT id FROM sessions WHERE key = ?', (child,)).get}"
    rows: Any = db.execute(
        f"SELECT m.id, {_columns('m')} FROM messages AS m JOIN messages AS other ON other.conversation = ?"
        " AND other.client_id = m.client_id WHERE m.conversation = ?",
        (new, old),
    ).fetchall()
    for key, *values in rows:
        row = Row(*values)
        renamed = msgspec.structs.replace(row, client_id=f"{row.client_id}{suffix}")
        db.execute(
            "UPDATE messages SET client_id = ?, digest = ? WHERE id = ?",
            (renamed.client_id, digest_of(renamed), key),
        )


def _columns(table: str) -> str:
    return ", ".join(f"{table}.{name.strip()}" for name in COLUMNS.split(","))


def is_one_owners(db: apsw.Connection, key: int, scope: Scope) -> bool:
    """Whether a session is of the user and the chat of a scope, whatever its project."""
    user, chat = db.execute(
        "SELECT sc.user, sc.chat FROM sessions AS s JOIN scopes AS sc ON sc.key = s.scope WHERE s.key = ?",
        (key,),
    ).get
    return bool((user, chat) == (scope.user or "", scope.chat or ""))


def _are_one_owners(db: apsw.Connection, *sessions: int) -> bool:
    """Whether sessions are of one user and one chat, whatever their projects."""
    rows = db.execute(
        "SELECT count(DISTINCT sc.user || char(0) || sc.chat) FROM sessions AS s JOIN scopes AS sc ON sc.key = s.scope"
        " WHERE s.key IN (SELECT value FROM carray(?))",
        (apsw.carray(array("q", sessions)),),
    )
    return bool(rows.get == 1)


def _conversation(db: apsw.Connection, key: int) -> int | None:
    found: int | None = db.execute("SELECT conversation FROM sessions WHERE key = ?", (key,)).get
    return found


def _waiting_name(source: str, external_id: str) -> str:
    return f"waiting for {source} {external_id}"


def _waiting(db: apsw.Connection, name: str) -> Sequence[int]:
    """The sessions that wait for one of that name; where the note of them is damaged, every session that may wait for any."""
    stored: str | bytes | None = db.execute("SELECT value FROM meta WHERE key = ?", (name,)).get
    try:
        return () if stored is None else msgspec.json.decode(stored, type=list[int])
    except (msgspec.DecodeError, TypeError):
        return _all_waiting(db)


def _all_waiting(db: apsw.Connection) -> list[int]:
    rows = db.execute("SELECT key FROM sessions WHERE metadata LIKE ? ORDER BY key", (f'%"{PARENT}"%',))
    return [key for (key,) in rows]


def _metadata(db: apsw.Connection, key: int) -> dict[str, Any]:
    return dict(from_json(db.execute("SELECT metadata FROM sessions WHERE key = ?", (key,)).get, {}))


def _put_metadata(db: apsw.Connection, key: int, metadata: dict[str, Any]) -> None:
    db.execute(
        "UPDATE sessions SET metadata = ? WHERE key = ?", (to_json(metadata) if metadata else None, key)
    )
    seal_session(db, key)
