"""The tables of `state.db`, as numbered migrations.

A migration is a function that was released once and is never edited again; each runs in one transaction with the record that it ran.
Ids of messages are never reused, times are milliseconds since 1970 in UTC, JSON is stored with its characters as
they are.
"""

from collections.abc import Callable, Sequence

import apsw

Migration = Callable[[apsw.Connection], None]


def conversations(db: apsw.Connection) -> None:
    """The first tables: scopes, sessions, messages, what a model sees, usage, changes and imported files."""
    db.execute("""
        CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

        -- '' is unset: UNIQUE would take NULLs for different
        CREATE TABLE scopes(
            key INTEGER PRIMARY KEY,
            user TEXT NOT NULL DEFAULT '', chat TEXT NOT NULL DEFAULT '', project TEXT NOT NULL DEFAULT '',
            UNIQUE(user, chat, project));

        CREATE TABLE sessions(
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            conversation INTEGER NOT NULL,               -- key of the root session
            parent INTEGER REFERENCES sessions(key),
            link TEXT,                                   -- compaction, fork, branch, subagent
            source TEXT NOT NULL,
            external_id TEXT,
            model TEXT,
            scope INTEGER NOT NULL REFERENCES scopes(key),
            cwd TEXT,
            title TEXT,
            started_at INTEGER NOT NULL,
            last_active_at INTEGER NOT NULL,
            ended_at INTEGER,
            end_reason TEXT,
            prompt TEXT,
            prompt_digest TEXT,
            metadata TEXT);
        CREATE UNIQUE INDEX sessions_external ON sessions(source, external_id) WHERE external_id IS NOT NULL;
        CREATE INDEX sessions_conversation ON sessions(conversation);
        CREATE INDEX sessions_parent ON sessions(parent) WHERE parent IS NOT NULL;

        CREATE TABLE messages(
            id INTEGER PRIMARY KEY,                      -- given from the last one in changes: never twice
            session INTEGER NOT NULL REFERENCES sessions(key),
            conversation INTEGER NOT NULL,
            role TEXT NOT NULL,
            state TEXT NOT NULL DEFAULT 'active',
            created_at INTEGER NOT NULL,
            text TEXT NOT NULL,
            parts TEXT,                                  -- JSON list
            tool_calls TEXT,                             -- JSON list
            tool_call_id TEXT,
            tool_name TEXT,
            reasoning TEXT,                              -- JSON, verbatim
            speaker TEXT,
            metadata TEXT,                               -- JSON object
            masked TEXT,                                 -- JSON list of kinds
            client_id TEXT NOT NULL,
            digest BLOB NOT NULL);
        CREATE UNIQUE INDEX messages_client ON messages(conversation, client_id);
        CREATE INDEX messages_conversation ON messages(conversation);  -- with the id: order within a conversation
        CREATE INDEX messages_created ON messages(created_at);

        -- what a session's model sees beside the session's own active messages: the rows of its lineage that a compaction kept, in
        -- their places before those; text_as_sent where one was shortened for the model
        CREATE TABLE context(
            session INTEGER NOT NULL REFERENCES sessions(key),
            position INTEGER NOT NULL,
            message INTEGER NOT NULL REFERENCES messages(id),
            text_as_sent TEXT,
            PRIMARY KEY(session, position)) WITHOUT ROWID;

        -- one row a request, so that a request reported twice is counted once
        CREATE TABLE usage(
            session INTEGER NOT NULL REFERENCES sessions(key),
            model TEXT NOT NULL,
            request_id TEXT NOT NULL,
            requests INTEGER NOT NULL,
            input INTEGER NOT NULL, output INTEGER NOT NULL,
            cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL, reasoning INTEGER NOT NULL,
            cost_usd REAL NOT NULL,
            PRIMARY KEY(session, model, request_id)) WITHOUT ROWID;

        -- every change in order; a derived index reads on from the last one that it knows
        CREATE TABLE changes(
            seq INTEGER PRIMARY KEY,                     -- rows are never removed, so it never repeats
            kind TEXT NOT NULL,                          -- added, changed, removed
            first_message INTEGER NOT NULL,
            last_message INTEGER NOT NULL);

        -- files that an importer has read to the end, to pass over them while they are as they were
        CREATE TABLE imported(
            source TEXT NOT NULL,
            path TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            imported_at INTEGER NOT NULL,
            PRIMARY KEY(source, path)) WITHOUT ROWID;
    """)


MIGRATIONS: Sequence[Migration] = (conversations,)
"""In order; the schema's version is how many of them have run."""
