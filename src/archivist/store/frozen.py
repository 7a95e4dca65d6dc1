"""The snapshots that prompts carried, kept as they were handed over.

A session is given the same bytes again for as long as its prompt must hold still, whatever the notes say by then. What changed since is
told once: `ChangesTold` says how far.

Functions over a connection; those that write are called inside a transaction.
"""

from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any, Final

import msgspec

from archivist.records import Scope, text_digest
from archivist.records.notes import Snapshot, SnapshotReport
from archivist.store.connection import Connection
from archivist.store.rows import clean, instant, milliseconds, to_json
from archivist.store.scopes import known_scope_key, scope_key

_COLUMNS: Final = (
    "s.key, s.host, s.host_session, s.session, sc.user, sc.chat, sc.project, s.made_at, t.text, t.sha256, t.report,"
    " s.last_change, s.told_change, s.parent"
)
MOST_LOOKED_BACK: Final = 500
"""Of the snapshots that were given last, so many are looked through for one of a scope."""
_TABLES: Final = (
    "snapshots AS s JOIN snapshot_texts AS t ON t.key = s.text JOIN scopes AS sc ON sc.key = s.scope"
)


class ChangesTold(msgspec.Struct, frozen=True):
    """What a session was told since it was given its snapshot, as changes of the notes up to which it was, in order.

    Attributes:
        changes: These count whatever becomes of the messages.
        awaited: These were handed over and count until the session goes on: from then on only where a message carries them.
        behind: Where the session was when they were handed over, as `carrying.place_of` tells it.
    """

    changes: tuple[str, ...] = ()
    awaited: tuple[str, ...] = ()
    behind: str = ""

    @property
    def text(self) -> str | None:
        """As it is stored; None where nothing was told."""
        awaited = (f"@{self.behind}", *self.awaited) if self.awaited else ()
        return " ".join((*self.changes, *awaited)) or None

    @classmethod
    def of(cls, text: str | None) -> "ChangesTold":
        """What was stored."""
        changes, _, rest = (text or "").partition("@")
        behind, *awaited = rest.split() or [""]
        return cls(tuple(changes.split()), tuple(awaited), behind)


class _Stored(SnapshotReport, frozen=True):
    """A report as it is stored, where all that a snapshot was rendered from decides by itself how it is rendered.

    Attributes:
        made_from: A hash of that.
    """

    made_from: str = ""


class Frozen(msgspec.Struct, frozen=True):
    """A snapshot as a session was given it.

    Attributes:
        key: The store's own.
        host: The program whose session it is, as in a session's `source`; None for a session of ours.
        host_session: Its own id of the session.
        session_id: Ours, where there is one.
        told: What the session was told since.
        parent: The key of the snapshot that it was taken from; None for one that was rendered.
    """

    key: int
    snapshot: Snapshot
    scope: Scope
    made_at: datetime
    host: str | None = None
    host_session: str | None = None
    session_id: str | None = None
    told: ChangesTold = ChangesTold()
    parent: int | None = None


def storable(snapshot: Snapshot, mask: Callable[[str], str]) -> Snapshot:
    """A snapshot as it may be stored: masked as rows are. Hand over what this gives, so that both are the same bytes.

    Args:
        snapshot: As it was rendered.
        mask: `StateStore.masked`.
    """
    text = mask(snapshot.text)
    return snapshot if text == snapshot.text else Snapshot(text, text_digest(text), snapshot.report)


def freeze(
    db: Connection,
    snapshot: Snapshot,
    *,
    scope: Scope,
    now: datetime,
    made_from: str = "",
    host: str | None = None,
    host_session: str | None = None,
    session_id: str | None = None,
) -> Frozen:
    """Keep what a session is given at its beginning, and after a clear or a compaction.

    What was kept for the same session before stays, and counts no more.

    Args:
        db: A connection.
        snapshot: What `storable` gave.
        scope: Whose notes it shows.
        now: The time.
        made_from: A hash of all that it was rendered from, for `last_made`.
        host: The program, where the session is a host's.
        host_session: Its id there.
        session_id: Ours.
    """
    change = snapshot.report.last_change
    text = _text_key(db, snapshot, milliseconds(now), made_from)
    return _insert(db, text, scope, now, (host, host_session, session_id), change, None)


def last_made(db: Connection, scope: Scope, made_from: str) -> Snapshot | None:
    """What a session of a scope was given last, if it was made from this.

    Args:
        db: A connection.
        scope: Of the session.
        made_from: A hash of all that it would be rendered from now.
    """
    found: Any = db.execute(
        "SELECT t.text, t.sha256, t.report FROM snapshots AS s JOIN snapshot_texts AS t ON t.key = s.text"
        " WHERE s.scope = ? AND s.key > (SELECT max(key) FROM snapshots) - ? ORDER BY s.key DESC LIMIT 1",
        (known_scope_key(db, scope), MOST_LOOKED_BACK),
    ).fetchone()
    if found is None or not _is_sound(*found):
        return None
    text, sha256, report = found
    if msgspec.json.decode(report, type=_Stored).made_from != made_from:
        return None
    return Snapshot(text, sha256, msgspec.json.decode(report, type=SnapshotReport))


def hand_on(
    db: Connection,
    parent: Frozen,
    *,
    now: datetime,
    host: str | None = None,
    host_session: str | None = None,
    session_id: str | None = None,
) -> Frozen:
    """Give a session what another was given, of which it is a fork. It was told nothing yet: it may have left that behind.

    Args:
        db: A connection.
        parent: What the other has.
        now: The time.
        host: The program, where the new session is a host's.
        host_session: Its id there.
        session_id: Ours.
    """
    text = db.execute("SELECT text FROM snapshots WHERE key = ?", (parent.key,)).get
    key = None if text is None else parent.key
    if text is None:  # deleted since it was read
        text = _text_key(db, parent.snapshot, milliseconds(now), "")
    names = (host, host_session, session_id)
    return _insert(db, int(text), parent.scope, now, names, parent.snapshot.report.last_change, key)


def frozen_of(
    db: Connection,
    *,
    host: str | None = None,
    host_session: str | None = None,
    session_id: str | None = None,
) -> Frozen | None:
    """The newest snapshot of a host's session, or of ours; None where it was given none."""
    if host_session is None:
        return _newest(db, "s.session = ?", session_id)
    return _newest(db, "s.host_session = ? AND s.host IS ?", host_session, host)


def given_anew_at(db: Connection, host: str, host_session: str) -> int | None:
    """When a host's session was last given a snapshot in place of an earlier one, as at a compaction; None where it never was.

    In milliseconds since 1970. What was said before that, its model has before it no longer.
    """
    given, newest = db.execute(
        "SELECT count(*), max(made_at) FROM snapshots WHERE host_session = ? AND host = ? AND parent IS NULL",
        (host_session, host),
    ).fetchone() or (0, None)
    return newest if given > 1 else None


def hosts_sessions_named(db: Connection, name: str, *, begun: bool = False) -> list[tuple[str | None, str]]:
    """Programs and their ids of sessions that a name is, or where `begun` begins.

    Those that were given a snapshot, whether anything of them is stored or not, and those that are stored.
    """
    same = "substr({0}, 1, length(:name)) = :name AND :name <> ''" if begun else "{0} = :name"
    rows: list[Any] = db.execute(
        f"SELECT host, host_session FROM snapshots WHERE {same.format('host_session')}"
        f" UNION SELECT source, external_id FROM sessions WHERE {same.format('external_id')}",
        {"name": clean(name)},
    ).fetchall()
    return sorted(rows, key=str)


def mark_told(db: Connection, frozen: Frozen, told: ChangesTold) -> bool:
    """Remember what a session was told, unless somebody has told it something else since, or it was given another snapshot.

    Returns:
        Whether it is remembered; else it is not to be told.
    """
    names = {"host": frozen.host, "host_session": frozen.host_session, "session_id": frozen.session_id}
    newest = frozen_of(db, **names)
    if newest is None or (newest.key, newest.told) != (frozen.key, frozen.told):
        return False
    db.execute("UPDATE snapshots SET told_change = ? WHERE key = ?", (told.text, frozen.key))
    return True


def thaw(db: Connection, *, session_ids: Collection[str], hosts: Collection[tuple[str, str]]) -> int:
    """Remove all snapshots of sessions that go; a text that another session was given too stays for it.

    Args:
        db: A connection.
        session_ids: Our ids.
        hosts: Programs and their ids of sessions.

    Returns:
        How many went.
    """
    gone: list[Any] = [
        key
        for query, names in (
            ("SELECT key FROM snapshots WHERE session = ?", [(name,) for name in session_ids]),
            ("SELECT key FROM snapshots WHERE host = ? AND host_session = ?", list(hosts)),
        )
        for name in names
        for (key,) in db.execute(query, name).fetchall()
    ]
    return _remove(db, set(gone))


def thaw_saying(db: Connection, words: str) -> int:
    """Remove all snapshots that have these words, for a note that is erased: their sessions are given new ones the next time.

    Returns:
        How many went.
    """
    query = (
        "SELECT s.key FROM snapshots AS s JOIN snapshot_texts AS t ON t.key = s.text WHERE instr(t.text, ?)"
    )
    found: list[Any] = db.execute(query, (clean(words),)).fetchall() if words else []
    return _remove(db, {key for (key,) in found})


def unsound_texts(db: Connection) -> list[int]:
    """Keys of texts that are not what was stored: they and their hash differ, or the report cannot be read."""
    return [
        key
        for key, *values in db.execute("SELECT key, text, sha256, report FROM snapshot_texts")
        if not _is_sound(*values)
    ]


def drop_unsound(db: Connection) -> None:
    """After damage: remove what can be handed over no more; its session is given a new snapshot the next time."""
    db.executemany("DELETE FROM snapshot_texts WHERE key = ?", [(key,) for key in unsound_texts(db)])
    db.execute(
        "DELETE FROM snapshots WHERE text NOT IN (SELECT key FROM snapshot_texts) OR scope NOT IN (SELECT key FROM scopes)"
    )
    db.execute("DELETE FROM snapshot_texts WHERE key NOT IN (SELECT text FROM snapshots)")
    db.execute("UPDATE snapshots SET parent = NULL WHERE parent NOT IN (SELECT key FROM snapshots)")


def _newest(db: Connection, wanted: str, *names: str | None) -> Frozen | None:
    query = f"SELECT {_COLUMNS} FROM {_TABLES} WHERE {wanted} ORDER BY s.key DESC LIMIT 1"
    found: Any = db.execute(query, tuple(map(_cleaned, names))).fetchone()
    return None if found is None else _frozen(found)


def _remove(db: Connection, keys: Collection[Any]) -> int:
    for key in keys:
        db.execute("UPDATE snapshots SET parent = NULL WHERE parent = ?", (key,))
        text = db.execute("DELETE FROM snapshots WHERE key = ? RETURNING text", (key,)).get
        db.execute(
            "DELETE FROM snapshot_texts WHERE key = ?1 AND NOT EXISTS (SELECT 1 FROM snapshots WHERE text = ?1)",
            (text,),
        )
    return len(keys)


def _text_key(db: Connection, snapshot: Snapshot, at: int, made_from: str) -> int:
    """The key of a text with its report, stored where it is new."""
    how = msgspec.structs.replace(snapshot.report, last_change=None)
    report = to_json(_Stored(**msgspec.structs.asdict(how), made_from=made_from) if made_from else how)
    text = clean(snapshot.text)
    sha256 = snapshot.sha256 if text == snapshot.text else text_digest(text)
    known = db.execute("SELECT key FROM snapshot_texts WHERE sha256 = ? AND report = ?", (sha256, report)).get
    return int(
        known
        or db.execute(
            "INSERT INTO snapshot_texts(first_at, sha256, text, report) VALUES(?, ?, ?, ?) RETURNING key",
            (at, sha256, text, report),
        ).get
    )


def _insert(
    db: Connection,
    text: int,
    scope: Scope,
    now: datetime,
    names: tuple[str | None, str | None, str | None],
    last_change: str | None,
    parent: int | None,
) -> Frozen:
    key = db.execute(
        "INSERT INTO snapshots(host, host_session, session, scope, made_at, text, last_change, parent)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?) RETURNING key",
        (
            *map(_cleaned, names),
            scope_key(db, scope),
            milliseconds(now),
            text,
            _cleaned(last_change),
            parent,
        ),
    ).get
    return _frozen(db.execute(f"SELECT {_COLUMNS} FROM {_TABLES} WHERE s.key = ?", (key,)).fetchone())


def _frozen(row: Any) -> Frozen:  # noqa: ANN401 - columns
    (
        key, host, host_session, session, user, chat, project, made_at, text, sha256, report, last_change, told, parent,
    ) = row  # fmt: skip
    how = msgspec.json.decode(report, type=SnapshotReport)
    return Frozen(
        key=key,
        snapshot=Snapshot(text, sha256, msgspec.structs.replace(how, last_change=last_change)),
        scope=Scope(user or None, chat or None, project or None),
        made_at=instant(made_at),
        host=host,
        host_session=host_session,
        session_id=session,
        told=ChangesTold.of(told),
        parent=parent,
    )


def _is_sound(text: str, sha256: str, report: str) -> bool:
    try:
        msgspec.json.decode(report, type=SnapshotReport)
        return text_digest(text) == sha256
    except (msgspec.DecodeError, UnicodeError, TypeError, AttributeError):
        return False


def _cleaned(name: str | None) -> str | None:
    return None if name is None else clean(name)
