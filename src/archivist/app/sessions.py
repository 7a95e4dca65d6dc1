"""Conversations as a caller meets them: begun, appended to, searched, read."""

import sys
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Literal

from archivist.app.changing import Changing
from archivist.app.exporting import Exporting
from archivist.app.held import OWNER_EVERYWHERE
from archivist.app.removing import Removing
from archivist.recall.reading import browse, read
from archivist.recall.request import SearchRequest
from archivist.recall.search import search
from archivist.records import (
    Browse,
    Message,
    Page,
    Passage,
    Reader,
    Role,
    Scope,
    Session,
    SessionStart,
    Usage,
)
from archivist.records.scopes import OWNER
from archivist.store import StateStore

Time = datetime | date | str


class SessionHandle:
    """A session that is open for appending.

    It stays good after a compaction: what is appended goes to the conversation's newest session.
    """

    __slots__ = ("_store", "conversation_id", "id")

    def __init__(self, store: StateStore, session: Session) -> None:
        self._store = store
        self.id = session.id
        self.conversation_id = session.conversation_id

    def append(self, message: Message) -> int:
        """Store one message and return its id; when this returns, the message is on disk.

        Raises:
            WriteSpooled: The database was busy or full; the message is safe in the spool.
            ArchivistError: Any other failure; nothing was stored.
        """
        return self._store.append(self.id, [message])[0]

    def append_many(self, messages: Iterable[Message]) -> list[int]:
        """Store messages in one transaction, all or none, and return their ids in order."""
        return self._store.append(self.id, list(messages))

    def add_usage(self, usage: Usage) -> None:
        """Count the tokens of a request; one told of again is not counted again."""
        self._store.add_usage(self.id, [usage])

    def usage(self) -> list[Usage]:
        """Tokens used so far, per model."""
        return self._store.usage(self.id)

    def end(self, reason: str = "ended") -> None:
        """Record that the session has ended; the first reason stays."""
        self._store.end(self.id, reason)

    def messages(self, which: Literal["context", "all"] = "context") -> list[Message]:
        """`context`: what a model sees now; `all`: the whole lineage in order, of every state."""
        return self._store.context(self.id) if which == "context" else self._store.lineage(self.id)

    def record(self) -> Session:
        """What is stored of the session itself."""
        return self._store.session(self.id)


class Sessions(Changing, Removing, Exporting):
    """All conversations of a home."""

    def start(
        self,
        source: str = "python",
        *,
        model: str | None = None,
        scope: Scope | None = None,
        cwd: str | None = None,
        title: str | None = None,
        prompt: str | None = None,
        started_at: datetime | None = None,
    ) -> SessionHandle:
        """Begin a session, and with it a conversation.

        Args:
            source: The program that it is held in.
            model: The model that answers.
            scope: Whose conversation it is; the owner's where unset.
            cwd: The folder that it is held in.
            title: What to call it.
            prompt: The system prompt, frozen for this session.
            started_at: Now where unset.
        """
        start = SessionStart(
            source,
            model=model,
            scope=scope or OWNER,
            cwd=cwd,
            title=title,
            prompt=prompt,
            started_at=started_at,
        )
        return self.get(self._store.start(start, session_id=self._world.new_session_id()))

    def get(self, session_id: str) -> SessionHandle:
        """A handle to a session by its id.

        Raises:
            UnknownSession: There is none.
        """
        return SessionHandle(self._store, self._store.session(session_id))

    def search(
        self,
        query: str,
        *,
        limit: int = 5,
        scope: Reader | None = None,
        role: Role | Sequence[Role] = (),
        source: str | Sequence[str] = (),
        since: Time | None = None,
        until: Time | None = None,
        conversation: str | None = None,
        asking_session: str | None = None,
        branches: bool = False,
        now: datetime | None = None,
        explain: bool = False,
    ) -> Page:
        """The messages that answer a question, best first.

        Args:
            query: Words, a question, a quoted phrase, an identifier; every string is valid.
            limit: How many hits at most.
            scope: Who asks; the owner in all projects where unset.
            role: Only messages of these roles.
            source: Only conversations held in these programs.
            since: Said at this time or later: a datetime, a date, or words such as "last week".
            until: Said before this time; a date, or words that name a day, count whole.
            conversation: Only this conversation.
            asking_session: The session that asks: what its model sees already is left out.
            branches: Also what stands on paths that were left.
            now: When the question is asked, for "yesterday" and the like.
            explain: Give each hit the parts of its score.
        """
        request = SearchRequest(
            text=query,
            limit=limit,
            reader=scope or OWNER_EVERYWHERE,
            roles=(role,) if isinstance(role, str) else tuple(role),
            sources=(source,) if isinstance(source, str) else tuple(source),
            since=self._moment(since),
            until=self._moment(until, end=True),
            conversation=conversation,
            asking_session=asking_session,
            hidden=branches,
            now=self._moment(now) or self._world.now(),
            zone=self._zone,
            explain=explain,
        )
        with self._store.naming_trouble():
            return search(self._store.reader(), self._index, request, monotonic=self._world.monotonic)

    def read(
        self,
        conversation: str,
        *,
        around: int | None = None,
        window: int = 5,
        offset: int = 0,
        uncut: bool = False,
        scope: Reader | None = None,
    ) -> Passage:
        """A conversation's messages in order: all, cut where it is long, or those around one.

        Args:
            conversation: Its id, the beginning of it, or the id that its program gave it.
            around: Only this message and its neighbours.
            window: How many neighbours on each side.
            offset: Read on from this message of the conversation; with `around`, from this character of the message.
            uncut: Everything, however long.
            scope: Who asks; the owner in all projects where unset.

        Raises:
            UnknownSession, UnknownMessage, AmbiguousSession: There is no such thing for this reader, or several.
        """
        caps = {"message_chars": sys.maxsize, "passage_chars": sys.maxsize} if uncut else {}
        with self._store.naming_trouble():
            return read(
                self._store.reader(),
                conversation,
                reader=scope or OWNER_EVERYWHERE,
                around=around,
                window=window,
                offset=offset,
                **caps,
            )

    def browse(
        self, *, limit: int = 20, offset: int = 0, source: str | None = None, scope: Reader | None = None
    ) -> Browse:
        """Conversations, most recently active first."""
        reader = scope or OWNER_EVERYWHERE
        with self._store.naming_trouble():
            return browse(self._store.reader(), reader=reader, limit=limit, offset=offset, source=source)

    def read_time(self, text: str, *, end: bool = False) -> datetime:
        """The time that a text names, in the owner's zone; see `Archivist.read_time`."""
        from archivist.recall.when import parse_instant  # noqa: PLC0415 - only what names a time needs it

        return parse_instant(text, now=self._world.now(), zone=self._zone, end=end)

    def _moment(self, time: Time | None, *, end: bool = False) -> datetime | None:
        """An aware datetime: what has no zone is meant in the owner's."""
        if time is None:
            return None
        if isinstance(time, datetime):
            return time if time.tzinfo else time.replace(tzinfo=self._zone)
        if isinstance(time, str):
            return self.read_time(time, end=end)
        day = datetime.combine(time, datetime.min.time(), self._zone)
        return day + timedelta(days=1) if end and time < date.max else day
