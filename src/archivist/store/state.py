"""`state.db` as one object: the canonical store of conversations.

Every method that returns has done what it says, durably; every method that could not raises and says why. Readers have connections
of their own, one a thread, and wait for nobody.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from archivist.config.home import ERASED
from archivist.records import (
    EVERYTHING,
    Notice,
    Patience,
    Reader,
)
from archivist.store.blobs import Blobs, named_parts
from archivist.store.connection import Connection
from archivist.store.erased import Erased, has_followed
from archivist.store.live import LiveFile, Setting
from archivist.store.migrating import schema_version
from archivist.store.rows import Row, clean_id
from archivist.store.scopes import visible_scopes
from archivist.store.spool import Spool, WriteSpooled
from archivist.store.spooled import Spooled, insert
from archivist.store.surroundings import Surroundings
from archivist.store.suspicion import naming_damage
from archivist.store.trouble import (
    DiskFailed,
    DiskFull,
    StoreBusy,
)

if TYPE_CHECKING:
    from archivist.records import Message, Session, SessionStart, Usage
    from archivist.store.adopting import Adopted
    from archivist.store.imported import Mark
    from archivist.store.places import Order
    from archivist.store.raw_prints import Prints
    from archivist.store.receiving import Receipt
    from archivist.store.salvage.report import SalvageReport
    from archivist.store.salvage.salvaging import Backups
    from archivist.store.verifying import Verification

T = TypeVar("T")


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
        backups: "Backups" = tuple,
    ) -> None:
        self.path, self._world = path, world
        self.blobs = Blobs(media)
        self.spool = Spool(spool, nanoseconds=world.nanoseconds)
        self._spooled = Spooled(self.spool, self.read, self.write)
        self.erased = Erased(path.with_name(ERASED))
        self._live = LiveFile(Setting(path, program, world, patience, self.spool, backups), self._when_open)

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
        backups: "Backups" = tuple,
    ) -> "StateStore":
        """Open the store, make or migrate its tables, and take in what was spooled.

        Args:
            path: `state.db`.
            spool: The folder of payloads that could not be written.
            media: The folder of blobs.
            program: This program's version.
            world: Clock, ids and chance.
            patience: How long a write waits for other writers.
            backups: Gives verified copies of `state.db`, newest first, should this one be damaged.

        Raises:
            StoreDamaged, StoreNotOpened, StoreReadOnly, SchemaTooNew, NotOurs, StoreBusy: See there.
        """
        store = cls(
            path, spool=spool, media=media, program=program, world=world, patience=patience, backups=backups
        )
        with ExitStack() as undo:
            undo.callback(store.close)
            store._live.open()
            undo.pop_all()
        return store

    def close(self) -> None:
        """Close every connection; the last one, the writer's, folds the log into the file."""
        self._live.close()

    # ---- writing ----

    def start(self, start: "SessionStart", *, session_id: str | None = None) -> str:
        """Begin a session and return its id.

        Raises:
            UnknownSession: Its parent is not there.
            StoreBusy, DiskFull, DiskFailed, StoreReadOnly: Nothing was begun.
        """
        from archivist.store.sessions import start_session  # noqa: PLC0415 - who only opens the store needs no part of it

        chosen = session_id or self._world.new_session_id()
        now, masked = self._world.now(), self.prepare_start(start)
        self.write(lambda db: start_session(db, masked, session_id=chosen, now=now))
        return chosen

    def append(self, session_id: str, new: "Sequence[Message]") -> list[int]:
        """Store messages at the end of a session's conversation and return their ids, in order.

        Raises:
            UnknownSession: Nothing was stored.
            ClientIdReused: A client id came back with other content; nothing was stored.
            WriteSpooled: The database could not take them; they are safe and will be taken in.
            StoreReadOnly, DiskFull, DiskFailed, StoreBusy: Nothing was stored anywhere.
        """
        if not new:
            return []
        rows = [self.prepare(message) for message in new]
        kept = named_parts(new, rows)
        try:
            self._spooled.take_in_before(session_id)
            return self.write(partial(insert, session_id, rows, keep_blobs=partial(self.blobs.keep, kept)))
        except (StoreBusy, DiskFailed, DiskFull) as error:
            self._spooled.keep(session_id, rows, error)
            self.blobs.keep(kept)
            raise WriteSpooled([row.client_id for row in rows], str(error)) from error

    def end(self, session_id: str, reason: str) -> None:
        """Record that a session has ended, or what it goes on in since it was compacted; the first reason stays."""
        from archivist.store.sessions import end_session, require_tip  # noqa: PLC0415 - as above

        now, masked = self._world.now(), self.masked(reason)

        def change(db: Connection) -> None:
            end_session(db, require_tip(db, session_id).key, reason=masked, now=now)

        self.write(change)

    def add_usage(self, session_id: str, usage: "Iterable[Usage]") -> None:
        """Count what requests used; a request told of again is not counted again."""
        from archivist.store.sessions import add_usage, require_session  # noqa: PLC0415 - as above

        counted = list(usage)

        def change(db: Connection) -> None:
            add_usage(db, require_session(db, session_id).key, counted)

        self.write(change)

    def receive(
        self,
        start: "SessionStart",
        told: "Iterable[Message]",
        usage: "Iterable[Usage]" = (),
        *,
        parent_external_id: str | None = None,
        mark: "Mark | None" = None,
        adopted: "Adopted | None" = None,
        prints: "Mapping[str, Prints] | None" = None,
        order: "Order | None" = None,
    ) -> "Receipt":
        """Store what is new of a foreign session, by batches; see `store.reception`.

        Args:
            start: With the source's own id as `external_id`.
            told: All its messages, each with a client id that the source makes stable.
            usage: What its requests used.
            parent_external_id: Its parent by the source's id.
            mark: That its file was read to the end, written last.
            adopted: What an export of Archivist's own tells of it beside; see `store.adopting`.
            prints: How what is told looks at its source, by client id; see `store.raw_prints`.
            order: All that its file holds; see `store.places`.

        Raises:
            StoreBusy, DiskFull, DiskFailed, StoreReadOnly: What was stored so far stays; a second try goes on from there.
        """
        from archivist.store.reception import Reception  # noqa: PLC0415 - imports alone need it

        return Reception(
            start=self.prepare_start(start),
            parent_external_id=parent_external_id and clean_id(parent_external_id),
            adopted=adopted,
            spare_id=self._world.new_id(),
            write=self.write,
            prepare=self.prepare,
            erased=self.erased,
            blobs=self.blobs,
            now=self._world.now,
            prints=prints or {},
            order=order,
        ).take_in(told, usage, mark)

    def write(self, change: Callable[[Connection], T], undo: Callable[[], None] | None = None) -> T:
        """Run a change in one durable transaction; see `Writer.write`. Damage that it meets is salvaged once."""
        return self._live.write(change, undo)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a person should know of the database, found at opening or since."""
        return self._live.notices

    def take_notices(self) -> tuple[Notice, ...]:
        """What was found since the store was opened and told to nobody yet."""
        return self._live.take_notices()

    def salvage(self, *, is_trial: bool = False) -> "SalvageReport":
        """Make the database anew from all that can be read of it, of the spool and of backups; see `store.salvage`.

        Args:
            is_trial: Only say what would come back.

        Raises:
            StoreDamaged, StoreReadOnly, StoreBusy, DiskFull, DiskFailed, FileLocked: The database is as it was.
        """
        return self._live.salvage(is_trial=is_trial)

    def take_in_spool(self) -> tuple[Notice, ...]:
        """Store what waits in the spool; what still cannot be stored stays there, and the notices say so."""
        return self._spooled.take_in()

    # ---- on the way in ----

    def prepare(self, message: "Message") -> Row:
        """The row of a message, masked and hashed, its bytes put into the blob store.

        Raises:
            MessageNotStorable, FileNotWritten: See there.
        """
        from archivist.store.preparing import prepare  # noqa: PLC0415 - masking costs readers 50 ms that they do not need
        from archivist.store.storable import check_form  # noqa: PLC0415 - as above

        check_form(message)
        now = message.created_at or self._world.now()
        return prepare(message, now=now, new_id=self._world.new_id, store_blob=self.blobs.put)

    def masked(self, text: str) -> str:
        """A text as it may be stored."""
        from archivist.store.preparing import mask_text  # noqa: PLC0415 - as above

        return mask_text(text)

    def prepare_start(self, start: "SessionStart") -> "SessionStart":
        """A session's beginning as it may be stored."""
        from archivist.store.preparing import prepare_start  # noqa: PLC0415 - as above

        return prepare_start(start)

    # ---- reading ----

    def reader(self) -> Connection:
        """This thread's own reading connection; work on it within `trying`."""
        return self._live.reader()

    def naming_trouble(self) -> AbstractContextManager[None]:
        """Names the database in the errors of what is done within."""
        return naming_damage(self.path)

    def read(self, question: Callable[[Connection], T]) -> T:
        """Ask this thread's reading connection, with the driver's errors named; damage that it meets is salvaged once."""
        return self._live.trying(lambda: question(self.reader()))

    def trying(self, work: Callable[[], T]) -> T:
        """Do what reads by itself, and do it again if it met damage that could be salvaged."""
        return self._live.trying(work)

    def session(self, session_id: str, reader: Reader = EVERYTHING) -> "Session":
        """A session's record, as a reader is told of it.

        Raises:
            UnknownSession: There is none with that id that the reader may see.
        """
        from archivist.store.sessions import read_session  # noqa: PLC0415 - as above

        return self.read(lambda db: read_session(db, session_id, visible_scopes(db, reader)))

    def context(self, session_id: str, reader: Reader = EVERYTHING) -> "list[Message]":
        """What the conversation's model sees now, at the tip of the session's lineage, as far as a reader may see it."""
        from archivist.store.messages import read_context  # noqa: PLC0415 - as above
        from archivist.store.sessions import require_tip  # noqa: PLC0415 - as above

        return self.read(
            lambda db: read_context(db, require_tip(db, session_id).key, visible_scopes(db, reader))
        )

    def lineage(self, session_id: str, reader: Reader = EVERYTHING) -> "list[Message]":
        """Everything said in the session's lineage that a reader may see, of every state, in order."""
        from archivist.store.messages import read_lineage  # noqa: PLC0415 - as above
        from archivist.store.sessions import require_session  # noqa: PLC0415 - as above

        return self.read(
            lambda db: read_lineage(db, require_session(db, session_id).key, visible_scopes(db, reader))
        )

    def usage(self, session_id: str) -> "list[Usage]":
        """What a session used, per model."""
        from archivist.store.sessions import read_usage, require_session  # noqa: PLC0415 - as above

        return self.read(lambda db: read_usage(db, require_session(db, session_id).key))

    def counts(self, reader: Reader = EVERYTHING) -> dict[str, int]:
        """How many conversations, sessions and messages there are for a reader."""
        from archivist.store.counting import count_rows  # noqa: PLC0415 - seldom asked

        return self.read(lambda db: count_rows(db, visible_scopes(db, reader)))

    def schema_version(self) -> int:
        """The schema's number."""
        return self.read(schema_version)

    def fingerprint(self, source: str, path: str) -> str | None:
        """What a file of a source looked like when it was last read to its end."""
        from archivist.store.imported import read_fingerprint  # noqa: PLC0415 - imports alone need it

        return self.read(lambda db: read_fingerprint(db, source, path))

    def verify(self, *, on_progress: Callable[[int], None] | None = None) -> "Verification":
        """Prove that everything stored is as it was stored."""
        from archivist.store.verifying import verify  # noqa: PLC0415 - seldom asked

        return self.read(lambda db: verify(db, self.blobs, on_progress=on_progress))

    # ---- inside ----

    def _when_open(self) -> tuple[Notice, ...]:
        """What is done each time that the database was opened for writing."""
        self._follow_erased()
        return self.take_in_spool()

    def _follow_erased(self) -> None:
        """Delete what `erased.jsonl` names and is here all the same: after a kill, or in an older copy of the database."""
        if self.read(lambda db: has_followed(db, self.erased)):
            return
        from archivist.store.deleting import apply_erased  # noqa: PLC0415 - as above

        self.write(lambda db: has_followed(db, self.erased) or apply_erased(db, self.erased))
