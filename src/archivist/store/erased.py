"""What was deleted and stays away: `erased.jsonl`, a line for each session, and each proposal, without a word of it.

A line is written and synced before the deletion that it tells of is committed. The database remembers how the file looked when every
line of it had been followed (`followed`), so a kill between the two, an older copy of the database and an edit by hand all show in
one comparison, and are made good by following the file again.

The file only grows at its end. Lines that are no JSON, or of a kind that this version does not know, are passed over: a torn line
harms nothing after it.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from archivist.files import FileNotWritten, locked, make_folder, sync_folder, write_atomically
from archivist.store.connection import Connection
from archivist.store.trouble import DiskFailed, disk_trouble

if TYPE_CHECKING:
    from archivist.records import SessionStart

LINE_VERSION: Final = 1
SESSION: Final = "session"
PROPOSAL: Final = "proposal"
LOCK_SECONDS: Final = 10.0
FOLLOWED: Final = "erased"
"""The key in `meta` under which stands how the file looked when all of it had been followed."""


class ErasedSession(msgspec.Struct, frozen=True):
    """A session that was deleted here: its source's id, where it had one, and ours."""

    source: str
    external_id: str | None
    session_id: str


class ErasedProposal(msgspec.Struct, frozen=True):
    """A proposal that was erased here: its id."""

    proposal_id: str


class Names(msgspec.Struct, frozen=True):
    """What the file names, for looking up, and how the file looked when it was read."""

    look: str
    sessions: frozenset[str] = frozenset()
    external: frozenset[tuple[str, str]] = frozenset()
    proposals: frozenset[str] = frozenset()

    def has(self, start: "SessionStart") -> bool:
        """Whether what a source tells of is a session that was deleted here."""
        if start.own_id is not None and start.own_id in self.sessions:
            return True
        return start.external_id is not None and (start.source, start.external_id) in self.external


class Erased:
    """The file of one home; safe to use from many threads, beside other processes."""

    __slots__ = ("_names", "path")

    def __init__(self, path: Path) -> None:
        self.path = path
        self._names = Names("")

    def look(self) -> str:
        """What the file looks like now, as one stat tells; empty where there is none."""
        try:
            return _look_of(self.path.stat())
        except OSError:
            return ""

    def names(self) -> Names:
        """What it names now; read again only when the file has changed.

        Raises:
            DiskFailed: It is there and cannot be read.
        """
        look = self.look()
        if look != self._names.look:
            self._names = self._read(look)
        return self._names

    def add(self, gone: Sequence[ErasedSession | ErasedProposal], at: str) -> "Addition":
        """Write a line for each at the end of the file, synced.

        Args:
            gone: What is about to be deleted.
            at: The time, in ISO 8601.

        Raises:
            FileLocked, DiskFull, DiskFailed, StoreReadOnly: Nothing can be deleted now; the file is as it was.
        """
        lines = b"".join(_line_of(one, at) for one in gone)
        with self._opened() as handle:
            before = os.fstat(handle).st_size
            try:
                _write_all(handle, lines if _ends_whole(handle, before) else b"\n" + lines)
                os.fsync(handle)
                sync_folder(self.path.parent)
                status = os.fstat(handle)
            except BaseException:
                _cut(handle, before)
                raise
        return Addition(before, status.st_size, _look_of(status))

    def take_back(self, addition: "Addition") -> None:
        """Remove lines whose deletion came to nothing, synced, unless others have written behind them.

        Raises:
            FileLocked, DiskFull, DiskFailed, StoreReadOnly: They stay, and what they name goes at the next open.
        """
        with self._opened() as handle:
            if os.fstat(handle).st_size == addition.end:
                _cut(handle, addition.begin)

    def lines(self) -> list[bytes]:
        """What stands in it, line by line; nothing where there is no file.

        Raises:
            DiskFailed: It is there and cannot be read.
        """
        try:
            return [line for line in self.path.read_bytes().split(b"\n") if line]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise self._unread(error) from error

    def join(self, other: "Erased") -> None:
        """Add what another file names and this one does not.

        Raises:
            FileLocked, FileNotWritten, OSError: The file is as it was.
        """
        theirs = other.lines()
        if not theirs:
            return
        make_folder(self.path.parent)
        with locked(self._lock, seconds=LOCK_SECONDS):
            ours = self.lines()
            if set(theirs) - set(ours):
                joined = dict.fromkeys([*ours, *theirs])
                write_atomically(self.path, b"".join(b"%s\n" % line for line in joined))

    @contextmanager
    def _opened(self) -> Iterator[int]:
        try:
            make_folder(self.path.parent)
            with locked(self._lock, seconds=LOCK_SECONDS):
                handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
                try:
                    yield handle
                finally:
                    os.close(handle)
        except (OSError, FileNotWritten) as error:
            reason = error.reason if isinstance(error, FileNotWritten) else error
            raise disk_trouble(self.path, reason) from error

    @property
    def _lock(self) -> Path:
        return self.path.with_name(f"{self.path.name}.lock")

    def _read(self, look: str) -> Names:
        sessions, external, proposals = set[str](), set[tuple[str, str]](), set[str]()
        for one in self._named():
            if isinstance(one, ErasedProposal):
                proposals.add(one.proposal_id)
                continue
            sessions.add(one.session_id)
            if one.external_id is not None:
                external.add((one.source, one.external_id))
        return Names(look, frozenset(sessions), frozenset(external), frozenset(proposals))

    def _unread(self, error: OSError) -> DiskFailed:
        return DiskFailed(self.path, error.strerror or str(error))

    def _named(self) -> Iterator[ErasedSession | ErasedProposal]:
        try:
            file = self.path.open("rb")
        except FileNotFoundError:
            return
        except OSError as error:
            raise self._unread(error) from error
        with file:
            for line in file:
                if (found := _named_in(line)) is not None:
                    yield found


class Addition(msgspec.Struct, frozen=True):
    """Lines that were added: where they begin and end, and what the file looks like with them."""

    begin: int
    end: int
    look: str


def has_followed(db: Connection, erased: Erased) -> bool:
    """Whether the file looks as it did when all of it had been followed."""
    return erased.look() == (db.execute("SELECT value FROM meta WHERE key = ?", (FOLLOWED,)).get or "")


def mark_followed(db: Connection, look: str) -> None:
    """Remember how the file looked with everything in it followed."""
    db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (FOLLOWED, look))


def _line_of(one: ErasedSession | ErasedProposal, at: str) -> bytes:
    kind = SESSION if isinstance(one, ErasedSession) else PROPOSAL
    fields = {"version": LINE_VERSION, "kind": kind, **msgspec.structs.asdict(one), "at": at}
    return msgspec.json.encode(fields) + b"\n"


def _named_in(line: bytes) -> ErasedSession | ErasedProposal | None:
    try:
        fields: Any = msgspec.json.decode(line)
        if fields["kind"] == PROPOSAL:
            return msgspec.convert(fields, ErasedProposal)
        return msgspec.convert(fields, ErasedSession) if fields["kind"] == SESSION else None
    except (msgspec.DecodeError, msgspec.ValidationError, KeyError, TypeError, RecursionError):
        return None


def _write_all(handle: int, lines: bytes) -> None:
    view = memoryview(lines)
    while view:
        view = view[os.write(handle, view) :]


def _cut(handle: int, size: int) -> None:
    os.ftruncate(handle, size)
    os.fsync(handle)


def _ends_whole(handle: int, size: int) -> bool:
    if not size:
        return True
    os.lseek(handle, size - 1, os.SEEK_SET)
    return os.read(handle, 1) == b"\n"


def _look_of(status: os.stat_result) -> str:
    return f"{status.st_size}:{status.st_mtime_ns}"
