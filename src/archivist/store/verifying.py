"""Proving that what is stored is what was stored.

`verify` reads everything: SQLite's own check, every row's hash derived again, every reference followed, every blob hashed. It changes
nothing.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from typing import Any

import apsw
import msgspec

from archivist.store.beginning import begun_anew
from archivist.store.blobs import Blobs
from archivist.store.deleting import all_blobs
from archivist.store.frozen import unsound_texts
from archivist.store.known_damage import KnownDamage, look_of, look_of_session, noted_damage
from archivist.store.losses import known_losses, missing
from archivist.store.proposals import unreadable
from archivist.store.rows import COLUMNS, Row, digest_of
from archivist.store.schema import MIGRATIONS
from archivist.store.sessions import MOST_TOKENS, unsealed
from archivist.store.tool_lists import unsound_tools
from archivist.store.trouble import DAMAGE, one_line

MOST_PROBLEMS = 100


class Verification(msgspec.Struct, frozen=True):
    """What was checked and what is wrong; `problems` empty means that all of it is as it was stored.

    Attributes:
        known_losses: Messages that an earlier salvage could not get back and said so.
        known_damage: What an earlier salvage had to keep damaged and said so; any other damage is a problem.
        blobs_damaged: Those of the problems that are of files in `media/`, not of the database.
        begun_anew: When and why the database was begun anew, as a sentence; empty where it was not.
        index_faults: What is wrong with the search index, which can be made anew from the database.
    """

    messages: int
    sessions: int
    blobs: int
    problems: tuple[str, ...]
    known_losses: int = 0
    begun_anew: str = ""
    blobs_damaged: tuple[str, ...] = ()
    index_faults: tuple[str, ...] = ()
    known_damage: KnownDamage = KnownDamage()

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems and not self.index_faults

    @property
    def is_database_clean(self) -> bool:
        """Whether nothing is wrong with the database itself."""
        return set(self.problems) <= set(self.blobs_damaged)


def verify(
    db: apsw.Connection, blobs: Blobs, *, on_progress: Callable[[int], None] | None = None
) -> Verification:
    """Check everything in the database and its blobs.

    Args:
        on_progress: Called with the number of messages checked so far, every thousand.
    """
    problems: list[str] = []
    names: set[str] = set()
    messages, met = 0, _Met()
    try:
        db.execute("SELECT key, value FROM meta").fetchall()  # that they are texts
        met.noted = noted_damage(db)
        problems += _structure(db)
        for messages, problem in enumerate(_messages(db, names, met), 1):
            if problem:
                problems.append(problem)
            if on_progress and messages % 1000 == 0:
                on_progress(messages)
        problems += _forms(db)
        problems += _references(db, met)
        sessions, lost = db.execute("SELECT count(*) FROM sessions").get, known_losses(db)
        begun = begun_anew(db)
    except (*DAMAGE, UnicodeDecodeError) as error:
        return Verification(messages, 0, 0, (*problems, f"state.db cannot be read on: {error}"))
    damaged = tuple(islice(blobs.damaged(names), MOST_PROBLEMS))
    if damaged:  # or deleted meanwhile, rows and bytes
        damaged = tuple(islice(blobs.damaged(names & all_blobs(db)), MOST_PROBLEMS))
    told = tuple([*problems, *damaged][:MOST_PROBLEMS])
    return Verification(messages, sessions, len(names), told, lost, begun, damaged, known_damage=met.known)


def database_problems(db: apsw.Connection) -> Iterator[str]:
    """What is wrong with the database, its blobs and its known damage aside, one after another as it is found."""
    met = _Met(noted_damage(db))
    yield from _structure(db)
    yield from filter(None, _messages(db, set(), met))
    yield from _forms(db)
    yield from _references(db, met)


class _Met(msgspec.Struct):
    """Of the damage that was noted, what is still so."""

    noted: KnownDamage = KnownDamage()
    messages: set[int] = msgspec.field(default_factory=set)
    sessions: set[str] = msgspec.field(default_factory=set)

    def is_noted(self, key: int, row: Row) -> bool:
        look = self.noted.messages.get(key)
        if look is None or look != look_of(row):
            return False
        self.messages.add(key)
        return True

    def is_noted_session(self, db: apsw.Connection, name: str) -> bool:
        look = self.noted.sessions.get(name)
        if look is None or look != look_of_session(db, name):
            return False
        self.sessions.add(name)
        return True

    @property
    def known(self) -> KnownDamage:
        noted = self.noted
        return msgspec.structs.replace(
            noted,
            messages={key: look for key, look in noted.messages.items() if key in self.messages},
            sessions={name: look for name, look in noted.sessions.items() if name in self.sessions},
        )


def quick_problems(db: apsw.Connection) -> list[str]:
    """What a look at every page finds, a few at most."""
    found = [str(row[0]) for row in db.execute("PRAGMA quick_check(3)")]
    return [] if found == ["ok"] else found


def _structure(db: apsw.Connection) -> list[str]:
    found = [row[0] for row in db.execute(f"PRAGMA integrity_check({MOST_PROBLEMS})")]
    broken = [] if found == ["ok"] else [f"state.db: {one_line(line)}" for line in found]
    return broken + [f"state.db: {name} is missing or not as it was made" for name in altered(db)]


def altered(db: apsw.Connection) -> list[str]:
    """Tables and indexes that are not as this program's migrations make them."""
    here = _made(db)
    return [name for name, sql in _made_by_migrations().items() if here.get(name) != sql]


def added(db: apsw.Connection) -> list[str]:
    """Tables and indexes that no migration of this program makes."""
    known = _made_by_migrations()
    return [name for name in _made(db) if name not in known and not name.startswith("sqlite_")]


def _made_by_migrations() -> dict[str, Any]:
    with closing(apsw.Connection(":memory:")) as fresh:
        for migration in MIGRATIONS:
            migration(fresh)
        return _made(fresh)


def _made(db: apsw.Connection) -> dict[str, Any]:
    rows: list[Any] = db.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    return {str(name): sql for name, sql in rows}


def _messages(db: apsw.Connection, blob_names: set[str], met: _Met) -> Iterator[str | None]:
    """For each message its problem or None; gathers the names of the blobs on the way."""
    last: int | None = 0
    while last is not None:
        try:
            for key, *values in db.execute(
                f"SELECT id, {COLUMNS} FROM messages WHERE id > ? ORDER BY id", (last,)
            ):
                last = key
                row = Row(*values)
                is_told = _is_as_stored(row, blob_names) or met.is_noted(key, row)
                yield None if is_told else _not_as_stored(key)
            last = None
        except UnicodeDecodeError:  # a text that is no UTF-8 any more: go on behind its message
            last = db.execute("SELECT min(id) FROM messages WHERE id > ?", (last,)).get
            yield _not_as_stored(last)


def _is_as_stored(row: Row, blob_names: set[str]) -> bool:
    try:
        if digest_of(row) != row.digest:
            return False
        if row.parts is not None:
            blob_names.update(part["blob"] for part in msgspec.json.decode(row.parts) if part.get("blob"))
    except (msgspec.DecodeError, TypeError, AttributeError):
        return False
    return True


def _not_as_stored(key: int | None) -> str:
    return f"message {key} is not what was stored: its content and its hash differ"


FORMS = {"INTEGER": "'integer'", "REAL": "'real', 'integer'", "TEXT": "'text'", "BLOB": "'blob'"}
"""By a column's type, what its values are."""


def _forms(db: apsw.Connection) -> Iterator[str]:
    """Tables with values that are of another form than their columns, which a hash that was taken since does not tell."""
    for (table,) in db.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'"
    ).fetchall():
        columns: Any = db.execute(
            'SELECT name, type, "notnull" FROM pragma_table_info(?)', (table,)
        ).fetchall()
        wrong = " OR ".join(
            f"typeof({name}) NOT IN ({FORMS.get(kind, FORMS['BLOB'])}{'' if is_needed else ', ' + repr('null')})"
            for name, kind, is_needed in columns
        )
        if count := db.execute(f"SELECT count(*) FROM {table} WHERE {wrong}").get:
            yield f"{count:,} of the rows of {table} hold what cannot be stored there"


REFERENCES = {
    "message {} is of a session that is not there": (
        "SELECT m.id FROM messages AS m LEFT JOIN sessions AS s ON s.key = m.session WHERE s.key IS NULL"
    ),
    "message {} has a state that there is none of": (
        "SELECT id FROM messages WHERE state NOT IN ('active', 'compacted', 'undone', 'branch')"
    ),
    "session {} has a scope that is not there": (
        "SELECT s.id FROM sessions AS s LEFT JOIN scopes AS sc ON sc.key = s.scope WHERE sc.key IS NULL"
    ),
    "session {} has times that are none": (
        "SELECT id FROM sessions WHERE typeof(started_at) <> 'integer' OR typeof(last_active_at) <> 'integer'"
    ),
    "message {} is counted to another conversation than its session": (
        "SELECT m.id FROM messages AS m JOIN sessions AS s ON s.key = m.session WHERE s.conversation <> m.conversation"
    ),
    "session {} is of a conversation that is not there": (
        "SELECT s.id FROM sessions AS s LEFT JOIN sessions AS r ON r.key = s.conversation WHERE r.key IS NULL"
    ),
    "session {} goes back to an undo that is not there": (
        "SELECT s.id FROM sessions AS s LEFT JOIN undos AS u ON u.key = s.undo WHERE s.undo IS NOT NULL AND u.key IS NULL"
    ),
    "undo {} is of a session that is not there": (
        "SELECT u.key FROM undos AS u LEFT JOIN sessions AS s ON s.key = u.session WHERE s.key IS NULL"
    ),
    "undo {} moved a message that is not there": (
        "SELECT d.undo FROM undone AS d LEFT JOIN messages AS m ON m.id = d.message WHERE m.id IS NULL"
    ),
    "undo {} is not there but has moved messages": (
        "SELECT d.undo FROM undone AS d LEFT JOIN undos AS u ON u.key = d.undo WHERE u.key IS NULL"
    ),
    "session {} continues a session that is not there": (
        "SELECT s.id FROM sessions AS s LEFT JOIN sessions AS p ON p.key = s.parent WHERE s.parent IS NOT NULL AND p.key IS NULL"
    ),
    "snapshot {} has a text that is not there": (
        "SELECT s.key FROM snapshots AS s LEFT JOIN snapshot_texts AS t ON t.key = s.text WHERE t.key IS NULL"
    ),
    "snapshot {} has a scope that is not there": (
        "SELECT s.key FROM snapshots AS s LEFT JOIN scopes AS sc ON sc.key = s.scope WHERE sc.key IS NULL"
    ),
    "what was used in {} is of a scope that is not there": (
        "SELECT p.month FROM spent AS p LEFT JOIN scopes AS sc ON sc.key = p.scope WHERE sc.key IS NULL"
    ),
    "proposal {} has a scope that is not there": (
        "SELECT p.id FROM proposals AS p LEFT JOIN scopes AS sc ON sc.key = p.scope WHERE sc.key IS NULL"
    ),
    "proposal {} has a state that there is none of": (
        "SELECT id FROM proposals WHERE state NOT IN ('open', 'accepted', 'rejected')"
    ),
    "use {} of an entry has a kind that there is none of": (
        "SELECT key FROM uses WHERE kind NOT IN ('used', 'restated', 'present', 'opened')"
    ),
    "session {} used more than any request can": (
        f"SELECT session FROM usage WHERE max(requests, input, output, cache_read, cache_write, reasoning) > {MOST_TOKENS}"
    ),
    "session {} shows its model a message that is not there": (
        "SELECT c.session FROM context AS c LEFT JOIN messages AS m ON m.id = c.message WHERE m.id IS NULL"
    ),
    "what is sent in session {} in the place of a message cannot be read": (
        "SELECT session FROM context WHERE json_valid(parts_as_sent) = 0 OR json_valid(calls_as_sent) = 0"
    ),
    "a request was made in session {} that is not there": (
        "SELECT r.session FROM requests AS r LEFT JOIN sessions AS s ON s.key = r.session WHERE s.key IS NULL"
    ),
    "session {} made a request that shares more than there is": (
        "SELECT session FROM requests WHERE shared_blocks > min(blocks, before_blocks) OR shared_tokens > tokens"
        " OR min(number, epoch) < 1 OR broke NOT IN ('tools', 'system', 'message')"
    ),
    "session {} keeps a request that is not there": (
        "SELECT b.session FROM request_blocks AS b LEFT JOIN sessions AS s ON s.key = b.session WHERE s.key IS NULL"
    ),
    "session {} began with tools that are not there": (
        "SELECT t.session FROM session_tools AS t LEFT JOIN tool_lists AS l ON l.sha256 = t.sha256"
        " LEFT JOIN sessions AS s ON s.key = t.session WHERE l.key IS NULL OR s.key IS NULL"
    ),
    "session {} holds a message that is not there": (
        "SELECT p.session FROM placed AS p LEFT JOIN messages AS m ON m.id = p.message WHERE m.id IS NULL"
    ),
}


def _references(db: apsw.Connection, met: _Met) -> list[str]:
    broken = [
        sentence.format(row[0])
        for sentence, query in REFERENCES.items()
        for row in db.execute(f"{query} LIMIT {MOST_PROBLEMS}")
    ]
    broken += [
        f"message {key} was never announced as a change" for key in islice(_unannounced(db), MOST_PROBLEMS)
    ]
    gone = (key for first, last in missing(db) for key in range(first, last + 1))
    broken += [f"message {key} was stored and is gone" for key in islice(gone, MOST_PROBLEMS)]
    broken += [
        f"the text of snapshots {key} is not what was stored"
        for key in islice(unsound_texts(db), MOST_PROBLEMS)
    ]
    broken += [
        f"the list of tools {key} is not what was stored" for key in islice(unsound_tools(db), MOST_PROBLEMS)
    ]
    broken += [f"proposal {name} cannot be read" for name in islice(unreadable(db), MOST_PROBLEMS)]
    return broken + [
        f"session {name} is not what was stored: its row and its hash differ"
        for name in unsealed(db)
        if not met.is_noted_session(db, name)
    ]


def _unannounced(db: apsw.Connection) -> Iterator[int]:
    """Messages that no run of `changes` covers: no index would ever hear of them."""
    added = db.execute(
        "SELECT first_message, last_message FROM changes WHERE kind = 'added' ORDER BY first_message"
    )
    first, last = 0, 0
    for (key,) in db.execute("SELECT id FROM messages ORDER BY id"):
        while last < key:
            row = added.fetchone()
            if row is None:
                break
            first, last = row
        if not first <= key <= last:
            yield key
