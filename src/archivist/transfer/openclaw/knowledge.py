"""What is known of a whole history: who its owner is, whose each session is, and which goes on from which."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import chain

from archivist.records import Link
from archivist.transfer.foreign import Reading, SourceUnreadable
from archivist.transfer.gateways import Owners, Sender, Whose, owners_among
from archivist.transfer.openclaw.ledger import Ledger, Noted, read_sessions_file
from archivist.transfer.openclaw.people import parent_of, whose, worked_for
from archivist.transfer.openclaw.places import Item, Places
from archivist.transfer.openclaw.shelves import (
    Database,
    Register,
    Told,
    file_told,
    is_unique,
    opened_database,
)
from archivist.transfer.openclaw.transcripts import read_transcript, senders_in
from archivist.transfer.openclaw.workspaces import OLD_DEFAULT, ROOT_NAME
from archivist.transfer.trees import parents_first

MOST_PRINTS = 16
"""Sessions whose entries are remembered for those that go on from them."""

Key = tuple[str, str]
"""An agent and a session's id."""


class Knowledge:
    """What is known of a history; each part is read when it is asked for first.

    Args:
        places: The history.
        reading: How to read.
    """

    def __init__(self, places: Places, reading: Reading) -> None:
        self._places, self._reading = places, reading
        self._registers: dict[Item, Register] = {}
        self._senders: dict[Key, set[Sender]] = {}
        self._prints: dict[Key, Mapping[str, int]] = {}

    @property
    def profile(self) -> str | None:
        """The name of the program's folder, where it is not the home's only one."""
        return self._places.profile

    def external_id(self, session: str, agent: str) -> str:
        """A session's id: its own where it is unique, else with the names of its profile and agent before it."""
        own = (session,) if is_unique(session) else (self.profile, agent, session)
        return "/".join(part for part in own if part)

    def project(self, cwd: str | None) -> str | None:
        """The project of a working directory; an agent's workspace is where it lives and no project."""
        if not cwd:
            return None
        *above, name = cwd.replace("\\", "/").rstrip("/").split("/")
        is_home = any(ROOT_NAME.fullmatch(part) for part in (name, above[-1] if above else ""))
        is_workspace = name == OLD_DEFAULT or any(
            cwd == folder for _, folder in self._places.config.workspaces
        )
        return None if is_home or is_workspace else self._reading.project_of(cwd)

    def note(self, database: Database) -> None:
        """Take in what a database notes that is open anyway."""
        self._registers[database.item] = database.register()

    def noted(self, told: Told) -> Noted | None:
        """What is noted of a transcript's session."""
        return self.ledger.sessions.get((told.agent, told.session))

    def whose(self, told: Told, senders: Collection[Sender]) -> Whose:
        """Whose a transcript is.

        Args:
            told: The transcript.
            senders: Who wrote in it.
        """
        return self._judged((told.agent, told.session), senders)

    def parent(self, told: Told) -> tuple[Noted | None, Link | None]:
        """The session that a transcript goes on from; none where it would descend from its child."""
        key = (told.agent, told.session)
        parent, link = self._links.get(key, (None, None))
        is_circle = key in self._let_go and parent and (parent.agent, parent.session) in self._links
        return (None, None) if is_circle else (parent, link)

    def is_detached(self, told: Told) -> bool:
        """Whether the parent of a transcript is missing, or would descend from it."""
        return (told.agent, told.session) in self._let_go

    def rank(self, told: Told) -> int:
        """Where a transcript stands among all: behind the one that it goes on from."""
        return self._ranks.get((told.agent, told.session), -1)

    def prints(self, parent: Noted, beside: Mapping[str, Told]) -> Mapping[str, int]:
        """What the entries of a session say, as checksums.

        Args:
            parent: The session.
            beside: Transcripts that are open, by their sessions.
        """
        key = (parent.agent, parent.session)
        if key not in self._prints:
            if len(self._prints) >= MOST_PRINTS:
                del self._prints[next(iter(self._prints))]
            self._prints[key] = self._read_prints(key, beside.get(parent.session))
        return self._prints[key]

    @cached_property
    def ledger(self) -> Ledger:
        """What is noted of every session, beside the transcripts that are files and in the databases."""
        ledger = Ledger()
        folders = {item.path.parent: item.agent for item in self._items("transcript")}
        if self._places.root is not None:
            folders |= {
                path.parent: path.parents[1].name
                for path in self._places.root.glob("agents/*/sessions/sessions.json")
            }
        for folder in sorted(folders):
            for noted in read_sessions_file(folder / "sessions.json", folders[folder]):
                ledger.add(noted)
        for item in self._items("database"):
            for noted, is_current in self._registered(item).noted:
                ledger.add(noted, is_current=is_current)
        return ledger

    @cached_property
    def owners(self) -> Owners:
        """Who the owner is; nobody, where a transcript stands alone and nobody says so."""
        if self._reading.owners is not None:
            return Owners(self._reading.owners)
        if self._places.root is None and not any(self._items("database")):
            return Owners()
        keys = dict.fromkeys(chain(self.ledger.sessions, self._links))
        return owners_among(self._judged(key) for key in keys)

    @cached_property
    def _files(self) -> dict[Key, list[Told]]:
        """Transcripts by session; of one there may be several, put away or copied."""
        found: dict[Key, list[Told]] = {}
        for item in self._items("transcript"):
            told = file_told(item)
            found.setdefault((told.agent, told.session), []).append(told)
        return found

    @cached_property
    def _links(self) -> dict[Key, tuple[Noted | None, Link | None]]:
        """Every session of which there is a transcript, and the one that it goes on from."""
        made_from = {
            (item.agent, session): parent
            for item in self._items("database")
            for session, parent in self._registered(item).made_from.items()
        }
        made_from |= {key: files[0].made_from for key, files in self._files.items()}
        return {
            (agent, session): parent_of(session, parent, self.ledger, agent)
            for (agent, session), parent in made_from.items()
        }

    @cached_property
    def _ordered(self) -> tuple[dict[Key, int], set[Key]]:
        names = {key: "\0".join(key) for key in self._links}
        parents = {
            names[key]: f"{parent.agent}\0{parent.session}" if parent else None
            for key, (parent, _) in self._links.items()
        }
        order, let_go = parents_first(parents)
        ranks = {name: rank for rank, name in enumerate(order)}
        return {key: ranks[name] for key, name in names.items()}, {
            key for key in names if names[key] in let_go
        }

    @property
    def _ranks(self) -> dict[Key, int]:
        return self._ordered[0]

    @property
    def _let_go(self) -> set[Key]:
        return self._ordered[1]

    def _judged(self, key: Key, senders: Collection[Sender] | None = None) -> Whose:
        agent, session = key
        noted = self.ledger.sessions.get(key)
        base = worked_for(noted, self.ledger) if noted else None

        def told() -> Collection[Sender]:
            if base is noted and senders is not None and len(self._files.get(key, ())) < 2:
                return senders
            return self._senders_of((base.agent, base.session) if base else key)

        return whose(base, told, self.external_id(session, agent), self._places.config.main_key)

    def _senders_of(self, key: Key) -> Collection[Sender]:
        if key not in self._senders:
            self._senders[key] = self._find_senders(key)
        return self._senders[key]

    def _find_senders(self, key: Key) -> set[Sender]:
        agent, session = key
        found: set[Sender] = set()
        for item in self._items("database"):
            if item.agent == agent:
                found |= self._registered(item).senders.get(session, set())
        for told in self._files.get(key, ()):
            with suppress(SourceUnreadable):  # reading it will say so by name
                found |= senders_in(told.source)
        return found

    def _read_prints(self, key: Key, beside: Told | None) -> Mapping[str, int]:
        files = [beside] if beside else self._files.get(key)
        if files:
            return {
                name: told
                for file in reversed(files)
                for name, told in read_transcript(file.source).prints.items()
            }
        for item in self._items("database"):
            if item.agent == key[0] and key[1] in self._registered(item).made_from:
                with opened_database(item) as database:
                    source = next(one.source for one in database.transcripts() if one.session == key[1])
                    return read_transcript(source).prints
        return {}

    def _registered(self, item: Item) -> Register:
        if item not in self._registers:
            try:
                with opened_database(item) as database:
                    self.note(database)
            except SourceUnreadable:  # reading it will say so by name
                self._registers[item] = Register()
        return self._registers[item]

    def _items(self, kind: str) -> Iterator[Item]:
        return (item for item in self._places.beside if item.kind == kind)
