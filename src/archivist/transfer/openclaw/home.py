"""An OpenClaw history, opened: which of its parts are read, in which order, and what is known of all of them together."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from hashlib import blake2b
from itertools import chain

from archivist.transfer.databases import database_print, index_column, naming_damage, opened_copy
from archivist.transfer.fingerprints import Fingerprint, edge_digest
from archivist.transfer.foreign import Content, ForeignSession, Reading, SourceFile, SourceUnreadable
from archivist.transfer.openclaw.agent_sessions import AgentSessions, Register, register_of
from archivist.transfer.openclaw.daily import is_copy_of_session, zone_named
from archivist.transfer.openclaw.database import AgentRows
from archivist.transfer.openclaw.ledger import Ledger, Noted, read_sessions_file
from archivist.transfer.openclaw.lineage import parent_of, parents_first
from archivist.transfer.openclaw.people import Whose, owners_among, whose
from archivist.transfer.openclaw.places import Item, Places, read_header
from archivist.transfer.openclaw.sessions import (
    Known,
    Told,
    daily_session,
    deleted_session,
    empty_session,
    external_id,
    transcript_session,
)
from archivist.transfer.openclaw.sources import file_source, is_unique, peeked_envelopes, session_named
from archivist.transfer.openclaw.transcripts import read_transcript

READER_REVISION = 1
LONGEST_NOTE_BYTES = 16 * 1024 * 1024
ORDER = ("database", "transcript", "daily", "passed over", "places")
COPY_OF_SESSION = "copy of a session, written by the program when it ended"


class Home:
    """A history, opened."""

    def __init__(self, places: Places, reading: Reading, *, with_deleted: bool) -> None:
        self._places, self._reading, self._with_deleted = places, reading, with_deleted
        self._items = {item.path: item for item in places.items}
        self.files: Sequence[SourceFile] = [self._source_file(item) for item in places.items]
        self._registers: dict[Item, Register] = {}
        self._ids: dict[Item, tuple[str, str | None]] = {}
        self._known: Known | None = None

    def in_order(self, changed: Sequence[SourceFile]) -> Sequence[SourceFile]:
        """Databases first, then transcripts, each behind the one that it goes on from."""
        wanted = {file.path: file for file in changed}
        transcripts = [
            item for item in self._places.items if item.kind == "transcript" and item.path in wanted
        ]
        ids = {item.path: self._identify(item)[0] for item in transcripts}
        ledger = self._files_ledger() if transcripts else Ledger()
        parents = {}
        for item in transcripts:
            parent, _ = parent_of(ids[item.path], self._identify(item)[1], ledger, item.agent)
            parents[ids[item.path]] = parent.session if parent else None
        rank = {session: number for number, session in enumerate(parents_first(parents))}
        return sorted(
            changed,
            key=lambda file: (
                ORDER.index(self._items[file.path].kind),
                rank.get(ids.get(file.path, ""), 0),
            ),
        )

    def read(self, file: SourceFile, earlier: str | None) -> Content:  # noqa: ARG002 - part of the interface
        """Open one part.

        Raises:
            SourceUnreadable: It cannot be read.
        """
        item = self._items[file.path]
        if item.kind == "database":
            return self._database(item, file.print)
        if item.kind == "transcript":
            session = self._transcript(item, file.bytes)
        elif item.kind == "daily":
            session = self._daily(item)
        elif item.kind == "places":
            session = empty_session(item.name, notices=self._places.notices)
        else:
            session = empty_session(f"file:{item.name}", item.reason, 1)
        return Content(iter([session]), Fingerprint(file.print, int(bool(session.messages))).text())

    def _source_file(self, item: Item) -> SourceFile:
        """A part as it is now; one that cannot be read is named all the same, so that reading it says why."""
        profile = self._places.profile
        name = f"{profile}/{item.name}" if profile else item.name
        if item.kind == "database":
            size, print_ = database_print(item.path)
            return SourceFile(item.path, name, size, f"{READER_REVISION}|{print_}" if print_ else "")
        if item.kind == "places":
            told = blake2b("\n".join(self._places.notices).encode("utf-8", "replace"), digest_size=12)
            return SourceFile(item.path, name, 0, told.hexdigest())
        try:
            status = item.path.lstat()
            size = status.st_size
            look = edge_digest(item.path, size) if item.kind != "passed over" else status.st_mtime_ns
        except OSError:
            return SourceFile(item.path, name, 0, "")
        return SourceFile(item.path, name, size, f"{READER_REVISION}:{size}:{look}:{self._with_deleted:d}")

    def _transcript(self, item: Item, end: int) -> ForeignSession:
        source = file_source(item.path, end)
        session, header_parent = self._identify(item)
        if item.state == "deleted" and not self._with_deleted:
            told = Told(item.path, source, session, item.agent)
            return deleted_session(told, external_id(session, item.agent, self._places.profile))
        known = self._knowledge()
        parent, link = parent_of(session, header_parent, known.ledger, item.agent)
        inherited: Mapping[str, int] = {}
        if parent is not None and link != "subagent":
            inherited = self._entries_of(parent)
        told = Told(item.path, source, session, item.agent, item.state, parent, link, inherited)
        return transcript_session(told, known)

    def _entries_of(self, parent: Noted) -> Mapping[str, int]:
        """What the entries of a session say, be it a file or in the agent's database."""
        for item in self._places.beside:
            if item.agent != parent.agent:
                continue
            if item.kind == "transcript" and self._identify(item)[0] == parent.session:
                return read_transcript(file_source(item.path)).prints
            noted = self._registered(item).noted if item.kind == "database" else ()
            if any(one.session == parent.session for one, _ in noted):
                with opened_copy(item.path) as db, naming_damage(item.path):
                    return read_transcript(partial(AgentRows(db, item.agent).entries, parent.session)).prints
        return {}

    def _daily(self, item: Item) -> ForeignSession:
        try:
            with item.path.open("rb") as file:
                raw = file.read(LONGEST_NOTE_BYTES + 1)
        except OSError as error:
            raise SourceUnreadable(item.path, str(error)) from error
        if len(raw) > LONGEST_NOTE_BYTES:
            return empty_session(f"file:{item.name}", "note over 16 MB", 1)
        text = raw.decode("utf-8", "replace")
        if is_copy_of_session(text):
            return empty_session(f"file:{item.name}", COPY_OF_SESSION, 1)
        return daily_session(item, text, zone_named(self._places.config.zone), self._places.profile)

    def _database(self, item: Item, print_: str) -> Content:
        with ExitStack() as stack:
            db = stack.enter_context(opened_copy(item.path))
            with naming_damage(item.path):
                rows = AgentRows(db, item.agent)
                if rows.missing:
                    advice = "give the path of an agent's openclaw-agent.sqlite"
                    raise SourceUnreadable(item.path, f"it has no {rows.missing[0]}", advice)
                index_column(db, "transcript_events", "session_id")
                self._registers[item] = register_of(rows)
                sessions = rows.sessions()
            told = AgentSessions(item, rows, self._knowledge(), self._with_deleted)
            fingerprint = Fingerprint(print_, len(sessions)).text()
            return Content(told.sessions(sessions), fingerprint, stack.pop_all().close)

    def _identify(self, item: Item) -> tuple[str, str | None]:
        """The id of a transcript's session, and that of the one that it was made from."""
        if item not in self._ids:
            header = read_header(item.path)
            own = header.id if header is not None and header.type == "session" else None
            parent = header.parent_session if header is not None else None
            self._ids[item] = (
                item.stem if is_unique(item.stem) else own or item.stem,
                session_named(parent),
            )
        return self._ids[item]

    def _files_ledger(self) -> Ledger:
        """What is noted beside the transcripts that are files."""
        ledger = Ledger()
        folders = {item.path.parent: item.agent for item in self._places.beside if item.kind == "transcript"}
        if self._places.root is not None:
            folders |= {
                path.parent: path.parents[1].name
                for path in self._places.root.glob("agents/*/sessions/sessions.json")
            }
        for folder in sorted(folders):
            for noted in read_sessions_file(folder / "sessions.json", folders[folder]):
                ledger.add(noted)
        return ledger

    def _knowledge(self) -> Known:
        if self._known is None:
            places = self._places
            known = Known(places.config, places.profile, self._reading.project_of, self._files_ledger())
            registers = [self._registered(item) for item in places.beside if item.kind == "database"]
            for noted, is_current in chain.from_iterable(register.noted for register in registers):
                known.ledger.add(noted, is_current=is_current)
            found = [whose(noted, (), places.config.main_key) for noted in known.ledger.sessions.values()]
            found += [whose(None, told) for register in registers for told in register.keyless]
            found += self._unnoted(known.ledger)
            known.owners = owners_among(found, self._reading.owners)
            self._known = known
        return self._known

    def _registered(self, item: Item) -> Register:
        if item not in self._registers:
            try:
                with opened_copy(item.path) as db, naming_damage(item.path):
                    rows = AgentRows(db, item.agent)
                    self._registers[item] = Register() if rows.missing else register_of(rows)
            except SourceUnreadable:  # reading it will say so by name
                self._registers[item] = Register()
        return self._registers[item]

    def _unnoted(self, ledger: Ledger) -> Iterator[Whose]:
        """Whose the transcripts are of which nothing is noted."""
        for item in self._places.beside:
            if item.kind == "transcript" and self._identify(item)[0] not in ledger.sessions:
                try:
                    yield whose(None, peeked_envelopes(file_source(item.path)))
                except SourceUnreadable:  # reading it will say so by name
                    continue
