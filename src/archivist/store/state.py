"""`state.db` as one object: the canonical store of conversations.

Every method that returns has done what it says, durably; every method that could not raises and says why. Readers have connections
of their own, one a thread, and wait for nobody.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import apsw
import msgspec

from archivist.files import FileNotWritten, make_folder
from archivist.records import Message, Notice, Patience, Session, SessionStart, State, Usage
from archivist.store import messages, sessions
from archivist.store.blobs import Blobs
from archivist.store.connection import StoreNotOpened, StoreReadOnly, open_reader, open_writer
from archivist.store.migrating import check_version, migrate, schema_version
from archivist.store.receiving import Mark, Receipt, batches, finish, read_fingerprint, take
from archivist.store.rows import Row
from archivist.store.schema import MIGRATIONS
from archivist.store.sessions import SessionKey, UnknownSession
from archivist.store.spool import Payload, Spool, WriteSpooled
from archivist.store.verifying import Verification, verify
from archivist.store.writer import BUSY, DiskFailed, DiskFull, StoreBusy, Writer

T = TypeVar("T")


class Surroundings(msgspec.Struct, frozen=True):
    """What the store takes from the world, so that tests can give it another one.

    Attributes:
        now: The time of day, aware.
        monotonic: Seconds that only go forward.
        nanoseconds: Time of day in nanoseconds, for names that sort.
        sleep: Waits seconds.
        draw: A uniform random number between two bounds.
        new_id: A new random id, unique for all practical purposes.
    """

    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    nanoseconds: Callable[[], int]
    sleep: Callable[[float], None]
    draw: Callable[[float, float], float]
    new_id: Callable[[], str]


class StateStore:
    """The store of one home; safe to use from many threads, beside other processes."""

    def __init__(
        self,
        path: Path,
        *,
        spool: Path,
        media: Path,
        program: str,
        world: Surroundings,
        patience: Patience = Patience(),  # noqa: B008 - a frozen value
    ) -> None:
        self.path, self._world, self._patience = path, world, patience
        self._program = program
        self.blobs = Blobs(media)
        self.spool = Spool(spool, nanoseconds=world.nanoseconds)
        self._readers = threading.local()
        self._open_readers: list[apsw.Connection] = []
        self._writer: Writer | None = None
        self.notices: tuple[Notice, ...] = ()

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        spool: Path,
        media: Path,
        program: str,
        world: Surroundings,
        patience: Patience = Patience(),  # noqa: B008 - a frozen value
    ) -> "StateStore":
        """Open the store, make or migrate its tables, and take in what was spooled.

        Args:
            path: `state.db`.
            spool: The folder of payloads that could not be written.
            media: The folder of blobs.
            program: This program's version.
            world: Clock, ids and chance.
            patience: How long a write waits for other writers.

        Raises:
            StoreDamaged, StoreNotOpened, StoreReadOnly, SchemaTooNew, NotOurs, StoreBusy: See there.
        """
        store = cls(path, spool=spool, media=media, program=program, world=world, patience=patience)
        store._open()
        return store

    def close(self) -> None:
        """Close every connection."""
        if self._writer:
            self._writer.close()
        for db in self._open_readers:
            db.close()
        self._open_readers.clear()
        self._readers = threading.local()

    # ---- writing ----

    def start(self, start: SessionStart, *, session_id: str | None = None) -> str:
        """Begin a session and return its id.

        Raises:
            UnknownSession: Its parent is not there.
            StoreBusy, DiskFull, DiskFailed, StoreReadOnly: Nothing was begun.
        """
        chosen = session_id or self._world.new_id()
        now, masked = self._world.now(), self._prepare_start(start)
        self.write(lambda db: sessions.start_session(db, masked, session_id=chosen, now=now))
        return chosen

    def append(self, session_id: str, new: Sequence[Message]) -> list[int]:
        """Store messages at the end of a session's conversation and return their ids, in order.

        Raises:
            UnknownSession: Nothing was stored.
            ClientIdReused: A client id came back with other content; nothing was stored.
            WriteSpooled: The database could not take them; they are safe and will be taken in.
            StoreReadOnly, DiskFull, DiskFailed, StoreBusy: Nothing was stored anywhere.
        """
        if not new:
            return []
        rows = [self._prepare(message) for message in new]
        waiting = [] if self.spool.is_empty() else list(self.spool.waiting(session_id))
        try:
            ids = self.write(lambda db: self._insert(db, session_id, waiting, rows))
        except (StoreBusy, DiskFailed, DiskFull) as error:
            self._keep(session_id, rows, error)
            raise WriteSpooled([row.client_id for row in rows], str(error)) from error
        for payload in waiting:
            self.spool.remove(payload)
        return ids

    def end(self, session_id: str, reason: str) -> None:
        """Record that a session has ended; the first reason stays."""
        now = self._world.now()
        self.write(
            lambda db: sessions.end_session(
                db, sessions.require_session(db, session_id).key, reason=reason, now=now
            )
        )

    def add_usage(self, session_id: str, usage: Iterable[Usage]) -> None:
        """Count what requests used; a request told of again is not counted again."""
        counted = list(usage)

        def change(db: apsw.Connection) -> None:
            key = sessions.require_session(db, session_id).key
            for one in counted:
                sessions.add_usage(db, key, one)

        self.write(change)

    def receive(
        self,
        start: SessionStart,
        told: Iterable[Message],
        usage: Iterable[Usage] = (),
        *,
        parent_external_id: str | None = None,
        mark: Mark | None = None,
    ) -> Receipt:
        """Store what is new of a foreign session, by batches; see `store.receiving`.

        Args:
            start: With the source's own id as `external_id`.
            told: All its messages, each with a client id that the source makes stable.
            usage: What its requests used.
            parent_external_id: Its parent by the source's id.
            mark: That its file was read to the end, written last.

        Raises:
            StoreBusy, DiskFull, DiskFailed, StoreReadOnly: What was stored so far stays; a second try goes on from there.
        """
        total, start = Receipt(), self._prepare_start(start)
        spare_id = self._world.new_id()
        for batch in batches(told):
            rows = [self._prepare(message) for message in batch]
            part = self.write(
                lambda db, rows=rows: take(  # type: ignore[misc]
                    db,
                    start,
                    rows,
                    parent_external_id=parent_external_id,
                    spare_id=spare_id,
                    now=self._world.now(),
                )
            )
            total = total.plus(part)
        counted = list(usage)
        self.write(lambda db: finish(db, start, counted, mark, self._world.now()))
        return total

    def fingerprint(self, source: str, path: str) -> str | None:
        """What a file of a source looked like when it was last read to its end."""
        return read_fingerprint(self.reader(), source, path)

    def set_states(self, states: Sequence[tuple[int, State]]) -> int:
        """Move messages to other states and return how many moved; their texts stay."""
        return self.write(lambda db: messages.set_states(db, states))

    def write(self, change: Callable[[apsw.Connection], T]) -> T:
        """Run a change in one durable transaction; see `Writer.write`."""
        if self._writer is None:
            raise StoreReadOnly(self.path)
        return self._writer.write(change)

    def take_in_spool(self) -> tuple[Notice, ...]:
        """Store what waits in the spool; what still cannot be stored stays there, and the notices say so."""
        notices = []
        for payload in self.spool.waiting():
            try:
                self.write(lambda db, p=payload: self._insert(db, p.session_id, [], p.rows))  # type: ignore[misc]
            except (StoreBusy, DiskFailed, DiskFull, StoreReadOnly, UnknownSession) as error:
                notices.append(Notice("spool-waiting", f"{payload.path} still waits: {error}"))
            else:
                self.spool.remove(payload)
                notices.append(
                    Notice("spool-taken-in", f"{len(payload.rows)} spooled message(s) were taken in")
                )
        notices += [
            Notice(
                "spool-unreadable", f"{path} is no payload: open it to see what it holds, then move it away"
            )
            for path in self.spool.unreadable()
        ]
        return tuple(notices)

    # ---- reading ----

    def reader(self) -> apsw.Connection:
        """This thread's own reading connection."""
        db: apsw.Connection | None = getattr(self._readers, "db", None)
        if db is None:
            db = self._readers.db = open_reader(self.path)
            self._open_readers.append(db)
        return db

    def open_reader(self) -> apsw.Connection:
        """A reading connection of the caller's own, to be closed by them."""
        return open_reader(self.path)

    def session(self, session_id: str) -> Session:
        """A session's record.

        Raises:
            UnknownSession: There is none with that id.
        """
        return sessions.read_session(self.reader(), session_id)

    def context(self, session_id: str) -> Iterator[Message]:
        """What the conversation's model sees now, at the tip of the session's lineage."""
        db = self.reader()
        return messages.read_context(db, sessions.tip_of(db, self._key(session_id).key))

    def lineage(self, session_id: str) -> Iterator[Message]:
        """Everything said in the session's lineage, of every state, in order."""
        return messages.read_lineage(self.reader(), self._key(session_id).key)

    def usage(self, session_id: str) -> list[Usage]:
        """What a session used, per model."""
        return sessions.read_usage(self.reader(), self._key(session_id).key)

    def counts(self) -> dict[str, int]:
        """How many sessions, conversations and messages there are."""
        db = self.reader()
        return {
            "conversations": db.execute("SELECT count(DISTINCT conversation) FROM sessions").get,
            "sessions": db.execute("SELECT count(*) FROM sessions").get,
            "messages": db.execute("SELECT count(*) FROM messages").get,
        }

    def schema_version(self) -> int:
        """The schema's number."""
        return schema_version(self.reader())

    def verify(self, *, on_progress: Callable[[int], None] | None = None) -> Verification:
        """Prove that everything stored is as it was stored."""
        return verify(self.reader(), self.blobs, on_progress=on_progress)

    # ---- inside ----

    def _open(self) -> None:
        self.notices += self._set_aside_empty_file()
        try:
            make_folder(self.path.parent)
            self.path.touch(mode=0o600)  # SQLite's own mode would follow the umask; its log takes the file's
            for pause in self._patience.pauses(self._world.monotonic, self._world.draw):
                try:
                    self._open_for_writing()
                    break
                except BUSY:
                    self._world.sleep(pause)
            else:
                raise StoreBusy(self.path, self._patience.seconds)
        except (apsw.ReadOnlyError, StoreNotOpened, PermissionError, OSError) as error:
            self._open_for_reading(error)
            return
        self.notices += self.take_in_spool()

    def _open_for_writing(self) -> None:
        db, notices = open_writer(self.path)
        try:
            migrate(db, self.path, program=self._program, store_id=self._world.new_id())
        except BaseException:
            db.close()
            raise
        self.notices += notices
        self._writer = Writer(
            db,
            self.path,
            patience=self._patience,
            monotonic=self._world.monotonic,
            sleep=self._world.sleep,
            draw=self._world.draw,
        )

    def _open_for_reading(self, error: Exception) -> None:
        """Where nothing can be written, what is there can still be found."""
        if not self.path.is_file():
            raise StoreReadOnly(self.path) from error
        check_version(self.reader(), self.path, len(MIGRATIONS))
        if self.schema_version() < len(MIGRATIONS):
            raise StoreReadOnly(self.path) from error
        self.notices += (Notice("read-only", str(StoreReadOnly(self.path))),)

    def _set_aside_empty_file(self) -> tuple[Notice, ...]:
        """A file of no bytes is what a full disk leaves; it holds nothing and must not stop anyone."""
        if not self.path.is_file() or self.path.stat().st_size:
            return ()
        text = f"{self.path} was empty (0 bytes) and was begun anew: if it had history, restore a backup"
        return (Notice("empty-state", text),)

    def _prepare(self, message: Message) -> Row:
        from archivist.store.preparing import prepare  # noqa: PLC0415 - masking costs readers 50 ms that they do not need

        return prepare(message, now=self._world.now(), new_id=self._world.new_id, store_blob=self.blobs.put)

    def _prepare_start(self, start: SessionStart) -> SessionStart:
        from archivist.store.preparing import prepare_start  # noqa: PLC0415 - as above

        return prepare_start(start)

    def _insert(
        self, db: apsw.Connection, session_id: str, waiting: Sequence[Payload], rows: Sequence[Row]
    ) -> list[int]:
        tip = sessions.require_tip(db, session_id)
        for payload in waiting:
            messages.insert_messages(db, tip, payload.rows)
        return messages.insert_messages(db, tip, rows)

    def _keep(self, session_id: str, rows: Sequence[Row], error: Exception) -> None:
        try:
            self.spool.keep(session_id, rows)
        except FileNotWritten:
            raise error from None

    def _key(self, session_id: str) -> SessionKey:
        return sessions.require_session(self.reader(), session_id)
