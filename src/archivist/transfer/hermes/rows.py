"""Rows of a Hermes database as values.

They are read by column name, for a schema may be older or newer than the one that this was written for.
"""

import hashlib
from collections.abc import Iterator
from typing import Any

import apsw
import msgspec

from archivist.records import State
from archivist.transfer.databases import columns_of, decoded, selected
from archivist.transfer.hermes.compaction import LightRow
from archivist.transfer.hermes.content import REASONING_COLUMNS, Words, read_calls, read_content
from archivist.transfer.json_text import as_utf8
from archivist.transfer.times import parse_time

SESSION_COLUMNS = (
    "id", "source", "user_id", "session_key", "chat_id", "chat_type", "thread_id", "display_name", "model",
    "parent_session_id", "started_at", "ended_at", "end_reason", "cwd", "git_branch",
    "git_repo_root", "title", "profile_name", "archived", "api_call_count", "input_tokens", "output_tokens",
    "cache_read_tokens", "cache_write_tokens", "reasoning_tokens", "estimated_cost_usd", "actual_cost_usd",
)  # fmt: skip
MESSAGE_TEXTS = (
    "role",
    "content",
    "tool_call_id",
    "tool_calls",
    "tool_name",
    "platform_message_id",
    *REASONING_COLUMNS,
)
MESSAGE_COLUMNS = ("id", "timestamp", "active", "compacted", "observed", *MESSAGE_TEXTS)
USAGE_COLUMNS = (
    "model", "task", "api_call_count", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens",
    "reasoning_tokens", "estimated_cost_usd", "actual_cost_usd",
)  # fmt: skip
NEEDED = {"sessions": {"id"}, "messages": {"id", "session_id", "role", "content"}}

SessionRow = dict[str, Any]


class MessageRow(msgspec.Struct, frozen=True):
    """A row of `messages`, decoded.

    Attributes:
        time: Seconds since 1970 as stored, or None.
        columns: The further columns by name.
        replaced: Whether bytes of it were no UTF-8.
    """

    id: int
    role: str
    words: Words
    time: float | None
    state: State
    columns: dict[str, str | None]
    observed: bool
    replaced: bool

    def light(self) -> LightRow:
        """What is needed to recognise the row again."""
        has_words = bool(self.words.text.strip() or self.words.parts or self.columns["tool_calls"])
        return LightRow(self.id, self._key(), self.time, self.state, self.words.is_summary, has_words)

    def _key(self) -> tuple[str, object]:
        """Calls and results are known by their ids, for a compaction may shorten them; speech by its text."""
        if self.role == "tool" and self.columns["tool_call_id"]:
            return "tool", self.columns["tool_call_id"]
        calls = tuple(call.id for call in read_calls(self.columns["tool_calls"]))
        if any(calls):
            return "calls", calls
        said = hashlib.blake2b(self.words.text.encode("utf-8", "replace"), digest_size=16)
        for part in self.words.parts:
            said.update(part.data or part.text.encode("utf-8", "replace"))
        return self.role, said.digest()


class HermesRows:
    """The tables of one database."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._messages = columns_of(db, "messages")
        self._sessions = columns_of(db, "sessions")
        self._usage = columns_of(db, "session_model_usage")

    @property
    def missing(self) -> list[str]:
        """Tables and columns without which this is no Hermes database."""
        there = {"sessions": self._sessions, "messages": self._messages}
        return [f"{table}.{name}" for table, names in NEEDED.items() for name in sorted(names - there[table])]

    def sessions(self) -> list[SessionRow]:
        """Every session, those too of which only messages are left."""
        columns = selected(self._sessions, SESSION_COLUMNS, as_bytes=_texts(SESSION_COLUMNS))
        rows = [
            {name: _plain(name, value) for name, value in zip(SESSION_COLUMNS, row, strict=True)}
            for row in self._db.execute(f"SELECT {columns} FROM sessions WHERE id IS NOT NULL ORDER BY rowid")
        ]
        orphans = self._db.execute(
            "SELECT DISTINCT session_id FROM messages"
            " WHERE session_id NOT IN (SELECT id FROM sessions WHERE id NOT NULL)"
        )
        return rows + [dict.fromkeys(SESSION_COLUMNS) | {"id": str(row[0])} for row in orphans]

    def prompt(self, session_id: str) -> str | None:
        """A session's system prompt, which may be long."""
        column = selected(self._sessions, ["system_prompt"], as_bytes=["system_prompt"])
        return decoded(self._db.execute(f"SELECT {column} FROM sessions WHERE id = ?", (session_id,)).get)

    def messages(self, session_id: str) -> Iterator[MessageRow]:
        """A session's rows in the order of their ids."""
        last, is_compacted = -(2**63), self._is_compacted(session_id)
        try:
            for row in self._message_rows(session_id, last, as_bytes=()):
                last = row[0]
                yield _message_row(row, is_compacted=is_compacted)
        except UnicodeDecodeError:  # a text that is no UTF-8: from here on each is decoded by itself
            for row in self._message_rows(session_id, last, as_bytes=MESSAGE_TEXTS):
                yield _message_row(row, is_compacted=is_compacted)

    def _is_compacted(self, session_id: str) -> bool:
        """Whether a compaction put rows of a session aside, or it may go on from another that was compacted."""
        if "parent_session_id" not in self._sessions:
            return True
        first = "SELECT 1 FROM sessions WHERE id = ? AND coalesce(parent_session_id, '') = ''"
        if self._db.execute(first, (session_id,)).get is None:
            return True
        aside = "SELECT 1 FROM messages WHERE session_id = ? AND compacted LIMIT 1"
        return "compacted" in self._messages and self._db.execute(aside, (session_id,)).get is not None

    def _message_rows(
        self, session_id: str, after: int, *, as_bytes: tuple[str, ...]
    ) -> Iterator[tuple[Any, ...]]:
        columns = selected(self._messages, MESSAGE_COLUMNS, as_bytes=as_bytes)
        query = f"SELECT {columns} FROM messages WHERE session_id = ? AND id > ? ORDER BY id"
        yield from self._db.execute(query, (session_id, after))

    def usage(self, session_id: str) -> list[tuple[Any, ...]]:
        """A session's rows of `session_model_usage`; none where the schema has no such table."""
        if "session_id" not in self._usage:
            return []
        columns = selected(self._usage, USAGE_COLUMNS)
        return list(
            self._db.execute(f"SELECT {columns} FROM session_model_usage WHERE session_id = ?", (session_id,))
        )


def _message_row(row: tuple[Any, ...], *, is_compacted: bool) -> MessageRow:
    key, timestamp, active, compacted, observed, role, content, *texts = row
    time = parse_time(timestamp)
    return MessageRow(
        id=key,
        role=decoded(role) or "",
        words=read_content(decoded(content), is_compacted=is_compacted),
        time=time.timestamp() if time else None,
        state=_state(active, compacted),
        columns={
            name: text if text is None or isinstance(text, str) else decoded(text)
            for name, text in zip(MESSAGE_TEXTS[2:], texts, strict=True)
        },
        observed=bool(observed),
        replaced=any(isinstance(value, bytes) and as_utf8(value)[1] for value in row),
    )


def _state(active: object, compacted: object) -> State:
    """Schemas without the columns know live rows only."""
    if active is None or active:
        return "active"
    return "compacted" if compacted else "undone"


def _texts(columns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in columns if not _is_number(name))


def _is_number(name: str) -> bool:
    return name.endswith(("_at", "_tokens", "_usd", "_count")) or name == "archived"


def _plain(name: str, value: Any) -> Any:  # noqa: ANN401 - SQLite columns hold any type
    if _is_number(name):
        return value if isinstance(value, int | float) else None
    return decoded(value)
