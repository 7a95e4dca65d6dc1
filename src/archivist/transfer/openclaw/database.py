"""The database that newer versions keep per agent, read through a copy."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import apsw
import msgspec
from msgspec.structs import replace

from archivist.records import Link
from archivist.transfer.compressed import MAGIC, NotDecompressed, decompress
from archivist.transfer.databases import (
    columns_of,
    decoded,
    index_column,
    naming_damage,
    opened_copy,
    selected,
)
from archivist.transfer.foreign import SourceUnreadable
from archivist.transfer.gateways import Sender
from archivist.transfer.json_lines import lines_in
from archivist.transfer.openclaw.entries import RawEntry
from archivist.transfer.openclaw.ledger import Noted, noted_of, read_entry
from archivist.transfer.openclaw.outline import senders_in
from archivist.transfer.openclaw.people import is_told_by_envelopes
from archivist.transfer.openclaw.places import Item
from archivist.transfer.openclaw.transcripts import Source, Transcript, header, session_named
from archivist.transfer.reasons import DAMAGED
from archivist.transfer.times import parse_time

MOST_EVENT_BYTES = 4 * 1024 * 1024
LINKS: dict[str, Link] = {"fork": "fork", "rewind": "branch", "switch": "branch", "compaction": "compaction"}
TIMES = frozenset({"started_at", "created_at"})
NEEDED = {"transcript_events": {"session_id", "seq"}, "session_windows": {"session_id", "session_key"}}
ARCHIVES, COLD = "session_transcript_archives", "session_transcript_cold_archives"
WINDOW_COLUMNS = (
    "session_id", "session_key", "previous_session_id", "reason", "chat_type", "channel", "started_at", "created_at",
    "model", "spawned_by",
)  # fmt: skip
NODE_COLUMNS = (
    "session_key", "current_session_id", "entry_json", "label", "parent_session_key", "spawned_by", "fork_source_session_id"
)  # fmt: skip


class Register(msgspec.Struct):
    """What one database notes of its sessions.

    Attributes:
        noted: Its notes, each with whether its session is the one that its key stands for now.
        made_from: Every session, with the one that its first line names.
        senders: Who wrote in those of which that is asked.
    """

    noted: list[tuple[Noted, bool]] = msgspec.field(default_factory=list)
    made_from: dict[str, str | None] = msgspec.field(default_factory=dict)
    senders: dict[str, set[Sender]] = msgspec.field(default_factory=dict)


@contextmanager
def opened_database(item: Item) -> Iterator["Database"]:
    """A copy of an agent's database, gone afterwards; what goes wrong with it inside is named as its damage.

    Raises:
        SourceUnreadable: It is none, or damaged.
    """
    with opened_copy(item.path) as db, naming_damage(item.path):
        database = Database(db, item)
        if database.missing:
            advice = "give the path of an agent's openclaw-agent.sqlite"
            raise SourceUnreadable(item.path, f"it has no {database.missing[0]}", advice)
        index_column(db, "transcript_events", "session_id")
        yield database


class Database:
    """The tables of one agent's database."""

    def __init__(self, db: apsw.Connection, item: Item) -> None:
        self.item, self._db = item, db
        names = ("transcript_events", "session_windows", "session_nodes", ARCHIVES, COLD)
        self._columns = {name: columns_of(db, name) for name in names}

    @property
    def missing(self) -> list[str]:
        """Tables and columns without which this is no agent's database."""
        return [
            f"{table}.{name}"
            for table, wanted in NEEDED.items()
            for name in sorted(wanted - self._columns[table])
        ]

    @property
    def deleted(self) -> int:
        """How many of what was put away its owner has deleted."""
        return sum(reason == "deleted" for _, reason, _ in self._archives())

    def sessions(self) -> list[str]:
        """Every session of which there are entries or at least a window."""
        found = [row["session_id"] for row in self._rows("session_windows", ("session_id",))]
        named = self._db.execute("SELECT DISTINCT session_id FROM transcript_events ORDER BY session_id")
        return list(dict.fromkeys([*found, *(str(decoded(row[0])) for row in named)]))

    def transcripts(self) -> list[Transcript]:
        """The sessions, then what was put away; without what its owner has deleted."""
        found = [self._transcript(name, partial(self._entries, name)) for name in self.sessions()]
        return found + [
            self._transcript(name, partial(self._archived, reason, row), reason)
            for name, reason, row in self._archives()
            if reason != "deleted"
        ]

    def register(self) -> Register:
        """What is noted in it."""
        register = Register(list(self._noted()))
        notes = {noted.session: noted for noted, _ in register.noted}
        for one in self.transcripts():
            first = header(one.source)
            register.made_from.setdefault(one.session, session_named(first.parent_session if first else None))
            if is_told_by_envelopes(notes.get(one.session) or Noted(one.session, one.agent)):
                register.senders.setdefault(one.session, set()).update(senders_in(one.source))
        return register

    def _transcript(self, name: str, source: Source, state: str = "") -> Transcript:
        return Transcript(self.item.path, partial(self._guarded, source), name, self.item.agent, state)

    def _guarded(self, source: Source) -> Iterator[RawEntry]:
        with naming_damage(self.item.path):
            yield from source()

    def _entries(self, session: str) -> Iterator[RawEntry]:
        names = ("event_json", "event_zstd", "event_utf8_bytes")
        columns = selected(self._columns["transcript_events"], names, as_bytes=("event_json",))
        query = f"SELECT {columns} FROM transcript_events WHERE session_id = ? ORDER BY seq"
        for event, compressed, size in self._db.execute(query, (session,)):
            yield RawEntry(_bytes(event)) if event is not None else _unfolded(compressed, size)

    def _archives(self) -> list[tuple[str, str, int]]:
        """Transcripts that were put away inside the database: session, reason, row."""
        found: list[tuple[str, str, int]] = []
        if {"session_id", "archive_blob", "reason"} <= self._columns[ARCHIVES]:
            rows = self._db.execute(f"SELECT session_id, reason, rowid FROM {ARCHIVES} ORDER BY rowid")
            found += [(str(decoded(key)), str(reason), row) for key, reason, row in rows]
        if {"session_id", "archive_blob"} <= self._columns[COLD]:
            rows = self._db.execute(
                f"SELECT session_id, rowid FROM {COLD} WHERE archive_blob NOT NULL ORDER BY rowid"
            )
            found += [(str(decoded(key)), "cold", row) for key, row in rows]
        return found

    def _archived(self, reason: str, row: int) -> Iterator[RawEntry]:
        """The entries of a transcript that was put away, compressed or not."""
        table = COLD if reason == "cold" else ARCHIVES
        data = _bytes(self._db.execute(f"SELECT archive_blob FROM {table} WHERE rowid = ?", (row,)).get)
        try:
            plain = decompress(data) if data.startswith(MAGIC) else data
        except NotDecompressed:
            yield RawEntry(None, DAMAGED)
            return
        for line in lines_in(io.BytesIO(plain)):
            yield RawEntry(line.raw, line.flaw)

    def _noted(self) -> Iterator[tuple[Noted, bool]]:
        """What is noted of each session, and whether it is the one that its key stands for now."""
        nodes = {row["session_key"]: row for row in self._rows("session_nodes", NODE_COLUMNS)}
        for window in self._rows("session_windows", WINDOW_COLUMNS):
            node = nodes.get(window["session_key"], {})
            is_current = node.get("current_session_id") == window["session_id"]
            if window["session_id"]:
                yield self._noted_in(window, node, is_current=is_current), is_current

    def _noted_in(self, window: dict[str, Any], node: dict[str, Any], *, is_current: bool) -> Noted:
        agent, key = self.item.agent, window["session_key"]
        stored = read_entry(node.get("entry_json") or "") if is_current else None
        noted = (noted_of(key or "", stored, agent) if stored else None) or Noted(
            window["session_id"], agent, key=key
        )
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


def _unfolded(compressed: object, size: object) -> RawEntry:
    try:
        plain = decompress(compressed, MOST_EVENT_BYTES) if isinstance(compressed, bytes) else None
    except NotDecompressed:
        plain = None
    return RawEntry(None, DAMAGED) if plain is None or size not in (None, len(plain)) else RawEntry(plain)


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value or "").encode("utf-8", "replace")
