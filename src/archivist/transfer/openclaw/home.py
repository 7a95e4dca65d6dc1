"""An OpenClaw history, opened: which of its parts are read, and in which order."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import cached_property, partial
from hashlib import blake2b

from archivist.transfer.curated import Curated
from archivist.transfer.databases import database_print
from archivist.transfer.fingerprints import Fingerprint, source_file
from archivist.transfer.foreign import Content, ForeignSession, Reading, SourceFile
from archivist.transfer.gateways import Correspondent
from archivist.transfer.openclaw.curated_notes import curated_note
from archivist.transfer.openclaw.daily_notes import note_session
from archivist.transfer.openclaw.database import opened_database
from archivist.transfer.openclaw.knowledge import Knowledge
from archivist.transfer.openclaw.messages import SOURCE
from archivist.transfer.openclaw.places import DELETED, Item, Places
from archivist.transfer.openclaw.sessions import notices_alone, transcript_session
from archivist.transfer.openclaw.transcripts import Transcript, transcript_in

READER_REVISION = 2
ORDER = ("database", "transcript", "daily", "notices")
WRITERS = "writers"
"""Stands in a fingerprint before those who wrote in the sessions of the part."""


class Home:
    """A history, opened."""

    def __init__(self, places: Places, reading: Reading) -> None:
        self._places, self._reading = places, reading
        self._items = {item.path: item for item in places.items}
        self.files: Sequence[SourceFile] = [self._source_file(item) for item in places.items]

    def in_order(self, changed: Sequence[SourceFile]) -> Sequence[SourceFile]:
        """Databases first, then transcripts, each behind the one that it goes on from and behind copies of it, for it has the last word."""

        def place(file: SourceFile) -> tuple[int, int, bool]:
            item = self._items[file.path]
            if item.kind != "transcript":
                return ORDER.index(item.kind), 0, True
            one = transcript_in(item)
            return ORDER.index(item.kind), self._known.rank(one), item.stem == one.session

        return sorted(changed, key=place)

    def curated(self) -> Iterator[Curated]:
        """What is noted in the workspaces, dated notes apart, for those are sessions."""
        prefix = f"{self._places.profile}/" if self._places.profile else ""
        for note in self._places.curated:
            yield curated_note(note, f"{SOURCE}:{prefix}{note.name}", self._places.config.zone)

    def read(self, file: SourceFile, earlier: str | None) -> Content:  # noqa: ARG002 - part of the interface
        """Open one part.

        Raises:
            SourceUnreadable: It cannot be read.
        """
        item = self._items[file.path]
        if item.kind == "database":
            return self._database(item, file.print)
        if item.kind == "transcript":
            found = [transcript_in(item, file.bytes)]
            return Content(self._sessions(found), partial(self._fingerprint, file.print, item, found))
        if item.kind == "daily":
            session = note_session(item, self._places.config.zone, self._places.profile)
            return Content(iter([session]), Fingerprint(file.print, 1).text())
        notices = notices_alone(item.name, self._places.notices)
        return Content(iter([notices]), Fingerprint(file.print).text())

    @cached_property
    def _known(self) -> Knowledge:
        return Knowledge(self._places, self._reading, self._unchanged())

    def _source_file(self, item: Item) -> SourceFile:
        """A part as it is now; one that cannot be read is named all the same, so that reading it says why."""
        profile = self._places.profile
        name = f"{profile}/{item.name}" if profile else item.name
        if item.kind == "database":
            size, print_ = database_print(item.path)
            return SourceFile(item.path, name, size, f"{READER_REVISION}|{print_}" if print_ else "")
        if item.kind == "notices":
            digest = blake2b(repr(self._places.notices).encode("utf-8", "replace"), digest_size=12)
            return SourceFile(item.path, name, 0, digest.hexdigest())
        return source_file(item.path, name, READER_REVISION)

    def _database(self, item: Item, print_: str) -> Content:
        with ExitStack() as stack:
            database = stack.enter_context(opened_database(item))
            self._known.note(database)
            found = sorted(database.transcripts(), key=self._known.rank)
            sessions = self._of_database(item, found, database.deleted)
            return Content(sessions, partial(self._fingerprint, print_, item, found), stack.pop_all().close)

    def _of_database(self, item: Item, found: Sequence[Transcript], deleted: int) -> Iterator[ForeignSession]:
        """The sessions with entries, and what else there is to say; something at least, for the end is marked with it."""
        is_empty = True
        for session in self._sessions(found):
            if session.read:
                is_empty = False
                yield session
        if is_empty or deleted:
            yield notices_alone(item.name, {DELETED: deleted} if deleted else {})

    def _sessions(self, found: Sequence[Transcript]) -> Iterator[ForeignSession]:
        beside = {one.session: one for one in reversed(found)}
        for one in found:
            yield transcript_session(one, self._known, beside)

    def _fingerprint(self, print_: str, item: Item, found: Sequence[Transcript]) -> str:
        writers = self._known.writers(found, item.agent)
        kept = () if writers is None else (WRITERS, *sorted(map(":".join, writers)))
        return Fingerprint(print_, len(found), kept).text()

    def _unchanged(self) -> dict[str, frozenset[Correspondent]]:
        """Agents of which every part is as it was at its last import, and who had written to them by then."""
        files = {file.path: file for file in self.files}
        found: dict[str, list[frozenset[Correspondent] | None]] = {}
        for item in self._places.beside:
            found.setdefault(item.agent, []).append(
                self._writers_kept(files.get(item.path) or self._source_file(item))
            )
        return {
            agent: frozenset[Correspondent]().union(*kept)
            for agent, each in found.items()
            if len(kept := [writers for writers in each if writers is not None]) == len(each)
        }

    def _writers_kept(self, file: SourceFile) -> frozenset[Correspondent] | None:
        """Who had written in a part when it was last imported; None where it has changed, or nobody asked then and it must be known."""
        kept = Fingerprint.of(self._reading.fingerprint(SOURCE, file.name))
        if kept is None or kept.print != file.print:
            return None
        if WRITERS not in kept.kept[:1]:
            return None if self._reading.owners is None else frozenset()
        people = (text.rpartition(":") for text in kept.kept[1:])
        return frozenset(Correspondent(channel, digest) for channel, _, digest in people)
