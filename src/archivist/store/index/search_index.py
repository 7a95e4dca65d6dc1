"""The index as the rest of the program uses it: brought up to date in turns, read by many, begun again when in doubt.

Nothing that is wrong with `index.db` is an error of the caller. A file that is missing, damaged, of another
version, of another store or ahead of the store counts as an empty index, is replaced as soon as the lease on it
is free, and a notice says so. Nothing here writes `state.db` or waits for its writers.
"""

import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw
import msgspec

from archivist.records import Notice
from archivist.records.counts import counted
from archivist.store.index import opening
from archivist.store.index.checking import SpotCheck, check_sample, find_faults
from archivist.store.index.indexer import (
    IndexOutdated,
    IsLate,
    Newest,
    Step,
    StoreUnread,
    StoreWentBack,
    checked_mark,
    end_transaction,
    read_newest,
    take_step,
)
from archivist.store.index.merging import empty_log, erase_deleted, merge_segments
from archivist.store.index.opening import Opened
from archivist.store.index.pages import close_proven
from archivist.store.index.reader import DAMAGE, IndexDamaged, IndexReader, Tail
from archivist.store.index.tables import Mark, read_mark
from archivist.store.surroundings import Waiting
from archivist.store.trouble import BUSY, CLOSED

BATCH_MESSAGES = 8000
"""A step of work without a limit of time. Measured: steps of 2,000 cost a tenth more; memory grows by 70 MB at most."""
SHORT_BATCH_MESSAGES = 2000
"""A step of work within a limit of time."""
ADDING_SHARE = 0.6  # of the time; writing what was added takes half as long again

REPLACE_PATIENCE_SECONDS = 0.1  # a search that finds damage waits no longer for whoever is indexing
REBUILD_PATIENCE_SECONDS = 30.0


class Coverage(msgspec.Struct, frozen=True):
    """How far the index is, and what happened on the way.

    Attributes:
        seq_done: The last change that it has followed.
        seq_newest: The store's last change.
        documents_done: Messages in the index.
        documents_waiting: At most how many messages are not.
        complete: Whether nothing is left to do.
    """

    seq_done: int
    seq_newest: int
    documents_done: int
    documents_waiting: int
    complete: bool
    notices: tuple[Notice, ...] = ()


class SearchIndex:
    """The full-text index of a store; safe to use from many threads and processes.

    Every thread has a connection of its own. Within `reading()` a thread asks the reader only.

    Args:
        path: `index.db`; made when it is first brought up to date.
        state: Gives this thread's connection to `state.db`, which reads.
        monotonic: A clock in seconds.
    """

    def __init__(
        self,
        path: Path,
        state: Callable[[], apsw.Connection],
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path = path
        self._state = state
        self._monotonic = monotonic
        self._own = _Own()
        self._open = list[weakref.ref[apsw.Connection]]()
        self._guard = threading.Lock()
        self._notices: list[Notice] = []

    # ---- reading ----

    @contextmanager
    def reading(self) -> Iterator[IndexReader]:
        """The index at one moment; of an index that cannot be used, an empty one."""
        reader = self._begin_reading(self._state())
        damage = ""
        try:
            yield reader
        except IndexDamaged as error:
            damage = str(error.__cause__)
            raise
        finally:
            reader.close()
            if damage:
                self._replace(damage)

    def tail(self, limit: int) -> Tail:
        """Messages that the index cannot answer for now; to be asked before `reading()`, or of its reader."""
        with self.reading() as reader:
            return reader.tail(limit)

    def _begin_reading(self, state: apsw.Connection) -> IndexReader:
        opened, mark = self._begin_snapshot()
        try:
            newest = read_newest(state)  # after the snapshot: a store is never behind its index
            if opened is not None:
                return IndexReader(opened.db, state, checked_mark(mark, newest), newest)
        except (IndexOutdated, apsw.Error) as error:
            if opened is not None:
                end_transaction(opened.db)
            if not isinstance(error, IndexOutdated):
                raise
            if isinstance(error, StoreWentBack):
                self._note_went_back(mark, newest)
            self._replace(str(error))
        return IndexReader(None, state, Mark(newest.store_id), newest)

    def _begin_snapshot(self) -> tuple[Opened | None, Mark | None]:
        """A connection with a snapshot of the file that the path names, and its mark; nothing if it cannot be used."""
        try:
            while (opened := self._index()) is not None:
                opened.db.execute("BEGIN")
                mark = read_mark(opened.db)  # takes the snapshot, and with it the log
                if opened.is_current:
                    return opened, mark
                end_transaction(opened.db)
        except DAMAGE as error:
            self._replace(str(error))
        except CLOSED:
            raise
        except apsw.Error as error:
            self._note("index-not-read", f"the search index cannot be opened ({error}): searching without it")
        self._close_index()  # with whatever it had begun
        return None, None

    # ---- bringing up to date ----

    def catch_up(self, seconds: float | None = None) -> Coverage:
        """Work on the index for some seconds, or until it is complete; at once if another process does.

        Raises:
            apsw.Error: When the store cannot be read.
        """
        began = self._monotonic()
        state = self._state()
        coverage = self._coverage(state)
        if coverage.complete:
            return coverage
        with opening.leased(self._path) as is_held:
            if is_held and seconds is None:
                self._work(state, lambda: False, BATCH_MESSAGES)
            elif is_held and seconds is not None:
                enough = began + seconds * ADDING_SHARE
                self._work(state, lambda: self._monotonic() >= enough, SHORT_BATCH_MESSAGES)
        return self._coverage(state, coverage.notices)

    def rebuild(self) -> None:
        """Begin again with an empty index, which `catch_up` then fills."""
        self._replace("it was asked for", REBUILD_PATIENCE_SECONDS)

    def merge(self, seconds: float) -> bool:
        """Merge segments, give free pages back and empty the log, for some seconds; whether that is finished."""
        deadline = self._monotonic() + seconds
        with opening.leased(self._path) as is_held:
            try:
                opened = self._index() if is_held else None
                return opened is not None and merge_segments(opened.db, lambda: self._monotonic() >= deadline)
            except DAMAGE as error:
                self._begin_again(str(error))
            except CLOSED:
                raise
            except apsw.Error as error:
                self._note_unwritten(error)
            return False

    def erase(self, first: int, waiting: Waiting, *, lease_seconds: float) -> bool:
        """Remove every byte of messages that were removed from the store; whether that is done.

        It works until it is done; it waits only for whoever is indexing, and for readers of an older state.

        Args:
            first: No message with a lower id was removed; an index that holds none so high is left alone.
            waiting: How long to wait for readers.
            lease_seconds: How long to wait for whoever is indexing.

        Raises:
            apsw.Error: When the store cannot be read.
        """
        with opening.leased(self._path, lease_seconds) as is_held:
            if not is_held:
                return False
            try:
                opened = self._index()
                if opened is None:
                    return True
                mark = read_mark(opened.db)
                if mark is None or mark.through >= first:
                    erase_deleted(self._state(), opened.db)
                return waiting.until(lambda: empty_log(opened.db))
            except StoreUnread as error:
                raise error.cause from error
            except (IndexOutdated, *DAMAGE) as error:
                return self._begin_again(str(error))
            except CLOSED:
                raise
            except (apsw.Error, OSError) as error:
                self._note_unwritten(error)
                return False

    def check(self) -> list[str]:
        """What is wrong with the index, one sentence for each fault; one that is behind or not there has none.

        It reads the whole index and compares it with the whole store: 0.15 ms a message.

        Raises:
            apsw.Error: When the store cannot be read.
        """
        return self._checked(lambda state, db: SpotCheck(find_faults(state, db))).faults

    def spot_check(self) -> SpotCheck:
        """The same of a sample, for a cost that has a bound: 0.3 s.

        Raises:
            apsw.Error: When the store cannot be read.
        """
        return self._checked(check_sample)

    def _checked(self, check: Callable[[apsw.Connection, apsw.Connection], SpotCheck]) -> SpotCheck:
        state = self._state()
        try:
            opened = self._index()
            return SpotCheck([]) if opened is None else check(state, opened.db)
        except StoreUnread as error:
            raise error.cause from error
        except BUSY:
            return SpotCheck([], 0)  # somebody is indexing at this moment: busy, not broken
        except DAMAGE as error:
            return SpotCheck([f"the search index is damaged: {error}"])
        except CLOSED:
            raise
        except apsw.Error as error:
            return SpotCheck([f"the search index cannot be read: {error}"])

    def close(self) -> tuple[Notice, ...]:
        """Close the connections of all threads; gives what a person should know that nobody was told."""
        with self._guard:
            connections = list(filter(None, (one() for one in self._open)))
            self._own = _Own()
        for db in connections:
            with suppress(apsw.ThreadingViolationError):  # as with the readers of the store
                self._close(db)
        return self._take_notices()

    def _work(self, state: apsw.Connection, is_late: IsLate, batch_messages: int) -> None:
        """Take steps until it is late or nothing is left; an index that fails is begun again once."""
        may_begin_again = True
        while True:
            try:
                step = self._step(state, is_late, batch_messages)
            except StoreUnread as error:
                raise error.cause from error
            except (IndexOutdated, *DAMAGE) as error:
                if not may_begin_again:
                    self._note_unwritten(error)
                    return
                may_begin_again = False
                if not self._begin_again(str(error)):
                    return
            except CLOSED:
                raise
            except (apsw.Error, OSError) as error:
                self._note_unwritten(error)
                return
            else:
                if step.is_complete or is_late():
                    return

    def _step(self, state: apsw.Connection, is_late: IsLate, batch_messages: int) -> Step:
        opened = self._index()
        if opened is None:
            opening.begin_again(self._path, read_newest(state).store_id)
            opened = self._index()
            assert opened is not None
        step = take_step(state, opened.db, is_late, batch_messages)
        for key in step.unreadable:
            self._note(
                "message-unread", f"message {key} cannot be decoded and is left out of search: run doctor"
            )
        return step

    def _coverage(self, state: apsw.Connection, earlier: tuple[Notice, ...] = ()) -> Coverage:
        reader = self._begin_reading(state)
        try:
            return Coverage(
                reader.mark.seq,
                reader.newest_of_store.seq,
                reader.documents,
                reader.waiting,
                reader.is_complete,
                earlier + self._take_notices(),
            )
        finally:
            reader.close()

    # ---- the file ----

    def _index(self) -> Opened | None:
        """This thread's connection to the file that the path names; None if there is none."""
        own = self._own
        if own.index is None or not own.index.is_current:
            self._close_index()
            own.index = opening.open_existing(self._path)
            self._remember(own.index)
        return own.index

    def _remember(self, opened: Opened | None) -> None:
        if opened is not None:
            with self._guard:
                self._open = [one for one in self._open if one() is not None]
                self._open.append(weakref.ref(opened.db))

    def _close_index(self) -> None:
        if self._own.index is not None:
            self._close(self._own.index.db)
            self._own.index = None

    def _close(self, db: apsw.Connection) -> None:
        if reason := close_proven(db):
            self._note("index-not-closed", f"the search index could not be closed ({reason}): check the disk")

    def _replace(self, reason: str, patience_seconds: float = REPLACE_PATIENCE_SECONDS) -> None:
        """Begin again, unless another process has, or is at work on the index for longer than the patience."""
        own = self._own
        unfit = own.index.identity if own.index else opening.identity_of(self._path)
        with opening.leased(self._path, patience_seconds) as is_held:
            if not is_held:
                self._note("index-unfit", f"the search index cannot be used ({reason}): searching without it")
            elif opening.identity_of(self._path) == unfit:
                self._begin_again(reason)

    def _begin_again(self, reason: str) -> bool:
        """Put an empty index in the place of this one; only under the lease."""
        self._close_index()
        try:
            opening.begin_again(self._path, read_newest(self._state()).store_id)
        except (OSError, apsw.Error) as error:
            self._note_unwritten(error)
            return False
        self._note("index-begun-again", f"the search index is made again from the conversations: {reason}")
        return True

    # ---- notices ----

    def _note_went_back(self, mark: Mark | None, newest: Newest) -> None:
        gone = counted(max(0, mark.through - newest.message) if mark else 0, "message is", "messages are")
        text = (
            f"the conversations are an earlier state than was searched before: at least {gone} gone, as when a log is removed"
            " or an older file is put in place; if a backup has them, restore it"
        )
        self._note("history-went-back", text)

    def _note_unwritten(self, error: Exception) -> None:
        self._note(
            "index-not-written", f"the search index cannot be written ({error}): new messages are scanned"
        )

    def _note(self, code: str, text: str) -> None:
        with self._guard:
            notice = Notice(code, text)
            if notice not in self._notices:
                self._notices.append(notice)

    def _take_notices(self) -> tuple[Notice, ...]:
        with self._guard:
            taken, self._notices = tuple(self._notices), []
        return taken


class _Own(threading.local):
    """The connection of one thread."""

    index: Opened | None = None
