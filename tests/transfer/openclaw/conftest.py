"""A small OpenClaw home in either layout."""

import json
import zlib
from datetime import UTC, datetime, timedelta

import apsw
import pytest
from backports import zstd

BEGIN = datetime(2026, 6, 10, 9, 0, tzinfo=UTC)
MAIN = "3f1b0c1e-6a3e-4a7e-9f1d-2c9d3d1f6a10"
OTHER = "9c0d7a55-0b6e-4d3b-8a57-61a6a3a0c7be"
THIRD = "5d2f9be1-7c1a-4c3e-8f66-0b4e5c1d2a33"
WORKSPACE = "/home/ada/.openclaw/workspace"

SCHEMA = """
CREATE TABLE IF NOT EXISTS session_nodes(session_key TEXT PRIMARY KEY, current_session_id TEXT, entry_json TEXT, label TEXT,
  parent_session_key TEXT, spawned_by TEXT, fork_source_session_id TEXT) STRICT;
CREATE TABLE IF NOT EXISTS session_windows(session_id TEXT PRIMARY KEY, session_key TEXT, previous_session_id TEXT, reason TEXT,
  chat_type TEXT, channel TEXT, started_at INTEGER, created_at INTEGER, model TEXT, spawned_by TEXT) STRICT;
CREATE TABLE IF NOT EXISTS transcript_events(session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB,
  event_utf8_bytes INTEGER, created_at INTEGER, PRIMARY KEY(session_id, seq)) STRICT;
CREATE TABLE IF NOT EXISTS session_transcript_archives(session_id TEXT, reason TEXT, encoding TEXT, archive_blob BLOB) STRICT;
"""


class Transcript:
    """A transcript in the making."""

    def __init__(self, session=MAIN, **header):
        self.session, self.number, self.last = session, 0, None
        first = {"type": "session", "version": 3, "id": session, "timestamp": self.at(0), "cwd": WORKSPACE}
        self.entries = [first | header]

    def at(self, minutes):
        return (BEGIN + timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")

    def add(self, kind, parent=..., key=None, **fields):
        """An entry of the tree, behind the one before it unless said otherwise; gives its id."""
        self.number += 1
        key = key or f"{zlib.crc32(f'{self.session}{self.number}'.encode()):08x}"
        entry = {
            "type": kind,
            "id": key,
            "parentId": self.last if parent is ... else parent,
            "timestamp": self.at(self.number),
        }
        self.entries.append(entry | fields)
        self.last = key
        return key

    def user(self, content, **fields):
        return self.add("message", message={"role": "user", "content": content}, **fields)

    def answer(self, *blocks, model="claude-x", provider="anthropic", usage=None, **fields):
        content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
        said = {"role": "assistant", "content": content, "provider": provider, "model": model}
        if usage:
            said["usage"] = usage
        return self.add("message", message=said, **fields)

    def result(self, call, text, **fields):
        said = {
            "role": "toolResult",
            "toolCallId": call,
            "toolName": "exec",
            "content": [{"type": "text", "text": text}],
        }
        return self.add("message", message=said | fields)

    def text(self, end="\n"):
        return "".join(json.dumps(entry, ensure_ascii=False) + end for entry in self.entries)


class Claw:
    """An OpenClaw home; transcripts are told once and written in the layout that a test wants."""

    def __init__(self, root, agent="main"):
        self.root, self.agent, self.noted = root, agent, {}
        self.sessions = root / "agents" / agent / "sessions"
        self.database = root / "agents" / agent / "agent" / "openclaw-agent.sqlite"
        root.mkdir(parents=True, exist_ok=True)

    def beside(self, agent):
        """The same home, as another agent has it."""
        return Claw(self.root, agent)

    def config(self, text):
        (self.root / "openclaw.json").write_text(text if isinstance(text, str) else json.dumps(text))

    def note(self, name, text, workspace="workspace"):
        path = self.root / workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def key(self, key, session=MAIN, **entry):
        """What the program notes down beside a transcript."""
        self.noted[key] = {"sessionId": session, "updatedAt": 1} | entry

    def files(self, *transcripts, end="\n"):
        """The older layout."""
        self.sessions.mkdir(parents=True, exist_ok=True)
        for told in transcripts:
            (self.sessions / f"{told.session}.jsonl").write_bytes(told.text(end).encode())
        (self.sessions / "sessions.json").write_text(json.dumps(self.noted))

    def put_away(self, told, state, compressed=False):
        self.sessions.mkdir(parents=True, exist_ok=True)
        name = f"{told.session}.jsonl.{state}.2026-06-11T04-00-00.000Z"
        if compressed:
            (self.sessions / f"{name}.zst").write_bytes(zstd.compress(told.text().encode()))
        else:
            (self.sessions / name).write_text(told.text())

    def connect(self):
        self.database.parent.mkdir(parents=True, exist_ok=True)
        db = apsw.Connection(str(self.database))
        db.execute(f"PRAGMA synchronous = off; {SCHEMA}")
        return db

    def rows(self, *transcripts, compressed=False, db=None):
        """The newer layout."""
        opened = db or self.connect()
        keys = {entry["sessionId"]: (key, entry) for key, entry in self.noted.items()}
        for told in transcripts:
            key, entry = keys.get(
                told.session, (f"agent:{self.agent}:recovered:{told.session}", {"sessionId": told.session})
            )
            opened.execute("INSERT INTO session_nodes(session_key, current_session_id, entry_json) VALUES(?, ?, ?)",
                           (key, told.session, json.dumps(entry)))  # fmt: skip
            opened.execute("INSERT INTO session_windows(session_id, session_key, created_at) VALUES(?, ?, ?)",
                           (told.session, key, entry.get("sessionStartedAt", 1_796_000_000_000)))  # fmt: skip
            for number, event in enumerate(told.entries):
                text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
                row = (
                    (None, zstd.compress(text.encode()), len(text.encode()))
                    if compressed
                    else (text, None, None)
                )
                opened.execute(
                    "INSERT INTO transcript_events VALUES(?, ?, ?, ?, ?, 1)", (told.session, number, *row)
                )
        if db is None:
            opened.close()


class Shapes:
    """What the tests of this format use; a class, so that property tests can have it too."""

    Transcript, Claw = Transcript, Claw
    MAIN, OTHER, THIRD = MAIN, OTHER, THIRD


@pytest.fixture(scope="session")
def shapes():
    return Shapes


@pytest.fixture
def claw(tmp_path):
    return Claw(tmp_path / "ada" / ".openclaw")


@pytest.fixture
def told():
    return Transcript()


@pytest.fixture
def read():
    """Reads a history: sessions by their ids, each with its messages; the counts are checked."""
    from archivist.transfer import read_history

    def reading(path, **options):
        found = {}
        for session in read_history(path, **options):
            messages = list(session.messages)
            assert session.read == sum(m.records for m in messages) + sum(session.skipped.values())
            found[session.start.external_id] = (session, [m.message for m in messages])
        return found

    return reading
