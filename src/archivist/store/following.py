"""Files of other programs that are read while they grow: how far, and what is stored of them, always in one transaction.

A step says how the file's row was when it was read. Where another process has moved on meanwhile nothing is written and the step is
refused, so that whoever made it looks again: nothing is stored twice, and no offset is ever ahead of the messages before it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, Final

import apsw
import msgspec

from archivist.records import Message, SessionStart, State, Usage
from archivist.store.blobs import NamedPart, named_parts
from archivist.store.homes import home_of, is_away, is_known, origin_of
from archivist.store.imported import Mark, note_file, read_fingerprint
from archivist.store.messages import set_states
from archivist.store.places import Order, leave
from archivist.store.raw_prints import NO_PRINTS, Prints, prints_of, recognise
from archivist.store.receiving import MOVABLE, Receipt, find_known, find_parent, finish, settle_told, take
from archivist.store.rows import Row, clean, clean_id
from archivist.store.sessions import find_external
from archivist.store.state import StateStore
from archivist.store.surroundings import Surroundings

COLUMNS: Final = (
    "key, path, look, offset, edges, checksum, revision, root, session, state, is_open, read_at, problem"
)


class Followed(msgspec.Struct, frozen=True):
    """A file that is followed; see `store.schema` for the columns.

    Attributes:
        revision: Zero for one that is not known yet.
        read_at: Milliseconds since 1970.
    """

    key: int
    path: str
    look: str = ""
    offset: int = 0
    edges: str = ""
    checksum: int = 0
    revision: int = 0
    root: str | None = None
    session: str | None = None
    state: bytes | None = None
    is_open: int = 0
    read_at: int = 0
    problem: str | None = None


class Telling(msgspec.Struct, frozen=True):
    """What a stretch of a file tells of one session.

    Attributes:
        start: With the source's own id.
        parent_external_id: Its parent by the source's id.
        messages: Those that may be new.
        restated: Client ids of known ones, with the states that they have now.
        usage: What requests used.
        prints: By client id, how what is told looks; see `store.raw_prints`.
        order: All that its file holds; None where that is as before but for what is added at its end; see `store.places`.
    """

    start: SessionStart
    parent_external_id: str | None = None
    messages: Sequence[Message] = ()
    restated: Sequence[tuple[str, State]] = ()
    usage: Sequence[Usage] = ()
    prints: Mapping[str, Prints] = NO_PRINTS
    order: Order | None = None


class Here(msgspec.Struct, frozen=True):
    """What is here of that which a session tells.

    Attributes:
        told: Client ids.
        others: Whether any of it is another session's.
    """

    told: frozenset[str] = frozenset()
    others: bool = False


class Vanished(msgspec.Struct, frozen=True):
    """What a file that was rewritten tells of a session now: what is here beside it was taken out of the file.

    Attributes:
        external_id: The session by the source's id.
        told: Whether a client id, told with that hash, is still in the file.
    """

    external_id: str
    told: Callable[[str, bytes | None], bool]


class Step(msgspec.Struct, frozen=True):
    """A stretch of a file.

    Attributes:
        followed: The file's row as it is afterwards, with the revision that it had before.
        tellings: What the stretch tells, parents before their children.
        part: What the reader keeps of it.
        is_anew: Whether the file is read from its beginning, so that earlier parts are void.
        vanished: Where its end is reached after it was rewritten.
        mark: How an import finds it.
        wordless: What takes the place of the state, without a word, where the first session that is told was deleted here.
    """

    followed: Followed
    tellings: Sequence[Telling] = ()
    part: bytes | None = None
    is_anew: bool = False
    vanished: Sequence[Vanished] = ()
    mark: Mark | None = None
    wordless: bytes | None = None


def followed_files(db: apsw.Connection, source: str) -> dict[str, Followed]:
    """By path, the files of a source that are followed; without what their readers keep."""
    columns = COLUMNS.replace("state,", "NULL,")
    rows: Any = db.execute(f"SELECT {columns} FROM followed WHERE source = ?", (source,)).fetchall()
    return {row[1]: Followed(*row) for row in rows}


class Following:
    """The files of one program that a home follows.

    Args:
        source: The program.
    """

    def __init__(self, store: StateStore, world: Surroundings, source: str) -> None:
        self._store, self._world, self._source = store, world, source

    def files(self) -> dict[str, Followed]:
        """By path, those that are followed; without what their readers keep."""
        return self._store.read(lambda db: followed_files(db, self._source))

    def file(self, path: str) -> Followed:
        """One file with what its reader keeps; of revision zero where it is not followed."""
        query = f"SELECT {COLUMNS} FROM followed WHERE source = ? AND path = ?"
        row: Any = self._store.read(lambda db: db.execute(query, (self._source, clean(path))).fetchone())
        return Followed(*row) if row else Followed(0, clean(path))

    def parts(self, file: Followed) -> list[bytes]:
        """What its reader keeps of each stretch, in order."""
        query = "SELECT part FROM followed_parts WHERE file = ? ORDER BY key"
        rows: Any = self._store.read(lambda db: db.execute(query, (file.key,)).fetchall())
        return [part for (part,) in rows]

    def fingerprint(self, name: str) -> str | None:
        """What an import has kept of a file."""
        return self._store.read(lambda db: read_fingerprint(db, self._source, name))

    def known(self, telling: Telling, told: Iterable[str]) -> Here:
        """What is here of that which a session tells, by client id; of one that is not here, what the one has that it comes from."""

        def ask(db: apsw.Connection) -> Here:
            found = find_known(db, telling.start)
            home = found or find_parent(db, telling.start, telling.parent_external_id)
            if home is None:
                return Here()
            known = recognise(db, home[0].conversation, told, telling.prints).known
            own = found and found[0].key
            return Here(frozenset(known), any(one.session != own for one in known.values()))

        return self._store.read(ask)

    def origin_of(self, telling: Telling, told: Sequence[str]) -> str | None:
        """The session that one is a fork of, as it is stored; of one that is not here the one that it repeats, else the one told."""

        def ask(db: apsw.Connection) -> str | None:
            stored = origin_of(db, telling.start)
            if stored is not None:
                return stored or None
            return home_of(db, telling.start, told, telling.prints) or telling.parent_external_id

        return self._store.read(ask)

    def is_away(self, external_id: str) -> bool:
        """Whether a session was deleted here and stays away."""
        return is_away(self._store, self._source, external_id)

    def is_known(self, external_id: str) -> bool:
        """Whether a session is here, or was deleted here: what it said first stays its own."""
        return is_known(self._store, self._source, external_id)

    def advance(self, step: Step) -> Receipt | None:
        """Store a stretch and how far the file is read; None where another process was there first.

        Raises:
            StoreBusy, DiskFull, DiskFailed, StoreReadOnly: Nothing was stored.
        """
        prepared = [self._prepare(telling) for telling in step.tellings]
        return self._store.write(lambda db: self._advance(db, step, prepared))

    def note(self, followed: Followed) -> None:
        """Write down how a file looks, or what is wrong with it, unless another process has moved on."""
        self._store.write(lambda db: self._is_as_read(db, followed) and _put(db, self._source, followed))

    def others_of(self, followed: Followed) -> set[str]:
        """The sessions that other files tell of too."""
        query = "SELECT session FROM followed WHERE source = ? AND path <> ? AND session IS NOT NULL"
        rows: Any = self._store.read(lambda db: db.execute(query, (self._source, followed.path)).fetchall())
        return {session for (session,) in rows}

    def leave(self, files: Iterable[Followed]) -> None:
        """Follow files no more that are gone; what was stored of them stays."""
        keys = [(file.key,) for file in files]

        def change(db: apsw.Connection) -> None:
            db.executemany("DELETE FROM followed_parts WHERE file = ?", keys)
            db.executemany("DELETE FROM followed WHERE key = ?", keys)

        if keys:
            self._store.write(change)

    def _prepare(self, telling: Telling) -> "_Prepared":
        start = self._store.prepare_start(telling.start)
        rows = [] if self._store.erased.names().has(start) else [*map(self._store.prepare, telling.messages)]
        parts = named_parts(telling.messages, rows) if rows else []
        return _Prepared(telling, start, rows, parts)

    def _advance(self, db: apsw.Connection, step: Step, prepared: Sequence["_Prepared"]) -> Receipt | None:
        if not self._is_as_read(db, step.followed):
            return None
        receipts = [self._take(db, one) for one in prepared]
        total = reduce(Receipt.plus, receipts, Receipt())
        for gone in step.vanished:
            total = total.plus(_leave_path(db, self._source, gone))
        for one in prepared:
            total = total.plus(settle_told(db, one.start, one.telling.order, one.telling.prints))
        is_away = bool(receipts) and receipts[0].stays_away
        followed = step.followed
        if is_away:
            followed = msgspec.structs.replace(followed, state=step.wordless)
        key = _put(db, self._source, followed)
        if step.is_anew or is_away:
            db.execute("DELETE FROM followed_parts WHERE file = ?", (key,))
        if step.part is not None and not is_away:
            db.execute("INSERT INTO followed_parts(file, part) VALUES(?, ?)", (key, step.part))
        if step.mark is not None:
            note_file(db, step.mark, self._world.now())
        return total

    def _take(self, db: apsw.Connection, one: "_Prepared") -> Receipt:
        if self._store.erased.names().has(one.start):  # asked here too: it may have been deleted since
            return Receipt(stays_away=True)
        telling, taken = one.telling, Receipt()
        parent = telling.parent_external_id and clean_id(telling.parent_external_id)
        if one.rows or (telling.restated and find_known(db, one.start)):
            taken = take(
                db,
                one.start,
                one.rows,
                parent_external_id=parent,
                spare_id=self._world.new_id(),
                now=self._world.now(),
                restated=telling.restated,
                prints=telling.prints,
            )
            self._store.blobs.keep(one.parts)
        return taken.plus(finish(db, one.start, telling.usage, None, self._world.now()))

    def _is_as_read(self, db: apsw.Connection, followed: Followed) -> bool:
        query = "SELECT revision FROM followed WHERE source = ? AND path = ?"
        return (db.execute(query, (self._source, followed.path)).get or 0) == followed.revision


class _Prepared(msgspec.Struct, frozen=True):
    """What is told of a session, masked."""

    telling: Telling
    start: SessionStart
    rows: list[Row]
    parts: list[NamedPart]


def _put(db: apsw.Connection, source: str, followed: Followed) -> int:
    """Write a file's row, one revision on, and return its key."""
    values = (*msgspec.structs.astuple(followed)[1:6], followed.revision + 1)
    rest = msgspec.structs.astuple(followed)[7:]
    key: int = db.execute(
        "INSERT INTO followed(source, path, look, offset, edges, checksum, revision, root, session, state, is_open, read_at, problem)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(source, path) DO UPDATE SET look = excluded.look,"
        " offset = excluded.offset, edges = excluded.edges, checksum = excluded.checksum, revision = excluded.revision,"
        " root = excluded.root, session = excluded.session, state = excluded.state, is_open = excluded.is_open,"
        " read_at = excluded.read_at, problem = excluded.problem RETURNING key",
        (source, *values, *rest),
    ).get
    return key


def _leave_path(db: apsw.Connection, source: str, gone: Vanished) -> Receipt:
    """Let messages of a session that its file no longer has be a branch."""
    found = find_external(db, source, clean_id(gone.external_id))
    if found is None:
        return Receipt()
    rows = prints_of(db, found[0].conversation, found[0].key)
    left = [
        key
        for key, client_id, state, print_, told_as in rows
        if (state, "branch") in MOVABLE and not gone.told(told_as or client_id, print_)
    ]
    held = leave(db, found[0].key, left)
    moved = set_states(db, [(key, "branch") for key in left if key not in held])
    return Receipt(found[1], restated=moved, branched=moved)
