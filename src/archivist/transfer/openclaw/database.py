"""The database that newer versions keep per agent, read through a copy."""

import io
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import apsw

from archivist.records import Link
from archivist.transfer.compressed import MAGIC, NotDecompressed, decompress
from archivist.transfer.databases import columns_of, decoded, selected
from archivist.transfer.json_lines import lines_in
from archivist.transfer.openclaw.entries import RawEntry
from archivist.transfer.openclaw.ledger import Noted, noted_of, read_entry
from archivist.transfer.reasons import DAMAGED
from archivist.transfer.times import parse_time

MOST_EVENT_BYTES = 4 * 1024 * 1024
LINKS: dict[str, Link] = {"fork": "fork", "rewind": "branch", "switch": "branch", "compaction": "compaction"}
TIMES = frozenset({"started_at", "created_at"})
NEEDED = {"transcript_events": {"session_id", "seq"}, "session_windows": {"session_id", "session_key"}}
WINDOW_COLUMNS = (
    "session_id", "session_key", "previous_session_id", "reason", "chat_type", "channel", "started_at", "created_at",
    "model", "spawned_by",
)  # fmt: skip
NODE_COLUMNS = (
    "session_key", "current_session_id", "entry_json", "label", "parent_session_key", "spawned_by", "fork_source_session_id"
)  # fmt: skip


class AgentRows:
    """The tables of one agent's database."""

    def __init__(self, db: apsw.Connection, agent: str) -> None:
        self._db, self._agent = db, agent
        names = ("transcript_events", "session_windows", "session_nodes", "session_transcript_archives",
                 "session_transcript_cold_archives")  # fmt: skip
        self._columns = {name: columns_of(db, name) for name in names}

    @property
    def missing(self) -> list[str]:
        """Tables and columns without which this is no agent's database."""
        return [
            f"{table}.{name}"
            for table, wanted in NEEDED.items()
            for name in sorted(wanted - self._columns[table])
        ]

    def noted(self) -> Iterator[tuple[Noted, bool]]:
        """What is noted of each session, and whether it is the one that its key stands for now."""
        nodes = {row["session_key"]: row for row in self._rows("session_nodes", NODE_COLUMNS)}
        for window in self._rows("session_windows", WINDOW_COLUMNS):
            node = nodes.get(window["session_key"], {})
            is_current = node.get("current_session_id") == window["session_id"]
            if window["session_id"]:
                yield self._noted(window, node, is_current=is_current), is_current

    def sessions(self) -> list[str]:
        """Every session of which there are entries or at least a window."""
        found = [row["session_id"] for row in self._rows("session_windows", ("session_id",))]
        told = self._db.execute("SELECT DISTINCT session_id FROM transcript_events ORDER BY session_id")
        return list(dict.fromkeys([*found, *(str(decoded(row[0])) for row in told)]))

    def entries(self, session: str) -> Iterator[RawEntry]:
        """The entries of a session in their order."""
        names = ("event_json", "event_zstd", "event_utf8_bytes")
        columns = selected(self._columns["transcript_events"], names, as_bytes=("event_json",))
        query = f"SELECT {columns} FROM transcript_events WHERE session_id = ? ORDER BY seq"
        for event, compressed, size in self._db.execute(query, (session,)):
            if event is not None:
                yield RawEntry(_bytes(event))
            else:
                yield _unfolded(compressed, size)

    def archives(self) -> list[tuple[str, str, int]]:
        """Transcripts that were put away inside the database: session, reason, row."""
        there = self._columns["session_transcript_archives"]
        found = []
        if {"session_id", "archive_blob", "reason"} <= there:
            query = "SELECT session_id, reason, rowid FROM session_transcript_archives ORDER BY rowid"
            found += [(str(decoded(key)), str(reason), row) for key, reason, row in self._db.execute(query)]
        if {"session_id", "archive_blob"} <= self._columns["session_transcript_cold_archives"]:
            query = "SELECT session_id, rowid FROM session_transcript_cold_archives WHERE archive_blob NOT NULL ORDER BY rowid"
            found += [(str(decoded(key)), "cold", row) for key, row in self._db.execute(query)]
        return found

    def archived(self, reason: str, row: int) -> Iterator[RawEntry]:
        """The entries of a transcript that was put away."""
        table = "session_transcript_cold_archives" if reason == "cold" else "session_transcript_archives"
        blob = self._db.execute(f"SELECT archive_blob FROM {table} WHERE rowid = ?", (row,)).get
        yield from unfolded_lines(_bytes(blob))

    def _noted(self, window: dict[str, Any], node: dict[str, Any], *, is_current: bool) -> Noted:
        stored = read_entry(node.get("entry_json") or "") if is_current else None
        base = noted_of(window["session_key"] or "", stored, self._agent) if stored else None
        noted = base or Noted(window["session_id"], self._agent, key=window["session_key"])
        link = LINKS.get(window["reason"] or "")
        parent = window["previous_session_id"]
        if link == "fork":
            parent = node.get("fork_source_session_id") or parent
        return replace(
            noted,
            session=window["session_id"],
            channel=window["channel"] or noted.channel,
            chat_type=window["chat_type"] or noted.chat_type,
            title=node.get("label") or noted.title,
            model=window["model"] or noted.model,
            spawned_by=window["spawned_by"] or node.get("spawned_by") or noted.spawned_by,
            parent=parent if link else None,
            link=link if parent else None,
            started_at=parse_time(window["started_at"])
            or noted.started_at
            or parse_time(window["created_at"]),
        )

    def _rows(self, table: str, names: tuple[str, ...]) -> Iterator[dict[str, Any]]:
        if not self._columns[table]:
            return
        texts = [name for name in names if name not in TIMES]
        columns = selected(self._columns[table], names, as_bytes=texts)
        for row in self._db.execute(f"SELECT {columns} FROM {table} ORDER BY 1"):
            values = zip(names, row, strict=True)
            yield {name: value if name in TIMES else decoded(value) for name, value in values}


def unfolded_lines(data: bytes) -> Iterator[RawEntry]:
    """The entries of a transcript that was put away, compressed or not."""
    try:
        plain = decompress(data) if data.startswith(MAGIC) else data
    except NotDecompressed:
        yield RawEntry(None, DAMAGED)
        return
    for line in lines_in(io.BytesIO(plain)):
        yield RawEntry(line.raw, line.flaw)


def _unfolded(compressed: object, size: object) -> RawEntry:
    if not isinstance(compressed, bytes):
        return RawEntry(None, DAMAGED)
    try:
        plain = decompress(compressed, MOST_EVENT_BYTES)
    except NotDecompressed:
        return RawEntry(None, DAMAGED)
    return RawEntry(plain) if size in (None, len(plain)) else RawEntry(None, DAMAGED)


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value or "").encode("utf-8", "replace")
