"""A home in which everybody has said something: users, groups, projects and programs in every combination, joined in every way.

Each session has a word of its own, which stands in all that is stored of it: its id, its title, its words, its model, its bytes. What the
home holds is read from the tables, and who may see what is asked of `Scope` alone.
"""

import random
import re
import shutil
import string
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

import apsw

from archivist import EVERYTHING, Archivist, Message, Part, Person, Scope, Usage
from archivist.records import Link, Reader, SessionStart
from archivist.store.requests import RequestRow, add_request

SEED = 20260320
BEGAN = datetime(2026, 1, 5, 9, tzinfo=UTC)
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
USERS = ("owner", "ann", "bob", None)
CHATS = (None, "group-1", "group-2")
PROJECTS = (None, "tide", "mill")
SOURCES = ("python", "hermes", "openclaw")
SCOPES = tuple(Scope(*fields) for fields in product(USERS, CHATS, PROJECTS))
READERS: tuple[Reader | None, ...] = (
    *SCOPES,
    *map(Person, ("owner", "ann", "bob", "eve")),
    Scope("eve", "group-1", "tide"),
    None,
    EVERYTHING,
)
"""Everybody who may ask; None is a scope that is not given."""
LINKS: tuple[Link | None, ...] = ("compaction", "compaction", "fork", "branch", "subagent", *[None] * 5)
TOLD = re.compile(r"s-zq[a-z]{2}k|[0-9]{8}-[0-9]{6}-[0-9a-f]{6}|zq[a-z]{2}k")
"""The ids of sessions and the words that stand for them, in whatever is shown."""
NOTED = re.compile(r"zn[a-z]{2}k")
"""The words that stand for what is noted."""
LEVELS = (
    Scope(),
    *(Scope(user) for user in ("ann", "bob")),
    *(Scope(chat=chat) for chat in CHATS if chat),
    *(Scope(project=project) for project in PROJECTS if project),
)
"""Whose notes there are; of the home itself, which is the owner's, some are shared."""
TABLES = ("sessions", "messages", "usage", "context", "undos", "undone")


@dataclass(frozen=True)
class Held:
    """A session as it stands in the table."""

    key: int
    id: str
    root: int
    parent: int | None
    link: str | None
    source: str
    scope: Scope
    title: str | None
    external_id: str | None
    is_archived: bool
    is_undone: bool
    last_active_at: int
    started_at: int
    fork_message: int | None


@dataclass(frozen=True)
class Said:
    """A message as it stands in the table."""

    id: int
    session: int
    role: str
    state: str
    client_id: str
    created_at: int
    parts: str | None


@dataclass(frozen=True)
class Note:
    """Something that is noted: an entry of the core or of the archive, or a daily note."""

    word: str
    scope: Scope
    kind: str
    is_core: bool = True
    is_shared: bool = False

    def is_for(self, reader: Reader | None) -> bool:
        """Whether a reader may see it: what it sets is theirs, what sets nothing is the owner's; in a group no person's own."""
        who = asker(reader)
        if who is EVERYTHING or self.is_shared:
            return True
        is_owner = who.user in ("owner", None) and getattr(who, "chat", None) is None
        if self.scope == Scope():
            return is_owner
        if isinstance(who, Person) and self.scope.project is not None:
            return is_owner
        is_private = self.scope.user is not None and getattr(who, "chat", None) is not None
        return self.scope.is_visible_to(who) and not is_private


@dataclass(frozen=True)
class Facts:
    """All that a home holds, whoever may see it."""

    sessions: dict[int, Held]
    messages: dict[int, Said]
    usage: list[tuple[int, str, int]]
    context: list[tuple[int, int]]
    words: dict[str, Scope]
    notes: tuple[Note, ...] = ()

    def noted(self, reader: Reader | None) -> set[str]:
        """The words of the notes that a reader may see."""
        return {note.word for note in self.notes if note.is_for(reader)}

    def sees(self, key: int, reader: Reader | None) -> bool:
        return self.sessions[key].scope.is_visible_to(asker(reader))

    def seen(self, reader: Reader | None) -> list[Held]:
        return [one for one in self.sessions.values() if self.sees(one.key, reader)]

    def hidden(self, reader: Reader | None) -> list[Held]:
        return [one for one in self.sessions.values() if not self.sees(one.key, reader)]

    def said(self, reader: Reader | None, *, branches: bool = True, undone: bool = True) -> list[Said]:
        left = {*(() if branches else ("branch",)), *(() if undone else ("undone",))}
        return [m for m in self.messages.values() if self.sees(m.session, reader) and m.state not in left]

    def conversations(self, reader: Reader | None) -> dict[int, list[Held]]:
        """By root, the sessions that a reader sees, in order."""
        found: dict[int, list[Held]] = {}
        for one in sorted(self.seen(reader), key=lambda one: one.key):
            found.setdefault(one.root, []).append(one)
        return found

    def is_named(self, one: Held, reader: Reader | None) -> bool:
        """Whether its id means anything to a reader: an id is also the name of all that hangs on a root."""
        return self.sees(one.key, reader) or (
            one.key == one.root and any(other.root == one.key for other in self.seen(reader))
        )

    def leaks(self, shown: object, reader: Reader | None) -> list[str]:
        """Words and ids of others in anything that was shown, told or written; ids that name what is seen are none."""
        text = (
            shown.decode() if isinstance(shown, bytes) else shown if isinstance(shown, str) else repr(shown)
        )
        seen = self.seen(reader)
        named = {one.id for one in seen} | {self.sessions[one.root].id for one in seen}
        ids = {one.id for one in self.sessions.values()} - named
        words = {word for word, scope in self.words.items() if not scope.is_visible_to(asker(reader))}
        return sorted((ids | words) & set(TOLD.findall(text)))


def asker(reader: Reader | None) -> Reader:
    """Who asks where nobody is named: the owner, in all projects, in no group."""
    return Person("owner") if reader is None else reader


@dataclass
class World:
    """A home while it is made."""

    archivist: Archivist
    words: dict[str, Scope] = field(default_factory=dict)
    ids: list[tuple[str, Scope]] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    chance: random.Random = field(default_factory=lambda: random.Random(SEED))

    def begin(self, scope: Scope, source: str) -> None:
        """A session with all that a session can have."""
        number = len(self.words)
        word = f"zq{string.ascii_lowercase[number // 26]}{string.ascii_lowercase[number % 26]}k"
        self.words[word] = scope
        link = self.chance.choice(LINKS)
        parent = self._parent(scope) if link else None
        late = None if parent or source == "python" else self._late_parent(scope, number)
        begun = BEGAN + timedelta(days=number)
        start = SessionStart(
            source,
            model=f"model-{word}",
            scope=scope,
            cwd=f"/home/{word}",
            title=(f"Ledger {word}", f"Told {word}", None)[number % 3],
            title_origin=("given", "source", None)[number % 3],
            external_id=f"x-{word}" if source != "python" else None,
            parent_id=parent,
            link=link if parent else "compaction" if late else None,
            started_at=begun,
            prompt=f"You know {word}.",
            metadata={"noted": word},
            own_id=f"s-{word}",
        )
        told = list(self._told(word, begun))
        used = [Usage(f"model-{word}", request_id=f"r-{word}", input=number + 1, output=1)]
        store = self.archivist._store
        if source == "python":
            store.start(start, session_id=f"s-{word}")
            store.append(f"s-{word}", told)
            store.add_usage(f"s-{word}", used)
        else:
            store.receive(start, told, used, parent_external_id=late)
        asked = RequestRow(1_000, "anthropic", f"model-{word}", f"r-{word}", 1, "start", 1, 9, 0, 0, 0, 0)
        store.write(lambda db: add_request(db, f"s-{word}", asked, b""))
        self.ids.append((f"s-{word}", scope))

    def _told(self, word: str, begun: datetime) -> Iterator[Message]:
        picture = Part("image", f"a sketch of {word}", "image/png", name=f"{word}.png", data=word.encode())
        yield Message.user(
            f"{word} asks where the lantern of {word} burns",
            created_at=begun,
            client_id=f"u-{word}",
            parts=(Part("text", f"{word} asks"), picture),
            speaker=f"speaker {word}",
        )
        yield Message(
            "assistant",
            f"the lantern of {word} burns at the quay of {word}",
            created_at=begun + timedelta(minutes=1),
            client_id=f"a-{word}",
            metadata={"source_ids": [f"line-{word}"]},
        )
        if self.chance.random() < 0.3:
            yield Message(
                "assistant",
                f"a path of {word} that the lantern left",
                created_at=begun + timedelta(minutes=2),
                client_id=f"b-{word}",
                state="branch",
            )
        if self.chance.random() < 0.4:
            yield Message.user(
                f"and {word} asks of the lantern again",
                created_at=begun + timedelta(minutes=3),
                client_id=f"v-{word}",
            )

    def _parent(self, scope: Scope) -> str | None:
        """A session of the same scope, or of any."""
        own = [name for name, other in self.ids if other == scope]
        if own and self.chance.random() < 0.5:
            return self.chance.choice(own)
        return self.chance.choice(self.ids)[0] if self.ids else None

    def _late_parent(self, scope: Scope, number: int) -> str | None:
        """Now and then the session of the next project, which is not here yet."""
        if scope.project == PROJECTS[-1] or self.chance.random() < 0.6:
            return None
        later = number + len(SOURCES)
        return f"x-zq{string.ascii_lowercase[later // 26]}{string.ascii_lowercase[later % 26]}k"

    def note(self) -> None:
        """Of every level two entries of the core, one of the archive, and a daily note."""
        words = (f"zn{one}{two}k" for one in string.ascii_lowercase for two in string.ascii_lowercase)
        for scope in LEVELS:
            for kind, is_core in (("note", True), ("note", True), ("note", False), ("daily", True)):
                word = next(words)
                told = f"The lantern of {word} burns at {word}"
                is_shared = False
                if kind == "daily":
                    self.archivist.daily.add(told, scope=scope)
                else:
                    entry = self.archivist.notes.add("memory", told, scope=scope).entry
                    assert entry is not None
                    is_shared = scope == Scope() and word.endswith(("bk", "ck"))
                    if is_shared:
                        self.archivist.notes.share(entry.id, scope=EVERYTHING)
                    if not is_core:
                        self.archivist.notes.demote(entry.id, scope=EVERYTHING)
                self.notes.append(Note(word, scope, kind, is_core, is_shared))

    def finish(self) -> None:
        """Put away, pin, end, name, take back, fork and give models what was said elsewhere."""
        sessions = self.archivist.sessions
        acts = (
            lambda name: sessions.archive(name, scope=EVERYTHING),
            lambda name: sessions.pin(name, scope=EVERYTHING),
            lambda name: sessions.get(name).end("over"),
            lambda name: sessions.fork(name, scope=EVERYTHING),
            lambda name: sessions.undo(name, scope=EVERYTHING),
            lambda name: sessions.rename(name, f"Named {name[2:]}", scope=EVERYTHING),
        )
        for name, _ in self.ids:
            if self.chance.random() < 0.45:
                self.chance.choice(acts)(name)
        with closing(apsw.Connection(str(self.archivist.home.state_file))) as db:
            db.execute(
                "INSERT OR IGNORE INTO context(session, position, message)"
                " SELECT s.key, 0, (SELECT min(m.id) FROM messages AS m WHERE m.session = s.parent)"
                " FROM sessions AS s WHERE s.link = 'compaction' AND s.parent IS NOT NULL"
            )
        self.archivist.catch_up()


def build(home: Path) -> World:
    """Make a home, and return what was put into it."""
    with Archivist.open(home, clock=lambda: NOW) as archivist:
        world = World(archivist)
        for scope, source in product(SCOPES, SOURCES):
            world.begin(scope, source)
        world.note()
        world.finish()
        return world


def read_facts(home: Path, words: dict[str, Scope], notes: Iterable[Note] = ()) -> Facts:
    """What a home holds, from its tables."""
    with closing(apsw.Connection(str(home / "state.db"))) as db:
        scopes = {
            key: Scope(*(field or None for field in fields))
            for key, *fields in db.execute("SELECT key, user, chat, project FROM scopes")
        }
        sessions = db.execute(
            "SELECT key, id, conversation, parent, link, source, scope, title, external_id, archived_at IS NOT NULL,"
            " undo IS NOT NULL, last_active_at, started_at, fork_message FROM sessions"
        ).fetchall()
        messages = db.execute(
            "SELECT id, session, role, state, client_id, created_at, parts FROM messages"
        ).fetchall()
        return Facts(
            {row[0]: Held(*row[:6], scopes[row[6]], *row[7:]) for row in sessions},
            {row[0]: Said(*row) for row in messages},
            db.execute("SELECT session, model, input FROM usage").fetchall(),
            db.execute("SELECT session, message FROM context ORDER BY session, position").fetchall(),
            words,
            tuple(notes),
        )


def rows_of(home: Path, keys: list[int]) -> dict[str, list[tuple[object, ...]]]:
    """Every row of sessions, to the byte."""
    wanted = ", ".join(map(str, keys))
    queries = {
        "sessions": f"SELECT * FROM sessions WHERE key IN ({wanted})",
        "messages": f"SELECT * FROM messages WHERE session IN ({wanted})",
        "usage": f"SELECT * FROM usage WHERE session IN ({wanted})",
        "context": f"SELECT * FROM context WHERE session IN ({wanted})",
        "undos": f"SELECT * FROM undos WHERE session IN ({wanted})",
        "undone": "SELECT u.* FROM undone AS u JOIN undos AS o ON o.key = u.undo"
        f" WHERE o.session IN ({wanted})",
    }
    assert set(queries) == set(TABLES)
    with closing(apsw.Connection(str(home / "state.db"))) as db:
        return {table: db.execute(query).fetchall() for table, query in queries.items()}


@contextmanager
def copy_of(home: Path, place: Path) -> Iterator[Archivist]:
    """A home of its own that begins as another one; gone afterwards."""
    shutil.copytree(home, place)
    try:
        with Archivist.open(place, clock=lambda: NOW) as archivist:
            yield archivist
    finally:
        shutil.rmtree(place)
