"""Small histories of other programs, and a receiver that keeps what it is given."""

import hashlib
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest
from msgspec.structs import replace

from archivist.notes.statements import BroughtIn
from archivist.store.receiving import Receipt

BEGIN = datetime(2026, 5, 18, 9, 0, tzinfo=UTC)
SESSION = "11111111-1111-4111-8111-111111111111"


class Memory:
    """A receiver with the store's rules: one session per external id, one message per client id in a conversation."""

    def __init__(self):
        self.starts, self.parents, self.conversations = {}, {}, {}
        self.messages, self.usage, self.marks = {}, {}, {}

    def fingerprint(self, source, path):
        return self.marks.get((source, path))

    def receive(self, start, told, usage=(), *, parent_external_id=None, mark=None, adopted=None):
        key, is_new, added, known, restated = start.external_id, start.external_id not in self.starts, 0, 0, 0
        for message in told:
            if key not in self.starts:
                self.parents[key] = parent_external_id if parent_external_id in self.starts else None
                self.conversations[key] = self.conversations.get(parent_external_id, key)
            self.starts[key] = start
            place = (self.conversations[key], message.client_id)
            if place not in self.messages:
                self.messages[place] = (key, message)
                added += 1
                continue
            known += 1
            owner, stored = self.messages[place]
            if stored.state != message.state:
                self.messages[place] = (owner, replace(stored, state=message.state))
                restated += 1
        for one in usage if key in self.starts else ():
            self.usage[key, one.model, one.request_id] = one
        if mark:
            self.marks[mark.source, mark.path] = mark.fingerprint
        return Receipt(key, is_new and added > 0, added, known, restated)

    def of(self, external_id=SESSION):
        """The messages of a session in the order in which they were stored."""
        return [message for owner, message in self.messages.values() if owner == external_id]

    def everything(self):
        """All that is kept, for comparing."""
        sessions = {key: (start.title, self.parents[key]) for key, start in self.starts.items()}
        return sessions, {key: self.of(key) for key in sorted(self.starts)}, dict(sorted(self.usage.items()))


class Transcript:
    """A Claude Code session file in the making."""

    def __init__(self, session=SESSION, *, ids=None, **envelope):
        self.session, self.lines, self.number, self.last = session, [], 0, None
        self.ids = ids or session[:8]
        self.envelope = {"cwd": "/home/someone/tide", "version": "2.1.0", "gitBranch": "main"} | envelope

    def line(self, **fields):
        """Any line, written as it is."""
        self.lines.append(json.dumps(fields, ensure_ascii=False).encode())

    def chained(self, kind, *, parent=..., uuid=None, time=..., **fields):
        """A line of the tree, behind the one before it unless said otherwise; gives its id."""
        self.number += 1
        uuid = uuid or f"{self.ids}-{self.number:04d}"
        at = (
            (BEGIN + timedelta(seconds=self.number)).isoformat().replace("+00:00", "Z")
            if time is ...
            else time
        )
        line = {"type": kind, "uuid": uuid, "parentUuid": self.last if parent is ... else parent}
        line |= {"sessionId": self.session, "isSidechain": False, **self.envelope, **fields}
        if at is not None:
            line["timestamp"] = at
        self.line(**line)
        self.last = uuid
        return uuid

    def person(self, content, **fields):
        return self.chained("user", message={"role": "user", "content": content}, **fields)

    def answer(self, request, *blocks, stop=None, output=10, model="claude-x", **fields):
        said = {"id": f"msg-{request}", "role": "assistant", "model": model, "stop_reason": stop}
        said["content"] = [
            {"type": "text", "text": block} if isinstance(block, str) else block for block in blocks
        ]
        said["usage"] = {"input_tokens": 4, "output_tokens": output, "cache_read_input_tokens": 900}
        return self.chained("assistant", requestId=request, message=said, **fields)

    def result(self, call, content="ok", **fields):
        block = {"type": "tool_result", "tool_use_id": call, "content": content}
        return self.person([block], **fields)

    def bytes(self):
        return b"".join(line + b"\n" for line in self.lines)

    def write(self, folder, name=None):
        path = folder / (name or f"{self.session}.jsonl")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.bytes())
        return path


def call(key, name="Bash", **arguments):
    return {"type": "tool_use", "id": key, "name": name, "input": arguments}


HERMES_SCHEMA = """
CREATE TABLE sessions(id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT, session_key TEXT, chat_id TEXT,
  chat_type TEXT, display_name TEXT, model TEXT, system_prompt TEXT, parent_session_id TEXT, started_at REAL,
  ended_at REAL, end_reason TEXT, cwd TEXT, git_branch TEXT, title TEXT, api_call_count INTEGER DEFAULT 0,
  input_tokens INTEGER DEFAULT 0, output_tokens INTEGER DEFAULT 0, estimated_cost_usd REAL);
CREATE TABLE messages(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content,
  tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL, reasoning TEXT, reasoning_details TEXT,
  platform_message_id TEXT, active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0, api_content TEXT);
CREATE TABLE session_model_usage(session_id TEXT, model TEXT, billing_provider TEXT DEFAULT '', task TEXT DEFAULT '',
  api_call_count INTEGER, input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER,
  cache_write_tokens INTEGER, reasoning_tokens INTEGER, estimated_cost_usd REAL, actual_cost_usd REAL);
"""


class HermesHome:
    """A Hermes home in the making; `db` stays open for as long as a test wants it so."""

    def __init__(self, folder, schema=HERMES_SCHEMA):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.path = folder, folder / "state.db"
        self.db = apsw.Connection(str(self.path))
        self.db.execute(schema)
        self.time = 1_770_000_000.0

    def session(self, key="s1", source="cli", **columns):
        self._insert("sessions", {"id": key, "source": source, "started_at": self.time} | columns)
        return key

    def say(self, role, content, *, session="s1", time=..., **columns):
        self.time += 60
        at = self.time if time is ... else time
        return self._insert(
            "messages", {"session_id": session, "role": role, "content": content, "timestamp": at} | columns
        )

    def usage(self, **columns):
        self._insert("session_model_usage", columns)

    def compact(self, summary, *kept, session="s1", head=()):
        """Archive every live row and write what is kept again, as a compaction in place does."""
        self.time += 60
        self.db.execute(
            "UPDATE messages SET active = 0, compacted = 1 WHERE session_id = ? AND active = 1", (session,)
        )
        again = (
            "INSERT INTO messages(session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp)"
        )
        again += " SELECT session_id, role, content, tool_call_id, tool_calls, tool_name, ? FROM messages WHERE id = ?"
        for row in head:
            self.db.execute(again, (self.time, row))
        self.time -= 60
        self.say("user", summary, session=session)
        for number, row in enumerate(kept):
            self.db.execute(again, (self.time + number / 1000, row))

    def _insert(self, table, columns):
        names = ", ".join(columns)
        marks = ", ".join("?" * len(columns))
        self.db.execute(f"INSERT INTO {table}({names}) VALUES({marks})", tuple(columns.values()))
        return self.db.last_insert_rowid()


def digests(folder: Path) -> dict[str, str]:
    """What every file below a folder holds."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


class Kit:
    """What the tests of this room use; a class, so that property tests can have it too."""

    Memory, Transcript, HermesHome = Memory, Transcript, HermesHome
    call, digests = staticmethod(call), staticmethod(digests)
    BEGIN, SESSION = BEGIN, SESSION


@pytest.fixture(scope="session")
def kit():
    return Kit


@pytest.fixture
def memory():
    return Memory()


class Desk:
    """Takes statements as the notes do, and keeps them as they were told."""

    def __init__(self):
        self.statements = []

    def __call__(self, statements):
        self.statements += statements
        return BroughtIn("c1", len(statements), len(statements))

    def told(self):
        return [(one.target, one.text) for one in self.statements]

    def places(self):
        return [one.place for one in self.statements]


@pytest.fixture
def desk():
    return Desk()


@pytest.fixture
def transcript():
    return Transcript()


@pytest.fixture
def hermes(tmp_path):
    home = HermesHome(tmp_path / ".hermes")
    yield home
    home.db.close()
