"""An OpenClaw history, opened: which of its parts are read, and in which order."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from hashlib import blake2b

from archivist.transfer.databases import database_print
from archivist.transfer.fingerprints import Fingerprint, source_file
from archivist.transfer.foreign import Content, ForeignSession, Reading, SourceFile, SourceUnreadable
from archivist.transfer.openclaw.daily import is_copy_of_session, zone_named
from archivist.transfer.openclaw.knowledge import Knowledge
from archivist.transfer.openclaw.places import DELETED, Item, Places
from archivist.transfer.openclaw.sessions import daily_session, notices_alone, transcript_session
from archivist.transfer.openclaw.shelves import Told, file_told, opened_database

READER_REVISION = 2
LONGEST_NOTE_BYTES = 16 * 1024 * 1024
ORDER = ("database", "transcript", "daily", "notices")
COPY_OF_SESSION = "copy of a session, written by the program when it ended: not read"
TOO_LONG = "note over 16 MB: not read"


class Home:
    """A history, opened."""

    def __init__(self, places: Places, reading: Reading) -> None:
        self._places, self._known = places, Knowledge(places, reading)
        self._items = {item.path: item for item in places.items}
        self.files: Sequence[SourceFile] = [self._source_file(item) for item in places.items]

    def in_order(self, changed: Sequence[SourceFile]) -> Sequence[SourceFile]:
        """Databases first, then transcripts, each behind the one that it goes on from and behind copies of it, for it has the last word."""

        def place(file: SourceFile) -> tuple[int, int, bool]:
            item = self._items[file.path]
            if item.kind != "transcript":
                return ORDER.index(item.kind), 0, True
            told = file_told(item)
            return ORDER.index(item.kind), self._known.rank(told), item.stem == told.session

        return sorted(changed, key=place)

    def read(self, file: SourceFile, earlier: str | None) -> Content:  # noqa: ARG002 - part of the interface
        """Open one part.

        Raises:
            SourceUnreadable: It cannot be read.
        """
        item = self._items[file.path]
        if item.kind == "database":
            return self._database(item, file.print)
        if item.kind == "transcript":
            sessions = self._sessions([file_told(item, file.bytes)])
        elif item.kind == "daily":
            sessions = iter([self._daily(item)])
        else:
            sessions = iter([notices_alone(item.name, self._places.notices)])
        return Content(sessions, Fingerprint(file.print, int(item.kind != "notices")).text())

    def _source_file(self, item: Item) -> SourceFile:
        """A part as it is now; one that cannot be read is named all the same, so that reading it says why."""
        profile = self._places.profile
        name = f"{profile}/{item.name}" if profile else item.name
        if item.kind == "database":
            size, print_ = database_print(item.path)
            return SourceFile(item.path, name, size, f"{READER_REVISION}|{print_}" if print_ else "")
        if item.kind == "notices":
            told = blake2b(repr(self._places.notices).encode("utf-8", "replace"), digest_size=12)
            return SourceFile(item.path, name, 0, told.hexdigest())
        return source_file(item.path, name, READER_REVISION)

    def _database(self, item: Item, print_: str) -> Content:
        with ExitStack() as stack:
            database = stack.enter_context(opened_database(item))
            self._known.note(database)
            told = sorted(database.transcripts(), key=self._known.rank)
            sessions = self._of_database(item, told, database.deleted)
            return Content(sessions, Fingerprint(print_, len(told)).text(), stack.pop_all().close)

    def _of_database(self, item: Item, told: Sequence[Told], deleted: int) -> Iterator[ForeignSession]:
        """The sessions with entries, and what else there is to say; something at least, for the end is marked with it."""
        is_empty = True
        for session in self._sessions(told):
            if session.read:
                is_empty = False
                yield session
        if is_empty or deleted:
            yield notices_alone(item.name, {DELETED: deleted} if deleted else {})

    def _sessions(self, told: Sequence[Told]) -> Iterator[ForeignSession]:
        beside = {one.session: one for one in reversed(told)}
        for one in told:
            yield transcript_session(one, self._known, beside)

    def _daily(self, item: Item) -> ForeignSession:
        try:
            with item.path.open("rb") as file:
                raw = file.read(LONGEST_NOTE_BYTES + 1)
        except OSError as error:
            raise SourceUnreadable(item.path, str(error)) from error
        if len(raw) > LONGEST_NOTE_BYTES:
            return notices_alone(f"file:{item.name}", {TOO_LONG: 1})
        text = raw.decode("utf-8-sig", "replace")
        if is_copy_of_session(text):
            return notices_alone(f"file:{item.name}", {COPY_OF_SESSION: 1})
        return daily_session(item, text, zone_named(self._places.config.zone), self._places.profile)
