"""Conversations as a caller meets them: begun, appended to, searched, read."""

import sys
from collections.abc import Sequence
from datetime import datetime
from typing import get_args

from archivist.app.arguments import a_text, one_of
from archivist.app.caching import Caching
from archivist.app.changing import Changing
from archivist.app.compressing import Compressing
from archivist.app.exporting import Exporting
from archivist.app.handle import SessionHandle
from archivist.app.held import Time
from archivist.app.removing import Removing
from archivist.records import (
    EVERYTHING,
    OWNER_EVERYWHERE,
    Browse,
    Page,
    Passage,
    Reader,
    Role,
    Scope,
    SessionStart,
)
from archivist.records.hits import Shelf
from archivist.records.scopes import OWNER

__all__ = ["SessionHandle", "Sessions", "Time"]


class Sessions(Changing, Removing, Exporting, Compressing, Caching):
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
        return self.get(self._store.start(start, session_id=self._world.new_session_id()), scope=start.scope)

    def get(self, session_id: str, *, scope: Reader | None = None) -> SessionHandle:
        """A handle to a session by its id.

        Args:
            session_id: Whole.
            scope: Who asks, and who is shown what the handle reads; nobody is asked about where unset.

        Raises:
            UnknownSession: There is none, or the scope may not see it.
        """
        a_text("session_id", session_id)
        reader = scope or EVERYTHING
        return SessionHandle(self._store, self._store.session(session_id, reader), reader)

    def of_host(self, host: str, host_session: str) -> SessionHandle | None:
        """A handle to a session that another program holds; None where nothing of it is stored.

        Args:
            host: The program, as a session's source names it.
            host_session: Its id there.
        """
        from archivist.store.hosted import find_hosted  # noqa: PLC0415 - only where a host asks

        found = find_hosted(self._store, host, host_session)
        return None if found is None else self.get(found)

    def end_of_host(self, host: str, host_session: str, reason: str = "ended") -> bool:
        """Record that a session of another program has ended; again, where it was resumed since.

        Args:
            host: The program, as a session's source names it.
            host_session: Its id there.
            reason: In that program's words.

        Returns:
            Whether anything of it is stored.
        """
        from archivist.store.hosted import end_hosted  # noqa: PLC0415 - as above

        return end_hosted(self._store, host, host_session, reason, self._world.now())

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

        Raises:
            TypeError: The query is no text.
        """
        a_text("query", query)
        from archivist.recall.request import SearchRequest  # noqa: PLC0415 - who only stores or follows does not pay for the search
        from archivist.recall.search import search  # noqa: PLC0415 - as above

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
        return self._asking(lambda db: search(db, self._index, request, monotonic=self._world.monotonic))

    def read(
        self,
        conversation: str,
        *,
        around: int | None = None,
        window: int = 5,
        offset: int = 0,
        uncut: bool = False,
        message_chars: int | None = None,
        passage_chars: int | None = None,
        scope: Reader | None = None,
    ) -> Passage:
        """A conversation's messages in order: all, cut where it is long, or those around one.

        Args:
            conversation: Its id, its title, the beginning of an id, or the id that its program gave it.
            around: Only this message and its neighbours.
            window: How many neighbours on each side.
            offset: Read on from this message of the conversation; with `around`, from this character of the message.
            uncut: Everything, however long.
            message_chars: What is shown of one message; 4,000 where unset.
            passage_chars: What is shown in all; 24,000 where unset.
            scope: Who asks; the owner in all projects where unset.

        Raises:
            UnknownSession, UnknownMessage, AmbiguousSession: There is no such thing for this reader, or several.
        """
        from archivist.recall.reading import MESSAGE_CHARS, PASSAGE_CHARS, read  # noqa: PLC0415 - as above

        return self._asking(
            lambda db: read(
                db,
                conversation,
                reader=scope or OWNER_EVERYWHERE,
                around=around,
                window=window,
                offset=offset,
                message_chars=sys.maxsize if uncut else message_chars or MESSAGE_CHARS,
                passage_chars=sys.maxsize if uncut else passage_chars or PASSAGE_CHARS,
            )
        )

    def browse(
        self,
        *,
        limit: int = 20,
        offset: int = 0,
        source: str | None = None,
        shelf: Shelf = "listed",
        scope: Reader | None = None,
    ) -> Browse:
        """Conversations, most recently active first.

        Args:
            limit: How many at most.
            offset: How many to pass over.
            source: Only those held in this program.
            shelf: "listed" for those that were not put away, "archived" for those that were, "all" for both.
            scope: Who asks; the owner in all projects where unset.

        Raises:
            ValueError: There is no such shelf.
        """
        from archivist.recall.reading import browse  # noqa: PLC0415 - as above

        one_of("shelf", shelf, get_args(Shelf))
        reader = scope or OWNER_EVERYWHERE
        return self._asking(
            lambda db: browse(db, reader=reader, limit=limit, offset=offset, source=source, shelf=shelf)
        )
