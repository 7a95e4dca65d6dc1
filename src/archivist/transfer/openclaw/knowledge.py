"""What is known of a whole history: who its owner is, whose each session is, and which goes on from which.

Only agents of which something is to be read are looked into, and those that they name as makers of their sessions. Of the others it is
enough who wrote to them, which was kept at their last import.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from msgspec.structs import replace

from archivist.records import Link, Scope
from archivist.transfer.foreign import Reading, SourceUnreadable
from archivist.transfer.gateways import Correspondent, Owners, Sender, Whose, owners_among, scope_of
from archivist.transfer.openclaw.database import Database, Register, opened_database
from archivist.transfer.openclaw.ledger import Ledger, Name, Noted, read_sessions_file
from archivist.transfer.openclaw.outline import read_outline, senders_in
from archivist.transfer.openclaw.people import shade, shaded, whose
from archivist.transfer.openclaw.places import Item, Places
from archivist.transfer.openclaw.transcripts import Transcript, is_unique, transcript_in
from archivist.transfer.openclaw.workspaces import OLD_DEFAULT, ROOT_NAME
from archivist.transfer.trees import parents_first

MOST_PRINTS = 16
"""Sessions whose entries are remembered for those that go on from them."""


class Knowledge:
    """What is known of a history; each part is read when it is asked for first.

    Args:
        places: Where it lies.
        reading: How to read it.
        unchanged: Agents of which everything is as it was at its last import, and who had written to them, shaded.
    """

    def __init__(
        self, places: Places, reading: Reading, unchanged: Mapping[str, frozenset[Correspondent]]
    ) -> None:
        self._places, self._reading, self._unchanged = places, reading, unchanged
        self._registers: dict[Item, Register] = {}
        self._senders: dict[Name, set[Sender]] = {}
        self._prints: dict[Name, Mapping[str, int]] = {}

    @property
    def profile(self) -> str | None:
        """The name of the program's folder, where it is not the home's only one."""
        return self._places.profile

    def external_id(self, name: Name) -> str:
        """A session's id: its own where it is unique, else with the names of its profile and agent before it."""
        agent, session = name
        own = (session,) if is_unique(session) else (self.profile, agent, session)
        return "/".join(part for part in own if part)

    def note(self, database: Database) -> None:
        """Take in what a database notes that is open anyway."""
        self._registers[database.item] = database.register()

    def judge(self, name: Name, senders: Collection[Sender] | None = None) -> Whose:
        """Whose a session is; `senders` are those of the one transcript that is read anyway."""
        noted = self.ledger.of(name)
        base = self.ledger.worked_for(noted)

        def writers() -> Collection[Sender]:
            if base is noted and senders is not None and len(self._files.get(name, ())) < 2:
                return senders
            return self._senders_of(base.name)

        return whose(base, writers, self.external_id(name), self._places.config.main_key)

    def scope(self, judged: Whose, cwd: str | None) -> Scope:
        """Who may read a session with this working directory; an agent's workspace is where it lives and no project."""
        project = None if not cwd or self._is_home(cwd) else self._reading.project_of(cwd)
        return scope_of(judged, self._owners(judged), project)

    def parent(self, one: Transcript) -> tuple[Noted | None, Link | None]:
        """The session that a transcript goes on from; none where it would descend from its child."""
        parent, link = self._links.get(one.name, (None, None))
        is_circle = self.is_detached(one) and parent and parent.name in self._links
        return (None, None) if is_circle else (parent, link)

    def is_detached(self, one: Transcript) -> bool:
        """Whether the parent of a transcript is missing, or would descend from it."""
        return one.name in self._ordered[1]

    def rank(self, one: Transcript) -> int:
        """Where a transcript stands among all: behind the one that it goes on from."""
        return self._ordered[0].get(one.name, -1)

    def prints(self, parent: Noted, beside: Mapping[str, Transcript]) -> Mapping[str, int]:
        """What the entries of a session say, as checksums; it may be among the transcripts that are open, by their sessions."""
        if parent.name not in self._prints:
            if len(self._prints) >= MOST_PRINTS:
                del self._prints[next(iter(self._prints))]
            self._prints[parent.name] = self._read_prints(parent.name, beside.get(parent.session))
        return self._prints[parent.name]

    def writers(self, found: Iterable[Transcript], agent: str) -> frozenset[Correspondent] | None:
        """Who wrote in transcripts, and to their agent in sessions of which none is left, shaded; None where nobody asked."""
        if self._reading.owners is not None:
            return None
        return self._untold.get(agent, frozenset()).union(*(self._writers(one.name) for one in found))

    @cached_property
    def ledger(self) -> Ledger:
        """What is noted of every session of the agents that are looked into, in files and in databases."""
        ledger = Ledger()
        left = self._folders.keys() - self._unchanged.keys()
        while left:
            for agent in sorted(left):
                ledger.agents.add(agent)
                for noted, is_current in self._noted(agent):
                    ledger.add(noted, is_current=is_current)
            left = ledger.makers(self._folders.keys())
        return ledger

    @cached_property
    def _folders(self) -> dict[str, set[Path]]:
        """Every agent, and where its transcripts are files."""
        folders: dict[str, set[Path]] = {item.agent: set() for item in self._places.beside}
        for item in self._places.beside:
            if item.kind == "transcript":
                folders[item.agent].add(item.path.parent)
        if self._places.root is not None:
            for path in self._places.root.glob("agents/*/sessions/sessions.json"):
                folders.setdefault(path.parents[1].name, set()).add(path.parent)
        return folders

    @cached_property
    def _files(self) -> dict[Name, list[Transcript]]:
        """Transcripts by session; of one there may be several, put away or copied."""
        found: dict[Name, list[Transcript]] = {}
        for item in self._items("transcript"):
            one = transcript_in(item)
            found.setdefault(one.name, []).append(one)
        return found

    @cached_property
    def _links(self) -> dict[Name, tuple[Noted | None, Link | None]]:
        """Every session of which there is a transcript, and the one that it goes on from."""
        made_from = {
            (item.agent, session): parent
            for item in self._items("database")
            for session, parent in self._register(item).made_from.items()
        }
        made_from |= {name: files[0].made_from for name, files in self._files.items()}
        return {name: self.ledger.parent_of(name, parent) for name, parent in made_from.items()}

    @cached_property
    def _ordered(self) -> tuple[dict[Name, int], set[Name]]:
        """The rank of every session, and those that let their parent go."""
        parents = {name: parent.name if parent else None for name, (parent, _) in self._links.items()}
        order, let_go = parents_first(parents)
        return {name: rank for rank, name in enumerate(order)}, let_go

    @cached_property
    def _untold(self) -> dict[str, frozenset[Correspondent]]:
        """By agent, who wrote in sessions that are noted, but of which there is no transcript."""
        found: dict[str, frozenset[Correspondent]] = {}
        for agent, session in self.ledger.sessions.keys() - self._links.keys():
            found[agent] = found.get(agent, frozenset()) | self._writers((agent, session))
        return found

    @cached_property
    def _everyone(self) -> dict[Name, Whose]:
        """Every session that is known, judged."""
        return {name: self.judge(name) for name in dict.fromkeys([*self.ledger.sessions, *self._links])}

    @cached_property
    def _shaded_owners(self) -> Owners:
        """Who the owner is; nobody, where a transcript stands alone and nobody says so."""
        if self._places.root is None and not any(self._items("database")):
            return Owners()
        here = [replace(one, writers=shaded(one.writers)) for one in self._everyone.values()]
        aside = self._unchanged.keys() - self.ledger.agents
        return owners_among([*here, *(Whose("local", "", self._unchanged[agent]) for agent in aside)])

    def _writers(self, name: Name) -> frozenset[Correspondent]:
        """Who wrote in a session, shaded; nobody, where it is a group's."""
        one = self._everyone.get(name)
        return frozenset() if one is None or one.kind == "group" else shaded(one.writers)

    def _owners(self, one: Whose) -> Owners:
        """Those of the people who wrote in a session that are the owner."""
        if self._reading.owners is not None:
            return Owners(self._reading.owners)
        return Owners(people=frozenset(who for who in one.writers if shade(who) in self._shaded_owners))

    def _is_home(self, cwd: str) -> bool:
        """Whether a folder is an agent's workspace."""
        *above, name = cwd.replace("\\", "/").rstrip("/").split("/")
        if any(ROOT_NAME.fullmatch(part) for part in (name, above[-1] if above else "")):
            return True
        return name == OLD_DEFAULT or any(cwd == folder for _, folder in self._places.config.workspaces)

    def _senders_of(self, name: Name) -> Collection[Sender]:
        if name not in self._senders:
            self._senders[name] = self._find_senders(name)
        return self._senders[name]

    def _find_senders(self, name: Name) -> set[Sender]:
        agent, session = name
        found: set[Sender] = set()
        for item in self._items("database"):
            if item.agent == agent:
                found |= self._register(item).senders.get(session, set())
        for one in self._files.get(name, ()):
            with suppress(SourceUnreadable):  # reading it will say so by name
                found |= senders_in(one.source)
        return found

    def _read_prints(self, name: Name, beside: Transcript | None) -> Mapping[str, int]:
        agent, session = name
        files = [beside] if beside else self._files.get(name, [])
        found = {
            key: said for file in reversed(files) for key, said in read_outline(file.source).prints.items()
        }
        if files:
            return found
        for item in self._items("database"):
            if item.agent == agent and session in self._register(item).made_from:
                with opened_database(item) as database:
                    source = next(one.source for one in database.transcripts() if one.session == session)
                    return read_outline(source).prints
        return found

    def _noted(self, agent: str) -> Iterator[tuple[Noted, bool]]:
        """What is noted of each session of an agent, and whether it is the one that its key stands for now."""
        for folder in sorted(self._folders[agent]):
            for noted in read_sessions_file(folder / "sessions.json", agent):
                yield noted, True
        for item in self._places.beside:
            if item.kind == "database" and item.agent == agent:
                yield from self._register(item).noted

    def _register(self, item: Item) -> Register:
        if item not in self._registers:
            try:
                with opened_database(item) as database:
                    self.note(database)
            except SourceUnreadable:  # reading it will say so by name
                self._registers[item] = Register()
        return self._registers[item]

    def _items(self, kind: str) -> Iterator[Item]:
        """The parts of one kind of the agents that are looked into."""
        return (
            item for item in self._places.beside if item.kind == kind and item.agent in self.ledger.agents
        )
