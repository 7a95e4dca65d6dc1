"""What a salvage had to keep damaged, written down so that it is told once and that new damage is told apart from it.

A row is known by how it looked when it was kept: by its content and by the hash that contradicts it. One that has changed since is no
longer the row that was told of.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final

import apsw
import msgspec

from archivist.records.counts import counted
from archivist.records.digest import content_digest
from archivist.store.gaps import note_run
from archivist.store.rows import COLUMNS, UNREADABLE, Row, digest_of
from archivist.store.sessions import session_digest, unsealed

MARK: Final = "known damage"
"""The key in `meta`."""
MENDED: Final = "mended"
"""The kind of a change that gave a message its right text again; an index reads such a message anew."""
MOST_NAMES: Final = 20


class KnownDamage(msgspec.Struct, frozen=True):
    """Rows that are damaged, were told of, and of which nothing better was found.

    Attributes:
        messages: Ids of messages whose content and hash differ, each with how its row looks.
        sessions: Ids of sessions whose row and hash differ, likewise.
        looked_on: The day, as YYYY-MM-DD, on which a salvage last looked for something better.
    """

    messages: Mapping[int, str] = msgspec.field(default_factory=dict)
    sessions: Mapping[str, str] = msgspec.field(default_factory=dict)
    looked_on: str = ""

    def __bool__(self) -> bool:
        return bool(self.messages or self.sessions)

    @property
    def names(self) -> tuple[str, ...]:
        """Each of them, as it is named in a list."""
        return (*(f"message {key}" for key in self.messages), *(f"session {name}" for name in self.sessions))

    @property
    def told(self) -> str:
        """All of it in a sentence; empty where there is none."""
        if not self:
            return ""
        kinds = ((len(self.messages), "message"), (len(self.sessions), "session"))
        counts = " and ".join(counted(count, kind) for count, kind in kinds if count)
        verb = "is" if len(self.names) == 1 else "are"
        return f"{counts} {verb} damaged and known; nothing better was found on {self.looked_on}"

    @property
    def told_with_names(self) -> str:
        """As `told`, with the first of the names."""
        named = ", ".join(self.names[:MOST_NAMES])
        more = f" and {len(self.names) - MOST_NAMES:,} more" if len(self.names) > MOST_NAMES else ""
        return f"{self.told}: {named}{more}" if self else ""


def noted_damage(db: apsw.Connection) -> KnownDamage:
    """What was written down, whether it is still so or not; a note that cannot be read tells of nothing."""
    stored: Any = db.execute("SELECT value FROM meta WHERE key = ?", (MARK,)).get
    try:
        return msgspec.json.decode(stored or "{}", type=KnownDamage)
    except (msgspec.DecodeError, msgspec.ValidationError, TypeError):
        return KnownDamage()


def known_damage(db: apsw.Connection) -> KnownDamage:
    """What was written down and is still so; costs a look at each of the rows."""
    noted = noted_damage(db)
    return msgspec.structs.replace(
        noted,
        messages={key: look for key, look in noted.messages.items() if _look_of_message(db, key) == look},
        sessions={name: look for name, look in noted.sessions.items() if look_of_session(db, name) == look},
    )


def note_damage(db: apsw.Connection, wrong: Iterable[int], on: date) -> KnownDamage:
    """Write down what has to be kept damaged; inside a transaction.

    Args:
        db: A connection.
        wrong: Ids of messages that may be damaged.
        on: The day.
    """
    messages = {key: _look_of_message(db, key) for key in sorted(wrong)}
    found = KnownDamage(
        {key: look for key, look in messages.items() if look},
        {name: look_of_session(db, name) for name in unsealed(db)},
        on.isoformat(),
    )
    _write(db, found)
    return found


def look_of(row: Row) -> str:
    """How a damaged row looks; empty of one that is as it was stored."""
    try:
        derived = digest_of(row)
        return "" if derived == row.digest else content_digest((derived, row.digest)).hex()
    except UNREADABLE:
        return ""


def look_of_session(db: apsw.Connection, name: str) -> str:
    """How a damaged session looks; empty where it is as it was sealed, or gone."""
    found: Any = db.execute("SELECT key, digest FROM sessions WHERE id = ?", (name,)).fetchone()
    if found is None:
        return ""
    derived, stored = session_digest(db, found[0]), found[1] or b""
    return "" if derived == stored else content_digest((derived, stored)).hex()


def mend_from(db: apsw.Connection, stored: Mapping[str, tuple[int, Any]], told: Sequence[Row]) -> int:
    """Give known damaged messages the content that their source tells, where a hash proves it; inside a transaction.

    Args:
        db: A connection.
        stored: By client id, the id of what is stored and anything else.
        told: Rows as their source tells them.

    Returns:
        How many are as they were stored again.
    """
    noted = noted_damage(db)
    if not noted.messages:
        return 0
    mended = {
        key
        for row in told
        if row.client_id in stored and (key := stored[row.client_id][0]) in noted.messages
        if _mend(db, key, row)
    }
    if mended:
        _write(db, _without(noted, mended))
    return len(mended)


def _mend(db: apsw.Connection, key: int, told: Row) -> bool:
    """Whether the one hash or the other proves that what is told is what was stored."""
    row = _row(db, key)
    if row is None or not look_of(row) or told.digest not in {row.digest, digest_of(row)}:
        return False
    right = msgspec.structs.replace(told, state=row.state)
    names = ", ".join(f"{name} = ?" for name in Row.__struct_fields__)
    db.execute(f"UPDATE messages SET {names} WHERE id = ?", (*right.values, key))
    note_run(db, MENDED, key, key)
    return True


def _without(noted: KnownDamage, mended: Collection[int]) -> KnownDamage:
    left = {key: look for key, look in noted.messages.items() if key not in mended}
    return msgspec.structs.replace(noted, messages=left)


def _write(db: apsw.Connection, found: KnownDamage) -> None:
    if found:
        stored = msgspec.json.encode(found).decode()
        db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (MARK, stored))
    else:
        db.execute("DELETE FROM meta WHERE key = ?", (MARK,))


def _look_of_message(db: apsw.Connection, key: int) -> str:
    row = _row(db, key)
    return "" if row is None else look_of(row)


def _row(db: apsw.Connection, key: int) -> Row | None:
    try:
        values = db.execute(f"SELECT {COLUMNS} FROM messages WHERE id = ?", (key,)).fetchone()
    except UnicodeDecodeError:  # damaged since: it was kept as text that can be read
        return None
    return None if values is None else Row(*values)
