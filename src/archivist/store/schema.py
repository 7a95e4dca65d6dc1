"""The tables of `state.db`, as numbered migrations.

A migration is a function that was released once and is never edited again; each runs in one transaction with the record that it ran.
Ids of messages are never reused, times are milliseconds since 1970 in UTC, JSON is stored with its characters as
they are.

What a migration needs beside SQL is copied into it and never shared with today's code: today's code changes, and a database that was
migrated last year must be as one that is migrated tomorrow.
"""

import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

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
            kind TEXT NOT NULL,                          -- added, changed, removed, lost
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


def keeping(db: apsw.Connection) -> None:
    """What an owner does with conversations: titles, archive, pins, forks, undo; and what remains of those that are gone."""
    db.execute("""
        ALTER TABLE sessions ADD COLUMN title_origin TEXT;       -- given, source, derived; NULL without a title
        ALTER TABLE sessions ADD COLUMN title_key TEXT;          -- what titles have in common that are the same
        ALTER TABLE sessions ADD COLUMN source_title TEXT;       -- what its source calls it, whatever its owner does
        ALTER TABLE sessions ADD COLUMN archived_at INTEGER;
        ALTER TABLE sessions ADD COLUMN pinned_at INTEGER;
        ALTER TABLE sessions ADD COLUMN fork_message INTEGER;    -- of a fork: the last message that it shares with its parent
        ALTER TABLE sessions ADD COLUMN undo INTEGER;            -- the undo that took this session back; NULL while it stands
        ALTER TABLE sessions ADD COLUMN digest BLOB;             -- of the columns that do not change by themselves
        UPDATE sessions SET title_origin = CASE WHEN external_id IS NULL THEN 'given' ELSE 'source' END WHERE title IS NOT NULL;
        UPDATE sessions SET source_title = title WHERE external_id IS NOT NULL;
        CREATE INDEX sessions_title ON sessions(title_key, scope) WHERE title_key IS NOT NULL;

        -- a session's messages are asked for by both; with the id they are in order
        DROP INDEX messages_conversation;
        CREATE INDEX messages_conversation ON messages(conversation, session);

        -- one row an undo; redone_at is set when it was taken back itself
        CREATE TABLE undos(
            key INTEGER PRIMARY KEY,
            conversation INTEGER NOT NULL,
            session INTEGER NOT NULL REFERENCES sessions(key),
            made_at INTEGER NOT NULL,
            redone_at INTEGER);
        CREATE INDEX undos_conversation ON undos(conversation);

        -- the messages that an undo moved, and the state that a redo gives back
        CREATE TABLE undone(
            undo INTEGER NOT NULL REFERENCES undos(key),
            message INTEGER NOT NULL,
            state TEXT NOT NULL,
            PRIMARY KEY(undo, message)) WITHOUT ROWID;

        -- what conversations used that are no longer here, so that totals survive them
        CREATE TABLE spent(
            scope INTEGER NOT NULL REFERENCES scopes(key),
            source TEXT NOT NULL,
            model TEXT NOT NULL,
            month TEXT NOT NULL,                         -- 2026-11, in UTC, in which the session began
            requests INTEGER NOT NULL,
            input INTEGER NOT NULL, output INTEGER NOT NULL,
            cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL, reasoning INTEGER NOT NULL,
            cost_usd REAL NOT NULL,
            PRIMARY KEY(scope, source, model, month)) WITHOUT ROWID;
    """)
    titled = db.execute("SELECT key, title FROM sessions WHERE title IS NOT NULL").fetchall()
    for key, title in titled:
        same = unicodedata.normalize("NFC", " ".join(str(title).split()).casefold())
        db.execute("UPDATE sessions SET title_key = ? WHERE key = ?", (same, key))
    _seal_all(db)


def _seal_all(db: apsw.Connection) -> None:
    """Part of `keeping`, and frozen with it: give every session the hash of its row, as sessions were sealed when it was written."""
    columns = (
        "s.id, root.id, s.source, sc.user, sc.chat, sc.project, s.started_at, s.model, s.cwd, s.title, s.title_origin,"
        " s.source_title, s.external_id, parent.id, s.link, s.ended_at, s.end_reason, s.prompt, s.prompt_digest, s.metadata,"
        " s.archived_at, s.pinned_at, s.fork_message, s.undo"
    )
    query = (
        f"SELECT {columns} FROM sessions AS s JOIN sessions AS root ON root.key = s.conversation"
        " JOIN scopes AS sc ON sc.key = s.scope LEFT JOIN sessions AS parent ON parent.key = s.parent WHERE s.key = ?"
    )
    keys: Any = db.execute("SELECT key FROM sessions").fetchall()
    for (key,) in keys:
        try:
            row: Any = db.execute(query, (key,)).fetchone()
        except UnicodeDecodeError:
            continue  # a damaged text is not sealed as if it were sound
        digest = _seal([None if value is None else str(value) for value in row or ()])
        db.execute("UPDATE sessions SET digest = ? WHERE key = ?", (digest, key))


def _seal(fields: Sequence[str | None]) -> bytes:
    """Part of `keeping`, and frozen with it: sixteen bytes over the fields, each with its length before it."""
    from hashlib import blake2b  # noqa: PLC0415 - loads OpenSSL: 4 ms that only a migration needs

    pieces = [b"archivist-message-1"]
    for field in fields:
        raw = b"" if field is None else field.encode("utf-8", "surrogatepass")
        pieces.append(b"-" if field is None else b"%d:" % len(raw) + raw)
    return blake2b(b"".join(pieces), digest_size=16).digest()


def noting(db: apsw.Connection) -> None:
    """What becomes of notes in conversations: how their entries were used, and the snapshots that prompts carried of them."""
    db.execute("""
        -- no text: an entry and a session by their ids, of which either may be gone
        CREATE TABLE uses(
            key INTEGER PRIMARY KEY,
            entry TEXT NOT NULL,
            at INTEGER NOT NULL,
            kind TEXT NOT NULL,                          -- used, restated, present, opened
            session TEXT);                               -- NULL outside any, and of one that was deleted
        CREATE INDEX uses_entry ON uses(entry, kind, at);
        CREATE INDEX uses_session ON uses(session) WHERE session IS NOT NULL;

        -- what snapshots say, each once however many sessions were given it
        CREATE TABLE snapshot_texts(
            key INTEGER PRIMARY KEY,
            first_at INTEGER NOT NULL,
            sha256 TEXT NOT NULL,                        -- of the text
            text TEXT NOT NULL,
            report TEXT NOT NULL);                       -- JSON, without the newest change
        CREATE INDEX snapshot_texts_sha256 ON snapshot_texts(sha256);

        -- what was handed over at the beginning of a session of ours, or of a host's; the newest of a session counts
        CREATE TABLE snapshots(
            key INTEGER PRIMARY KEY,
            host TEXT,
            host_session TEXT,
            session TEXT,
            scope INTEGER NOT NULL REFERENCES scopes(key),
            made_at INTEGER NOT NULL,
            text INTEGER NOT NULL REFERENCES snapshot_texts(key),
            last_change TEXT,                            -- the newest change of the notes that it shows
            told_change TEXT,                            -- the newest change that was told since
            parent INTEGER);                             -- the snapshot that it was taken from: a fork's, a resume's
        CREATE INDEX snapshots_host ON snapshots(host_session, host) WHERE host_session IS NOT NULL;
        CREATE INDEX snapshots_session ON snapshots(session) WHERE session IS NOT NULL;
        CREATE INDEX snapshots_text ON snapshots(text);
        CREATE INDEX snapshots_parent ON snapshots(parent) WHERE parent IS NOT NULL;

        -- which sessions began, or ended, since a time; of one column each, so that a stray page of theirs is taken for no table's
        CREATE INDEX sessions_started ON sessions(started_at);
        CREATE INDEX sessions_ended ON sessions(ended_at) WHERE ended_at IS NOT NULL;
    """)


def following(db: apsw.Connection) -> None:
    """Files of other programs that are read while they grow, and what records looked like before they were masked."""
    db.execute("""
        -- a file that is read while it grows: everything before `offset` is stored, in the transaction that moved it
        CREATE TABLE followed(
            key INTEGER PRIMARY KEY,
            source TEXT NOT NULL,
            path TEXT NOT NULL,
            look TEXT NOT NULL,                          -- device, file number, size and time of writing when it was last looked at
            offset INTEGER NOT NULL,
            edges TEXT NOT NULL,                         -- a digest of the first and the last of the bytes before it
            checksum INTEGER NOT NULL,                   -- of all bytes before it
            revision INTEGER NOT NULL,                   -- one more with each change of the row
            root TEXT,                                   -- the first id in it: files that share it hold the same beginning
            session TEXT,                                -- the source's own id of its session
            state BLOB,                                  -- what its reader has to know to go on
            is_open INTEGER NOT NULL,                    -- whether something before the offset is still to be taken in
            read_at INTEGER NOT NULL,
            problem TEXT);                               -- why it could not be read the last time
        CREATE UNIQUE INDEX followed_path ON followed(source, path);

        -- what the reader keeps of each stretch, in order
        CREATE TABLE followed_parts(
            key INTEGER PRIMARY KEY,
            file INTEGER NOT NULL REFERENCES followed(key),
            part BLOB NOT NULL);
        CREATE INDEX followed_parts_file ON followed_parts(file);

        -- a keyed hash of what a message's source says, so that it is known again whatever was masked; told_as: the client id under
        -- which the source tells it, where another message had that first
        CREATE TABLE raw_prints(
            message INTEGER PRIMARY KEY,
            print BLOB NOT NULL,
            told_as TEXT);
        CREATE INDEX raw_prints_told ON raw_prints(told_as) WHERE told_as IS NOT NULL;
    """)


def proposing(db: apsw.Connection) -> None:
    """What waits for the owner to decide: proposals, with what they rest on and what would be done."""
    db.execute("""
        CREATE TABLE proposals(
            key INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,                          -- contradiction; others come later
            target TEXT NOT NULL,                        -- memory, user
            scope INTEGER NOT NULL REFERENCES scopes(key),
            state TEXT NOT NULL,                         -- open, accepted, rejected
            made_at INTEGER NOT NULL,
            expires_at INTEGER,
            decided_at INTEGER,
            change TEXT,                                 -- of the notes, by which it was done
            reason TEXT NOT NULL,
            operations TEXT NOT NULL,                    -- JSON list: what would be done, or was
            evidence TEXT NOT NULL,                      -- JSON: entries as they were, and words of messages
            same TEXT NOT NULL UNIQUE);                  -- what is proposed is the same where this is
        CREATE INDEX proposals_open ON proposals(made_at) WHERE state = 'open';
    """)


def placing(db: apsw.Connection) -> None:
    """Messages that stand in sessions beside their own, or elsewhere than where they were stored: see `store.places`."""
    db.execute("""
        CREATE TABLE placed(
            session INTEGER NOT NULL REFERENCES sessions(key),
            message INTEGER NOT NULL REFERENCES messages(id),
            behind INTEGER NOT NULL,                     -- the session's own message behind which it stands; 0: before all
            number INTEGER NOT NULL,                     -- in order among those behind one; 0: where it was stored
            is_left INTEGER NOT NULL,                    -- whether its own session has left it, and it stands for others alone
            PRIMARY KEY(session, message)) WITHOUT ROWID;
        CREATE INDEX placed_message ON placed(message);
    """)


def shortening(db: apsw.Connection) -> None:
    """What a compaction makes of messages for its session's model: see `store.contexts`.

    All of them may be empty, so that a row of before is still told from another table's when a damaged file is read.
    """
    db.execute("""
        ALTER TABLE context ADD COLUMN parts_as_sent TEXT;       -- JSON list, where other parts are sent than those of the message
        ALTER TABLE context ADD COLUMN calls_as_sent TEXT;       -- JSON list, likewise
        ALTER TABLE context ADD COLUMN is_left_out INTEGER;      -- 1: not sent, the session's summary stands for it; 2: named by it; NULL
        ALTER TABLE context ADD COLUMN cited_as INTEGER;         -- the id that the summary names it by, where it was written elsewhere
    """)


def seeing(db: apsw.Connection) -> None:
    """What the requests of our own agent had in common with those before them, and the tools that its sessions were begun with."""
    db.execute("""
        -- one row a request, without any text; what the provider counted of it stands in usage, by its request_id
        CREATE TABLE requests(
            session INTEGER NOT NULL REFERENCES sessions(key),
            number INTEGER NOT NULL,                     -- in order within the session, from 1
            at INTEGER NOT NULL,
            provider TEXT NOT NULL,
            model TEXT NOT NULL,
            request_id TEXT NOT NULL,                    -- '' where the provider gave none
            epoch INTEGER NOT NULL,                      -- in order within the conversation, from 1
            began TEXT,                                  -- why an epoch begins with it; NULL where one goes on
            blocks INTEGER NOT NULL,
            tokens INTEGER NOT NULL,                     -- an estimate
            before_blocks INTEGER NOT NULL,              -- of the request before in this conversation; 0 where there is none
            before_tokens INTEGER NOT NULL,
            shared_blocks INTEGER NOT NULL,              -- that both begin with
            shared_tokens INTEGER NOT NULL,
            broke TEXT,                                  -- what left the one before: tools, system, message; NULL where nothing did
            broke_at INTEGER,                            -- which one of that kind, from 1
            broke_why TEXT,
            PRIMARY KEY(session, number)) WITHOUT ROWID;

        -- keyed digests of what a session's newest request was made of
        CREATE TABLE request_blocks(
            session INTEGER PRIMARY KEY REFERENCES sessions(key),
            number INTEGER NOT NULL,                     -- of the request
            epoch INTEGER NOT NULL,
            blocks BLOB NOT NULL);

        -- lists of tools, each once however many sessions were begun with it
        CREATE TABLE tool_lists(
            key INTEGER PRIMARY KEY,
            first_at INTEGER NOT NULL,
            sha256 TEXT NOT NULL UNIQUE,                 -- of the list
            tools TEXT NOT NULL);                        -- JSON

        CREATE TABLE session_tools(
            session INTEGER PRIMARY KEY REFERENCES sessions(key),
            sha256 TEXT NOT NULL);                       -- of the list: a key may mean another one in a backup
        CREATE INDEX session_tools_sha256 ON session_tools(sha256);
    """)


MIGRATIONS: Sequence[Migration] = (
    conversations,
    keeping,
    noting,
    following,
    proposing,
    placing,
    shortening,
    seeing,
)
"""In order; the schema's version is how many of them have run."""
