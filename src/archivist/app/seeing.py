"""What each request of an agent had in common with the one before it, kept as numbers; and the tools that sessions began with."""

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final, Literal

import msgspec

from archivist.app.freezing import Made, freeze_made
from archivist.loop.work import MISSING, NOT_RECORDED, Why
from archivist.prompt.prefix import Block, Lister, Shared, canonical, compared, packed, unpacked
from archivist.records import ArchivistError, Notice, SessionStart
from archivist.records.requests import Reply, Request, ToolSpec
from archivist.store import StateStore
from archivist.store.connection import Connection
from archivist.store.requests import Before, RequestRow, add_request, before, is_undone_since
from archivist.store.rows import milliseconds
from archivist.store.sessions import start_session
from archivist.store.tool_lists import keep_tools as keep_list
from archivist.store.tool_lists import read_tools

Began = Literal["start", "compaction", "model", "expired", "masked", "fork"]
"""Why an epoch begins: a session did, its context was made shorter, another model answers, it was resumed when its provider's cache was
gone, it was resumed and something in it is masked that was sent in its own words, it was forked from an earlier point of another."""

CACHE_SECONDS: Final = 300.0
"""How long providers keep what was sent, from its last use."""
UNDONE: Final = "undone"
"""Why a list left the one before, where the owner took something back: beside those of `archivist.prompt.prefix.Change`."""

_WHY: Final[dict[Why, Began]] = {"began": "start", "compacted": "compaction", "model-switched": "model"}


class Asked(msgspec.Struct, frozen=True):
    """What is known of a request beside itself.

    Attributes:
        session_id: In which it was made.
        responder: Who was asked, such as "anthropic/claude-sonnet-5".
        why: Why it may begin otherwise than the one before.
        idle: Seconds since the newest message, of a session that was resumed.
        masked: Whether something is sent masked that was said in its own words.
    """

    session_id: str
    responder: str
    why: Why = "going-on"
    idle: float = 0.0
    masked: bool = False


class Seeing:
    """Keeps what the requests of one conversation have in common.

    Args:
        store: The home's.
        key: Gives the key of digests; asked for once.
        now: The time of day.
        cache_seconds: How long the provider keeps what was sent.
    """

    def __init__(
        self,
        store: StateStore,
        key: Callable[[], bytes],
        now: Callable[[], datetime],
        *,
        cache_seconds: float = CACHE_SECONDS,
    ) -> None:
        self._store, self._key, self._now, self._cache_seconds = store, key, now, cache_seconds
        self._lister: Lister | None = None
        self._newest: tuple[str, Before, tuple[Block, ...]] | None = None

    def record_request(self, asked: Asked, request: Request, reply: Reply) -> Notice | None:
        """Keep what a request had in common with the one before.

        Returns:
            Why it is not kept, which harms nothing but the report; None where it is.
        """
        try:
            self._record(asked, request, reply)
        except ArchivistError as error:
            return Notice(NOT_RECORDED, f"{MISSING}: {error}")
        return None

    def _record(self, asked: Asked, request: Request, reply: Reply) -> None:
        if self._lister is None:
            self._lister = Lister(self._key())
        earlier, known = self._before(asked.session_id)
        self._lister.learn(known)
        blocks = self._lister.blocks(request)
        row = self._row(asked, request, reply, earlier, known, blocks)
        kept = packed(blocks)
        self._store.write(lambda db: self._add(db, asked, row, earlier, kept))
        newest = Before(row.epoch, row.at, b"", provider=row.provider, model=row.model)
        self._newest = (asked.session_id, newest, blocks)

    def _before(self, session_id: str) -> tuple[Before | None, tuple[Block, ...]]:
        if self._newest is not None and self._newest[0] == session_id:
            return self._newest[1:]
        found = self._store.read(lambda db: before(db, session_id))
        return found, unpacked(found.blocks) if found is not None else ()

    def _row(
        self,
        asked: Asked,
        request: Request,
        reply: Reply,
        earlier: Before | None,
        known: Sequence[Block],
        blocks: Sequence[Block],
    ) -> RequestRow:
        shared = compared(known, blocks) if known else Shared(0, 0)
        broke = shared.broke
        named = asked.responder.partition("/")[0], reply.model or request.model
        began = self._began(asked, earlier, named, broke=broke is not None)
        return RequestRow(
            at=milliseconds(self._now()),
            provider=named[0],
            model=named[1],
            request_id=reply.usage.request_id if reply.usage else "",
            epoch=(earlier.epoch if earlier else 0) + (1 if began else 0),
            began=began,
            blocks=len(blocks),
            tokens=_tokens(blocks),
            before_blocks=len(known),
            before_tokens=_tokens(known),
            shared_blocks=shared.blocks,
            shared_tokens=shared.tokens,
            broke=broke.kind if broke else None,
            broke_at=broke.number if broke else None,
            broke_why=broke.why if broke else None,
        )

    def _began(
        self, asked: Asked, earlier: Before | None, named: tuple[str, str], *, broke: bool
    ) -> Began | None:
        """Why an epoch begins with a request; None where one goes on, as it does where what is masked was sent so before."""
        if earlier is None:
            return _WHY.get(asked.why, "start")
        told = _WHY.get(asked.why) or self._gone(asked, earlier, named)
        if told is not None or not broke:
            return told
        if earlier.is_forked:
            return "fork"
        return "masked" if asked.why == "resumed" and asked.masked else None

    def _gone(self, asked: Asked, earlier: Before, named: tuple[str, str]) -> Began | None:
        """Why nothing of the request before can be in the cache that a session is resumed with."""
        if asked.why != "resumed":
            return None
        if earlier.model and (earlier.provider, earlier.model) != named:
            return "model"
        return "expired" if asked.idle > self._cache_seconds else None

    @staticmethod
    def _add(db: Connection, asked: Asked, row: RequestRow, earlier: Before | None, kept: bytes) -> None:
        is_undone = (
            row.broke_why is not None
            and row.began is None
            and earlier is not None
            and is_undone_since(db, asked.session_id, earlier.at)
        )
        told = msgspec.structs.replace(row, broke_why=UNDONE) if is_undone else row
        add_request(db, asked.session_id, told, kept)


def frozen_tools(store: StateStore, session_id: str) -> tuple[ToolSpec, ...] | None:
    """The tools that a session was begun with, as they are sent; None where nobody knows any more."""
    kept = store.read(lambda db: read_tools(db, session_id))
    if kept is None:
        return None
    try:
        return msgspec.convert(
            json.loads(kept), tuple[ToolSpec, ...]
        )  # msgspec's own takes no half of a pair
    except (ValueError, RecursionError):
        return None


def begin_frozen(
    store: StateStore,
    start: SessionStart,
    made: Made,
    tools: Sequence[ToolSpec],
    *,
    session_id: str,
    now: datetime,
) -> None:
    """Begin a session with all that is frozen in it, in one transaction: its prompt, the notes that it is given, its tools.

    Raises:
        StoreBusy, DiskFull, DiskFailed, StoreReadOnly: Nothing was begun.
    """
    masked, listed = store.prepare_start(start), _as_text(tools)

    def begin(db: Connection) -> None:
        start_session(db, masked, session_id=session_id, now=now)
        freeze_made(db, made, session_id, start.scope, now)
        keep_list(db, session_id, listed, milliseconds(now))

    store.write(begin)


def keep_tools(store: StateStore, session_id: str, tools: Sequence[ToolSpec], now: datetime) -> None:
    """Let a session have begun with these tools: whoever resumes it sends the same.

    Raises:
        UnknownSession: There is none.
        StoreBusy, DiskFull, DiskFailed, StoreReadOnly: Nothing was kept.
    """
    text = _as_text(tools)
    store.write(lambda db: keep_list(db, session_id, text, milliseconds(now)))


def _as_text(tools: Sequence[ToolSpec]) -> str:
    listed = [{"name": tool.name, "description": tool.description, "schema": tool.schema} for tool in tools]
    return canonical(listed).decode("utf-8")


def _tokens(blocks: Sequence[Block]) -> int:
    return sum(block.tokens for block in blocks)


__all__ = [
    "CACHE_SECONDS",
    "UNDONE",
    "Asked",
    "Began",
    "Seeing",
    "begin_frozen",
    "frozen_tools",
    "keep_tools",
]
