"""What a new database needs so that what was found in the damaged one fits together again.

Messages whose session is gone get one that stands in for it, which nobody but the owner's own command line may read: whose it was is not
known. What is gone is written down as lost, so that it is told once and its ids are never given again.
"""

from typing import Any, Final

import apsw

from archivist.records import Scope
from archivist.store.frozen import drop_unsound
from archivist.store.gaps import go_on_after, note_run, pass_over, passed_over
from archivist.store.losses import Ranges
from archivist.store.messages import LAST_ID, record_changes
from archivist.store.places import let_go_unheld
from archivist.store.proposals import drop_unreadable
from archivist.store.salvage.building import ANNOUNCED_AT_ONCE, Tally
from archivist.store.scopes import scope_key
from archivist.store.sessions import MOST_TOKENS, seal_session, session_digest
from archivist.store.spending import hide_spending
from archivist.store.tool_lists import drop_unsound_tools

STAND_IN: Final = "salvaged"
"""The source of a session that stands in for one that is gone, and the chat of its scope."""
SPARE_IDS: Final = 1_000
"""Left out where the end of the changes could not be read: no id may be given twice."""
STATES: Final = "('active', 'compacted', 'undone', 'branch')"

MISSING_SESSIONS: Final = """
    SELECT needed.key, min(needed.conversation), coalesce(min(needed.begun), 0), coalesce(max(needed.active), 0) FROM (
        SELECT session AS key, min(conversation) AS conversation, min(created_at) AS begun, max(created_at) AS active
        FROM messages GROUP BY session
        UNION ALL SELECT DISTINCT session, session, NULL, NULL FROM usage
        UNION ALL SELECT DISTINCT session, session, NULL, NULL FROM context
        UNION ALL SELECT session, conversation, NULL, NULL FROM undos
        UNION ALL SELECT DISTINCT conversation, conversation, NULL, NULL FROM messages
        UNION ALL SELECT DISTINCT conversation, conversation, NULL, NULL FROM sessions
    ) AS needed WHERE needed.key > 0 AND needed.key NOT IN (SELECT key FROM sessions) GROUP BY needed.key ORDER BY 1
"""
FIRST_REPAIRS: Final = (
    "UPDATE sessions SET conversation = key WHERE parent IS NULL AND conversation NOT IN (SELECT key FROM sessions)",
    """UPDATE OR IGNORE messages SET conversation = (SELECT s.conversation FROM sessions AS s WHERE s.key = messages.session)
       WHERE conversation <> (SELECT s.conversation FROM sessions AS s WHERE s.key = messages.session)""",
    f"UPDATE messages SET state = 'active' WHERE state NOT IN {STATES}",
)
COUNTS: Final = ("requests", "input", "output", "cache_read", "cache_write", "reasoning")
LAST_REPAIRS: Final = (
    "DELETE FROM context WHERE message NOT IN (SELECT id FROM messages)",
    "DELETE FROM placed WHERE message NOT IN (SELECT id FROM messages) OR session NOT IN (SELECT key FROM sessions)",
    "DELETE FROM undone WHERE message NOT IN (SELECT id FROM messages) OR undo NOT IN (SELECT key FROM undos)",
    *(f"UPDATE usage SET {name} = 0 WHERE {name} > {MOST_TOKENS}" for name in COUNTS),
    """DELETE FROM requests WHERE session NOT IN (SELECT key FROM sessions) OR shared_blocks > min(blocks, before_blocks)
       OR shared_tokens > tokens OR min(number, epoch) < 1 OR broke NOT IN ('tools', 'system', 'message')""",
    "DELETE FROM request_blocks WHERE session NOT IN (SELECT key FROM sessions)",
    "DELETE FROM session_tools WHERE session NOT IN (SELECT key FROM sessions)",
    "DELETE FROM uses WHERE kind NOT IN ('used', 'restated', 'present', 'opened')",
    """INSERT INTO sqlite_sequence(name, seq) SELECT 'sessions', 0
       WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'sessions')""",
    """UPDATE sqlite_sequence SET seq = max(seq, (SELECT coalesce(max(key), 0) FROM sessions),
       (SELECT coalesce(max(session), 0) FROM messages)) WHERE name = 'sessions'""",
)
LAST_SESSION: Final = "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'sessions'"
WITHOUT_PARENT: Final = "parent IS NOT NULL AND parent NOT IN (SELECT key FROM sessions)"
WITHOUT_UNDO: Final = "undo IS NOT NULL AND undo NOT IN (SELECT key FROM undos)"
WITHOUT_SCOPE: Final = "scope NOT IN (SELECT key FROM scopes)"


def mend(db: apsw.Connection, tally: Tally) -> int:
    """Make every reference lead somewhere; returns how many sessions stand in for lost ones."""
    for key, fields in tally.scopes.items():
        db.execute("INSERT OR IGNORE INTO scopes VALUES(?, ?, ?, ?)", (key, *fields))
    for repair in FIRST_REPAIRS:
        db.execute(repair)
    stand_ins = _stand_in(db, tally)
    touched: set[Any] = _let_go(db)
    touched |= {
        key
        for stand_in in stand_ins
        for (key,) in db.execute(
            "SELECT key FROM sessions WHERE conversation = ?1 OR parent = ?1", (stand_in,)
        )
    }
    sealed: Any = db.execute("SELECT key FROM sessions WHERE digest IS NOT NULL ORDER BY key").fetchall()
    for (key,) in sealed:
        if not _is_sealed(db, key):
            if key in touched:  # it says now what could be found of its parent, its root and its scope
                seal_session(db, key)
            else:
                _mend_scope_of(db, key)
    for repair in LAST_REPAIRS:
        db.execute(repair)
    let_go_unheld(db)
    drop_unsound(db)
    drop_unreadable(db)
    drop_unsound_tools(db)
    db.execute(LAST_SESSION, (passed_over(db).session,))
    return len(stand_ins)


def _let_go(db: apsw.Connection) -> set[Any]:
    """Sessions whose parent, undo or scope is gone go without; what is of no known scope nobody may read."""
    touched: set[Any] = set()
    for lacking, change in (
        (WITHOUT_PARENT, "parent = NULL, link = NULL"),
        (WITHOUT_UNDO, "undo = NULL"),
        (WITHOUT_SCOPE, f"scope = {_hidden_scope(db) if _is_any(db, 'sessions', WITHOUT_SCOPE) else 0}"),
    ):
        touched |= {key for (key,) in db.execute(f"SELECT key FROM sessions WHERE {lacking}")}
        db.execute(f"UPDATE sessions SET {change} WHERE {lacking}")
    if _is_any(db, "spent", WITHOUT_SCOPE):
        hide_spending(db, _hidden_scope(db), WITHOUT_SCOPE)
    return touched


def _is_any(db: apsw.Connection, table: str, lacking: str) -> bool:
    return bool(db.execute(f"SELECT EXISTS (SELECT 1 FROM {table} WHERE {lacking})").get)


def _hidden_scope(db: apsw.Connection) -> int:
    """The scope of what is of no known one; its key is one that nothing states whose own scope is gone."""
    db.execute(
        "INSERT OR IGNORE INTO scopes(key, user, chat, project) SELECT 1 + max((SELECT coalesce(max(key), 0) FROM scopes),"
        " (SELECT coalesce(max(scope), 0) FROM sessions), (SELECT coalesce(max(scope), 0) FROM spent)), '', ?, ''",
        (STAND_IN,),
    )
    return scope_key(db, Scope(chat=STAND_IN))


def announce(db: apsw.Connection, *, is_whole: bool) -> None:
    """Let the changes name every message that is there, and leave no id free that may have been given.

    Args:
        db: The new database.
        is_whole: Whether the changes could be read to their end.
    """
    ranges = _announced(db)
    unannounced = (key for (key,) in db.execute("SELECT id FROM messages ORDER BY id") if key not in ranges)
    record_changes(db, "added", list(unannounced))
    has_holes = db.execute("SELECT coalesce(max(seq), 0) > count(*) FROM changes").get
    highest = _highest(db)
    if has_holes or not is_whole:
        for first, last in _announced(db).outside(1, highest):
            _announce_hole(db, first, last)
    if not is_whole:
        pass_over(db, highest + 1, highest + SPARE_IDS)
        highest += SPARE_IDS
    if int(db.execute(LAST_ID).get) < highest:
        go_on_after(db, highest)


def _highest(db: apsw.Connection) -> int:
    """The highest id that anything knows of."""
    changed, there = db.execute(
        "SELECT (SELECT coalesce(max(last_message), 0) FROM changes), (SELECT coalesce(max(id), 0) FROM messages)"
    ).get
    return max(int(changed), int(there), *(last for _, last in passed_over(db).messages))


def _announce_hole(db: apsw.Connection, first: int, last: int) -> None:
    """What may have been there is told as lost; not so many that only a restore can have passed over them."""
    if last - first >= ANNOUNCED_AT_ONCE:
        pass_over(db, first, last)
    else:
        note_run(db, "added", first, last)


def _announced(db: apsw.Connection) -> Ranges:
    rows: Any = db.execute("SELECT first_message, last_message FROM changes WHERE kind = 'added'").fetchall()
    return Ranges(rows)


def _is_sealed(db: apsw.Connection, key: int) -> bool:
    stored = db.execute("SELECT digest FROM sessions WHERE key = ?", (key,)).get
    return bool(stored == session_digest(db, key))


def _stand_in(db: apsw.Connection, tally: Tally) -> list[int]:
    """Make a session for each that something is of and that is gone; an index may still know its id. Returns their keys."""
    needed: Any = db.execute(MISSING_SESSIONS).fetchall()
    scope = _hidden_scope(db) if needed else 0
    for key, conversation, begun, active in needed:
        name = tally.session_ids.get(key, f"{STAND_IN}-{key}")
        taken = db.execute("SELECT 1 FROM sessions WHERE id = ?", (name,)).get
        db.execute(
            "INSERT INTO sessions(key, id, conversation, source, scope, started_at, last_active_at, metadata)"
            " VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
            (
                key,
                f"{STAND_IN}-{key}" if taken else name,
                conversation,
                STAND_IN,
                scope,
                begun,
                active,
                '{"damaged":true}',
            ),
        )
    for key, *_ in needed:
        seal_session(db, key)
    return [key for key, *_ in needed]


def _mend_scope_of(db: apsw.Connection, key: int) -> None:
    """A session whose hash is wrong: if it is right in another scope, that is its own."""
    stated = db.execute("SELECT scope FROM sessions WHERE key = ?", (key,)).get
    for (scope,) in db.execute("SELECT key FROM scopes ORDER BY key").fetchall():
        db.execute("UPDATE sessions SET scope = ? WHERE key = ?", (scope, key))
        if _is_sealed(db, key):
            return
    db.execute("UPDATE sessions SET scope = ? WHERE key = ?", (stated, key))
